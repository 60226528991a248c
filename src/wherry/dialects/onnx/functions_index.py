"""The ONNX operators that index, select and scatter, as functions on arrays, checked exactly as their version says."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import call

Array = NDArray[Any]


def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int = 0, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take from `data`, for each element of `indices`, the element at its place with the coordinate on `axis` replaced.

    The result has the sizes of `indices`, which has as many axes as `data` and is nowhere larger but along `axis`. An
    index may lie in -s..s-1 for an axis of size s.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError or InvalidValueError for inputs that the version
    does not take, UnsupportedError for an unknown opset. Specification: ONNX GatherElements, versions 11 and 13.

    >>> wh.onnx.gather_elements([[1, 2], [3, 4]], [[0, 0], [1, 0]], axis=1)
    array([[1, 1],
           [4, 3]])
    """
    return call("GatherElements", opset, data=data, indices=indices, axis=axis, out=out)[0]


def gather_nd(
    data: ArrayLike, indices: ArrayLike, batch_dims: int | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take the slices of `data` that tuples of indices name; the tuples lie along the last axis of `indices`.

    Sizes: `indices.shape[:-1] + data.shape[batch_dims + k:]` for tuples of k indices, each in -s..s-1.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError or InvalidValueError for inputs that the version
    does not take, UnsupportedError for an unknown opset. Specification: ONNX GatherND, versions 11, 12 and 13.

    >>> wh.onnx.gather_nd([[0, 1], [2, 3]], [[0, 0], [1, 1]])
    array([0, 3])
    """
    return call("GatherND", opset, data=data, indices=indices, batch_dims=batch_dims, out=out)[0]


def scatter(
    data: ArrayLike, indices: ArrayLike, updates: ArrayLike, axis: int = 0, *, opset: int = 9, out: Array | None = None
) -> Array:
    """Return `data` with elements replaced by `updates` as scatter_elements does; of opsets 9 and 10, then deprecated.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises UnsupportedError from opset 11 on, IndexOutOfRangeError for an index outside 0..s-1, InvalidTypeError or
    InvalidValueError for inputs that the version does not take. Specification: ONNX Scatter, versions 9 and 11.

    >>> wh.onnx.scatter([1, 2, 3], [0, 2], [7, 8])
    array([7, 2, 8])
    """
    return call("Scatter", opset, data=data, indices=indices, updates=updates, axis=axis, out=out)[0]


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
    """Return `data` with each update at its own place with the coordinate on `axis` replaced by its index.

    `updates` has the sizes of `indices`. `reduction` is none (the last of several updates stays), add or mul from
    opset 16 on, max or min from 18 on. An index may lie in -s..s-1 for an axis of size s.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError or InvalidValueError for inputs that the version
    does not take, UnsupportedError for an unknown opset. Specification: ONNX ScatterElements, versions 11, 13, 16, 18.

    >>> wh.onnx.scatter_elements([[1, 2, 3, 4, 5]], [[1, 1]], [[10, 20]], axis=1, reduction="add")
    array([[ 1, 32,  3,  4,  5]])
    """
    return call(
        "ScatterElements", opset, data=data, indices=indices, updates=updates, axis=axis, reduction=reduction, out=out
    )[0]  # fmt: skip


def scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    reduction: str | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Return `data` with updates at the slices that tuples of indices name; the tuples lie along the last axis.

    `updates` has the sizes `indices.shape[:-1] + data.shape[k:]` for tuples of k indices, each in -s..s-1. `reduction`
    is as for scatter_elements.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError or InvalidValueError for inputs that the version
    does not take, UnsupportedError for an unknown opset. Specification: ONNX ScatterND, versions 11, 13, 16 and 18.

    >>> wh.onnx.scatter_nd([1, 2, 3, 4], [[3], [1]], [9, 8])
    array([1, 8, 3, 9])
    """
    return call("ScatterND", opset, data=data, indices=indices, updates=updates, reduction=reduction, out=out)[0]


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
    """Return `past_cache` with `update` written along `axis`, in each batch from its write index on (0 without).

    `circular` goes on at position 0 behind the last; `linear` must end inside the axis.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for a write index that is negative or leads outside, InvalidTypeError or
    InvalidValueError for inputs that the version does not take, UnsupportedError for an unknown opset.
    Specification: ONNX TensorScatter, version 24.

    >>> cache, update = np.zeros((1, 4, 1)), np.ones((1, 2, 1))
    >>> wh.onnx.tensor_scatter(cache, update, [3], mode="circular").ravel()
    array([1., 0., 0., 1.])
    """
    inputs = {"past_cache": past_cache, "update": update, "write_indices": write_indices}
    return call("TensorScatter", opset, **inputs, axis=axis, mode=mode, out=out)[0]


def compress(
    input: ArrayLike, condition: ArrayLike, axis: int | None = None, *, opset: int = 28, out: Array | None = None
) -> Array:
    """Take the slices of `input` along `axis` that `condition` marks; without `axis`, its elements in row-major order.

    A condition shorter than the axis ends early.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, a true entry beyond the axis
    among them; UnsupportedError for an unknown opset. Specification: ONNX Compress, versions 9, 11 and 28.

    >>> wh.onnx.compress([[1, 2], [3, 4], [5, 6]], [False, True, True], axis=0)
    array([[3, 4],
           [5, 6]])
    """
    return call("Compress", opset, input=input, condition=condition, axis=axis, out=out)[0]


def where(condition: ArrayLike, X: ArrayLike, Y: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Take each element from `X` where `condition` is true, else from `Y`; all three broadcast.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Where, versions 9 and 16.

    >>> wh.onnx.where([[True, False], [True, True]], [[1, 2], [3, 4]], [[9, 8], [7, 6]])
    array([[1, 8],
           [3, 4]])
    """
    return call("Where", opset, condition=condition, X=X, Y=Y, out=out)[0]


def non_zero(X: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, one row for each axis, in row-major order.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, UnsupportedError for an unknown opset.
    Specification: ONNX NonZero, versions 9 and 13.

    >>> wh.onnx.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, X=X, out=out)[0]


class Uniques(NamedTuple):
    """The outputs of Unique: values, the first place of each, which value each place has, and their numbers."""

    Y: Array
    indices: Array
    inverse_indices: Array
    counts: Array


def unique(X: ArrayLike, axis: int | None = None, sorted: int = 1, *, opset: int = 28) -> Uniques:
    """Return each element of `X`, or each slice along `axis`, once; with first places, inverse, and counts.

    In ascending order, or with `sorted=0` in order of first occurrence.

    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Unique, versions 11 and 28.

    >>> wh.onnx.unique([2, 1, 1, 3, 4, 3], sorted=0).Y
    array([2, 1, 3, 4])
    """
    return Uniques(*call("Unique", opset, X=X, axis=axis, sorted=sorted))


def one_hot(
    indices: ArrayLike,
    depth: ArrayLike,
    values: ArrayLike,
    axis: int = -1,
    *,
    opset: int = 28,
    out: Array | None = None,
) -> Array:
    """Put along a new `axis` of size `depth`, for each index, `values[1]` at its position and `values[0]` elsewhere.

    An index outside the axis has `values[0]` everywhere; from opset 11 on a negative one counts from the end.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX OneHot, versions 9, 11 and 28.

    >>> wh.onnx.one_hot([0, 2, 1], 3, [0, 1])
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 1, 0]])
    """
    return call("OneHot", opset, indices=indices, depth=depth, values=values, axis=axis, out=out)[0]
