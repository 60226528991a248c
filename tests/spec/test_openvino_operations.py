"""The worked examples of OpenVINO's operation specifications, and the rules around them, as function calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits

ov = wh.openvino
TEN = np.arange(10)
GRID = np.arange(1, 13).reshape(3, 4)
STEPS = [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[-1, -1, -1]]]
PARENTS = [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[-1, -1, -1]]]
SCATTERED = ([2, 3, 4, 6], [1, 0, 0, -2, -1, 2], [10, 20, 30, 40, 70, 60], 0)
TUPLES = ([1, 2, 3, 4], [[0], [2], [-3], [-3], [0]], [10, 20, 30, 40, 50])
HUNDRED = np.arange(1, 101).reshape(1, 1, 10, 10)

EXAMPLES: list[tuple[str, Any, Any]] = [
    ("GatherElements-6", ov.gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]], 0), [[1, 4], [1, 2]]),
    ("GatherElements-6", ov.gather_elements([1, 2, 3], [-1, -3], -1), [3, 1]),
    ("GatherTree-1", ov.gather_tree(STEPS, PARENTS, [3], 10), [[[2, 2, 2]], [[6, 5, 6]], [[7, 8, 9]], [[10] * 3]]),
    ("GatherTree-1", ov.gather_tree(STEPS, PARENTS, [3], 5)[:, 0, 1], [2, 5, 5, 5]),
    ("GatherTree-1", ov.gather_tree(STEPS, PARENTS, [0], 7), np.full((4, 1, 3), 7)),
    ("Slice-8", ov.slice(TEN, [1], [8], [2]), [1, 3, 5, 7]),
    ("Slice-8", ov.slice(TEN, [100], [-100], [-3]), [9, 6, 3, 0]),
    ("Slice-8", ov.slice(TEN, [-11], [-12], [-1]), [0]),
    ("Slice-8", ov.slice(TEN, [9], [-11], [-1]), TEN[::-1]),
    ("Slice-8", ov.slice(TEN, [0], [2**63 - 1], [2**63 - 1]), [0]),
    ("Slice-8", ov.slice(TEN, [], [], []), TEN),
    ("StridedSlice-1", ov.strided_slice(TEN.reshape(2, 5), [1, 0], [2, 0], [1, 1], begin_mask=[0, 0], end_mask=[0, 1]),
     [[5, 6, 7, 8, 9]]),
    ("StridedSlice-1", ov.strided_slice(TEN.reshape(2, 5), [1, 0], [2, 0], begin_mask=[0, 0], end_mask=[0, 1],
                                        shrink_axis_mask=[1, 0]), [5, 6, 7, 8, 9]),
    ("StridedSlice-1", ov.strided_slice(TEN, [3], [0], [-1], begin_mask=[0], end_mask=[0]), [3, 2, 1]),
    ("StridedSlice-1", ov.strided_slice(TEN, [5], [0], [-1], begin_mask=[0], end_mask=[1]), [5, 4, 3, 2, 1, 0]),
    ("ScatterUpdate-3", ov.scatter_update(np.zeros((3, 4), int), [0, 2], [[1, 2], [3, 4], [5, 6]], 1),
     [[1, 0, 2, 0], [3, 0, 4, 0], [5, 0, 6, 0]]),
    *(("ScatterElementsUpdate-12", ov.scatter_elements_update(*SCATTERED, reduction=word, use_init_val=init), expected)
      for word, init, expected in [
          ("none", True, [30, 10, 60, 70]), ("none", False, [30, 10, 60, 70]),
          ("sum", True, [52, 13, 104, 76]), ("sum", False, [50, 10, 100, 70]),
          ("prod", True, [1200, 30, 9600, 420]), ("prod", False, [600, 10, 2400, 70]),
          ("min", True, [2, 3, 4, 6]), ("min", False, [20, 10, 40, 70]),
          ("max", True, [30, 10, 60, 70]), ("max", False, [30, 10, 60, 70]),
          ("mean", True, [17, 6, 34, 38]), ("mean", False, [25, 10, 50, 70]),
      ]),
    ("ScatterElementsUpdate-12", ov.scatter_elements_update([-1], [0, 0], [-2, -2], 0, reduction="mean"), [-2]),
    *(("ScatterNDUpdate-15", ov.scatter_nd_update(*TUPLES, reduction=word), expected) for word, expected in [
        ("none", [50, 40, 20, 4]), ("sum", [61, 72, 23, 4]), ("sub", [-59, -68, -17, 4]),
        ("prod", [500, 2400, 60, 4]), ("min", [1, 2, 3, 4]), ("max", [50, 40, 20, 4]),
    ]),
    ("SliceScatter-15", ov.slice_scatter(TEN.reshape(2, 5), [[10, 20, 30], [40, 50, 60]], [0], [5], [2], [1]),
     [[10, 1, 20, 3, 30], [40, 6, 50, 8, 60]]),
    ("Tile-1", ov.tile([[0, 1, 2], [3, 4, 5]], [2]), [[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]]),
    ("Tile-1", ov.tile([[0, 1, 2], [3, 4, 5]], [2, 1, 1]), [[[0, 1, 2], [3, 4, 5]]] * 2),
    ("Tile-1", ov.tile(7, [2]), [7, 7]),
    ("Pad-12 edge", ov.pad(GRID, [0, 1], [2, 3], "edge")[0], [1, 1, 2, 3, 4, 4, 4, 4]),
    ("Pad-12 reflect", ov.pad(GRID, [0, 1], [2, 3], "reflect")[[0, -1]],
     [[2, 1, 2, 3, 4, 3, 2, 1], [2, 1, 2, 3, 4, 3, 2, 1]]),
    ("Pad-12 symmetric", ov.pad(GRID, [0, 1], [2, 3], "symmetric")[[0, -1]],
     [[1, 1, 2, 3, 4, 4, 3, 2], [5, 5, 6, 7, 8, 8, 7, 6]]),
    ("Pad-12 constant", ov.pad(GRID, [0, 1], [2, 3], "constant")[0], [0, 1, 2, 3, 4, 0, 0, 0]),
    ("Pad-12 mixed", ov.pad(GRID, [2, -1], [-1, 3], "reflect"),
     [[10, 11, 12, 11, 10, 9], [6, 7, 8, 7, 6, 5], [2, 3, 4, 3, 2, 1], [6, 7, 8, 7, 6, 5]]),
    ("Pad-12 mixed", ov.pad(GRID, [2, -1], [-1, 3], "symmetric"),
     [[6, 7, 8, 8, 7, 6], [2, 3, 4, 4, 3, 2], [2, 3, 4, 4, 3, 2], [6, 7, 8, 8, 7, 6]]),
    ("Pad-12 beyond", ov.pad([1, 2, 3], [-4], [4], "edge"), [3, 3, 3]),
    ("Pad-12 beyond", ov.pad([1, 2, 3], [-4], [0], "constant"), np.zeros(0, int)),
    ("Pad-12 value", ov.pad([1], [1], [0], "constant", np.int64(9)), [9, 1]),
    ("Transpose-1", ov.transpose(np.ones((2, 3), int), []), np.ones((3, 2), int)),
    ("Broadcast-3", ov.broadcast([[1], [2]], [3, 2, 2]), [[[1, 1], [2, 2]]] * 3),
    ("Broadcast-3", ov.broadcast([[[1]], [[2]]], [1, 2], mode="bidirectional"), [[[1, 1]], [[2, 2]]]),
    ("Broadcast-3", ov.broadcast(5, [2], [], mode="explicit"), [5, 5]),
    ("Reverse-1", ov.reverse([[0, 1, 2], [3, 4, 5]], [1], "index"), [[2, 1, 0], [5, 4, 3]]),
    ("Reverse-1", ov.reverse([[0, 1, 2], [3, 4, 5]], [True, False], "mask"), [[3, 4, 5], [0, 1, 2]]),
    ("Reverse-1", ov.reverse([0, 1], [], "index"), [0, 1]),
    ("ReverseSequence-1", ov.reverse_sequence(np.arange(15).reshape(3, 5), [1, 3, 5]),
     [[0, 1, 2, 3, 4], [7, 6, 5, 8, 9], [14, 13, 12, 11, 10]]),
    ("Roll-7", ov.roll(np.arange(1, 13).reshape(4, 3), 1, 0), [[10, 11, 12], [1, 2, 3], [4, 5, 6], [7, 8, 9]]),
    ("Roll-7", ov.roll(np.arange(1, 13).reshape(4, 3), [-1, 2], [0, 1]), [[5, 6, 4], [8, 9, 7], [11, 12, 10], [2, 3,
     1]]),
    ("DepthToSpace-1", ov.depth_to_space(np.arange(8).reshape(1, 8, 1, 1), "blocks_first", 2),
     [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]),
    ("DepthToSpace-1", ov.depth_to_space(np.arange(8).reshape(1, 8, 1, 1), "depth_first", 2),
     [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]),
    ("DepthToSpace-1", ov.depth_to_space(np.arange(8).reshape(1, 4, 2), "blocks_first", 2), [[[0, 4, 1, 5], [2, 6,
     3, 7]]]),
    ("SpaceToDepth-1", ov.space_to_depth(np.arange(8).reshape(1, 2, 2, 2), "blocks_first", 2).ravel(),
     [0, 4, 1, 5, 2, 6, 3, 7]),
    ("SpaceToDepth-1", ov.space_to_depth(np.arange(8).reshape(1, 2, 2, 2), "depth_first", 2).ravel(), np.arange(8)),
    ("SpaceToBatch-2", ov.space_to_batch([[1, 2, 3]], [1, 2], [0, 0], [0, 1]), [[1, 3], [2, 0]]),
    ("SpaceToBatch-2", ov.space_to_batch(np.arange(16).reshape(1, 1, 4, 4), [1, 1, 2, 2], [0] * 4,
     [0] * 4).reshape(4, 4),
     [[0, 2, 8, 10], [1, 3, 9, 11], [4, 6, 12, 14], [5, 7, 13, 15]]),
    ("ShuffleChannels-1", ov.shuffle_channels(np.arange(6), 0, 2), [0, 3, 1, 4, 2, 5]),
    ("ShuffleChannels-1", ov.shuffle_channels(np.arange(6), 0, 3), [0, 2, 4, 1, 3, 5]),
    ("ExtractImagePatches-3", ov.extract_image_patches(HUNDRED, [3, 3], [5, 5], [1, 1], "valid")[0, [0, 1, 8]],
     [[[1, 6], [51, 56]], [[2, 7], [52, 57]], [[23, 28], [73, 78]]]),
    ("ExtractImagePatches-3", ov.extract_image_patches(HUNDRED, [4, 4], [9, 9], [1, 1], "same_upper")[0, [0, 5]],
     [[[0, 0], [0, 89]], [[1, 10], [91, 100]]]),
    ("Range-4", ov.range(2, 23, 3, "i32"), np.int32([2, 5, 8, 11, 14, 17, 20])),
    ("Range-4", ov.range(23, 2, -3, "i32"), np.int32([23, 20, 17, 14, 11, 8, 5])),
    ("Range-4", ov.range(1.0, 2.5, 0.5, "f32"), np.float32([1, 1.5, 2])),
    ("Range-4 casts first", ov.range(1.7, 5.2, 1.5, "i32"), np.int32([1, 2, 3, 4])),
    ("Range-1", ov.range(np.int8(3), np.int8(0), np.int8(-1), opset=1), np.int8([3, 2, 1])),
    ("Eye-9", ov.eye(3, 4, 2, "i32"), [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]),
    ("Eye-9", ov.eye(3, 4, -1, "i32"), [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]),
    ("Eye-9", ov.eye(2, 2, 5, "f16", [1, 2]), np.zeros((1, 2, 2, 2), np.float16)),
    ("Eye-9", ov.eye(np.int32([2]), [2], np.int32([0]), "boolean", []), np.eye(2, dtype=bool)),
    ("Eye-9", ov.eye(2, 3, -2, "i8", np.int32([0, 2])), np.zeros((0, 2, 2, 3), np.int8)),
    ("Eye-9", ov.eye(2, 2, 2**63 - 1, "f32"), np.zeros((2, 2), np.float32)),
    ("OneHot-16", ov.one_hot([0, -5, -2, 2], 3, 1, 2, -1, "normalize"), [[1, 2, 2], [2, 2, 2], [2, 1, 2], [2, 2, 1]]),
    ("OneHot-1", ov.one_hot([[0, 3, 1], [1, 2, 4]], 3, 1, 0, 1, opset=1),
     [[[1, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]]),
    ("NonZero-3", ov.non_zero([[1, 0], [1, 1]], "i32"), np.int32([[0, 1, 1], [0, 0, 1]])),
    ("Reshape-1", ov.reshape(np.zeros((0, 3), int), [3, -1], True), np.zeros((3, 0), int)),
    ("Reshape-1", ov.reshape(np.zeros((2, 0), int), [0, -1], False), np.zeros((0, 1), int)),
    ("Reshape-1", ov.reshape([5], [], False), np.array(5)),
    ("Squeeze-1", ov.squeeze([[[1, 2]]], [0, 2, 0], opset=1), [[1, 2]]),
    ("Squeeze-15", ov.squeeze([[[1]]], [], allow_axis_skip=True), np.array(1)),
    ("Unsqueeze-1", ov.unsqueeze([[1, 2]], [0, 0]), [[[1, 2]]]),
    ("ShapeOf-3", ov.shape_of(5, "i32"), np.zeros(0, np.int32)),
    ("Convert-1", ov.convert(np.float32([300, -3.7, np.nan]), "u8"), np.uint8([44, 253, 0])),
    ("Convert-1", ov.convert(np.float32([0.5, -0.0]), "boolean"), np.array([True, False])),
    ("Convert-1", ov.convert(np.float32([3e9, np.inf]), "i32"), np.int32([-(2**31)] * 2)),
    ("Convert-1", ov.convert(np.uint8([200]), "i8"), np.int8([-56])),
]  # fmt: skip


@pytest.mark.parametrize(("page", "result", "expected"), EXAMPLES, ids=[page for page, _, _ in EXAMPLES])
def test_example(page: str, result: np.ndarray, expected: object) -> None:
    wanted = np.asarray(expected)
    assert_same_bits(result, wanted.astype(result.dtype) if isinstance(expected, list) else wanted)


@pytest.mark.parametrize(("opset", "shape"), [(5, (6, 1)), (7, (6, 1)), (8, (2, 3, 1)), (16, (2, 3, 1))])
def test_gather_nd_with_two_batch_axes(opset: int, shape: tuple[int, ...]) -> None:
    data = np.arange(1, 25).reshape(2, 3, 4)
    indices = np.array([1, 0, 2, 0, 2, 2]).reshape(2, 3, 1, 1)
    result = ov.gather_nd(data, indices, batch_dims=2, opset=opset)
    assert_same_bits(result, np.array([2, 5, 11, 13, 19, 23]).reshape(shape))


def test_unique() -> None:
    def lists(*arguments: object, **options: object) -> list[object]:
        return [part.tolist() for part in ov.unique(*arguments, **options)]

    data = [2, 1, 1, 3, 4, 3]
    assert lists(data) == [[1, 2, 3, 4], [1, 0, 3, 4], [1, 0, 0, 2, 3, 2], [2, 1, 2, 1]]
    assert lists(data, sorted=False) == [[2, 1, 3, 4], [0, 1, 3, 4], [0, 1, 1, 2, 3, 2], [1, 2, 2, 1]]
    rows = [[1, 0, 0], [1, 0, 0], [2, 3, 4]]
    assert lists(rows, 0) == [[[1, 0, 0], [2, 3, 4]], [0, 2], [0, 0, 1], [2, 1]]
    assert [part.dtype for part in ov.unique(data, index_element_type="i32")] == [
        np.int64,
        np.int32,
        np.int32,
        np.int64,
    ]


def test_strings() -> None:
    begins, ends, symbols = ov.string_tensor_unpack(["Intel", "OpenVINO"])
    assert (begins.tolist(), ends.tolist(), bytes(symbols)) == ([0, 5], [5, 13], b"IntelOpenVINO")
    assert ov.string_tensor_pack(begins, ends, symbols).tolist() == ["Intel", "OpenVINO"]
