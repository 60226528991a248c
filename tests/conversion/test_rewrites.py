"""Every row of the table of rewrites gives the same bits as the operator that it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import wraps
from types import MappingProxyType

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.conversion.sites import Use
from tests.conversion.strategies import USES, uses
from tests.support.compare import assert_same_bits
from wherry.errors import IndexOutOfRangeError, InvalidValueError
from wherry.graph import Graph, Node
from wherry.models.model import GraphModel
from wherry.ops import AsStrided, Reverse, Unsqueeze
from wherry.rewrite import at_run
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.known import KnownNode
from wherry.rewrite.search import Search
from wherry.rewrite.table import REWRITES
from wherry.tensors import TensorType

EXAMPLES = 28

AT_RUN = {row.build.__name__ for row in at_run.REWRITES}
"""Rows about fields that are known only at run: test_deferred.py has them."""

ROWS = [row for row in REWRITES if row.build.__name__ not in AT_RUN]


class AllBut:
    """Says everything but one operator on inputs of certain types."""

    preferred = MappingProxyType({})

    def __init__(self, graph: Graph, has_strides: bool = True) -> None:
        (node,) = graph.nodes
        self.has_strides = has_strides
        self.unsaid, self.types = node.operator, tuple(graph.types[name] for name in node.inputs)

    def says(self, node: Node, known: KnownNode) -> bool:
        if isinstance(node.operator, AsStrided) and not self.has_strides:
            return False
        return node.operator != self.unsaid or known.types != self.types

    def lacks(self, tensor_type: TensorType) -> bool:
        return False


def rewritten(row: Rewrite, use: Use, has_strides: bool = True) -> Graph | None:
    """Return the graph that a row alone makes of a use, None where it does not apply."""
    graph = use.graph()
    (node,) = graph.nodes
    search = Search(graph, AllBut(graph, has_strides), [])
    tensors = search.tensors
    tensors.root = node.outputs[0]
    builder = NodeBuilder(tensors, search.exact, node, tensors.known(node), ())
    try:
        results = row.build(builder)
    except StuckError:
        return None
    if results is None:
        return None
    nodes = builder.finished((results,) if isinstance(results, str) else results)
    return Graph(graph.inputs, graph.outputs, tuple(nodes), tensors.constants)


APPLIED: Counter[str] = Counter()


def test_each_row_has_a_strategy_and_a_text() -> None:
    assert [row.build.__name__ for row in REWRITES] == list(dict.fromkeys(row.build.__name__ for row in REWRITES))
    assert {row.build.__name__ for row in REWRITES} == set(USES) | AT_RUN
    for row in REWRITES:
        assert row.when
        assert row.into
        assert row.why


def compare(row: Rewrite, draw: st.DataObject) -> bool:
    """Compare an operator with what a row makes of it, and return whether the row applies."""
    use = draw.draw(uses(USES[row.build.__name__]))
    try:
        graph = use.graph()
    except InvalidValueError:
        return False  # a size that a mask or a step does not allow
    made = rewritten(row, use, draw.draw(st.booleans()))
    if made is None:
        return False
    try:
        expected = GraphModel(graph, "onnx").run(use.given)
    except IndexOutOfRangeError:
        with pytest.raises(IndexOutOfRangeError):
            GraphModel(made, "onnx").run(use.given)
        return True
    actual = GraphModel(made, "onnx").run(use.given)
    for name in expected:
        assert_same_bits(actual[name], expected[name])
    return True


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.build.__name__)
@settings(max_examples=EXAMPLES)
@given(draw=st.data())
def test_a_row_gives_the_same_bits(row: Rewrite, draw: st.DataObject) -> None:
    APPLIED[row.build.__name__] += compare(row, draw)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.build.__name__)
def test_a_row_was_applied_often(row: Rewrite) -> None:
    if not APPLIED:
        pytest.skip("counts what the tests above did, which were not selected")
    assert APPLIED[row.build.__name__] >= 2 or row.build.__name__ == "_resolved", APPLIED


ALIKE_BACKWARDS = {"_all_axes", "_no_elements", "_expanded", "_line_of_size", "_coordinates_of_one"}
"""Rows whose results have few elements, or equal ones."""


def wrong(row: Rewrite) -> Rewrite:
    """Return a row whose first result has its elements in the opposite order, or an axis too many."""

    @wraps(row.build)
    def build(builder: NodeBuilder) -> Sequence[str] | None:
        results = row.build(builder)
        if results is None:
            return None
        first, *rest = (results,) if isinstance(results, str) else results
        axes = tuple(range(builder.type(first).ndim or 0))
        operator = Unsqueeze((0,)) if row.build.__name__ in ALIKE_BACKWARDS else Reverse(axes)
        return (builder.add(operator, first), *rest)

    return replace(row, build=build)


@pytest.mark.parametrize("row", ROWS[1::4], ids=lambda row: row.build.__name__)
def test_a_row_that_is_wrong_is_seen(row: Rewrite) -> None:
    @settings(max_examples=2 * EXAMPLES, phases=[Phase.generate], report_multiple_bugs=False)  # ends with the first
    @given(draw=st.data())
    def of_wrong_rows(draw: st.DataObject) -> None:
        compare(wrong(row), draw)

    with pytest.raises(AssertionError, match=r"^(bits differ|sizes|\[\()"):
        of_wrong_rows()
