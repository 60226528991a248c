"""TranslateMove: each element as what a table has for its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry import _core, dtypes
from wherry.dtypes import DType
from wherry.moves.move import ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View

ODD = dtypes.find("bfloat16")
"""Codes of this type are numbers of 32 or 64 bits rounded to odd: the last bit is 1 where bits were lost. Rounded once
more, to a float of at most 5 bits of significand, they become what the numbers themselves would."""


def translation(
    source: np.dtype[Any], table: bytes, code: DType | None, saturates: bool
) -> tuple[bytes, int, int | None, int, int]:
    """Return the table, the bytes of a code, and how an element becomes one, as the core takes them."""
    if code is None:
        return table, source.itemsize, None, 0, 0
    return table, code.numpy.itemsize, ELEMENT_NUMBER[source], ELEMENT_NUMBER[code.numpy], int(saturates)


@dataclass(frozen=True)
class TranslateMove(Move):
    """`target[c] = table[code of source[c]]`, where `table` has the bytes of an element for each code, in their order.

    The code of an element are its own 8 or 16 bits; or, with `code`, those of the element as int8 or uint8, as a
    ConvertMove makes it, or as bfloat16, see ODD. Elements of 2 to 8 bytes need codes of 8 bits.
    """

    source: View
    target: View
    table: bytes
    code: DType | None = None
    saturates: bool = False
    """Whether an integer code of a number out of its range is the nearest end of it; see ConvertMove."""

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    @property
    def _rule(self) -> tuple[bytes, int, int | None, int, int]:
        return translation(self.source.dtype, self.table, self.code, self.saturates)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        _core.translate(array_at(self.source, memory), array_at(self.target, memory), *self._rule)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        places = place_of(self.target, numbers), place_of(self.source, numbers)
        return [("translate", *places, self.target.dtype.itemsize, *self._rule)]

    def __str__(self) -> str:
        how = "" if self.code is None else f" as {'odd ' if self.code is ODD else ''}{self.code}"
        return f"translate {self.source}{how} by a table of {len(self.table)} bytes -> {self.target}"
