"""Tensors in ONNX files: TensorProto and SparseTensorProto from and to arrays, with every length checked first."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import SparseTensorProto, TensorProto

from wherry import dtypes
from wherry.dialects.elements import codes, utf8
from wherry.dialects.onnx.external import Folder, Place
from wherry.dtypes import DType
from wherry.errors import FileFormatError, SizeOverflowError, UnsupportedError
from wherry.layout import LIMIT
from wherry.limits import check_bytes, check_ndim

Array = NDArray[Any]

DENSE_LIMIT = 2**31 - 1
"""The most bytes that a sparse tensor may take when made dense: what one ONNX file could hold as a dense tensor."""

_SMALL = 1024
"""Constants of up to so many bytes stay in the file: shape inference may read them."""

# The typed field of each element type that does not use int32_data, with the type of its entries.
_FIELDS: dict[str, tuple[str, type[np.generic]]] = {
    "float32": ("float_data", np.float32),
    "complex64": ("float_data", np.float32),
    "float64": ("double_data", np.float64),
    "complex128": ("double_data", np.float64),
    "int64": ("int64_data", np.int64),
    "uint32": ("uint64_data", np.uint64),
    "uint64": ("uint64_data", np.uint64),
    "string": ("string_data", np.object_),
}
_ALL_FIELDS = frozenset(("float_data", "double_data", "int32_data", "int64_data", "uint64_data", "string_data"))


_NUMBERS = frozenset(TensorProto.DataType.values())


def element_type(number: int, where: str) -> DType:
    """Return the element type that a number of TensorProto.DataType means."""
    found = _found_type(number)
    if found is not None:
        return found
    if number not in _NUMBERS or number == TensorProto.UNDEFINED:
        raise FileFormatError(f"{where} has element type number {number}, which TensorProto.DataType does not define")
    raise UnsupportedError(f"{where} has element type {TensorProto.DataType.Name(number)}, which wherry does not have")


@cache
def _found_type(number: int) -> DType | None:
    if number not in _NUMBERS:
        return None
    return dtypes.by_spelling("onnx").get(TensorProto.DataType.Name(number).lower())


def type_number(dtype: DType) -> int:
    """Return the number of TensorProto.DataType for an element type that ONNX has."""
    return int(TensorProto.DataType.Value(str(dtype.onnx).upper()))


class Store:
    """Where the tensors of one model lie: the folder of external data, and how much sparse ones have taken so far."""

    def __init__(self, folder: Folder | None = None) -> None:
        self.folder = folder
        self._dense = self._sparse = 0

    def kept_bytes(self, tensor: TensorProto) -> NDArray[np.uint8] | None:
        """Return the bytes of a tensor that stay in the model's file, None where it holds them, or names another."""
        if self.folder is None or tensor.data_location != TensorProto.EXTERNAL:
            return None
        return self.folder.own_bytes(tensor.external_data)

    def count_dense(self, dense: int, sparse: int) -> None:
        """Count a sparse tensor's bytes. Raises ResourceLimitError where all of them take too many when made dense."""
        self._dense, self._sparse = self._dense + dense, self._sparse + sparse
        check_bytes(self._dense, "sparse tensors, made dense,", self._sparse)


def decode(proto: TensorProto, where: str, store: Store) -> Array:
    """Return the array that a TensorProto holds; read-only where it shares the file's bytes.

    Raises FileFormatError for data that does not fit type and sizes, or lies outside the folder; SizeOverflowError for
    sizes beyond 64-bit arithmetic, ResourceLimitError for more axes or bytes than are allowed.
    """
    dtype = element_type(proto.data_type, where)
    sizes = _checked_sizes(proto.dims, dtype, where)
    present = {field.name: value for field, value in proto.ListFields()}
    if "segment" in present:
        raise UnsupportedError(f"{where} is one segment of a larger tensor")
    filled = [name for name in present if name in _ALL_FIELDS]
    raw = present.get("raw_data")
    if raw or (raw is not None and not filled):
        filled.append("raw_data")
    count = math.prod(sizes)
    if present.get("data_location") == TensorProto.EXTERNAL:
        if filled:
            raise FileFormatError(f"{where} has external data and {filled[0]}, allowed one of them")
        return _external(proto, dtype, count, where, store.folder).reshape(sizes)
    if "external_data" in present:
        raise FileFormatError(f"{where} has external_data, but its data_location is not EXTERNAL")
    field = _FIELDS.get(dtype.name, ("int32_data", np.int32))[0]
    for name in filled:
        if name not in (field, "raw_data") or len(filled) > 1:
            raise FileFormatError(f"{where} of type {dtype} has {' and '.join(filled)}, allowed {field} or raw_data")
    if raw is not None and filled == ["raw_data"]:
        return _from_raw(raw, dtype, count, where).reshape(sizes)
    return _from_field(proto, dtype, count, where).reshape(sizes)


