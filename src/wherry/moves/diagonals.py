"""DiagonalsMove: writes one element to some diagonals of matrices, or to all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.moves.move import Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


@dataclass(frozen=True)
class DiagonalsMove(Move):
    """`target[.., y, x] = value if (begin <= x - y < end) != inverted else source[.., y, x]`, the value as its bytes.

    Without a source the other elements stay as they are, and `bytes_written` counts them too.
    -rows <= begin <= end <= columns.
    """

    value: bytes
    source: View | None
    target: View
    begin: int
    end: int
    inverted: bool

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target,) if self.source is None else (self.source, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        target = array_at(self.target, memory)
        source = None if self.source is None else array_at(self.source, memory)
        value = np.frombuffer(self.value, target.dtype)
        _core.fill_diagonals(target, source, value, self.begin, self.end, self.inverted)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        source = None if self.source is None else place_of(self.source, numbers)
        target = place_of(self.target, numbers)
        return [("diagonals", target, source, self.value, self.begin, self.end, self.inverted)]

    def __str__(self) -> str:
        rest = "" if self.source is None else f", else {self.source}"
        band = f"{self.begin} <= x - y < {self.end}"
        return f"fill    {self.value.hex()} where {'not ' * self.inverted}{band}{rest} -> {self.target}"
