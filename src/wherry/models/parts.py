"""PartWriter: writes nodes of a model's file as a model of their own."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from wherry.graph import Graph, Node
from wherry.tensors import TensorType

Array = NDArray[Any]

ValueType = TensorType | str
"""The type of a tensor, or in a runtime's words that of a value that is none: `seq(tensor(float))`."""


@dataclass(frozen=True)
class PartFile:
    """Some nodes as a model of their own: `content` is a file of the format, `weights` the constants beside it."""

    format: str
    content: bytes
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    weights: Mapping[str, Array]
    names: Mapping[str, str] = field(default_factory=dict)
    """What tensors are called in the file, where that is something else."""
    path: Path | None = None
    """The file, where it has constants in a file beside it, which is found by its folder."""

    def name(self, tensor: str) -> str:
        """Return what a tensor is called in the file."""
        return self.names.get(tensor, tensor)


class PartWriter(Protocol):
    """Writes nodes of one model, as they stand in its file, as a model of their own."""

    @property
    def runtime(self) -> str:
        """The runtime that reads such files, where the caller names none."""

    @property
    def fixes_defaults(self) -> bool:
        """Whether inputs that have a value of their own are constants where none is given."""

    def write(
        self,
        nodes: Sequence[Node],
        inputs: Mapping[str, ValueType],
        outputs: Sequence[str],
        constants: Mapping[str, Array],
        constant_types: Mapping[str, TensorType],
        apart: bool,
    ) -> PartFile:
        """Return the nodes as a file, its large constants apart from it or in it.

        `constant_types` are those of constants whose element type NumPy cannot tell.

        Raises UnsupportedError for a constant that the format does not have.
        """

    def branches(self, node: Node) -> tuple[Graph, Graph] | None:
        """Return the graphs between which the first input of a node chooses, the one for true first; else None."""

    def say(self, node: Node, types: Sequence[TensorType], taken: Container[str]) -> Sequence[Node]:
        """Return a node of wherry's as opaque nodes that `write` takes, given the types of its inputs.

        They name no tensors of their own as in `taken`. None where the format has no words for the node.
        """
