"""What DirectML says by other operators: which ones, the same bits, and back to ONNX beside ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.conversion.running import assert_same_results, on_onnxruntime, on_wherry
from tests.conversion.sites import Use, data, use
from wherry.dialects.directml.dxdispatch.model import DispatchModel
from wherry.errors import ConversionError
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import (
    Col2Im,
    Compress,
    Concat,
    ExtractImagePatches,
    Gather,
    GatherElements,
    GatherND,
    GatherTree,
    Im2Col,
    NonZero,
    Pad,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterElements,
    ScatterUpdate,
    ShapeOf,
    Slice,
    SliceScatter,
    Split,
    Trilu,
    Unique,
    Where,
)
from wherry.tensors import TensorType

MASK = np.array([True, False, True, True])
I64 = np.int64


def window(kind: str) -> ScatterUpdate:
    return ScatterUpdate(axis=1, batch_dims=1, window=kind, negative="invalid")


def patches(auto_pad: str) -> ExtractImagePatches:
    return ExtractImagePatches((2, 2), (1, 2), (2, 1), auto_pad)


ONES = [np.ones((2, 1, 1), np.int32)] * 2

# name -> use, feature level, operators written
SAID: dict[str, tuple[Use, str, list[str]]] = {
    "Where": (use(Where(), MASK, data(3, 4), -data(1, 4)), "6.4", ["ELEMENT_WISE_IF"]),
    "Where of bool": (use(Where(), MASK, data(3, 4, dtype=bool), data(4, dtype=bool)), "6.4", ["ELEMENT_WISE_IF"]),
    "Where of halves": (use(Where(), MASK, data(4, dtype=np.float16), data(1, dtype=np.float16)), "2.0",
                        ["ELEMENT_WISE_IF"]),
    "Where of constants": (use(Where(), MASK, data(4), -data(4), constants=[0]), "6.4", ["ELEMENT_WISE_IF"]),
    "a slice of one axis": (use(SliceScatter((1,), (3,), (1,)), data(3, 5), -data(3, 2)), "6.4",
                            ["SLICE", "SLICE", "JOIN"]),
    "a slice at the end": (use(SliceScatter((1,), (9,)), data(3, 2), -data(2, 2)), "6.4", ["SLICE", "JOIN"]),
    "a slice of two axes": (use(SliceScatter((1, 1), (3, 4)), data(3, 5), -data(2, 3)), "6.4",
                            ["SLICE", "SLICE", "SLICE", "JOIN", "SLICE", "JOIN"]),
    "a slice of all": (use(SliceScatter((0,), (9,)), data(3), -data(3)), "6.4", ["ELEMENT_WISE_IDENTITY"]),
    "a slice with gaps": (use(SliceScatter((0,), (9,), (1,), (2,)), data(3, 5), -data(3, 3)), "6.4", ["SCATTER"]),
    "a slice backwards": (use(SliceScatter((-1, -1), (-9, -9), None, (-1, -3)), data(3, 5), -data(3, 2)), "6.4",
                          ["SLICE1", "SCATTER", "SCATTER"]),
    "a slice of three axes": (use(SliceScatter((1, 1, 0), (3, 9, 4), None, (1, 2, 3)), data(3, 5, 4), -data(2, 2, 2)),
                              "6.4", ["SLICE", "SLICE", "SCATTER", "SCATTER", "SLICE", "JOIN"]),
    "a window": (use(window("linear"), data(2, 5, 3), I64([1, 3]), -data(2, 2, 3), constants=[1]), "6.4", ["SCATTER"]),
    "a window around": (use(window("circular"), data(2, 5, 3), I64([7, 4]), -data(2, 2, 3), constants=[1]), "6.4",
                        ["SCATTER"]),
    "a window at 0": (use(window("linear"), data(2, 5, 3), -data(2, 2, 3)), "6.4", ["SLICE", "JOIN"]),
    "zero outside": (use(Gather(0, 0, "zero", "invalid"), data(3, 2), I64([-1, 2, 3, 2**40, -(2**40)])), "6.4",
                     ["CAST", "PADDING1", "GATHER"]),
    "zero outside lines": (use(GatherElements(1, "zero", "invalid"), data(2, 3), np.int32([[-1], [3]])), "3.0",
                           ["CAST", "PADDING", "GATHER_ELEMENTS"]),
    "zero outside tuples": (use(GatherND(0, "zero"), data(2, 3), np.uint32([[1, 3], [2, 0], [1, 2]])), "6.4",
                            ["PADDING1", "GATHER_ND"]),
    "every index of few bits": (use(GatherElements(0, "wrap"), data(3), np.int8([-128, 127, 4])), "6.4",
                                ["CAST", "GATHER", "GATHER_ELEMENTS"]),
    "Compress": (use(Compress(MASK, 1), data(3, 4)), "6.4", ["GATHER"]),
    "Compress of all": (use(Compress(MASK, None), data(3, 4)), "6.4", ["ELEMENT_WISE_IDENTITY", "GATHER"]),
    "patches inside": (use(patches("valid"), data(1, 2, 5, 4)), "6.4", ["ELEMENT_WISE_IDENTITY"]),
    "patches over": (use(patches("same_upper"), data(1, 2, 5, 4)), "6.4", ["PADDING1", "ELEMENT_WISE_IDENTITY"]),
    "columns": (use(Im2Col((2, 2), (1, 2)), data(1, 2, 5, 4)), "6.4", ["UNFOLD"]),
    "columns before": (use(Im2Col((2, 2), (1, 2)), data(1, 2, 5, 4)), "6.3", ["ELEMENT_WISE_IDENTITY"]),
    "Col2Im": (use(Col2Im((3, 4), (2, 2), (1, 2)), data(2, 8, 4)), "6.4", ["FOLD"]),
    "wrapping": (use(Pad((1, 5), (2, 9), "wrap", beyond="fold"), data(3, 4)), "6.4", ["PADDING1"]),
    "wrapping before": (use(Pad((0, 5), (0, 9), "wrap", beyond="fold"), data(3, 4)), "6.3", ["SLICE", "SLICE", "JOIN"]),
    "wrapping of all": (use(Pad((4,), (8,), "wrap", beyond="fold"), data(4)), "2.1", ["JOIN"]),
    "symmetric before": (use(Pad((1,), (2,), "symmetric"), data(3)), "2.1", ["GATHER"]),
    "Roll": (use(Roll((1,), (1,)), data(3, 4)), "1.0", ["SPLIT", "JOIN"]),
    "Roll of blocks": (use(Roll((1,), (0,)), data(3, 4)), "1.0", ["JOIN"]),
    "Reverse": (use(Reverse((1,)), data(3, 4)), "2.1", ["SLICE1"]),
    "Reverse before": (use(Reverse((1,)), data(3, 4)), "1.0", ["GATHER"]),
    "a triangle before": (use(Trilu.triangle(True, 0), data(3, 4)), "5.0", ["ELEMENT_WISE_IF"]),
    "constant positions": (use(Deferred(NonZero, (), (("data", 0),)), I64([3, 0, 3]), constants=[0]), "6.4",
                           ["ELEMENT_WISE_IDENTITY"]),
    "constant values once": (use(Deferred(Unique, (), (("data", 0),), 4), I64([3, 1, 3]), constants=[0]), "6.4",
                             ["ELEMENT_WISE_IDENTITY"] * 4),
    "sizes": (use(ShapeOf(), data(2, 3)), "6.4", ["ELEMENT_WISE_IDENTITY"]),
}  # fmt: skip


def written(made: Any) -> list[str]:
    assert isinstance(made, DispatchModel)
    return [one.desc.name for one in made.dispatchables.values()]


@pytest.mark.parametrize("name", SAID)
def test_said_by_other_operators(name: str) -> None:
    one, level, operators = SAID[name]
    expected = one.model().run(one.given)
    made = wh.convert(one.model(), "directml", feature_level=level)
    assert written(made) == operators
    assert_same_results(on_wherry(made, one.given), expected)
    if name in ONE_WAY:
        return
    back = wh.convert(made, "onnx", opset=21, inputs=list(one.given))
    given = {name: array.view(np.uint8) if array.dtype == bool else array for name, array in one.given.items()}
    given = {name: given[name].reshape(kind.shape) for name, kind in back.inputs.items()}
    assert_same_results(back.run(given), expected)
    assert_same_results(on_onnxruntime(back, given), expected)


ONE_WAY = {"zero outside", "zero outside lines", "zero outside tuples", "every index of few bits"}
"""Uses whose spelling clamps indices that the run tells, which ONNX cannot say."""

REFUSED = {
    "a reduction at constant places": (
        use(ScatterElements(axis=0, reduction="add"), data(4), I64([0, 2]), data(2), constants=[1]),
        "reduction is 'add', allowed 'none': SCATTER replaces elements",
    ),
    "a window that the run tells": (
        use(window("circular"), data(2, 5, 3), I64([1, 4]), data(2, 2, 3)),
        "window is 'circular', allowed 'none': SCATTER addresses single elements",
    ),
    "a tree": (
        use(GatherTree(), *ONES, np.ones(1, np.int32), np.array(1, np.int32)),
        "operator is GatherTree, which DirectML lacks: a walk compares each step with end_token",
    ),
    "distinct values": (
        use(Deferred(Unique, (), (("data", 0),), 4), I64([3, 1, 3])),
        "operator is Unique, which DirectML lacks: its values decide the sizes of its results",
    ),
    "positions": (
        use(Deferred(NonZero, (), (("data", 0),)), I64([3, 0, 3])),
        "operator is NonZero, which DirectML lacks: its values decide the sizes of its results, which a description",
    ),
    "sums of halves": (
        use(Col2Im((3, 4), (2, 2)), data(1, 8, 6, dtype=np.float16)), "DataType is FLOAT16, allowed FLOAT32 at feature",
    ),
    "a choice of floats before 3.0": (
        use(Where(), MASK[None], data(3, 4), data(1, 4)), "ATensor.DataType is FLOAT32, allowed FLOAT16 at feature lev",
    ),
    "an input without elements": (
        use(Concat(1), data(3, 4), data(3, 0)), "'x1' as DirectML: a tensor has sizes [3, 0], allowed sizes from 1 on",
    ),
    "a result without elements": (
        use(Split(0, sizes=(0, 3)), data(3)), "a tensor has sizes [0], allowed sizes from 1 on: DirectML has no empty",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_operators_say_is_refused_with_its_rule(name: str) -> None:
    one, message = REFUSED[name]
    level = "2.1" if "before 3.0" in name else "6.4"
    with pytest.raises(ConversionError) as error:
        wh.convert(one.model(), "directml", feature_level=level, allow_loss=True)
    assert message in str(error.value)
    assert f"DirectML at feature level {level} cannot say 1 thing of this model" in str(error.value)


def test_parts_without_elements_are_left_out() -> None:
    """An empty part of a Split that only a Concat reads, and an empty Slice of it: nothing of them is written."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (4, 3)))
    builder.add(Split(0, sizes=(1, 0, 3)), ["x"], ["a", "b", "c"], "test Split")
    builder.add(Slice((2,), (2,), (0,), (1,)), ["c"], ["d"], "test Slice")
    builder.add(Pad((0, 0), (0, 1), value=np.float32(7)), ["b"], ["e"], "test Pad")
    builder.add(Concat(0), ["c", "b", "d", "a"], ["y"], "test Concat")
    builder.add(Concat(0), ["e", "e"], ["f"], "test Concat")
    model = GraphModel(builder.build(["y"]), "onnx")
    made = wh.convert(model, "directml")
    assert written(made) == ["SLICE", "SLICE", "JOIN"]
    given = {"x": data(4, 3)}
    assert_same_results(on_wherry(made, given), model.run(given))
    assert made.findings == ()


