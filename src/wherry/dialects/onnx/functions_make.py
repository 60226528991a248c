"""The ONNX operators that make and convert tensors, as functions on arrays, checked exactly as their version says."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry import dtypes, errors
from wherry.dialects.onnx.call import call, row_of
from wherry.dialects.onnx.row import Kind
from wherry.dialects.onnx.types import number_of
from wherry.dtypes import DType
from wherry.errors import UnsupportedError

Array = NDArray[Any]


def constant_of_shape(
    input: ArrayLike, value: ArrayLike | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return an array of the sizes `input` with one value everywhere: 0.0 of float32, or the one element of `value`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX ConstantOfShape, versions 9, 20, 21, 23, 24 and 25.

    >>> wh.onnx.constant_of_shape([2, 2], np.array([7]))
    array([[7, 7],
           [7, 7]])
    """
    return call("ConstantOfShape", opset, input=input, value=value, out=out)[0]


def range(
    start: ArrayLike,
    limit: ArrayLike,
    delta: ArrayLike,
    stash_type: DType | str | None = None,
    *,
    opset: int = 27,
    out: Array | None = None,
) -> Array:
    """Return the numbers `start + i * delta` before `limit`, which have one element type.

    float16 and bfloat16, from opset 27 on, are computed as `stash_type` (float32 by default).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Range, versions 11 and 27.

    >>> wh.onnx.range(3, 9, 3)
    array([3, 6])
    """
    stash = None if stash_type is None else number_of(dtypes.find(stash_type))
    return call("Range", opset, start=start, limit=limit, delta=delta, stash_type=stash, out=out)[0]


def eye_like(
    input: ArrayLike, dtype: DType | str | None = None, k: int = 0, *, opset: int = 22, out: Array | None = None
) -> Array:
    """Return a matrix of the sizes of `input` with 1 where column - row is `k`, else 0; of its type if none is given.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX EyeLike, versions 9 and 22.

    >>> wh.onnx.eye_like(np.zeros((2, 3), np.int64), k=1)
    array([[0, 1, 0],
           [0, 0, 1]])
    """
    row = row_of("EyeLike", opset)
    with errors.subject(row.subject):
        number = None if dtype is None else number_of(dtypes.find(dtype))
    return call("EyeLike", opset, input=input, dtype=number, k=k, out=out)[0]


def trilu(
    input: ArrayLike, k: ArrayLike | None = None, upper: int = 1, *, opset: int = 14, out: Array | None = None
) -> Array:
    """Return `input` with 0 below the diagonal `k` of each matrix, or with `upper=0` above it.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for inputs that the version does not take, UnsupportedError for an
    unknown opset. Specification: ONNX Trilu, version 14.

    >>> wh.onnx.trilu([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 1)
    array([[0, 2, 3],
           [0, 0, 6],
           [0, 0, 0]])
    """
    return call("Trilu", opset, input=input, k=k, upper=upper, out=out)[0]


def shape(
    data: ArrayLike, start: int | None = None, end: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the sizes of `data`, from opset 15 on those of the axes `start` to before `end`, as int64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, InvalidValueError for start or end
    before opset 15, UnsupportedError for an unknown opset.
    Specification: ONNX Shape, versions 1, 13, 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.shape(np.zeros((2, 3, 4)), start=-2)
    array([3, 4])
    """
    return call("Shape", opset, data=data, start=start, end=end, out=out)[0]


def size(data: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return the number of elements of `data` as int64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take, UnsupportedError for an unknown opset.
    Specification: ONNX Size, versions 1, 13, 19, 21, 23, 24 and 25.

    >>> wh.onnx.size(np.zeros((2, 3, 4)))
    array(24)
    """
    return call("Size", opset, data=data, out=out)[0]


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

    `saturate`, from opset 19 on, holds for the float8 types: 1, the greatest number instead of infinity; `round_mode`,
    from opset 24 on, for float8_e8m0fnu. A float outside the range of an integer type, which the specification leaves
    undefined, becomes what ONNX Runtime makes of it on x86.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what the version does not take, UnsupportedError for an unknown
    opset. Specification: ONNX Cast, versions 1, 6, 9, 13, 19, 21, 23, 24, 25 and 28.

    >>> wh.onnx.cast(np.array([1.7, -1.7]), "int32")
    array([ 1, -1], dtype=int32)
    """
    row = row_of("Cast", opset)
    with errors.subject(row.subject):
        dtype = dtypes.find(to)
        if dtype.onnx is None:
            raise UnsupportedError(f"to is {dtype}, which ONNX does not have")
        named = row.attributes[0].kind is Kind.STRING
        spelled: str | int = dtype.onnx.upper() if named else number_of(dtype)
    return call("Cast", opset, input=input, to=spelled, saturate=saturate, round_mode=round_mode, out=out)[0]


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
    Raises InvalidTypeError or InvalidValueError for what the version does not take, UnsupportedError for an unknown
    opset. Specification: ONNX CastLike, versions 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.cast_like(np.array([1.7]), np.zeros(1, np.int8))
    array([1], dtype=int8)
    """
    return call(
        "CastLike", opset, input=input, target_type=target_type, saturate=saturate, round_mode=round_mode, out=out
    )[0]  # fmt: skip
