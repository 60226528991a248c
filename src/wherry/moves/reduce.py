"""ReduceMove: sums, products and extremes along axes; for few elements each in the core."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.layout import Layout
from wherry.moves.calculate import FUNCTIONS, can_calculate
from wherry.moves.compute import ComputeMove
from wherry.moves.move import ELEMENT_NUMBER, Numbers, Step, place_of

_MOST_ELEMENTS, _MOST_REDUCED = 1 << 14, 64
"""Of more, NumPy's vectors are faster than the core; but not where few elements each make one."""

CALCULATIONS = {"sum": "add", "product": "multiply", "minimum": "minimum", "maximum": "maximum"}
"""What the core calculates to reduce, by the name of the reduction."""


@dataclass(frozen=True)
class ReduceMove(ComputeMove):
    """`target[c] = reduction of source[c, r] for all r` along `axes`; a ComputeMove of one source that writes.

    `of_none` is what there is of no elements, the bytes of one element.
    """

    reduction: str = ""
    axes: tuple[int, ...] = ()
    of_none: bytes = b""

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the steps by which the core fills the target, and adds to it."""
        (source,), target = self.sources, self.target
        function = CALCULATIONS[self.reduction]
        if not can_calculate(function, source.dtype):
            return None
        kept = target.layout.strides
        if target.layout.ndim == source.layout.ndim:
            kept = tuple(stride for axis, stride in enumerate(kept) if axis not in self.axes)
        strides = iter(kept)
        along = [0 if axis in self.axes else next(strides) for axis in range(source.layout.ndim)]
        spread = target.over(Layout(source.layout.sizes, along, target.layout.offset))
        places = place_of(spread, numbers), place_of(source, numbers)
        return [
            ("fill", place_of(target, numbers), self.of_none),
            ("reduce", *places, FUNCTIONS.index(function), ELEMENT_NUMBER[source.dtype]),
        ]
