"""The ONNX operators as functions on arrays, checked exactly as their version says.

Each returns a new array, or several. What is an attribute in one version and an input in another is given alike:
integers in a list, or a vector of int64. Written by `python -m generate` from the table of operators.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.by_hand import concat, gather, split
from wherry.dialects.onnx.call import call, call_all
from wherry.dtypes import DType

__all__ = [
    "cast",
    "cast_like",
    "col2im",
    "compress",
    "concat",
    "constant_of_shape",
    "depth_to_space",
    "expand",
    "eye_like",
    "flatten",
    "gather",
    "gather_elements",
    "gather_nd",
    "identity",
    "non_zero",
    "one_hot",
    "pad",
    "range",
    "reshape",
    "reverse_sequence",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "shape",
    "size",
    "slice",
    "space_to_depth",
    "split",
    "squeeze",
    "tensor_scatter",
    "tile",
    "transpose",
    "trilu",
    "unique",
    "unsqueeze",
    "where",
]

Array = NDArray[Any]


def cast(
    input: ArrayLike,
    to: DType | str | type[Any] | np.dtype[Any],
    saturate: int | None = None,
    round_mode: str | None = None,
    *,
    opset: int = 25,
    out: Array | None = None,
) -> Array:
    """Return every element of `input` as the type `to`: the nearest float, or an integer without the fraction.

    `saturate` holds for the float8 types: 1, the greatest number instead of infinity; `round_mode` for float8_e8m0fnu.
    A float outside the range of an integer type, which the specification leaves undefined, becomes what ONNX Runtime
    makes of it on x86.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 9: string; 13: bfloat16; 19: `saturate`, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and
    float8_e5m2fnuz; 21: int4 and uint4; 23: float4_e2m1fn; 24: `round_mode`, float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Cast, versions 1, 6, 9, 13, 19, 21, 23, 24, 25 and 28.

    >>> wh.onnx.cast(np.array([1.7, -1.7]), "int32")
    array([ 1, -1], dtype=int32)
    """
    return call("Cast", opset, input=input, to=to, saturate=saturate, round_mode=round_mode, out=out)


def cast_like(
    input: ArrayLike,
    target_type: ArrayLike,
    saturate: int | None = None,
    round_mode: str | None = None,
    *,
    opset: int = 25,
    out: Array | None = None,
) -> Array:
    """Return every element of `input` as the type of `target_type`, as cast does.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 19: `saturate`, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and uint4;
    23: float4_e2m1fn; 24: `round_mode`, float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX CastLike, versions 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.cast_like(np.array([1.7]), np.zeros(1, np.int8))
    array([1], dtype=int8)
    """
    return call(
        "CastLike", opset, input=input, target_type=target_type, saturate=saturate, round_mode=round_mode, out=out
    )


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
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    Specification: ONNX Col2Im, version 18.

    >>> wh.onnx.col2im(np.ones((1, 4, 2)), [2, 3], [2, 2])
    array([[[[1., 2., 1.],
             [1., 2., 1.]]]])
    """
    return call(
        "Col2Im",
        opset,
        input=input,
        image_shape=image_shape,
        block_shape=block_shape,
        dilations=dilations,
        pads=pads,
        strides=strides,
        out=out,
    )


def compress(
    input: ArrayLike, condition: ArrayLike, axis: int | None = None, *, opset: int = 28, out: Array | None = None
) -> Array:
    """Take the slices of `input` along `axis` that `condition` marks; without `axis`, its elements in row-major order.

    A condition shorter than the axis ends early. A true entry beyond the axis is refused.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX Compress, versions 9, 11 and 28.

    >>> wh.onnx.compress([[1, 2], [3, 4], [5, 6]], [False, True, True], axis=0)
    array([[3, 4],
           [5, 6]])
    """
    return call("Compress", opset, input=input, condition=condition, axis=axis, out=out)


