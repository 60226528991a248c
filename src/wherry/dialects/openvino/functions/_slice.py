"""The operators of operations/slice.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
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
    """Take the positions start, start + step ... before stop on each of `axes` (by default the first axes).

    The size of the axis is added once to negative starts and stops, then both are clamped to the axis.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Slice-8.

    >>> wh.openvino.slice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [100], [-100], [-3])
    array([9, 6, 3, 0])
    """
    return call("Slice", opset, [data, start, stop, step, axes], out=out)


@answered
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
    """Return a slice of `data` by begin, end and stride for each axis, modified by masks of 0 and 1.

    `begin_mask`, `end_mask`: ignore begin or end, and slice from or to the end of the axis; `new_axis_mask`: insert an
    axis of size 1; `shrink_axis_mask`: take one element and drop the axis; `ellipsis_mask`: all axes without other
    entries.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO StridedSlice-1.

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
