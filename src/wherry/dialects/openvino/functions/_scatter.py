"""The operators of operations/scatter.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
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
    """Return `data` with each update written to, or combined with, the element at its index on `axis`.

    `reduction` is none, sum, prod, min, max or mean; with `use_init_val=False` the old value is not included.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    New with opset 12: `reduction`, `use_init_val`.
    Specification: OpenVINO ScatterElementsUpdate-3, -12.

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


@answered
def scatter_nd_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: str = "none",
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` with updates written to, or combined with, the slices at tuples of indices.

    `reduction` is none, sum, sub, prod, min or max. `indices` are i32 or i64; `updates` has the sizes `indices[:-1] +
    data[k:]` for tuples of k indices.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    New with opset 15: `reduction`.
    Specification: OpenVINO ScatterNDUpdate-3, -15.

    >>> wh.openvino.scatter_nd_update([1, 2, 3, 4], [[0], [2], [0]], [10, 20, 50], reduction="sum")
    array([61,  2, 23,  4])
    """
    return call("ScatterNDUpdate", opset, [data, indices, updates], reduction=reduction, out=out)


@answered
def scatter_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: ArrayLike,
    *,
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return `data` with the slices along `axis` at `indices` replaced by those of `updates`.

    `updates` has the sizes `data[:axis] + indices + data[axis + 1:]`; indices are 0..d-1, and of several updates of one
    slice the last stays.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments; IndexOutOfRangeError for a bad
    index.
    Specification: OpenVINO ScatterUpdate-3.

    >>> wh.openvino.scatter_update([0, 0, 0], [2, 0], [5, 6], 0)
    array([6, 0, 5])
    """
    return call("ScatterUpdate", opset, [data, indices, updates, axis], out=out)


@answered
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
    """Return `data` with the slice that `slice` returns replaced by `updates`.

    `updates` has exactly the sizes of the slice.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO SliceScatter-15.

    >>> wh.openvino.slice_scatter([0, 1, 2, 3, 4], [10, 20], [0], [4], [2])
    array([10,  1, 20,  3,  4])
    """
    return call("SliceScatter", opset, [data, updates, start, stop, step, axes], out=out)
