"""CopyMove: copies every element to the same coordinate of another view."""

from __future__ import annotations

from dataclasses import dataclass

from wherry import _core
from wherry.moves.move import Array, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


@dataclass(frozen=True)
class CopyMove(Move):
    """Every element of `source` to the same coordinate of `target`."""

    source: View
    target: View

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads; see Move."""
        return True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        copy_array(array_at(self.source, memory), array_at(self.target, memory))

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return [("copy", place_of(self.target, numbers), place_of(self.source, numbers), self.target.dtype.itemsize)]

    def __str__(self) -> str:
        return f"copy    {self.source} -> {self.target}"


def copy_array(source: Array, target: Array) -> None:
    """Copy every element of `source` to `target`: equal sizes and element types, any strides, no shared memory."""
    if source.dtype.hasobject:
        target[...] = source
    else:
        _core.copy(source, target)
