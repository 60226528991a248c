"""Operators whose fields are known only at run: from ONNX to OpenVINO and back, with the same results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

import wherry as wh
from tests.conversion.running import assert_same_results, on_onnxruntime, on_openvino
from tests.conversion.sites import Use, use
from tests.differential.openvino_runtime import OpenVINORuntime
from wherry import dtypes
from wherry.dialects.onnx.tensor_data import type_number
from wherry.errors import ConversionError
from wherry.graph import Deferred
from wherry.models.model import GraphModel
from wherry.ops import Pad, ReverseSequence, pad_of_pairs

DATA = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


_KINDS = {"f": onnx.TensorProto.FLOAT, "d": onnx.TensorProto.DOUBLE, "i": onnx.TensorProto.INT64}


def vector(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def model_of(
    operator: str, arrays: list[np.ndarray], kinds: str = "f", opset: int = 21, **attributes: Any
) -> GraphModel:
    names = [f"x{number}" for number in range(len(arrays))]
    results = {f"y{number}": _KINDS[kind] for number, kind in enumerate(kinds)}
    inputs = [
        helper.make_tensor_value_info(name, type_number(dtypes.of(array.dtype)), list(array.shape))
        for name, array in zip(names, arrays, strict=True)
    ]
    graph = helper.make_graph(
        [helper.make_node(operator, names, list(results), **attributes)], "one", inputs,
        [helper.make_tensor_value_info(name, kind, None) for name, kind in results.items()],
    )  # fmt: skip
    return wh.onnx.read_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10))


CASES: dict[str, tuple[str, list[np.ndarray], dict[str, Any]]] = {
    "Slice": ("Slice", [DATA, vector(0), vector(2), vector(1)], {}),
    "Slice with steps": ("Slice", [DATA, vector(-1), vector(-9), vector(1), vector(-1)], {}),
    "Reshape": ("Reshape", [DATA, vector(3, -1)], {}),
    "Expand": ("Expand", [DATA, vector(4, 1, 3)], {}),
    "ConstantOfShape": ("ConstantOfShape", [vector(2, 3)], {}),
    "NonZero": ("NonZero", [DATA], {"kinds": "i"}),
    "Unique": ("Unique", [DATA], {"kinds": "fiii"}),
    "OneHot": ("OneHot", [vector(1, 2), np.array(4, np.int64), np.array([0, 5], np.float32)], {}),
    "Range": ("Range", [np.array(n, np.int64) for n in (1, 9, 2)], {"kinds": "i"}),
    "Unsqueeze at one axis": ("Unsqueeze", [DATA, vector(0)], {}),
}

LOSSY: dict[str, tuple[str, list[np.ndarray], dict[str, Any]]] = {
    "Tile": ("Tile", [DATA, vector(2, 1)], {}),
    "Pad": ("Pad", [DATA, vector(1, 0, 0, 2)], {}),
    "Pad with a value": ("Pad", [DATA, vector(1, 0, 0, 2), np.array(9, np.float32)], {}),
    "Pad of edges": ("Pad", [DATA, vector(1, 0, 0, 2)], {"mode": "edge"}),
    "Split": ("Split", [DATA, vector(1, 2)], {"kinds": "ff", "axis": 1}),
    "Squeeze": ("Squeeze", [DATA.reshape(1, 6), vector(0)], {}),
    "Unsqueeze": ("Unsqueeze", [DATA, vector(0, 1)], {}),
}

UNRANKED = {"Squeeze", "Unsqueeze", "Unsqueeze at one axis"}
"""OpenVINO's CPU plugin takes no result whose number of axes is known only at run."""


