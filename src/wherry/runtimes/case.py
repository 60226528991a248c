"""Case: a model of one node with its inputs, to run on a runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """A model of one node: the operator as the runtime spells it, its version, inputs, attributes, number of outputs.

    The inputs at the positions `constants` are constants of the model; if it `is_dynamic`, sizes of the others are
    known at run only, but for those in `sized`. `kinds` are the runtime's names of the inputs' element types, where
    these differ from NumPy's. It is run in `threads` threads; without an `instruction_set` the runtime chooses its own.
    A node of a larger model `is_within` it where another node makes its first input, or a result is no result of the
    model.

    An input is an array. Of a node before a run it may be an `Unseen`, and `threads` and `instruction_set` None where
    they are not known.
    """

    operator: str
    version: int
    inputs: tuple[Any, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    constants: frozenset[int] = frozenset()
    is_dynamic: bool = False
    kinds: tuple[str, ...] = ()
    sized: frozenset[int] = frozenset()
    threads: int | None = 1
    instruction_set: str | None = ""
    is_within: bool = False

    def kind(self, position: int) -> str:
        """Return the name of the element type of an input."""
        if self.kinds:
            return self.kinds[position]
        dtype = self.inputs[position].dtype
        return "string" if dtype.hasobject else str(dtype.name)

    @property
    def given(self) -> list[tuple[str, Any]]:
        """Element type and values of the inputs that are no constants."""
        return [(self.kind(place), one) for place, one in enumerate(self.inputs) if place not in self.constants]
