"""What comes in as an array, and what is refused: docs/arrays.md, line by line."""

from __future__ import annotations

import array
import ctypes
import decimal
import enum
import sys
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.support import libraries as library
from wherry.arrays.anywhere import as_array, as_indices, first_no_string
from wherry.errors import InvalidTypeError, InvalidValueError, WherryError


class Number(enum.IntEnum):
    ONE = 1


class Record(ctypes.Structure):
    _fields_ = (("small", ctypes.c_int32), ("large", ctypes.c_int32))


class Interface:
    """An object with `__array_interface__`, as it is given."""

    def __init__(self, array: np.ndarray, **changes: Any):
        self.owner = array
        self.__array_interface__ = {**array.__array_interface__, **changes}


class Converting:
    """An object with `__array__`, and what it says of itself."""

    def __init__(self, result: Any, **said: Any):
        self.result = result
        vars(self).update(said)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.result


VECTOR = np.array([3, 1, 2])
MASKED = np.ma.array([3, 1, 2], mask=[0, 1, 0])
RECORDS = np.array([(1, 2.5), (3, 4.5)], [(("a title", "a"), "i1"), ("b", "f8")])

TAKEN: list[tuple[str, Any, np.ndarray]] = [
    ("array", VECTOR, VECTOR),
    ("swapped bytes", VECTOR.astype(">i4"), VECTOR.astype(">i4")),
    ("matrix", np.array([[1, 2]]).view(np.matrix), np.array([[1, 2]])),
    ("records", RECORDS, RECORDS),
    ("recarray", RECORDS.view(np.recarray), RECORDS),
    ("date", np.datetime64("2020-01-02"), np.array("2020-01-02", "M8[D]")),
    ("masked, no mask", np.ma.array([1, 2]), np.array([1, 2])),
    ("masked, none is", np.ma.array([1, 2], mask=[0, 0]), np.array([1, 2])),
    ("masked records, none is", np.ma.array(RECORDS), RECORDS),
    ("number", 5, np.array(5)),
    ("float", -0.0, np.array(-0.0)),
    ("truth", True, np.array(True)),
    ("enum of numbers", Number.ONE, np.array(1)),
    ("text", "abc", np.array("abc")),
    ("list", [[1, 2], (3, 4)], np.array([[1, 2], [3, 4]])),
    ("list of truths and numbers", [True, 2], np.array([1, 2])),
    ("list of numbers", [1, 2.5, float("nan")], np.array([1, 2.5, np.nan])),
    ("list of large numbers", [2**64 - 1, 2**63], np.array([2**64 - 1, 2**63], np.uint64)),
    ("list of arrays", [VECTOR, [4, 5, 6]], np.array([[3, 1, 2], [4, 5, 6]])),
    ("list of scalars", [np.float32(1.5), np.float32(2.5)], np.array([1.5, 2.5], np.float32)),
    ("empty list", [], np.array([])),
    ("range", range(2, 8, 3), np.array([2, 5])),
    ("empty range", range(0), np.array([], np.int64)),
    ("bytearray", bytearray(b"ab"), np.array([97, 98], np.uint8)),
    ("memoryview of truths", memoryview(bytes([0, 1])).cast("?"), np.array([False, True])),
    ("memoryview of letters", memoryview(b"ab").cast("c"), np.array([b"a", b"b"])),
    ("strided memoryview", memoryview(VECTOR)[::-2], VECTOR[::-2]),
    ("array.array", array.array("h", [1, -2]), np.array([1, -2], np.int16)),
    ("ctypes", (ctypes.c_int32 * 2)(1, 2), np.array([1, 2], np.int32)),
    ("ctypes records", (Record * 1)(Record(1, 2)), np.array([(1, 2)], [("small", "i4"), ("large", "i4")])),
    ("interface", Interface(VECTOR), VECTOR),
    ("__array__", Converting(VECTOR), VECTOR),
    ("__array__ of a matrix", Converting(np.array([[1]]).view(np.matrix)), np.array([[1]])),
    ("DLPack", library.Exchanged(VECTOR[::2]), VECTOR[::2]),
    ("DLPack, pinned by CUDA", library.Exchanged(VECTOR, (3, 0)), VECTOR),
    ("labelled", library.Labelled(VECTOR), VECTOR),
    ("torch", library.Tensor(VECTOR), VECTOR),
    ("torch, negative", library.Tensor(VECTOR, neg=True), -VECTOR),
    ("torch, conjugate", library.Tensor(np.array([1 + 2j]), conj=True), np.array([1 - 2j])),
    ("torch, both", library.Tensor(np.array([1 + 2j]), conj=True, neg=True), np.array([-1 + 2j])),
    ("pandas", library.Column([1, 2], np.dtype("int64")), np.array([1, 2])),
    ("pandas, own type", library.Column([1, 2], SimpleNamespace(numpy_dtype=np.dtype("i8"))), np.array([1, 2])),
    ("pyarrow", library.ArrowArray([1, 2], "int64"), np.array([1, 2])),
    ("pyarrow lists of one size",
     library.ArrowArray([[1, 2], [3, 4], [5, 6]], "fixed_size_list<item: int64>[2]",
                        library.ArrowArray([1, 2, 3, 4, 5, 6], "int64"), 2), np.array([[1, 2], [3, 4], [5, 6]])),
]  # fmt: skip

