"""wherry as a contender: operators as a plan, written in place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wherry import load
from wherry.engine.planner import make_plan
from wherry.graph import Graph, GraphBuilder
from wherry.layout import Layout
from wherry.tensors import TensorType

from .case import Array, Contender, Maker

Step = tuple[Any, list[str], list[str]]
"""An operator, the names of its inputs and of its outputs."""


def graph_of(steps: list[Step], inputs: Mapping[str, Array], outputs: int) -> Graph:
    """The graph of some operators; its outputs are called `out`, or out0, out1 ... if there are several."""
    builder = GraphBuilder("row")
    for name, array in inputs.items():
        builder.add_input(name, TensorType.of(array))
    for operator, read, written in steps:
        builder.add(operator, read, written, type(operator).__name__)
    return builder.build(["out"] if outputs == 1 else [f"out{number}" for number in range(outputs)])


def planned(what: list[Step] | Path, inputs: Mapping[str, Array]) -> Maker:
    """Operators, or a model file, planned once; each run writes to the outputs."""

    def make(outputs: list[Array], threads: int) -> Contender:
        graph = load(what).graph if isinstance(what, Path) else graph_of(what, inputs, len(outputs))
        results = dict(zip(graph.outputs, outputs, strict=True))
        layouts = {name: Layout.of(array) for name, array in results.items()}
        given = dict(inputs)
        plan = make_plan(graph, given, outputs=layouts)
        return Contender(lambda: plan.run(given, results), lambda _: outputs)

    return make
