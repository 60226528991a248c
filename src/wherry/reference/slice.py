"""Slice, StridedSlice and SliceScatter by their formulas: ONNX Slice, OpenVINO and DirectML alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import MaskedShrink, Slice, SliceScatter, StridedSlice

Array = NDArray[Any]


def positions(start: int, end: int, step: int, size: int) -> list[int]:
    """Return the positions of a range, by the clamp rule."""
    start = start + size if start < 0 else start
    end = end + size if end < 0 else end
    if step > 0:
        start, end = min(max(start, 0), size), min(max(end, 0), size)
    else:
        start, end = min(max(start, 0), size - 1), min(max(end, -1), size - 1)
    walk = []
    while start < end if step > 0 else start > end:
        walk.append(start)
        start += step
    return walk


def picked(operator: Slice, sizes: Sequence[int]) -> list[list[int]]:
    """Return the positions that a slice picks on each axis."""
    result = [list(range(size)) for size in sizes]
    axes = operator.axes if operator.axes is not None else range(len(operator.starts))
    steps = operator.steps if operator.steps is not None else (1,) * len(operator.starts)
    for number, axis in enumerate(axes):
        start, step = operator.starts[number], steps[number]
        if operator.sizes is not None:
            result[axis] = [start + k * step for k in range(operator.sizes[number])]
        elif operator.ends is not None:
            result[axis] = positions(start, operator.ends[number], step, sizes[axis])
    return result


def formula(operator: Slice, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = data[picked[c]]` on each axis."""
    (data,), (out,) = inputs, outputs
    places = picked(operator, data.shape)
    for c in np.ndindex(out.shape):
        out[c] = data[tuple(places[axis][coord] for axis, coord in enumerate(c))]


def formula_of_scatter(operator: SliceScatter, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out = data`, then `out[slice] = updates`."""
    (data, updates), (out,) = inputs, outputs
    places = picked(operator.slice, data.shape)
    for c in np.ndindex(data.shape):
        out[c] = data[c]
    for c in np.ndindex(updates.shape):
        out[tuple(places[axis][coord] for axis, coord in enumerate(c))] = updates[c]


def formula_of_strided(operator: StridedSlice, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """Walk over the entries: each picks positions on one axis of data, or makes or drops an axis."""
    (data,), (out,) = inputs, outputs
    entries = len(operator.begin)
    using = sum(not e and not n for e, n in zip(operator.ellipsis_mask, operator.new_axis_mask, strict=True))
    places: list[list[int]] = []
    kept: list[int | None] = []
    for number in range(entries):
        if operator.ellipsis_mask[number]:
            for _ in range(data.ndim - using):
                kept.append(len(places))
                places.append(list(range(data.shape[len(places)])))
        elif operator.new_axis_mask[number]:
            kept.append(None)
        elif operator.shrink_axis_mask[number]:
            ignored = operator.begin_mask[number] and operator.masked_shrink is MaskedShrink.FIRST
            places.append([0 if ignored else operator.begin[number] % data.shape[len(places)]])
        else:
            kept.append(len(places))
            places.append(_entry(operator, number, data.shape[len(places)]))
    for axis in range(len(places), data.ndim):
        kept.append(axis)
        places.append(list(range(data.shape[axis])))
    for c in np.ndindex(out.shape):
        at = {axis: coord for axis, coord in zip(kept, c, strict=True) if axis is not None}
        out[c] = data[tuple(places[axis][at.get(axis, 0)] for axis in range(data.ndim))]


def _entry(operator: StridedSlice, number: int, size: int) -> list[int]:
    assert operator.strides is not None
    stride = operator.strides[number]
    begin, end = operator.begin[number], operator.end[number]
    if operator.begin_mask[number] and operator.end_mask[number]:
        return list(range(size))[::stride]
    if operator.begin_mask[number]:
        begin = 0 if stride > 0 else size - 1
    if operator.end_mask[number]:
        end = size if stride > 0 else -size - 1
    return positions(begin, end, stride, size) if size else []
