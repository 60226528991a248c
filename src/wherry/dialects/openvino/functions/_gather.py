"""The operators of operations/gather.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def gather(
    data: ArrayLike,
    indices: ArrayLike,
    axis: ArrayLike,
    *,
    batch_dims: int = 0,
    opset: int = 8,
    out: Array | None = None,
) -> Array:
    """Return the slices of `data` along `axis` at `indices`, zeros where an index is out of range.

    Gather-8 (opset 8 and newer): `data` has d elements on the axis; indices -d..-1 count from its end, all others
    outside 0..d-1 give zero (False, an empty string). Gather-7 and Gather-1 (opset 7, opsets 1 to 6) allow 0..d-1 only;
    the result of others is open, and here it is zero. A negative `batch_dims` counts from the axes of indices; Gather-1
    has none. The result has the sizes `data[:axis] + indices[batch_dims:] + data[axis + 1:]`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    New with opset 7: `batch_dims`.
    Specification: OpenVINO Gather-1, -7, -8.

    >>> wh.openvino.gather([1, 2, 3, 4, 5], [3, 10, -20], 0)
    array([4, 0, 0])
    """
    return call("Gather", opset, [data, indices, axis], batch_dims=batch_dims, out=out)


@answered
def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int, *, opset: int = 6, out: Array | None = None
) -> Array:
    """Take for each coordinate of `indices` the element of `data` whose coordinate on `axis` is the index there.

    `indices` (i32 or i64) has the sizes of data on all other axes; the result has the sizes of `indices`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherElements-6.

    >>> wh.openvino.gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]], 0)
    array([[1, 4],
           [1, 2]])
    """
    return call("GatherElements", opset, [data, indices], axis=axis, out=out)


@answered
def gather_nd(
    data: ArrayLike, indices: ArrayLike, *, batch_dims: int = 0, opset: int = 8, out: Array | None = None
) -> Array:
    """Return the slices of `data` at the tuples of indices along the last axis of `indices`.

    The first `batch_dims` axes of both are equal; a tuple of k indices selects on the next k axes. GatherND-5 (opsets 5
    to 7) merges the batch axes of the result into one.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherND-5, -8.

    >>> wh.openvino.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([2, 3])
    """
    return call("GatherND", opset, [data, indices], batch_dims=batch_dims, out=out)


@answered
def gather_tree(
    step_ids: ArrayLike,
    parent_idx: ArrayLike,
    max_seq_len: ArrayLike,
    end_token: ArrayLike,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the beams of a beam search, traced back from their last step to the first.

    Steps and parents are [steps, batch, beams], lengths [batch], end_token is a scalar; all of one numeric type. Steps
    beyond the length, or after the first end_token, are end_token.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherTree-1.

    >>> wh.openvino.gather_tree([[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]], [2], 9).tolist()
    [[[2, 1]], [[3, 4]]]
    """
    return call("GatherTree", opset, [step_ids, parent_idx, max_seq_len, end_token], out=out)
