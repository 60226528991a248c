"""The operators of schema.py, family logic, as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def equal(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` and `b` are equal, else 0, as uint8; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.equal() throws.
    Specification: Web Neural Network API, equal.

    >>> wh.webnn.equal([1, 2], [2])
    array([0, 1], dtype=uint8)
    """
    return call("equal", [a, b], out=out)


@answered
def greater(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` is greater than `b`, else 0, as uint8; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.greater() throws.
    Specification: Web Neural Network API, greater.

    >>> wh.webnn.greater([1, 3], [2])
    array([0, 1], dtype=uint8)
    """
    return call("greater", [a, b], out=out)


@answered
def greater_or_equal(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` is not less than `b`, else 0, as uint8; broadcast as in NumPy; 0 where one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.greaterOrEqual() throws.
    Specification: Web Neural Network API, greaterOrEqual.

    >>> wh.webnn.greater_or_equal([1, 2], [2])
    array([0, 1], dtype=uint8)
    """
    return call("greaterOrEqual", [a, b], out=out)


@answered
def lesser(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` is less than `b`, else 0, as uint8; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.lesser() throws.
    Specification: Web Neural Network API, lesser.

    >>> wh.webnn.lesser([1, 3], [2])
    array([1, 0], dtype=uint8)
    """
    return call("lesser", [a, b], out=out)


@answered
def lesser_or_equal(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` is not greater than `b`, else 0, as uint8; broadcast as in NumPy; 0 where one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.lesserOrEqual() throws.
    Specification: Web Neural Network API, lesserOrEqual.

    >>> wh.webnn.lesser_or_equal([3, 2], [2])
    array([0, 1], dtype=uint8)
    """
    return call("lesserOrEqual", [a, b], out=out)


@answered
def logical_and(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where neither `a` nor `b`, of uint8, is 0, else 0; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.logicalAnd() throws.
    Specification: Web Neural Network API, logicalAnd.

    >>> wh.webnn.logical_and(np.uint8([0, 1]), np.uint8([1]))
    array([0, 1], dtype=uint8)
    """
    return call("logicalAnd", [a, b], out=out)


@answered
def logical_not(a: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a`, of uint8, is 0, else 0.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.logicalNot() throws.
    Specification: Web Neural Network API, logicalNot.

    >>> wh.webnn.logical_not(np.uint8([0, 1]))
    array([1, 0], dtype=uint8)
    """
    return call("logicalNot", [a], out=out)


@answered
def logical_or(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` or `b`, of uint8, is not 0, else 0; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.logicalOr() throws.
    Specification: Web Neural Network API, logicalOr.

    >>> wh.webnn.logical_or(np.uint8([0, 1]), np.uint8([0]))
    array([0, 1], dtype=uint8)
    """
    return call("logicalOr", [a, b], out=out)


@answered
def logical_xor(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where exactly one of `a` and `b`, of uint8, is not 0, else 0; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.logicalXor() throws.
    Specification: Web Neural Network API, logicalXor.

    >>> wh.webnn.logical_xor(np.uint8([0, 1]), np.uint8([1]))
    array([1, 0], dtype=uint8)
    """
    return call("logicalXor", [a, b], out=out)


@answered
def not_equal(a: ArrayLike, b: ArrayLike, *, out: Array | None = None) -> Array:
    """Return 1 where `a` and `b` are not equal, else 0, as uint8; broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.notEqual() throws.
    Specification: Web Neural Network API, notEqual.

    >>> wh.webnn.not_equal([1, 2], [2])
    array([1, 0], dtype=uint8)
    """
    return call("notEqual", [a, b], out=out)
