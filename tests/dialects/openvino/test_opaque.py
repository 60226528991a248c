"""IR files with operations that wherry does not have: kept, with the types of their ports and the graphs they hold."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from tests.support.compare import assert_same_bits
from wherry.dialects.openvino.reader import Source
from wherry.dtypes import UNKNOWN
from wherry.errors import FileFormatError, InvalidValueError, ResourceLimitError, UnsupportedError
from wherry.graph import Graph
from wherry.limits import MAX_NESTED
from wherry.models.listing import Listing
from wherry.ops import Gather

X = np.arange(6, dtype=np.float32)


def read(folder: Path, layers: str, edges: str) -> Graph:
    return wh.load(ir.write(folder, ir.net(layers, edges), ir.WEIGHTS)).graph


def relu(number: int, *ports: str, kind: str = "ReLU", name: str = "r", version: str = "opset1", more: str = "") -> str:
    return ir.layer(number, kind, "", [0], list(ports), name=name, version=version, more=more)


def one(layer: str, port: int = 1) -> tuple[str, str]:
    """Return layers and edges of a model of one layer, number 1, with the input x of 6 elements."""
    layers = ir.parameter(0, "6", names="x") + layer + ir.result(2)
    return layers, ir.edge(0, 0, 1, 0) + ir.edge(1, port, 2, 0)


def test_ports_tell_the_types_of_opaque_outputs(tmp_path: Path) -> None:
    ports = [ir.port(1, "FP32", "a", [2, -1]), ir.port(2, "I64", "b"), ir.port(3, None, "c", [1]),
             ir.port(4, "dynamic", "d")]  # fmt: skip
    layers = ir.parameter(0, "6", names="x") + relu(1, *ports) + "".join(ir.result(number) for number in range(2, 6))
    edges = ir.edge(0, 0, 1, 0) + "".join(ir.edge(1, port, port + 1, 0) for port in range(1, 5))
    graph = read(tmp_path, layers, edges)
    types = {name: str(graph.types[name]) for name in "abcd"}
    assert types == {"a": "float32[2, ?]", "b": "int64[...]", "c": "unknown[1]", "d": "unknown[...]"}


def test_movement_behind_an_unknown_element_type(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "6", names="x")
        + relu(1, ir.port(1, None, "r", [6]))
        + ir.const(2, "i32", "3", 0, 12)
        + ir.const(3, "i64", "", 12, 8)
        + ir.layer(4, "Gather", "", [0, 1, 2], [ir.port(3, "FP32", "y")], version="opset8", name="g")
        + ir.result(5)
    )
    edges = ir.edge(0, 0, 1, 0) + ir.edge(1, 1, 4, 0) + ir.edge(2, 0, 4, 1) + ir.edge(3, 0, 4, 2) + ir.edge(4, 3, 5, 0)
    graph = read(tmp_path, layers, edges)
    assert isinstance(graph.nodes[1].operator, Gather)
    assert graph.types["y"].dtype is UNKNOWN


def test_such_a_model_has_no_plan_and_runs_through_openvino(tmp_path: Path) -> None:
    path = ir.write(tmp_path, ir.net(*one(relu(1, ir.port(1, "FP32", "y", [6])))))
    model = wh.load(path)
    with pytest.raises(UnsupportedError, match=r"ReLU of opset1 \(node 'r'\); model.run has a runtime run them"):
        _ = model.plan
    pytest.importorskip("openvino")
    (result,) = model.run({"x": X}).values()
    assert_same_bits(result, np.maximum(X, 0))
    wh.openvino.write(model, tmp_path / "again.xml")
    again = wh.load(tmp_path / "again.xml")
    assert again.graph.same_as(model.graph)
    assert_same_bits(next(iter(again.run({"x": X}).values())), result)


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (relu(1, ir.port(1), version="extension", kind="Mine"), "Mine of extension"),
        (relu(1, ir.port(1), version="opset6", kind="ReadValue"), "ReadValue of opset6"),
        (relu(1, ir.port(1), version="opset99", kind="Split"), "Split of opset99 (which is no opset: there are opset1"),
        (relu(1, ir.port(1), version="opset17", kind="Split"), "Split of opset17 (only opset1..opset16 have it)"),
    ],
)
def test_extensions_state_and_versions(tmp_path: Path, layer: str, words: str) -> None:
    (node,) = read(tmp_path, *one(layer)).opaque
    assert str(node.operator).startswith(words)
    assert bool(node.operator.why) == ("Split" in words)


@pytest.mark.parametrize("kind", ["Parameter", "Result"])
def test_what_a_file_cannot_be_read_without(tmp_path: Path, kind: str) -> None:
    layers, edges = one(relu(1, ir.port(1)))
    with pytest.raises(FileFormatError, match=rf"{kind} .*is {kind} of opset99, which is no opset"):
        read(tmp_path, layers.replace(f'type="{kind}" version="opset1"', f'type="{kind}" version="opset99"'), edges)


def body(inner: str = "", tag: str = "body", port: int = 1) -> str:
    """Return a body that takes one entry of its input, or with other layers between the two."""
    gather = (
        ir.const(1, "i32", "3", 0, 12) + ir.const(2, "i64", "", 12, 8)
        + ir.layer(3, "Gather", "", [0, 1, 2], [ir.port(3, "FP32", "taken")], version="opset8", name="take")
    )  # fmt: skip
    edges = ir.edge(1, 0, 3, 1) + ir.edge(2, 0, 3, 2)
    source, gather, edges = (3, inner, "") if inner else (3, gather, edges)
    layers = ir.parameter(0, "?", names="p") + gather + ir.result(4)
    edges += ir.edge(0, 0, source, 0) + ir.edge(source, port if inner else 3, 4, 0)
    return f"<{tag}><layers>{layers}</layers><edges>{edges}</edges></{tag}>"


def test_bodies_are_opened(tmp_path: Path) -> None:
    more = "<then_port_map/><else_port_map/>" + body(tag="then_body") + body(relu(3, ir.port(1), name="s"), "else_body")
    graph = read(
        tmp_path, *one(relu(1, ir.port(1, "FP32", "y"), kind="If", version="opset8", name="choose", more=more))
    )
    graphs = dict(graph.nodes[0].operator.graphs)
    assert list(graphs) == ["then_body", "else_body"]
    assert (list(graphs["then_body"].inputs), graphs["then_body"].outputs) == (["p"], ("taken",))
    listing = Listing.of(graph)
    assert [(movement.place, str(movement.outputs[0])) for movement in listing.movements] == [
        (("choose then_body",), "float32[3]")
    ]
    assert listing.opaque == {"If of opset8": 1, "ReLU of opset1": 1}


def test_a_wrong_layer_is_refused_but_in_a_body_kept(tmp_path: Path) -> None:
    """A body that never runs need not fit."""
    wrong = '<data batch_dims="7"/>'
    layers, edges = ir.gather_layers()
    with pytest.raises(InvalidValueError, match="batch_dims is 7"):
        read(tmp_path, layers.replace('<data batch_dims="0"/>', wrong), edges)
    inside = body().replace(
        'name="take" type="Gather" version="opset8" >', f'name="take" type="Gather" version="opset8" >{wrong}'
    )
    assert wrong in inside
    listing = Listing.of(read(tmp_path, *one(relu(1, ir.port(1), kind="Loop", version="opset5", more=inside))))
    ((place, node),) = listing.refused
    assert place == ("r body",)
    assert node.operator.why.startswith("batch_dims is 7")
    with pytest.raises(FileFormatError, match="has no edge"):
        read(
            tmp_path,
            *one(relu(1, ir.port(1), kind="Loop", version="opset5", more=body().replace(ir.edge(0, 0, 3, 0), ""))),
        )


def test_bodies_lie_in_each_other_up_to_a_limit(tmp_path: Path) -> None:
    def nested(depth: int) -> Graph:
        inside = body()
        for _ in range(depth - 1):
            inside = body(relu(3, ir.port(1), kind="Loop", version="opset5", more=inside))
        return read(tmp_path, *one(relu(1, ir.port(1), kind="Loop", version="opset5", more=inside)))

    assert len(Listing.of(nested(MAX_NESTED)).movements[0].place) == MAX_NESTED
    with pytest.raises(ResourceLimitError, match=r"has a body that lies in 65 graphs, allowed up to 64"):
        nested(MAX_NESTED + 1)


def test_an_opaque_node_keeps_what_a_runtime_needs(tmp_path: Path) -> None:
    layer = relu(1, ir.port(1), kind="Loop", version="opset5", more=body())
    graph = read(tmp_path, *one(layer))
    source = graph.opaque[0].operator.source
    assert isinstance(source, Source)
    assert source.layer.element.find("body") is not None
    assert source.weights().tobytes() == ir.WEIGHTS
    assert pickle.loads(pickle.dumps(graph)).opaque[0].operator.source.layer == source.layer


def test_two_opaque_layers_are_the_same_if_their_content_is(tmp_path: Path) -> None:
    def graph(more: str, data: str = "") -> Graph:
        return read(tmp_path, *one(ir.layer(1, "Loop", data, [0], [ir.port(1)], version="opset5", more=more)))

    assert graph(body()).same_as(graph(body()))
    assert not graph(body()).same_as(graph(body(relu(3, ir.port(1)))))
    assert not graph(body()).same_as(graph(body(), 'a="1"'))
