"""A rule that is said not to matter changes no result, whatever its value; and each rule has words for every value."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conversion.sites import Use, data, use
from tests.conversion.strategies import USES, uses
from tests.support.compare import assert_same_bits
from wherry import dtypes
from wherry.errors import IndexOutOfRangeError, InvalidValueError
from wherry.graph import Graph, Node
from wherry.models.model import GraphModel
from wherry.moves import Reduction
from wherry.ops import (
    Alignment,
    Cast,
    Expand,
    GatherElements,
    GatherND,
    OneHot,
    Pad,
    Reshape,
    ScatterElements,
    ScatterND,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Unsqueeze,
    pad_of_pairs,
)
from wherry.rewrite.known import changed
from wherry.rewrite.rules import RULES, rules_of
from wherry.rewrite.tensors import Tensors

Draw = st.DrawFn

CAST_TYPES = ("bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "float16", "float32", "float64", "bfloat16")

SETTLED: Counter[tuple[object, str]] = Counter()


def cast(draw: Draw) -> Use:
    of, to = (dtypes.find(draw(st.sampled_from(CAST_TYPES))) for _ in range(2))
    values = np.array([-129, -1, 0, 1, 2, 127, 128, 255, 256, 70000, 2.0**40, -(2.0**33), 0.5, -1.5])
    extremes = [np.inf, -np.inf, np.nan, 1e300] if of.kind == "float" else []
    with np.errstate(all="ignore"):
        array = np.concatenate([values, extremes]).astype(np.float64).astype(of.numpy)
    return use(Cast(to), array)


def scatter(draw: Draw) -> Use:
    reduction = draw(st.sampled_from(Reduction))
    dtype = draw(st.sampled_from(["int32", "float32"]))
    given_indices = np.array(draw(st.permutations([0, 1, 2, 3]))[:3])
    if draw(st.booleans()):
        given_indices = np.array([0, 0, 1])
    arrays = (data(4, dtype=dtype), given_indices, -data(3, dtype=dtype))
    if draw(st.booleans()):
        return use(ScatterElements(reduction=reduction), *arrays, constants=[1] * draw(st.integers(0, 1)))
    operator = ScatterND(reduction=reduction, one_of_any_rank=draw(st.booleans()))
    return use(operator, arrays[0], given_indices[:, None], arrays[2], constants=[1])


def plain(draw: Draw) -> Use:
    """Operators where most rules cannot matter."""
    return draw(st.sampled_from([
        use(Split(0, sections=2, uneven="smaller_last"), data(4)),
        use(Reshape((3, 2)), data(2, 3)),
        use(Reshape((3, -1)), data(2, 3)),
        use(Squeeze((0,)), data(1, 3)),
        use(Unsqueeze((0, 2)), data(2)),
        use(Transpose((1, 0)), data(2, 3)),
        use(Tile((2, 1)), data(2, 3)),
        use(Pad((1,), (0,), "reflect"), data(3)),
        use(Pad((1,), (0,), "edge"), data(3)),
        use(GatherElements(1), data(2, 3), np.array([[0, 1], [1, 2]]), constants=[1]),
        use(GatherND(), data(2, 3), np.array([[0, 1], [1, 2]]), constants=[1]),
        use(GatherND(), data(2, 3), np.array([[0, 1], [1, 2]], np.uint8)),
        use(Expand((2, 3), Alignment.ONE_WAY), np.float32(2)),
        use(OneHot(3), np.array([0, 2], np.uint8), np.float32(0), np.float32(1)),
    ]))  # fmt: skip


def run(use: Use, operator: object) -> dict[str, np.ndarray] | None:
    graph = use.graph()
    node = Node(operator, graph.nodes[0].inputs, graph.nodes[0].outputs, "changed")
    model = GraphModel(Graph(graph.inputs, graph.outputs, (node,), graph.constants), "onnx")
    try:
        return model.run(use.given)
    except IndexOutOfRangeError:
        return None


@settings(max_examples=600)
@given(draw=st.data())
def test_a_settled_rule_changes_nothing(draw: st.DataObject) -> None:
    strategy = draw.draw(st.sampled_from([*USES.values(), *[cast, scatter, plain] * 8]))
    use = draw.draw(uses(strategy))
    try:
        graph = use.graph()
        (node,) = graph.nodes  # its fields are known where constants hold them
        expected = run(use, node.operator)
    except InvalidValueError:
        return
    known = Tensors(graph).known(node)
    for rule in rules_of(known):
        if not rule.settled(known):
            continue
        SETTLED[known.maker, rule.field] += 1
        for value in rule.words:
            try:
                other = changed(node.operator, **{rule.field: value})
            except InvalidValueError:
                continue  # a window takes a few values only
            found = run(use, other)
            assert (found is None) == (expected is None)
            for name in found or ():
                assert_same_bits(found[name], expected[name])


def test_most_rules_were_settled_at_times() -> None:
    if not SETTLED:
        pytest.skip("counts what the tests above did, which were not selected")
    every = {(kind, rule.field) for rule in RULES for kind in rule.operators if kind is not pad_of_pairs}
    assert len(every - set(SETTLED)) <= len(every) // 4, every - set(SETTLED)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.field} of {rule.operators[0].__name__}")
def test_a_rule_has_words_for_all_values(rule: object) -> None:
    assert rule.when
    assert all(rule.words.values())
    kinds = {type(value) for value in rule.words if isinstance(value, StrEnum)}
    for kind in kinds - {Alignment}:
        assert set(rule.words) == set(kind)


def test_bits_of_bfloat16_are_compared() -> None:
    with pytest.raises(AssertionError):
        assert_same_bits(np.array([0.0], ml_dtypes.bfloat16), np.array([-0.0], ml_dtypes.bfloat16))
