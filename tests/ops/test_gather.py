"""Gather: the reference against loops and NumPy, the core against the reference, bit for bit, and every refusal."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.strategies import ELEMENT_DTYPES, INDEX_DTYPES, distinct, sizes, strided
from wherry import reference
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError
from wherry.ops import Gather
from wherry.tensors import TensorType

RULES = ["raise", "clamp", "zero", "wrap"]
OVERLAPPING = np.lib.stride_tricks.as_strided(np.zeros(3), (2, 2), (8, 8))
SIGNS = ["from_end", "invalid"]


@st.composite
def gathers(draw: st.DrawFn, *, bad: bool) -> tuple[Gather, np.ndarray, np.ndarray]:
    """Return an operator with data and indices that fit it; with `bad`, indices around and far outside the axis."""
    shape = draw(sizes(4, 3).filter(len))
    axis = draw(st.integers(0, len(shape) - 1))
    batch_dims = draw(st.integers(0, min(axis, 2)))
    picked = shape[:batch_dims] + draw(sizes(2, 3))
    dtype = np.dtype(draw(st.sampled_from(INDEX_DTYPES)))
    size, limits = shape[axis], np.iinfo(dtype)
    low, high = (-size - 2, size + 2) if bad else (0 if dtype.kind == "u" else -size, size - 1)
    near = st.integers(max(low, limits.min), min(high, limits.max)) if low <= high else st.just(0)
    values = near | st.sampled_from([int(limits.min), int(limits.max), 2**32, 2**31]).filter(
        lambda v: limits.min <= v <= limits.max
    ) if bad else near  # fmt: skip
    count = int(np.prod(picked))
    flat = [draw(values) for _ in range(count)]
    indices = draw(strided(np.array(flat, dtype).reshape(picked), overlapping=True))
    data = draw(strided(distinct(shape, draw(st.sampled_from(ELEMENT_DTYPES))), overlapping=True))
    rule = draw(st.sampled_from(RULES))
    negative_axis = draw(st.booleans())
    operator = Gather(axis - len(shape) if negative_axis else axis, batch_dims, rule, draw(st.sampled_from(SIGNS)))
    return operator, data, indices


def fields(operator: Gather) -> dict[str, object]:
    return {"axis": operator.axis, "batch_dims": operator.batch_dims,
            "out_of_range": str(operator.out_of_range), "negative": str(operator.negative)}  # fmt: skip


@given(gathers(bad=True))
def test_core_agrees_with_the_reference(case: tuple[Gather, np.ndarray, np.ndarray]) -> None:
    operator, data, indices = case
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError) as error:
        with pytest.raises((IndexError, InvalidValueError)) as raised:
            wh.gather(data, indices, **fields(operator))
        assert isinstance(raised.value, IndexError) == isinstance(error, IndexError)
        return
    assert_same_bits(wh.gather(data, indices, **fields(operator)), expected)


@given(gathers(bad=True), st.data())
def test_a_strided_out_is_filled_or_left_alone(
    case: tuple[Gather, np.ndarray, np.ndarray], draw: st.DataObject
) -> None:
    operator, data, indices = case
    (kind,) = Gather(operator.axis, operator.batch_dims, "zero").infer([TensorType.of(data), TensorType.of(indices)])
    blank = np.full(kind.shape, np.frombuffer(b"\x5a" * data.itemsize, data.dtype)[0], data.dtype)
    out = draw.draw(strided(blank))
    try:
        (expected,) = reference.run(operator, [data, indices])
    except (IndexError, InvalidValueError):
        with pytest.raises((IndexError, InvalidValueError)):
            wh.gather(data, indices, **fields(operator), out=out)
        assert_same_bits(out.copy(), blank)
        return
    assert wh.gather(data, indices, **fields(operator), out=out) is out
    assert_same_bits(out.copy(), expected)


@pytest.mark.parametrize(("rule", "sign", "dtype"), list(product(RULES, SIGNS, INDEX_DTYPES)))
def test_every_index_of_a_small_axis(rule: str, sign: str, dtype: str) -> None:
    data = np.arange(10, 13)
    low = 0 if dtype.startswith("u") else -9
    for value in range(low, 10):
        position = value + 3 if value < 0 and sign == "from_end" else value
        inside = 0 <= position < 3
        if rule == "raise" and not inside:
            with pytest.raises(IndexOutOfRangeError, match=f"indices is {value}, allowed"):
                wh.gather(data, np.array(value, dtype), out_of_range=rule, negative=sign)
            continue
        expected = {"raise": position, "clamp": min(max(position, 0), 2), "zero": position, "wrap": value % 3}[rule]
        expected = position if inside else expected
        result = wh.gather(data, np.array(value, dtype), out_of_range=rule, negative=sign)
        assert result.shape == ()
        assert int(result) == (0 if rule == "zero" and not inside else 10 + expected)


@given(gathers(bad=False))
def test_good_indices_are_numpys_take(case: tuple[Gather, np.ndarray, np.ndarray]) -> None:
    operator, data, indices = case
    if operator.batch_dims or operator.negative == "invalid" or data.shape[operator.axis] == 0:
        return
    places = indices.astype(np.int64)
    taken = np.asarray(np.take(data, places, operator.axis)).astype(data.dtype)
    assert_same_bits(wh.gather(data, indices, operator.axis), taken)


def test_unsigned_values_are_not_negative() -> None:
    data = np.arange(5)
    top = np.array([2**64 - 1], np.uint64)
    assert wh.gather(data, top, out_of_range="clamp").tolist() == [4]
    assert wh.gather(data, top, out_of_range="wrap").tolist() == [(2**64 - 1) % 5]
    with pytest.raises(IndexError, match=r"indices\[0\] is 18446744073709551615, allowed -5..4"):
        wh.gather(data, top)


@pytest.mark.parametrize("rule", RULES)
def test_strings_and_objects(rule: str) -> None:
    data = np.array([["a", "bc"], ["", "é"], ["x", "y"]], object)
    for array in (data, data.astype("U2"), data.astype(np.dtypes.StringDType())):
        indices = np.array([[2, -1], [0, 1]], np.int8)
        result = wh.gather(array, indices, out_of_range=rule)
        assert result.dtype == array.dtype
        assert result.tolist() == array[indices].tolist()
    if rule == "raise":
        with pytest.raises(IndexError, match=r"indices\[1\] is -4"):
            wh.gather(data, [0, -4])
    else:
        expected = {"clamp": ["x", "y"], "zero": ["", ""], "wrap": data[7 % 3].tolist()}[rule]
        assert wh.gather(data, [7], out_of_range=rule).tolist() == [expected]


@given(gathers(bad=True))
def test_objects_agree_with_the_reference(case: tuple[Gather, np.ndarray, np.ndarray]) -> None:
    operator, data, indices = case
    words = np.array([f"{n}" for n in range(data.size)], object).reshape(data.shape)
    try:
        (expected,) = reference.run(operator, [words, indices])
    except (IndexError, InvalidValueError):
        with pytest.raises((IndexError, InvalidValueError)):
            wh.gather(words, indices, **fields(operator))
        return
    assert_same_bits(wh.gather(words, indices, **fields(operator)), expected)


def test_other_arrays_and_lists() -> None:
    class Foreign:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.array([1.5, 2.5])

    class Capsule:
        def __dlpack__(self, **options: object) -> object:
            return np.array([3, 4, 5]).__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    assert wh.gather(Foreign(), [1]).tolist() == [2.5]
    assert wh.gather(Capsule(), [2, 0]).tolist() == [5, 3]
    assert wh.gather(bytearray(b"abc"), memoryview(bytes([2]))).tolist() == [ord("c")]
    assert wh.gather([[1, 2], [3, 4]], 1, axis=1).tolist() == [2, 4]
    assert wh.gather(np.arange(3), []).tolist() == []


def test_big_endian_and_unaligned_indices() -> None:
    raw = np.zeros(9, np.uint8)
    unaligned = raw[1:].view("<i4")
    unaligned[...] = [2, -1]
    assert wh.gather(np.arange(3), unaligned).tolist() == [2, 2]
    assert wh.gather(np.arange(3), np.array([2, 0], ">i2")).tolist() == [2, 0]
    assert wh.gather(np.arange(3, dtype=">f8"), [1]).dtype == np.dtype(">f8")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (dict(axis=2), InvalidValueError, "wherry.gather: axis is 2, allowed -2..1; data has 2 axes"),
        (dict(axis=-3), InvalidValueError, "axis is -3, allowed -2..1"),
        (dict(axis="x"), InvalidTypeError, "axis is 'x', allowed one integer"),
        (dict(axis=1.0), InvalidTypeError, "axis is 1.0, allowed one integer"),
        (dict(batch_dims=1), InvalidValueError, "batch_dims is 1, allowed up to the axis, 0"),
        (dict(batch_dims=2, axis=1), InvalidValueError, "batch_dims is 2, allowed -1..1"),
        (dict(batch_dims=1, axis=1), InvalidValueError, "indices has size 2 on axis 0, allowed 3"),
        (dict(out_of_range="drop"), InvalidValueError, "out_of_range is 'drop', allowed 'raise', 'clamp'"),
        (dict(negative="yes"), InvalidValueError, "negative is 'yes', allowed 'from_end', 'invalid'"),
        (dict(indices=[0.0]), InvalidTypeError, "indices has dtype float64, allowed int8"),
        (dict(indices=np.array([True])), InvalidTypeError, "indices has dtype bool"),
        (dict(indices=["a"]), InvalidTypeError, "indices has dtype <U1"),
        (dict(indices=[[0], [0, 1]]), InvalidTypeError, "indices is a list whose parts differ in sizes"),
        (dict(data=np.float32(3)), InvalidValueError, "data is a scalar and has no axis"),
        (dict(indices=[5]), IndexOutOfRangeError, r"indices\[0\] is 5, allowed -3..2 \(axis 0 .* size 3\); correct"),
        (dict(indices=[[0, 1], [-4, 9]]), IndexOutOfRangeError, r"indices\[1, 0\] is -4, allowed -3..2"),
        (dict(indices=[-1], negative="invalid"), IndexOutOfRangeError, r"indices\[0\] is -1, allowed 0..2"),
        (dict(data=np.zeros((0, 2)), indices=[0]), IndexOutOfRangeError, "allowed none .axis 0 of data has size 0"),
        (dict(data=np.zeros((3, 0)), indices=[3]), IndexOutOfRangeError, r"indices\[0\] is 3"),
        (dict(data=np.zeros((0, 2)), out_of_range="clamp"), InvalidValueError, "size of axis 0 of data is 0"),
        (dict(data=np.zeros((0, 2)), out_of_range="wrap"), InvalidValueError, "wrap has no element to read"),
        (dict(out=np.zeros((3, 2))), InvalidValueError, r"out has sizes \[3, 2\], allowed \[2, 2\]"),
        (dict(out=np.zeros((2, 2), "f4")), InvalidTypeError, "out has dtype float32, allowed float64"),
        (dict(out=[[0, 0], [0, 0]]), InvalidTypeError, "out is a list, allowed a NumPy array"),
        (dict(out=np.broadcast_to(np.zeros(2), (2, 2))), InvalidValueError, "out is read-only"),
        (dict(out=OVERLAPPING), InvalidValueError, "overlap themselves"),
    ],
)  # fmt: skip
def test_refusals(arguments: dict[str, object], error: type[Exception], text: str) -> None:
    arguments = {"data": np.arange(6.0).reshape(3, 2), "indices": np.array([0, 1])} | arguments
    out = arguments.get("out")
    before = out.copy() if isinstance(out, np.ndarray) else None
    with pytest.raises(error, match=text):
        wh.gather(**arguments)
    if before is not None:
        assert_same_bits(np.array(out), before)


def test_empty_indices_need_no_element() -> None:
    for rule in RULES:
        assert wh.gather(np.zeros((0, 2)), np.zeros(0, int), out_of_range=rule).shape == (0, 2)
    assert wh.gather(np.zeros((0, 2)), [1], out_of_range="zero").tolist() == [[0, 0]]


@pytest.mark.parametrize("rule", RULES)
def test_out_that_shares_memory_is_as_if_copied_first(rule: str) -> None:
    table = np.arange(20.0).reshape(10, 2)
    expected = table[[3, 2, 1]]
    assert np.array_equal(wh.gather(table, [3, 2, 1], out=table[1:4], out_of_range=rule), expected)
    indices = np.array([3, 2, 1, 0])
    data = np.array([7, 8, 9, 10])
    assert wh.gather(data, indices, out=indices, out_of_range=rule).tolist() == [10, 9, 8, 7]


def test_infer_with_unknown_sizes() -> None:
    data = TensorType("float32", ("N", 4, None))
    (kind,) = Gather(1).infer([data, TensorType("int32", ("M", 2))])
    assert kind == TensorType("float32", ("N", "M", 2, None))
    assert Gather(0).infer([TensorType("int8", None), TensorType("int32", (1,))])[0].sizes is None
    assert Gather(1, 1).infer([data, TensorType("int64", (5, 2))])[0].sizes == (5, 2, None)
