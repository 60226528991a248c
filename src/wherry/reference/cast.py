"""Cast by its formula: ONNX Cast, OpenVINO Convert-1, DirectML CAST; numbers as exact fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dtypes import DType
from wherry.errors import InvalidValueError
from wherry.ops import Cast, FloatOverflow, FloatText, FloatToInteger, IntegerOverflow, Rounding

Array = NDArray[Any]
Number = Fraction | float
"""An exact number, or one of NaN and the infinities. Negative zero is the float -0.0."""

_FRACTION = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}
"""The bits of the fraction, which is the payload of NaN."""

_WORDS = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NAN": math.nan}


def formula(operator: Cast, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[c]` as type `to`."""
    (data,), (out,) = inputs, outputs
    if data.dtype == out.dtype:
        for c in np.ndindex(data.shape):
            out[c] = data[c]
        return
    for c in np.ndindex(data.shape):
        element = data[c]
        if operator.to.is_string:
            out[c] = text_of(element, operator)
            continue
        number = number_of(element)
        if operator.to.kind == "bool":
            out[c] = operator.nan_is_true if is_nan(number) else number != 0
        elif operator.to.kind == "float":
            bits = nan_bits(element, operator.to) if is_nan(number) else None
            out.view(f"u{out.itemsize}")[c] = float_bits(number, operator) if bits is None else bits
        else:
            out[c] = integer(number, dtypes.of(data.dtype), operator)


def _numeral(text: str) -> Fraction:
    """Return the value of a numeral; what lies far beyond every element type keeps its side, with fewer digits."""
    digits, _, exponent = text.partition("E")
    far = 10_000 + len(digits)
    power = int(exponent[:18] or 0)  # 18 digits are far, too
    return Fraction(f"{digits}E{max(-far, min(far, power))}")


def number_of(element: Any) -> Number:
    """Return the exact value of an element; a string is a numeral."""
    if isinstance(element, (str, bytes)):
        text = (element.decode() if isinstance(element, bytes) else element).strip().upper()
        return _WORDS[text] if text in _WORDS else _numeral(text) or (-0.0 if text[0] == "-" else Fraction(0))
    if isinstance(element, (np.bool_, np.integer)):
        return Fraction(int(element))
    value = float(element)
    return Fraction(value) if math.isfinite(value) and value != 0 else value


def is_nan(number: Number) -> bool:
    """Whether a number is none."""
    return isinstance(number, float) and math.isnan(number)


def text_of(element: Any, operator: Cast) -> str:
    """Return an element as a string."""
    if isinstance(element, (str, bytes)):
        return element.decode() if isinstance(element, bytes) else str(element)
    if isinstance(element, (np.bool_, np.integer)):
        return str(int(element))
    value = float(element)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    if operator.float_text is FloatText.SIGNIFICANT_8:
        return f"{value:.8g}"
    wide = element if isinstance(element, (np.float16, np.float64)) else np.float32(element)
    return np.format_float_positional(wide, trim="-")


def integer(number: Number, source: DType | None, operator: Cast) -> int:
    """Return a number as the integer type `to`. Raises InvalidValueError for text that is no number of that type."""
    bits, signed = operator.to.bits, operator.to.kind == "int"
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    if source is not None and source.is_string and not (math.isfinite(number) and least <= math.trunc(number) <= most):
        raise InvalidValueError(f"data is {number}, allowed {least}..{most}")
    from_float = source is not None and source.kind == "float"
    if from_float and operator.float_to_integer is FloatToInteger.INDEFINITE:
        return _modulo(_indefinite(number, operator.to), bits, signed)
    if not from_float and operator.integer_overflow is IntegerOverflow.WRAP:
        return _modulo(math.trunc(number), bits, signed)
    if is_nan(number):
        return 0
    return least if number < least else most if number > most else math.trunc(number)


def _indefinite(number: Number, to: DType) -> int:
    whole = math.trunc(number) if math.isfinite(number) else 2**99 if number > 0 else -(2**99)
    if to.name == "uint64":
        return whole if -(2**63) <= whole < 2**64 else 0 if whole > 0 else 2**63
    width = 64 if to.bits == 64 or to.name == "uint32" else 32
    return whole if -(2 ** (width - 1)) <= whole < 2 ** (width - 1) else -(2 ** (width - 1))


