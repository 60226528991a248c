"""GatherMove: copies elements from the positions given by indices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.layout import Layout
from wherry.moves.indices import core_reads, indices_at, places_of
from wherry.moves.move import Array, Memory, Move, Numbers, Step, array_at, array_over, place_of
from wherry.moves.rules import NEGATIVE_NUMBER, OUT_OF_RANGE_NUMBER, Negative, OutOfRange
from wherry.tensors import View, zero_object


@dataclass(frozen=True)
class GatherMove(Move):
    """`target[c] = data[c ++ indices[c]]`, where c runs over all coordinates of `target`.

    `indices` has the sizes of target and one axis more, the columns: one index for each of the last axes of `data`,
    which lie behind axes as those of target. An axis of `data` or `indices` that repeats has stride 0.
    Under `raise` a CheckMove comes first.
    """

    data: View
    indices: View
    target: View
    out_of_range: OutOfRange
    negative: Negative

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads; see Move."""
        return self.out_of_range is not OutOfRange.ZERO

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.data, self.indices, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        data, indices, target = (
            array_at(self.data, memory),
            indices_at(self.indices, memory),
            array_at(self.target, memory),
        )
        if data.dtype.hasobject:
            self._run_objects(data, indices, target, memory[self.data.buffer])
        else:
            rules = OUT_OF_RANGE_NUMBER[self.out_of_range], NEGATIVE_NUMBER[self.negative]
            _core.gather_into(data, indices, target, *rules)

    def _run_objects(self, data: Array, indices: Array, target: Array, buffer: Array) -> None:
        """Gather elements that the core cannot move: it finds the places of rows, NumPy reads these."""
        if data.size == 0:
            target[...] = zero_object(data)
            return
        layout = self.data.layout
        outer, length = _rows(layout, indices)
        beside = indices.ndim - 1
        firsts = (slice(None),) * outer + (0,) * (beside - outer)
        axes = (*range(outer), *range(beside, len(layout.sizes)))  # those that are indexed lie behind the others
        first = Layout([layout.sizes[axis] for axis in axes], [layout.strides[axis] for axis in axes], layout.offset)
        rule = OUT_OF_RANGE_NUMBER[self.out_of_range]
        places = places_of(self.data.over(first), indices[firsts], rule, self.negative)
        if length == 1 and target.flags.c_contiguous:
            buffer.take(places, out=target.reshape(places.shape), mode="clip")
        else:
            target[...] = _taken_rows(buffer, places, length).reshape(target.shape)
        if places.size and places.min() < 0:
            target[places < 0] = zero_object(data)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move; without a column of indices it is a copy."""
        if not core_reads(self.indices.dtype):
            return None
        target, data, indices = (place_of(view, numbers) for view in (self.target, self.data, self.indices))
        width = self.target.dtype.itemsize
        if self.indices.layout.sizes[-1] == 0:
            return [("copy", target, data, width)]
        rules = OUT_OF_RANGE_NUMBER[self.out_of_range], NEGATIVE_NUMBER[self.negative]
        return [("gather", target, data, indices, width, self.indices.dtype, *rules)]

    def __str__(self) -> str:
        rules = f"{self.out_of_range}, negative {self.negative}"
        return f"gather  {self.data} by {self.indices} -> {self.target} ({rules})"


def _taken_rows(buffer: Array, places: Array, length: int) -> Array:
    """Return the `length` elements from each place on; of a negative place any."""
    rows = buffer[: buffer.size // length * length].reshape(-1, length)
    numbers, beside = np.divmod(places, length)
    if not beside[places >= 0].any():
        return rows.take(numbers, 0, mode="clip")
    return array_over(buffer, Layout((buffer.size - length + 1, length), (1, 1)))[places]


def _rows(data: Layout, indices: Array) -> tuple[int, int]:
    """Return how many axes come before those that are gathered as one row of neighbours, and how long a row is."""
    outer, length = indices.ndim - 1, 1
    while outer and data.strides[outer - 1] == length and indices.strides[outer - 1] == 0:
        outer -= 1
        length *= data.sizes[outer]
    return outer, length
