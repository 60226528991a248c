"""Random models on wherry and on ONNX Runtime: the same bits, or both refuse for the same reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import onnx
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from onnx import helper

pytest.importorskip("onnxruntime")

from tests.differential.onnx_cases import CASES
from tests.differential.onnx_data import FED, Draw, axis_of, laid_out, number, pick, places, sizes, values
from tests.differential.onnxruntime_runtime import (
    IR_VERSION,
    Refused,
    by_onnxruntime,
    by_reference,
    by_wherry,
    feeds,
    model_of,
    same,
)
from wherry import dtypes
from wherry.dialects.onnx.table import NAMES
from wherry.dialects.onnx.tensor_data import type_number
from wherry.runtimes.case import Case
from wherry.runtimes.differences import expected

COMPARED = "compared"

LEAST_COMPARED = 0.6
"""The share of each operator's cases in which elements must be compared."""

LEAST_EXAMPLES = 80
"""So many that the share is above the least one with any seed: of very many it is above 0.8."""


def outcome(case: Case, draw: Draw) -> str:
    """Compare one case; what an entry excludes is compared with the formula instead. Return what became of it."""
    model, inputs = model_of(case), feeds(case)
    ours = by_wherry(model, {name: laid_out(draw, array) for name, array in inputs.items()})
    difference = expected(case, "onnxruntime")
    theirs = by_onnxruntime(model, inputs) if difference is None else by_reference(model, inputs)
    assert same(ours, theirs), f"wherry: {ours}\n{'formula' if difference else 'onnxruntime'}: {theirs}"
    if difference is not None:
        return difference.name
    if isinstance(ours, Refused):
        return "both refuse"
    return COMPARED if any(array.size for array in ours) else "nothing to compare"


@pytest.mark.parametrize("operator", CASES)
def test_operator(operator: str, record_property: Callable[[str, object], None]) -> None:
    outcomes: Counter[str] = Counter()

    @settings(max_examples=max(LEAST_EXAMPLES, settings.default.max_examples * 2 // 3))
    @given(CASES[operator], st.data())
    def compare(case: Case, data: st.DataObject) -> None:
        found = outcome(case, data.draw)
        event(found)
        outcomes[found] += 1

    compare()
    record_property("outcomes", dict(outcomes))
    assert outcomes[COMPARED] >= LEAST_COMPARED * outcomes.total(), outcomes


def test_every_operator_of_the_table_is_compared() -> None:
    assert CASES.keys() | {"Constant"} == NAMES


@given(st.data())
def test_chains(data: st.DataObject) -> None:
    """Two to six nodes, each reading what earlier ones made; several results."""
    draw = data.draw
    x = values(draw, sizes(draw, 1), pick(draw, [name for name in FED if name != "object"]))
    known: dict[str, tuple[int, ...]] = {"x": x.shape}
    nodes: list[onnx.NodeProto] = []
    inputs = {"x": x}
    for count in range(number(draw, 2, 6)):
        source = pick(draw, [name for name, shape in known.items() if shape])
        shape = known[source]
        axis = axis_of(draw, len(shape))
        place, size = axis % len(shape), shape[axis]
        kind = pick(draw, ("Gather", "Split", "Concat", "Identity"))
        if kind == "Gather":
            picked = sizes(draw, 0, 1) if size else (0,)
            inputs[f"i{count}"] = places(draw, (size,), picked)
            nodes.append(helper.make_node("Gather", [source, f"i{count}"], [f"t{count}"], axis=axis))
            known[f"t{count}"] = (*shape[:place], *picked, *shape[place + 1 :])
        elif kind == "Split":
            cut = number(draw, 0, size)
            inputs[f"s{count}"] = np.array([cut, size - cut])
            names = [f"t{count}", f"u{count}"]
            nodes.append(helper.make_node("Split", [source, f"s{count}"], names, axis=axis))
            for name, part in zip(names, (cut, size - cut), strict=True):
                known[name] = (*shape[:place], part, *shape[place + 1 :])
        elif kind == "Concat":
            same_ranked = [n for n, s in known.items() if len(s) == len(shape) and s[:place] == shape[:place]
                           and s[place + 1 :] == shape[place + 1 :]]  # fmt: skip
            names = [source, *(pick(draw, same_ranked) for _ in range(number(draw, 0, 2)))]
            nodes.append(helper.make_node("Concat", names, [f"t{count}"], axis=axis))
            known[f"t{count}"] = (*shape[:place], sum(known[n][place] for n in names), *shape[place + 1 :])
        else:
            nodes.append(helper.make_node("Identity", [source], [f"t{count}"]))
            known[f"t{count}"] = shape
    made = [name for node in nodes for name in node.output]
    wanted = draw(st.lists(st.sampled_from(made), min_size=1, unique=True))
    graph = onnx.GraphProto(name="chain", node=nodes)
    graph.input.extend(
        helper.make_tensor_value_info(name, type_number(dtypes.of(array.dtype)), array.shape)
        for name, array in inputs.items()
    )
    kind = type_number(dtypes.of(x.dtype))
    graph.output.extend(helper.make_tensor_value_info(name, kind, None) for name in wanted)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=IR_VERSION)
    theirs, ours = by_onnxruntime(model, inputs), by_wherry(model, inputs)
    assert same(ours, theirs), f"wherry: {ours}\nonnxruntime: {theirs}\n{graph}"
    assert not isinstance(ours, Refused), ours


def test_the_comparison_can_fail() -> None:
    one, two = (np.array([0.0]),), (np.array([-0.0]),)
    assert same(one, one)
    assert not same(one, two)
    assert not same(one, Refused("no"))
    assert same(Refused("no", "index"), Refused("never", "index"))
    assert not same(Refused("no", "index"), Refused("never", "type"))
    assert not same(Refused("crash"), Refused("crash"))
    assert not same(one, (*one, *one))
    assert not same(one, (one[0].astype(np.float32),))