def _checked_sizes(dims: Sequence[int], dtype: DType, where: str) -> tuple[int, ...]:
    check_ndim(len(dims), where)
    sizes = tuple(dims)
    for axis, size in enumerate(sizes):
        if size < 0:
            raise FileFormatError(f"{where} has size {size} on axis {axis}, allowed 0 and more")
    if math.prod(size for size in sizes if size) * dtype.numpy.itemsize > LIMIT:
        raise SizeOverflowError(f"{where} has sizes {list(sizes)}, more than {LIMIT} bytes of {dtype}")
    return sizes


def _bytes_needed(dtype: DType, count: int) -> int:
    return -(-count * dtype.bits // 8)


def _external(proto: TensorProto, dtype: DType, count: int, where: str, folder: Folder | None) -> Array:
    if folder is None:
        raise FileFormatError(
            f"{where} has external data, but the model has no folder; load its file, or pass base_dir to read_proto"
        )
    if dtype.is_string:
        raise FileFormatError(f"{where} is of strings and has external data, allowed string_data")
    data = folder.read(Place.of(proto.external_data, where), _bytes_needed(dtype, count), where)
    return _from_raw(data, dtype, count, where)


def _from_raw(data: bytes | NDArray[np.uint8], dtype: DType, count: int, where: str) -> Array:
    if dtype.is_string:
        raise FileFormatError(f"{where} is of strings and has raw_data, allowed string_data")
    needed = _bytes_needed(dtype, count)
    if len(data) != needed:
        raise FileFormatError(f"{where} has {len(data)} bytes of raw data, its type and sizes need {needed}")
    if dtype.bits < 8:
        return unpacked(np.frombuffer(data, np.uint8), dtype, count)
    array = np.frombuffer(data, dtype.numpy)
    if sys.byteorder == "big":
        width = dtype.numpy.itemsize // (2 if dtype.kind == "complex" else 1)
        array = array.view(f"u{width}").byteswap().view(dtype.numpy)
    if dtype.kind == "bool":
        _refuse_outside(array.view(np.uint8), 0, 1, where)
    array.flags.writeable = False
    return array


def unpacked(packed: NDArray[np.uint8], dtype: DType, count: int) -> Array:
    """Return elements narrower than a byte, one in each byte; the first lies in the lowest bits."""
    shifts = np.arange(0, 8, dtype.bits, dtype=np.uint8)
    codes = (packed[:, None] >> shifts) & np.uint8(2**dtype.bits - 1)
    return codes.ravel()[:count].view(dtype.numpy)


def _from_field(proto: TensorProto, dtype: DType, count: int, where: str) -> Array:
    field, entry = _FIELDS.get(dtype.name, ("int32_data", np.int32))
    values = getattr(proto, field)
    needed = {"complex": 2 * count}.get(dtype.kind, _bytes_needed(dtype, count) if dtype.bits < 8 else count)
    if len(values) != needed:
        raise FileFormatError(f"{where} has {len(values)} entries in {field}, its type and sizes need {needed}")
    if dtype.is_string:
        return _strings(values, where)
    array = np.array(values, entry)
    if field in ("float_data", "double_data", "int64_data") or dtype.name in ("int32", "uint64"):
        return array.view(dtype.numpy)
    if dtype.bits < 8:
        _refuse_outside(array, 0, 255, where)
        return unpacked(array.astype(np.uint8), dtype, count)
    if dtype.is_integer:
        limits = np.iinfo(dtype.name)
        _refuse_outside(array, int(limits.min), int(limits.max), where)
        return array.astype(dtype.numpy)
    _refuse_outside(array, 0, 1 if dtype.kind == "bool" else 2**dtype.bits - 1, where)
    return array.astype(f"u{dtype.numpy.itemsize}").view(dtype.numpy)


def _refuse_outside(array: Array, lowest: int, highest: int, where: str) -> None:
    bad = np.flatnonzero((array < lowest) | (array > highest))
    if bad.size:
        raise FileFormatError(f"{where} has {array[bad[0]]} as element {bad[0]}, allowed {lowest}..{highest}")


def _strings(values: Sequence[bytes], where: str) -> Array:
    array = np.empty(len(values), object)
    for number, value in enumerate(values):
        try:
            array[number] = value.decode("utf-8")
        except UnicodeDecodeError:
            raise FileFormatError(f"{where} has a string that is not UTF-8 as element {number}") from None
    return array


def decode_sparse(proto: SparseTensorProto, where: str, store: Store) -> Array:
    """Return the dense array of a SparseTensorProto; what it does not name is zero, or an empty string.

    Raises FileFormatError for indices that are out of range, repeated or not ascending; SizeOverflowError where the
    dense array would be larger than a file could hold, ResourceLimitError where those of the model together are.
    """
    values = decode(proto.values, f"the values of {where}", store)
    indices = decode(proto.indices, f"the indices of {where}", store)
    dtype = dtypes.of(values.dtype)
    assert dtype is not None
    sizes = _checked_sizes(proto.dims, dtype, where)
    if math.prod(sizes) * values.itemsize > DENSE_LIMIT:
        raise SizeOverflowError(f"{where} has sizes {list(sizes)}, dense more than {DENSE_LIMIT} bytes of {dtype}")
    if values.ndim != 1 or indices.dtype != np.int64 or indices.shape not in (values.shape, (len(values), len(sizes))):
        raise FileFormatError(f"{where} has {list(values.shape)} values and {indices.dtype}{list(indices.shape)} "
                              f"indices, allowed int64[n] or int64[n, {len(sizes)}] for [n] values")  # fmt: skip
    flat = _linear(indices, sizes, where)
    if np.any(flat[1:] <= flat[:-1]):
        raise FileFormatError(f"the indices of {where} are not ascending, or one is repeated")
    store.count_dense(math.prod(sizes) * values.itemsize, values.nbytes + indices.nbytes)
    dense = np.full(math.prod(sizes), "", object) if dtype.is_string else np.zeros(math.prod(sizes), values.dtype)
    dense[flat] = values
    return dense.reshape(sizes)


def _linear(indices: Array, sizes: tuple[int, ...], where: str) -> NDArray[np.int64]:
    """Return indices as positions in row-major order, each checked against its axis."""
    limits = np.array(sizes if indices.ndim == 2 else math.prod(sizes), np.int64)
    bad = np.argwhere((indices < 0) | (indices >= limits))
    if len(bad):
        raise FileFormatError(f"the indices of {where} have {indices[tuple(bad[0])]} at {bad[0].tolist()}, outside "
                              f"sizes {list(sizes)}")  # fmt: skip
    if indices.ndim == 1:
        return indices
    if not sizes:
        return np.zeros(len(indices), np.int64)
    return np.ravel_multi_index(tuple(indices.T), sizes) if len(indices) else np.zeros(0, np.int64)


def encode(array: Array, name: str) -> TensorProto:
    """Return the TensorProto of an array: strings as UTF-8, all else as raw data.

    Raises UnsupportedError for an element type that ONNX does not have, and what `utf8` and `codes` raise.
    """
    dtype = dtypes.of(array.dtype)
    if dtype is None or dtype.onnx is None:
        raise UnsupportedError(f"tensor {name!r} has dtype {array.dtype}, which ONNX does not have")
    proto = TensorProto(name=name, data_type=type_number(dtype), dims=array.shape)
    if dtype.is_string:
        proto.string_data.extend(utf8(array, f"tensor {name!r}"))
    elif dtype.bits < 8:
        proto.raw_data = packed(codes(array, dtype, f"tensor {name!r}"), dtype).tobytes()
    else:
        proto.raw_data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
    return proto


def packed(codes: NDArray[np.uint8], dtype: DType) -> NDArray[np.uint8]:
    """Return codes of elements narrower than a byte as the bytes of a file; see `unpacked`."""
    per_byte = 8 // dtype.bits
    padded = np.zeros(-(-codes.size // per_byte) * per_byte, np.uint8)
    padded[: codes.size] = codes
    shifted = padded.reshape(-1, per_byte) << np.arange(0, 8, dtype.bits, dtype=np.uint8)
    packed: NDArray[np.uint8] = np.bitwise_or.reduce(shifted, axis=1)
    return packed


def is_weight(value: Array) -> bool:
    """Whether a constant is large, and its bytes can lie beside a file as they lie in memory."""
    dtype = dtypes.of(value.dtype)
    is_plain = dtype is not None and dtype.onnx is not None and dtype.bits >= 8 and not dtype.is_string
    return value.nbytes > _SMALL and is_plain


def reference(name: str, value: Array, location: str, offset: int = 0) -> TensorProto:
    """Return a tensor whose bytes lie beside the file: in another one, from an offset on."""
    dtype = dtypes.of(value.dtype)
    assert dtype is not None
    found = TensorProto(name=name, data_type=type_number(dtype), dims=value.shape)
    found.data_location = TensorProto.EXTERNAL
    for key, text in (("location", location), ("offset", str(offset)), ("length", str(value.nbytes))):
        found.external_data.add(key=key, value=text)
    return found