REFUSED: list[tuple[str, Any, type[WherryError], str]] = [
    ("None", None, InvalidTypeError, "data is None, allowed an array on the CPU"),
    ("masked", MASKED, InvalidValueError, r"numpy.MaskedArray with masked elements.*\.filled\(value\)"),
    ("masked scalar", np.ma.masked, InvalidValueError, "with masked elements"),
    ("masked records", np.ma.array(RECORDS, mask=[(0, 1), (0, 0)]), InvalidValueError, "with masked elements"),
    ("list of masked", [MASKED, MASKED], InvalidValueError, r"data\[0\] is a numpy.MaskedArray"),
    ("__array__ of masked", Converting(MASKED), InvalidValueError, "with masked elements"),
    ("masked by interface", Interface(VECTOR, mask=VECTOR), InvalidTypeError, "with a mask"),
    ("unit", VECTOR.view(library.Quantity), InvalidTypeError, "Quantity with a unit"),
    ("unit beside", library.Length(VECTOR), InvalidTypeError, r"unit would be lost; pass \.magnitude"),
    ("set", {1}, InvalidTypeError, "data is a set"),
    ("dict", {}, InvalidTypeError, "data is a dict"),
    ("generator", (n for n in "a"), InvalidTypeError, "data is a generator"),
    ("deque", deque([1]), InvalidTypeError, "data is a collections.deque"),
    ("enum", enum.Enum("Kind", "A").A, InvalidTypeError, "is a Kind|Kind"),
    ("Decimal", decimal.Decimal(1), InvalidTypeError, "data is a decimal.Decimal"),
    ("Fractions", [Fraction(1, 2)], InvalidTypeError, r"data\[0\] is a fractions.Fraction"),
    ("list with None", [[1], [None]], InvalidTypeError, r"data\[1\]\[0\] is None"),
    ("list of text and numbers", ["a", 1], InvalidValueError, r"data has 1, which is '1' in an array of <U"),
    ("list of text and bytes", [b"a", "b"], InvalidValueError, "data has b'a', which is 'a'"),
    ("text that ends in NUL", ["a\0"], InvalidValueError, r"data has 'a\\x00', which is 'a'"),
    ("bytes that end in NUL", b"a\0", InvalidValueError, r"data has b'a\\x00', which is b'a'"),
    ("large number", 2**64, InvalidTypeError, "integers of more than 64 bits"),
    ("large numbers", [1, -(2**63) - 1], InvalidTypeError, "integers of more than 64 bits"),
    ("numbers of no type", [2**63, -1], InvalidValueError, "integers that no one type of 64 bits holds"),
    ("numbers that round", [2**53 + 1, 0.5], InvalidValueError, "9007199254740993, which is 9007199254740992.0"),
    ("scalars that round", [np.int64(2**53 + 1), np.float32(1)], InvalidValueError, "9007199254740993, which is"),
    ("ragged", [[1], [2, 3]], InvalidTypeError, "data is a list whose parts differ in sizes"),
    ("number among lists", [[1, 2], 3], InvalidTypeError, "data is a list whose parts differ in sizes"),
    ("objects of two kinds", [np.array(["a"], object), ["b"]], InvalidTypeError, "elements of several types"),
    ("large range", range(2**63, 2**63 + 2), InvalidValueError, "is 9.22"),
    ("class", int, InvalidTypeError, "data is a type"),
    ("DLPack elsewhere", library.Exchanged(VECTOR, (2, 1)), InvalidTypeError, r"device 2 \(1\), allowed .* CPU"),
    ("other sizes", Converting(VECTOR, shape=(4,)), InvalidTypeError, r"of sizes \(4,\), but gives .* \[3\]"),
    ("other type", Converting(VECTOR, dtype=np.dtype("f4")), InvalidTypeError, "of float32, but gives .* int64"),
    ("object", Converting(np.array(None)), InvalidTypeError, "data is a tests.Converting, allowed an array"),
    ("sparse", library.Sparse(), InvalidTypeError, r"that is sparse.*\.todense\(\)"),
    ("lazy", library.Lazy(), InvalidTypeError, r"not computed yet; pass \.compute\(\)"),
    ("labelled and lazy", library.Labelled(library.Lazy()), InvalidTypeError, "not computed yet"),
    ("torch, gradients", library.Tensor(VECTOR, requires_grad=True), InvalidTypeError, r"gradients.*\.detach\(\)"),
    ("torch, quantized", library.Tensor(VECTOR, is_quantized=True), InvalidTypeError, r"scale.*\.dequantize\(\)"),
    ("torch, nested", library.Tensor(VECTOR, is_nested=True), InvalidTypeError, "parts differ in sizes"),
    ("torch, sparse", library.Tensor(VECTOR, layout="torch.sparse_coo"), InvalidTypeError, r"not dense.*to_dense\(\)"),
    ("torch, meta", library.Tensor(VECTOR, device=SimpleNamespace(type="meta")), InvalidTypeError, r"pass \.cpu\(\)"),
    ("torch, half complex", library.Tensor(VECTOR, "complex32"), InvalidTypeError, "of torch.complex32, which NumPy"),
    ("torch, 4 bits", library.Tensor(VECTOR, "uint4"), InvalidTypeError, "of torch.uint4, which NumPy"),
    ("pandas, missing", library.Column([1, None], SimpleNamespace()), InvalidValueError,
     r"pandas.Column of which 1 of 2 elements have no value.*fillna"),
    ("pandas, categories", library.Column([1], SimpleNamespace()), InvalidTypeError, "allowed the types of NumPy"),
    ("pyarrow, null", library.ArrowArray([1, None], "int64"), InvalidValueError, "1 of 2 elements have.*fill_null"),
    ("pyarrow, null in a list",
     library.ArrowArray([[1, 2], [3, 4]], "fixed_size_list<item: int64>[2]",
                        library.ArrowArray([1, 2, None, 4], "int64"), 2), InvalidValueError, "1 of 4 elements"),
    ("pyarrow, dictionary", library.ArrowArray([1], "dictionary<values=string>"), InvalidTypeError, "of dictionary"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), [one[1:] for one in TAKEN], ids=[one[0] for one in TAKEN])
