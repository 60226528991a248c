"""Meaning: one description as operators in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from wherry.graph import Deferred
from wherry.ops import Operator

Moved = TypeVar("Moved", bound=Operator | Deferred)
Step = tuple[Operator | Deferred, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Meaning(Generic[Moved]):
    """A description as an operator, its inputs and outputs: paths of tensors, or names of results of steps `before`.

    `ndims` tells the number of axes of tensors that have leading dimensions for filling only.
    """

    operator: Moved
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    ndims: Mapping[str, int] = field(default_factory=dict)
    before: tuple[Step, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All operators in order, with their inputs and outputs."""
        return (*self.before, (self.operator, self.inputs, self.outputs))


def in_turn(operator: Moved, after: Sequence[Operator] = ()) -> Meaning[Moved]:
    """Return the meaning of a description of InputTensor and OutputTensor: an operator, after others of one input.

    >>> from wherry.ops import Identity
    >>> in_turn(Identity(), after=[Identity()]).before
    ((Identity(), ('InputTensor',), ('result 1',)),)
    """
    names = ["InputTensor", *(f"result {number}" for number in range(1, len(after) + 1))]
    before: tuple[Step, ...] = tuple((one, (names[n],), (names[n + 1],)) for n, one in enumerate(after))
    return Meaning(operator, (names[-1],), ("OutputTensor",), before=before)
