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
    """Return the elements start, start + step ... before stop, on each of `axes` (the first ones without).

    Negative start and stop count from the end once, then both are clamped to the axis.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
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
    """Return a slice with one entry for each axis from the front, changed by masks of 0 and 1.

    `begin_mask`, `end_mask`: from or to the end that the stride looks from; `new_axis_mask`: a new axis of 1;
    `shrink_axis_mask`: one element, and the axis goes; `ellipsis_mask`: all axes that the other entries leave.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
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
