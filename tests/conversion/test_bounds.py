"""Bounds of index arithmetic: what they prove holds for every input, and conversions use it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

import wherry as wh
from tests.conversion.running import on_openvino
from tests.conversion.sites import use
from tests.differential.openvino_runtime import OpenVINORuntime
from tests.support.compare import assert_same_bits
from wherry.errors import ConversionError, InvalidValueError
from wherry.graph import Deferred
from wherry.models.model import GraphModel
from wherry.ops import Range
from wherry.rewrite.tensors import Tensors

node = helper.make_node


def model(
    nodes: list[onnx.NodeProto], inputs: dict[str, tuple[int, list[object]]], outputs: list[str],
    **constants: np.ndarray,
) -> GraphModel:  # fmt: skip
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info(name, kind, sizes) for name, (kind, sizes) in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()],
    )  # fmt: skip
    return wh.onnx.read_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8))


def vector(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


FIRST_SIZE = [node("Shape", ["x"], ["n"]), node("Slice", ["n", "zero", "one"], ["batch"])]
X = {"x": (TensorProto.FLOAT, ["N", 2, 6])}


def reshaped(*rest: int, cast: int = TensorProto.INT64) -> GraphModel:
    """Reshape to the first size, which may pass through another type, and others that are known."""
    nodes = [
        *FIRST_SIZE,
        node("Cast", ["batch"], ["small"], to=cast),
        node("Cast", ["small"], ["again"], to=TensorProto.INT64),
        node("Concat", ["again", "rest"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["y"]),
    ]
    return model(nodes, X, ["y"], zero=vector(0), one=vector(1), rest=np.array(rest, np.int64))


@pytest.mark.parametrize("cast", [TensorProto.INT64, TensorProto.INT32, TensorProto.INT8])
def test_one_unknown_size_is_not_both_minus_one_and_zero(cast: int, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    loaded = reshaped(3, 4, cast=cast)
    converted = wh.convert(loaded, "openvino")
    for count in (1, 3):
        x = np.arange(count * 12, dtype=np.float32).reshape(count, 2, 6)
        assert_same_bits(converted.run([x])["y"], loaded.run([x])["y"])
        assert_same_bits(on_openvino(converted, {"x": x}, openvino, tmp_path)["y"], x.reshape(count, 3, 4))


def test_a_rest_beside_a_size_that_may_be_zero_is_noted(openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """Only where the size is 0 ONNX refuses, as for a shape that is a constant; all other sizes give the same."""
    loaded = reshaped(-1, 4)
    converted = wh.convert(loaded, "openvino")
    (finding,) = converted.findings
    assert finding.effect == "note"
    assert "a -1 beside a size of 0 is refused; what is written gives a result then" in finding.message
    for count in (1, 3):
        x = np.arange(count * 12, dtype=np.float32).reshape(count, 2, 6)
        assert_same_bits(converted.run([x])["y"], loaded.run([x])["y"])
        assert_same_bits(on_openvino(converted, {"x": x}, openvino, tmp_path)["y"], x.reshape(count, 3, 4))
    with pytest.raises(InvalidValueError, match="any number would do"):
        loaded.run([np.zeros((0, 2, 6), np.float32)])
    assert converted.run([np.zeros((0, 2, 6), np.float32)])["y"].shape == (0, 1, 4)


def test_what_only_the_source_refuses_is_noted() -> None:
    """Reshape to a copied size and a rest, Squeeze of an axis whose size is not known."""
    copied = model([node("Reshape", ["x", "s"], ["y"])], X, ["y"], s=vector(0, -1))
    squeezed = model([node("Squeeze", ["x", "a"], ["y"])], X, ["y"], a=vector(0))
    for loaded, words in ((copied, "a -1 beside a size of 0 is refused"), (squeezed, "whose size is not 1 is refused")):
        (finding,) = wh.convert(loaded, "openvino").findings
        assert finding.effect == "note"
        assert words in finding.message
        assert "what is written gives a result then" in finding.message
        assert wh.convert(loaded, "onnx").findings == ()
        sized = {"x": (1, 2, 6)}
        assert wh.convert(loaded, "openvino", sizes=sized).findings == ()


def test_indices_that_cannot_leave_their_axis() -> None:
    """Slice(Shape)[0] of a tensor whose sizes are known is a number that fits; of one that is not it may be any."""
    nodes = [*FIRST_SIZE, node("Gather", ["table", "batch"], ["y"])]
    constants = {"zero": vector(0), "one": vector(1), "table": np.arange(5, dtype=np.float32)}
    chosen = [node("Where", ["c", "low", "high"], ["i"]), node("Gather", ["table", "i"], ["y"])]
    inputs = {"c": (TensorProto.BOOL, [3])}
    wh.convert(model(chosen, inputs, ["y"], low=vector(0, 1, -5), high=vector(4, 4, 4), **constants), "openvino")
    with pytest.raises(ConversionError, match="out_of_range is raise"):
        wh.convert(model(chosen, inputs, ["y"], low=vector(0, 1, -6), high=vector(4, 4, 4), **constants), "openvino")
    with pytest.raises(ConversionError, match="out_of_range is raise"):
        wh.convert(model(nodes, X, ["y"], **constants), "openvino")


def test_repeats_that_are_sizes_are_not_negative(openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """ONNX refuses negative repeats, OpenVINO takes them as 0; sizes are neither, other tensors may be."""
    nodes = [node("Shape", ["x"], ["n"]), node("Tile", ["tile", "n"], ["y"])]
    tile = np.arange(6, dtype=np.float32).reshape(1, 2, 3)
    loaded = model(nodes, X, ["y"], tile=tile)
    converted = wh.convert(loaded, "openvino")
    assert not converted.findings
    for count in (1, 3):
        x = np.zeros((count, 2, 6), np.float32)
        assert_same_bits(on_openvino(converted, {"x": x}, openvino, tmp_path)["y"], np.tile(tile, (count, 2, 6)))
    given = {"n": (TensorProto.INT64, [3])}
    with pytest.raises(ConversionError, match="negative repeats are refused"):
        wh.convert(model(nodes[1:], given, ["y"], tile=tile), "openvino")


@st.composite
def shapes_of_shapes(draw: st.DrawFn) -> tuple[list[onnx.NodeProto], list[str]]:
    """Chains of movement on the sizes of x, and the names of what they make."""
    nodes, names = [node("Shape", ["x"], ["t0"])], ["t0"]
    for number in range(1, draw(st.integers(2, 7))):
        source, other, made = draw(st.sampled_from(names)), draw(st.sampled_from(names)), f"t{number}"
        nodes.append(
            draw(st.sampled_from([
                node("Concat", [source, other], [made], axis=0),
                node("Slice", [source, "zero", "one"], [made]),
                node("Gather", [source, "zero"], [made]),
                node("Concat", ["some", source], [made], axis=0),
                node("Identity", [source], [made]),
            ]))
        )  # fmt: skip
        names.append(made)
    return nodes, names


@given(shapes_of_shapes(), st.integers(0, 9))
def test_every_value_lies_within_its_bounds(drawn: tuple[list[onnx.NodeProto], list[str]], count: int) -> None:
    nodes, names = drawn
    loaded = model(nodes, X, names, zero=vector(0), one=vector(1), some=vector(-3, 7))
    tensors = Tensors(loaded.graph)
    results = loaded.run([np.zeros((count, 2, 6), np.float32)])
    for name in names:
        bounds = tensors.bounds(name)
        assert bounds is not None
        assert ((bounds.low <= results[name]) & (results[name] <= bounds.high)).all()
        assert bounds.low.shape == results[name].shape
    first = tensors.bounds("t0")
    assert first is not None
    assert first.low.tolist() == [0, 2, 6]
    assert first.high.tolist()[1:] == [2, 6]


def test_types_alone_bound_what_is_given() -> None:
    tensors = Tensors(model([node("Identity", ["i"], ["y"])], {"i": (TensorProto.INT8, [2])}, ["y"]).graph)
    bounds = tensors.bounds("y")
    assert bounds is not None
    assert (bounds.low.tolist(), bounds.high.tolist()) == ([-128, -128], [127, 127])
    assert Tensors(model([node("Identity", ["i"], ["y"])], X | {"i": (TensorProto.FLOAT, [2])}, ["y"]).graph).bounds(
        "y"
    ) is None  # fmt: skip


def test_what_no_dialect_says_is_counted_in_one_finding() -> None:
    nodes = [node("Relu", ["x"], ["r0"]), *(node("Sigmoid", [f"r{n}"], [f"r{n + 1}"]) for n in range(300))]
    nodes += [node(f"Own{n}", ["x"], [f"o{n}"], domain="own") for n in range(40)]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [onnx.ValueInfoProto(name="r300")],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)]
    loaded = wh.onnx.read_proto(helper.make_model(graph, opset_imports=opsets, ir_version=8))
    with pytest.raises(ConversionError) as caught:
        wh.convert(loaded, "openvino")
    (finding,) = caught.value.findings
    assert finding.subject == "341 nodes"
    assert finding.message.startswith("300 Sigmoid of opset 13, 1 Relu of opset 13, 1 own.Own0 of opset 1")
    assert "and 30 others: operators that wherry does not have" in finding.message
    assert len(str(caught.value)) < 1000


def test_lists_of_any_length_are_slices_and_pads() -> None:
    any_length = (TensorProto.INT64, [None])
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    inputs = {"x": (TensorProto.FLOAT, ["N", 4]), "s": any_length, "e": any_length, "a": any_length}
    sliced = model([node("Slice", list(inputs), ["y"])], inputs, ["y"])
    converted = wh.convert(sliced, "openvino")
    for lists in ((vector(1), vector(3), vector(1)), (vector(0, 1), vector(1, 9), vector(0, 1))):
        assert_same_bits(converted.run([x, *lists])["y"], sliced.run([x, *lists])["y"])
    padded = model([node("Pad", ["x", "p"], ["y"])], {"x": (TensorProto.FLOAT, ["N", 4]), "p": any_length}, ["y"])
    converted = wh.convert(padded, "openvino", allow_loss=True)
    assert_same_bits(converted.run([x, vector(1, 0, 0, 2)])["y"], padded.run([x, vector(1, 0, 0, 2)])["y"])


def test_a_range_of_narrow_floats_is_refused_for_how_it_adds_up() -> None:
    """float32 and float64 go by the numbers of their steps, which float16 does not hold."""
    places = tuple((name, number) for number, name in enumerate(("start", "limit", "delta")))
    for dtype, taken in (("float16", False), ("float32", True), ("float64", True)):
        made = use(Deferred(Range, (), places, makes=Range), *(np.array(n, dtype) for n in (0, 5, 1))).model()
        if taken:
            assert wh.convert(made, "openvino").run(dict(zip(made.inputs, np.array([0, 5, 1], dtype), strict=True)))
            continue
        with pytest.raises(ConversionError, match="Range-4 has steps accumulate: each element is the one before"):
            wh.convert(made, "openvino")
