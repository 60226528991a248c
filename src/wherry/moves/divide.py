"""DivideMove: quotients and remainders of integers, in the core."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wherry import dtypes
from wherry.moves.compute import ComputeMove
from wherry.moves.move import ELEMENT_NUMBER, Numbers, Step, place_of


@dataclass(frozen=True)
class DivideMove(ComputeMove):
    """`target = dividend / divisor`, a ComputeMove of these two sources, of integers.

    Without `takes_zero` a divisor of 0 is refused, else its quotient is 0 and its remainder the dividend. Without
    `wraps` the quotient of the least integer by -1 is refused, else it is the least integer again.
    """

    is_remainder: bool = False
    floors: bool = False
    takes_zero: bool = False
    wraps: bool = False

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the steps by which the core looks whether anything is refused, and divides."""
        dtype, sizes = np.dtype(self.target.dtype), self.target.layout.sizes
        row = dtypes.of(dtype)
        if row is None or not row.is_integer or dtype not in ELEMENT_NUMBER or not dtype.isnative:
            return None
        element = ELEMENT_NUMBER[dtype]
        operands = [place_of(view.over(view.layout.broadcast_to(sizes)), numbers) for view in self.sources]
        looks = (
            [] if self.takes_zero and self.wraps else [("divisible", *operands, element, self.takes_zero, self.wraps)]
        )
        division = 2 * self.is_remainder + self.floors
        return [*looks, ("divide", place_of(self.target, numbers), *operands, element, division)]
