"""The walk over an ONNX file's bytes: what stays in the file, and that nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper, numpy_helper

import wherry as wh
from tests.dialects.onnx.models import model, value_info
from wherry.dialects.onnx import wire
from wherry.dialects.onnx.wire import LARGE, without_weights

node = helper.make_node
LARGE_ARRAY = np.arange(LARGE, dtype=np.float32).reshape(-1, 2)
SMALL_ARRAY = np.arange(6, dtype=np.float32)


def tensor(name: str, array: np.ndarray = LARGE_ARRAY) -> TensorProto:
    return numpy_helper.from_array(array, name)


def everywhere() -> ModelProto:
    """Return a model with large tensors in every place that a message has for them."""
    sparse = helper.make_sparse_tensor(tensor("s", LARGE_ARRAY.ravel()), tensor("", np.arange(LARGE)), [LARGE])
    inner = helper.make_graph([node("Constant", [], ["k"], value=tensor("")), node("Add", ["k", "in"], ["t"])],
                              "inner", [], [value_info("t", LARGE_ARRAY)], [tensor("in")])  # fmt: skip
    nodes = [
        node("Constant", [], ["c"], value=tensor("")), node("Constant", [], ["d"], sparse_value=sparse),
        node("Many", [], ["e"], tensors=[tensor("a"), tensor("b", SMALL_ARRAY)], graphs=[inner], domain="d"),
        node("If", ["q"], ["r"], then_branch=inner, else_branch=inner), node("Gather", ["w", "i"], ["y"]),
    ]  # fmt: skip
    constants = {"w": LARGE_ARRAY, "v": SMALL_ARRAY, "i": np.array([0, 7])}
    proto = model(nodes, {"q": np.array(True)}, ["y", "c", "d", "e", "r"], constants=constants)
    proto.opset_import.add(domain="d", version=1)
    proto.graph.sparse_initializer.append(sparse)
    proto.functions.append(helper.make_function("d", "F", [], ["c"], nodes[:1], proto.opset_import))
    return proto


def tensors_of(message: object) -> Iterator[TensorProto]:
    if isinstance(message, TensorProto):
        yield message
        return
    for field, value in message.ListFields():  # type: ignore[attr-defined]
        if field.message_type is not None:
            for entry in value if field.is_repeated else (value,):
                yield from tensors_of(entry)


def test_large_tensors_stay_in_the_file_and_nothing_else_changes() -> None:
    proto = everywhere()
    content = proto.SerializeToString()
    slim = ModelProto.FromString(without_weights(memoryview(content), "m.onnx"))
    kept = [one for one in tensors_of(slim) if one.data_location == TensorProto.EXTERNAL]
    assert len(kept) == 14
    assert len(slim.SerializeToString()) < 14 * 200 + 2000 < len(content)
    for one in kept:
        place = {entry.key: entry.value for entry in one.external_data}
        assert place.pop("location") == "m.onnx"
        start, length = int(place["offset"]), int(place["length"])
        assert length >= LARGE
        one.raw_data = content[start : start + length]
        one.ClearField("external_data")
        one.ClearField("data_location")
    assert slim == proto


def test_a_message_without_large_tensors_is_returned_as_it_is() -> None:
    content = memoryview(model([node("Identity", ["x"], ["y"])], {"x": SMALL_ARRAY}, ["y"]).SerializeToString())
    assert without_weights(content, "m") is content
    for data in (b"", b"\x3a", b"\x3b" * 10_000, b"\xff" * 10_000, b"\x3a\xff\xff\xff\xff\x07" + bytes(9000)):
        assert without_weights(memoryview(data), "m").tobytes() == data


@pytest.mark.parametrize("field", ["float_data", "data_location", "external_data", "raw_data"])
def test_a_tensor_that_holds_values_in_two_ways_is_left_to_the_reader(field: str) -> None:
    large = tensor("w")
    more = {"float_data": TensorProto(float_data=[1.0]), "data_location": TensorProto(data_location=1),
            "external_data": TensorProto(external_data=[onnx.StringStringEntryProto(key="offset")]),
            "raw_data": TensorProto(raw_data=b"1")}[field]  # fmt: skip
    content = large.SerializeToString() + more.SerializeToString()
    graph = b"\x2a" + wire._varint(len(content)) + content
    whole = memoryview(b"\x08\x08\x3a" + wire._varint(len(graph)) + graph)
    assert ModelProto.FromString(whole).graph.initializer[0].name == "w"
    assert without_weights(whole, "m") is whole


@given(st.data())
def test_damaged_bytes_are_walked_safely(data: st.DataObject) -> None:
    """What protobuf reads after the walk is what it reads without it, or nothing."""
    content = bytearray(everywhere().SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)))]
    walked = without_weights(memoryview(bytes(content)), "m")
    try:
        proto = ModelProto.FromString(walked)
    except Exception:
        with pytest.raises(Exception, match="pars"):
            ModelProto.FromString(bytes(content))
        return
    for one in tensors_of(proto):
        if one.data_location == TensorProto.EXTERNAL and {entry.value for entry in one.external_data} > {"m"}:
            place = {entry.key: entry.value for entry in one.external_data}
            assert int(place["offset"]) + int(place["length"]) <= len(content)


def test_constants_lie_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(everywhere().SerializeToString())
    loaded = wh.load(path)
    weights = loaded.graph.constants["w"]
    assert (weights == LARGE_ARRAY).all()
    assert not weights.flags.owndata
    assert not weights.flags.writeable
    assert loaded.graph.same_as(wh.onnx.read_proto(everywhere()).graph)
    branch = dict(loaded.graph.opaque[1].operator.graphs)["then_branch"]
    assert (branch.constants["k"] == LARGE_ARRAY).all()
    assert (loaded.graph.constants["d"] == LARGE_ARRAY.ravel()).all()


def test_opaque_nodes_are_told_apart_by_weights_that_stay_in_the_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.onnx", tmp_path / "other.onnx"
    proto = everywhere()
    one.write_bytes(proto.SerializeToString())
    attribute = proto.graph.node[3].attribute[0].g.initializer[0]
    attribute.raw_data = bytes(len(attribute.raw_data))
    other.write_bytes(proto.SerializeToString())
    (tmp_path / "renamed.onnx").write_bytes(one.read_bytes())
    assert wh.load(one).graph.same_as(wh.load(tmp_path / "renamed.onnx").graph)
    assert not wh.load(one).graph.same_as(wh.load(other).graph)


@pytest.mark.parametrize("name", ["a b.onnx", "ä=:.onnx", "..\\m.onnx", "line\nbreak.onnx"])
def test_any_name_of_a_file_and_a_link_to_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "blobs").mkdir()
    blob = tmp_path / "blobs" / "0123"
    blob.write_bytes(model([node("Gather", ["w", "i"], ["y"])], {"i": np.array([1])}, ["y"],
                           constants={"w": LARGE_ARRAY}).SerializeToString())  # fmt: skip
    (tmp_path / "models").mkdir()
    link = tmp_path / "models" / name
    link.symlink_to(blob)
    assert wh.load(link).run([np.array([1])])["y"].tolist() == [[2, 3]]


def test_a_tensor_of_another_length_is_named(tmp_path: Path) -> None:
    proto = model([node("Identity", ["w"], ["y"])], {}, ["y"], constants={"w": LARGE_ARRAY})
    proto.graph.initializer[0].dims[0] += 1
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    with pytest.raises(wh.errors.FileFormatError, match="has 16384 bytes of raw data, its type and sizes need 16392"):
        wh.load(path)
