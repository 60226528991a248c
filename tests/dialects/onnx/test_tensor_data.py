"""Tensors in files: every element type by raw data and by typed fields, and every damage."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import SparseTensorProto, TensorProto, numpy_helper

from tests.dialects.onnx.models import tensor
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.dialects.onnx.tensor_data import Store, decode, decode_sparse, encode, type_number
from wherry.dtypes import DType
from wherry.errors import FileFormatError, ResourceLimitError, SizeOverflowError, UnsupportedError

ONNX_TYPES = [dtype for dtype in dtypes.TABLE if dtype.onnx]


def every_bit_pattern(dtype: DType, count: int) -> np.ndarray:
    """Return an array of random bits of the type, each element within its width."""
    rng = np.random.default_rng(count)
    if dtype.is_string:
        return np.array([["", "é", "bcd", "\U0001f6a2"][n % 4] for n in range(count)], object)
    raw = rng.integers(0, 2 if dtype.kind == "bool" else 2 ** min(dtype.bits, 8), count * dtype.numpy.itemsize)
    return raw.astype(np.uint8).view(dtype.numpy)


@pytest.mark.parametrize("dtype", ONNX_TYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3,), (2, 0, 3), (5, 3)])
def test_round_trip(dtype: DType, shape: tuple[int, ...]) -> None:
    array = every_bit_pattern(dtype, int(np.prod(shape))).reshape(shape)
    proto = encode(array, "t")
    assert_same_bits(decode(proto, "t", Store()), array)
    if array.size and not dtype.is_string:
        assert_same_bits(numpy_helper.to_array(proto), array)


@pytest.mark.parametrize("dtype", ONNX_TYPES, ids=str)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 8])
def test_typed_fields_as_the_onnx_package_writes_them(dtype: DType, count: int) -> None:
    bits = every_bit_pattern(dtype, count)
    if dtype.kind in ("float", "complex"):  # the package converts numbers, not bits
        bits = np.nan_to_num(bits.astype(np.complex128 if dtype.kind == "complex" else np.float64), posinf=1, neginf=2)
        bits = bits.astype(dtype.numpy)
    proto = onnx.helper.make_tensor("t", type_number(dtype), [count], bits)
    assert not proto.HasField("raw_data")
    expected = bits if dtype.is_string else numpy_helper.to_array(proto)
    assert_same_bits(decode(proto, "t", Store()), expected)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e5m2], ids=str)
def test_bits_in_int32_data_survive(dtype: np.dtype) -> None:
    dtype = np.dtype(dtype)
    codes = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")
    proto = tensor(type_number(dtypes.of(dtype)), [len(codes)], int32_data=codes.tolist())
    assert_same_bits(decode(proto, "t", Store()), codes.view(dtype))


def test_first_element_lies_in_the_lowest_bits() -> None:
    four = tensor(TensorProto.INT4, [3], raw_data=b"\xf1\x0e")
    assert decode(four, "t", Store()).astype(int).tolist() == [1, -1, -2]
    two = tensor(TensorProto.UINT2, [5], int32_data=[0b11100100, 0b01])
    assert decode(two, "t", Store()).astype(int).tolist() == [0, 1, 2, 3, 1]


@given(st.binary(max_size=64))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        proto = TensorProto.FromString(data)
    except Exception:  # protobuf's own words; the reader wraps them
        return
    try:
        array = decode(proto, "t", Store())
    except (FileFormatError, SizeOverflowError, UnsupportedError):
        return
    assert array.shape == tuple(proto.dims)


F32 = TensorProto.FLOAT
DAMAGES = {
    "short": (tensor(F32, [3], raw_data=bytes(11)), "has 11 bytes of raw data, its type and sizes need 12"),
    "long": (tensor(F32, [3], raw_data=bytes(13)), "has 13 bytes of raw data, its type and sizes need 12"),
    "short int4": (tensor(TensorProto.INT4, [3], raw_data=bytes(1)), "has 1 bytes of raw data, .* need 2"),
    "few floats": (tensor(F32, [3], float_data=[1.0]), "has 1 entries in float_data, its type and sizes need 3"),
    "half a complex": (tensor(TensorProto.COMPLEX64, [1], float_data=[1.0]), "has 1 entries in float_data, .* need 2"),
    "no data": (tensor(F32, [3]), "has 0 entries in float_data, .* need 3"),
    "wrong field": (tensor(F32, [1], int32_data=[1]), "of type float32 has int32_data, allowed float_data or raw_data"),
    "two fields": (tensor(F32, [1], float_data=[1.0], raw_data=bytes(4)), "has float_data and raw_data, allowed"),
    "negative size": (tensor(F32, [-1]), "has size -1 on axis 0, allowed 0 and more"),
    "no type": (tensor(0, [1]), "has element type number 0"),
    "unknown type": (tensor(99, [1]), "has element type number 99"),
    "int8 range": (tensor(TensorProto.INT8, [2], int32_data=[1, 128]), r"has 128 as element 1, allowed -128\.\.127"),
    "uint32 range": (tensor(TensorProto.UINT32, [1], uint64_data=[2**32]), r"has 4294967296 as element 0, allowed 0"),
    "float16 bits": (tensor(TensorProto.FLOAT16, [1], int32_data=[-1]), r"has -1 as element 0, allowed 0\.\.65535"),
    "bool": (tensor(TensorProto.BOOL, [2], int32_data=[0, 2]), r"has 2 as element 1, allowed 0\.\.1"),
    "raw bool": (tensor(TensorProto.BOOL, [2], raw_data=b"\x01\x07"), r"has 7 as element 1, allowed 0\.\.1"),
    "packed": (tensor(TensorProto.INT4, [2], int32_data=[256]), r"has 256 as element 0, allowed 0\.\.255"),
    "raw string": (
        tensor(TensorProto.STRING, [1], raw_data=b"a"),
        "is of strings and has raw_data, allowed string_data",
    ),
    "not utf-8": (
        tensor(TensorProto.STRING, [1], string_data=[b"\xff"]),
        "has a string that is not UTF-8 as element 0",
    ),
    "stray external": (tensor(F32, [0], external_data=[{"key": "location", "value": "x"}]), "is not EXTERNAL"),
    "no folder": (
        tensor(F32, [1], data_location=1, external_data=[{"key": "location", "value": "x"}]),
        "pass base_dir",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damages(name: str) -> None:
    proto, text = DAMAGES[name]
    with pytest.raises(FileFormatError, match=f"tensor 't' {text}|tensor 't' .*{text}"):
        decode(proto, "tensor 't'", Store())


@pytest.mark.parametrize("dims", [[2**62, 2], [2**32, 2**32], [2**63 - 1] * 8, [0, 2**62, 2]])
def test_sizes_beyond_64_bits_are_refused_before_anything_is_allocated(dims: list[int]) -> None:
    with pytest.raises(
        SizeOverflowError, match=r"'t' has sizes \[.*\], more than 9223372036854775807 bytes of float32"
    ):
        decode(tensor(F32, dims), "'t'", Store())


def test_too_many_axes() -> None:
    with pytest.raises(ResourceLimitError, match="has 65 axes, allowed up to 64"):
        decode(tensor(F32, [1] * 65, raw_data=bytes(4)), "t", Store())


@pytest.mark.parametrize("name", ["FLOAT6E2M3", "FLOAT6E3M2"])
def test_types_that_wherry_lacks_are_named(name: str) -> None:
    if name not in tuple(TensorProto.DataType.keys()):
        pytest.skip("this onnx package does not have the type")
    with pytest.raises(UnsupportedError, match=f"has element type {name}, which wherry does not have"):
        decode(tensor(TensorProto.DataType.Value(name), [1]), "t", Store())


def test_a_segment_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="is one segment of a larger tensor"):
        decode(tensor(F32, [1], raw_data=bytes(4), segment={"begin": 0, "end": 1}), "t", Store())


def test_types_that_onnx_lacks_are_named() -> None:
    with pytest.raises(UnsupportedError, match=r"tensor 't' has dtype datetime64\[s\], which ONNX does not have"):
        encode(np.zeros(1, "M8[s]"), "t")


def sparse(values: np.ndarray, indices: np.ndarray, dims: list[int]) -> SparseTensorProto:
    return SparseTensorProto(values=encode(values, "s"), indices=encode(indices, "i"), dims=dims)


def test_sparse_tensors_become_dense() -> None:
    values = np.array([1.5, 2.5], np.float32)
    expected = np.array([[0, 1.5, 0], [0, 0, 2.5]], np.float32)
    for indices in (np.array([1, 5]), np.array([[0, 1], [1, 2]])):
        assert_same_bits(decode_sparse(sparse(values, indices, [2, 3]), "s", Store()), expected)
    words = decode_sparse(sparse(np.array(["a"], object), np.array([1]), [2]), "s", Store())
    assert words.tolist() == ["", "a"]
    nothing = decode_sparse(sparse(values[:0], np.zeros((0, 2), np.int64), [2, 3]), "s", Store())
    assert_same_bits(nothing, np.zeros((2, 3), np.float32))


SPARSE_DAMAGES = {
    "out of range": ([6, 7], "have 6 at \\[0\\], outside sizes \\[2, 3\\]"),
    "negative": ([-1, 2], "have -1 at \\[0\\], outside"),
    "axis": ([[0, 1], [0, 3]], "have 3 at \\[1, 1\\], outside"),
    "descending": ([2, 1], "are not ascending, or one is repeated"),
    "repeated": ([1, 1], "are not ascending, or one is repeated"),
    "count": ([1], "allowed int64\\[n\\] or int64\\[n, 2\\] for \\[n\\] values"),
    "axes": ([[[1]]], "allowed int64\\[n\\]"),
}


@pytest.mark.parametrize("name", SPARSE_DAMAGES)
def test_sparse_damages(name: str) -> None:
    indices, text = SPARSE_DAMAGES[name]
    with pytest.raises(FileFormatError, match=text):
        decode_sparse(sparse(np.ones(2, np.float32), np.array(indices), [2, 3]), "s", Store())


def test_a_small_file_cannot_ask_for_a_huge_dense_tensor() -> None:
    with pytest.raises(SizeOverflowError, match="dense more than 2147483647 bytes of float32"):
        decode_sparse(sparse(np.ones(1, np.float32), np.array([0]), [2**40]), "s", Store())
