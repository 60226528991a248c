"""ExtractImagePatches, Im2Col, Col2Im: against formula and an independent unfold, examples, refusals."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.operators import assert_agrees, infer, planned
from tests.support.strategies import ELEMENT_DTYPES, distinct, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.moves import AddMove, FillMove
from wherry.ops import AutoPad, Col2Im, ExtractImagePatches, Im2Col, Operator
from wherry.tensors import TensorType


def run(operator: Operator, data: object) -> list:
    (out,) = apply(operator, [np.asarray(data)], "test")
    return out.tolist()


@given(st.data())
def test_patches_agree(draw: st.DataObject) -> None:
    shape = tuple(draw.draw(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 6), st.integers(0, 6))))
    data = draw.draw(strided(distinct(shape, draw.draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    pair = st.tuples(st.integers(1, 4), st.integers(1, 4))
    operator = ExtractImagePatches(*(draw.draw(pair) for _ in range(3)), draw.draw(st.sampled_from(AutoPad)))
    assert_agrees(operator, [data], draw)


def test_patches_examples() -> None:
    image = np.arange(1, 101).reshape(1, 1, 10, 10)  # OpenVINO ExtractImagePatches-3
    out = run(ExtractImagePatches([3, 3], [5, 5], [1, 1]), image)[0]
    assert (out[0], out[1], out[8]) == ([[1, 6], [51, 56]], [[2, 7], [52, 57]], [[23, 28], [73, 78]])
    out = run(ExtractImagePatches([4, 4], [8, 8], [1, 1]), image)[0]
    assert (out[0], out[15]) == ([[1]], [[34]])
    out = run(ExtractImagePatches([4, 4], [9, 9], [1, 1], "same_upper"), image)[0]
    assert (out[0], out[5]) == ([[0, 0], [0, 89]], [[1, 10], [91, 100]])
    out = run(ExtractImagePatches([3, 3], [5, 5], [2, 2]), image)[0]
    assert (out[0], out[8]) == ([[1, 6], [51, 56]], [[45, 50], [95, 100]])
    two = np.arange(1, 51).reshape(1, 2, 5, 5)
    out = run(ExtractImagePatches([2, 2], [3, 3], [1, 1]), two)[0]
    assert [channel[0][0] for channel in out] == [1, 26, 2, 27, 6, 31, 7, 32]
    words = np.array([[[["a", "b"]]]], object)
    assert run(ExtractImagePatches([1, 2], [1, 1], [1, 1], "same_upper"), words) == [[[["a", "b"]], [["b", ""]]]]


def test_patches_sizes() -> None:
    valid = ExtractImagePatches([3, 3], [2, 2], [1, 1])
    assert infer(valid, ("N", 2, 7, "W")) == ("N", 18, 3, None)
    assert infer(valid, (1, 2, 2, 0)) == (1, 18, 0, 0)
    assert infer(ExtractImagePatches([3, 3], [1, 1], [1, 1], "same_lower"), (1, "C", "H", 5)) == (1, None, "H", 5)
    assert infer(valid, None) == (None,) * 4


def test_patches_write_each_byte_once_in_few_moves() -> None:
    image = np.zeros((2, 3, 30, 31), np.uint8)
    for pad in AutoPad:
        plan = planned([ExtractImagePatches([5, 3], [1, 1], [2, 1], pad)], [image], join=0)
        count = (22, 29) if pad is AutoPad.VALID else (30, 31)
        assert plan.bytes_moved == 2 * 2 * 45 * count[0] * count[1]
        assert len(plan.moves) <= 2 * (1 if pad is AutoPad.VALID else 15 * 5)


def unfold(image: np.ndarray, operator: Col2Im) -> np.ndarray:
    """Return the windows of an image, the inverse of the sum where nothing overlaps."""
    pads = [(0, 0), (0, 0), *zip(operator.begins or (), operator.ends or (), strict=True)]
    padded = np.pad(image, pads)
    places = []
    for k in np.ndindex(operator.block_shape):
        walk = zip(k, operator.dilations or (), operator.strides or (), operator.counts, strict=True)
        window = tuple(slice(a * d, a * d + (n - 1) * s + 1, s) for a, d, s, n in walk)
        places.append(padded[(slice(None), slice(None), *window)].reshape(*image.shape[:2], -1))
    return np.stack(places, 2).reshape(image.shape[0], -1, places[0].shape[-1])


@st.composite
def sums(draw: st.DrawFn) -> Col2Im:
    ndim = draw(st.integers(1, 3))

    def each(low: int, high: int) -> list[int]:
        return [draw(st.integers(low, high)) for _ in range(ndim)]

    try:
        return Col2Im(each(0, 5), each(1, 3), each(1, 3), each(1, 2), each(0, 2), each(0, 2))
    except InvalidValueError:
        assume(False)
        raise


@given(sums(), st.data())
def test_col2im_agrees(operator: Col2Im, draw: st.DataObject) -> None:
    dtype = np.dtype(
        draw.draw(st.sampled_from(["int8", "float16", "float32", "bool", "complex64", ml_dtypes.bfloat16]))
    )
    batch, channels = draw.draw(st.integers(0, 2)), draw.draw(st.integers(0, 2))
    shape = (batch, channels * int(np.prod(operator.block_shape)), int(np.prod(operator.counts)))
    rng = np.random.default_rng(0)
    data = draw.draw(strided((rng.random(shape) * 100).astype(dtype)))
    assert_agrees(operator, [data], draw)


APART = [
    ((4, 6), (2, 3), (2, 3)), ((5, 7), (2, 3), (2, 3)), ((7, 7), (2, 1), (3, 4)), ((6,), (3,), (3,)),
    ((5,), (1,), (2,)), ((2, 4, 6), (1, 2, 3), (2, 2, 3)), ((3, 3), (3, 3), (5, 5)),
]  # fmt: skip


@pytest.mark.parametrize(("image", "block", "strides"), APART)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "bool", "complex64", "bfloat16", "float8_e5m2"])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_windows_that_lie_apart_are_copied(
    image: tuple[int, ...], block: tuple[int, ...], strides: tuple[int, ...], dtype: str, batch: tuple[int, ...]
) -> None:
    operator = Col2Im(image, block, strides, unbatched=True)
    shape = (*batch, 2 * int(np.prod(block)), int(np.prod(operator.counts)))
    data = np.resize(np.array([0.0, -0.0, 1, 2, 3, 1, 0, 5]), shape).astype(getattr(ml_dtypes, dtype, dtype))
    if data.dtype.kind != "b" and dtype not in ("int8",):
        data = np.where(data == 2, np.full((), np.nan, data.dtype), data)
    (expected,) = reference.run(operator, [data])
    plain = planned([operator], [data]).run({"x0": data})["y"]
    (turned,) = apply(operator, [np.asfortranarray(data)], "test")
    assert_same_bits(plain, expected)
    assert_same_bits(turned, expected)


def test_overlapping_windows_are_added_place_by_place() -> None:
    operator = Col2Im((5, 5), (3, 3), (1, 1), (1, 1), (1, 1), (1, 1))
    data = np.arange(2 * 18 * 25, dtype=np.float32).reshape(2, 18, 25)
    plan = planned([operator], [data], join=0)
    kinds = [type(move) for move in plan.moves]
    assert kinds == 2 * [FillMove, *[AddMove] * 9]
    assert plan.program is not None


@given(sums())
def test_col2im_is_the_transpose_of_unfold(operator: Col2Im) -> None:
    rng = np.random.default_rng(0)
    image = rng.integers(-9, 9, (2, 3, *operator.image_shape))
    columns = unfold(image, operator)
    other = rng.integers(-9, 9, columns.shape)
    (summed,) = apply(operator, [other], "test")
    assert (summed * image).sum() == (other * columns).sum()


def columns_of(operator: Col2Im) -> Im2Col:
    return Im2Col(operator.block_shape, operator.strides, operator.dilations, operator.begins, operator.ends)


@given(sums(), st.data())
def test_im2col_agrees(operator: Col2Im, draw: st.DataObject) -> None:
    shape = (draw.draw(st.integers(0, 2)), draw.draw(st.integers(0, 2)), *operator.image_shape)
    dtype = draw.draw(st.sampled_from(ELEMENT_DTYPES))
    data = draw.draw(strided(distinct(shape, dtype), overlapping=True))
    assert_agrees(columns_of(operator), [data], draw)


@given(sums())
def test_im2col_is_an_independent_unfold(operator: Col2Im) -> None:
    image = np.random.default_rng(0).integers(-9, 9, (2, 3, *operator.image_shape))
    (columns,) = apply(columns_of(operator), [image], "test")
    assert_same_bits(columns, unfold(image, operator))


def test_im2col_of_strings_and_of_one_axis() -> None:
    words = np.array([[["a", "b", "c"]]], object)
    assert run(Im2Col([2], begins=[1]), words) == [[["", "a", "b"], ["a", "b", "c"]]]


def test_im2col_writes_each_byte_once() -> None:
    image = np.zeros((2, 3, 30, 31), np.uint8)
    for pads, moves in (([0, 0], 2), ([2, 1], 2 * 4 * 5)):
        plan = planned([Im2Col([3, 2], [1, 2], [2, 1], pads, pads)], [image], join=0)
        assert plan.bytes_moved == 2 * 2 * 3 * 6 * (26 + 2 * pads[0]) * (15 + pads[1])
        assert len(plan.moves) <= moves


def test_im2col_sizes() -> None:
    assert infer(Im2Col([2, 3]), ("N", 2, 5, 4)) == ("N", 12, 8)
    assert infer(Im2Col([2, 3], [2, 1]), (1, "C", "H", 4)) == (1, None, None)
    assert infer(Im2Col([2]), None) == (None,) * 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Im2Col([]), "block_shape has 0 entries, allowed 1 and more"),
        (lambda: Im2Col([0]), r"block_shape\[0\] is 0, allowed 1 and more"),
        (lambda: Im2Col([1, 1], [1]), "strides has 1 entries, allowed 2"),
        (lambda: Im2Col([1], dilations=[0]), r"dilations\[0\] is 0, allowed 1 and more"),
        (lambda: Im2Col([1], begins=[-1]), r"begins\[0\] is -1, allowed 0 and more"),
        (lambda: infer(Im2Col([2]), (1, 1, 2, 2)), "data has 4 axes, allowed 3: batch, channels, and one for each"),
        (lambda: infer(Im2Col([3], dilations=[2], ends=[1]), (1, 1, 3)),
         r"block_shape\[0\] is 3, allowed a window that reaches over 4 positions at most; with dilation 2 it reaches"),
    ],
)  # fmt: skip
def test_im2col_refusals(make: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        make()  # type: ignore[operator]


def test_col2im_examples() -> None:
    columns = np.array(
        [[[1, 6, 11, 16, 21], [2, 7, 12, 17, 22], [3, 8, 13, 18, 23], [4, 9, 14, 19, 24], [5, 0, 15, 20, 25]]],
        np.float32,
    )  # ONNX Col2Im, test_col2im
    assert run(Col2Im([5, 5], [1, 5]), columns)[0][0] == [
        [1, 2, 3, 4, 5], [6, 7, 8, 9, 0], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20], [21, 22, 23, 24, 25]
    ]  # fmt: skip
    ones = np.ones((4, 4))
    assert run(Col2Im([3, 3], [2, 2], unbatched=True), ones) == [[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]
    assert infer(Col2Im([16, 16], [2, 2]), (3, 12, 225)) == (3, 3, 16, 16)  # OpenVINO Col2Im-15
    strided_blocks = Col2Im([16, 16], [3, 3], [2, 2], [2, 2], [1, 1], [1, 1])
    assert strided_blocks.counts == (7, 7)
    assert infer(Col2Im([32, 32], [2, 2], None, [2, 2], [3, 3], [3, 3]), (12, 12, 1296)) == (12, 3, 32, 32)


def test_col2im_adds_in_the_type_of_data_from_zero_on() -> None:
    (out,) = apply(Col2Im([1], [1]), [np.array([[[-0.0]]])], "test")
    assert_same_bits(out, np.array([[[0.0]]]))
    assert run(Col2Im([1], [2], begins=[1], ends=[1]), np.array([[[1, 100], [100, 1]]], np.int8)) == [[[-56]]]
    halves = np.array([[[0, 2048.0], [1, 0], [1, 0]]], np.float16)
    assert run(Col2Im([4], [3]), halves)[0][0] == [0, 2048, 1, 0]


def test_col2im_unknown_sizes() -> None:
    operator = Col2Im([4, 4], [2, 2])
    assert infer(operator, ("N", "C", "L")) == ("N", None, 4, 4)
    assert infer(operator, None) == (None, None, 4, 4)
    assert infer(Col2Im([4, 4], [2, 2], unbatched=True), None) is None


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ExtractImagePatches([3], [1, 1], [1, 1]), "sizes has 1 entries, allowed 2"),
        (lambda: ExtractImagePatches([3, 3], [0, 1], [1, 1]), r"strides\[0\] is 0, allowed 1 and more"),
        (lambda: ExtractImagePatches([3, 3], [1, 1], [1, 1], "explicit"), "auto_pad is 'explicit', allowed 'valid'"),
        (lambda: infer(ExtractImagePatches([1, 1], [1, 1], [1, 1]), (1, 2, 3)), "data has 3 axes, allowed 4"),
        (lambda: Col2Im([], []), "image_shape has 0 entries"),
        (lambda: Col2Im([-1], [1]), r"image_shape\[0\] is -1"),
        (lambda: Col2Im([4], [2, 2]), "block_shape has 2 entries, allowed 1"),
        (lambda: Col2Im([4], [0]), r"block_shape\[0\] is 0, allowed 1 and more"),
        (lambda: Col2Im([4], [2], begins=[-1]), r"begins\[0\] is -1, allowed 0 and more"),
        (lambda: Col2Im([4], [3], dilations=[2]), r"block_shape\[0\] is 3, allowed a window that reaches over 4"),
        (lambda: infer(Col2Im([4], [2]), (1, 2, 4)), "size of axis 2 of data is 4, allowed 3"),
        (lambda: infer(Col2Im([4], [2]), (1, 3, 3)), "size of axis 1 of data is 3, allowed multiples of 2"),
        (lambda: infer(Col2Im([4], [2]), (2, 3)), "data has 2 axes, allowed 3:"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        make()  # type: ignore[operator]


def test_what_cannot_be_added() -> None:
    for dtype in ("string", np.dtype("S3"), np.dtype("M8[s]"), np.dtype([("a", "u1")])):
        with pytest.raises(InvalidTypeError, match="allowed numbers and bool"):
            Col2Im([1], [1]).infer([TensorType(dtype, (1, 1, 1))])
