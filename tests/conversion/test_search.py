"""The search asks the target, and looks up rules, once for nodes that are alike, however many there are."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from wherry.graph import Graph, GraphBuilder, Node
from wherry.ops import Operator, Pad, Roll
from wherry.rewrite import search as search_module
from wherry.rewrite.known import KnownNode
from wherry.rewrite.rules import rules_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import REWRITES
from wherry.tensors import TensorType


class NoNegativePads:
    """Says neither negative pads nor Roll, and counts how often it is asked."""

    preferred = MappingProxyType({})

    def __init__(self) -> None:
        self.asked = 0

    def says(self, node: Node, known: KnownNode) -> bool:
        self.asked += 1
        pads = (*node.operator.begins, *node.operator.ends) if isinstance(node.operator, Pad) else ()
        return not isinstance(node.operator, Roll) and min(pads, default=0) >= 0

    def lacks(self, tensor_type: TensorType) -> bool:
        return False


def graph(operator: Operator, count: int) -> Graph:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (4, 5)))
    for number in range(count):
        builder.add(operator, ["x"], [f"y{number}"], f"node {number}")
    return builder.build([f"y{number}" for number in range(count)])


@pytest.mark.parametrize("operator", [Pad((1, 0), (0, -1)), Pad((-1, 0), (-1, -1)), Roll((1,), (0,))])
def test_nodes_that_are_alike_are_asked_about_once(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[KnownNode] = []
    monkeypatch.setattr(search_module, "rules_of", lambda known: looked_up.append(known) or rules_of(known))
    asked = []
    for count in (1, 30):
        looked_up.clear()
        given, target = graph(operator, count), NoNegativePads()
        search = Search(given, target, REWRITES)
        for node in given.nodes:
            found = search.nodes_for(node)
            assert found is not None
            assert found[-1].outputs == node.outputs
        asked.append((target.asked, len(looked_up)))
    assert asked[0] == asked[1]
    assert min(asked[0]) > 0
