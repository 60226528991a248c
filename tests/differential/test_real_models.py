"""Models of published packages: every node that moves data is listed, and gives ONNX Runtime's bytes.

The models are those inside the wheels of magika and silero-vad (`make test` installs both; silero-vad without its
dependencies, since it would bring torch and nothing here imports it). ONNX Runtime runs each model with all tensors
exposed; each movement node is then run alone by wherry on the inputs that ONNX Runtime fed to it.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, helper

import wherry as wh
from tests.differential.onnxruntime_runtime import Refused, same
from tests.support.own import own
from wherry import dtypes
from wherry.dialects.onnx.table import DOMAINS, NAMES
from wherry.dialects.onnx.tensor_data import encode, type_number
from wherry.errors import UnsupportedError
from wherry.graph import Opaque
from wherry.models.listing import Listing, Movement

pytest.importorskip("onnxruntime")

Tensors = dict[str, np.ndarray]


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def audio(batch: int, length: int) -> np.ndarray:
    return rng().standard_normal((batch, length)).astype(np.float32) / 10


def state(*sizes: int) -> np.ndarray:
    return rng().standard_normal(sizes).astype(np.float32) / 10


@dataclass(frozen=True)
class Real:
    """A model file of a package, inputs to run it with, how many nodes move data in it, and how many of these run.

    Those that do not stand in branches for tensors of other ranks than the model's inputs allow.
    """

    package: str
    path: str
    inputs: tuple[Tensors, ...]
    listed: int
    executed: int


VAD = {"state": state(2, 2, 128)}
REAL = {
    "magika": Real("magika", "models/standard_v3_3/model.onnx",
                   ({"bytes": rng().integers(0, 257, (3, 2048)).astype(np.int32)},), 79, 79),
    "vad": Real("silero_vad", "data/silero_vad.onnx",
                ({"input": audio(2, 512), "sr": np.array(16000), **VAD},
                 {"input": audio(2, 256), "sr": np.array(8000), **VAD}), 287, 155),
    "vad 16k opset 15": Real("silero_vad", "data/silero_vad_16k_op15.onnx",
                             ({"input": audio(2, 512), "sr": np.array(16000), **VAD},), 160, 94),
    "vad 16k sequence": Real("silero_vad", "data/silero_vad_16k_sequence.onnx",
                             ({"input": audio(3, 576), "h": state(1, 1, 128), "c": state(1, 1, 128)},), 18, 18),
    "vad half": Real("silero_vad", "data/silero_vad_half.onnx", ({"input": audio(2, 512), **VAD},), 140, 74),
    "vad without if": Real("silero_vad", "data/silero_vad_op18_ifless.onnx",
                           ({"input": audio(2, 512), "sr": np.array(16000), **VAD},
                            {"input": audio(2, 256), "sr": np.array(8000), **VAD}), 43, 43),
    "vad openvino": Real("silero_vad", "data/silero_vad_openvino_16k.onnx",
                         ({"input": audio(1, 576), "state": state(2, 1, 128)},), 52, 52),
}  # fmt: skip


def file_of(real: Real) -> Path:
    """Return the model's file, without importing the package that has it."""
    found = importlib.util.find_spec(real.package)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{real.package} is not installed; `make test` installs it")
    return Path(found.submodule_search_locations[0]) / real.path


