"""The operators of operators/shape.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def expand(input: ArrayLike, shape: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Repeat `input` along axes of size 1 and new axes to the sizes `shape`; a 1 there keeps the size of `input`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX Expand, versions 8 and 13.

    >>> wh.onnx.expand([[1], [2]], [1, 3])
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Expand", opset, input=input, shape=shape, out=out)


@answered
def flatten(input: ArrayLike, axis: int = 1, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `input` as a matrix: the axes before `axis` in its rows, the others in its columns.

    The axis may be negative from opset 11 on.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 9: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 and string;
    13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23: float4_e2m1fn;
    24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Flatten, versions 1, 9, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.flatten(np.zeros((2, 3, 4)), axis=2).shape
    (6, 4)
    """
    return call("Flatten", opset, input=input, axis=axis, out=out)


@answered
def reshape(
    data: ArrayLike, shape: ArrayLike, allowzero: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order with the sizes `shape`; one may be -1, the remaining size.

    A 0 copies the size of `data` at its position, or with `allowzero=1` is a size of 0.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
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


@answered
def squeeze(data: ArrayLike, axes: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` without the listed axes of size 1, or if `axes` is not given, without all axes of size 1.

    Axes may be negative from opset 11 on.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Squeeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, data=data, axes=axes, out=out)


@answered
def tile(
    input: ArrayLike, repeats: ArrayLike, axis: ArrayLike | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Repeat `input` as a whole along each axis, as many times as `repeats` gives.

    Before opset 6 `repeats` is one number, for one `axis`; both then have the type of `input`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 and string;
    13: bfloat16.
    Specification: ONNX Tile, versions 1, 6 and 13.

    >>> wh.onnx.tile([[1, 2], [3, 4]], [1, 2])
    array([[1, 2, 1, 2],
           [3, 4, 3, 4]])
    """
    return call("Tile", opset, input=input, repeats=repeats, axis=axis, out=out)


@answered
def transpose(data: ArrayLike, perm: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None) -> Array:
    """Permute the axes of `data`: axis i of the result is axis `perm[i]`; without `perm` their order is reversed.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Transpose, versions 1, 13, 21, 23, 24 and 25.

    >>> wh.onnx.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    return call("Transpose", opset, data=data, perm=perm, out=out)


@answered
def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return `data` with axes of size 1 at the positions `axes` of the result.

    Axes may be negative from opset 11 on.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4; 23:
    float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Unsqueeze, versions 1, 11, 13, 21, 23, 24 and 25.

    >>> wh.onnx.unsqueeze([1, 2, 3], [0, -1]).shape
    (1, 3, 1)
    """
    return call("Unsqueeze", opset, data=data, axes=axes, out=out)