@pytest.mark.parametrize("name", [*CASES, *LOSSY])
def test_there_and_back(name: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    operator, arrays, options = CASES.get(name) or LOSSY[name]
    model = model_of(operator, arrays, **options)
    given = {f"x{number}": array for number, array in enumerate(arrays)}
    expected = model.run(given)
    there = wh.convert(model, "openvino", allow_loss=name in LOSSY)
    assert_same_results(there.run(given), expected)
    if name not in UNRANKED:
        assert_same_results(on_openvino(there, given, openvino, tmp_path), expected)
    back = wh.convert(there, "onnx", allow_loss=name in LOSSY)
    assert_same_results(back.run(given), expected)
    assert_same_results(on_onnxruntime(back, given), expected)


@pytest.mark.parametrize("name", LOSSY)
def test_what_differs_is_told(name: str) -> None:
    operator, arrays, options = LOSSY[name]
    with pytest.raises(ConversionError, match="loss: "):
        wh.convert(model_of(operator, arrays, **options), "openvino")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_at_equal_distances(dtype: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """ONNX multiplies, OpenVINO adds up: by numbers of steps both give the same bits, however long the sequence is.

    The plugin holds float64 as float32, counts steps in float32, and without their sign (docs/differences.md).
    """
    model = model_of("Range", [np.array(0, dtype)] * 3, "f" if dtype == "float32" else "d", opset=11)
    made = wh.convert(model, "openvino")
    plain = [(0, 7, 1), (0.5, 1000, 0.3), (3, -2, -0.7), (1, 1, 1), (-0.0, 30, 0.7)]
    for start, limit, delta in (*plain, (0, -1, 1), (0, 1e-3, 1e-5)):
        given = {f"x{number}": np.array(n, dtype) for number, n in enumerate((start, limit, delta))}
        expected = model.run(given)
        assert_same_results(made.run(given), expected)
        if dtype == "float32" and (start, limit, delta) in plain:
            assert_same_results(on_openvino(made, given, openvino, tmp_path), expected)


@pytest.mark.parametrize("mode", ["constant", "edge"])
def test_pads_of_some_axes(mode: str, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    waiting = Deferred(pad_of_pairs, (("mode", mode), ("axes", (-1,))), (("pads", 1),), makes=Pad)
    case = use(waiting, DATA, vector(2, 1))
    made = wh.convert(case.model(), "openvino", allow_loss=True)
    expected = np.pad(DATA, ((0, 0), (2, 1)), mode)
    assert_same_results(made.run(case.given), {"y0": expected})
    assert_same_results(on_openvino(made, case.given, openvino, tmp_path), {"y0": expected})


def test_a_description_of_directml_is_fixed() -> None:
    operator, arrays, options = LOSSY["Tile"]
    with pytest.raises(ConversionError) as error:
        wh.convert(model_of(operator, arrays, **options), "directml")
    assert "a description is fixed before the first run; make its inputs constants" in str(error.value)


def test_shapes_that_a_model_computes_are_known_when_its_sizes_are() -> None:
    graph = helper.make_graph(
        [
            helper.make_node("Shape", ["x"], ["shape"]),
            helper.make_node("Gather", ["shape", "first"], ["rows"]),
            helper.make_node("Concat", ["rows", "rest"], ["wanted"], axis=0),
            helper.make_node("Reshape", ["x", "wanted"], ["y"]),
        ],
        "shapes",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["N", 3, 4])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(vector(0), "first"), onnx.numpy_helper.from_array(vector(-1), "rest")],
    )
    model = wh.onnx.read_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10))
    made = wh.convert(model, "directml", sizes={"x": (2, 3, 4)})
    assert [str(step.nodes[0].operator) for step in made.graph] == ["Identity()"]
    x = np.arange(24, dtype=np.float32)
    assert np.array_equal(made.run({"x": x})["y"], x)
    with pytest.raises(ConversionError, match="sizes of float32"):
        wh.convert(model, "directml")


def reversal(data: np.ndarray, lengths: np.ndarray, is_open: bool = False, **fields: object) -> Use:
    """Return a ReverseSequence whose lengths are known only at run."""
    return use(Deferred(ReverseSequence, tuple(fields.items()), (("lengths", 1),)), data, lengths, is_open=is_open)


LINES = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
REVERSALS = {
    "as DirectML has them": reversal(
        LINES, np.uint32([[0, 1, 2], [4, 9, 2**31 - 1]]), time_axis=1, batch_axes=None, too_long="clamp"
    ),
    "with an axis of 1": reversal(
        LINES, np.uint64([[[0, 1, 2]], [[4, 9, 3]]]), time_axis=1, batch_axes=None, too_long="clamp"
    ),
    "one line": reversal(LINES[0, :, 0], np.uint32(9), time_axis=0, batch_axes=None, too_long="clamp"),
    "no longer than the axis": reversal(
        LINES, np.uint32([[0, 1, 2], [4, 4, 3]]), time_axis=1, batch_axes=None, too_long="refuse"
    ),
    "the last axis": reversal(LINES, np.int32([1, 2, 0]), time_axis=0, batch_axes=(2,)),
    "lengths that cannot exceed the axis": reversal(
        np.arange(600).reshape(2, 300), np.uint8([7, 255]), time_axis=1, batch_axes=(0,), too_long="clamp"
    ),
    "elements behind the axes": reversal(LINES, np.int64([3, 9]), time_axis=1, batch_axes=(0,), too_long="clamp"),
    "axes without a name": reversal(LINES, np.int64([2, 1, 9, 0]), too_long="clamp"),
}


@pytest.mark.parametrize("one", REVERSALS.values(), ids=REVERSALS)
def test_lengths_known_at_run(one: Use, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    expected = one.model().run(one.given)
    for dialect in ("onnx", "openvino"):
        made = wh.convert(one.model(), dialect)
        assert {finding.rule for finding in made.findings} <= {
            "wide data loses bits", "integers are reduced in 32 bits", "ReverseSequence computes in f32",
        }  # fmt: skip
        assert_same_results(made.run(one.given), expected)
        if dialect == "onnx":
            assert_same_results(on_onnxruntime(made, one.given), expected)
        else:
            assert_same_results(on_openvino(made, one.given, openvino, tmp_path), expected)


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_the_greatest_lengths_mean_the_whole_axis(dtype: str) -> None:
    lengths = np.full((2, 3), np.iinfo(dtype).max, dtype)
    one = reversal(LINES, lengths, time_axis=1, batch_axes=None, too_long="clamp")
    for dialect in ("onnx", "openvino"):
        assert np.array_equal(wh.convert(one.model(), dialect).run(one.given)["y0"], LINES[:, ::-1])


def test_a_refused_reversal_is_told_in_words() -> None:
    one = reversal(LINES, np.uint32([[1] * 3] * 2), is_open=True, time_axis=1, batch_axes=None)
    with pytest.raises(
        ConversionError, match=r"batch_axes is all axes but the time axis, allowed one axis: ReverseSeq"
    ):
        wh.convert(one.model(), "onnx")
