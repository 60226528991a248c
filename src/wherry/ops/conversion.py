"""The arithmetic of Cast: numbers of one element type as another, each result rounded once."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dtypes import DType

Array = NDArray[Any]


class IntegerOverflow(StrEnum):
    """What becomes of an integer that the destination, an integer type, does not hold."""

    WRAP = "wrap"
    """Its higher bits are dropped: modulo 2 to the number of bits."""
    SATURATE = "saturate"
    """The nearest end of the destination's range."""


class FloatToInteger(StrEnum):
    """What becomes of a float that, truncated, the destination, an integer type, does not hold."""

    SATURATE = "saturate"
    """The nearest end of the range; NaN becomes 0."""
    INDEFINITE = "indefinite"
    """As x86 processors do it: truncated to int32 (to int64 for uint32 and 64-bit types), where whatever does not fit
    becomes the least integer; then higher bits are dropped. A uint64 takes floats from -2**63 up to 2**64; what is
    greater becomes 0, all others 2**63."""


class FloatOverflow(StrEnum):
    """What becomes of a number beyond the greatest finite one of the destination, a float type, once rounded."""

    INFINITY = "infinity"
    """Infinity with its sign; NaN in a type without infinities; the greatest number in a type with neither."""
    SATURATE = "saturate"
    """The greatest finite number with its sign; for infinities too."""


class Rounding(StrEnum):
    """Which of two neighbours a float between them becomes."""

    NEAREST_EVEN = "nearest_even"
    """The nearer; of two equally near the one whose last bit is 0."""
    NEAREST_UP = "nearest_up"
    """The nearer; of two equally near the greater magnitude."""
    UP = "up"
    """The greater magnitude."""
    DOWN = "down"
    """The lesser magnitude."""


def to_integer(values: Array, to: DType, from_float: FloatToInteger, overflow: IntegerOverflow) -> Array:
    """Return bools, integers or floats as the integer type `to`; floats are truncated."""
    row = row_of(values)
    if row.kind == "float":
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes quiet, and is no number of the type either way
            wide = values.astype(np.float32 if row.bits < 32 else row.numpy, copy=False)
            if _holds(wide, to):
                return _in_range(wide, to)
            return _float_to_integer(wide.astype(np.float64), to, from_float)
    wide = values.astype(_widened(row))
    return _wrapped(wide if overflow is IntegerOverflow.WRAP else _saturated(wide, *integer_range(to)), to)


def to_float(
    values: Array,
    to: DType,
    overflow: FloatOverflow = FloatOverflow.INFINITY,
    rounding: Rounding = Rounding.NEAREST_EVEN,
) -> Array:
    """Return bools, integers or floats as the float type `to`; each result is rounded once."""
    row = row_of(values)
    wide = values if row.kind == "float" else values.astype(_widened(row))
    with np.errstate(over="ignore", invalid="ignore"):
        if to.name == "float8_e8m0fnu":
            return _to_scale(_through_odd(wide).astype(np.float64), overflow, rounding)
        if to.bits >= 32 or (to.name == "float16" and row.kind == "float" and row.bits >= 32):
            narrow = row.kind == "float" and row.bits < 32
            result = wide.astype(np.float32 if narrow else wide.dtype, copy=False).astype(to.numpy)
        else:
            result = _through_odd(wide).astype(to.numpy)
        return _with_greatest(result, wide, to) if overflow is FloatOverflow.SATURATE else result


def to_bool(values: Array, nan_is_true: bool) -> Array:
    """Return whether bools, integers or floats are not zero."""
    row = row_of(values)
    if row.kind != "float":
        return np.asarray(values.astype(_widened(row)) != 0)
    wide = values.astype(np.float32 if row.bits < 32 else values.dtype)
    return np.asarray((wide != 0) & (nan_is_true | ~np.isnan(wide)))


def row_of(values: Array) -> DType:
    """Return the row of the table of element types for an array's dtype."""
    return dtypes.find(values.dtype)


