"""Listing: the nodes of a graph with the data that they move; also of graphs that wherry cannot run."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

from numpy.typing import NDArray

from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, Node, Opaque, better_known
from wherry.layout import Layout
from wherry.ops import ARITHMETIC
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

_MOST_ELEMENTS = 1024
"""Values up to this size are computed to learn the rules and sizes that depend on them: shapes, axes, pads."""


_SUBJECT = re.compile(r"\S+ (?P<name>.*?)(?P<version>-\d+| of opset -?\d+)?(?P<label> ['\"].*)?", re.DOTALL)
"""Who speaks in a node's errors: dialect, operator, version, and the node's own name."""


@dataclass(frozen=True)
class Entry:
    """One node of a listing: `place` names the graphs around it, outermost first."""

    place: tuple[str, ...]
    node: Node
    inputs: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]

    @property
    def operator(self) -> str:
        """The operator as its dialect calls it, without its version."""
        found = _SUBJECT.fullmatch(self.node.subject)
        return found["name"] if found else self.node.subject

    @property
    def versioned(self) -> str:
        """The operator as its dialect calls it, with its version: Gather-13, Sigmoid of opset 13."""
        found = _SUBJECT.fullmatch(self.node.subject)
        return found["name"] + (found["version"] or "") if found else self.node.subject


@dataclass(frozen=True)
class Movement(Entry):
    """One node that moves data: its operator with the rules that are known, its types, and the bytes that it makes.

    `nbytes` is the size of the outputs, None where sizes are not known. `layouts` is, for each output that is a view,
    the number of the input and how the view lies on it: empty where bytes move, None where that is not known.
    """

    nbytes: int | None
    layouts: tuple[tuple[int, Layout], ...] | None

    @property
    def is_view(self) -> bool | None:
        """Whether no byte moves; None where that is not known."""
        return None if self.layouts is None else bool(self.layouts)

    @property
    def computes(self) -> bool:
        """Whether the node computes elements, by arithmetic."""
        return issubclass(class_of(self.node.operator), ARITHMETIC)

    @property
    def cost(self) -> str:
        """The bytes in words."""
        if self.nbytes is None:
            return "bytes unknown"
        return f"{self.nbytes} bytes" + (", a view" if self.is_view else "")


def class_of(operator: Operator | Deferred) -> type:
    """Return the class of an operator; where values decide its fields, of the one that is made."""
    if not isinstance(operator, Deferred):
        return type(operator)
    made = operator.makes or operator.build
    return made if isinstance(made, type) else object


@dataclass
class Listing:
    """The nodes of graphs, and of the graphs that their nodes hold, in order."""

    entries: list[Entry] = field(default_factory=list)
    learned: dict[str, TensorType] = field(default_factory=dict, repr=False)
    """The types of tensors of which values tell more than the graphs know; not of names that two graphs have."""
    _names: set[str] = field(default_factory=set, repr=False)

    @classmethod
    def of(cls, graph: Graph) -> Listing:
        """List a graph.

        >>> from wherry.ops import Reshape
        >>> node = Node(Reshape((-1,)), ("x",), ("y",), "ONNX Reshape-5")
        >>> print(Listing.of(Graph({"x": TensorType("int8", (2, 3))}, ("y",), (node,))).movements[0].cost)
        6 bytes, a view
        """
        return cls.of_all([((), graph)])

    @classmethod
    def of_all(cls, graphs: Iterable[tuple[tuple[str, ...], Graph]]) -> Listing:
        """List several graphs, each under the names of its place."""
        listing = cls()
        for place, graph in graphs:
            listing._add(graph, place, {})
        return listing

    @cached_property
    def movements(self) -> list[Movement]:
        """The nodes that move data."""
        return [entry for entry in self.entries if isinstance(entry, Movement)]

    @cached_property
    def passed(self) -> list[Entry]:
        """All other nodes."""
        return [entry for entry in self.entries if not isinstance(entry, Movement)]

    @cached_property
    def refused(self) -> list[tuple[tuple[str, ...], Node]]:
        """The nodes, with their places, of operators that wherry has and whose use it refuses."""
        return [
            (entry.place, entry.node)
            for entry in self.passed
            if isinstance(entry.node.operator, Opaque) and entry.node.operator.why
        ]

    @cached_property
    def opaque(self) -> Counter[str]:
        """How many nodes there are of each operator that wherry does not have."""
        operators = (entry.node.operator for entry in self.passed)
        return Counter(one.name for one in operators if isinstance(one, Opaque) and not one.why)

    def _add(self, graph: Graph, place: tuple[str, ...], around: Mapping[str, Array]) -> None:
        walk = _Walk(graph, around)
        for node in graph.nodes:
            if not isinstance(node.operator, Opaque):
                self.entries.append(walk.movement(node, place))
                continue
            self.entries.append(walk.pass_by(node, place))
            for name, inner in node.operator.graphs:
                self._add(inner, (*place, f"{node.label} {name}"), walk.values)
        for name in chain.from_iterable(node.outputs for node in graph.nodes):
            if name in self._names:
                self.learned.pop(name, None)
            elif name in walk.better:
                self.learned[name] = walk.types[name]
            self._names.add(name)

    def __str__(self) -> str:
        lines = [f"movement: {len(self.movements)} nodes"]
        place: tuple[str, ...] = ()
        for movement in self.movements:
            if movement.place != place:
                place = movement.place
                lines.append(f"  in {' / '.join(place)}" if place else "  in the model")
            lines.append(f"  {movement.node}")
            types = (", ".join(map(str, side)) for side in (movement.inputs, movement.outputs))
            lines.append(f"      {' -> '.join(types)}, {movement.cost}")
        known = [movement for movement in self.movements if movement.nbytes is not None]
        views = sum(movement.nbytes or 0 for movement in known if movement.is_view)
        moved = sum(movement.nbytes or 0 for movement in known) - views
        lines.append(f"  {moved} bytes moved, {views} bytes in views, {len(self.movements) - len(known)} nodes of "
                     "unknown sizes")  # fmt: skip
        lines += [f"refused: {node.subject}: {node.operator}" for _, node in self.refused]
        if self.opaque:
            counts = ", ".join(f"{count} {name}" for name, count in sorted(self.opaque.items()))
            lines.append(f"other operators: {counts}")
        return "\n".join(lines)


def nbytes_of(graph: Graph) -> int:
    """Return the bytes that the moving nodes of a graph make, as far as their sizes are known."""
    return sum(movement.nbytes or 0 for movement in Listing.of(graph).movements)


def known_types(graph: Graph) -> dict[str, TensorType]:
    """Return the types of all tensors of a graph, with small values computed to find sizes."""
    walk = _Walk(graph, {})
    for node in graph.nodes:
        if isinstance(node.operator, Opaque):
            walk.pass_by(node, ())
        else:
            walk.movement(node, ())
    return walk.types


class _Walk:
    """One pass over a graph's nodes: types that get better known, and small values."""

    def __init__(self, graph: Graph, around: Mapping[str, Array]) -> None:
        self.types = dict(graph.types)
        self.better: set[str] = set()
        self.values = {name: around[name] for name in graph.inputs if name in around}
        self.values.update((name, value) for name, value in graph.constants.items() if value.size <= _MOST_ELEMENTS)

    def pass_by(self, node: Node, place: tuple[str, ...]) -> Entry:
        """Return a node whose outputs are only declared."""
        for name in node.outputs:
            self.values.pop(name, None)
        return Entry(place, node, *self._types(node))

    def _types(self, node: Node) -> tuple[tuple[TensorType, ...], tuple[TensorType, ...]]:
        types = self.types
        return tuple([types[name] for name in node.inputs]), tuple([types[name] for name in node.outputs])

    def movement(self, node: Node, place: tuple[str, ...]) -> Movement:
        """Return what a node moves; its outputs are then known to what follows."""
        operator = self._resolved(node)
        if operator is not None and operator is not node.operator:
            node = replace(node, operator=operator, inputs=node.data_inputs)
            self._learn(node)
        elif not self.better.isdisjoint(node.inputs):
            self._learn(node)
        inputs, outputs = self._types(node)
        moved = inputs if operator is not None else [self.types[name] for name in node.data_inputs]
        if operator is not None:
            self._evaluate(node, operator, moved, outputs)
        return Movement(place, node, inputs, outputs, _nbytes(outputs), _layouts(operator, moved))

    def _learn(self, node: Node) -> None:
        """Infer the types of what a node makes from more than the graph knows."""
        with suppress(WherryError):
            for name, tensor_type in zip(node.outputs, node.infer(self.types), strict=True):
                before = self.types[name]
                self.types[name] = better_known(tensor_type, before)
                if self.types[name] != before:
                    self.better.add(name)

    def _resolved(self, node: Node) -> Operator | None:
        if not isinstance(node.operator, Deferred):
            return node.operator
        if not all(map(self.values.__contains__, node.value_inputs)):
            return None
        with suppress(WherryError):
            return node.resolve(self.values)
        return None

    def _evaluate(
        self, node: Node, operator: Operator, moved: Sequence[TensorType], outputs: Sequence[TensorType]
    ) -> None:
        """Compute the outputs where the values that they depend on are known and small."""
        has_values = all(map(self.values.__contains__, node.inputs))
        if operator.reads_values and not has_values:
            return
        if not all(tensor_type.is_known and math.prod(tensor_type.shape) <= _MOST_ELEMENTS for tensor_type in outputs):
            return
        with suppress(WherryError):
            results = operator.fold(moved) if all(tensor_type.is_known for tensor_type in moved) else None
            if results is None and has_values:
                results = apply(operator, [self.values[name] for name in node.inputs], node.subject)
            self.values.update(zip(node.outputs, results or (), strict=False))


@lru_cache(1024)
def _packed(sizes: tuple[int, ...]) -> Layout:
    return Layout(sizes)


def _nbytes(types: Sequence[TensorType]) -> int | None:
    if not all(tensor_type.is_known for tensor_type in types):
        return None
    return sum(math.prod(tensor_type.shape) * tensor_type.numpy.itemsize for tensor_type in types)


def _layouts(operator: Operator | None, moved: Sequence[TensorType]) -> tuple[tuple[int, Layout], ...] | None:
    if operator is None or not all(tensor_type.is_known for tensor_type in moved):
        return None
    find = _found_layouts if operator.equal_is_same else _found_layouts.__wrapped__
    return find(operator, *[tensor_type.shape for tensor_type in moved])


@lru_cache(1024)
def _found_layouts(operator: Operator, *sizes: tuple[int, ...]) -> tuple[tuple[int, Layout], ...] | None:
    """Return how the outputs lie on inputs of these sizes; large models repeat a few operators."""
    try:
        return operator.view(list(map(_packed, sizes))) or ()
    except WherryError:
        return None
