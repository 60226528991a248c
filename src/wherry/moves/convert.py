"""ConvertMove: converts elements to another type, by rules that are the same on every machine and raise no errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.dtypes import DType
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View

_CONVERTED = frozenset(ARITHMETIC) - {"complex64", "complex128"}


def can_convert(source: DType, to: DType) -> bool:
    """Whether a ConvertMove turns elements of one type into those of another."""
    return source != to and {source.name, to.name} <= _CONVERTED


@dataclass(frozen=True)
class ConvertMove(Move):
    """Every element of `source` as the element type of `target`, at the same coordinate; see can_convert.

    Numbers become the nearest float, of two equally near the even one, rounded once, and infinity beyond the greatest;
    a bool is whether a number is not zero. NaN keeps its sign and the upper bits of its payload; as bfloat16 it is the
    canonical one, as float64 and from there as float32 it is quiet. A float loses its fraction as an integer.
    """

    source: View
    target: View
    saturates: bool = False
    """Whether an integer beyond the range of its type is the nearest end of it, and 0 of NaN; else integers wrap
    around, and floats are what x86 processors make of them (`FloatToInteger.INDEFINITE`)."""

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    @property
    def sources(self) -> tuple[View, ...]:
        """The views that are read, as in CalculateMove."""
        return (self.source,)

    @property
    def rule(self) -> tuple[int, int, int]:
        """The numbers of both element types, and of what becomes of numbers beyond the range."""
        source, target = (ELEMENT_NUMBER[np.dtype(view.dtype)] for view in (self.source, self.target))
        return source, target, int(self.saturates)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        _core.convert(array_at(self.source, memory), array_at(self.target, memory), *self.rule)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return [("convert", place_of(self.target, numbers), place_of(self.source, numbers), *self.rule)]

    def __str__(self) -> str:
        how = " within its range" if self.saturates else ""
        return f"convert {self.source} to {self.target.dtype}{how} -> {self.target}"
