"""Elementwise operators by their formulas: exact fractions, rounded once. The bits of a NaN result are open."""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.errors import InvalidValueError
from wherry.ops import (
    Binary,
    BinaryFunction,
    Broadcast,
    ByZero,
    Cast,
    Clip,
    Compare,
    Crossed,
    Divide,
    Elementwise,
    Extreme,
    ExtremeFunction,
    NanOperand,
    Quotient,
    QuotientOverflow,
    Relation,
    Remainder,
    Unary,
    UnaryFunction,
)
from wherry.reference.cast import float_bits, number_of

Array = NDArray[Any]

_EXACT: Mapping[BinaryFunction, Callable[[Any, Any], Any]] = {
    BinaryFunction.ADD: python.add,
    BinaryFunction.SUBTRACT: python.sub,
    BinaryFunction.MULTIPLY: python.mul,
    BinaryFunction.AND: python.and_,
    BinaryFunction.OR: python.or_,
    BinaryFunction.XOR: python.xor,
    BinaryFunction.LOGICAL_AND: lambda a, b: int(a != 0 and b != 0),
    BinaryFunction.LOGICAL_OR: lambda a, b: int(a != 0 or b != 0),
    BinaryFunction.LOGICAL_XOR: lambda a, b: int((a != 0) != (b != 0)),
}

_BITWISE = (BinaryFunction.AND, BinaryFunction.OR, BinaryFunction.XOR)