def test_is_taken(value: Any, expected: np.ndarray) -> None:
    found = as_array(value, "data")
    assert type(found) is np.ndarray
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("value", "error", "words"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_is_refused(value: Any, error: type[WherryError], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        as_array(value, "data")
    assert type(caught.value) is error
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_torch_types_of_ml_dtypes_are_taken_bit_by_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(int8=np.int8, int16=np.int16))
    expected = np.array([1.0, 2.0, 4.0]).astype(getattr(ml_dtypes, name))
    bits = expected.view(f"i{expected.itemsize}")
    found = as_array(library.Tensor(bits, name), "data")
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()
    assert np.shares_memory(found, bits)


SHARED = (VECTOR.view(np.recarray), np.ma.array([1, 2]), bytearray(b"ab"), library.Tensor(VECTOR),
          library.Exchanged(VECTOR), library.Labelled(VECTOR))  # fmt: skip


@pytest.mark.parametrize("value", SHARED, ids=lambda value: type(value).__name__)
def test_memory_is_shared(value: Any) -> None:
    found, again = as_array(value, "data"), as_array(value, "data")
    assert np.shares_memory(found, again)


def _fails(error: BaseException) -> Callable[..., Any]:
    def method(*arguments: Any, **options: Any) -> Any:
        raise error

    return method


def test_errors_of_other_libraries_are_told_in_a_line() -> None:
    value = type("Odd", (), {"__array__": _fails(RuntimeError("first line\nsecond line"))})()
    with pytest.raises(InvalidTypeError, match=r"data is a tests?\.Odd, allowed .*: first line$"):
        as_array(value, "data")


def test_dlpack_without_the_type_falls_back_on_the_array_protocol() -> None:
    refuses = _fails(BufferError("no such type"))
    given = {"__array__": lambda self, dtype=None, copy=None: self.array}
    both = type("Both", (library.Exchanged,), {"__dlpack__": refuses, **given})
    assert as_array(both(VECTOR), "data") is VECTOR
    alone = type("Alone", (library.Exchanged,), {"__dlpack__": refuses})
    with pytest.raises(InvalidTypeError, match="no such type"):
        as_array(alone(VECTOR), "data")


CALLS: list[Callable[[Any], Any]] = [
    lambda value: wh.gather(value, [0]),
    lambda value: wh.gather(VECTOR, value),
    lambda value: wh.gather(VECTOR, [0, 1, 2], out=value),
    lambda value: wh.concat([VECTOR, value]),
    lambda value: wh.split(value, 3),
    lambda value: wh.copy(value, VECTOR.copy()),
    lambda value: wh.copy(VECTOR, value),
    lambda value: wh.onnx.gather(value, [0]),
    lambda value: wh.onnx.concat([VECTOR, value], axis=0),
    lambda value: wh.openvino.gather(value, [0], 0),
    wh.ops.Constant,
    lambda value: wh.ops.Compress(value.astype(bool)),
    lambda value: wh.ops.Fill(value[1:2], (2,)),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_every_way_in_refuses_masks(number: int) -> None:
    with pytest.raises(InvalidValueError, match="with masked elements"):
        CALLS[number](MASKED.copy())


def test_outputs_that_mask_nothing_are_written() -> None:
    out = np.ma.array([0, 0, 0])
    assert wh.gather(VECTOR, [0, 1, 2], out=out) is out
    np.testing.assert_array_equal(out.data, VECTOR)


def test_results_are_plain() -> None:
    parts = wh.split(np.array([[1, 2], [3, 4]]).view(np.matrix), 2)
    assert [type(part) for part in parts] == [np.ndarray] * 2


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2])
def test_narrow_indices(dtype: Any) -> None:
    for _ in range(3):  # by moves, and then by a program
        np.testing.assert_array_equal(wh.gather(VECTOR, np.array([1, 0]).astype(dtype)), [1, 3])
    if np.dtype(dtype).name.startswith("int"):
        np.testing.assert_array_equal(wh.gather(VECTOR, np.array([-1, -2]).astype(dtype)), [2, 1])


