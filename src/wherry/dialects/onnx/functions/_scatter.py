"""The operators of operators/scatter.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def scatter(
    data: ArrayLike, indices: ArrayLike, updates: ArrayLike, axis: int = 0, *, opset: int = 9, out: Array | None = None
) -> Array:
    """Return `data` with elements replaced by `updates`, as `scatter_elements` does; only in opsets 9 and 10.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for an index outside 0..s-1, InvalidTypeError for an element type that the version
    lacks, InvalidValueError for another illegal argument, UnsupportedError for an unknown opset, and from 11 on.
    Specification: ONNX Scatter, versions 9 and 11.

    >>> wh.onnx.scatter([1, 2, 3], [0, 2], [7, 8])
    array([7, 2, 8])
    """
    return call("Scatter", opset, data=data, indices=indices, updates=updates, axis=axis, out=out)


@answered
def scatter_elements(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: int = 0,
    reduction: str | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Return `data` with each update written at its own coordinate, but on `axis` at its index.

    `updates` has the sizes of `indices`. `reduction` is none (the last of several updates stays), add or mul from opset
    16 on, max or min from 18 on. An index lies in -s..s-1 for an axis of size s.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version lacks,
    InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 16: `reduction`.
    Specification: ONNX ScatterElements, versions 11, 13, 16 and 18.

    >>> wh.onnx.scatter_elements([[1, 2, 3, 4, 5]], [[1, 1]], [[10, 20]], axis=1, reduction="add")
    array([[ 1, 32,  3,  4,  5]])
    """
    return call(
        "ScatterElements", opset, data=data, indices=indices, updates=updates, axis=axis, reduction=reduction, out=out
    )


@answered
def scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    reduction: str | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Return `data` with updates written at the tuples of indices along the last axis of `indices`.

    `updates` has the sizes `indices.shape[:-1] + data.shape[k:]` for tuples of k indices, each in -s..s-1. `reduction`
    is as for scatter_elements.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version lacks,
    InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 16: `reduction`.
    Specification: ONNX ScatterND, versions 11, 13, 16 and 18.

    >>> wh.onnx.scatter_nd([1, 2, 3, 4], [[3], [1]], [9, 8])
    array([1, 8, 3, 9])
    """
    return call("ScatterND", opset, data=data, indices=indices, updates=updates, reduction=reduction, out=out)


@answered
def tensor_scatter(
    past_cache: ArrayLike,
    update: ArrayLike,
    write_indices: ArrayLike | None = None,
    axis: int = -2,
    mode: str = "linear",
    *,
    opset: int = 24,
    out: Array | None = None,
) -> Array:
    """Return `past_cache` with `update` written along `axis`, in each batch from its write index on (default 0).

    Mode `circular` continues at position 0 after the last; `linear` must end inside the axis.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises IndexOutOfRangeError for a write index that is negative or leads outside, InvalidTypeError for an element
    type that the version lacks, InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    Specification: ONNX TensorScatter, version 24.

    >>> cache, update = np.zeros((1, 4, 1)), np.ones((1, 2, 1))
    >>> wh.onnx.tensor_scatter(cache, update, [3], mode="circular").ravel()
    array([1., 0., 0., 1.])
    """
    return call(
        "TensorScatter",
        opset,
        past_cache=past_cache,
        update=update,
        write_indices=write_indices,
        axis=axis,
        mode=mode,
        out=out,
    )
