"""The operators of operations/reverse.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def reverse(data: ArrayLike, reversed_axes: ArrayLike, mode: str, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with axes reversed: those listed (mode index), or those that are true in a mask (mode mask).

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Reverse-1.

    >>> wh.openvino.reverse([[0, 1, 2], [3, 4, 5]], [1], "index")
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return call("Reverse", opset, [data, reversed_axes], mode=mode, out=out)


@answered
def reverse_sequence(
    data: ArrayLike,
    seq_lengths: ArrayLike,
    batch_axis: int = 0,
    seq_axis: int = 1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `data` with the first `seq_lengths[i]` elements along `seq_axis` of each batch i reversed.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ReverseSequence-1.

    >>> wh.openvino.reverse_sequence([[0, 1, 2], [3, 4, 5]], [2, 3])
    array([[1, 0, 2],
           [5, 4, 3]])
    """
    return call("ReverseSequence", opset, [data, seq_lengths], batch_axis=batch_axis, seq_axis=seq_axis, out=out)


@answered
def roll(data: ArrayLike, shift: ArrayLike, axes: ArrayLike, *, opset: int = 7, out: Array | None = None) -> Array:
    """Shift `data` along axes cyclically: elements that leave at one end enter at the other.

    A scalar shift applies to each axis; shifts of an axis listed twice add up.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Roll-7.

    >>> wh.openvino.roll([1, 2, 3], 1, 0)
    array([3, 1, 2])
    """
    return call("Roll", opset, [data, shift, axes], out=out)
