"""Reading: a target's form of one node: the same, with other rules, the nearest one, or none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wherry.conversion.rules import OF_DATA, alone
from wherry.conversion.targets import Target
from wherry.errors import WherryError
from wherry.graph import Graph, Node
from wherry.portability.ranges import RangedNode
from wherry.rewrite.bounds import Bounds
from wherry.rewrite.builder import Rewrite
from wherry.rewrite.known import KnownNode, fields_of
from wherry.rewrite.rules import Rule
from wherry.rewrite.search import Search
from wherry.rewrite.table import NEAR, REWRITES
from wherry.rewrite.tensors import Tensors


@dataclass(frozen=True)
class Parting:
    """A rule in which a target differs from a node, and both values."""

    rule: Rule
    own: Any
    other: Any


@dataclass(frozen=True)
class Reading:
    """A target's form of a node: the nodes that express it, and the rules in which they differ.

    `near` is a row of the table of losses by which alone it is said, `refused` why nothing says it.
    """

    search: Search
    fixed: frozenset[str] = frozenset()
    """The inputs that are constants of the model."""
    nodes: Sequence[Node] = ()
    partings: tuple[Parting, ...] = ()
    near: Rewrite | None = None
    refused: str = ""


class _Given(Tensors):
    """The tensors of a graph of one node, of whose inputs bounds are known."""

    def __init__(self, graph: Graph, known: KnownNode) -> None:
        super().__init__(graph)
        self._given = {f"in{number}": known.bounds(number) for number in range(len(known.types))}
        self._never = {f"in{number}": numbers for number, numbers in enumerate(known.never)}

    def bounds(self, name: str) -> Bounds | None:
        """Return the bounds that are given, or follow."""
        return self._given[name] if self._given.get(name) is not None else super().bounds(name)

    def never(self, name: str) -> frozenset[int]:
        """Return numbers that are known to be no elements."""
        return self._never.get(name, frozenset())

    def known(self, node: Node) -> KnownNode:
        """Return a node's operator with the facts about its inputs."""
        found = super().known(node)
        return RangedNode(found.operator, found.types, found.values, found.outputs, found.find_bounds)


def read(target: Target, node: Node, known: KnownNode, fixed: Collection[int] = ()) -> Reading | None:
    """Return a target's form of a node with these known facts; None if the node's own rules refuse it.

    The inputs at the positions `fixed` are constants of the model; other values are those of one run.
    """
    try:
        graph = alone(node, known.operator, known.types, known.values, target)
        search = Search(graph, target, REWRITES, NEAR, tensors=_Given(graph, known))
        found = _reading(target, search, graph.nodes[0])
        return replace(found, fixed=frozenset(f"in{number}" for number in fixed))
    except WherryError:
        return None


def _reading(target: Target, search: Search, node: Node) -> Reading:
    """As a converter writes it: the operator of the same name, then others that do the same, then what is near."""
    known = search.tensors.known(node)
    for operator in (node.operator, *search.settled(known)):
        if search.says(node, operator):
            return Reading(search, nodes=[replace(node, operator=operator)])
    for variant, rules in search.lossy(known):
        if OF_DATA.issuperset(rule.field for rule in rules) and search.says(node, variant):
            nodes = [replace(node, operator=variant)]
            return Reading(search, nodes=nodes, partings=_partings(known, rules, variant))
    found = search.nodes_for(node)
    if found is not None:
        return Reading(search, nodes=found)
    nearest = search.nearest(node)
    if nearest is None:
        return Reading(search, refused=target.reason(node, known))
    partings = _partings(known, nearest.rules, nearest.operator)
    return Reading(search, nodes=nearest.nodes, partings=partings, near=nearest.row)


def _partings(known: KnownNode, rules: Sequence[Rule], variant: Any) -> tuple[Parting, ...]:
    theirs = fields_of(variant)
    return tuple(Parting(rule, known.field(rule.field), theirs[rule.field]) for rule in rules)
