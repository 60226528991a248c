"""RoundMove: converts numbers to floats of at most 8 bits, each rounded once."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from wherry import _core
from wherry.dtypes import DType
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER, Memory, Move, Numbers, Step, array_at, place_of
from wherry.tensors import View

_ROUNDED = frozenset(ARITHMETIC) - {"bool", "int8", "uint8", "complex64", "complex128"}


def can_round(source: DType) -> bool:
    """Whether a RoundMove reads elements of a type: numbers of 16 bits and more."""
    return source.name in _ROUNDED


@dataclass(frozen=True)
class FloatFormat:
    """A float type of at most 8 bits, held in one byte: the bits of the fraction, those of the exponent, the sign.

    Codes are the bytes of positive numbers; `sign` is the bit that makes negative ones of them.
    """

    fraction_bits: int
    bias: int
    greatest: int
    """The code of the greatest finite number."""
    beyond: int
    """What numbers beyond it become, once rounded, and infinity."""
    nan: int
    negative_nan: int
    """What NaN becomes, by its sign."""
    sign: int
    has_negative_zero: bool

    def __bytes__(self) -> bytes:
        """Return the format as the core takes it."""
        return bytes(astuple(self))


@dataclass(frozen=True)
class RoundMove(Move):
    """`target[c]` is the number of `format` nearest to `source[c]`, of two equally near the even one; see can_round."""

    source: View
    target: View
    format: FloatFormat

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    @property
    def _rule(self) -> tuple[int, bytes]:
        return ELEMENT_NUMBER[np.dtype(self.source.dtype)], bytes(self.format)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        _core.round(array_at(self.source, memory), array_at(self.target, memory), *self._rule)

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move."""
        return [("round", place_of(self.target, numbers), place_of(self.source, numbers), *self._rule)]

    def __str__(self) -> str:
        return f"round {self.source} to {self.target.dtype} -> {self.target}"
