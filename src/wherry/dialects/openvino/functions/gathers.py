"""Gathers and scatters as functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import call

Array = NDArray[Any]


def gather(
    data: ArrayLike,
    indices: ArrayLike,
    axis: ArrayLike,
    *,
    batch_dims: int = 0,
    opset: int = 8,
    out: Array | None = None,
) -> Array:
    """Return the slices of `data` along `axis` that `indices` picks, zeros where an index is out of range.

    Gather-8 (opset 8 and newer): `data` has d elements on the axis; indices -d..-1 count from its end, all others
    outside 0..d-1 give zero (False, an empty string). Gather-7 and Gather-1 (opset 7, opsets 1 to 6) allow 0..d-1 only;
    what else gives is open, and here it is zero. A negative `batch_dims` counts from the axes of indices; Gather-1 has
    none. The result has the sizes `data[:axis] + indices[batch_dims:] + data[axis + 1:]`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Gather-1, -7, -8.

    >>> import wherry as wh
    >>> wh.openvino.gather([1, 2, 3, 4, 5], [3, 10, -20], 0)
    array([4, 0, 0])
    """
    return call("Gather", opset, [data, indices, axis], batch_dims=batch_dims, out=out)


def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int, *, opset: int = 6, out: Array | None = None
) -> Array:
    """Return `data` with, at each place, the coordinate on `axis` replaced by the index there.

    `indices` (i32 or i64) has data's sizes off the axis, and gives the sizes of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherElements-6.

    >>> import wherry as wh
    >>> wh.openvino.gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]], 0)
    array([[1, 4],
           [1, 2]])
    """
    return call("GatherElements", opset, [data, indices], axis=axis, out=out)


def gather_nd(
    data: ArrayLike, indices: ArrayLike, *, batch_dims: int = 0, opset: int = 8, out: Array | None = None
) -> Array:
    """Return the slices of `data` that the tuples of indices along the last axis of `indices` name.

    Behind `batch_dims` equal leading axes a tuple of k indices names a slice of the next k axes. GatherND-5 (opsets 5
    to
    7) makes one axis of the batch axes of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherND-5, -8.

    >>> import wherry as wh
    >>> wh.openvino.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([2, 3])
    """
    return call("GatherND", opset, [data, indices], batch_dims=batch_dims, out=out)


def gather_tree(
    step_ids: ArrayLike,
    parent_idx: ArrayLike,
    max_seq_len: ArrayLike,
    end_token: ArrayLike,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the beams of a search, walked back from their last step to the first.

    Steps and parents are [steps, batch, beams], lengths [batch], end_token is a scalar; all of one numeric type. What
    lies
    behind a length, or behind the first end_token, is end_token.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO GatherTree-1.

    >>> import wherry as wh
    >>> wh.openvino.gather_tree([[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]], [2], 9).tolist()
    [[[2, 1]], [[3, 4]]]
    """
    return call("GatherTree", opset, [step_ids, parent_idx, max_seq_len, end_token], out=out)


def scatter_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: ArrayLike,
    *,
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return `data` with the slices along `axis` that `indices` names replaced by those of `updates`.

    `updates` has the sizes `data[:axis] + indices + data[axis + 1:]`; indices are 0..d-1, and of several for one slice
    the
    last one stays.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO ScatterUpdate-3.

    >>> import wherry as wh
    >>> wh.openvino.scatter_update([0, 0, 0], [2, 0], [5, 6], 0)
    array([6, 0, 5])
    """
    return call("ScatterUpdate", opset, [data, indices, updates, axis], out=out)


def scatter_elements_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: ArrayLike,
    *,
    reduction: str = "none",
    use_init_val: bool = True,
    opset: int = 12,
    out: Array | None = None,
) -> Array:
    """Return `data` with each update written to, or combined with, the element that its index names on `axis`.

    `reduction` is none, sum, prod, min, max or mean; with `use_init_val=False` the old value takes no part. Version -3
    (opsets 3 to 11) has neither.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO ScatterElementsUpdate-3, -12.

    >>> import wherry as wh
    >>> wh.openvino.scatter_elements_update([2, 3, 4, 6], [1, 0, 0], [10, 20, 30], 0, reduction="sum")
    array([52, 13,  4,  6])
    """
    return call(
        "ScatterElementsUpdate",
        opset,
        [data, indices, updates, axis],
        reduction=reduction,
        use_init_val=use_init_val,
        out=out,
    )


def scatter_nd_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: str = "none",
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` with updates written to, or combined with, the slices that tuples of indices name.

    `reduction` is none, sum, sub, prod, min or max; version -3 (opsets 4 to 14) has none. `indices` are i32 or i64;
    `updates` has the sizes `indices[:-1] + data[k:]` for tuples of k indices.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the operation does not take, IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO ScatterNDUpdate-3, -15.

    >>> import wherry as wh
    >>> wh.openvino.scatter_nd_update([1, 2, 3, 4], [[0], [2], [0]], [10, 20, 50], reduction="sum")
    array([61,  2, 23,  4])
    """
    return call("ScatterNDUpdate", opset, [data, indices, updates], reduction=reduction, out=out)


def slice_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` with the slice that `slice` would give replaced by `updates`.

    `updates` has exactly the sizes of the slice.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO SliceScatter-15.

    >>> import wherry as wh
    >>> wh.openvino.slice_scatter([0, 1, 2, 3, 4], [10, 20], [0], [4], [2])
    array([10,  1, 20,  3,  4])
    """
    return call("SliceScatter", opset, [data, updates, start, stop, step, axes], out=out)
