"""AddMove: adds elements to those of the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry import _core, dtypes
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View


def can_add(dtype: np.dtype[Any]) -> bool:
    """Whether an AddMove takes elements of this type."""
    row = dtypes.of(dtype)
    return row is not None and row.name in ARITHMETIC and dtype.isnative


@dataclass(frozen=True)
class AddMove(Move):
    """`target[c] += source[c]`: integers wrap around, bools are or-ed, floats are rounded once.

    Without a source 0 is added, which makes 0.0 of -0.0.
    """

    source: View | None
    target: View

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target,) if self.source is None else (self.source, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        target = array_at(self.target, memory)
        source = None if self.source is None else array_at(self.source, memory)
        _core.add(target, source, ELEMENT_NUMBER[target.dtype])

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        source = None if self.source is None else place_of(self.source, numbers)
        return [("add", place_of(self.target, numbers), source, ELEMENT_NUMBER[np.dtype(self.target.dtype)])]

    def __str__(self) -> str:
        return f"add     {'0' if self.source is None else self.source} -> {self.target}"
