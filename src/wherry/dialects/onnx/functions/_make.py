"""The operators of operators/make.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call, call_all
from wherry.dtypes import DType

Array = NDArray[Any]


@answered
def constant_of_shape(
    input: ArrayLike, value: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return an array of the sizes `input` filled with the one element of `value`, by default 0.0 as float32.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 20: bfloat16, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and uint4;
    23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX ConstantOfShape, versions 9, 20, 21, 23, 24 and 25.

    >>> wh.onnx.constant_of_shape([2, 2], np.array([7]))
    array([[7, 7],
           [7, 7]])
    """
    return call("ConstantOfShape", opset, input=input, value=value, out=out)


@answered
def eye_like(
    input: ArrayLike,
    dtype: DType | str | type[Any] | np.dtype[Any] | None = None,
    k: int = 0,
    *,
    opset: int = 22,
    out: Array | None = None,
) -> Array:
    """Return a matrix of the sizes of `input` with 1 where column - row is `k`, else 0; by default of the same type.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 22: bfloat16.
    Specification: ONNX EyeLike, versions 9 and 22.

    >>> wh.onnx.eye_like(np.zeros((2, 3), np.int64), k=1)
    array([[0, 1, 0],
           [0, 0, 1]])
    """
    return call("EyeLike", opset, input=input, dtype=dtype, k=k, out=out)


@answered
def non_zero(X: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, a row for each axis, in row-major order.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX NonZero, versions 9 and 13.

    >>> wh.onnx.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, X=X, out=out)


@answered
def one_hot(
    indices: ArrayLike,
    depth: ArrayLike,
    values: ArrayLike,
    axis: int = -1,
    *,
    opset: int = 28,
    out: Array | None = None,
) -> Array:
    """Return `values[1]` at the position of each index along a new `axis` of size `depth`, and `values[0]` elsewhere.

    An index outside the axis gives `values[0]` everywhere; from opset 11 on negative indices count from the end.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX OneHot, versions 9, 11 and 28.

    >>> wh.onnx.one_hot([0, 2, 1], 3, [0, 1])
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 1, 0]])
    """
    return call("OneHot", opset, indices=indices, depth=depth, values=values, axis=axis, out=out)


@answered
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

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 27: `stash_type`, float16 and bfloat16.
    Specification: ONNX Range, versions 11 and 27.

    >>> wh.onnx.range(3, 9, 3)
    array([3, 6])
    """
    return call("Range", opset, start=start, limit=limit, delta=delta, stash_type=stash_type, out=out)


@answered
def trilu(
    input: ArrayLike, k: ArrayLike | None = None, upper: int = 1, *, opset: int = 14, out: Array | None = None
) -> Array:
    """Return `input` with 0 below the diagonal `k` of each matrix, or with `upper=0` above it.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
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


@answered
def unique(
    X: ArrayLike, axis: int | None = None, sorted: int = 1, *, opset: int = 28, out: Sequence[Array] | None = None
) -> Uniques:
    """Return each element of `X`, or each slice along `axis`, once; with first positions, inverse, and counts.

    The order is ascending, or with `sorted=0` that of the first occurrences.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX Unique, versions 11 and 28.

    >>> wh.onnx.unique([2, 1, 1, 3, 4, 3], sorted=0).Y
    array([2, 1, 3, 4])
    """
    return Uniques(*call_all("Unique", opset, X=X, axis=axis, sorted=sorted, out=out))
