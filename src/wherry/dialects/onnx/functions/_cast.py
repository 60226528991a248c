"""The operators of operators/cast.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call
from wherry.dtypes import DType

Array = NDArray[Any]


@answered
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

    `saturate` applies to float8 types: 1 gives the greatest number instead of infinity; `round_mode` applies to
    float8_e8m0fnu. A float outside the range of an integer type, which the specification leaves undefined, is cast as
    by ONNX Runtime on x86.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 9: string; 13: bfloat16; 19: `saturate`, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and
    float8_e5m2fnuz; 21: int4 and uint4; 23: float4_e2m1fn; 24: `round_mode`, float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Cast, versions 1, 6, 9, 13, 19, 21, 23, 24, 25 and 28.

    >>> wh.onnx.cast(np.array([1.7, -1.7]), "int32")
    array([ 1, -1], dtype=int32)
    """
    return call("Cast", opset, input=input, to=to, saturate=saturate, round_mode=round_mode, out=out)


@answered
def cast_like(
    input: ArrayLike,
    target_type: ArrayLike,
    saturate: int | None = None,
    round_mode: str | None = None,
    *,
    opset: int = 25,
    out: Array | None = None,
) -> Array:
    """Cast every element of `input` to the type of `target_type`, as `cast` does.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 19: `saturate`, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and uint4;
    23: float4_e2m1fn; 24: `round_mode`, float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX CastLike, versions 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.cast_like(np.array([1.7]), np.zeros(1, np.int8))
    array([1], dtype=int8)
    """
    return call(
        "CastLike", opset, input=input, target_type=target_type, saturate=saturate, round_mode=round_mode, out=out
    )


@answered
def shape(
    data: ArrayLike, start: int | None = None, end: int | None = None, *, opset: int = 25, out: Array | None = None
) -> Array:
    """Return the sizes of `data`, or those of its axes `start` to `end - 1`, as int64.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 15: `end`, `start`; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and
    float8_e5m2fnuz; 21: int4 and uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Shape, versions 1, 13, 15, 19, 21, 23, 24 and 25.

    >>> wh.onnx.shape(np.zeros((2, 3, 4)), start=-2)
    array([3, 4])
    """
    return call("Shape", opset, data=data, start=start, end=end, out=out)


@answered
def size(data: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return the number of elements of `data` as int64.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and
    uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Size, versions 1, 13, 19, 21, 23, 24 and 25.

    >>> wh.onnx.size(np.zeros((2, 3, 4)))
    array(24)
    """
    return call("Size", opset, data=data, out=out)