def test_zeros_around_nothing() -> None:
    """A Pad of a tensor without elements has some: they are joined without it."""
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (4, 3)))
    builder.add(Slice((2,), (2,), (0,), (1,)), ["x"], ["none"], "test Slice")
    builder.add(Pad((1, 0), (1, 0), value=np.float32(7)), ["none"], ["y"], "test Pad")
    model = GraphModel(builder.build(["y"]), "onnx")
    given = {"x": data(4, 3)}
    assert_same_results(on_wherry(wh.convert(model, "directml"), given), model.run(given))


@pytest.mark.parametrize(("level", "type_name"), [("5.0", "UINT64"), ("4.1", "UINT32")])
def test_lengths_that_the_run_tells_are_a_loss(level: str, type_name: str) -> None:
    one = use(Deferred(ReverseSequence, (("time_axis", 0),), (("lengths", 1),)), data(4, 2), I64([3, 1]))
    with pytest.raises(ConversionError, match=r"loss: .*a length that is negative or longer than the axis rev"):
        wh.convert(one.model(), "directml", feature_level=level)
    made = wh.convert(one.model(), "directml", feature_level=level, allow_loss=True)
    assert written(made) == ["CAST", "REVERSE_SUBSEQUENCES"]
    assert next(iter(made.dispatchables.values())).desc.output_tensor.data_type.name == type_name
    assert_same_results(on_wherry(made, one.given), one.model().run(one.given))
    whole = on_wherry(made, {**one.given, "x1": I64([9, -1])})
    assert np.array_equal(whole["y0"].reshape(4, 2), data(4, 2)[::-1])


def test_lengths_of_few_bits_are_cast() -> None:
    one = use(Deferred(ReverseSequence, (("too_long", "clamp"),), (("lengths", 1),)), data(4, 2), np.uint8([3, 9]))
    made = wh.convert(one.model(), "directml")
    assert written(made) == ["CAST", "REVERSE_SUBSEQUENCES"]
    assert_same_results(on_wherry(made, one.given), one.model().run(one.given))


def test_numbers_as_conditions_go_to_other_dialects() -> None:
    """Every value but 0 of ELEMENT_WISE_IF is true; at levels that lack a type a table makes 0 and 1 of them."""
    numbers = np.uint8([0, 2, 255, 1])
    one = use(Where(), numbers, data(4, dtype=np.int64), -data(4, dtype=np.int64))
    expected = one.model().run(one.given)
    assert_same_results(on_onnxruntime(wh.convert(one.model(), "onnx"), one.given), expected)
    assert_same_results(wh.convert(one.model(), "openvino").run(one.given), expected)
    made = wh.convert(one.model(), "directml", feature_level="4.1")
    assert "GATHER_ELEMENTS" in written(made)
    assert_same_results(on_wherry(made, one.given), expected)
