"""PlaceMove: the position along an axis of the least or greatest element."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.layout import Layout
from wherry.moves.compute import ComputeMove
from wherry.moves.move import ELEMENT_NUMBER, Numbers, Step, place_of

_MOST_ELEMENTS = 1 << 15
"""Of more that do not lie side by side along the axis, NumPy is faster, which copies them first."""


@dataclass(frozen=True)
class PlaceMove(ComputeMove):
    """`target[c]` is the place of an extreme of `source[c, p] for all p` along `axis`; a ComputeMove that writes.

    `keeps_axis` says whether the target has the axis, with size 1.
    """

    axis: int = 0
    keeps_axis: bool = True
    greatest: bool = False
    last: bool = False

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core finds the places."""
        (source,), target = self.sources, self.target
        has_order = source.dtype in ELEMENT_NUMBER and source.dtype.kind != "c"
        if not has_order or not target.dtype.isnative:
            return None
        if source.layout.size > _MOST_ELEMENTS and (self.last or source.layout.strides[self.axis] != 1):
            return None
        strides = list(target.layout.strides)
        strides[self.axis : self.axis + self.keeps_axis] = [0]
        spread = target.over(Layout(source.layout.sizes, strides, target.layout.offset))
        places = place_of(spread, numbers), place_of(source, numbers)
        rules = self.greatest, self.last
        return [("place", *places, self.axis, ELEMENT_NUMBER[source.dtype], *rules, target.dtype.itemsize)]
