"""The operators of operations/shapes.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def broadcast(
    data: ArrayLike,
    target_shape: ArrayLike,
    axes_mapping: ArrayLike | None = None,
    *,
    mode: str = "numpy",
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Repeat `data` along axes of size 1 and new axes to the sizes `target_shape`.

    `mode` is numpy (last axes aligned), explicit (axis i of data is axis `axes_mapping[i]` of the target), or, from
    opset 3 on, bidirectional (where the target is 1, the size of data holds).

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Broadcast-1, -3.

    >>> wh.openvino.broadcast([1, 2], [2, 3], [0], mode="explicit")
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Broadcast", opset, [data, target_shape, axes_mapping], mode=mode, out=out)


@answered
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
    """Add positions around `data`, or remove them where pads are negative.

    `pad_mode` is constant, edge, reflect or symmetric; `pad_value`, a scalar of data's type (default 0), is for
    constant.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Pad-1, -12.

    >>> wh.openvino.pad([1, 2, 3], [1], [2], "reflect")
    array([2, 1, 2, 3, 2, 1])
    """
    return call("Pad", opset, [data, pads_begin, pads_end, pad_value], pad_mode=pad_mode, out=out)


@answered
def reshape(
    data: ArrayLike, shape: ArrayLike, special_zero: bool, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order with another shape.

    -1 is the remaining size; with `special_zero` a 0 copies the size at its position.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Reshape-1.

    >>> wh.openvino.reshape([[0, 1, 2], [3, 4, 5]], [0, -1, 1], True).shape
    (2, 3, 1)
    """
    return call("Reshape", opset, [data, shape], special_zero=special_zero, out=out)


@answered
def squeeze(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    allow_axis_skip: bool = False,
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` without the listed axes of size 1, or without all of them; listed axes of other sizes stay.

    `allow_axis_skip` (opset 15) concerns unknown ranks, and changes no result.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    New with opset 15: `allow_axis_skip`.
    Specification: OpenVINO Squeeze-1, -15.

    >>> wh.openvino.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, [data, axes], allow_axis_skip=allow_axis_skip, out=out)


@answered
def tile(data: ArrayLike, repeats: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Repeat `data` as a whole along each axis.

    The shorter of sizes and repeats is extended by leading ones.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Tile-1.

    >>> wh.openvino.tile([[0, 1, 2]], [2])
    array([[0, 1, 2, 0, 1, 2]])
    """
    return call("Tile", opset, [data, repeats], out=out)


@answered
def transpose(arg: ArrayLike, input_order: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `arg` with its axes permuted: axis i is axis `input_order[i]`; an empty order reverses them.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Transpose-1.

    >>> wh.openvino.transpose([[0, 1, 2]], [1, 0]).shape
    (3, 1)
    """
    return call("Transpose", opset, [arg, input_order], out=out)


@answered
def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with new axes of size 1 at the positions `axes` of the result.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Unsqueeze-1.

    >>> wh.openvino.unsqueeze([1, 2], [0, -1]).shape
    (1, 2, 1)
    """
    return call("Unsqueeze", opset, [data, axes], out=out)
