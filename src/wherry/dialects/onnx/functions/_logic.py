"""The operators of operators/logic.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def and_(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 7,
    out: Array | None = None,
) -> Array:
    """Return the logical and of `A` and `B`, bools that broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX And, versions 1 and 7.

    >>> wh.onnx.and_([True, True, False], [True, False, False])
    array([ True, False, False])
    """
    return call("And", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def equal(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 19,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `A` equals that of `B`, broadcast as in NumPy.

    NaN equals nothing; -0.0 equals 0.0.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 11: int8, int16, uint8, uint16, uint32, uint64, float16, float32 and float64; 13: bfloat16; 19:
    string.
    Specification: ONNX Equal, versions 1, 7, 11, 13 and 19.

    >>> wh.onnx.equal([1, 2, 3], [2])
    array([False,  True, False])
    """
    return call("Equal", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def greater(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `A` is more than that of `B`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 9: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Greater, versions 1, 7, 9 and 13.

    >>> wh.onnx.greater([1, 2, 3], [2])
    array([False, False,  True])
    """
    return call("Greater", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def greater_or_equal(A: ArrayLike, B: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Return whether each element of `A` is at least that of `B`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 16: bfloat16.
    Specification: ONNX GreaterOrEqual, versions 12 and 16.

    >>> wh.onnx.greater_or_equal([1, 2, 3], [2])
    array([False,  True,  True])
    """
    return call("GreaterOrEqual", opset, A=A, B=B, out=out)


@answered
def less(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `A` is less than that of `B`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 9: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Less, versions 1, 7, 9 and 13.

    >>> wh.onnx.less([1, 2, 3], [2])
    array([ True, False, False])
    """
    return call("Less", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def less_or_equal(A: ArrayLike, B: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Return whether each element of `A` is at most that of `B`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 16: bfloat16.
    Specification: ONNX LessOrEqual, versions 12 and 16.

    >>> wh.onnx.less_or_equal([1, 2, 3], [2])
    array([ True,  True, False])
    """
    return call("LessOrEqual", opset, A=A, B=B, out=out)


@answered
def not_(X: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return the logical not of each bool.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX Not, version 1.

    >>> wh.onnx.not_([True, False])
    array([False,  True])
    """
    return call("Not", opset, X=X, out=out)


@answered
def or_(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 7,
    out: Array | None = None,
) -> Array:
    """Return the logical or of `A` and `B`, bools that broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX Or, versions 1 and 7.

    >>> wh.onnx.or_([True, True, False], [True, False, False])
    array([ True,  True, False])
    """
    return call("Or", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)


@answered
def xor(
    A: ArrayLike,
    B: ArrayLike,
    axis: int | None = None,
    broadcast: int | None = None,
    *,
    opset: int = 7,
    out: Array | None = None,
) -> Array:
    """Return the exclusive or of `A` and `B`, bools that broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX Xor, versions 1 and 7.

    >>> wh.onnx.xor([True, True, False], [True, False, False])
    array([False,  True, False])
    """
    return call("Xor", opset, A=A, B=B, axis=axis, broadcast=broadcast, out=out)
