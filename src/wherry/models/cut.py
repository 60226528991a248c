"""cut: a graph with opaque nodes as parts in an order that runs, as few as can be: wherry's and those of a runtime."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush

from wherry.graph import Graph, Node, Opaque


class Side(StrEnum):
    """Who runs a node."""

    OURS = "wherry"
    THEIRS = "runtime"
    CHOICE = "choice"
    """An If, of which one branch is run: a graph with parts of its own."""


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
    nodes = _needed(graph)
    sides = {place: side_of(node) for place, node in enumerate(nodes)}
    folded = _constant(nodes, sides, graph.constants)
    rest = [place for place in sides if place not in folded]
    made = {name for place in folded for name in nodes[place].outputs}
    groups = min((_alternate(nodes, sides, rest, first) for first in (Side.OURS, Side.THEIRS)), key=len)
    parts: list[Part] = []
    needed = set(graph.outputs)
    for group in reversed(groups):
        part = _part(sides[group[0]], [nodes[place] for place in group], graph, needed)
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


def _needed(graph: Graph) -> list[Node]:
    """Return the nodes on which an output depends."""
    read, kept = set(graph.outputs), []
    for node in reversed(graph.nodes):
        if read.intersection(node.outputs):
            read.update(node.reads)
            kept.append(node)
    return kept[::-1]


def _constant(nodes: list[Node], sides: Mapping[int, Side], constants: Collection[str]) -> list[int]:
    """Return the places of wherry's nodes that depend on constants alone."""
    known, found = set(constants), []
    for place, node in enumerate(nodes):
        if sides[place] is Side.OURS and known.issuperset(node.reads):
            known.update(node.outputs)
            found.append(place)
    return found


def _alternate(nodes: list[Node], sides: Mapping[int, Side], places: list[int], first: Side) -> list[list[int]]:
    """Return the places in groups of one side each: all that is ready of one, then of the other.

    To take all that is ready makes the fewest groups for a given first side; an If runs when nothing else is ready.
    """
    maker = {name: place for place in places for name in nodes[place].outputs}
    sources = {place: {maker[name] for name in nodes[place].reads if name in maker} for place in places}
    readers: dict[int, list[int]] = {place: [] for place in places}
    for place, before in sources.items():
        for source in before:
            readers[source].append(place)
    waiting = {place: len(before) for place, before in sources.items()}
    ready: dict[Side, list[int]] = {side: [] for side in Side}
    for place in places:
        if not waiting[place]:
            heappush(ready[sides[place]], place)
    second = Side.THEIRS if first is Side.OURS else Side.OURS
    groups: list[list[int]] = []
    while any(ready.values()):
        order = (first, second) if not groups or sides[groups[-1][0]] is not first else (second, first)
        side = next((one for one in (*order, Side.CHOICE) if ready[one]), Side.CHOICE)
        group: list[int] = []
        while ready[side]:
            group.append(heappop(ready[side]))
            for reader in readers[group[-1]]:
                waiting[reader] -= 1
                if not waiting[reader]:
                    heappush(ready[sides[reader]], reader)
        groups.append(group)
    return groups


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
