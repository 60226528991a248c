"""ComputeMove: a function that NumPy computes on whole arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wherry.moves.copy import copy_array
from wherry.moves.move import Array, Memory, Move, array_at
from wherry.tensors import View


@dataclass(frozen=True)
class ComputeMove(Move):
    """`target = function(*sources)`, by NumPy: arithmetic on values.

    `function` takes and returns arrays, and refuses by raising; nothing is written before it returns. With `writes`
    it gets the target as its last argument, which it writes itself, without another copy; it must not refuse then.
    """

    name: str
    function: Callable[..., Array | None]
    sources: tuple[View, ...]
    target: View
    writes: bool = False

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make the move fail."""
        return not self.writes

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (*self.sources, self.target)

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        sources, target = [array_at(source, memory) for source in self.sources], array_at(self.target, memory)
        if self.writes:
            self.function(*sources, target)
            return
        result = self.function(*sources)
        if result is None:
            raise TypeError(f"the function of the move {self.name!r} returns nothing; only one that writes may")
        copy_array(result, target)

    def __str__(self) -> str:
        return f"compute {self.name} of {', '.join(map(str, self.sources))} -> {self.target}"
