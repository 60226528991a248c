"""SelectMove: elements of one of two views, chosen by a condition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.moves.move import Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


@dataclass(frozen=True)
class SelectMove(Move):
    """`target[c] = x[c] if condition[c] else y[c]`; conditions of one byte, of which all but 0 choose x."""

    condition: View
    x: View
    y: View
    target: View

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads; see Move."""
        return True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.condition, self.x, self.y, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        condition, x, y, target = (array_at(view, memory) for view in self.views)
        if target.dtype.hasobject:
            target[...] = y
            np.copyto(target, x, where=condition)
        else:
            _core.select(condition, x, y, target)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        places = (place_of(view, numbers) for view in (self.target, self.condition, self.x, self.y))
        return [("select", *places, self.target.dtype.itemsize)]

    def __str__(self) -> str:
        return f"select  {self.x} or {self.y} by {self.condition} -> {self.target}"
