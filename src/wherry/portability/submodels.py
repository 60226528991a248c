"""Submodels: the first nodes of a model, or a single node, as models of their own; shared by the formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from numpy.typing import NDArray

from wherry.models.model import Model

Array = NDArray[Any]

NOTHING: Mapping[str, Array] = MappingProxyType({})


class Part(ABC):
    """Nodes of a model as a model of their own, with the inputs that they need."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    weights: Path | None = None
    """A file that holds the constants, and is there already."""

    @abstractmethod
    def write(self, path: Path) -> None:
        """Write the model to a file, and beside it what it cannot hold.

        Raises UnsupportedError for a model that its format does not hold.
        """

    @abstractmethod
    def load(self) -> Model:
        """Return the model, read."""


class Submodels(ABC):
    """Models of the nodes of a file, in an order that runs."""

    suffix: ClassVar[str]
    """What files of the format end with."""

    def __init__(
        self, reads: Sequence[tuple[str, ...]], makes: Sequence[tuple[str, ...]], results: Iterable[str]
    ) -> None:
        """Take the tensors that each node reads and makes, and those that the model gives."""
        self._reads = reads
        self._makes = makes
        self._results = tuple(results)
        self._maker = {name: place for place, names in enumerate(makes) for name in names}
        self._end = {name: place for place, names in enumerate(reads) for name in names}
        self._end |= dict.fromkeys(self._results, len(makes))

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self._makes)

    def reads(self, place: int) -> tuple[str, ...]:
        """Return the tensors that a node reads, and the graphs inside it."""
        return self._reads[place]

    def makes(self, place: int) -> tuple[str, ...]:
        """Return the tensors that a node makes."""
        return self._makes[place]

    def live(self, end: int) -> tuple[str, ...]:
        """Return what the first `end` nodes make that nodes after them read, or that the model gives."""
        made = [name for names in self._makes[:end] for name in names]
        return tuple(name for name in made if self._end.get(name, -1) >= end) or self._makes[end - 1]

    def outputs(self, end: int, start: int = 0) -> tuple[str, ...]:
        """Return the outputs of `part`."""
        all_of = self._results if end == len(self) else self.live(end)
        if start == 0:
            return all_of
        return tuple(name for name in all_of if self._maker.get(name, -1) >= start) or self._makes[end - 1]

    @abstractmethod
    def name(self, place: int) -> str:
        """Return the name of a node, or of what it makes."""

    @abstractmethod
    def operator(self, place: int) -> str:
        """Return the operator of a node with its version."""

    @abstractmethod
    def is_constant(self, place: int) -> bool:
        """Whether a node is a constant."""

    @abstractmethod
    def reduces(self, place: int) -> bool:
        """Whether a node sums up updates, in an order that is left open."""

    @abstractmethod
    def part(self, end: int, start: int = 0, given: Mapping[str, Array] = NOTHING) -> Part:
        """Return the model of the nodes from `start` to `end`, which gives all that is alive behind them.

        It takes the arrays that nodes before it made and it reads.
        """

    @abstractmethod
    def fed(self, place: int) -> tuple[str, ...]:
        """Return the tensors that a node alone must be given: all that it reads but for constants."""

    @abstractmethod
    def alone(self, place: int, given: Mapping[str, Array]) -> Part:
        """Return the model of one node and the constants that it reads, whose inputs take these arrays.

        Inputs are declared as the file declares them: what it leaves open is open here, too.
        """
