"""cut: divides a graph with opaque nodes into the fewest parts that run in order: wherry's and those of a runtime."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import pairwise

from wherry.graph import Graph, Node, Opaque


class Side(StrEnum):
    """Who runs a node."""

    OURS = "wherry"
    THEIRS = "runtime"
    CHOICE = "choice"
    """An If, of which one branch is run: a graph with parts of its own."""
    EITHER = "either"
    """A node that both run with equal results: it joins its neighbours, if possible those of the runtime."""


@dataclass(frozen=True)
class Part:
    """Nodes of one side that run together.

    `inputs` are the tensors that they read and other parts, or the caller, make; `constants` those of the graph that
    they read; `outputs` those that others need; `last` those that no part after this one reads, nor the caller.
    """

    side: Side
    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    constants: tuple[str, ...]
    outputs: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True)
class Cut:
    """The parts of a graph; `folded` is the one that depends on constants alone and runs once, if there is one."""

    folded: Part | None
    parts: tuple[Part, ...]


def cut(graph: Graph, side_of: Callable[[Node], Side] | None = None) -> Cut:
    """Cut a graph into parts; nodes on which no output depends are in none.

    `side_of` tells who runs a node; without it, the nodes that wherry does not have are the runtime's.
    """
    side_of = side_of or side_of_node
    nodes = graph.needed
    sides = {place: side_of(node) for place, node in enumerate(nodes)}
    folded = _constant(nodes, sides, graph.constants)
    rest = [place for place in sides if place not in folded]
    made = {name for place in folded for name in nodes[place].outputs}
    fixed = _from_constants(nodes, sides, made.union(graph.constants), graph.outputs)
    ordered = _Ordered(nodes, sides, rest, fixed)
    groups = min((ordered.groups(first) for first in (Side.OURS, Side.THEIRS)), key=len)
    parts: list[Part] = []
    needed = set(graph.outputs)
    for side, group in reversed(groups):
        part = _part(side, [nodes[place] for place in group], graph, needed)
        parts.append(part)
        needed.update(part.inputs)
    first = _part(Side.OURS, [nodes[place] for place in folded], graph, needed) if folded else None
    kept = made.union(graph.outputs)
    return Cut(first, tuple(_with_last(parts[::-1], kept)))


def side_of_node(node: Node) -> Side:
    """Return who runs a node where no node is a choice."""
    return Side.THEIRS if isinstance(node.operator, Opaque) else Side.OURS


def movement_inside(node: Node) -> int:
    """Return how many nodes that move data the graphs hold that an opaque node holds.

    >>> movement_inside(Node(Opaque("Relu", ()), (), (), "a Relu"))
    0
    """
    if not isinstance(node.operator, Opaque):
        return 0
    inside = [one for _, graph in node.operator.graphs for one in graph.nodes]
    return sum(movement_inside(one) if isinstance(one.operator, Opaque) else 1 for one in inside)


def _constant(nodes: Sequence[Node], sides: Mapping[int, Side], constants: Collection[str]) -> list[int]:
    """Return the places of wherry's nodes that depend on constants alone."""
    known, found = set(constants), []
    for place, node in enumerate(nodes):
        if sides[place] in (Side.OURS, Side.EITHER) and known.issuperset(node.reads):
            known.update(node.outputs)
            found.append(place)
    return found


def _from_constants(
    nodes: Sequence[Node], sides: Mapping[int, Side], constants: Collection[str], results: Collection[str]
) -> set[int]:
    """Return the places of the runtime's nodes that depend on constants alone, and make no result of the graph."""
    known, own, found = set(constants), set(results), set()
    for place, node in enumerate(nodes):
        if sides[place] is Side.THEIRS and known.issuperset(node.reads):
            known.update(node.outputs)
            if own.isdisjoint(node.outputs):
                found.add(place)
    return found


Groups = list[tuple[Side, list[int]]]


