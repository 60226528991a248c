"""FillMove: fills a view with one element."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.moves.move import Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


@dataclass(frozen=True)
class FillMove(Move):
    """One element, given as its bytes, to every coordinate of `target`."""

    value: bytes
    target: View

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move writes."""
        return (self.target,)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        target = array_at(self.target, memory)
        _core.fill(target, np.frombuffer(self.value, target.dtype))

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return [("fill", place_of(self.target, numbers), self.value)]

    def __str__(self) -> str:
        return f"fill    {self.value.hex()} -> {self.target}"
