"""RangeMove: equidistant numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.moves.move import ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


@dataclass(frozen=True)
class RangeMove(Move):
    """`target[n] = start + n * delta`, a vector; start and delta as their bytes.

    Integers wrap around; float32 and float64 are rounded after the product and after the sum.
    """

    start: bytes
    delta: bytes
    target: View

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move writes."""
        return (self.target,)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        target = array_at(self.target, memory)
        _core.range(target, self.start, self.delta, ELEMENT_NUMBER[target.dtype])

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        element = ELEMENT_NUMBER[np.dtype(self.target.dtype)]
        return [("range", place_of(self.target, numbers), self.start, self.delta, element)]

    def __str__(self) -> str:
        return f"count   from {self.start.hex()} by {self.delta.hex()} -> {self.target}"