class _Ordered:
    """Nodes by their places, with the side of each, and which read what others make; `fixed` depend on constants."""

    def __init__(
        self, nodes: Sequence[Node], sides: Mapping[int, Side], places: list[int], fixed: Collection[int]
    ) -> None:
        self.sides = sides
        self.fixed = fixed
        maker = {name: place for place in places for name in nodes[place].outputs}
        self.sources = {place: {maker[name] for name in nodes[place].reads if name in maker} for place in places}
        self.readers: dict[int, list[int]] = {place: [] for place in places}
        for place, before in self.sources.items():
            for source in before:
                self.readers[source].append(place)

    def groups(self, first: Side) -> Groups:
        """Return the places in groups of one side each: all that is ready of one, then of the other.

        To take all that is ready makes the fewest groups for a given first side; an If runs when nothing else is ready.
        """
        waiting = {place: len(before) for place, before in self.sources.items()}
        ready: dict[Side, list[int]] = {side: [] for side in Side}
        for place, count in waiting.items():
            if not count:
                heappush(ready[self.sides[place]], place)
        second = Side.THEIRS if first is Side.OURS else Side.OURS
        groups: Groups = []
        while any(ready.values()):
            order = (first, second) if not groups or groups[-1][0] is not first else (second, first)
            side = next((one for one in order if ready[one]), first if ready[Side.EITHER] else Side.CHOICE)
            takes = (side,) if side is Side.CHOICE else (side, Side.EITHER)
            group: list[int] = []
            while taken := next((one for one in takes if ready[one]), None):
                group.append(heappop(ready[taken]))
                for reader in self.readers[group[-1]]:
                    waiting[reader] -= 1
                    if not waiting[reader]:
                        heappush(ready[self.sides[reader]], reader)
            groups.append((side, group))
        self._hand_on(groups)
        places = self._beside_readers(groups)
        ordered: Groups = [(side, []) for side, _ in groups]
        for place in sorted(places):
            ordered[places[place]][1].append(place)
        return [(side, group) for side, group in ordered if group]

    def _hand_on(self, groups: Groups) -> None:
        """Move what either side runs from wherry's groups to the runtime's next one, where that can take it.

        The runtime computes it together with what comes after; and if nothing else is in a group, there is one less.
        """
        for (side, group), (next_side, following) in pairwise(groups):
            if side is Side.OURS and next_side is Side.THEIRS:
                inside = set(group)
                for place in sorted(group, reverse=True):
                    if self.sides[place] is Side.EITHER and inside.isdisjoint(self.readers[place]):
                        inside.remove(place)
                        following.append(place)
                group[:] = [place for place in group if place in inside]

    def _beside_readers(self, groups: Groups) -> dict[int, int]:
        """Return the number of each place's group; what the runtime makes of constants is in that of its readers.

        So the runtime knows weights, which it may fold, or keep in the fewer bits that the file has them in.
        """
        found = {place: number for number, (_, group) in enumerate(groups) for place in group}
        for place in sorted(self.fixed, reverse=True):
            readers = {found[reader] for reader in self.readers[place]}
            if len(readers) == 1 and groups[min(readers)][0] is Side.THEIRS:
                found[place] = min(readers)
        return found


def _part(side: Side, nodes: list[Node], graph: Graph, needed: Collection[str]) -> Part:
    made = {name: None for node in nodes for name in node.outputs}
    read = {name: None for node in nodes for name in node.reads if name not in made}
    return Part(
        side,
        tuple(nodes),
        tuple(name for name in read if name not in graph.constants),
        tuple(name for name in read if name in graph.constants),
        tuple(name for name in made if name in needed),
        (),
    )


def _with_last(parts: Iterable[Part], kept: Collection[str]) -> list[Part]:
    """Return the parts, each with what nothing after it reads, but for the tensors that are kept."""
    later, found = set(kept), []
    for part in reversed(list(parts)):
        last = tuple(name for name in (*part.inputs, *part.outputs) if name not in later)
        later.update(part.inputs)
        found.append(Part(part.side, part.nodes, part.inputs, part.constants, part.outputs, last))
    return found[::-1]
