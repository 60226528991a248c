"""Tensors: the facts known before a run about the tensors of a graph and those that rewrites add."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

from numpy.typing import NDArray

from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, Node, better_known, free_name
from wherry.ops import Operator
from wherry.rewrite.bounds import Bounds, of_result, of_type, of_value
from wherry.rewrite.known import KnownNode
from wherry.tensors import TensorType

Array = NDArray[Any]

_SMALL = 2**16
"""Integer tensors of up to so many elements are computed while converting, where constants decide them."""


class Tensors:
    """The types of all tensors by name, and the values of those that constants decide."""

    def __init__(self, graph: Graph) -> None:
        self.types: dict[str, TensorType] = dict(graph.types)
        self.constants: dict[str, Array] = dict(graph.constants)
        self.outputs = graph.outputs
        self.root = ""
        """The result of the node that is being replaced; names of added tensors derive from it."""
        self._makers = {name: node for node in graph.nodes for name in node.outputs}
        self._computed: dict[str, Array | None] = {}
        self._bounds: dict[str, Bounds | None] = {}

    def refine(self, node: Node) -> None:
        """Add the facts about a node's outputs, whose inputs may be known better than in the graph."""
        if all(self.types[name].is_known for name in node.outputs):
            return
        for name, found in zip(node.outputs, node.infer(self.types), strict=True):
            self.types[name] = better_known(found, self.types[name])

    def known(self, node: Node) -> KnownNode:
        """Return a node's operator with the facts about its inputs."""
        types = tuple(self.types[name] for name in node.inputs)
        values = tuple(self.value(name) for name in node.inputs)
        outputs = tuple(self.types[name] for name in node.outputs)
        return KnownNode(
            node.operator, types, values, outputs, tuple(partial(self.bounds, name) for name in node.inputs)
        )

    def bounds(self, name: str) -> Bounds | None:
        """Return between which numbers the elements of a small integer tensor lie, or None for any other tensor."""
        if name not in self._bounds:
            self._bounds[name] = None
            self._bounds[name] = self._find_bounds(name)
        return self._bounds[name]

    def never(self, name: str) -> frozenset[int]:
        """Return numbers between the bounds of a tensor that are known to be none of its elements."""
        return frozenset()

    def _find_bounds(self, name: str) -> Bounds | None:
        found, node, value = self.types[name], self._makers.get(name), self.value(name)
        if found.row is None or not found.row.is_integer or not _are_small([found] if found.is_known else []):
            return None
        if value is not None:
            return of_value(value)
        if not found.is_known:
            return None
        made = None
        operator = None if node is None else self.resolved(node)
        if node is not None and operator is not None:
            read = node.data_inputs
            made = of_result(
                operator,
                [self.types[one] for one in read],
                lambda place: self.bounds(read[place]),
                lambda place: self.value(read[place]),
                (node.outputs.index(name), found),
            )
        return of_type(found) if made is None or made.low.shape != found.shape else made

    def value(self, name: str) -> Array | None:
        """Return a constant, or a small integer tensor that constants and known sizes decide."""
        if name in self.constants:
            return self.constants[name]
        if name not in self._computed:
            self._computed[name] = None
            self._computed[name] = self._compute(name)
        return self._computed[name]

    def _compute(self, name: str) -> Array | None:
        found, node = self.types[name], self._makers.get(name)
        small = found.is_known and math.prod(found.shape) <= _SMALL and found.row is not None and found.row.is_integer
        if node is None or not (small or not found.is_known):
            return None
        return self.computed(node, name)

    def computed(self, node: Node, name: str) -> Array | None:
        """Return an output of a node whose inputs are decided, or None where they are not, or the node refuses them."""
        try:
            operator = self.resolved(node)
            if operator is None:
                return None
            types = [self.types[read] for read in node.data_inputs]
            made = operator.fold(types) if all(one.is_known for one in types) else None
            if made is None:
                values = [self.value(read) for read in node.data_inputs]
                given = [value for value in values if value is not None]
                if len(given) < len(values) or not _are_small(
                    operator.infer([TensorType.of(value) for value in given])
                ):
                    return None
                made = apply(operator, given, node.subject)
        except WherryError:
            return None
        return made[node.outputs.index(name)]

    def resolved(self, node: Node) -> Operator | None:
        """Return the operator of a node with known fields, or None where inputs that are not decided hold them."""
        if not isinstance(node.operator, Deferred):
            return node.operator
        values = {name: value for name in node.value_inputs if (value := self.value(name)) is not None}
        return node.resolve(values) if len(values) == len(set(node.value_inputs)) else None

    def add_constant(self, wish: str, value: Array) -> str:
        """Add a constant under a name that is free, and return that."""
        name = self.fresh(wish)
        self.constants[name], self.types[name] = value, TensorType.of(value)
        return name

    def fresh(self, wish: str) -> str:
        """Return a name that no tensor has."""
        name = free_name(wish, self.types, gap=" ")
        self.types[name] = TensorType("uint8", None)
        return name


def _are_small(results: Iterable[TensorType]) -> bool:
    elements: int = sum(math.prod(one.shape) for one in results)
    return elements <= _SMALL
