"""Numbers as the members of C structs hold them: UINT, UINT64, INT and FLOAT."""

from __future__ import annotations

import numpy as np

from wherry import arguments
from wherry.errors import InvalidTypeError, invalid, short


def as_uint(field: str, value: object, bits: int = 32) -> int:
    """Return `value` as an unsigned integer of `bits`, what a C struct member of that width can hold."""
    number = _as_integer(field, value)
    if not 0 <= number < 1 << bits:
        raise invalid(field, number, f"0..{(1 << bits) - 1}, an unsigned integer of {bits} bits")
    return number


def as_int(field: str, value: object) -> int:
    """Return `value` as a signed integer of 32 bits, C's INT."""
    number = _as_integer(field, value)
    if not -(2**31) <= number < 2**31:
        raise invalid(field, number, f"{-(2**31)}..{2**31 - 1}, a signed integer of 32 bits")
    return number


def as_float32(field: str, value: object) -> float:
    """Return a number as C's FLOAT holds it. Raises InvalidValueError beyond its range."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:  # the code of a caller's class may raise anything
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a number of float32's range") from None
    with np.errstate(over="ignore"):
        rounded = float(np.float32(number))
    if np.isinf(rounded) and not np.isinf(number):
        raise invalid(field, number, "numbers of float32's range")
    return rounded


def _as_integer(field: str, value: object) -> int:
    return arguments.as_int(field, value, "an integer")
