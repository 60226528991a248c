"""The operators of operators/gather.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int = 0, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take for each coordinate of `indices` the element of `data` whose coordinate on `axis` is the index there.

    The result has the sizes of `indices`, which has as many axes as `data` and is no larger on other axes. An index
    lies in -s..s-1 for an axis of size s.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version lacks,
    InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX GatherElements, versions 11 and 13.

    >>> wh.onnx.gather_elements([[1, 2], [3, 4]], [[0, 0], [1, 0]], axis=1)
    array([[1, 1],
           [4, 3]])
    """
    return call("GatherElements", opset, data=data, indices=indices, axis=axis, out=out)


@answered
def gather_nd(
    data: ArrayLike, indices: ArrayLike, batch_dims: int | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take the slices of `data` at the tuples of indices along the last axis of `indices`.

    Sizes: `indices.shape[:-1] + data.shape[batch_dims + k:]` for tuples of k indices, each in -s..s-1.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version lacks,
    InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 12: `batch_dims`; 13: bfloat16.
    Specification: ONNX GatherND, versions 11, 12 and 13.

    >>> wh.onnx.gather_nd([[0, 1], [2, 3]], [[0, 0], [1, 1]])
    array([0, 3])
    """
    return call("GatherND", opset, data=data, indices=indices, batch_dims=batch_dims, out=out)
