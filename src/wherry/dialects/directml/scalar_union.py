"""ScalarUnion: DML_SCALAR_UNION, eight bytes that another member says how to read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from wherry import errors
from wherry.arguments import as_int
from wherry.dialects.directml.enums import DataType, as_data_type
from wherry.errors import InvalidTypeError, invalid, short

_BYTES = 8


@dataclass(frozen=True)
class ScalarUnion:
    """The eight bytes of the C union; two are equal if their bytes are.

    >>> ScalarUnion.of(-7, "INT16").element("INT16"), ScalarUnion.of(1, "FLOAT16").element("UINT16")
    (np.int16(-7), np.uint16(15360))
    """

    content: bytes

    def __post_init__(self) -> None:
        if not isinstance(self.content, bytes) or len(self.content) != _BYTES:
            raise InvalidTypeError(f"content is {short(self.content)}, allowed {_BYTES} bytes", "DirectML ScalarUnion")

    @classmethod
    def of(cls, value: object, data_type: object) -> ScalarUnion:
        """Return the union that holds a number as `data_type`; the bytes behind it are zero.

        A NumPy scalar of that type keeps its bits. FLOAT16 lies as its bit pattern, as in the C union.
        Raises InvalidTypeError for what is no number, InvalidValueError for one beyond the type.
        """
        with errors.subject("DirectML ScalarUnion"):
            return as_union("value", value, as_data_type(data_type))

    def element(self, data_type: object) -> np.generic:
        """Return the value as a NumPy scalar of `data_type`, bit by bit."""
        return cast(np.generic, np.frombuffer(self.content, _numpy("value", as_data_type(data_type)), 1)[0])


def as_union(field: str, value: object, data_type: DataType) -> ScalarUnion:
    """Return the union that `value` is, or that holds it as `data_type`; see ScalarUnion.of."""
    if isinstance(value, ScalarUnion):
        return value
    dtype = _numpy(field, data_type)
    if isinstance(value, (np.generic, np.ndarray)) and value.dtype == dtype and value.size == 1:
        return ScalarUnion(value.tobytes().ljust(_BYTES, b"\0"))
    number = _integer(field, value, dtype) if dtype.kind in "iu" else _float(field, value, dtype)
    return ScalarUnion(number.tobytes().ljust(_BYTES, b"\0"))


def _numpy(field: str, data_type: DataType) -> np.dtype[Any]:
    row = data_type.dtype
    if row is None or row.bits < 8:
        raise InvalidTypeError(f"{field} has the type {data_type.name}, allowed a type of 8 bits and more")
    return row.numpy


def _integer(field: str, value: object, dtype: np.dtype[Any]) -> np.generic:
    number = as_int(field, value, f"an integer, as its type is {dtype}")
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise invalid(field, number, f"{limits.min}..{limits.max}, the range of {dtype}")
    return cast(np.generic, dtype.type(number))


def _float(field: str, value: object, dtype: np.dtype[Any]) -> np.generic:
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:  # the code of a caller's class may raise anything
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a number of the range of {dtype}") from None
    with np.errstate(over="ignore"):
        element = dtype.type(number)
    if np.isinf(element) and not math.isinf(number):
        raise invalid(field, number, f"numbers of the range of {dtype}")
    return cast(np.generic, element)
