"""TraceMove: the beams of a search, traced back from their last step."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.moves.compute import ComputeMove
from wherry.moves.move import ELEMENT_NUMBER, Numbers, Step, place_of


@dataclass(frozen=True)
class TraceMove(ComputeMove):
    """What GatherTree computes: a ComputeMove of step ids, parents, lengths and the end token."""

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the steps by which the core looks whether all parents are beams, and writes what the walks pass."""
        dtype = self.target.dtype
        if dtype not in ELEMENT_NUMBER or not dtype.isnative:
            return None
        sources = [place_of(view, numbers) for view in self.sources]
        element = ELEMENT_NUMBER[dtype]
        return [("traceable", *sources, element), ("trace", *sources, element, place_of(self.target, numbers))]
