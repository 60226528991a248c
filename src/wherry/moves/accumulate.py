"""AccumulateMove: running sums and products of integers along an axis; for few elements in the core."""

from __future__ import annotations

from dataclasses import dataclass

from wherry import dtypes
from wherry.moves.compute import ComputeMove
from wherry.moves.move import ELEMENT_NUMBER, Numbers, Step, place_of

_MOST_ELEMENTS = 1 << 14
"""Of more elements that do not lie side by side along the axis, NumPy is faster: its vectors add up whole slices."""


@dataclass(frozen=True)
class AccumulateMove(ComputeMove):
    """`target[.., n, ..]` is what `source[.., 0..n, ..]` along `axis` make; a ComputeMove of one source that writes.

    Sums, or products with `multiplies`. With `exclusive` element n takes no part; with `reverse` they start at the end.
    """

    axis: int = 0
    multiplies: bool = False
    exclusive: bool = False
    reverse: bool = False

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core computes the move."""
        (source,), target = self.sources, self.target
        row = dtypes.of(source.dtype)
        if row is None or not row.is_integer or source.dtype not in ELEMENT_NUMBER or not source.dtype.isnative:
            return None
        if source.layout.size > _MOST_ELEMENTS and source.layout.strides[self.axis] != 1:
            return None
        places = place_of(target, numbers), place_of(source, numbers)
        rules = self.multiplies, self.exclusive, self.reverse
        return [("accumulate", *places, self.axis, ELEMENT_NUMBER[source.dtype], *rules)]
