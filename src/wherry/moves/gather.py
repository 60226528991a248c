"""GatherMove: elements from where indices say."""

from __future__ import annotations

from dataclasses import dataclass

from wherry import _core
from wherry.moves.indices import core_reads, indices_at, places_of
from wherry.moves.move import Array, Memory, Move, Numbers, Step, array_at, place_of
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
        """Gather elements that are Python objects: the core finds their places, NumPy reads them."""
        if data.size == 0:
            target[...] = zero_object(data)
            return
        places = places_of(self.data, indices, OUT_OF_RANGE_NUMBER[self.out_of_range], self.negative)
        if target.flags.c_contiguous:  # each reference is counted once
            buffer.take(places, out=target, mode="clip")
        else:
            target[...] = buffer.take(places, mode="clip")
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
