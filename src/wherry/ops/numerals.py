"""Strings to numbers and numbers to strings: the text rules of Cast."""

from __future__ import annotations

import math
import re
import struct
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dtypes import DType
from wherry.errors import InvalidValueError
from wherry.ops.conversion import FloatOverflow, integer_range, row_of, to_float

Array = NDArray[Any]

_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WORDS = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_MOST_DIGITS = 40
"""Numerals of more places before the point are outside every integer type; they are never expanded."""


class FloatText(StrEnum):
    """How a float is written."""

    PLAIN = "plain"
    """The fewest digits that read back to it, without exponent: 314.15927, 0.00001, 100000000."""
    SIGNIFICANT_8 = "significant_8"
    """Up to 8 significant digits, with an exponent where that is shorter: 314.15927, 9.9999997e-06, 1e+08."""


def to_text(values: Array, rule: FloatText) -> Array:
    """Return numbers as strings: bools as 1 and 0, NaN, INF and -INF as these words."""
    result = np.empty(values.shape, object)
    row = row_of(values)
    if row.kind == "float":
        wide = values.astype(np.float32) if row.bits < 16 or row.name == "bfloat16" else values
        result[...] = _each([_float_text(value, rule) for value in wide.ravel()], values.shape)
    else:
        result[...] = _each([str(int(value)) for value in values.ravel()], values.shape)
    return result


def _each(texts: list[Any], shape: tuple[int, ...]) -> Array:
    vector = np.empty(len(texts), object)
    vector[:] = texts
    return vector.reshape(shape)


def _float_text(value: Any, rule: FloatText) -> str:
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    if rule is FloatText.SIGNIFICANT_8:
        return f"{number:.8g}"
    return np.format_float_positional(value, unique=True, trim="-")


def from_text(texts: Array, to: DType, overflow: FloatOverflow) -> Array:
    """Return strings as numbers of type `to`: plain or scientific numerals, INF and NaN in any case.

    For integers the numeral is truncated; for bool, a numeral that is not zero is true. Raises InvalidValueError for
    anything else, and for an integer outside the range, naming the position.
    """
    flat = [str(text, "utf-8") if isinstance(text, bytes) else text for text in texts.ravel().tolist()]
    places = [list(place) for place in np.ndindex(texts.shape)]
    if to.kind == "float":
        doubles = [_double(text, place, odd=to.bits < 64) for text, place in zip(flat, places, strict=True)]
        return to_float(np.array(doubles, np.float64), to, overflow).reshape(texts.shape)
    if to.kind == "bool":
        truths = [_double(text, place, odd=True) != 0 for text, place in zip(flat, places, strict=True)]
        return np.array(truths, bool).reshape(texts.shape)
    numbers = [_integer(text, place, to) for text, place in zip(flat, places, strict=True)]
    wide = np.array(numbers, np.int64 if to.kind == "int" else np.uint64)
    return wide.astype(to.numpy).reshape(texts.shape)


def _numeral(text: str, place: list[int]) -> str:
    stripped = text.strip()
    if not (_NUMERAL.fullmatch(stripped) or stripped.lower() in _WORDS):
        raise InvalidValueError(f"data{place} is {text!r}, allowed numerals such as 3.14, 1e-5, INF and NaN")
    return stripped


def _double(text: str, place: list[int], odd: bool) -> float:
    """Return the nearest float; with `odd` the one rounded to odd, from where one more rounding is exact."""
    numeral = _numeral(text, place)
    if numeral.lower() in _WORDS:
        return _WORDS[numeral.lower()]
    nearest = float(numeral)
    is_even = struct.pack("<d", nearest)[0] % 2 == 0
    if not odd or not is_even or not math.isfinite(nearest):
        return nearest
    if nearest == 0:
        digits = numeral.lower().split("e")[0]
        return nearest if not digits.strip("+-0.") else math.copysign(5e-324, -1.0 if numeral[0] == "-" else 1.0)
    exact = Decimal(numeral)
    if exact == Decimal(nearest):
        return nearest
    return math.nextafter(nearest, math.inf if exact > Decimal(nearest) else -math.inf)


def _integer(text: str, place: list[int], to: DType) -> int:
    numeral = _numeral(text, place)
    least, most = integer_range(to)
    try:
        number = Decimal("inf") if numeral.lower() in _WORDS else Decimal(numeral)
    except InvalidOperation:  # an exponent beyond what Decimal holds
        number = Decimal("inf")
    if not number.is_finite() or number.adjusted() > _MOST_DIGITS or not least <= int(number) <= most:
        raise InvalidValueError(f"data{place} is {text!r}, allowed {least}..{most}, the range of {to}")
    return int(number)
