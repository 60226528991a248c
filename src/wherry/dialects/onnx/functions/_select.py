"""The operators of operators/select.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def compress(
    input: ArrayLike, condition: ArrayLike, axis: int | None = None, *, opset: int = 28, out: Array | None = None
) -> Array:
    """Take the slices of `input` along `axis` where `condition` is true; without `axis`, elements in row-major order.

    A condition shorter than the axis counts as false beyond its end. A true entry beyond the axis is an error.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX Compress, versions 9, 11 and 28.

    >>> wh.onnx.compress([[1, 2], [3, 4], [5, 6]], [False, True, True], axis=0)
    array([[3, 4],
           [5, 6]])
    """
    return call("Compress", opset, input=input, condition=condition, axis=axis, out=out)


@answered
def slice(
    data: ArrayLike,
    starts: ArrayLike,
    ends: ArrayLike,
    axes: ArrayLike | None = None,
    steps: ArrayLike | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Take the positions start, start + step ... before end on each of `axes`.

    The size of the axis is added once to negative starts and ends, then both are clamped to the axis. Axes may be
    negative from opset 11 on.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 10: `steps`; 13: bfloat16.
    Specification: ONNX Slice, versions 1, 10, 11 and 13.

    >>> wh.onnx.slice([[1, 2, 3, 4], [5, 6, 7, 8]], [1, 0], [2, 3], [0, 1], [1, 2])
    array([[5, 7]])
    """
    return call("Slice", opset, data=data, starts=starts, ends=ends, axes=axes, steps=steps, out=out)


@answered
def where(condition: ArrayLike, X: ArrayLike, Y: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Take each element from `X` where `condition` is true, else from `Y`; all three broadcast.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 16: bfloat16.
    Specification: ONNX Where, versions 9 and 16.

    >>> wh.onnx.where([[True, False], [True, True]], [[1, 2], [3, 4]], [[9, 8], [7, 6]])
    array([[1, 8],
           [3, 4]])
    """
    return call("Where", opset, condition=condition, X=X, Y=Y, out=out)
