"""The operators of operators/reduce.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def arg_max(
    data: ArrayLike,
    axis: int = 0,
    keepdims: int = 1,
    select_last_index: int | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the position along `axis` of the greatest element of `data`, as int64.

    Among equal elements the first, or with `select_last_index=1` the last, counts. NaN wins over all numbers.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 12: `select_last_index`; 13: bfloat16.
    Specification: ONNX ArgMax, versions 1, 11, 12 and 13.

    >>> wh.onnx.arg_max([[1, 3, 3]], 1)
    array([[1]])
    """
    return call("ArgMax", opset, data=data, axis=axis, keepdims=keepdims, select_last_index=select_last_index, out=out)


@answered
def arg_min(
    data: ArrayLike,
    axis: int = 0,
    keepdims: int = 1,
    select_last_index: int | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the position along `axis` of the least element of `data`, as int64.

    Among equal elements the first, or with `select_last_index=1` the last, counts. NaN wins over all numbers.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 12: `select_last_index`; 13: bfloat16.
    Specification: ONNX ArgMin, versions 1, 11, 12 and 13.

    >>> wh.onnx.arg_min([[1, 3, 3]], 1)
    array([[0]])
    """
    return call("ArgMin", opset, data=data, axis=axis, keepdims=keepdims, select_last_index=select_last_index, out=out)


@answered
def cum_prod(
    x: ArrayLike, axis: ArrayLike, exclusive: int = 0, reverse: int = 0, *, opset: int = 26, out: Array | None = None
) -> Array:
    """Return the product of each integer of `x` and those before it along `axis`; products wrap around.

    `exclusive=1` omits the integer itself; `reverse=1` starts at the end of the axis. Floats are refused.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises UnsupportedError for floats, InvalidTypeError for an element type that the version lacks, InvalidValueError
    for another illegal argument, UnsupportedError for an unknown opset.
    Specification: ONNX CumProd, version 26.

    >>> wh.onnx.cum_prod([1, 2, 3], 0)
    array([1, 2, 6])
    """
    return call("CumProd", opset, x=x, axis=axis, exclusive=exclusive, reverse=reverse, out=out)


@answered
def cum_sum(
    x: ArrayLike, axis: ArrayLike, exclusive: int = 0, reverse: int = 0, *, opset: int = 14, out: Array | None = None
) -> Array:
    """Return the sum of each integer of `x` and those before it along `axis`; sums wrap around.

    `exclusive=1` omits the integer itself; `reverse=1` starts at the end of the axis. Floats are refused.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises UnsupportedError for floats, InvalidTypeError for an element type that the version lacks, InvalidValueError
    for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 14: float16 and bfloat16.
    Specification: ONNX CumSum, versions 11 and 14.

    >>> wh.onnx.cum_sum([1, 2, 3], 0)
    array([1, 3, 6])
    """
    return call("CumSum", opset, x=x, axis=axis, exclusive=exclusive, reverse=reverse, out=out)


@answered
def reduce_max(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    keepdims: int = 1,
    noop_with_empty_axes: int | None = None,
    *,
    opset: int = 20,
    out: Array | None = None,
) -> Array:
    """Return the greatest element of `data` along `axes`; NaN if one is NaN.

    Without `axes` all axes are reduced, or with `noop_with_empty_axes` none.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 12: int8 and uint8; 13: bfloat16; 18: `noop_with_empty_axes`; 20: bool.
    Specification: ONNX ReduceMax, versions 1, 11, 12, 13, 18 and 20.

    >>> wh.onnx.reduce_max([[1, 2], [3, 4]], [1])
    array([[2],
           [4]])
    """
    return call(
        "ReduceMax", opset, data=data, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes, out=out
    )


@answered
def reduce_min(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    keepdims: int = 1,
    noop_with_empty_axes: int | None = None,
    *,
    opset: int = 20,
    out: Array | None = None,
) -> Array:
    """Return the least element of `data` along `axes`; NaN if one is NaN.

    Without `axes` all axes are reduced, or with `noop_with_empty_axes` none.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 12: int8 and uint8; 13: bfloat16; 18: `noop_with_empty_axes`; 20: bool.
    Specification: ONNX ReduceMin, versions 1, 11, 12, 13, 18 and 20.

    >>> wh.onnx.reduce_min([[1, 2], [3, 4]], [1])
    array([[1],
           [3]])
    """
    return call(
        "ReduceMin", opset, data=data, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes, out=out
    )


@answered
def reduce_prod(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    keepdims: int = 1,
    noop_with_empty_axes: int | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Return the product of the integers of `data` along `axes`; products wrap around.

    Without `axes` all axes are reduced, or with `noop_with_empty_axes` none. Floats are refused: the order of
    operations decides the bits, and the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises UnsupportedError for floats, InvalidTypeError for an element type that the version lacks, InvalidValueError
    for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 18: `noop_with_empty_axes`.
    Specification: ONNX ReduceProd, versions 1, 11, 13 and 18.

    >>> wh.onnx.reduce_prod([[1, 2], [3, 4]], [0], keepdims=0)
    array([3, 8])
    """
    return call(
        "ReduceProd", opset, data=data, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes, out=out
    )


@answered
def reduce_sum(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    keepdims: int = 1,
    noop_with_empty_axes: int | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the sum of the integers of `data` along `axes`; sums wrap around.

    Without `axes` all axes are reduced, or with `noop_with_empty_axes` none. Floats are refused: the order of
    operations decides the bits, and the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises UnsupportedError for floats, InvalidTypeError for an element type that the version lacks, InvalidValueError
    for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: `noop_with_empty_axes`, bfloat16.
    Specification: ONNX ReduceSum, versions 1, 11 and 13.

    >>> wh.onnx.reduce_sum([[1, 2], [3, 4]], [0], keepdims=0)
    array([4, 6])
    """
    return call(
        "ReduceSum", opset, data=data, axes=axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes, out=out
    )
