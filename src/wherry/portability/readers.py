"""Readers: whether all readers of a tensor use its numbers only, so that the sign of zero has no effect."""

from __future__ import annotations

from functools import cached_property

from wherry import ops
from wherry.graph import Graph, Node
from wherry.rewrite.known import maker_of

_DEEPEST = 8
"""How many operators are followed on."""

_HANDS_ON = (ops.Where, ops.Clip, ops.Extreme, ops.Identity, ops.Reshape)
"""Operators whose results have elements of their inputs."""


class Readers:
    """The nodes of a graph by the tensors that they read."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def _of(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.graph.nodes:
            for name in dict.fromkeys(node.reads):
                found.setdefault(name, []).append(node)
        return found

    def ask_numbers(self, node: Node, depth: int = 0) -> bool:
        """Whether a node's outputs are only compared, or cast to integers or bool, here or further on."""
        if depth > _DEEPEST or set(node.outputs) & set(self.graph.outputs):
            return False
        readers = [one for name in node.outputs for one in self._of.get(name, ())]
        return bool(readers) and all(
            _asks_numbers(one) or (maker_of(one.operator) in _HANDS_ON and self.ask_numbers(one, depth + 1))
            for one in readers
        )


def _asks_numbers(node: Node) -> bool:
    if isinstance(node.operator, ops.Cast):
        return node.operator.to.kind in ("int", "uint", "bool")
    return isinstance(node.operator, ops.Compare)
