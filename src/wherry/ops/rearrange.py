"""Shared by shape operators: copies in row-major order, split and permuted axes, ranges of axes, and fills."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.layout import Layout
from wherry.moves import ComputeMove, CopyMove, Move
from wherry.ops.operator import Operator
from wherry.tensors import Size, TensorType, View

MOST_PIECES = 256
"""How many copies an operator lowers to at most; beyond it, one gather of coordinates by NumPy is quicker to plan."""


def split_axes(layout: Layout, sizes: Sequence[int]) -> Layout:
    """Return `layout` with axes cut into the finer `sizes`, which always is a view."""
    found = layout.reshaped(sizes)
    assert found is not None, f"{sizes} does not only cut axes of {layout}"
    return found


def copy_row_major(source: View, target: View) -> Iterator[Move]:
    """Yield the copy of `source` to `target`, element by element in row-major order; their sizes may differ."""
    if source.layout.size == 0:
        return
    sizes = _common_cuts(source.layout.merged().sizes, target.layout.merged().sizes)
    if sizes is None:
        shape = target.layout.sizes
        yield ComputeMove("reshape", lambda data: data.reshape(shape), (source,), target)
        return
    yield CopyMove(source.over(split_axes(source.layout, sizes)), target.over(split_axes(target.layout, sizes)))


def _common_cuts(first: Sequence[int], second: Sequence[int]) -> list[int] | None:
    """Return the coarsest sizes that only cut axes of both, or None where boundaries do not divide each other."""
    ours, theirs, cuts = list(first), list(second), []
    while ours and theirs:
        a, b = ours.pop(), theirs.pop()
        cut = min(a, b)
        if max(a, b) % cut:
            return None
        cuts.append(cut)
        ours += [a // cut] if a > cut else []
        theirs += [b // cut] if b > cut else []
    return cuts[::-1]


@dataclass(frozen=True)
class Rearrangement(Operator):
    """An operator that cuts axes, permutes the pieces and merges them again: reshape, transpose, reshape."""

    def cuts(self, sizes: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Return the sizes that data's axes are cut into, and the order in which the output has these pieces."""
        raise NotImplementedError

    def _pieces(self, data: Layout) -> Layout:
        cuts, order = self.cuts(data.sizes)
        return split_axes(data, cuts).permuted(order)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return the output as a layout over data's buffer where strides can say it."""
        (data,) = inputs
        (output,) = self.infer([TensorType("uint8", data.sizes)])
        layout = self._pieces(data).reshaped(output.shape)
        return None if layout is None else ((0, layout),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy: pieces of data in the order of the output."""
        (data,), (output,) = inputs, outputs
        pieces = self._pieces(data.layout)
        yield CopyMove(data.over(pieces), output.over(split_axes(output.layout, pieces.sizes)))


@dataclass(frozen=True)
class Run:
    """`out[target + k * period + i] = data[source + i * step]` along one axis, for i < size and k < count."""

    target: int
    size: int
    source: int
    step: int = 1
    count: int = 1
    period: int = 0


def copy_runs(data: View, output: View, runs: Sequence[Sequence[Run]]) -> Iterator[Move]:
    """Yield one copy for each combination of one run of each axis."""
    pieces = math.prod(map(len, runs))
    if output.layout.size == 0 or pieces == 0:
        return
    if pieces > MOST_PIECES:
        sizes = output.layout.sizes

        def pick(array: NDArray[Any]) -> NDArray[Any]:
            coords = (_coordinates(each, size) for each, size in zip(runs, sizes, strict=True))
            picked: NDArray[Any] = array[np.ix_(*coords)]
            return picked

        yield ComputeMove("pick", pick, (data,), output)
        return
    for picks in product(*runs):
        yield CopyMove(data.over(_source(data.layout, picks)), output.over(_target(output.layout, picks)))


def _source(layout: Layout, picks: Sequence[Run]) -> Layout:
    sizes, strides, offset = [], [], layout.offset
    for run, stride in zip(picks, layout.strides, strict=True):
        sizes += [run.count, run.size]
        strides += [0, run.step * stride]
        offset += run.source * stride
    return _without_ones(sizes, strides, offset)


def _target(layout: Layout, picks: Sequence[Run]) -> Layout:
    sizes, strides, offset = [], [], layout.offset
    for run, stride in zip(picks, layout.strides, strict=True):
        sizes += [run.count, run.size]
        strides += [run.period * stride, stride]
        offset += run.target * stride
    return _without_ones(sizes, strides, offset)


def _without_ones(sizes: Sequence[int], strides: Sequence[int], offset: int) -> Layout:
    kept = [axis for axis, size in enumerate(sizes) if size != 1]
    return Layout([sizes[axis] for axis in kept], [strides[axis] for axis in kept], offset)


def _coordinates(runs: Sequence[Run], size: int) -> NDArray[Any]:
    coords = np.empty(size, np.int64)
    for run in runs:
        for k in range(run.count):
            start = run.target + k * run.period
            coords[start : start + run.size] = run.source + np.arange(run.size) * run.step
    return coords


Box = Sequence[tuple[int, int]]
"""A part of a tensor: start and size on each axis."""


def boxed(layout: Layout, box: Box) -> Layout:
    """Return the part of `layout` in a box."""
    for axis, (start, size) in enumerate(box):
        layout = layout.sliced(axis, start, size)
    return layout


def around(sizes: Sequence[int], inner: Box) -> Iterator[Box]:
    """Yield boxes that cover, once, what of a tensor lies outside the box `inner`."""
    if 0 in sizes:
        return
    if any(size == 0 for _, size in inner):
        yield [(0, size) for size in sizes]
        return
    for axis, (start, size) in enumerate(inner):
        after = start + size
        for part in ((0, start), (after, sizes[axis] - after)):
            if part[1]:
                yield [*inner[:axis], part, *((0, full) for full in sizes[axis + 1 :])]


def scaled(size: Size, factor: int) -> Size:
    """Return a size times a number, as far as it is known."""
    if isinstance(size, int):
        return size * factor
    return size if factor == 1 else None
