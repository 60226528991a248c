"""The operators of schema.py, family arithmetic, as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def abs(input: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the absolute value of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.abs() throws.
    Specification: Web Neural Network API, abs.

    >>> wh.webnn.abs(np.int32([1, -2]))
    array([1, 2], dtype=int32)
    """
    return call("abs", [input], out=out)


@answered
def add(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `a + b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.add() throws.
    Specification: Web Neural Network API, add.

    >>> wh.webnn.add([1, 2], [10])
    array([11, 12])
    """
    return call("add", [a, b], out=out)


@answered
def clamp(
    input: ArrayLike, *, min_value: float | None = None, max_value: float | None = None, out: Array | None = None
) -> Array:
    """Return `input` with elements below `min_value` replaced by it, and those above `max_value` by that.

    A bound is converted to the type of `input`: rounded half to even, and clamped to the range of an integer type.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.clamp() throws.
    Specification: Web Neural Network API, clamp.

    >>> wh.webnn.clamp([1, 5, 9], min_value=2, max_value=6)
    array([2, 5, 6])
    """
    return call("clamp", [input], minValue=min_value, maxValue=max_value, out=out)


@answered
def div(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `a / b`, broadcast as in NumPy; quotients of integers are rounded toward zero.

    An integer divided by 0, and the least integer divided by -1, which the specification leaves open, are errors.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.div() throws.
    Specification: Web Neural Network API, div.

    >>> wh.webnn.div([7, -7], [2])
    array([ 3, -3])
    """
    return call("div", [a, b], out=out)


@answered
def max(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the greater of `a` and `b`, broadcast as in NumPy; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.max() throws.
    Specification: Web Neural Network API, max.

    >>> wh.webnn.max([1, 5], [3])
    array([3, 5])
    """
    return call("max", [a, b], out=out)


@answered
def min(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the lesser of `a` and `b`, broadcast as in NumPy; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.min() throws.
    Specification: Web Neural Network API, min.

    >>> wh.webnn.min([1, 5], [3])
    array([1, 3])
    """
    return call("min", [a, b], out=out)


@answered
def mul(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `a * b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.mul() throws.
    Specification: Web Neural Network API, mul.

    >>> wh.webnn.mul([1, 2], [10])
    array([10, 20])
    """
    return call("mul", [a, b], out=out)


@answered
def neg(input: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the negative of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.neg() throws.
    Specification: Web Neural Network API, neg.

    >>> wh.webnn.neg(np.int32([1, -2]))
    array([-1,  2], dtype=int32)
    """
    return call("neg", [input], out=out)


@answered
def sign(input: ArrayLike, *, out: Array | None = None) -> Array:
    """Return -1, 0 or 1 for each number by its sign; NaN for NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.sign() throws.
    Specification: Web Neural Network API, sign.

    >>> wh.webnn.sign(np.int32([-7, 0, 9]))
    array([-1,  0,  1], dtype=int32)
    """
    return call("sign", [input], out=out)


@answered
def sub(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `a - b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.sub() throws.
    Specification: Web Neural Network API, sub.

    >>> wh.webnn.sub([11, 12], [10])
    array([1, 2])
    """
    return call("sub", [a, b], out=out)
