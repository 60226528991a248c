"""Search: finds for each node of a graph the operators of a target: unchanged, with other rules, or by rewrites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import Any, Protocol

from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, Node
from wherry.ops import Constant, Operator
from wherry.rewrite.bounds import Bounds
from wherry.rewrite.builder import NodeBuilder, Path, Rewrite, StuckError
from wherry.rewrite.known import KnownNode, changed
from wherry.rewrite.rules import Rule, rules_of
from wherry.rewrite.tensors import Tensors
from wherry.tensors import TensorType

_DEPTH = 8
"""The most nested rewrites."""

_MOST_LOSSES = 3
"""How many rules of one operator may be changed that can matter."""


class Target(Protocol):
    """The interface of a target dialect for the search."""

    @property
    def preferred(self) -> Mapping[str, object]:
        """The values of rules that the target has; tried first where a rule cannot matter."""

    def says(self, node: Node, known: KnownNode) -> bool:
        """Whether the target has a node's operator with its fields."""

    def lacks(self, tensor_type: TensorType) -> bool:
        """Whether the target has no operator at all on tensors of this type, so that no rewrite can help."""


@dataclass(frozen=True)
class Nearest:
    """Nodes that do nearly the same as one: with other values of some rules that can matter, or by a row of losses."""

    nodes: list[Node]
    operator: Operator | Deferred
    rules: tuple[Rule, ...] = ()
    row: Rewrite | None = None