def binary(operator: Binary, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = a[c] function b[c]`; integers modulo 2 to the number of bits."""
    (out,), function = outputs, _EXACT[operator.function]
    for c, a, b in _pairs(operator, inputs, out):
        if out.dtype.kind in "iub":
            out[c] = wrapped(function(int(a), int(b)), out.dtype)
        elif operator.function in _BITWISE:
            out.view(f"u{out.itemsize}")[c] = function(*(int(one.view(f"u{out.itemsize}")) for one in (a, b)))
        else:
            _put(out, c, _of_floats(function, a, b))


def _of_floats(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Return the exact result of two floats where it is a number that is not 0, else what IEEE 754 says of the case."""
    first, second = number_of(a), number_of(b)
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        exact = function(first, second)
        return exact if exact else 0.0
    try:
        return function(float(a), float(b))
    except ZeroDivisionError:
        return math.nan if float(a) == 0 or math.isnan(float(a)) else math.copysign(math.inf, float(a)) * (
            math.copysign(1.0, float(b))
        )  # fmt: skip


def divide(operator: Divide, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = a[c] / b[c]`; of integers toward zero, or down."""
    (out,) = outputs
    for c, a, b in _pairs(operator, inputs, out):
        if out.dtype.kind not in "iu":
            _put(out, c, _of_floats(python.truediv, a, b))
            continue
        if b == 0 and operator.by_zero is ByZero.RAISE:
            raise InvalidValueError(f"b at {list(c)} is 0")
        value = _quotient(operator.rounding, int(a), int(b))
        if value > np.iinfo(out.dtype).max and operator.overflow is QuotientOverflow.RAISE:
            raise InvalidValueError(f"the quotient at {list(c)} is {value}")
        out[c] = wrapped(value, out.dtype)


def _quotient(rounding: Quotient, a: int, b: int) -> int:
    if b == 0:
        return 0
    exact = Fraction(a, b)
    return math.trunc(exact) if rounding is Quotient.TRUNCATE else math.floor(exact)


def remainder(operator: Remainder, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = a[c] - b[c] * q`, q being the quotient rounded toward zero, or down."""
    (out,) = outputs
    for c, a, b in _pairs(operator, inputs, out):
        if out.dtype.kind not in "iu":
            _put(out, c, _float_remainder(operator.rounding, a, b))
            continue
        if b == 0 and operator.by_zero is ByZero.RAISE:
            raise InvalidValueError(f"b at {list(c)} is 0")
        out[c] = int(a) - int(b) * _quotient(operator.rounding, int(a), int(b))


def _float_remainder(rounding: Quotient, a: Any, b: Any) -> Any:
    first, second, floors = number_of(a), number_of(b), rounding is Quotient.FLOOR
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        exact = first - second * (math.floor if floors else math.trunc)(first / second)
        return exact if exact else math.copysign(0.0, second if floors else first)
    if math.isnan(float(a)) or math.isnan(float(b)) or math.isinf(float(a)) or float(b) == 0:
        return math.nan
    if floors and (float(a) < 0) != (float(b) < 0) and float(a):
        return second  # by infinity of the other sign
    return first if float(a) or not floors else math.copysign(0.0, float(b))


def unary(operator: Unary, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = function(data[c])`."""
    (data,), (out,), function = inputs, outputs, operator.function
    for c in np.ndindex(out.shape):
        if function in (UnaryFunction.SIGN, UnaryFunction.SIGN_OR_ZERO):
            value = number_of(data[c])
            is_nan = value != value  # noqa: PLR0124  only NaN is not itself
            sign = value if is_nan and function is UnaryFunction.SIGN else (value > 0) - (value < 0)
            out[c] = sign
        elif out.dtype.kind in "iub":
            out[c] = _of_integer(function, data[c])
        else:
            out.view(f"u{out.itemsize}")[c] = _of_bits(function, int(data[c].view(f"u{out.itemsize}")), out.itemsize)


def _of_integer(function: UnaryFunction, element: Any) -> Any:
    value = int(element)
    if function is UnaryFunction.LOGICAL_NOT or isinstance(element, np.bool):
        return value == 0
    if function is UnaryFunction.NOT:
        return wrapped(~value, element.dtype)
    return wrapped(-value if value < 0 or function is UnaryFunction.NEGATIVE else value, element.dtype)


def _of_bits(function: UnaryFunction, bits: int, width: int) -> int:
    sign, every = 1 << (8 * width - 1), (1 << (8 * width)) - 1
    if function is UnaryFunction.NOT:
        return bits ^ every
    return bits ^ sign if function is UnaryFunction.NEGATIVE else bits & ~sign


_ASKED: Mapping[Relation, Callable[[Any, Any], bool]] = {
    Relation.EQUAL: python.eq,
    Relation.NOT_EQUAL: python.ne,
    Relation.LESS: python.lt,
    Relation.LESS_OR_EQUAL: python.le,
    Relation.GREATER: python.gt,
    Relation.GREATER_OR_EQUAL: python.ge,
}


def compare(operator: Compare, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = a[c] relation b[c]`."""
    (out,) = outputs
    for c, a, b in _pairs(operator, inputs, out):
        is_text = isinstance(a, (str, bytes))
        out[c] = _ASKED[operator.function](*((a, b) if is_text else (number_of(a), number_of(b))))


def extreme(operator: Extreme, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c]` is the least, or the greatest, of all inputs' elements at c."""
    (out,) = outputs
    for c in np.ndindex(out.shape):
        chosen = _at(inputs[0], c)
        for data in inputs[1:]:
            chosen = extreme_of(operator.function, operator.nan, chosen, _at(data, c))
        out[c] = chosen


def extreme_of(function: ExtremeFunction, nan: NanOperand, a: Any, b: Any) -> Any:
    """Return the lesser, or the greater, of two elements; zeros are told apart by their signs."""
    if a != a or b != b:  # noqa: PLR0124  only NaN is not itself
        number = b if a != a else a  # noqa: PLR0124
        return number if nan is NanOperand.NUMBER else (a if a != a else b)  # noqa: PLR0124
    first_is_less = _ordered(a) <= _ordered(b)
    return a if first_is_less == (function is ExtremeFunction.MINIMUM) else b


def _ordered(element: Any) -> tuple[int | float, float]:
    """Return what elements of one type are ordered by: their value, then their sign."""
    number = int(element) if isinstance(element, (np.bool_, np.integer)) else float(element)
    return number, math.copysign(1, number)


def clip(operator: Clip, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c]` is data[c] moved up to the least number, and down to the greatest."""
    (data,), (out,) = inputs, outputs
    steps = [(python.lt, _element(operator.least, math.ceil, out.dtype)),
             (python.gt, _element(operator.greatest, math.floor, out.dtype))]  # fmt: skip
    if operator.crossed is Crossed.LEAST:
        steps.reverse()
    for c in np.ndindex(out.shape):
        value = data[c]
        for outside, bound in steps:
            if bound is not None and outside(number_of(value), number_of(bound)):
                value = bound
        out.view(f"u{out.itemsize}")[c] = value.view(f"u{out.itemsize}")


def _element(bound: Array | float | None, whole: Callable[[float], int], dtype: np.dtype[Any]) -> Any:
    """Return a bound as an element: a number of no type is the nearest float, or the integer inside it."""
    if not isinstance(bound, float):
        return None if bound is None else bound[()]
    found = np.zeros((), dtype)
    if dtype.kind not in "iu":
        _put(found, (), number_of(bound))
        return found[()]
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    found[()] = least if bound < least else greatest if bound > greatest else whole(bound)
    return found[()]


def wrapped(value: int, dtype: np.dtype[Any]) -> int:
    """Return an integer modulo 2 to the number of bits of its type."""
    if dtype.kind == "b":
        return value
    bits = dtype.itemsize * 8
    value %= 2**bits
    return value - 2**bits if dtype.kind == "i" and value >= 2 ** (bits - 1) else value


def _put(out: Array, c: tuple[int, ...], value: Any) -> None:
    """Write the float that is nearest to an exact number, of two equally near the even one."""
    out.view(f"u{out.itemsize}")[c] = float_bits(value, Cast(out.dtype))  # type: ignore[arg-type]


def _pairs(operator: Elementwise, inputs: Sequence[Array], out: Array) -> Any:
    """Yield each coordinate of the output with the elements there."""
    a, b = inputs
    if operator.broadcast is Broadcast.SECOND and operator.axis is not None and b.size != 1:
        b = b.reshape(*b.shape, *[1] * (out.ndim - operator.axis - b.ndim))
    for c in np.ndindex(out.shape):
        yield c, _at(a, c), _at(b, c)


def _at(data: Array, c: tuple[int, ...]) -> Any:
    last = c[len(c) - data.ndim :]
    return data[tuple(0 if size == 1 else at for at, size in zip(last, data.shape, strict=True))]
