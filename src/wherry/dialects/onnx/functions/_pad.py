"""The operators of operators/pad.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
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
    """Add positions around `data`, or remove them where `pads` (all begins, then all ends) are negative.

    `mode` is constant, reflect, edge, or from opset 19 on wrap.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 11: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bool, bfloat16, complex64,
    complex128 and string; 18: `axes`; 21: float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, int4 and uint4;
    23: float4_e2m1fn; 24: float8_e8m0fnu; 25: int2 and uint2.
    Specification: ONNX Pad, versions 1, 2, 11, 13, 18, 19, 21, 23, 24 and 25.

    >>> wh.onnx.pad([1, 2, 3], [2, 1], mode="reflect")
    array([3, 2, 1, 2, 3, 2])
    """
    return call("Pad", opset, data=data, pads=pads, constant_value=constant_value, axes=axes, mode=mode, out=out)
