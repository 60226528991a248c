"""GatherND: the core against the reference and NumPy, examples of the specifications, every refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, distinct, index_arrays, sizes, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.ops import GatherND
from wherry.tensors import TensorType

RULES = ["raise", "clamp", "zero", "wrap"]


@st.composite
def cases(draw: st.DrawFn, *, bad: bool, words: bool = False) -> tuple[GatherND, np.ndarray, np.ndarray]:
    shape = draw(sizes(5, 3).filter(len))
    batch_dims = draw(st.integers(0, min(len(shape) - 1, 2)))
    length = draw(st.integers(0, len(shape) - batch_dims))
    picked = (*shape[:batch_dims], *draw(sizes(2, 3)), length)
    indexed = shape[batch_dims : batch_dims + length]
    indices = draw(index_arrays(picked, indexed or (1,), bad=bad))
    if words:
        data = np.array([f"{n}" for n in range(int(np.prod(shape)))], object).reshape(shape)
    else:
        data = draw(strided(distinct(shape, draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    rules = draw(st.sampled_from(RULES)), draw(st.sampled_from(["from_end", "invalid"])), draw(st.booleans())
    return GatherND(batch_dims, *rules), data, indices


def agrees(operator: GatherND, data: np.ndarray, indices: np.ndarray) -> None:
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError) as error:
        with pytest.raises((IndexError, InvalidValueError)) as raised:
            apply(operator, [data, indices], "test")
        assert isinstance(raised.value, IndexError) == isinstance(error, IndexError)
        return
    assert_same_bits(apply(operator, [data, indices], "test")[0], expected)


@given(cases(bad=True))
def test_core_agrees_with_the_reference(case: tuple[GatherND, np.ndarray, np.ndarray]) -> None:
    agrees(*case)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("rows", [(), (2,), (2, 1)])
def test_objects_by_several_columns(rows: tuple[int, ...], columns: int) -> None:
    data = np.array([f"{n}" for n in range(24)], object).reshape(2, 3, 4)
    indices = np.random.default_rng(0).integers(-2, 2, (*rows, columns))
    agrees(GatherND(), data, indices)
    agrees(GatherND(0, "zero", "from_end"), data, indices + 1)


@given(cases(bad=True, words=True))
def test_objects_agree_with_the_reference(case: tuple[GatherND, np.ndarray, np.ndarray]) -> None:
    agrees(*case)


@given(cases(bad=True), st.data())
def test_a_strided_out_is_filled_or_left_alone(
    case: tuple[GatherND, np.ndarray, np.ndarray], draw: st.DataObject
) -> None:
    operator, data, indices = case
    zero = GatherND(operator.batch_dims, "zero", merge_batch=operator.merge_batch)
    (kind,) = zero.infer([TensorType.of(data), TensorType.of(indices)])
    blank = np.full(kind.shape, np.frombuffer(b"\x5a" * data.itemsize, data.dtype)[0], data.dtype)
    out = draw.draw(strided(blank))
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError):
        expected = blank
        with pytest.raises((IndexError, InvalidValueError)):
            apply(operator, [data, indices], "test", out)
    else:
        apply(operator, [data, indices], "test", out)
    assert_same_bits(out.copy(), expected)


@given(cases(bad=False))
def test_good_tuples_are_numpys_indexing(case: tuple[GatherND, np.ndarray, np.ndarray]) -> None:
    operator, data, indices = case
    if operator.batch_dims or operator.negative == "invalid" or 0 in data.shape or not indices.shape[-1]:
        return
    columns = tuple(np.moveaxis(indices.astype(np.int64), -1, 0))
    picked = np.asarray(data[columns]).astype(data.dtype)
    assert_same_bits(apply(operator, [data, indices], "test")[0], picked)


CUBE = np.arange(8).reshape(2, 2, 2)


@pytest.mark.parametrize(
    ("operator", "data", "indices", "expected"),
    [
        # ONNX GatherND, examples 1 to 5
        (GatherND(), [[0, 1], [2, 3]], [[0, 0], [1, 1]], [0, 3]),
        (GatherND(), [[0, 1], [2, 3]], [[1], [0]], [[2, 3], [0, 1]]),
        (GatherND(), CUBE, [[0, 1], [1, 0]], [[2, 3], [4, 5]]),
        (GatherND(), CUBE, [[[0, 1]], [[1, 0]]], [[[2, 3]], [[4, 5]]]),
        (GatherND(1), CUBE, [[1], [0]], [[2, 3], [4, 5]]),
        # OpenVINO GatherND-8 and GatherND-5
        (GatherND(2), np.arange(1, 25).reshape(2, 3, 4), np.array([1, 0, 2, 0, 2, 2]).reshape(2, 3, 1, 1),
         [[[2], [5], [11]], [[13], [19], [23]]]),
        (GatherND(2, merge_batch=True), np.arange(1, 25).reshape(2, 3, 4),
         np.array([1, 0, 2, 0, 2, 2]).reshape(2, 3, 1, 1), [[2], [5], [11], [13], [19], [23]]),
        # DirectML GATHER_ND1
        (GatherND(1), np.arange(12).reshape(3, 2, 2), [[[0, 0], [1, 1]], [[1, 1], [0, 0]], [[0, 1], [1, 0]]],
         [[0, 3], [7, 4], [9, 10]]),
        # edges: a scalar, whole slices
        (GatherND(), [[0, 1], [2, 3]], [1, 0], 2),
        (GatherND(), [1, 2], np.zeros((2, 0), int), [[1, 2], [1, 2]]),
        (GatherND(1), [[1, 2], [3, 4]], np.zeros((2, 0), int), [[1, 2], [3, 4]]),
    ],
)  # fmt: skip
def test_examples_of_the_specifications(operator: GatherND, data: object, indices: object, expected: object) -> None:
    assert apply(operator, [np.array(data), np.array(indices)], "test")[0].tolist() == expected


@pytest.mark.parametrize(
    ("fields", "data", "indices", "text"),
    [
        (dict(batch_dims=-1), (2,), (1, 1), "batch_dims is -1, allowed 0 and more"),
        (dict(batch_dims=1), (2,), (2, 1), "batch_dims is 1, allowed 0..0; data and indices both have more axes"),
        (dict(batch_dims=2), (2, 2, 2), (2, 2), "batch_dims is 2, allowed 0..1"),
        (dict(batch_dims=1), (2, 2), (1, 1), "indices has size 1 on axis 0, allowed 2"),
        (dict(), (2, 2), (1, 3), "size of axis 1 of indices is 3, allowed 0..2; data has 2 axes"),
        (dict(batch_dims=1), (2, 2), (2, 2), "is 2, allowed 0..1; .* behind 1 batch axes"),
        (dict(), (2, 2), (), "indices is a scalar, allowed 1 axis and more"),
        (dict(out_of_range="wrap"), (2, 0), (3, 2), "size of axis 1 of data is 0"),
        (dict(out_of_range="skip"), (2, 2), (3, 2), "out_of_range is 'skip'"),
    ],
)
def test_refusals(fields: dict, data: tuple, indices: tuple, text: str) -> None:
    with pytest.raises(InvalidValueError, match=text):
        apply(GatherND(**fields), [np.zeros(data), np.zeros(indices, int)], "test")
    with pytest.raises(InvalidTypeError, match="merge_batch is 1, allowed True or False"):
        GatherND(merge_batch=1)


def test_the_first_bad_index_is_named_with_its_axis() -> None:
    data = np.zeros((4, 2, 3))
    indices = np.array([[[0, 0], [3, 1]], [[3, -2], [0, 2]]])
    with pytest.raises(
        IndexOutOfRangeError, match=r"X: indices\[1, 1, 1\] is 2, allowed -2..1 \(axis 1 of data has size 2"
    ):
        apply(GatherND(), [data, indices], "X")
    indices[1, 0, 0] = -5
    with pytest.raises(IndexOutOfRangeError, match=r"indices\[1, 0, 0\] is -5, allowed -4..3 \(axis 0 of data"):
        apply(GatherND(), [data, indices], "X")
    with pytest.raises(IndexOutOfRangeError, match=r"indices\[0\] is 7, allowed 0..3"):
        apply(GatherND(negative="invalid"), [data, np.array([7], np.uint64)], "X")


def test_many_tuples() -> None:
    rng = np.random.default_rng(0)
    data = rng.integers(0, 1 << 60, (30, 40, 50, 3))
    indices = np.stack([rng.integers(-n, n, 30_000) for n in (30, 40, 50)], -1).astype(np.int32)
    assert np.array_equal(apply(GatherND(), [data, indices], "X")[0], data[tuple(indices.T)])
    batched = indices[:, :2].reshape(30, 1000, 2) % [40, 50]
    expected = np.stack([data[n][tuple(batched[n].T)] for n in range(30)])
    assert np.array_equal(apply(GatherND(1), [data, batched], "X")[0], expected)


def test_infer_with_unknown_sizes() -> None:
    data = TensorType("float32", ("N", 4, None, 5))
    assert GatherND().infer([data, TensorType("int64", ("M", 2))])[0].sizes == ("M", None, 5)
    assert GatherND(1).infer([data, TensorType("int64", (7, "M", 1))])[0].sizes == (7, "M", None, 5)
    assert GatherND(1, merge_batch=True).infer([data, TensorType("int64", (None, "M", 1))])[0].sizes == (
        None,
        "M",
        None,
        5,
    )
    assert GatherND().infer([data, TensorType("int64", ("M", None))])[0].sizes is None
    assert GatherND().infer([TensorType("int8", None), TensorType("int64", (3, 2))])[0].sizes is None


def test_whole_slices_may_be_refused() -> None:
    data, none = np.arange(6).reshape(2, 3), np.zeros((2, 0), np.int64)
    assert apply(GatherND(), [data, none], "test")[0].shape == (2, 2, 3)
    with pytest.raises(InvalidValueError, match=r"^test: size of the last axis of indices is 0, allowed 1 and more$"):
        apply(GatherND(least_indices=1), [data, none], "test")
    with pytest.raises(InvalidValueError, match="least_indices is -1, allowed 0 and more"):
        GatherND(least_indices=-1)
