"""Rewrite: a row of the table of rewrites; NodeBuilder: gives a rewrite the facts about a node, and adds nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from wherry.errors import WherryError
from wherry.graph import Deferred, Node, better_known
from wherry.ops import Identity, Operator
from wherry.rewrite.known import MOST_PLACES, KnownNode
from wherry.rewrite.tensors import Tensors
from wherry.tensors import TensorType

Array = NDArray[Any]
Path = tuple[tuple["Rewrite", object], ...]
"""The rewrites that led to a node, outermost first, each with the operator that it replaced."""


class StuckError(Exception):
    """A rewrite needs an operator that the target cannot express either."""


@dataclass(frozen=True, eq=False)
class Rewrite:
    """One row of the table of rewrites: an operator replaced by others, with the same results for every input.

    `build` adds operators to a NodeBuilder and returns the names of the results, or None where the row does not apply.
    Only a row that says so takes operators some of whose fields are values of inputs (`deferred`). What an `is_direct`
    row makes must be said as it is: said by further rewrites it would be no better than what the rows behind it make.
    """

    operators: tuple[object, ...]
    when: str
    into: str
    why: str
    build: Callable[[NodeBuilder], str | Sequence[str] | None]
    deferred: bool = False
    is_direct: bool = False

    def takes(self, node: KnownNode) -> bool:
        """Whether the row is about an operator."""
        is_one = object in self.operators or node.maker in self.operators
        return is_one and (self.deferred or not isinstance(node.operator, Deferred))


DIRECTLY = Rewrite((), "", "", "", lambda builder: None, is_direct=True)
"""The end of a path of rewrites: the target must have the operator itself."""


@dataclass
class NodeBuilder:
    """A node to be replaced, the facts about it, and the nodes that a rewrite adds."""

    tensors: Tensors
    exact: Callable[[Node, Path], list[Node] | None]
    """Returns nodes of the target in place of one; without rewrites if the last one of the path is direct."""
    node: Node
    known: KnownNode
    path: Path
    nodes: list[Node] = field(default_factory=list)

    @property
    def operator(self) -> Any:
        """The operator to be replaced."""
        return self.node.operator

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the node's inputs."""
        return self.node.inputs

    def type(self, name: str) -> TensorType:
        """Return the type of a tensor."""
        return self.tensors.types[name]

    def shape(self, name: str | None = None) -> tuple[int, ...]:
        """Return the sizes of a tensor, the first input if none is named. Raises StuckError where one is unknown."""
        found = self.type(self.inputs[0] if name is None else name)
        if not found.is_known:
            raise StuckError
        return found.shape

    def check_places(self, *sizes: int) -> None:
        """Raise StuckError if a constant of this many positions would be too large."""
        if math.prod(sizes) > MOST_PLACES:
            raise StuckError

    def value(self, name: str) -> Array | None:
        """Return the value of a tensor that constants decide."""
        return self.tensors.value(name)

    def constant(self, value: Array, wish: str = "value") -> str:
        """Add a constant and return its name."""
        return self.tensors.add_constant(f"{self.tensors.root}/{wish}", value)

    def add(self, operator: Operator | Deferred, *inputs: str) -> str:
        """Add an operator of one output and return its name. Raises StuckError if the target cannot express it."""
        (name,) = self.add_all(operator, *inputs)
        return name

    def try_add(self, operator: Operator | Deferred, *inputs: str) -> str | None:
        """Add an operator of one output and return its name, or None if the target cannot express it."""
        try:
            return self.add(operator, *inputs)
        except (StuckError, WherryError):
            return None

    def add_directly(self, operator: Operator, *inputs: str) -> str | None:
        """Add an operator of one output if the target has it without rewrites, and return its name, else None."""
        try:
            (name,) = self._added(operator, inputs, (*self.path, (DIRECTLY, None)))
        except (StuckError, WherryError):
            return None
        return name

    def add_all(self, operator: Operator | Deferred, *inputs: str) -> tuple[str, ...]:
        """Add an operator and return the names of its outputs; see `add`."""
        return self._added(operator, inputs, self.path)

    def _added(self, operator: Operator | Deferred, inputs: tuple[str, ...], path: Path) -> tuple[str, ...]:
        types = operator.infer([self.tensors.types[name] for name in inputs])
        names = tuple(self.tensors.fresh(f"{self.tensors.root}/{word_of(operator)}") for _ in types)
        self.tensors.types.update(zip(names, types, strict=True))
        self._take(replace(self.node, operator=operator, inputs=inputs, outputs=names, name=""), path)
        return names

    def finished(self, results: Sequence[str]) -> list[Node]:
        """Return the added nodes, the results under the names of the node's outputs; constants need no node."""
        made = {name for node in self.nodes for name in node.outputs}
        names: dict[str, str] = {}
        decided: dict[str, Array] = {}
        for result, wanted in zip(results, self.node.outputs, strict=True):
            if result in self.tensors.constants and wanted not in self.tensors.outputs:
                decided[wanted] = self.tensors.constants[result]
            elif result in made and result not in names:
                names[result] = wanted
            else:
                self._take(Node(Identity(), (result,), (wanted,), self.node.subject), self.path)
        self.tensors.constants.update(decided)
        for result, wanted in zip(results, self.node.outputs, strict=True):
            self.tensors.types[wanted] = better_known(self.tensors.types[result], self.tensors.types[wanted])
        nodes = [_renamed(node, names) for node in self.nodes]
        return [*nodes[:-1], replace(nodes[-1], name=self.node.name)] if nodes else []

    def _take(self, node: Node, path: Path) -> None:
        found = self.exact(node, path)
        if found is None:
            raise StuckError
        self.nodes += found


def word_of(operator: Operator | Deferred) -> str:
    """Return what tensors that an operator makes are called after."""
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    return getattr(made, "__name__", "value").lower()


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    def of(given: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in given)

    return replace(node, inputs=of(node.inputs), outputs=of(node.outputs))
