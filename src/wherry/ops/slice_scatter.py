"""SliceScatter: data with a slice of it replaced."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.layout import Layout
from wherry.limits import MAX_NDIM
from wherry.moves import CopyMove, Move
from wherry.ops.operator import Operator, known, same_size
from wherry.ops.rearrange import Box, around, boxed
from wherry.ops.slice import Slice
from wherry.tensors import Size, TensorType, View

LEAST_ROW = 8192
"""Bytes; so long rows between those that are replaced are copied by themselves. Shorter ones are mostly copied sooner
with all of data: each row of a copy that leaves gaps begins anew."""


@dataclass(frozen=True)
class SliceScatter(Operator):
    """OpenVINO SliceScatter-15: `out = data`, then `out[slice] = updates`; the slice is that of Slice, by its rules.

    `updates` has exactly the sizes of the slice; nothing is broadcast. An empty slice changes nothing.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    axes: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None

    input_names: ClassVar[tuple[str, ...]] = ("data", "updates")

    def _check_fields(self) -> None:
        _ = self.slice  # the slice's fields fit each other as Slice's do

    @property
    def slice(self) -> Slice:
        """The slice that is replaced."""
        return Slice(self.starts, self.ends, self.axes, self.steps)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        data, updates = inputs
        if updates.dtype != data.dtype:
            raise InvalidTypeError(f"updates has dtype {updates.dtype}, allowed {data.dtype} as data; convert it first")
        if data.sizes is None:
            return (data.with_sizes(None if updates.sizes is None else [None] * len(updates.sizes)),)
        (part,) = self.slice.infer([data])
        if updates.sizes is not None:
            self._check(part.sizes or (), updates.sizes)
            touched = set(self.slice.resolve_axes(len(data.sizes)))
            pairs = enumerate(zip(data.sizes, updates.sizes, strict=True))
            return (data.with_sizes([a if axis in touched else known(a, b) for axis, (a, b) in pairs]),)
        return (data,)

    @staticmethod
    def _check(part: Sequence[Size], updates: Sequence[Size]) -> None:
        if len(part) != len(updates) or not all(map(same_size, part, updates)):
            raise InvalidValueError(f"updates has sizes {_text(updates)}, allowed {_text(part)}, those of the slice")

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of updates, and those of data around it, and in the gaps of its steps if these have long rows.

        Of all of data first where they do not.
        """
        (data, updates), (output,) = inputs, outputs
        for part in self._kept(data):
            yield CopyMove(data.over(part(data.layout)), output.over(part(output.layout)))
        replaced = self.slice.part_of(output.layout)
        if replaced.size:
            yield CopyMove(updates, output.over(replaced))

    def _kept(self, data: View) -> Iterator[Callable[[Layout], Layout]]:
        """Yield what picks each part of data that is kept."""
        sizes = data.layout.sizes
        box, gaps = [], []
        for axis, (start, count, step) in enumerate(zip(*self.slice.spread(sizes), strict=True)):
            reach = (count - 1) * abs(step) if count else 0
            box.append((start if step > 0 else start - reach, reach + 1 if count else 0))
            if abs(step) > 1:
                gaps.append((axis, count, abs(step)))
        row = min((math.prod(size for _, size in box[axis + 1 :]) for axis, _, _ in gaps), default=0)
        if gaps and (row * data.dtype.itemsize < LEAST_ROW or len(sizes) == MAX_NDIM):
            box = [(0, 0) for _ in box]
        yield from (partial(boxed, box=each) for each in around(sizes, box))
        if all(size for _, size in box):
            yield from (partial(_gap, box=box, gaps=gaps[: number + 1]) for number in range(len(gaps)))


def _gap(layout: Layout, box: Box, gaps: Sequence[tuple[int, int, int]]) -> Layout:
    """Return what lies in the box between the positions of the last of these axes, at those of the others.

    Each is an axis, the number of its positions, and the step from one to the next.
    """
    layout = boxed(layout, box)
    for axis, count, step in gaps[:-1]:
        layout = layout.sliced(axis, 0, count, step)
    axis, count, step = gaps[-1]
    periods = layout.sliced(axis, 1, (count - 1) * step).unfolded(axis, (count - 1, step))
    return periods.sliced(axis + 1, 0, step - 1)


def _text(sizes: Sequence[Size]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"
