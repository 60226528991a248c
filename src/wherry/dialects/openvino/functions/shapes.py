"""Slices, pads, repetitions and other sizes as functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import call

Array = NDArray[Any]


def slice(
    data: ArrayLike,
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    opset: int = 8,
    out: Array | None = None,
) -> Array:
    """Return the elements start, start + step ... before stop, on each of `axes` (the first ones without).

    Negative start and stop count from the end once, then both are clamped to the axis.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Slice-8.

    >>> import wherry as wh
    >>> wh.openvino.slice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [100], [-100], [-3])
    array([9, 6, 3, 0])
    """
    return call("Slice", opset, [data, start, stop, step, axes], out=out)


def strided_slice(
    data: ArrayLike,
    begin: ArrayLike,
    end: ArrayLike,
    stride: ArrayLike | None = None,
    *,
    begin_mask: Sequence[int],
    end_mask: Sequence[int],
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return a slice with one entry for each axis from the front, changed by masks of 0 and 1.

    `begin_mask`, `end_mask`: from or to the end that the stride looks from; `new_axis_mask`: a new axis of 1;
    `shrink_axis_mask`: one element, and the axis goes; `ellipsis_mask`: all axes that the other entries leave.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO StridedSlice-1.

    >>> import wherry as wh
    >>> wh.openvino.strided_slice([[0, 1, 2], [3, 4, 5]], [1, 0], [2, 0], begin_mask=[0, 0], end_mask=[0, 1])
    array([[3, 4, 5]])
    """
    return call(
        "StridedSlice",
        opset,
        [data, begin, end, stride],
        begin_mask=begin_mask,
        end_mask=end_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
        ellipsis_mask=ellipsis_mask,
        out=out,
    )


def pad(
    data: ArrayLike,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_mode: str,
    pad_value: ArrayLike | None = None,
    *,
    opset: int = 12,
    out: Array | None = None,
) -> Array:
    """Return `data` with positions added around it, or, where pads are negative, taken away.

    `pad_mode` is constant, edge, reflect or symmetric; `pad_value`, a scalar of data's type (0 without), is for
    constant.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Pad-1, -12.

    >>> import wherry as wh
    >>> wh.openvino.pad([1, 2, 3], [1], [2], "reflect")
    array([2, 1, 2, 3, 2, 1])
    """
    return call("Pad", opset, [data, pads_begin, pads_end, pad_value], pad_mode=pad_mode, out=out)


def tile(data: ArrayLike, repeats: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` laid out again and again along its axes.

    The shorter of sizes and repeats gets leading ones.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Tile-1.

    >>> import wherry as wh
    >>> wh.openvino.tile([[0, 1, 2]], [2])
    array([[0, 1, 2, 0, 1, 2]])
    """
    return call("Tile", opset, [data, repeats], out=out)


def broadcast(
    data: ArrayLike,
    target_shape: ArrayLike,
    axes_mapping: ArrayLike | None = None,
    *,
    mode: str = "numpy",
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return `data` repeated along axes of size 1, or that it lacks, to a shape.

    `mode` is numpy (last axes together), explicit (axis i of data is axis `axes_mapping[i]` of the target), or, from
    opset 3
    on, bidirectional (a target of 1 gives way).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Broadcast-1, -3.

    >>> import wherry as wh
    >>> wh.openvino.broadcast([1, 2], [2, 3], [0], mode="explicit")
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Broadcast", opset, [data, target_shape, axes_mapping], mode=mode, out=out)


def transpose(arg: ArrayLike, input_order: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `arg` with its axes in another order; an empty order reverses them.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Transpose-1.

    >>> import wherry as wh
    >>> wh.openvino.transpose([[0, 1, 2]], [1, 0]).shape
    (3, 1)
    """
    return call("Transpose", opset, [arg, input_order], out=out)


def reshape(
    data: ArrayLike, shape: ArrayLike, special_zero: bool, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order under another shape.

    -1 is what remains; with `special_zero` a 0 copies the size at its position.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Reshape-1.

    >>> import wherry as wh
    >>> wh.openvino.reshape([[0, 1, 2], [3, 4, 5]], [0, -1, 1], True).shape
    (2, 3, 1)
    """
    return call("Reshape", opset, [data, shape], special_zero=special_zero, out=out)


def squeeze(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    allow_axis_skip: bool = False,
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` without the listed axes of size 1, or without all of them; listed ones of other sizes stay.

    `allow_axis_skip` (opset 15) is about ranks that are not known, and changes no result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Squeeze-1, -15.

    >>> import wherry as wh
    >>> wh.openvino.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, [data, axes], allow_axis_skip=allow_axis_skip, out=out)


def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with new axes of size 1 at the positions `axes` of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Unsqueeze-1.

    >>> import wherry as wh
    >>> wh.openvino.unsqueeze([1, 2], [0, -1]).shape
    (1, 2, 1)
    """
    return call("Unsqueeze", opset, [data, axes], out=out)


def reverse(data: ArrayLike, reversed_axes: ArrayLike, mode: str, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with axes reversed: those listed (mode index), or those marked (mode mask).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Reverse-1.

    >>> import wherry as wh
    >>> wh.openvino.reverse([[0, 1, 2], [3, 4, 5]], [1], "index")
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return call("Reverse", opset, [data, reversed_axes], mode=mode, out=out)


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

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ReverseSequence-1.

    >>> import wherry as wh
    >>> wh.openvino.reverse_sequence([[0, 1, 2], [3, 4, 5]], [2, 3])
    array([[1, 0, 2],
           [5, 4, 3]])
    """
    return call("ReverseSequence", opset, [data, seq_lengths], batch_axis=batch_axis, seq_axis=seq_axis, out=out)


def roll(data: ArrayLike, shift: ArrayLike, axes: ArrayLike, *, opset: int = 7, out: Array | None = None) -> Array:
    """Return `data` moved along axes; what leaves at one end comes in at the other.

    A scalar shift holds for each axis; shifts of an axis listed twice add up.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Roll-7.

    >>> import wherry as wh
    >>> wh.openvino.roll([1, 2, 3], 1, 0)
    array([3, 1, 2])
    """
    return call("Roll", opset, [data, shift, axes], out=out)
