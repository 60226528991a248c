"""The one table of element types: our name, bits, NumPy dtype, and each dialect's name for it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from wherry.errors import InvalidTypeError, short


@dataclass(frozen=True)
class DType:
    """An element type: how it is called by each dialect and how NumPy holds it.

    `bits` is the width in files and dense buffers; NumPy holds types narrower than a byte in one byte each.
    `held_as` is NumPy's own type, uint8 for the codes of a type that arrays do not have (nf4, u1, u3, u6), or None for
    a type that ml_dtypes has under our name.
    A dialect's name is None where the dialect does not know the type.

    >>> find("float16").bits, find("float16").openvino, find("float16").directml
    (16, 'f16', 'FLOAT16')
    """

    name: str
    bits: int
    kind: str
    held_as: Any
    onnx: str | None = None
    openvino: str | None = None
    openvino_port: str | None = None
    directml: str | None = None

    def __hash__(self) -> int:
        return hash(self.name)  # one for each row; all fields would be looked at whenever a type is

    @cached_property
    def numpy(self) -> np.dtype[Any]:
        """How NumPy holds it. To import ml_dtypes takes a second (0.7), so that is done for the first of its types."""
        held_as = getattr(_ml_dtypes(), self.name) if self.held_as is None else self.held_as
        found: np.dtype[Any] = np.dtype(held_as)
        return found

    @property
    def is_integer(self) -> bool:
        """Whether values are whole numbers (signed or unsigned, not bool)."""
        return self.kind in ("int", "uint")

    @property
    def is_string(self) -> bool:
        """Whether elements are strings, held as Python objects."""
        return self.kind == "string"

    @property
    def has_own_numpy(self) -> bool:
        """Whether NumPy can tell this type from every other one."""
        return of_native(self.numpy) is self

    def __str__(self) -> str:
        return self.name


# name, bits, kind, NumPy (None: ml_dtypes), ONNX schema name, OpenVINO element_type, OpenVINO port precision, DirectML
TABLE: tuple[DType, ...] = (
    DType("bool", 8, "bool", np.bool_, "bool", "boolean", "BOOL", None),
    DType("int8", 8, "int", np.int8, "int8", "i8", "I8", "INT8"),
    DType("int16", 16, "int", np.int16, "int16", "i16", "I16", "INT16"),
    DType("int32", 32, "int", np.int32, "int32", "i32", "I32", "INT32"),
    DType("int64", 64, "int", np.int64, "int64", "i64", "I64", "INT64"),
    DType("uint8", 8, "uint", np.uint8, "uint8", "u8", "U8", "UINT8"),
    DType("uint16", 16, "uint", np.uint16, "uint16", "u16", "U16", "UINT16"),
    DType("uint32", 32, "uint", np.uint32, "uint32", "u32", "U32", "UINT32"),
    DType("uint64", 64, "uint", np.uint64, "uint64", "u64", "U64", "UINT64"),
    DType("float16", 16, "float", np.float16, "float16", "f16", "FP16", "FLOAT16"),
    DType("float32", 32, "float", np.float32, "float", "f32", "FP32", "FLOAT32"),
    DType("float64", 64, "float", np.float64, "double", "f64", "FP64", "FLOAT64"),
    DType("bfloat16", 16, "float", None, "bfloat16", "bf16", "BF16", None),
    DType("complex64", 64, "complex", np.complex64, "complex64", None, None, None),
    DType("complex128", 128, "complex", np.complex128, "complex128", None, None, None),
    DType("string", 8, "string", object, "string", "string", "STRING", None),
    DType("float8_e4m3fn", 8, "float", None, "float8e4m3fn", "f8e4m3", "F8E4M3", None),
    DType("float8_e4m3fnuz", 8, "float", None, "float8e4m3fnuz", None, None, None),
    DType("float8_e5m2", 8, "float", None, "float8e5m2", "f8e5m2", "F8E5M2", None),
    DType("float8_e5m2fnuz", 8, "float", None, "float8e5m2fnuz", None, None, None),
    DType("float8_e8m0fnu", 8, "float", None, "float8e8m0", "f8e8m0", "F8E8M0", None),
    DType("float4_e2m1fn", 4, "float", None, "float4e2m1", "f4e2m1", "F4E2M1", None),
    DType("int4", 4, "int", None, "int4", "i4", "I4", "INT4"),
    DType("uint4", 4, "uint", None, "uint4", "u4", "U4", "UINT4"),
    DType("int2", 2, "int", None, "int2", None, None, None),
    DType("uint2", 2, "uint", None, "uint2", "u2", "U2", None),
    DType("nf4", 4, "code", np.uint8, None, "nf4", "NF4", None),
    DType("uint1", 1, "code", np.uint8, None, "u1", "BIN", None),
    DType("uint3", 3, "code", np.uint8, None, "u3", "U3", None),
    DType("uint6", 6, "code", np.uint8, None, "u6", "U6", None),
)  # fmt: skip

UNKNOWN = DType("unknown", 8, "unknown", np.dtype("V1"))
"""The element type of a tensor of which not even that is known; it is in no table, and holds no data."""

_BY_NAME = {dtype.name: dtype for dtype in TABLE}
_BY_NUMPY: dict[np.dtype[Any], DType] = {}
for _dtype in TABLE:
    if _dtype.held_as is not None:
        _BY_NUMPY.setdefault(_dtype.numpy, _dtype)

STRING = _BY_NAME["string"]


def of(dtype: object) -> DType | None:
    """Return the table's row for a NumPy dtype, or None for one that no dialect knows (dates, records ...).

    >>> of(np.dtype("float32")).name
    'float32'
    """
    numpy_dtype = np.dtype(dtype)  # type: ignore[call-overload]
    found = of_native(numpy_dtype)
    if found is not None:
        return found
    if numpy_dtype.kind in "USTO":
        return STRING
    return of_native(native(numpy_dtype))


def of_native(dtype: np.dtype[Any]) -> DType | None:
    """Return the first row that NumPy holds as this dtype, in the machine's byte order; strings as objects alone."""
    found = _BY_NUMPY.get(dtype)
    if found is None and "ml_dtypes" in sys.modules:  # else there is no dtype of its
        _ml_dtypes()
        found = _BY_NUMPY.get(dtype)
    return found


