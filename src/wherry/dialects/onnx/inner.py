"""Graphs inside a node of an ONNX file (branches, bodies) with some of their nodes replaced."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from onnx import GraphProto, NodeProto

from wherry.dialects.onnx.content import content_of, graphs_of
from wherry.dialects.onnx.source import Source
from wherry.dialects.onnx.tensor_data import Store, encode
from wherry.dialects.onnx.writer import written_node
from wherry.graph import Graph, Node, Opaque, free_name


@dataclass(frozen=True)
class Inner:
    """A graph as it is to be: for the first output of each node that goes what stands in its place, and new constants.

    All names are new to the graphs around, too.
    """

    graph: Graph
    replaced: Mapping[str, Sequence[Node]]
    constants: Collection[str]


def with_inner(node: Node, inner: Mapping[str, Inner], opset: int) -> Node:
    """Return an opaque node of a file with other graphs, by the names that its operator has for them.

    Raises UnsupportedError for a node among them that the opset does not say.
    """
    operator = node.operator
    assert isinstance(operator, Opaque)
    source: Source = operator.source
    proto = NodeProto()
    proto.CopyFrom(source.proto)
    for attribute in proto.attribute:
        for number, graph in enumerate(graphs_of(attribute)):
            name = f"{attribute.name}[{number}]" if attribute.graphs else attribute.name
            if name in inner:
                _edit(graph, inner[name], opset)
    made = replace(
        operator,
        graphs=tuple((name, inner[name].graph if name in inner else graph) for name, graph in operator.graphs),
        content=content_of(proto, source.store or Store()).digest,
        source=Source(proto, source.header, source.store),
    )
    return replace(node, operator=made)


def _edit(proto: GraphProto, inner: Inner, opset: int) -> None:
    names = {*inner.graph.types}

    def new_name(wish: str) -> str:
        names.add(name := free_name(wish, names, gap=" "))
        return name

    nodes: list[NodeProto] = []
    initializers = [encode(inner.graph.constants[name], name) for name in inner.constants]
    for old in proto.node:
        if not old.output or old.output[0] not in inner.replaced:
            nodes.append(old)
            continue
        for node in inner.replaced[old.output[0]]:
            written, constants = written_node(node, inner.graph, opset, new_name)
            nodes.append(written)
            initializers += constants
    made = GraphProto(node=nodes)
    del proto.node[:]
    proto.node.extend(made.node)
    proto.initializer.extend(initializers)
