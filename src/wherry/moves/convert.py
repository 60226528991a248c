"""ConvertMove: each element as another type, where that is the same on every machine and refuses nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.dtypes import DType
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View

_CONVERTED = frozenset(ARITHMETIC) - {"complex64", "complex128"}


def can_convert(source: DType, to: DType) -> bool:
    """Whether a ConvertMove turns elements of one type into those of another.

    Not floats into integers, which need not be in range, and not numbers of more than 24 bits into 16-bit floats.
    """
    if source == to or not {source.name, to.name} <= _CONVERTED:
        return False
    if to.kind == "bool" or (to.bits >= 32 and to.kind == "float"):
        return True
    if to.kind != "float":
        return source.kind != "float"
    return source.bits <= (32 if source.kind == "float" else 16)


@dataclass(frozen=True)
class ConvertMove(Move):
    """Every element of `source` as the element type of `target`, at the same coordinate; see can_convert.

    Integers wrap around; numbers become the nearest float, of two equally near the even one, rounded once, and
    infinity beyond the greatest; a bool is whether a number is not zero. NaN keeps its sign and the upper bits of its
    payload; as bfloat16 it is the canonical one, as or from float64 it is quiet.
    """

    source: View
    target: View

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    @property
    def _elements(self) -> tuple[int, int]:
        return ELEMENT_NUMBER[np.dtype(self.source.dtype)], ELEMENT_NUMBER[np.dtype(self.target.dtype)]

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        _core.convert(array_at(self.source, memory), array_at(self.target, memory), *self._elements)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return [("convert", place_of(self.target, numbers), place_of(self.source, numbers), *self._elements)]

    def __str__(self) -> str:
        return f"convert {self.source} to {self.target.dtype} -> {self.target}"
