"""The worked examples of the ONNX operators' pages,
by operator and version; each runs as the function and as a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.differential.onnxruntime_runtime import feeds, model_of, variants
from tests.support.compare import assert_same_bits
from wherry.runtimes.case import Case

F = np.float32
D = np.array([[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], F)


def a(values: Any, dtype: Any = np.int64) -> np.ndarray:
    return np.array(values, dtype)


Expected = Any
SCATTERED = a([[2.0, 1.1, 0.0], [1.0, 0.0, 2.2], [0.0, 2.1, 1.2]], F)
THREE = a([[1.0, 1.1, 1.2], [2.0, 2.1, 2.2]], F)
NINE = a([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
TIMES = np.arange(16, dtype=F).reshape(4, 4)

EXAMPLES: dict[str, tuple[Callable[[], Any], Case, Expected]] = {
    "GatherElements-13, example 1": (
        lambda: wh.onnx.gather_elements(a([[1, 2], [3, 4]]), a([[0, 0], [1, 0]]), 1),
        Case("GatherElements", 13, (a([[1, 2], [3, 4]]), a([[0, 0], [1, 0]])), {"axis": 1}), a([[1, 1], [4, 3]])),
    "GatherElements-13, example 2": (
        lambda: wh.onnx.gather_elements(NINE, a([[1, 2, 0], [2, 0, 0]])),
        Case("GatherElements", 13, (NINE, a([[1, 2, 0], [2, 0, 0]]))), a([[4, 8, 3], [7, 2, 3]])),
    "GatherND-13, example 1": (
        lambda: wh.onnx.gather_nd(a([[0, 1], [2, 3]]), a([[0, 0], [1, 1]])),
        Case("GatherND", 13, (a([[0, 1], [2, 3]]), a([[0, 0], [1, 1]]))), a([0, 3])),
    "GatherND-12, batch_dims": (
        lambda: wh.onnx.gather_nd(a([[[0, 1], [2, 3]], [[4, 5], [6, 7]]]), a([[1], [0]]), 1, opset=12),
        Case("GatherND", 12, (a([[[0, 1], [2, 3]], [[4, 5], [6, 7]]]), a([[1], [0]])), {"batch_dims": 1}),
        a([[2, 3], [4, 5]])),
    "Scatter-9, example 1": (
        lambda: wh.onnx.scatter(np.zeros((3, 3), F), a([[1, 0, 2], [0, 2, 1]]), THREE),
        Case("Scatter", 9, (np.zeros((3, 3), F), a([[1, 0, 2], [0, 2, 1]]), THREE)), SCATTERED),
    "ScatterElements-11, example 1": (
        lambda: wh.onnx.scatter_elements(np.zeros((3, 3), F), a([[1, 0, 2], [0, 2, 1]]), THREE, opset=11),
        Case("ScatterElements", 11, (np.zeros((3, 3), F), a([[1, 0, 2], [0, 2, 1]]), THREE)), SCATTERED),
    "ScatterElements-16, add": (
        lambda: wh.onnx.scatter_elements(a([[1, 2, 3, 4, 5]], F), a([[1, 1]]), a([[1.1, 2.1]], F), 1, "add", opset=16),
        Case("ScatterElements", 16, (a([[1, 2, 3, 4, 5]], F), a([[1, 1]]), a([[1.1, 2.1]], F)),
             {"axis": 1, "reduction": "add"}), a([[1, F(F(2) + F(1.1)) + F(2.1), 3, 4, 5]], F)),
    "ScatterND-18": (
        lambda: wh.onnx.scatter_nd(a([1, 2, 3, 4, 5, 6, 7, 8]), a([[4], [3], [1], [7]]), a([9, 10, 11, 12])),
        Case("ScatterND", 18, (a([1, 2, 3, 4, 5, 6, 7, 8]), a([[4], [3], [1], [7]]), a([9, 10, 11, 12]))),
        a([1, 11, 3, 10, 9, 6, 7, 12])),
    "TensorScatter-24, circular": (
        lambda: wh.onnx.tensor_scatter(np.zeros((2, 4, 1), F), a([[[1], [2]], [[3], [4]]], F),
        a([3, 1]), mode="circular"),
        Case("TensorScatter", 24, (np.zeros((2, 4, 1), F), a([[[1], [2]], [[3], [4]]], F), a([3, 1])),
             {"mode": "circular"}), a([[[2], [0], [0], [1]], [[0], [3], [4], [0]]], F)),
    "Slice-13, example 1": (
        lambda: wh.onnx.slice(a([[1, 2, 3, 4], [5, 6, 7, 8]]), a([1, 0]), a([2, 3]), a([0, 1]), a([1, 2])),
        Case("Slice", 13, (a([[1, 2, 3, 4], [5, 6, 7, 8]]), a([1, 0]), a([2, 3]), a([0, 1]), a([1, 2]))), a([[5, 7]])),
    "Slice-13, example 2": (
        lambda: wh.onnx.slice(a([[1, 2, 3, 4], [5, 6, 7, 8]]), a([0, 1]), a([-1, 1000])),
        Case("Slice", 13, (a([[1, 2, 3, 4], [5, 6, 7, 8]]), a([0, 1]), a([-1, 1000]))), a([[2, 3, 4]])),
    "Slice-1, example 1": (
        lambda: wh.onnx.slice(a([[1, 2, 3, 4], [5, 6, 7, 8]]), [1, 0], [2, 3], [0, 1], opset=1),
        Case("Slice", 1, (a([[1, 2, 3, 4], [5, 6, 7, 8]]),), {"starts": [1, 0], "ends": [2, 3], "axes": [0, 1]}),
        a([[5, 6, 7]])),
    "Slice-13, the text's clamp of a start below -s": (
        lambda: wh.onnx.slice(np.arange(10), a([-20]), a([-11]), None, a([-1])),
        Case("Slice", 13, (np.arange(10), a([-20]), a([-11]), a([0]), a([-1]))), a([0])),
    "Compress-28": (
        lambda: wh.onnx.compress(a([[1, 2], [3, 4], [5, 6]]), a([0, 1, 1], bool), 0),
        Case("Compress", 28, (a([[1, 2], [3, 4], [5, 6]]), a([0, 1, 1], bool)), {"axis": 0}), a([[3, 4], [5, 6]])),
    "Where-16": (
        lambda: wh.onnx.where(a([[1, 0], [1, 1]], bool), a([[1, 2], [3, 4]]), a([[9, 8], [7, 6]])),
        Case("Where", 16, (a([[1, 0], [1, 1]], bool), a([[1, 2], [3, 4]]), a([[9, 8], [7, 6]]))), a([[1, 8], [3, 4]])),
    "Tile-13": (
        lambda: wh.onnx.tile(a([[1, 2], [3, 4]]), a([1, 2])),
        Case("Tile", 13, (a([[1, 2], [3, 4]]), a([1, 2]))), a([[1, 2, 1, 2], [3, 4, 3, 4]])),
    "Tile-1, along one axis": (
        lambda: wh.onnx.tile(a([[1, 2], [3, 4]], F), F(2), F(1), opset=1),
        Case("Tile", 1, (a([[1, 2], [3, 4]], F), a(2, F), a(1, F))), a([[1, 2, 1, 2], [3, 4, 3, 4]], F)),
    "Pad-25, example 1, constant": (
        lambda: wh.onnx.pad(D, a([0, 2, 0, 0]), 0.0),
        Case("Pad", 25, (D, a([0, 2, 0, 0]), a(0.0, F))), np.hstack([np.zeros((3, 2), F), D])),
    "Pad-25, example 2, reflect": (
        lambda: wh.onnx.pad(D, a([0, 2, 0, 0]), mode="reflect"),
        Case("Pad", 25, (D, a([0, 2, 0, 0])), {"mode": "reflect"}), np.hstack([D, D])),
    "Pad-25, example 3, edge": (
        lambda: wh.onnx.pad(D, a([0, 2, 0, 0]), mode="edge"),
        Case("Pad", 25, (D, a([0, 2, 0, 0])), {"mode": "edge"}), D[:, [0, 0, 0, 1]]),
    "Pad-25, example 4, wrap": (
        lambda: wh.onnx.pad(D, a([2, 1, 1, 1]), mode="wrap"),
        Case("Pad", 25, (D, a([2, 1, 1, 1])), {"mode": "wrap"}), D[[1, 2, 0, 1, 2, 0]][:, [1, 0, 1, 0]]),
    "Pad-1, paddings as the text orders them": (
        lambda: wh.onnx.pad(D, [0, 2, 0, 0], opset=1),
        Case("Pad", 1, (D,), {"paddings": [0, 2, 0, 0]}), np.hstack([np.zeros((3, 2), F), D])),
    "Transpose-25": (
        lambda: wh.onnx.transpose(TIMES.reshape(1, 2, 8), [1, 0, 2]),
        Case("Transpose", 25, (TIMES.reshape(1, 2, 8),), {"perm": [1, 0, 2]}), TIMES.reshape(2, 1, 8)),
    "Expand-13": (
        lambda: wh.onnx.expand(a([[1], [2], [3]]), a([2, 1, 6])),
        Case("Expand", 13, (a([[1], [2], [3]]), a([2, 1, 6]))), np.broadcast_to(a([[1], [2], [3]]), (2, 3, 6)).copy()),
    "Reshape-5, 0 and -1": (
        lambda: wh.onnx.reshape(TIMES.reshape(2, 2, 4), a([0, -1]), opset=5),
        Case("Reshape", 5, (TIMES.reshape(2, 2, 4), a([0, -1]))), TIMES.reshape(2, 8)),
    "Reshape-1, attribute": (
        lambda: wh.onnx.reshape(TIMES, [2, -1], opset=1),
        Case("Reshape", 1, (TIMES,), {"shape": [2, -1]}), TIMES.reshape(2, 8)),
    "Reshape-14, allowzero": (
        lambda: wh.onnx.reshape(np.zeros((0, 3, 4), F), a([3, 4, 0]), 1, opset=14),
        Case("Reshape", 14, (np.zeros((0, 3, 4), F), a([3, 4, 0])), {"allowzero": 1}), np.zeros((3, 4, 0), F)),
    "Squeeze-13": (
        lambda: wh.onnx.squeeze(TIMES[:2, :3].reshape(1, 3, 1, 2), a([0, -2]), opset=13),
        Case("Squeeze", 13, (TIMES[:2, :3].reshape(1, 3, 1, 2), a([0, -2]))), TIMES[:2, :3].reshape(3, 2)),
    "Unsqueeze-11": (
        lambda: wh.onnx.unsqueeze(TIMES, [0, 3], opset=11),
        Case("Unsqueeze", 11, (TIMES,), {"axes": [0, 3]}), TIMES.reshape(1, 4, 4, 1)),
    "Flatten-13": (
        lambda: wh.onnx.flatten(TIMES.reshape(2, 2, 4), 2, opset=13),
        Case("Flatten", 13, (TIMES.reshape(2, 2, 4),), {"axis": 2}), TIMES),
    "ConstantOfShape-9, default": (
        lambda: wh.onnx.constant_of_shape(a([2, 3]), opset=9), Case("ConstantOfShape", 9, (a([2, 3]),)),
        np.zeros((2, 3), F)),
    "Shape-15": (
        lambda: wh.onnx.shape(np.zeros((2, 3, 4)), -2, 9, opset=15),
        Case("Shape", 15, (np.zeros((2, 3, 4)),), {"start": -2, "end": 9}), a([3, 4])),
    "Cast-13, 200 as int8": (
        lambda: wh.onnx.cast(a([200], np.int16), "int8", opset=13), Case("Cast", 13, (a([200], np.int16),), {"to": 3}),
        a([-56], np.int8)),
    "Cast-9, words": (
        lambda: wh.onnx.cast(a(["3.14", "1e-5", "+INF", "-inf"], object), "float32", opset=9),
        Case("Cast", 9, (a(["3.14", "1e-5", "+INF", "-inf"], object),), {"to": 1}),
        a([3.14, 1e-5, np.inf, -np.inf], F)),
    "Cast-1, named type": (
        lambda: wh.onnx.cast(a([1.5, -1.5], F), "int32", opset=1),
        Case("Cast", 1, (a([1.5, -1.5], F),), {"to": "INT32"}),
        a([1, -1], np.int32)),
    "CastLike-15": (
        lambda: wh.onnx.cast_like(a([1, 0]), a([], bool), opset=15), Case("CastLike", 15, (a([1, 0]), a([], bool))),
        a([1, 0], bool)),
    "DepthToSpace-13, DCR": (
        lambda: wh.onnx.depth_to_space(np.arange(8).reshape(1, 8, 1, 1), 2),
        Case("DepthToSpace", 13, (np.arange(8).reshape(1, 8, 1, 1),), {"blocksize": 2}),
        a([[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]])),
    "DepthToSpace-11, CRD": (
        lambda: wh.onnx.depth_to_space(np.arange(8).reshape(1, 8, 1, 1), 2, "CRD", opset=11),
        Case("DepthToSpace", 11, (np.arange(8).reshape(1, 8, 1, 1),), {"blocksize": 2, "mode": "CRD"}),
        np.arange(8).reshape(1, 2, 2, 2)),
    "SpaceToDepth-13": (
        lambda: wh.onnx.space_to_depth(np.arange(8).reshape(1, 2, 2, 2), 2),
        Case("SpaceToDepth", 13, (np.arange(8).reshape(1, 2, 2, 2),), {"blocksize": 2}),
        a([0, 4, 1, 5, 2, 6, 3, 7]).reshape(1, 8, 1, 1)),
    "SpaceToDepth-28, CRD": (
        lambda: wh.onnx.space_to_depth(np.arange(8).reshape(1, 2, 2, 2), 2, "CRD", opset=28),
        Case("SpaceToDepth", 28, (np.arange(8).reshape(1, 2, 2, 2),), {"blocksize": 2, "mode": "CRD"}),
        np.arange(8).reshape(1, 8, 1, 1)),
    "ReverseSequence-10, example 1": (
        lambda: wh.onnx.reverse_sequence(TIMES.T, a([4, 3, 2, 1]), opset=10),
        Case("ReverseSequence", 10, (TIMES.T.copy(), a([4, 3, 2, 1]))),
        a([[3, 6, 9, 12], [2, 5, 8, 13], [1, 4, 10, 14], [0, 7, 11, 15]], F)),
    "ReverseSequence-10, example 2": (
        lambda: wh.onnx.reverse_sequence(TIMES, a([1, 2, 3, 4]), 0, 1, opset=10),
        Case("ReverseSequence", 10, (TIMES, a([1, 2, 3, 4])), {"batch_axis": 0, "time_axis": 1}),
        a([[0, 1, 2, 3], [5, 4, 6, 7], [10, 9, 8, 11], [15, 14, 13, 12]], F)),
    "OneHot-11": (
        lambda: wh.onnx.one_hot(a([0, 2, -2]), 3, a([0, 1]), opset=11),
        Case("OneHot", 11, (a([0, 2, -2]), a(3), a([0, 1]))), a([[1, 0, 0], [0, 0, 1], [0, 1, 0]])),
    "OneHot-9, negative indices are outside": (
        lambda: wh.onnx.one_hot(a([0, -1]), 2, a([0, 1]), opset=9),
        Case("OneHot", 9, (a([0, -1]), a(2), a([0, 1]))), a([[1, 0], [0, 0]])),
    "OneHot-11, fractions are cast": (
        lambda: wh.onnx.one_hot(a([1.9], F), F(2.7), a([0, 1]), opset=11),
        Case("OneHot", 11, (a([1.9], F), a(2.7, F), a([0, 1]))), a([[0, 1]])),
    "Trilu-14, upper": (
        lambda: wh.onnx.trilu(NINE, a(1)), Case("Trilu", 14, (NINE, a(1))), a([[0, 2, 3], [0, 0, 6], [0, 0, 0]])),
    "Trilu-14, lower": (
        lambda: wh.onnx.trilu(NINE, a(-1), 0), Case("Trilu", 14, (NINE, a(-1)), {"upper": 0}),
        a([[0, 0, 0], [4, 0, 0], [7, 8, 0]])),
    "EyeLike-9": (
        lambda: wh.onnx.eye_like(np.zeros((2, 3), np.int32), k=1, opset=9),
        Case("EyeLike", 9, (np.zeros((2, 3), np.int32),), {"k": 1}), a([[0, 1, 0], [0, 0, 1]], np.int32)),
    "NonZero-13": (
        lambda: wh.onnx.non_zero(a([[1, 0], [1, 1]])), Case("NonZero", 13, (a([[1, 0], [1, 1]]),)),
        a([[0, 1, 1], [0, 0, 1]])),
    "NonZero-13, a scalar has no coordinates": (
        lambda: wh.onnx.non_zero(a(3)), Case("NonZero", 13, (a(3),)), np.zeros((0, 1), np.int64)),
    "Unique-11, example 1": (
        lambda: wh.onnx.unique(a([2, 1, 1, 3, 4, 3], F), sorted=0, opset=11),
        Case("Unique", 11, (a([2, 1, 1, 3, 4, 3], F),), {"sorted": 0}, 4),
        (a([2, 1, 3, 4], F), a([0, 1, 3, 4]), a([0, 1, 1, 2, 3, 2]), a([1, 2, 2, 1]))),
    "Unique-11, example 2": (
        lambda: wh.onnx.unique(a([[1, 0, 0], [1, 0, 0], [2, 3, 4]], F), 0, opset=11),
        Case("Unique", 11, (a([[1, 0, 0], [1, 0, 0], [2, 3, 4]], F),), {"axis": 0}, 4),
        (a([[1, 0, 0], [2, 3, 4]], F), a([0, 2]), a([0, 0, 1]), a([2, 1]))),
    "Range-11, example 1": (
        lambda: wh.onnx.range(3, 9, 3, opset=11), Case("Range", 11, (a(3), a(9), a(3))), a([3, 6])),
    "Range-11, example 2": (
        lambda: wh.onnx.range(10, 4, -2, opset=11), Case("Range", 11, (a(10), a(4), a(-2))), a([10, 8, 6])),
    "Range-27, float16 computed in float32": (
        lambda: wh.onnx.range(a(1, np.float16), a(3000, np.float16), a(1, np.float16)),
        Case("Range", 27, (a(1, np.float16), a(3000, np.float16), a(1, np.float16))),
        np.arange(1, 3000, dtype=F).astype(np.float16)),
    "Col2Im-18": (
        lambda: wh.onnx.col2im(a([[[1, 6], [2, 7], [3, 8], [4, 9]]], F), a([2, 3]), a([2, 2])),
        Case("Col2Im", 18, (a([[[1, 6], [2, 7], [3, 8], [4, 9]]], F), a([2, 3]), a([2, 2]))),
        a([[[[1, 8, 7], [3, 12, 9]]]], F)),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example(name: str) -> None:
    function, case, expected = EXAMPLES[name]
    wanted = expected if isinstance(expected, tuple) else (expected,)
    assert name.startswith(f"{case.operator}-")
    result = function()
    for ours, theirs in zip(result if isinstance(result, tuple) else (result,), wanted, strict=True):
        assert_same_bits(ours, theirs)
    for variant in variants(case):
        model = wh.onnx.read_proto(model_of(variant))
        for ours, theirs in zip(model.run(feeds(variant)).values(), wanted, strict=True):
            assert_same_bits(ours, theirs)


def test_shapes_computed_in_the_graph() -> None:
    """Shape -> Gather -> Concat -> Reshape, with a size that is known only at run."""
    from onnx import helper

    from tests.dialects.onnx.models import model, value_info

    node = helper.make_node
    proto = model(
        [node("Shape", ["x"], ["n"]), node("Gather", ["n", "first"], ["batch"]),
         node("Concat", ["batch", "rest"], ["shape"], axis=0), node("Reshape", ["x", "shape"], ["y"])],
        {}, ["y"], constants={"first": a([0]), "rest": a([-1, 2])},
    )  # fmt: skip
    proto.graph.input.append(value_info("x", "float32", ["N", 2, 3]))
    read = wh.onnx.read_proto(proto)
    assert str(read.outputs["y"]) == "float32[?, ?, ?]"
    for batch in (1, 5):
        x = np.arange(batch * 6, dtype=F).reshape(batch, 2, 3)
        assert_same_bits(read.run({"x": x})["y"], x.reshape(batch, 3, 2))
        assert read.plan.bytes_moved == x.nbytes
