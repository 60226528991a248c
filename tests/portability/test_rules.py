"""Each rule that check can name: a small node shows both of its values, and the runtimes do what is told of them."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.differential.onnxruntime_runtime import Refused, by_onnxruntime, feeds, model_of
from tests.differential.openvino_runtime import CrashedError, OpenVINORuntime, RefusedError
from wherry import ops
from wherry.conversion.cases import Written, cases_of
from wherry.conversion.targets import OnnxTarget, OpenVINOTarget, Target, target_of
from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, GraphBuilder
from wherry.portability.examples import EXAMPLES, Example
from wherry.portability.reading import Parting, Reading, read
from wherry.rewrite.rules import RULES
from wherry.rewrite.tensors import Tensors
from wherry.runtimes.case import Case
from wherry.runtimes.case_json import tensor_to_json
from wherry.runtimes.differences import expected
from wherry.tensors import TensorType

TARGETS = {"onnxruntime": OnnxTarget(21), "openvino": OpenVINOTarget(), "directml": target_of("directml", {}),
           "webnn": target_of("webnn", {})}  # fmt: skip

NEVER_TOLD = frozenset({
    "Clip crossed", "Col2Im unbatched", "Divide rounding", "Extreme nan", "Remainder rounding",
    "Squeeze empty", "StridedSlice masked_shrink",
})  # fmt: skip
"""The rules, by operator and field, in which no target parts from an example, whether sizes are known or not: a node
is refused before, or said by others; in arithmetic there are known differences alone."""

OPEN_FIELDS = {"begins", "ends", "pads", "repeats", "shape", "axes", "perm", "condition"}
"""The fields of operators that may be tensors."""


def graph_of(example: Example, field: str, value: object) -> Graph:
    operator = example.kind(**example.fields, **{field: value})
    types = [TensorType.of(array) for array in example.inputs]
    builder = GraphBuilder()
    for number, kind in enumerate(types):
        builder.add_input(f"x{number}", kind)
    outputs = [f"y{number}" for number in range(len(operator.infer(types)))]
    builder.add(operator, [f"x{number}" for number in range(len(types))], outputs, "ONNX X-1 'n'")
    return builder.build(outputs)


def readings(kind: Any, field: str, target: Target) -> Iterator[tuple[Graph, Reading, Parting]]:
    """Yield what a target makes of an example under each value of a rule, where it parts in that rule."""
    example = EXAMPLES[kind, field]
    rule = next(one for one in RULES if one.field == field and (kind in one.operators or kind.__name__ == "Pad"))
    for value in rule.words:
        try:
            graph = graph_of(example, field, value)
        except WherryError:
            continue  # this value refuses the sizes
        node = graph.nodes[0]
        reading = read(target, node, Tensors(graph).known(node))
        partings = () if reading is None else reading.partings
        yield from ((graph, reading, one) for one in partings if one.rule.field == field)


def open_graph(kind: Any, field: str, value: object, is_sized: bool) -> Graph:
    """Return the example with what a run alone tells: pads, repeats, shapes, axes, conditions; also sizes of data."""
    example = EXAMPLES[ops.Pad if kind is ops.pad_of_pairs else kind, field]
    fields = {**example.fields, field: value}
    if kind is ops.pad_of_pairs:
        fields["pads"] = (*fields.pop("begins"), *fields.pop("ends"))
    waiting = {name: np.asarray(fields.pop(name)) for name in sorted(OPEN_FIELDS & set(fields))}
    waiting = {name: array if array.dtype == bool else array.astype(np.int64) for name, array in waiting.items()}
    builder, types = GraphBuilder(), [TensorType.of(array) for array in example.inputs]
    for number, one in enumerate(types):
        builder.add_input(f"x{number}", one if is_sized else one.with_sizes([None] * len(one.shape)))
    for name, array in waiting.items():
        builder.add_input(name, TensorType.of(array))
    places = tuple((name, len(types) + number) for number, name in enumerate(waiting))
    operator = Deferred(kind, tuple(fields.items()), places) if waiting else kind(**fields)
    inputs = [f"x{number}" for number in range(len(types))]
    outputs = [f"y{number}" for number in range(fields.get("sections") or 1)]
    builder.add(operator, [*inputs, *waiting], outputs, "ONNX X-1 'n'")
    return builder.build(outputs)


def is_told_open(kind: Any, field: str) -> bool:
    """Whether a target, or an older version of ONNX, parts from an example of which a run alone tells sizes."""
    rule = next(one for one in RULES if one.field == field and kind in one.operators)
    targets = (*TARGETS.values(), OnnxTarget(13))
    for value, target, is_sized in product(rule.words, targets, (False, True)):
        try:
            graph = open_graph(kind, field, value, is_sized)
            reading = read(target, graph.nodes[0], Tensors(graph).known(graph.nodes[0]))
        except (WherryError, KeyError):  # this value refuses the types, or the fields that are left
            continue
        if reading is not None and any(one.rule.field == field for one in reading.partings):
            return True
    return False


def case_of(example: Example, graph: Graph, reading: Reading, target: Target) -> Case | None:
    """Return the example as the runtime is given it; None where it takes several nodes, or where sizes are refused."""
    names = tuple(f"in{number}" for number in range(len(graph.inputs)))
    if len(reading.nodes) != 1 or reading.nodes[0].inputs != names:
        return None
    inputs = dict(zip(graph.inputs, example.inputs, strict=True))
    node = replace(graph.nodes[0], operator=reading.nodes[0].operator)
    try:
        given = replace(graph, inputs={}, constants=inputs, nodes=(node,))
        found = cases_of(target, Written([node], Tensors(given), False, of_a_run=inputs))
    except WherryError:
        return None
    return replace(found[0], threads=1, instruction_set="") if found else None


def said(example: Example, reading: Reading) -> dict[str, Any]:
    """Return what the node as the target has it gives, by its fields."""
    try:
        with warnings.catch_warnings(action="ignore"):
            made = apply(reading.nodes[0].operator, list(example.inputs), "")
    except WherryError:
        return {"refuses": ""}
    return {"gives": [tensor_to_json(one) for one in made]}


def run(name: str, case: Case, openvino: OpenVINORuntime) -> dict[str, Any]:
    if name == "openvino":
        try:
            return {"gives": [tensor_to_json(np.asarray(one)) for one in openvino.run_case(case)]}
        except (RefusedError, CrashedError):
            return {"refuses": ""}
    found = by_onnxruntime(model_of(case), feeds(case))
    return {"refuses": ""} if isinstance(found, Refused) else {"gives": [tensor_to_json(one) for one in found]}


@pytest.mark.parametrize(("kind", "field"), EXAMPLES, ids=lambda one: one if isinstance(one, str) else one.__name__)
def test_a_runtime_does_what_is_told_of_it(kind: Any, field: str, openvino: OpenVINORuntime) -> None:
    """Or a known difference tells of that."""
    example = EXAMPLES[kind, field]
    for name in ("onnxruntime", "openvino"):
        pytest.importorskip(name)
        for graph, reading, _ in readings(kind, field, TARGETS[name]):
            case = case_of(example, graph, reading, TARGETS[name])
            if case is None or expected(case, name) is not None:
                continue
            assert json.dumps(run(name, case, openvino)) == json.dumps(said(example, reading)), case


def test_a_target_parts_in_each_rule_but_for_those_that_sizes_decide() -> None:
    told = {
        f"{kind.__name__} {field}"
        for kind, field in EXAMPLES
        if any(any(True for _ in readings(kind, field, target)) for target in TARGETS.values())
    }
    known = {f"{one.__name__} {rule.field}": (one, rule.field) for rule in RULES for one in rule.operators}
    left = {name for name in known.keys() - told if not is_told_open(*known[name])}
    assert left == NEVER_TOLD


def test_enough_is_compared_with_the_runtimes(openvino: OpenVINORuntime) -> None:
    counts: Counter[str] = Counter()
    for kind, field in EXAMPLES:
        for name in ("onnxruntime", "openvino"):
            for graph, reading, _ in readings(kind, field, TARGETS[name]):
                case = case_of(EXAMPLES[kind, field], graph, reading, TARGETS[name])
                counts["no node alone" if case is None else "known" if expected(case, name) else "compared"] += 1
    assert counts["compared"] >= 50, counts
    assert counts["known"] <= 40, counts
