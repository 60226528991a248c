"""Chains: the largest parts of a graph that only move data, each as a graph of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wherry.graph import Graph, Node, Opaque
from wherry.models.listing import known_types
from wherry.tensors import TensorType


def chains(graph: Graph) -> list[Graph]:
    """Return the parts of a graph between its opaque nodes, then those of the graphs that these hold.

    Two nodes are of one part if one reads what the other makes, and no opaque node lies on a way between them: a part
    then runs as soon as its inputs are there.

    >>> from wherry.ops import Reshape
    >>> from wherry.tensors import TensorType
    >>> flat, opaque = Reshape((-1,)), Opaque("Relu", (TensorType("int8", (6,)),))
    >>> nodes = (Node(flat, ("x",), ("y",), ""), Node(opaque, ("y",), ("z",), ""), Node(flat, ("z",), ("w",), ""))
    >>> [part.outputs for part in chains(Graph({"x": TensorType("int8", (2, 3))}, ("w",), nodes))]
    [('y',), ('w',)]
    """
    types = known_types(graph)
    readers: dict[str, set[int]] = {}
    for number, node in enumerate(graph.nodes):
        for name in node.reads:
            readers.setdefault(name, set()).add(number)
    groups = _connected(graph.nodes, _depths(graph.nodes))
    parts = [_part(graph, numbers, readers, types, place) for place, numbers in enumerate(groups)]
    for node in graph.nodes:
        if isinstance(node.operator, Opaque):
            parts += [part for _, inner in node.operator.graphs for part in chains(inner)]
    return parts


def _depths(nodes: Sequence[Node]) -> list[int]:
    """Return for each node how many times the ways to it change from an opaque node to one that moves data.

    No number along a way is less than one before it, and beyond an opaque node it is larger. A node that could stand at
    several stands with its first reader: the reshaped constant beside what reads it.
    """
    makers = {name: number for number, node in enumerate(nodes) for name in node.outputs}
    sources = [{makers[name] for name in node.reads if name in makers} for node in nodes]
    is_opaque = [isinstance(node.operator, Opaque) for node in nodes]
    depths = [0] * len(nodes)
    for number, read in enumerate(sources):
        depths[number] = max(
            (depths[source] + (is_opaque[source] and not is_opaque[number]) for source in read), default=0
        )
    latest: dict[int, int] = {}
    for number in reversed(range(len(nodes))):
        if not is_opaque[number]:
            depths[number] = latest.get(number, depths[number])
        for source in sources[number]:
            latest[source] = min(latest.get(source, depths[number]), depths[number])
    return depths


def _connected(nodes: Sequence[Node], depths: Sequence[int]) -> list[list[int]]:
    """Return the numbers of the nodes of each part: neighbours of one depth."""
    leaders = list(range(len(nodes)))

    def leader(number: int) -> int:
        while leaders[number] != number:
            leaders[number] = number = leaders[leaders[number]]
        return number

    makers: dict[str, int] = {}
    moving = [number for number, node in enumerate(nodes) if not isinstance(node.operator, Opaque)]
    for number in moving:
        for name in nodes[number].inputs:
            source = makers.get(name)
            if source is not None and depths[source] == depths[number]:
                leaders[leader(number)] = leader(source)
        makers.update(dict.fromkeys(nodes[number].outputs, number))
    parts: dict[int, list[int]] = {}
    for number in moving:
        parts.setdefault(leader(number), []).append(number)
    return list(parts.values())


def _part(
    graph: Graph,
    numbers: Iterable[int],
    readers: Mapping[str, set[int]],
    types: Mapping[str, TensorType],
    place: int,
) -> Graph:
    """Return the graph of some nodes: it reads what they do not make, and returns what others read or nothing does."""
    inside = set(numbers)
    nodes = tuple(graph.nodes[number] for number in sorted(inside))
    made = dict.fromkeys(name for node in nodes for name in node.outputs)
    read = dict.fromkeys(name for node in nodes for name in node.inputs)
    constants = {name: graph.constants[name] for name in read if name in graph.constants}
    results = set(graph.outputs)
    kept = [name for name in made if name in results or not readers.get(name, set()) <= inside]
    return Graph(
        {name: types[name] for name in read if name not in constants and name not in made},
        tuple(kept or (name for name in made if name not in readers)),
        nodes,
        constants,
        f"{graph.name} part {place}".strip(),
        {name: graph.constant_types[name] for name in constants if name in graph.constant_types},
        {name: types[name] for name in made},
    )
