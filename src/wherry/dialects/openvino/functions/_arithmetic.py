"""The operators of operations/arithmetic.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def abs(data: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return the absolute value of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Abs-1.

    >>> wh.openvino.abs([1, -2])
    array([1, 2])
    """
    return call("Abs", opset, [data], out=out)


@answered
def add(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `a + b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Add-1.

    >>> wh.openvino.add([1, 2], [[10], [20]])
    array([[11, 12],
           [21, 22]])
    """
    return call("Add", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out)


@answered
def bitwise_and(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the bitwise and of two arrays of integers, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO BitwiseAnd-13.

    >>> wh.openvino.bitwise_and([12, 10], [6])
    array([4, 2])
    """
    return call(
        "BitwiseAnd", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def bitwise_not(data: ArrayLike, *, opset: int = 13, out: Array | None = None) -> Array:
    """Return integers with every bit inverted, or bools negated.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO BitwiseNot-13.

    >>> wh.openvino.bitwise_not([0, 5])
    array([-1, -6])
    """
    return call("BitwiseNot", opset, [data], out=out)


@answered
def bitwise_or(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the bitwise or of two arrays of integers, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO BitwiseOr-13.

    >>> wh.openvino.bitwise_or([12, 10], [6])
    array([14, 14])
    """
    return call(
        "BitwiseOr", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def bitwise_xor(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 13,
    out: Array | None = None,
) -> Array:
    """Return the bitwise exclusive or of two arrays of integers, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO BitwiseXor-13.

    >>> wh.openvino.bitwise_xor([12, 10], [6])
    array([10, 12])
    """
    return call(
        "BitwiseXor", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def clamp(data: ArrayLike, min: float, max: float, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with numbers below `min` replaced by `min`, and those above `max` by `max`.

    Integers are bounded by the integers inside the range. NaN stays.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Clamp-1.

    >>> wh.openvino.clamp([1, 5, 9], 1.5, 6.5)
    array([2, 5, 6])
    """
    return call("Clamp", opset, [data], min=min, max=max, out=out)


@answered
def divide(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    m_pythondiv: bool = True,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `a / b`, broadcast as in NumPy; quotients of integers are rounded down.

    With `m_pythondiv=False` they are rounded toward zero. An integer divided by 0, and the least integer divided by -1,
    are errors.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Divide-1.

    >>> wh.openvino.divide([-7, 7], [2])
    array([-4,  3])
    """
    return call(
        "Divide",
        opset,
        [a, b],
        auto_broadcast=auto_broadcast,
        auto_broadcast_axis=auto_broadcast_axis,
        m_pythondiv=m_pythondiv,
        out=out,
    )


@answered
def equal(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` equals that of `b`, broadcast as in NumPy.

    NaN equals nothing; -0.0 equals 0.0.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Equal-1.

    >>> wh.openvino.equal([1, 2, 3], [2])
    array([False,  True, False])
    """
    return call("Equal", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out)


@answered
def floor_mod(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the remainder of `a` divided by `b`, with the sign of `b`.

    An integer divided by 0 is an error; the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO FloorMod-1.

    >>> wh.openvino.floor_mod([-7, 7], [2])
    array([1, 1])
    """
    return call(
        "FloorMod", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def greater(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` is more than that of `b`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Greater-1.

    >>> wh.openvino.greater([1, 2, 3], [2])
    array([False, False,  True])
    """
    return call(
        "Greater", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def greater_equal(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` is at least that of `b`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO GreaterEqual-1.

    >>> wh.openvino.greater_equal([1, 2, 3], [2])
    array([False,  True,  True])
    """
    return call(
        "GreaterEqual", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def less(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` is less than that of `b`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Less-1.

    >>> wh.openvino.less([1, 2, 3], [2])
    array([ True, False, False])
    """
    return call("Less", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out)


@answered
def less_equal(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` is at most that of `b`, broadcast as in NumPy.

    False where one of the two is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO LessEqual-1.

    >>> wh.openvino.less_equal([1, 2, 3], [2])
    array([ True,  True, False])
    """
    return call(
        "LessEqual", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def logical_and(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the logical and of two arrays of bools, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO LogicalAnd-1.

    >>> wh.openvino.logical_and([True, True, False], [True, False, False])
    array([ True, False, False])
    """
    return call(
        "LogicalAnd", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def logical_not(data: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return the logical not of each bool.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO LogicalNot-1.

    >>> wh.openvino.logical_not([True, False])
    array([False,  True])
    """
    return call("LogicalNot", opset, [data], out=out)


@answered
def logical_or(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the logical or of two arrays of bools, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO LogicalOr-1.

    >>> wh.openvino.logical_or([True, True, False], [True, False, False])
    array([ True,  True, False])
    """
    return call(
        "LogicalOr", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def logical_xor(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the exclusive or of two arrays of bools, broadcast as in NumPy.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO LogicalXor-1.

    >>> wh.openvino.logical_xor([True, True, False], [True, False, False])
    array([False,  True, False])
    """
    return call(
        "LogicalXor", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def maximum(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the greater of each two elements, broadcast as in NumPy; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Maximum-1.

    >>> wh.openvino.maximum([1, 5], [[3], [7]])
    array([[3, 5],
           [7, 7]])
    """
    return call(
        "Maximum", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def minimum(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the lesser of each two elements, broadcast as in NumPy; NaN if one is NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Minimum-1.

    >>> wh.openvino.minimum([1, 5], [[3], [7]])
    array([[1, 3],
           [1, 5]])
    """
    return call(
        "Minimum", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def mod(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the remainder of `a` divided by `b`, with the sign of `a`.

    An integer divided by 0 is an error; the specification leaves it open.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Mod-1.

    >>> wh.openvino.mod([-7, 7], [2])
    array([-1,  1])
    """
    return call("Mod", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out)


@answered
def multiply(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `a * b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Multiply-1.

    >>> wh.openvino.multiply([1, 2], [3, 4])
    array([3, 8])
    """
    return call(
        "Multiply", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def negative(data: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return the negative of each number; the least integer, which has none, is unchanged.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Negative-1.

    >>> wh.openvino.negative([1, -2])
    array([-1,  2])
    """
    return call("Negative", opset, [data], out=out)


@answered
def not_equal(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return whether each element of `a` differs from that of `b`, broadcast as in NumPy.

    NaN equals nothing; -0.0 equals 0.0.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO NotEqual-1.

    >>> wh.openvino.not_equal([1, 2, 3], [2])
    array([ True, False,  True])
    """
    return call(
        "NotEqual", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )


@answered
def sign(data: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return -1, 0 or 1 for each number by its sign; NaN for NaN.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Sign-1.

    >>> wh.openvino.sign([-5, 0, 7])
    array([-1,  0,  1])
    """
    return call("Sign", opset, [data], out=out)


@answered
def subtract(
    a: ArrayLike,
    b: ArrayLike,
    auto_broadcast: str = "numpy",
    auto_broadcast_axis: int = -1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `a - b`, broadcast as in NumPy; integers wrap around.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Subtract-1.

    >>> wh.openvino.subtract([1, 2], [10])
    array([-9, -8])
    """
    return call(
        "Subtract", opset, [a, b], auto_broadcast=auto_broadcast, auto_broadcast_axis=auto_broadcast_axis, out=out
    )