@cache
def _ml_dtypes() -> Any:
    import ml_dtypes

    _BY_NUMPY.update({np.dtype(getattr(ml_dtypes, row.name)): row for row in TABLE if row.held_as is None})
    return ml_dtypes


def finfo(dtype: np.dtype[Any]) -> Any:
    """Return what np.finfo tells of a float type, of those of ml_dtypes too.

    >>> finfo(find("bfloat16").numpy).nmant
    7
    """
    return np.finfo(dtype) if dtype.isbuiltin == 1 else _ml_dtypes().finfo(dtype)


def native(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a dtype in the byte order of the machine; strings of any width have none."""
    return dtype if dtype.kind == "T" else dtype.newbyteorder("=")


def without_strings(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return an equal dtype that owns no strings; each array of StringDType has one of its own, which does."""
    return np.empty(0, dtype).dtype if dtype.kind == "T" else dtype


def by_name(name: str) -> DType | None:
    """Return the row of our own name, or None where there is none.

    >>> by_name("float8_e5m2").bits
    8
    """
    return _BY_NAME.get(name)


def find(name: object) -> DType:
    """Return the row called `name`: our name, a NumPy dtype, or anything that NumPy reads as one.

    Raises InvalidTypeError where there is none.

    >>> find("bfloat16").bits
    16
    """
    row = row_of(name)
    if row is None:
        raise _unknown(name)
    return row


def row_of(name: object) -> DType | None:
    """Return the row called `name`, or None for a type that no dialect knows. Raises InvalidTypeError for no type."""
    if isinstance(name, DType):
        return name
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    return of(numpy_of(name))


def numpy_of(name: object) -> np.dtype[Any]:
    """Return the NumPy dtype that holds `name`: our name, a row of the table, or anything that NumPy reads as one.

    Raises InvalidTypeError where there is none.

    >>> numpy_of("bfloat16"), numpy_of("S5")
    (dtype(bfloat16), dtype('S5'))
    """
    if isinstance(name, np.dtype):
        return name
    if isinstance(name, DType):
        return name.numpy
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name].numpy
    found = _read(name)
    if found is None and isinstance(name, str):
        _ml_dtypes()  # has more types than the table, and makes NumPy know their names
        found = _read(name)
    if found is None:
        raise _unknown(name)
    return found


def _read(name: object) -> np.dtype[Any] | None:
    try:
        return None if name is None else np.dtype(name)  # type: ignore[call-overload]
    except Exception:  # TypeError, ValueError, and whatever a class of the caller's raises
        return None  # as for None, which NumPy reads as float64


def _unknown(name: object) -> InvalidTypeError:
    return InvalidTypeError(f"dtype is {short(name)}, allowed {', '.join(_BY_NAME)}")


@cache
def by_spelling(dialect: str) -> dict[str, DType]:
    """Return the rows of a dialect by its own names; `dialect` is onnx, openvino, openvino_port or directml.

    >>> by_spelling("directml")["UINT8"].name
    'uint8'
    """
    return {getattr(row, dialect): row for row in TABLE if getattr(row, dialect) is not None}