@pytest.mark.parametrize(("indices", "words"), [
    (None, "indices is None, allowed an array"),
    ("abc", "indices has dtype <U3, allowed int8"),
    ([1.5], "indices has dtype float64, allowed int8"),
    ([True], "indices has dtype bool, allowed int8"),
    (np.array([1], object), r"indices\[0\] is a Python object \(int\), allowed integers"),
])  # fmt: skip
def test_indices_that_are_none(indices: Any, words: str) -> None:
    with pytest.raises(InvalidTypeError, match=words):
        wh.gather(VECTOR, indices)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_object_among_strings_is_found_wherever_it_stands(place: int) -> None:
    data = np.array(["a", b"b", "c"], object)
    assert first_no_string(data) is None
    data[place] = 7
    assert first_no_string(data) == ((place,), 7)
    for mixed in (data, np.array([["a"] * 3, data], object)[:, ::-1]):
        for _ in range(2):
            with pytest.raises(
                InvalidTypeError, match=r"OpenVINO Concat-1: inputs\[0\]\[.*\] is a .*\(int\), allowed str"
            ):
                wh.openvino.concat([mixed, mixed], 0)
            with pytest.raises(InvalidTypeError, match=r"OpenVINO Gather-8: data\[.*\] is a .*\(int\), allowed str"):
                wh.openvino.gather(mixed, [0], 0)
            with pytest.raises(
                InvalidTypeError, match=r"ONNX Concat-13: inputs\[0\]\[.*\] is a .*\(int\), allowed str"
            ):
                wh.onnx.concat([mixed, mixed], axis=0)


def test_an_empty_list_is_a_list_of_indices() -> None:
    assert as_indices([]).dtype == np.int64
    assert as_indices(np.array([])).dtype == np.float64


def _numbers() -> Iterator[Any]:
    yield st.booleans()
    yield st.integers(-(2**65), 2**65)
    yield st.floats()
    yield st.complex_numbers()
    yield st.text(max_size=3)
    yield st.binary(max_size=3)
    yield st.floats(width=32).map(np.float32)
    yield st.integers(0, 255).map(np.uint8)


@given(st.lists(st.one_of(*_numbers()), max_size=5))
def test_a_list_keeps_every_element_or_is_refused(values: list[Any]) -> None:
    try:
        found = as_array(values, "data").tolist()
    except WherryError:
        return
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    assert len(found) == len(plain)
    for given_value, kept in zip(plain, found, strict=True):
        assert kept == given_value or (np.isnan(kept) and np.isnan(given_value))