def graphs_of(graph: GraphProto) -> Iterator[GraphProto]:
    """Yield a graph and all that its nodes hold."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)


def moves_data(node: NodeProto) -> bool:
    return node.domain in DOMAINS and node.op_type in NAMES and node.op_type != "Constant"


FLOAT_SUMS = ("ReduceSum", "ReduceProd", "CumSum")
"""Operators whose results on floats depend on an order that ONNX leaves open: those nodes are opaque."""


def run(model: ModelProto, inputs: Tensors, outputs: list[str]) -> Tensors:
    """Return the named tensors of a model as ONNX Runtime computes them, without fusing nodes."""
    import onnxruntime

    exposed = ModelProto()
    exposed.CopyFrom(model)
    del exposed.graph.output[:]
    exposed.graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(exposed.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip(outputs, session.run(outputs, inputs), strict=True))


def without_ifs(model: ModelProto, inputs: Tensors) -> ModelProto:
    """Return the model with each If replaced by the branch that runs on these inputs."""
    flat = ModelProto()
    flat.CopyFrom(model)
    while True:
        place = next((n for n, node in enumerate(flat.graph.node) if node.op_type == "If"), None)
        if place is None:
            return flat
        node = flat.graph.node[place]
        condition = run(flat, inputs, [node.input[0]])[node.input[0]]
        wanted = "then_branch" if condition.item() else "else_branch"
        branch = next(attribute.g for attribute in node.attribute if attribute.name == wanted)
        joints = [helper.make_node("Identity", [inner.name], [outer])
                  for inner, outer in zip(branch.output, node.output, strict=True) if outer]  # fmt: skip
        flat.graph.initializer.extend(branch.initializer)
        nodes = [*flat.graph.node[:place], *branch.node, *joints, *flat.graph.node[place + 1 :]]
        del flat.graph.node[:]
        flat.graph.node.extend(nodes)


def alone(node: NodeProto, model: ModelProto, inputs: Tensors, constants: Tensors) -> ModelProto:
    """Return the model of one node, with inputs of these types, and with some of them as initializers."""
    graph = GraphProto(name="alone", node=[node])
    for name in dict.fromkeys(node.input):
        if name in constants:
            graph.initializer.append(encode(constants[name], name))
        elif name:
            kind = type_number(dtypes.of(inputs[name].dtype))
            graph.input.append(helper.make_tensor_value_info(name, kind, inputs[name].shape))
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output if name)
    return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


@pytest.mark.parametrize("name", REAL)
def test_every_movement_node_gives_onnxruntimes_bytes(name: str) -> None:
    real = REAL[name]
    model = onnx.load(file_of(real))
    done: set[str] = set()
    for inputs in real.inputs:
        flat = without_ifs(model, inputs)
        fixed = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in flat.graph.initializer}
        nodes = [node for node in flat.graph.node if moves_data(node)]
        wanted = {name for node in nodes for name in (*node.input, *node.output) if name} - fixed.keys() - inputs.keys()
        tensors = {**fixed, **inputs, **run(flat, inputs, sorted(wanted))}
        original = {output for graph in graphs_of(model.graph) for node in graph.node for output in node.output}
        for node in nodes:
            if node.op_type in FLOAT_SUMS and tensors[node.input[0]].dtype.kind == "f":
                continue
            expected = tuple(tensors[output] for output in node.output if output)
            feed = {name: tensors[name] for name in node.input if name}
            for constants in ({}, {name: fixed[name] for name in feed if name in fixed}):
                cut = alone(node, model, feed, constants)
                given = {name: array for name, array in feed.items() if name not in constants}
                ours = tuple(own(wh.onnx.read_proto(cut)).run(given).values())
                assert same(ours, expected), f"{node}\n{ours}\n{expected}"
            done.update(output for output in node.output if output in original)
    makers = [node for graph in graphs_of(model.graph) for node in graph.node if moves_data(node)]
    executed = sum(bool(done.intersection(node.output)) for node in makers)
    assert executed == real.executed, f"{executed} of {len(makers)}"


@pytest.mark.parametrize("name", REAL)
def test_every_movement_node_is_listed(name: str) -> None:
    real = REAL[name]
    model = onnx.load(file_of(real))
    listing = Listing.of(wh.load(file_of(real)).graph)
    nodes = [node for graph in graphs_of(model.graph) for node in graph.node if node.op_type != "Constant"]
    refused = [node for _, node in listing.refused]
    assert all("the order of the sum" in node.operator.why for node in refused)
    assert all(node.subject.split()[1] in FLOAT_SUMS for node in refused)
    assert Counter(node.outputs[0] for node in (*refused, *(one.node for one in listing.movements))) == Counter(
        node.output[0] for node in nodes if moves_data(node)
    )
    assert sum(listing.opaque.values()) == sum(not moves_data(node) for node in nodes)
    assert len(listing.movements) == real.listed
    assert all(f"{movement.node.outputs[0]}" in str(listing) for movement in listing.movements)


@pytest.mark.parametrize("name", REAL)
def test_what_is_listed_is_what_happens(name: str) -> None:
    """With the inputs' sizes given, known types and bytes are those of ONNX Runtime's tensors."""
    real = REAL[name]
    path = file_of(real)
    model = onnx.load(path)
    for inputs in real.inputs:
        sizes = {name: array.shape for name, array in inputs.items()}
        listing = Listing.of(wh.load(path, sizes=sizes).graph)
        flat = without_ifs(model, inputs)
        there = {output for node in flat.graph.node for output in node.output}
        happening = [movement for movement in listing.movements if there.issuperset(movement.node.outputs)]
        made = run(flat, inputs, sorted({output for movement in happening for output in movement.node.outputs}))
        for movement in happening:
            check(movement, [made[output] for output in movement.node.outputs])


def check(movement: Movement, made: list[np.ndarray]) -> None:
    for kind, array in zip(movement.outputs, made, strict=True):
        assert kind.numpy == array.dtype
        assert kind.accepts(kind.with_sizes(array.shape)), f"{movement.node}: {kind}, but {array.shape}"
    if movement.nbytes is not None:
        assert movement.nbytes == sum(array.nbytes for array in made)


def test_the_plan_of_a_real_model_is_refused_with_all_that_is_opaque() -> None:
    path = file_of(REAL["magika"])
    model = wh.load(path)
    with pytest.raises(UnsupportedError, match=r"; model\.run has a runtime run them$") as caught:
        model.plan  # noqa: B018
    assert "MatMul of opset 15 (node" in caught.value.message
    assert len(model.graph.opaque) == sum(isinstance(node.operator, Opaque) for node in model.graph.nodes) > 12


def test_the_comparison_can_fail() -> None:
    assert not same((np.zeros(1),), (np.zeros(2),))
    assert not same((np.zeros(1),), Refused("no"))
