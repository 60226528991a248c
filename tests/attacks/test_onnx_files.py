"""Hostile ONNX files: each is refused in words, or read for what it is, soon and in little memory; no process dies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import AttributeProto, ModelProto, NodeProto, SparseTensorProto, TensorProto, helper, numpy_helper

import wherry as wh
import wherry.dialects.onnx.reader
from tests.attacks import attack
from wherry.models.listing import Listing

F32, I64 = TensorProto.FLOAT, TensorProto.INT64
HUGE = 2**28

Change = Callable[[ModelProto], object]


def value(name: str, shape: list[int | str | None] | None = None, kind: int = F32) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def model(
    nodes: list[NodeProto],
    inputs: list[onnx.ValueInfoProto] | None = None,
    initializers: list[TensorProto] | None = None,
    outputs: tuple[str, ...] = ("y",),
    opset: int = 18,
) -> ModelProto:
    """Return a model whose outputs declare no sizes; it is not checked in any way."""
    ends = [value("x", [2, 3])] if inputs is None else inputs
    graph = helper.make_graph(nodes, "g", ends, [], initializers or [])
    for name in outputs:
        graph.output.add(name=name)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def good() -> ModelProto:
    """Return a model that has one of everything that the table of changes spoils."""
    nodes = [
        helper.make_node("Gather", ["w", "i"], ["t"], name="take", axis=0),
        helper.make_node("Transpose", ["t"], ["u"], perm=[1, 0]),
        helper.make_node("Concat", ["x", "u"], ["y"], axis=0),
    ]
    floats = numpy_helper.from_array(np.arange(8, dtype=np.float32).reshape(4, 2), "w")
    integers = helper.make_tensor("i", I64, [3], [2, 0, 1])
    made = model(nodes, [value("x", [2, 3])], [floats, integers])
    made.graph.value_info.append(value("t", [3, 2]))
    return made


def weights(proto: ModelProto) -> TensorProto:
    """Return the initializer of float32[4, 2] with raw data."""
    return proto.graph.initializer[0]


def indices(proto: ModelProto) -> TensorProto:
    """Return the initializer of int64[3] with int64_data."""
    return proto.graph.initializer[1]


def take(proto: ModelProto) -> NodeProto:
    """Return the Gather, with its attribute axis."""
    return proto.graph.node[0]


def again(entries: object, number: int = 0) -> None:
    """Add a copy of an entry of a repeated field."""
    entries.add().CopyFrom(entries[number])


def sparse(proto: ModelProto, dims: list[int], at: list[int], count: int = 1, kind: int = I64) -> SparseTensorProto:
    """Add a sparse initializer."""
    added = proto.graph.sparse_initializer.add(dims=dims)
    added.values.CopyFrom(helper.make_tensor(f"s{len(proto.graph.sparse_initializer)}", F32, [count], [1.0] * count))
    added.indices.CopyFrom(helper.make_tensor("", kind, [len(at)], at))
    return added


def external(proto: ModelProto, **entries: str) -> None:
    """Let the weights lie in a file."""
    weights(proto).ClearField("raw_data")
    weights(proto).data_location = TensorProto.EXTERNAL
    for key, text in entries.items():
        weights(proto).external_data.add(key=key, value=text)


def with_type(proto: ModelProto, case: str) -> None:
    """Give the input a type that is no tensor."""
    info = proto.graph.input[0]
    getattr(info.type, case).SetInParent()


def call(proto: ModelProto, function: str) -> None:
    """Let the Gather call a function of the model."""
    take(proto).domain, take(proto).op_type = "d", function
    proto.opset_import.add(domain="d", version=1)


MODEL: dict[str, tuple[Change, str]] = {
    "no graph": (lambda m: m.ClearField("graph"), "the model has no graph"),
    "ir_version 0": (lambda m: setattr(m, "ir_version", 0), "ir_version is 0"),
    "ir_version negative": (lambda m: setattr(m, "ir_version", -(2**63)), "ir_version is -9223372036854775808"),
    "ir_version huge": (lambda m: setattr(m, "ir_version", 2**63 - 1), "ir_version is 9223372036854775807"),
    "no opset": (lambda m: m.ClearField("opset_import"), "opset_import is empty"),
    "opset 0": (lambda m: setattr(m.opset_import[0], "version", 0), "version 0 of ai.onnx"),
    "opset negative": (lambda m: setattr(m.opset_import[0], "version", -5), "version -5 of ai.onnx"),
    "opset huge": (lambda m: setattr(m.opset_import[0], "version", 2**62), "opset 4611686018427387904"),
    "opset twice": (lambda m: again(m.opset_import), "has the domain 'ai.onnx' twice"),
    "opset of another domain": (lambda m: setattr(m.opset_import[0], "domain", "z"), "which opset_import lacks"),
    "a function that calls itself": (
        lambda m: (m.functions.add(name="f", domain="d").node.add(op_type="f", domain="d"), call(m, "f")),
        "d.f of opset 1 (node"),
    "10000 functions": (
        lambda m: ([m.functions.add(name=f"f{n}", domain="d") for n in range(10000)], call(m, "f0")),
        "d.f0 of opset 1 (node"),
}  # fmt: skip

GRAPH: dict[str, tuple[Change, str]] = {
    "no outputs": (lambda m: m.graph.ClearField("output"), "the graph has no outputs"),
    "output twice": (lambda m: again(m.graph.output), "output 'y' is listed twice"),
    "output of nothing": (lambda m: m.graph.output.add(name="z"), "output 'z' is not defined"),
    "output without a name": (lambda m: m.graph.output.add(), "output '' is not defined"),
    "output of another type": (
        lambda m: m.graph.output[0].CopyFrom(value("y", [5, 3], I64)), "is declared int64[5, 3]"),
    "input twice": (lambda m: again(m.graph.input), "tensor 'x' is defined twice"),
    "input without a name": (lambda m: setattr(m.graph.input[0], "name", ""), "an input has no name"),
    "input without a type": (lambda m: m.graph.input[0].ClearField("type"), "input 'x' has no type"),
    "input of a sequence": (lambda m: with_type(m, "sequence_type"), "input 'x' is of a type that wherry"),
    "input of a map": (lambda m: with_type(m, "map_type"), "input 'x' is of a type that wherry"),
    "input of an optional": (lambda m: with_type(m, "optional_type"), "input 'x' is of a type that wherry"),
    "input of a sparse tensor": (lambda m: with_type(m, "sparse_tensor_type"), "input 'x' is of a type that wherry"),
    "input of element type 0": (
        lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 0), "element type number 0"),
    "input of element type -1": (
        lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", -1), "element type number -1"),
    "input of element type 2^31-1": (
        lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 2**31 - 1), "element type number 2147483647"),
    "input of a negative size": (
        lambda m: m.graph.input[0].CopyFrom(value("x", [-(2**31), 3])), "has size -2147483648 on axis 0"),
    "input of 10^5 axes": (lambda m: m.graph.input[0].CopyFrom(value("x", [1] * 10**5)), "'x' has 100000 axes"),
    "sizes beyond 64 bits": (
        lambda m: m.graph.input[0].CopyFrom(value("x", [2**62, 2**62])), "size"),
    "initializer twice": (lambda m: again(m.graph.initializer), "initializer 'w' is defined twice"),
    "initializer without a name": (lambda m: setattr(weights(m), "name", ""), "an initializer has no name"),
    "initializer and node": (lambda m: take(m).output.__setitem__(0, "w"), "tensor 'w' is defined twice"),
    "initializer of a sparse one's name": (
        lambda m: setattr(sparse(m, [4], [1]).values, "name", "w"), "initializer 'w' is defined twice"),
    "initializer against its input": (lambda m: m.graph.input.append(value("w", [9])), "its input declares float32[9]"),
    "5000 equal initializers": (lambda m: [again(m.graph.initializer) for _ in range(5000)], "is defined twice"),
    "5000 equal outputs": (lambda m: [again(m.graph.output) for _ in range(5000)], "is listed twice"),
}  # fmt: skip

NODE: dict[str, tuple[Change, str]] = {
    "no op_type": (lambda m: take(m).ClearField("op_type"), "(no op_type)"),
    "op_type that is unknown": (lambda m: setattr(take(m), "op_type", "G" * 10**5), "operators that wherry does not"),
    "op_type with NUL": (lambda m: setattr(take(m), "op_type", "Gather\0"), "operators that wherry does not have"),
    "domain that is unknown": (lambda m: setattr(take(m), "domain", "d"), "d.Gather"),
    "overload": (lambda m: setattr(take(m), "overload", "o"), "with overload 'o'"),
    "no inputs": (lambda m: take(m).ClearField("input"), "input data is missing"),
    "an input too many": (lambda m: take(m).input.append("x"), "inputs has 3 entries"),
    "10^5 inputs": (lambda m: take(m).input.extend(["x"] * 10**5), "inputs has 100002 entries"),
    "an input left out": (lambda m: take(m).input.__setitem__(0, ""), "input data is missing"),
    "an input of nothing": (lambda m: take(m).input.__setitem__(0, "z"), "which nothing in the graph defines"),
    "a node that reads itself": (lambda m: take(m).input.__setitem__(0, "t"), "without a cycle"),
    "a cycle": (lambda m: take(m).input.__setitem__(0, "u"), "without a cycle"),
    "no outputs": (lambda m: take(m).ClearField("output"), "outputs has 0 entries"),
    "an output too many": (lambda m: take(m).output.append("v"), "outputs has 2 entries"),
    "an output twice": (lambda m: m.graph.node[1].output.__setitem__(0, "t"), "tensor 't' is defined twice"),
    "an output that is an input": (lambda m: take(m).output.__setitem__(0, "x"), "tensor 'x' is defined twice"),
    "5000 equal nodes": (lambda m: [again(m.graph.node) for _ in range(5000)], "is defined twice"),
}  # fmt: skip


def axis(m: ModelProto) -> AttributeProto:
    """Return the attribute axis of the Gather."""
    return take(m).attribute[0]


ATTRIBUTE: dict[str, tuple[Change, str]] = {
    "twice": (lambda m: again(take(m).attribute), "attribute 'axis' is given twice"),
    "unknown": (lambda m: setattr(axis(m), "name", "a" * 10**5), "is not one that this version has"),
    "no name": (lambda m: axis(m).ClearField("name"), "attribute '' is not one"),
    "no kind": (lambda m: axis(m).ClearField("type"), "is of kind UNDEFINED"),
    "another kind": (lambda m: setattr(axis(m), "type", AttributeProto.STRINGS), "is of kind STRINGS"),
    "a graph": (lambda m: setattr(axis(m), "type", AttributeProto.GRAPH), "is of kind GRAPH"),
    "a function's": (lambda m: setattr(axis(m), "ref_attr_name", "r"), "refers to 'r' of a function"),
    "out of range": (lambda m: setattr(axis(m), "i", -3), "axis is -3, allowed -2..1"),
    "least integer": (lambda m: setattr(axis(m), "i", -(2**63)), "axis is -9223372036854775808"),
    "greatest integer": (lambda m: setattr(axis(m), "i", 2**63 - 1), "axis is 9223372036854775807"),
    "10^5 integers": (lambda m: m.graph.node[1].attribute[0].ints.extend([0] * 10**5), "perm"),
    "negative perm": (lambda m: m.graph.node[1].attribute[0].ints.__setitem__(0, -7), "perm"),
    "perm out of range": (lambda m: m.graph.node[1].attribute[0].ints.__setitem__(0, 2**62), "perm"),
}

TENSOR: dict[str, tuple[Change, str]] = {
    "dims negative": (lambda m: weights(m).dims.__setitem__(1, -3), "'w' has size -3 on axis 1"),
    "dims least": (lambda m: weights(m).dims.__setitem__(0, -(2**63)), "has size -9223372036854775808 on axis 0"),
    "dims huge": (lambda m: weights(m).dims.__setitem__(0, 2**62), "initializer 'w' has sizes"),
    "dims overflow": (lambda m: weights(m).dims.extend([2**40] * 3), "initializer 'w' has sizes"),
    "dims overflow behind 0": (lambda m: weights(m).dims.extend([2**40, 2**40, 0]), "initializer 'w' has sizes"),
    "dims too large": (lambda m: weights(m).dims.__setitem__(0, 5), "has 32 bytes of raw data"),
    "dims too small": (lambda m: weights(m).dims.__setitem__(0, 3), "has 32 bytes of raw data"),
    "65 axes": (lambda m: weights(m).dims.extend([1] * 63), "'w' has 65 axes"),
    "10^5 axes": (lambda m: weights(m).dims.extend([1] * 10**5), "'w' has 100002 axes"),
    "no type": (lambda m: weights(m).ClearField("data_type"), "element type number 0"),
    "type -1": (lambda m: setattr(weights(m), "data_type", -1), "element type number -1"),
    "type 999": (lambda m: setattr(weights(m), "data_type", 999), "element type number 999"),
    "strings in raw data": (lambda m: setattr(weights(m), "data_type", TensorProto.STRING), "is of strings"),
    "raw data truncated": (lambda m: setattr(weights(m), "raw_data", b"123"), "has 3 bytes of raw data"),
    "two fields": (lambda m: weights(m).float_data.append(1), "has float_data and raw_data"),
    "another field": (lambda m: indices(m).float_data.append(1), "has float_data and int64_data"),
    "no data": (lambda m: indices(m).ClearField("int64_data"), "has 0 entries in int64_data"),
    "data too long": (lambda m: indices(m).int64_data.extend([0] * 10**5), "has 100003 entries"),
    "a segment": (lambda m: weights(m).segment.SetInParent(), "is one segment of a larger tensor"),
    "bool of 2": (
        lambda m: indices(m).CopyFrom(TensorProto(name="i", data_type=9, dims=[1], raw_data=b"2")), "allowed 0..1"),
    "int8 of 300": (
        lambda m: indices(m).CopyFrom(TensorProto(name="i", data_type=3, dims=[1], int32_data=[300])), "-128..127"),
    "string that is not UTF-8": (
        lambda m: indices(m).CopyFrom(TensorProto(name="i", data_type=8, dims=[1], string_data=[b"\xff"])),
        "a string that is not UTF-8"),
}  # fmt: skip

SPARSE: dict[str, tuple[Change, str]] = {
    "no values": (lambda m: m.graph.sparse_initializer.add(dims=[3]), "has no name"),
    "an index out of range": (lambda m: sparse(m, [4], [4]), "have 4 at [0], outside sizes [4]"),
    "an index below 0": (lambda m: sparse(m, [4], [-1]), "have -1 at [0]"),
    "indices of another number": (lambda m: sparse(m, [4], [1, 2]), "allowed int64[n]"),
    "indices of another type": (lambda m: sparse(m, [4], [1], kind=TensorProto.INT32), "allowed int64[n]"),
    "indices repeated": (lambda m: sparse(m, [4], [1, 1], 2), "one is repeated"),
    "indices descending": (lambda m: sparse(m, [4], [2, 1], 2), "are not ascending"),
    "negative dims": (lambda m: sparse(m, [-4], [1]), "has size -4 on axis 0"),
    "huge dims": (lambda m: sparse(m, [2**40], [1]), "dense more than 2147483647 bytes"),
    "dims beyond 64 bits": (lambda m: sparse(m, [2**62, 2**62], [1]), "sizes"),
    "1000 of 1 GiB": (lambda m: [sparse(m, [HUGE], [1]) for _ in range(1000)], "sparse tensors, made dense, take"),
}

EXTERNAL: dict[str, tuple[Change, str]] = {
    "no location": (external, "without a location"),
    "an unknown key": (lambda m: external(m, place="w.bin"), "the external data key 'place'"),
    "a key twice": (lambda m: (external(m, location="w.bin"), again(weights(m).external_data)), "'location' twice"),
    "no file": (lambda m: external(m, location="none.bin"), "which cannot be read"),
    "a folder": (lambda m: external(m, location="."), "which is no regular file"),
    "an absolute path": (lambda m: external(m, location="/etc/passwd"), "allowed a path relative"),
    "another drive": (lambda m: external(m, location="C:\\w.bin"), "allowed a path relative"),
    "outside": (lambda m: external(m, location="a/../../w.bin"), "allowed a path without '..'"),
    "NUL": (lambda m: external(m, location="w.bin\0"), "allowed a path relative"),
    "a long name": (lambda m: external(m, location="w" * 10**5), "has its data at"),
    "a link to itself": (lambda m: external(m, location="loop"), "has its data at 'loop'"),
    "links to each other": (lambda m: external(m, location="ping/w"), "has its data at 'ping/w'"),
    "a link to outside": (lambda m: external(m, location="out"), "links to outside"),
    "a pipe": (lambda m: external(m, location="pipe"), "which is no regular file"),
    "offset negative": (lambda m: external(m, location="w.bin", offset="-1"), "offset '-1'"),
    "offset huge": (lambda m: external(m, location="w.bin", offset="9" * 19), "offset"),
    "offset of 10^5 digits": (lambda m: external(m, location="w.bin", offset="9" * 10**5), "offset"),
    "offset past the end": (lambda m: external(m, location="w.bin", offset="32"), "needs bytes 32..64"),
    "length that is wrong": (lambda m: external(m, location="w.bin", length="31"), "external data of 31 bytes"),
    "length that is no number": (lambda m: external(m, location="w.bin", length="x"), "length 'x'"),
    "checksum that is wrong": (lambda m: external(m, location="w.bin", checksum="00"), "SHA1 checksum"),
    "external and raw": (
        lambda m: (external(m, location="w.bin"), setattr(weights(m), "raw_data", bytes(32))), "allowed one of them"),
    "not said to be external": (
        lambda m: (external(m, location="w.bin"), weights(m).ClearField("data_location")), "is not EXTERNAL"),
    "a hole of 1 TiB": (
        lambda m: (external(m, location="hole"), weights(m).dims.__setitem__(0, 2**37)), "beyond what the files"),
}  # fmt: skip

SPOILT = {
    f"{part}: {name}": case
    for part, table in (
        ("model", MODEL), ("graph", GRAPH), ("node", NODE), ("attribute", ATTRIBUTE), ("tensor", TENSOR),
        ("sparse", SPARSE), ("external", EXTERNAL),
    )
    for name, case in table.items()
}  # fmt: skip


def written(proto: ModelProto, folder: Path) -> Path:
    """Write a model, and beside it what its external data may name."""
    path = folder / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    (folder / "w.bin").write_bytes(bytes(32))
    with (folder / "hole").open("wb") as file:
        file.truncate(2**40)
    for name, target in (("loop", "loop"), ("ping", "pong"), ("pong", "ping"), ("out", "/etc/hosts")):
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe")
    return path


def load_and_plan(path: Path) -> None:
    """Do what `wherry run` and `wherry info` do before any data moves."""
    loaded = wh.load(path)
    str(Listing.of(loaded.graph))
    str(loaded.plan)


def test_the_model_that_is_spoilt_is_good(tmp_path: Path) -> None:
    load_and_plan(written(good(), tmp_path))
    external(proto := good(), location="w.bin")
    (tmp_path / "external").mkdir()
    load_and_plan(written(proto, tmp_path / "external"))


@pytest.mark.parametrize("name", SPOILT)
def test_refused(name: str, tmp_path: Path) -> None:
    change, words = SPOILT[name]
    change(proto := good())
    path = written(proto, tmp_path)
    said = attack.refused(lambda: load_and_plan(path))
    assert words in said
    assert len(said) < 5000