class Search:
    """The search for the operators by which a target expresses the nodes of one graph."""

    def __init__(
        self,
        graph: Graph,
        target: Target,
        rewrites: Sequence[Rewrite],
        near: Sequence[Rewrite] = (),
        guards: Sequence[Rewrite] = (),
        tensors: Tensors | None = None,
    ) -> None:
        self.graph = graph
        self.target = target
        self.tensors = Tensors(graph) if tensors is None else tensors
        self._rewrites = rewrites
        self._near = near
        self._guards = guards
        self._unchanged: dict[object, Operator | Deferred | None] = {}
        self._is_expressed: dict[object, bool] = {}
        self._taken: dict[object, Rewrite] = {}
        self._failed: dict[object, list[frozenset[tuple[Rewrite, object]]]] = {}
        self._rows: dict[tuple[object, bool], list[Rewrite]] = {}

    def nodes_for(self, node: Node) -> list[Node] | None:
        """Return nodes of the target with the same results as a node of the graph for every input, or None."""
        if isinstance(node.operator, Constant):
            self.tensors.constants[node.outputs[0]] = node.operator.value
            return []
        self.tensors.root = node.outputs[0]
        self.tensors.refine(node)
        found = self.exact(node, ())
        return found if found is not None else self._by_preferred(node)

    def _by_preferred(self, node: Node) -> list[Node] | None:
        """Return nodes by the target's own values of the rules that cannot matter: what rewrites make keeps them."""
        known = self.tensors.known(node)
        for operator in _built(known, [self._preferred(known)]):
            return self.exact(replace(node, operator=operator), ())
        return None

    def _preferred(self, node: KnownNode) -> dict[str, object]:
        """Return the target's own values of the rules that cannot matter for a node."""
        own = {rule.field for rule in rules_of(node) if rule.settled(node)}
        return {name: value for name, value in self.target.preferred.items() if name in own}

    def nearest(self, node: Node) -> Nearest | None:
        """Return nodes that do nearly the same as one for which there is nothing exact, or None."""
        known = self.tensors.known(node)
        for operator, rules in self.lossy(known):
            nodes = self.exact(replace(node, operator=operator), ())
            if nodes is not None:
                return Nearest(nodes, operator, tuple(rules))
        by_row = self._by_one_of(self._near, node, known)
        return None if by_row is None else Nearest(by_row[1], node.operator, row=by_row[0])

    def guarded(self, node: Node) -> list[Node] | None:
        """Return nodes with the same results as a node, whose errors have another text, or None."""
        found = self._by_one_of(self._guards, node, self.tensors.known(node))
        return None if found is None else found[1]

    def _by_one_of(self, rows: Iterable[Rewrite], node: Node, known: KnownNode) -> tuple[Rewrite, list[Node]] | None:
        for row in rows:
            nodes = self._by(row, node, known, ()) if row.takes(known) else None
            if nodes is not None:
                return row, nodes
        return None

    def graph_of(self, nodes: Sequence[Node]) -> Graph:
        """Return the graph of the nodes that were found, without those that nothing needs any more."""
        needed = self._needed(nodes)
        read = {name for node in needed for name in node.inputs} | set(self.graph.outputs)
        constants = {name: value for name, value in self.tensors.constants.items() if name in read}
        types = {name: self.tensors.types[name] for name in constants}
        types = {name: one for name, one in types.items() if one != TensorType.of(constants[name])}
        return Graph(self.graph.inputs, self.graph.outputs, tuple(needed), constants, self.graph.name, types)

    def _needed(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the nodes without those that nothing needs any more; what nothing needed from the start stays."""
        read = {name for node in self.graph.nodes for name in node.inputs}
        needed = set(self.graph.outputs)
        for node in self.graph.nodes:
            if not read.intersection(node.outputs):
                needed.update(node.outputs)
        kept = []
        for node in reversed(nodes):
            if needed.intersection(node.outputs):
                needed.update(node.inputs)
                kept.append(node)
        return kept[::-1]

    def exact(self, node: Node, path: Path) -> list[Node] | None:
        """Return nodes of the target with the same results for every input, or None.

        `path` are the rewrites that led to this node; none of them is used on the same kind of operator again.
        """
        known, key = self.tensors.known(node), self._key(node)
        if key not in self._unchanged:
            self._unchanged[key] = self._directly(node, known)
        operator = self._unchanged[key]
        if operator is not None:
            return [replace(node, operator=operator)]
        if len(path) >= _DEPTH or (path and path[-1][0].is_direct) or self._is_lost(known):
            return None
        steps = frozenset(path)
        if any(failed <= steps for failed in self._failed.get(key, ())):
            return None
        taken = self._taken.get(key) if not path else None
        rows = (row for row in self._rows_about(known) if (row, known.maker) not in path)
        for row in rows if taken is None else (taken, *rows):
            nodes = self._by(row, node, known, path)
            if nodes is not None:
                if not path:
                    self._taken[key] = row
                return nodes
        self._failed.setdefault(key, []).append(steps)
        return None

    def _rows_about(self, node: KnownNode) -> list[Rewrite]:
        """Return the rows that take an operator: looked for once for all that are made alike."""
        kind = node.maker, isinstance(node.operator, Deferred)
        if kind not in self._rows:
            self._rows[kind] = [row for row in self._rewrites if row.takes(node)]
        return self._rows[kind]

    def _directly(self, node: Node, known: KnownNode) -> Operator | Deferred | None:
        """Return the operator, or one with other rules that cannot matter here, if the target has it."""
        for operator in chain([node.operator], self.settled(known)):
            if self.target.says(replace(node, operator=operator), replace(known, operator=operator)):
                return operator
        return None

    def _is_lost(self, node: KnownNode) -> bool:
        return any(self.target.lacks(one) for one in (*node.types, *node.outputs))

    def _by(self, row: Rewrite, node: Node, known: KnownNode, path: Path) -> list[Node] | None:
        """Return the nodes by which a row replaces another, or None if it cannot."""
        builder = NodeBuilder(self.tensors, self.exact, node, known, (*path, (row, known.maker)))
        try:
            results = row.build(builder)
            if results is None:
                return None
            return builder.finished((results,) if isinstance(results, str) else results)
        except (StuckError, WherryError):
            return None

    def _key(self, node: Node) -> object:
        """Return the cache key of a node: operator, types, bounds, and which inputs are which constants."""
        types = tuple(self.tensors.types[name] for name in node.inputs)
        constants = tuple(name if name in self.tensors.constants else None for name in node.inputs)
        first: dict[str, int] = {}
        places = tuple(first.setdefault(name, place) for place, name in enumerate(node.inputs))
        bounds = tuple(_content(self.tensors.bounds(name)) for name in node.inputs)
        try:
            hash(node.operator)
        except TypeError:  # a field of a deferred operator that does not hash
            return object()
        return node.operator, types, constants, bounds, places, len(node.outputs)

    def says(self, node: Node, operator: Operator | Deferred) -> bool:
        """Whether the target has a node of the graph with this operator."""
        variant = replace(node, operator=operator)
        key = self._key(variant)
        if key not in self._is_expressed:
            self._is_expressed[key] = self.target.says(variant, self.tensors.known(variant))
        return self._is_expressed[key]

    def settled(self, node: KnownNode) -> Iterator[Operator | Deferred]:
        """Yield the operator with other values of the rules that cannot matter, the target's own first."""
        rules = [rule for rule in rules_of(node) if rule.settled(node)]
        if not rules:
            return
        yield from _built(node, [self._preferred(node)])
        yield from _built(node, _choices(node, rules))

    def lossy(self, node: KnownNode) -> Iterator[tuple[Operator | Deferred, list[Rule]]]:
        """Yield the operator with one rule changed that can matter, then with more; the target's own values first."""
        rules = [rule for rule in rules_of(node) if not rule.settled(node)]
        for count in range(1, _MOST_LOSSES + 1):
            for chosen in combinations(rules, count):
                for values in product(*map(self._ordered, chosen)):
                    choice = {rule.field: value for rule, value in zip(chosen, values, strict=True)}
                    if all(value != node.field(name) for name, value in choice.items()):
                        for operator in _built(node, [choice]):
                            yield operator, list(chosen)

    def _ordered(self, rule: Rule) -> list[Any]:
        own = self.target.preferred.get(rule.field)
        return sorted(rule.words, key=lambda value: value != own)


def _content(bounds: Bounds | None) -> tuple[bytes, bytes] | None:
    return None if bounds is None else (bounds.low.tobytes(), bounds.high.tobytes())


def _choices(node: KnownNode, rules: Sequence[Rule]) -> Iterator[dict[str, Any]]:
    """Yield all values of some rules, those with the fewest changes first."""
    names = [rule.field for rule in rules]
    every = product(*(list(rule.words) for rule in rules))
    choices = [dict(zip(names, values, strict=True)) for values in every]
    yield from sorted(choices, key=lambda choice: sum(node.field(name) != value for name, value in choice.items()))


def _built(node: KnownNode, choices: Iterable[Mapping[str, Any]]) -> Iterator[Operator | Deferred]:
    """Yield the operator with each choice of rules that differs from its own and that it can have."""
    for choice in choices:
        if all(node.field(name) == value for name, value in choice.items()):
            continue
        try:
            yield changed(node.operator, **choice)
        except WherryError:
            continue
