"""Models of many nodes: what loading, planning, running, listing and converting them takes, at growing numbers.

Each form is one that costs more than linear time where a list is searched, or a table copied, for each node.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from rich.console import Console

import wherry as wh
from wherry.cli import show
from wherry.graph import Graph
from wherry.models.model import Model
from wherry.models.summary import Summary

from .large import check, info

SIZES = (1_000, 10_000, 100_000)

MOST_OF_PEER = 10_000
"""Beyond so many nodes ONNX Runtime is not asked: it may take minutes for a session."""

node = helper.make_node


def model(nodes: list[NodeProto], outputs: list[str], constants: list[TensorProto], inputs: int = 1) -> ModelProto:
    """Return a model whose inputs x0, x1 ... are float32[2, 3]."""
    ends = [helper.make_tensor_value_info(f"x{n}", TensorProto.FLOAT, [2, 3]) for n in range(inputs)]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph(nodes, "many", ends, results, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def constant(name: str, values: object) -> TensorProto:
    return numpy_helper.from_array(np.asarray(values), name)


def chain(count: int) -> ModelProto:
    """Return Transpose after Transpose, no byte moved before the end."""
    nodes = [node("Transpose", [read], [made]) for read, made in pairwise(f"x{n}" for n in range(count + 1))]
    return model(nodes, [f"x{count}"], [])


def moves(count: int) -> ModelProto:
    """Return Gather after Gather, each a move of its own."""
    nodes = [node("Gather", [read, "i"], [made]) for read, made in pairwise(f"x{n}" for n in range(count + 1))]
    return model(nodes, [f"x{count}"], [constant("i", [1, 0])])


def copies(count: int) -> ModelProto:
    """Return Transpose and Reshape in turns: temporaries that can be done without."""
    names = pairwise(f"x{n}" for n in range(count + 1))
    nodes = [node("Reshape", [a, "s"], [b]) if n % 2 else node("Transpose", [a], [b]) for n, (a, b) in enumerate(names)]
    return model(nodes, [f"x{count}"], [constant("s", [2, 3])])


def fan_out(count: int) -> ModelProto:
    """Return nodes of one name that all read the input, each with a result of the model."""
    nodes = [node("Gather", ["x0", "i"], [f"y{n}"], name="same") for n in range(count)]
    return model(nodes, [f"y{n}" for n in range(count)], [constant("i", [1, 0])])


def fan_in(count: int) -> ModelProto:
    """Return gathers that are each read twice by one Concat, whose result is turned and copied."""
    parts = [f"y{n}" for n in range(count)]
    nodes = [node("Gather", ["x0", "i"], [part]) for part in parts]
    nodes += [
        node("Concat", parts * 2, ["z"], axis=0),
        node("Transpose", ["z"], ["t"]),
        node("Reshape", ["t", "s"], ["u"]),
    ]
    return model(nodes, ["u"], [constant("i", [1, 0]), constant("s", [-1])])


def inputs(count: int) -> ModelProto:
    """Return a Concat of as many inputs of the model, and a Split into as many results."""
    nodes = [node("Concat", [f"x{n}" for n in range(count)], ["z"], axis=0),
             node("Split", ["z"], [f"y{n}" for n in range(count)], axis=0, num_outputs=count)]  # fmt: skip
    return model(nodes, [f"y{n}" for n in range(count)], [], count)


def constants(count: int) -> ModelProto:
    """Return a Concat of constants."""
    values = [constant(f"c{n}", np.ones((1, 3), np.float32)) for n in range(count)]
    return model([node("Concat", [value.name for value in values], ["y"], axis=0)], ["y"], values)


FORMS = {form.__name__: form for form in (chain, moves, copies, fan_out, fan_in, inputs, constants)}


def opaque(count: int) -> ModelProto:
    """Return operators that wherry does not have and Transposes in turns."""
    names = pairwise(f"x{n}" for n in range(count + 1))
    nodes = [node("Transpose" if n % 2 else "Relu", [a], [b]) for n, (a, b) in enumerate(names)]
    return model(nodes, [f"x{count}"], [])


def branches(count: int) -> ModelProto:
    """Return Ifs side by side, each with a graph for both branches."""

    def branch(name: str) -> onnx.GraphProto:
        return helper.make_graph([node("Relu", ["x0"], [name])], "branch", [], [onnx.ValueInfoProto(name=name)])

    nodes = [
        node("If", ["c"], [f"y{n}"], then_branch=branch(f"t{n}"), else_branch=branch(f"e{n}")) for n in range(count)
    ]
    return model(nodes, [f"y{n}" for n in range(count)], [constant("c", True)])


def mixed(count: int) -> ModelProto:
    """Return operators that wherry does not have, arithmetic, views and moves in turns, with long names."""
    turns = (("Relu",), ("Transpose",), ("Add", "one"), ("Gather", "i"), ("Mul", "one"), ("Reshape", "s"))
    nodes = []
    for number, (read, made) in enumerate(pairwise(f"x{n}" for n in range(count + 1))):
        operator, *others = turns[number % len(turns)]
        nodes.append(node(operator, [read, *others], [made], name=f"/model/layers.{number}/{operator}"))
    values = {"i": [2, 1, 0], "s": [2, 3], "one": np.float32(1)}
    return model(nodes, [f"x{count}"], [constant(name, value) for name, value in values.items()])


def weights(count: int) -> ModelProto:
    """Return nodes with an initializer each, every second of an operator that wherry does not have."""
    names = pairwise(f"x{n}" for n in range(count + 1))
    nodes = [node("PRelu" if n % 2 else "Add", [a, f"w{n}"], [b], name=f"block.{n}") for n, (a, b) in enumerate(names)]
    return model(nodes, [f"x{count}"], [constant(f"w{n}", np.ones(3, np.float32)) for n in range(count)])


LISTED = {form.__name__: form for form in (opaque, mixed, weights, branches)}
"""Forms of models that wherry lists and does not run."""


@dataclass
class Subject:
    """A model on its way through the stages."""

    path: Path
    loaded: Model | None = None

    @property
    def model(self) -> Model:
        assert self.loaded is not None
        return self.loaded

    def load(self) -> object:
        self.loaded = wh.load(self.path)
        return self.loaded

    def info(self) -> object:
        console = Console(file=io.StringIO(), width=200)
        found = Summary.of(self.model)
        show.summary(console, found)
        show.nodes(console, found)
        return console

    def plan(self) -> object:
        return self.model.plan

    def run(self) -> object:
        return self.model.run([np.zeros((2, 3), np.float32)] * len(self.model.inputs))

    def convert(self) -> object:
        converted = wh.convert(self.model, "openvino")
        wh.save(converted, self.path.with_suffix(".xml"))
        return converted

    def reload(self) -> object:
        return wh.load(self.path.with_suffix(".xml"))


STAGES: tuple[tuple[str, Callable[[Subject], object]], ...] = (
    ("load", Subject.load),
    ("plan", Subject.plan),
    ("run", Subject.run),
    ("info", Subject.info),
    ("convert to .xml", Subject.convert),
    ("load .xml", Subject.reload),
)


def timed(proto: ModelProto, folder: Path, converts: bool = True) -> Iterator[tuple[str, float]]:
    """Yield each stage with its processor time; a model that is only listed has two."""
    subject = Subject(folder / "many.onnx")
    subject.path.write_bytes(proto.SerializeToString())
    for name, stage in STAGES if converts else STAGES[:4]:
        if name in ("load", "info") or not (isinstance(subject.model.graph, Graph) and subject.model.graph.opaque):
            before = time.process_time()
            stage(subject)
            yield name, time.process_time() - before


def peer(proto: ModelProto) -> float | None:
    """Return the processor time in which ONNX Runtime makes a session, None where it is missing or refuses."""
    try:
        import onnxruntime
    except ImportError:
        return None
    content: Any = proto.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    before = time.process_time()
    try:
        onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception:
        return None
    return time.process_time() - before


def lines(sizes: Sequence[int], folder: Path) -> Iterator[str]:
    """Yield the rows of a table in Markdown: each form at each number of nodes."""
    names = [name for name, _ in STAGES]
    heads = ("`wherry info`", "`wherry check`", "session of onnxruntime", "memory of info", "memory of check")
    yield f"| form | nodes | {' | '.join([*names, *heads])} |"
    yield f"| --- | ---: |{' ---: |' * (len(names) + len(heads))}"
    for form, make in {**FORMS, **LISTED}.items():
        for size in sizes:
            proto = make(size)
            found = dict(timed(proto, folder))
            taken, checked = info(folder / "many.onnx"), check(folder / "many.onnx")
            cells = [found.get(name) for name in names]
            cells += [taken.processor, checked.processor, peer(proto) if size <= MOST_OF_PEER else None]
            shown = (" " if cell is None else f"{cell:.2f} s" for cell in cells)
            memory = " | ".join(f"{one.memory / 1e6:.0f} MB" for one in (taken, checked))
            yield f"| {form} | {size} | {' | '.join(shown)} | {memory} |"
