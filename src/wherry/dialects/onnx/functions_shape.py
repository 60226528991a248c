"""The ONNX operators that slice, shape and rearrange, as functions on arrays, checked exactly as their version says.

Each returns a new array. What is an attribute in one version and an input in another is given alike: integers in a
list, or a vector of int64.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import call

Array = NDArray[Any]


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
    """Take every step-th position of each of `axes` from its start to before its end.

    Starts and ends below 0 get the size of the axis added once, then both are clamped to the axis.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take (steps from opset 10 on,
    negative axes from 11 on), UnsupportedError for an unknown opset. Specification: ONNX Slice, versions 1, 10, 11, 13.

    >>> wh.onnx.slice([[1, 2, 3, 4], [5, 6, 7, 8]], [1, 0], [2, 3], [0, 1], [1, 2])
    array([[5, 7]])
    """
    return call("Slice", opset, data=data, starts=starts, ends=ends, axes=axes, steps=steps, out=out)[0]


def tile(
    input: ArrayLike, repeats: ArrayLike, axis: ArrayLike | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Lay `input` out again and again, as often along each axis as `repeats` says.

    Before opset 6 `repeats` is one number, for the one `axis`; both have the type of `input` there.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Tile, versions 1, 6 and 13.

    >>> wh.onnx.tile([[1, 2], [3, 4]], [1, 2])
    array([[1, 2, 1, 2],
           [3, 4, 3, 4]])
    """
    return call("Tile", opset, input=input, repeats=repeats, axis=axis, out=out)[0]


def pad(
    data: ArrayLike,
    pads: ArrayLike,
    constant_value: ArrayLike | None = None,
    axes: ArrayLike | None = None,
    mode: str = "constant",
    *,
    opset: int = 25,
    out: Array | None = None,
) -> Array:
    """Add positions around `data`, or take some away where `pads`, all begins and then all ends, are negative.

    `mode` is constant, reflect, edge, or from opset 19 on wrap. Axes can be named from opset 18 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Pad, versions 1, 2, 11, 13, 18, 19, 21, 23, 24 and 25.

    >>> wh.onnx.pad([1, 2, 3], [2, 1], mode="reflect")
    array([3, 2, 1, 2, 3, 2])
    """
    return call("Pad", opset, data=data, pads=pads, constant_value=constant_value, axes=axes, mode=mode, out=out)[0]


def transpose(data: ArrayLike, perm: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Put the axes of `data` in another order: axis i of the result is axis `perm[i]`; without `perm` reversed.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Transpose, versions 1, 13, 21, 23, 24 and 25.

    >>> wh.onnx.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    return call("Transpose", opset, data=data, perm=perm, out=out)[0]


def expand(input: ArrayLike, shape: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Repeat `input` along its axes of size 1 and along new ones, to the sizes `shape`; a 1 there gives way to `input`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Expand, versions 8 and 13.

    >>> wh.onnx.expand([[1], [2]], [1, 3])
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Expand", opset, input=input, shape=shape, out=out)[0]


def reshape(
    data: ArrayLike, shape: ArrayLike, allowzero: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order under the sizes `shape`; one may be -1, what remains.

    A 0 copies the size of `data`, or with `allowzero=1` (from opset 14 on) is a size of 0.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Reshape, versions 1, 5, 13, 14, 19, 21, 23, 24 and 25.

    >>> wh.onnx.reshape([[1, 2, 3], [4, 5, 6]], [3, -1])
    array([[1, 2],
           [3, 4],
           [5, 6]])
    """
    return call("Reshape", opset, data=data, shape=shape, allowzero=allowzero, out=out)[0]


def squeeze(data: ArrayLike, axes: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` without the listed axes, which have size 1; without a list, without all axes of size 1.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take (negative axes from opset 11
    on), UnsupportedError for an unknown opset. Specification: ONNX Squeeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, data=data, axes=axes, out=out)[0]


def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` with axes of size 1 at the positions `axes` of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take (negative axes from opset 11
    on), UnsupportedError for an unknown opset. Specification: ONNX Unsqueeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.unsqueeze([1, 2, 3], [0, -1]).shape
    (1, 3, 1)
    """
    return call("Unsqueeze", opset, data=data, axes=axes, out=out)[0]


def flatten(input: ArrayLike, axis: int = 1, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `input` as a matrix: the axes before `axis` in its rows, the others in its columns.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take (a negative axis from opset
    11 on), UnsupportedError for an unknown opset. Specification: ONNX Flatten, versions 1, 9, 11, 13, 21, 23, 24, 25.

    >>> wh.onnx.flatten(np.zeros((2, 3, 4)), axis=2).shape
    (6, 4)
    """
    return call("Flatten", opset, input=input, axis=axis, out=out)[0]


def depth_to_space(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of channels into space: sizes [N, C, H, W] become [N, C / b**2, H * b, W * b].

    `mode`, from opset 11 on: DCR, the place in the block is the slow part of a channel's number, or CRD, the fast one.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX DepthToSpace, versions 1, 11, 13 and 28.

    >>> wh.onnx.depth_to_space(np.arange(4).reshape(1, 4, 1, 1), 2)
    array([[[[0, 1],
             [2, 3]]]])
    """
    return call("DepthToSpace", opset, input=input, blocksize=blocksize, mode=mode, out=out)[0]


def space_to_depth(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of space into channels: sizes [N, C, H, W] become [N, C * b**2, H / b, W / b].

    `mode`, from opset 28 on: DCR, the place in the block is the slow part of a channel's number, or CRD, the fast one.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX SpaceToDepth, versions 1, 13 and 28.

    >>> wh.onnx.space_to_depth(np.arange(4).reshape(1, 1, 2, 2), 2).ravel()
    array([0, 1, 2, 3])
    """
    return call("SpaceToDepth", opset, input=input, blocksize=blocksize, mode=mode, out=out)[0]


def reverse_sequence(
    input: ArrayLike,
    sequence_lens: ArrayLike,
    batch_axis: int = 1,
    time_axis: int = 0,
    *,
    opset: int = 28,
    out: Array | None = None,
) -> Array:
    """Reverse the first elements of each batch along `time_axis`, as many as its length says; the others stay.

    Batch and time are axes 0 and 1, in either order.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX ReverseSequence, versions 10 and 28.

    >>> wh.onnx.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], batch_axis=0, time_axis=1)
    array([[2, 1, 3],
           [6, 5, 4]])
    """
    axes = {"batch_axis": batch_axis, "time_axis": time_axis}
    return call("ReverseSequence", opset, input=input, sequence_lens=sequence_lens, **axes, out=out)[0]


def col2im(
    input: ArrayLike,
    image_shape: ArrayLike,
    block_shape: ArrayLike,
    dilations: ArrayLike | None = None,
    pads: ArrayLike | None = None,
    strides: ArrayLike | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Sum windows, laid side by side as columns, up to the image that they were taken from.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Col2Im, version 18.

    >>> wh.onnx.col2im(np.ones((1, 4, 2)), [2, 3], [2, 2])
    array([[[[1., 2., 1.],
             [1., 2., 1.]]]])
    """
    windows = {"dilations": dilations, "pads": pads, "strides": strides}
    return call("Col2Im", opset, input=input, image_shape=image_shape, block_shape=block_shape, **windows, out=out)[0]