def integer_range(row: DType) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type."""
    return (-(2 ** (row.bits - 1)), 2 ** (row.bits - 1) - 1) if row.kind == "int" else (0, 2**row.bits - 1)


def _widened(row: DType) -> np.dtype[Any]:
    return np.dtype(np.int64 if row.kind == "int" else np.uint64)


def _saturated(values: Array, least: int, most: int) -> Array:
    if values.dtype.kind == "u":
        return np.minimum(values, np.uint64(most))
    return np.asarray(np.clip(values, least, min(most, 2**63 - 1)))


def _wrapped(values: Array, to: DType) -> Array:
    if to.bits >= 8:
        return values.astype(to.numpy)
    low = (values & values.dtype.type(2**to.bits - 1)).astype(np.int8)
    half = 2 ** (to.bits - 1)
    return np.asarray(((low ^ half) - half) if to.kind == "int" else low).astype(to.numpy)


def _holds(values: Array, to: DType) -> bool:
    """Whether all floats, truncated, are in the range of an integer type; NaN is not."""
    least, most = integer_range(to)
    return values.size == 0 or bool(float(values.min()) > least - 1 and float(values.max()) < most + 1)


def _in_range(values: Array, to: DType) -> Array:
    return values.astype(to.numpy if to.bits >= 8 else np.int8).astype(to.numpy, copy=False)


def _float_to_integer(values: Array, to: DType, rule: FloatToInteger) -> Array:
    whole = np.trunc(values)
    if rule is FloatToInteger.SATURATE:
        least, most = integer_range(to)
        fits = (whole >= least) & (whole < most + 1)  # most + 1 is a power of two: exact as a float
        held = np.where(fits, whole, 0).astype(np.uint64 if to.name == "uint64" else np.int64)
        held[whole >= most + 1] = most
        held[whole < least] = least
        return _wrapped(held, to)
    if to.name == "uint64":
        upper = (whole >= 2.0**63) & (whole < 2.0**64)
        lower = (whole >= -(2.0**63)) & (whole < 2.0**63)
        bits = np.where(lower, whole, 0).astype(np.int64).view(np.uint64)
        bits = np.where(upper, np.where(upper, whole, 0).astype(np.uint64), bits)
        above = np.where(whole >= 2.0**64, np.uint64(0), np.uint64(2**63))
        return np.asarray(np.where(upper | lower, bits, above))
    width = 64 if to.bits == 64 or to.name == "uint32" else 32
    fits = (whole >= -(2.0 ** (width - 1))) & (whole < 2.0 ** (width - 1))
    return _wrapped(np.where(fits, whole, -(2.0 ** (width - 1))).astype(np.int64), to)


def _through_odd(values: Array) -> Array:
    """Return numbers as float32 rounded to odd, from where one more rounding, to a narrower type, is exact."""
    if values.dtype.kind in "iu":
        if values.size == 0 or (values.min() >= -(2**24) and values.max() <= 2**24):
            return values.astype(np.float32)
        low = values & values.dtype.type(2**11 - 1)
        large = np.abs(values.astype(np.float64)) >= 2.0**53
        sticky = (values - low) | (low != 0).astype(values.dtype) * values.dtype.type(2**11)
        values = np.where(large, sticky, values).astype(np.float64)
    if row_of(values).bits <= 32:
        return values.astype(np.float32)
    nearest = values.astype(np.float32)
    back = nearest.astype(np.float64)
    is_even = (nearest.view(np.uint32) & 1) == 0
    inexact = (back != values) & is_even & np.isfinite(values)
    towards = np.where(values > back, np.float32(np.inf), np.float32(-np.inf))
    return np.where(inexact, np.nextafter(nearest, towards), nearest).astype(np.float32)


def _with_greatest(result: Array, values: Array, to: DType) -> Array:
    """Return the result with the greatest finite number, signed, where a number went beyond it."""
    numbers = values.astype(np.float64)
    beyond = ~np.isfinite(result.astype(np.float64)) & ~np.isnan(numbers)
    greatest = dtypes.finfo(to.numpy).max
    ends = np.where(numbers > 0, greatest, -greatest).astype(to.numpy)
    return np.where(beyond, ends, result).astype(to.numpy)


def _to_scale(values: Array, overflow: FloatOverflow, rounding: Rounding) -> Array:
    """Return float8_e8m0fnu: powers of two from 2**-127 to 2**127, no sign, no zero, one NaN.

    ONNX Cast-24 leaves negative numbers open; they become NaN.
    """
    fraction, exponent = np.frexp(np.where(np.isfinite(values) & (values > 0), values, 1.0))
    above = fraction > 0.5  # frexp gives 0.5 <= fraction < 1, and 0.5 is a power of two
    lower = exponent.astype(np.int64) - 1 + 127
    ups = {
        Rounding.UP: above,
        Rounding.DOWN: np.zeros_like(above),
        Rounding.NEAREST_UP: fraction >= 0.75,
        Rounding.NEAREST_EVEN: (fraction > 0.75) | ((fraction == 0.75) & (lower % 2 == 1)),
    }
    codes = np.clip(lower + ups[rounding], 0, 254).astype(np.uint8)
    beyond, below = values > 2.0**127, (values >= 0) & (values < 2.0**-127)
    if overflow is FloatOverflow.SATURATE:
        codes = np.where(beyond, 254, np.where(below, 0, codes))
        bad = ~(values >= 0)
    else:
        bad = beyond | below | ~(values >= 0)
    return np.where(bad, 255, codes).astype(np.uint8).view(dtypes.find("float8_e8m0fnu").numpy)
