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
    """Return `data` repeated along axes of size 1, or that it lacks, to a shape.

    `mode` is numpy (last axes together), explicit (axis i of data is axis `axes_mapping[i]` of the target), or, from
    opset 3 on, bidirectional (a target of 1 gives way).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
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
    """Return `data` with positions added around it, or, where pads are negative, taken away.

    `pad_mode` is constant, edge, reflect or symmetric; `pad_value`, a scalar of data's type (0 without), is for
    constant.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Pad-1, -12.

    >>> wh.openvino.pad([1, 2, 3], [1], [2], "reflect")
    array([2, 1, 2, 3, 2, 1])
    """
    return call("Pad", opset, [data, pads_begin, pads_end, pad_value], pad_mode=pad_mode, out=out)


@answered
def reshape(
    data: ArrayLike, shape: ArrayLike, special_zero: bool, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order under another shape.

    -1 is what remains; with `special_zero` a 0 copies the size at its position.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
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
    """Return `data` without the listed axes of size 1, or without all of them; listed ones of other sizes stay.

    `allow_axis_skip` (opset 15) is about ranks that are not known, and changes no result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 15: `allow_axis_skip`.
    Specification: OpenVINO Squeeze-1, -15.

    >>> wh.openvino.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, [data, axes], allow_axis_skip=allow_axis_skip, out=out)


@answered
def tile(data: ArrayLike, repeats: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` laid out again and again along its axes.

    The shorter of sizes and repeats gets leading ones.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Tile-1.

    >>> wh.openvino.tile([[0, 1, 2]], [2])
    array([[0, 1, 2, 0, 1, 2]])
    """
    return call("Tile", opset, [data, repeats], out=out)


@answered
def transpose(arg: ArrayLike, input_order: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `arg` with its axes in another order; an empty order reverses them.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Transpose-1.

    >>> wh.openvino.transpose([[0, 1, 2]], [1, 0]).shape
    (3, 1)
    """
    return call("Transpose", opset, [arg, input_order], out=out)


@answered
def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with new axes of size 1 at the positions `axes` of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Unsqueeze-1.

    >>> wh.openvino.unsqueeze([1, 2], [0, -1]).shape
    (1, 2, 1)
    """
    return call("Unsqueeze", opset, [data, axes], out=out)
