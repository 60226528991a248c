"""The operators of schema.py, family elements, as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def cast(input: ArrayLike, data_type: str, *, out: Array | None = None) -> Array:
    """Return `input` as another element type, named as WebNN names it.

    Floats become integers without their fraction; a float beyond the range, which the specification leaves open,
    becomes the nearest end, and NaN 0. Integers keep their low bits; numbers beyond the range of floats become
    infinite.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.cast() throws.
    Specification: Web Neural Network API, cast.

    >>> wh.webnn.cast(np.float32([1.7, -2.5]), "int8")
    array([ 1, -2], dtype=int8)
    """
    return call("cast", [input], dataType=data_type, out=out)


@answered
def identity(input: ArrayLike, *, out: Array | None = None) -> Array:
    """Return a copy of `input`, bit for bit.

    A WebNN graph needs it where a result is an input or a constant.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.identity() throws.
    Specification: Web Neural Network API, identity.

    >>> wh.webnn.identity([1, 2])
    array([1, 2])
    """
    return call("identity", [input], out=out)


@answered
def where(condition: ArrayLike, true_value: ArrayLike, false_value: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `true_value` where `condition` (uint8) is not 0, else `false_value`.

    All three broadcast against each other. Elements that are not chosen have no effect, NaN included.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.where() throws.
    Specification: Web Neural Network API, where.

    >>> wh.webnn.where(np.array([1, 0], np.uint8), [1, 2], [3, 4])
    array([1, 4])
    """
    return call("where", [condition, true_value, false_value], out=out)