def constant_of_shape(
    input: ArrayLike, value: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return an array of the sizes `input` with one value everywhere: 0.0 of float32, or the one element of `value`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 20: bfloat16, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and uint4;
    23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX ConstantOfShape, versions 9, 20, 21, 23, 24 and 25.

    >>> wh.onnx.constant_of_shape([2, 2], np.array([7]))
    array([[7, 7],
           [7, 7]])
    """
    return call("ConstantOfShape", opset, input=input, value=value, out=out)


def depth_to_space(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of channels into space: sizes [N, C, H, W] become [N, C / b**2, H * b, W * b].

    `mode` is DCR (the default), the place in the block is the slow part of a channel's number, or CRD, the fast one.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 11: `mode`; 13: bfloat16.
    Specification: ONNX DepthToSpace, versions 1, 11, 13 and 28.

    >>> wh.onnx.depth_to_space(np.arange(4).reshape(1, 4, 1, 1), 2)
    array([[[[0, 1],
             [2, 3]]]])
    """
    return call("DepthToSpace", opset, input=input, blocksize=blocksize, mode=mode, out=out)


def expand(input: ArrayLike, shape: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Repeat `input` along its axes of size 1 and along new ones, to the sizes `shape`; a 1 there gives way to `input`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX Expand, versions 8 and 13.

    >>> wh.onnx.expand([[1], [2]], [1, 3])
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Expand", opset, input=input, shape=shape, out=out)


def eye_like(
    input: ArrayLike,
    dtype: DType | str | type[Any] | np.dtype[Any] | None = None,
    k: int = 0,
    *,
    opset: int = 22,
    out: Array | None = None,
) -> Array:
    """Return a matrix of the sizes of `input` with 1 where column - row is `k`, else 0; of its type if none is given.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 22: bfloat16.
    Specification: ONNX EyeLike, versions 9 and 22.

    >>> wh.onnx.eye_like(np.zeros((2, 3), np.int64), k=1)
    array([[0, 1, 0],
           [0, 0, 1]])
    """
    return call("EyeLike", opset, input=input, dtype=dtype, k=k, out=out)


def flatten(input: ArrayLike, axis: int = 1, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `input` as a matrix: the axes before `axis` in its rows, the others in its columns.

    The axis may be negative from opset 11 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 9: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 and string;
    13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23: float4_e2m1fn;
    24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Flatten, versions 1, 9, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.flatten(np.zeros((2, 3, 4)), axis=2).shape
    (6, 4)
    """
    return call("Flatten", opset, input=input, axis=axis, out=out)


def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int = 0, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take from `data`, for each element of `indices`, the element at its place with the coordinate on `axis` replaced.

    The result has the sizes of `indices`, which has as many axes as `data` and is nowhere larger but along `axis`. An
    index may lie in -s..s-1 for an axis of size s.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version does not
    take, InvalidValueError for another argument that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX GatherElements, versions 11 and 13.

    >>> wh.onnx.gather_elements([[1, 2], [3, 4]], [[0, 0], [1, 0]], axis=1)
    array([[1, 1],
           [4, 3]])
    """
    return call("GatherElements", opset, data=data, indices=indices, axis=axis, out=out)


def gather_nd(
    data: ArrayLike, indices: ArrayLike, batch_dims: int | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Take the slices of `data` that tuples of indices name; the tuples lie along the last axis of `indices`.

    Sizes: `indices.shape[:-1] + data.shape[batch_dims + k:]` for tuples of k indices, each in -s..s-1.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version does not
    take, InvalidValueError for another argument that it does not take, UnsupportedError for an unknown opset.
    New with opset 12: `batch_dims`; 13: bfloat16.
    Specification: ONNX GatherND, versions 11, 12 and 13.

    >>> wh.onnx.gather_nd([[0, 1], [2, 3]], [[0, 0], [1, 1]])
    array([0, 3])
    """
    return call("GatherND", opset, data=data, indices=indices, batch_dims=batch_dims, out=out)


def identity(data: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return a copy of `data`, element by element at the same coordinate.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and
    uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Identity, versions 1, 13, 14, 16, 19, 21, 23, 24 and 25.

    >>> wh.onnx.identity(np.array([1, 2]))
    array([1, 2])
    """
    return call("Identity", opset, input=data, out=out)


def non_zero(X: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, one row for each axis, in row-major order.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX NonZero, versions 9 and 13.

    >>> wh.onnx.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, X=X, out=out)


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
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX OneHot, versions 9, 11 and 28.

    >>> wh.onnx.one_hot([0, 2, 1], 3, [0, 1])
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 1, 0]])
    """
    return call("OneHot", opset, indices=indices, depth=depth, values=values, axis=axis, out=out)


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

    `mode` is constant, reflect, edge, or from opset 19 on wrap.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 11: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bool, bfloat16, complex64,
    complex128 and string; 18: `axes`; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4;
    23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Pad, versions 1, 2, 11, 13, 18, 19, 21, 23, 24 and 25.

    >>> wh.onnx.pad([1, 2, 3], [2, 1], mode="reflect")
    array([3, 2, 1, 2, 3, 2])
    """
    return call("Pad", opset, data=data, pads=pads, constant_value=constant_value, axes=axes, mode=mode, out=out)


def range(
    start: ArrayLike,
    limit: ArrayLike,
    delta: ArrayLike,
    stash_type: DType | str | type[Any] | np.dtype[Any] | None = None,
    *,
    opset: int = 27,
    out: Array | None = None,
) -> Array:
    """Return the numbers `start + i * delta` before `limit`, which have one element type.

    float16 and bfloat16 are computed as `stash_type` (float32 by default).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 27: `stash_type`, float16 and bfloat16.
    Specification: ONNX Range, versions 11 and 27.

    >>> wh.onnx.range(3, 9, 3)
    array([3, 6])
    """
    return call("Range", opset, start=start, limit=limit, delta=delta, stash_type=stash_type, out=out)


def reshape(
    data: ArrayLike, shape: ArrayLike, allowzero: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order under the sizes `shape`; one may be -1, what remains.

    A 0 copies the size of `data`, or with `allowzero=1` is a size of 0.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 5: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 and string;
    13: bfloat16; 14: `allowzero`; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and
    uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Reshape, versions 1, 5, 13, 14, 19, 21, 23, 24 and 25.

    >>> wh.onnx.reshape([[1, 2, 3], [4, 5, 6]], [3, -1])
    array([[1, 2],
           [3, 4],
           [5, 6]])
    """
    return call("Reshape", opset, data=data, shape=shape, allowzero=allowzero, out=out)


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
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX ReverseSequence, versions 10 and 28.

    >>> wh.onnx.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], batch_axis=0, time_axis=1)
    array([[2, 1, 3],
           [6, 5, 4]])
    """
    return call(
        "ReverseSequence",
        opset,
        input=input,
        sequence_lens=sequence_lens,
        batch_axis=batch_axis,
        time_axis=time_axis,
        out=out,
    )


def scatter(
    data: ArrayLike, indices: ArrayLike, updates: ArrayLike, axis: int = 0, *, opset: int = 9, out: Array | None = None
) -> Array:
    """Return `data` with elements replaced by `updates` as scatter_elements does; of opsets 9 and 10, then deprecated.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside 0..s-1, InvalidTypeError for an element type that the version does
    not take, InvalidValueError for another argument that it does not take, UnsupportedError for an unknown opset, and
    from 11 on.
    Specification: ONNX Scatter, versions 9 and 11.

    >>> wh.onnx.scatter([1, 2, 3], [0, 2], [7, 8])
    array([7, 2, 8])
    """
    return call("Scatter", opset, data=data, indices=indices, updates=updates, axis=axis, out=out)


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

    `updates` has the sizes of `indices`. `reduction` is none (the last of several updates stays), add or mul from opset
    16 on, max or min from 18 on. An index may lie in -s..s-1 for an axis of size s.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version does not
    take, InvalidValueError for another argument that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 16: `reduction`.
    Specification: ONNX ScatterElements, versions 11, 13, 16 and 18.

    >>> wh.onnx.scatter_elements([[1, 2, 3, 4, 5]], [[1, 1]], [[10, 20]], axis=1, reduction="add")
    array([[ 1, 32,  3,  4,  5]])
    """
    return call(
        "ScatterElements", opset, data=data, indices=indices, updates=updates, axis=axis, reduction=reduction, out=out
    )


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
    Raises IndexOutOfRangeError for an index outside, InvalidTypeError for an element type that the version does not
    take, InvalidValueError for another argument that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 16: `reduction`.
    Specification: ONNX ScatterND, versions 11, 13, 16 and 18.

    >>> wh.onnx.scatter_nd([1, 2, 3, 4], [[3], [1]], [9, 8])
    array([1, 8, 3, 9])
    """
    return call("ScatterND", opset, data=data, indices=indices, updates=updates, reduction=reduction, out=out)


def shape(
    data: ArrayLike, start: int | None = None, end: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the sizes of `data`, or those of the axes `start` to before `end`, as int64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 15: `end`, `start`; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and
    float8_e5m2fnuz; 21: int4 and uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Shape, versions 1, 13, 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.shape(np.zeros((2, 3, 4)), start=-2)
    array([3, 4])
    """
    return call("Shape", opset, data=data, start=start, end=end, out=out)


def size(data: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return the number of elements of `data` as int64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and
    uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Size, versions 1, 13, 19, 21, 23, 24 and 25.

    >>> wh.onnx.size(np.zeros((2, 3, 4)))
    array(24)
    """
    return call("Size", opset, data=data, out=out)


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

    Starts and ends below 0 get the size of the axis added once, then both are clamped to the axis. Axes may be negative
    from opset 11 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 10: `steps`; 13: bfloat16.
    Specification: ONNX Slice, versions 1, 10, 11 and 13.

    >>> wh.onnx.slice([[1, 2, 3, 4], [5, 6, 7, 8]], [1, 0], [2, 3], [0, 1], [1, 2])
    array([[5, 7]])
    """
    return call("Slice", opset, data=data, starts=starts, ends=ends, axes=axes, steps=steps, out=out)


def space_to_depth(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of space into channels: sizes [N, C, H, W] become [N, C * b**2, H / b, W / b].

    `mode` is DCR (the default), the place in the block is the slow part of a channel's number, or CRD, the fast one.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 28: `mode`.
    Specification: ONNX SpaceToDepth, versions 1, 13 and 28.

    >>> wh.onnx.space_to_depth(np.arange(4).reshape(1, 1, 2, 2), 2).ravel()
    array([0, 1, 2, 3])
    """
    return call("SpaceToDepth", opset, input=input, blocksize=blocksize, mode=mode, out=out)


def squeeze(data: ArrayLike, axes: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` without the listed axes, which have size 1; without a list, without all axes of size 1.

    Axes may be negative from opset 11 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Squeeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, data=data, axes=axes, out=out)


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
    Raises IndexOutOfRangeError for a write index that is negative or leads outside, InvalidTypeError for an element
    type that the version does not take, InvalidValueError for another argument that it does not take, UnsupportedError
    for an unknown opset.
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


def tile(
    input: ArrayLike, repeats: ArrayLike, axis: ArrayLike | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Lay `input` out again and again, as often along each axis as `repeats` says.

    Before opset 6 `repeats` is one number, for the one `axis`; both have the type of `input` there.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 6: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 and string;
    13: bfloat16.
    Specification: ONNX Tile, versions 1, 6 and 13.

    >>> wh.onnx.tile([[1, 2], [3, 4]], [1, 2])
    array([[1, 2, 1, 2],
           [3, 4, 3, 4]])
    """
    return call("Tile", opset, input=input, repeats=repeats, axis=axis, out=out)


def transpose(data: ArrayLike, perm: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Put the axes of `data` in another order: axis i of the result is axis `perm[i]`; without `perm` reversed.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Transpose, versions 1, 13, 21, 23, 24 and 25.

    >>> wh.onnx.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    return call("Transpose", opset, data=data, perm=perm, out=out)


def trilu(
    input: ArrayLike, k: ArrayLike | None = None, upper: int = 1, *, opset: int = 14, out: Array | None = None
) -> Array:
    """Return `input` with 0 below the diagonal `k` of each matrix, or with `upper=0` above it.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    Specification: ONNX Trilu, version 14.

    >>> wh.onnx.trilu([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 1)
    array([[0, 2, 3],
           [0, 0, 6],
           [0, 0, 0]])
    """
    return call("Trilu", opset, input=input, k=k, upper=upper, out=out)


class Uniques(NamedTuple):
    """The outputs of Unique: values, the first place of each, which value each place has, and their numbers."""

    Y: Array
    indices: Array
    inverse_indices: Array
    counts: Array


def unique(X: ArrayLike, axis: int | None = None, sorted: int = 1, *, opset: int = 28) -> Uniques:
    """Return each element of `X`, or each slice along `axis`, once; with first places, inverse, and counts.

    In ascending order, or with `sorted=0` in order of first occurrence.

    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX Unique, versions 11 and 28.

    >>> wh.onnx.unique([2, 1, 1, 3, 4, 3], sorted=0).Y
    array([2, 1, 3, 4])
    """
    return Uniques(*call_all("Unique", opset, X=X, axis=axis, sorted=sorted))


def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` with axes of size 1 at the positions `axes` of the result.

    Axes may be negative from opset 11 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Unsqueeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.unsqueeze([1, 2, 3], [0, -1]).shape
    (1, 3, 1)
    """
    return call("Unsqueeze", opset, data=data, axes=axes, out=out)


def where(condition: ArrayLike, X: ArrayLike, Y: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Take each element from `X` where `condition` is true, else from `Y`; all three broadcast.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for another argument
    that it does not take, UnsupportedError for an unknown opset.
    New with opset 16: bfloat16.
    Specification: ONNX Where, versions 9 and 16.

    >>> wh.onnx.where([[True, False], [True, True]], [[1, 2], [3, 4]], [[9, 8], [7, 6]])
    array([[1, 8],
           [3, 4]])
    """
    return call("Where", opset, condition=condition, X=X, Y=Y, out=out)
