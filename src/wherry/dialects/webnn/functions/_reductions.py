"""The operators of schema.py, family reductions, as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def arg_max(
    input: ArrayLike,
    axis: int,
    *,
    keep_dimensions: bool = False,
    output_data_type: str = "int32",
    out: Array | None = None,
) -> Array:
    """Return the position of the greatest element along `axis`, as int32 or int64.

    Among equal elements the first counts, which the specification leaves open; NaN wins over all numbers.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.argMax() throws.
    Specification: Web Neural Network API, argMax.

    >>> wh.webnn.arg_max([[1, 3, 3]], 1)
    array([1], dtype=int32)
    """
    return call("argMax", [input], axis=axis, keepDimensions=keep_dimensions, outputDataType=output_data_type, out=out)


@answered
def arg_min(
    input: ArrayLike,
    axis: int,
    *,
    keep_dimensions: bool = False,
    output_data_type: str = "int32",
    out: Array | None = None,
) -> Array:
    """Return the position of the least element along `axis`, as int32 or int64.

    Among equal elements the first counts, which the specification leaves open; NaN wins over all numbers.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.argMin() throws.
    Specification: Web Neural Network API, argMin.

    >>> wh.webnn.arg_min([[2, 1, 1]], 1, keep_dimensions=True)
    array([[1]], dtype=int32)
    """
    return call("argMin", [input], axis=axis, keepDimensions=keep_dimensions, outputDataType=output_data_type, out=out)


@answered
def cumulative_sum(
    input: ArrayLike, axis: int, *, exclusive: bool = False, reversed: bool = False, out: Array | None = None
) -> Array:
    """Return the sum of each element and those before it along `axis`; integers wrap around.

    `exclusive` omits the element itself, `reversed` starts at the end. Floats, whose rounding is open, are refused.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.cumulativeSum() throws.
    Specification: Web Neural Network API, cumulativeSum.

    >>> wh.webnn.cumulative_sum([1, 2, 3], 0)
    array([1, 3, 6])
    """
    return call("cumulativeSum", [input], axis=axis, exclusive=exclusive, reversed=reversed, out=out)


@answered
def reduce_max(
    input: ArrayLike, *, axes: Sequence[int] | None = None, keep_dimensions: bool = False, out: Array | None = None
) -> Array:
    """Return the greatest element along `axes`, by default along all; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reduceMax() throws.
    Specification: Web Neural Network API, reduceMax.

    >>> wh.webnn.reduce_max([[1, 5], [3, 2]], axes=[1])
    array([5, 3])
    """
    return call("reduceMax", [input], axes=axes, keepDimensions=keep_dimensions, out=out)


@answered
def reduce_min(
    input: ArrayLike, *, axes: Sequence[int] | None = None, keep_dimensions: bool = False, out: Array | None = None
) -> Array:
    """Return the least element along `axes`, by default along all; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reduceMin() throws.
    Specification: Web Neural Network API, reduceMin.

    >>> wh.webnn.reduce_min([[1, 5], [3, 2]], axes=[1])
    array([1, 2])
    """
    return call("reduceMin", [input], axes=axes, keepDimensions=keep_dimensions, out=out)


@answered
def reduce_product(
    input: ArrayLike, *, axes: Sequence[int] | None = None, keep_dimensions: bool = False, out: Array | None = None
) -> Array:
    """Return the product of the elements along `axes`, by default along all; integers wrap around.

    Floats are refused: the specification leaves the order of operations open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reduceProduct() throws.
    Specification: Web Neural Network API, reduceProduct.

    >>> wh.webnn.reduce_product([[1, 5], [3, 2]])
    array(30)
    """
    return call("reduceProduct", [input], axes=axes, keepDimensions=keep_dimensions, out=out)


@answered
def reduce_sum(
    input: ArrayLike, *, axes: Sequence[int] | None = None, keep_dimensions: bool = False, out: Array | None = None
) -> Array:
    """Return the sum of the elements along `axes`, by default along all; integers wrap around.

    Floats are refused: the specification leaves the order of operations open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reduceSum() throws.
    Specification: Web Neural Network API, reduceSum.

    >>> wh.webnn.reduce_sum([[1, 5], [3, 2]], axes=[0], keep_dimensions=True)
    array([[4, 7]])
    """
    return call("reduceSum", [input], axes=axes, keepDimensions=keep_dimensions, out=out)
