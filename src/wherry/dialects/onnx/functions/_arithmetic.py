"""The operators of operators/arithmetic.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def abs(X: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the absolute value of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Abs, versions 1, 6 and 13.

    >>> wh.onnx.abs([1, -2])
    array([1, 2])
    """
    return call("Abs", opset, X=X, out=out)


@answered
def add(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 14,
    out: Array | None = None,
) -> Array:
    """Return `A + B`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: int32, int64, uint32 and uint64; 13: bfloat16; 14: int8, int16, uint8 and uint16.
    Specification: ONNX Add, versions 1, 6, 7, 13 and 14.

    >>> wh.onnx.add([1, 2], [[10], [20]])
    array([[11, 12],
           [21, 22]])
    """
    return call("Add", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def bitwise_and(A: ArrayLike, B: ArrayLike, *, opset: int = 18, out: Array | None = None) -> Array:
    """Return the bitwise and of the integers `A` and `B`, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX BitwiseAnd, version 18.

    >>> wh.onnx.bitwise_and([12, 10], [6])
    array([4, 2])
    """
    return call("BitwiseAnd", opset, A=A, B=B, out=out)


@answered
def bitwise_not(X: ArrayLike, *, opset: int = 18, out: Array | None = None) -> Array:
    """Return the integers with every bit inverted.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX BitwiseNot, version 18.

    >>> wh.onnx.bitwise_not([0, 5])
    array([-1, -6])
    """
    return call("BitwiseNot", opset, X=X, out=out)


@answered
def bitwise_or(A: ArrayLike, B: ArrayLike, *, opset: int = 18, out: Array | None = None) -> Array:
    """Return the bitwise or of the integers `A` and `B`, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX BitwiseOr, version 18.

    >>> wh.onnx.bitwise_or([12, 10], [6])
    array([14, 14])
    """
    return call("BitwiseOr", opset, A=A, B=B, out=out)


@answered
def bitwise_xor(A: ArrayLike, B: ArrayLike, *, opset: int = 18, out: Array | None = None) -> Array:
    """Return the bitwise exclusive or of the integers `A` and `B`, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX BitwiseXor, version 18.

    >>> wh.onnx.bitwise_xor([12, 10], [6])
    array([10, 12])
    """
    return call("BitwiseXor", opset, A=A, B=B, out=out)


@answered
def clip(
    input: ArrayLike,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return `input` with elements below `min` replaced by `min`, and those above `max` by `max`.

    If `min` is greater than `max`, all elements become `max`. NaN stays.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 12: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Clip, versions 1, 6, 11, 12 and 13.

    >>> wh.onnx.clip([1, 5, 9], 2, 6)
    array([2, 5, 6])
    """
    return call("Clip", opset, input=input, min=min, max=max, out=out)


@answered
def div(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 14,
    out: Array | None = None,
) -> Array:
    """Return `A / B`, broadcast as in NumPy; quotients of integers are rounded toward zero.

    An integer divided by 0, and the least integer divided by -1, are errors.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidValueError for a quotient that there is not, InvalidTypeError for an element type that the version
    lacks, InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 6: int32, int64, uint32 and uint64; 13: bfloat16; 14: int8, int16, uint8 and uint16.
    Specification: ONNX Div, versions 1, 6, 7, 13 and 14.

    >>> wh.onnx.div([-7, 7], [2])
    array([-3,  3])
    """
    return call("Div", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def mod(A: ArrayLike, B: ArrayLike, fmod: int = 0, *, opset: int = 28, out: Array | None = None) -> Array:
    """Return the remainder of `A` divided by `B`, with the sign of `B`, or with `fmod=1` that of `A`.

    Before opset 28 floats need `fmod=1`. An integer divided by 0 is an error.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidValueError for an integer by 0, InvalidTypeError for an element type that the version lacks,
    InvalidValueError for another illegal argument, UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX Mod, versions 10, 13 and 28.

    >>> wh.onnx.mod([-7, 7], [2, -2])
    array([ 1, -1])
    """
    return call("Mod", opset, A=A, B=B, fmod=fmod, out=out)


@answered
def mul(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 14,
    out: Array | None = None,
) -> Array:
    """Return `A * B`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: int32, int64, uint32 and uint64; 13: bfloat16; 14: int8, int16, uint8 and uint16.
    Specification: ONNX Mul, versions 1, 6, 7, 13 and 14.

    >>> wh.onnx.mul([1, 2], [3, 4])
    array([3, 8])
    """
    return call("Mul", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def neg(X: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the negative of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: int8, int16, int32 and int64; 13: bfloat16.
    Specification: ONNX Neg, versions 1, 6 and 13.

    >>> wh.onnx.neg([1, -2])
    array([-1,  2])
    """
    return call("Neg", opset, X=X, out=out)


@answered
def sign(input: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return -1, 0 or 1 for each number by its sign; NaN for NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16.
    Specification: ONNX Sign, versions 9 and 13.

    >>> wh.onnx.sign([-5, 0, 7])
    array([-1,  0,  1])
    """
    return call("Sign", opset, input=input, out=out)


@answered
def sub(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 14,
    out: Array | None = None,
) -> Array:
    """Return `A - B`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 6: int32, int64, uint32 and uint64; 13: bfloat16; 14: int8, int16, uint8 and uint16.
    Specification: ONNX Sub, versions 1, 6, 7, 13 and 14.

    >>> wh.onnx.sub(np.array([1, 2], np.uint8), np.array([2], np.uint8))
    array([255,   0], dtype=uint8)
    """
    return call("Sub", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)
