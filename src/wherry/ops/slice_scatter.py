"""SliceScatter: data with a slice of it replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.moves import CopyMove, Move
from wherry.ops.operator import Operator, known, same_size
from wherry.ops.rearrange import Box, around, boxed
from wherry.ops.slice import Slice
from wherry.tensors import Size, TensorType, View


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
        """Yield the copy of updates, and copies of data around it; of all of data first where steps leave gaps."""
        (data, updates), (output,) = inputs, outputs
        for box in self._kept(data.layout.sizes):
            yield CopyMove(data.over(boxed(data.layout, box)), output.over(boxed(output.layout, box)))
        part = self.slice.part_of(output.layout)
        if part.size:
            yield CopyMove(updates, output.over(part))

    def _kept(self, sizes: tuple[int, ...]) -> Iterator[Box]:
        inner = [(0, size) for size in sizes]
        for axis, start, size, step in self.slice.ranges(sizes):
            length = int(size or 0)
            inner[axis] = (start if step > 0 else start - (length - 1), length)
            if length > 1 and abs(step) > 1:
                inner[axis] = (0, 0)
        yield from around(sizes, inner)


def _text(sizes: Sequence[Size]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"
