"""The operators of operators/value.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def identity(data: ArrayLike, *, opset: int = 25, out: Array | None = None) -> Array:
    """Return a copy of `data`, element by element at the same coordinate.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 19: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2 and float8_e5m2fnuz; 21: int4 and
    uint4; 23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Identity, versions 1, 13, 14, 16, 19, 21, 23, 24 and 25.

    >>> wh.onnx.identity(np.array([1, 2]))
    array([1, 2])
    """
    return call("Identity", opset, input=data, out=out)
