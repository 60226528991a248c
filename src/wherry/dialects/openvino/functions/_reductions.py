"""The operators of operations/reductions.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def cum_sum(
    data: ArrayLike,
    axis: ArrayLike | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    *,
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return the sum of each integer and those before it along `axis`; sums wrap around.

    `exclusive` omits the integer itself; `reverse` starts at the end of the axis. Floats are refused.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; UnsupportedError for floats.
    Specification: OpenVINO CumSum-3.

    >>> wh.openvino.cum_sum([1, 2, 3], 0)
    array([1, 3, 6])
    """
    return call("CumSum", opset, [data, axis], exclusive=exclusive, reverse=reverse, out=out)


@answered
def reduce_logical_and(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return whether all bools along `axes` are true; an empty `axes` reduces nothing.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ReduceLogicalAnd-1.

    >>> wh.openvino.reduce_logical_and([[True, True], [True, False]], [1])
    array([ True, False])
    """
    return call("ReduceLogicalAnd", opset, [data, axes], keep_dims=keep_dims, out=out)


@answered
def reduce_logical_or(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return whether any bool along `axes` is true; an empty `axes` reduces nothing.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ReduceLogicalOr-1.

    >>> wh.openvino.reduce_logical_or([[True, True], [True, False]], [1])
    array([ True,  True])
    """
    return call("ReduceLogicalOr", opset, [data, axes], keep_dims=keep_dims, out=out)


@answered
def reduce_max(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the greatest element along `axes`, NaN if one is NaN; an empty `axes` reduces nothing.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ReduceMax-1.

    >>> wh.openvino.reduce_max([[1, 2], [3, 4]], [1], True)
    array([[2],
           [4]])
    """
    return call("ReduceMax", opset, [data, axes], keep_dims=keep_dims, out=out)


@answered
def reduce_min(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the least element along `axes`, NaN if one is NaN; an empty `axes` reduces nothing.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ReduceMin-1.

    >>> wh.openvino.reduce_min([[1, 2], [3, 4]], [1], True)
    array([[1],
           [3]])
    """
    return call("ReduceMin", opset, [data, axes], keep_dims=keep_dims, out=out)


@answered
def reduce_prod(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the product of integers along `axes`, which wraps around; an empty `axes` reduces nothing.

    Floats are refused: the order of operations decides the bits, and the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; UnsupportedError for floats.
    Specification: OpenVINO ReduceProd-1.

    >>> wh.openvino.reduce_prod([[1, 2], [3, 4]], [0])
    array([3, 8])
    """
    return call("ReduceProd", opset, [data, axes], keep_dims=keep_dims, out=out)


@answered
def reduce_sum(
    data: ArrayLike, axes: ArrayLike, keep_dims: bool = False, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the sum of integers along `axes`, which wraps around; an empty `axes` reduces nothing.

    Floats are refused: the order of operations decides the bits, and the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; UnsupportedError for floats.
    Specification: OpenVINO ReduceSum-1.

    >>> wh.openvino.reduce_sum([[1, 2], [3, 4]], [0])
    array([4, 6])
    """
    return call("ReduceSum", opset, [data, axes], keep_dims=keep_dims, out=out)