def _modulo(value: int, bits: int, signed: bool) -> int:
    value %= 2**bits
    return value - 2**bits if signed and value >= 2 ** (bits - 1) else value


def nan_bits(element: Any, to: DType) -> int | None:
    """Return the bits of NaN where more than its sign is kept: float16, float32 and float64 keep the upper payload.

    A payload that is cut to nothing becomes 1. Processors make NaN quiet where they convert between float32 and
    float64, which float16 to float64 does on its way.
    """
    source = dtypes.of(element.dtype) if isinstance(element, np.generic) else None
    if source is None or source.name not in _FRACTION or to.name not in _FRACTION or to.name == "bfloat16":
        return None
    bits = int(np.asarray(element).view(f"u{element.itemsize}"))
    have, want = _FRACTION[source.name], _FRACTION[to.name]
    fraction = bits % (1 << have) << 52 >> have
    if "float64" in (source.name, to.name) and to.name != "float16":
        fraction |= 2**51
    sign, exponent = bits >> (source.bits - 1), (1 << (to.bits - 1 - want)) - 1
    return sign << (to.bits - 1) | exponent << want | max(1, fraction >> (52 - want))


def float_bits(number: Number, operator: Cast) -> int:
    """Return the bits of a number as the float type `to`."""
    to = operator.to
    if to.name == "float8_e8m0fnu":
        return _scale_bits(number, operator)
    if is_nan(number):
        return _bits(to, math.copysign(math.nan, number))
    negative = number < 0 or (number == 0 and math.copysign(1, number) < 0)
    code = _nearest_code(-number if number < 0 else number, to)
    if code is None:
        saturate = operator.float_overflow is FloatOverflow.SATURATE
        code = _greatest(to) if saturate else _bits(to, math.inf)
    sign = 1 << (8 * to.numpy.itemsize - 1 if to.bits >= 8 else to.bits - 1)
    has_negative_zero = not to.name.endswith("fnuz")
    code_is_nan = is_nan(_value(to, code))
    return (
        code | sign
        if negative and (code or has_negative_zero) and not (code_is_nan and not has_negative_zero)
        else code
    )


@cache
def _greatest(to: DType) -> int:
    """The code of the greatest finite number: codes of one sign are in the order of their values."""
    low, high = 0, 2 ** (to.bits - 1) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if math.isfinite(_value(to, middle)) else (low, middle - 1)
    return low


def _nearest_code(number: Number, to: DType) -> int | None:
    """Return the code of the nearest number, ties to the even code, or None where that lies beyond the greatest.

    Codes count steps: at first as large as the least number, then twice as large from each power of two on.
    """
    if number == math.inf:
        return None
    fraction, least = _steps(to)
    steps = Fraction(number) / least
    doubled = max(0, int(steps).bit_length() - 1 - fraction)
    code = round(steps / 2**doubled) + (doubled << fraction)
    return code if code <= _greatest(to) else None


@cache
def _steps(to: DType) -> tuple[int, Fraction]:
    """The bits of the fraction, and the least number above 0."""
    limits = dtypes.finfo(to.numpy)
    return int(limits.nmant), Fraction(float(limits.smallest_subnormal))


def _value(to: DType, code: int) -> float:
    return float(np.array(code, f"u{to.numpy.itemsize}").view(to.numpy)[()])


def _bits(to: DType, value: float) -> int:
    return int(np.array(value, np.float64).astype(to.numpy).view(f"u{to.numpy.itemsize}"))


def _scale_bits(number: Number, operator: Cast) -> int:
    """Powers of two from 2**-127 (code 0) to 2**127 (code 254); 255 is NaN."""
    saturate = operator.float_overflow is FloatOverflow.SATURATE
    if is_nan(number) or number < 0:
        return 255
    if number > 2**127:
        return 254 if saturate else 255
    if number < Fraction(1, 2**127):
        return 0 if saturate else 255
    code = int(number * 2**127).bit_length() - 1
    low, high = Fraction(2) ** (code - 127), Fraction(2) ** (code - 126)
    if operator.rounding is Rounding.UP:
        return code + (number > low)
    if operator.rounding is Rounding.DOWN:
        return code
    is_tie_down = operator.rounding is Rounding.NEAREST_EVEN and code % 2 == 0 and number - low == high - number
    return code + (number - low >= high - number and not is_tie_down)
