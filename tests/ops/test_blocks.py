"""DepthToSpace, SpaceToDepth, ShuffleChannels, BatchToSpace, SpaceToBatch: formula, examples, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from wherry.engine.call import apply
from wherry.errors import InvalidValueError
from wherry.ops import BatchToSpace, DepthToSpace, Operator, ShuffleChannels, SpaceToBatch, SpaceToDepth
from wherry.tensors import TensorType

ORDERS = ["blocks_first", "depth_first"]


def run(operator: Operator, data: object) -> list:
    (out,) = apply(operator, [np.asarray(data)], "test")
    return out.tolist()


def seen(draw: st.DataObject, shape: tuple[int, ...]) -> np.ndarray:
    return draw.draw(strided(distinct(shape, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))


@given(st.data())
def test_depth_and_space_agree_and_are_inverse(draw: st.DataObject) -> None:
    block, space = draw.draw(st.integers(1, 3)), draw.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    order = draw.draw(st.sampled_from(ORDERS))
    batch, channels = draw.draw(st.integers(0, 2)), draw.draw(st.integers(0, 2))
    depth = seen(draw, (batch, channels * block ** len(space), *space))
    out = assert_agrees(DepthToSpace(block, order), [depth], draw)
    back = assert_agrees(SpaceToDepth(block, order), [draw.draw(strided(out))], draw)
    assert_same_bits(back, depth.copy())


def test_depth_and_space_examples() -> None:
    eight = np.arange(8)
    deep = eight.reshape(1, 8, 1, 1)  # ONNX DepthToSpace, OpenVINO DepthToSpace-1
    assert run(DepthToSpace(2), deep) == [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]
    assert run(DepthToSpace(2, "depth_first"), deep) == [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]
    line = eight.reshape(1, 4, 2)
    assert run(DepthToSpace(2), line) == [[[0, 4, 1, 5], [2, 6, 3, 7]]]
    assert run(DepthToSpace(2, "depth_first"), line) == [[[0, 2, 1, 3], [4, 6, 5, 7]]]
    wide = eight.reshape(1, 2, 2, 2)
    assert np.ravel(run(SpaceToDepth(2), wide)).tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert np.ravel(run(SpaceToDepth(2, "depth_first"), wide)).tolist() == list(range(8))
    planes = (9 * np.arange(8).reshape(8, 1) + np.arange(6)).reshape(1, 8, 2, 3)  # DirectML DEPTH_TO_SPACE1
    assert run(DepthToSpace(2), planes)[0][0][:2] == [[0, 18, 1, 19, 2, 20], [36, 54, 37, 55, 38, 56]]
    assert run(DepthToSpace(2, "depth_first"), planes)[0][0][:2] == [[0, 9, 1, 10, 2, 11], [18, 27, 19, 28, 20, 29]]
    grid = np.arange(1, 9).reshape(1, 1, 2, 4)  # DirectML SPACE_TO_DEPTH
    assert run(SpaceToDepth(2), grid) == [[[[1, 3]], [[2, 4]], [[5, 7]], [[6, 8]]]]


@given(st.data())
def test_shuffle_agrees(draw: st.DataObject) -> None:
    shape = draw.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    axis, group = draw.draw(st.integers(0, len(shape) - 1)), draw.draw(st.integers(1, 3))
    shape[axis] *= group
    assert_agrees(
        ShuffleChannels(axis - draw.draw(st.sampled_from([0, len(shape)])), group), [seen(draw, tuple(shape))], draw
    )


def test_shuffle_examples() -> None:
    assert run(ShuffleChannels(0, 2), range(6)) == [0, 3, 1, 4, 2, 5]  # OpenVINO ShuffleChannels-1
    assert run(ShuffleChannels(0, 3), range(6)) == [0, 2, 4, 1, 3, 5]
    assert run(ShuffleChannels(0, 3), np.array(list("abcdef"), object)) == list("acebdf")


@given(st.data())
def test_batches_and_blocks_agree(draw: st.DataObject) -> None:
    blocks = draw.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    space = [draw.draw(st.integers(0, 3)) for _ in blocks]
    count = int(np.prod(blocks)) * draw.draw(st.integers(0, 2))
    begins = [draw.draw(st.integers(0, size * block)) for size, block in zip(space, blocks, strict=True)]
    ends = [
        draw.draw(st.integers(0, size * block - begin))
        for size, block, begin in zip(space, blocks, begins, strict=True)
    ]
    crop = BatchToSpace([1, *blocks], [0, *begins], [0, *ends])
    batches = seen(draw, (count, *space))
    out = assert_agrees(crop, [batches], draw)
    padded = SpaceToBatch([1, *blocks], [0, *begins], [0, *ends])
    back = assert_agrees(padded, [draw.draw(strided(out))], draw)
    assert back.shape == batches.shape
    if not any(begins) and not any(ends):
        assert_same_bits(back, batches.copy())


def test_batches_and_blocks_examples() -> None:
    assert run(SpaceToBatch([1, 2], [0, 0], [0, 1]), [[1, 2, 3]]) == [[1, 3], [2, 0]]  # OpenVINO SpaceToBatch-2
    grid = np.arange(16).reshape(1, 1, 4, 4)
    batches = run(SpaceToBatch([1, 1, 2, 2], [0] * 4, [0] * 4), grid)
    assert [np.ravel(each).tolist() for each in batches] == [
        [0, 2, 8, 10],
        [1, 3, 9, 11],
        [4, 6, 12, 14],
        [5, 7, 13, 15],
    ]
    assert np.array_equal(run(BatchToSpace([1, 1, 2, 2], [0] * 4, [0] * 4), batches), grid)
    assert infer(BatchToSpace([1, 2], [0, 3], [0, 1]), (4, 2)) == (2, 0)
    words = np.array([["a", "b", "c"]], object)
    assert run(SpaceToBatch([1, 2], [0, 1], [0, 0]), words) == [["", "b"], ["a", "c"]]


def test_unknown_sizes() -> None:
    assert infer(DepthToSpace(2), ("N", 8, "H", 3)) == ("N", 2, None, 6)
    assert infer(DepthToSpace(1), ("N", "C", "H")) == ("N", "C", "H")
    assert infer(SpaceToDepth(2), ("N", "C", 4, "W")) == ("N", None, 2, None)
    assert infer(SpaceToDepth(2), None) is None
    assert infer(ShuffleChannels(1, 2), ("N", "C")) == ("N", "C")
    assert infer(BatchToSpace([1, 1, 2], [0, 0, 1], [0, 0, 0]), ("N", "C", 4)) == (None, "C", 7)
    assert infer(SpaceToBatch([1, 1, 2], [0, 0, 1], [0, 0, 0]), (3, "C", "W")) == (6, "C", None)
    assert infer(SpaceToBatch([1, 2], [0, 0], [0, 0]), None) == (None, None)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: DepthToSpace(0), "block_size is 0, allowed 1 and more"),
        (lambda: DepthToSpace(2, "CRD"), "order is 'CRD', allowed 'blocks_first', 'depth_first'"),
        (lambda: infer(DepthToSpace(2), (1, 6, 2, 2)), "size of axis 1 of data is 6, allowed multiples of 4"),
        (lambda: infer(DepthToSpace(2), (1, 6)), "data has 2 axes, allowed 3 and more"),
        (lambda: infer(SpaceToDepth(2), (1, 1, 2, 3)), "size of axis 3 of data is 3, allowed multiples of 2"),
        (lambda: ShuffleChannels(1, 0), "group is 0"),
        (lambda: infer(ShuffleChannels(1, 2), (1, 3)), "size of axis 1 of data is 3, allowed multiples of 2; as group"),
        (lambda: infer(ShuffleChannels(2, 1), (1, 3)), "axis is 2, allowed -2..1"),
        (lambda: BatchToSpace([1], [0], [0]), "block_shape has 1 entries, allowed 2 and more"),
        (lambda: BatchToSpace([1, 2], [0], [0, 0]), "begins has 1 entries, allowed 2 as block_shape"),
        (lambda: BatchToSpace([2, 2], [0, 0], [0, 0]), r"block_shape\[0\] is 2, allowed 1: the batch has no blocks"),
        (lambda: BatchToSpace([1, 0], [0, 0], [0, 0]), r"block_shape\[1\] is 0, allowed 1 and more"),
        (lambda: BatchToSpace([1, 2], [0, -1], [0, 0]), r"begins\[1\] is -1, allowed 0 and more"),
        (lambda: SpaceToBatch([1, 2], [0, 0], [1, 0]), r"ends\[0\] is 1, allowed 0: the batch has no edge"),
        (lambda: infer(BatchToSpace([1, 2], [0, 0], [0, 0]), (3, 2)), "axis 0 of data is 3, allowed multiples of 2"),
        (lambda: infer(BatchToSpace([1, 2], [0, 3], [0, 2]), (2, 2)), "is 3 and 2, allowed a sum up to 4"),
        (lambda: infer(BatchToSpace([1, 2], [0, 0], [0, 0]), (2, 2, 2)), "block_shape has 2 entries, allowed 3"),
        (lambda: infer(SpaceToBatch([1, 2], [0, 0], [0, 1]), (2, 2)), "is 2, allowed sizes that plus 1"),
    ],
)  # fmt: skip
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


def test_each_byte_is_written_once() -> None:
    image = np.zeros((2, 4, 6, 6), np.uint8)
    for operator in (DepthToSpace(2), SpaceToDepth(3), ShuffleChannels(1, 2)):
        plan = planned([operator], [image], join=0)
        assert len(plan.moves) == 2
        assert plan.bytes_moved == 2 * image.size
    blocks = SpaceToBatch([1, 1, 4, 4], [0, 0, 1, 2], [0, 0, 1, 0])
    assert planned([blocks], [image], join=0).bytes_moved == 2 * 2 * 4 * 8 * 8


def test_an_order_that_changes_nothing_is_a_view() -> None:
    x = np.arange(24, dtype=np.uint8).reshape(1, 24, 1)
    assert len(planned([DepthToSpace(1), ShuffleChannels(1, 24), SpaceToDepth(1)], [x]).moves) == 1


@pytest.mark.parametrize("operator", [DepthToSpace, SpaceToDepth])
def test_the_number_of_axes_may_be_given(operator: type) -> None:
    four = operator(1, ndim=4)
    assert four.infer([TensorType("int8", None)])[0].sizes == (None,) * 4
    assert four.infer([TensorType("int8", (1, 1, 1, 1))])[0].sizes == (1,) * 4
    with pytest.raises(InvalidValueError, match="data has 3 axes, allowed 4: batch, channels, space"):
        four.infer([TensorType("int8", (1, 1, 1))])
    with pytest.raises(InvalidValueError, match="ndim is 2, allowed 3 and more, or None"):
        operator(1, ndim=2)
