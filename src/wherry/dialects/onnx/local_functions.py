"""The functions that a model brings for its own operators, as graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property

from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, ValueInfoProto

from wherry.dialects.onnx.content import graphs_of


class LocalFunctions:
    """The functions of a model, by domain, name and overload; each is opened once, at the first node that calls it.

    A function may call others several times each: opened at every call, a few of them would make any number of nodes.
    """

    def __init__(self, header: ModelProto) -> None:
        self._header = header
        self._functions = {(one.domain, one.name, one.overload): one for one in header.functions}
        self._opened: set[tuple[str, str, str]] = set()

    @cached_property
    def digest(self) -> str:
        """What tells the functions of two models apart."""
        contents = (one.SerializeToString(deterministic=True) for one in self._header.functions)
        return hashlib.sha256(b"".join(contents)).hexdigest()

    def has(self, node: NodeProto) -> bool:
        """Whether a node calls one."""
        return bool(self._functions) and _key(node) in self._functions

    def opened(self, node: NodeProto) -> FunctionProto | None:
        """Return the function that a node calls, if it is one that was not opened before."""
        key = _key(node)
        function: FunctionProto | None = self._functions.get(key)
        if function is None or key in self._opened:
            return None
        self._opened.add(key)
        return function


def _key(node: NodeProto) -> tuple[str, str, str]:
    return node.domain, node.op_type, node.overload


def body_of(function: FunctionProto, call: NodeProto) -> GraphProto:
    """Return a function's nodes as a graph, with the attributes of a call where the nodes refer to them.

    The graph has no inputs: its nodes read the tensors of the call by the function's names for them. An input that the
    call leaves out is left out there too.
    """
    given = {attribute.name: attribute for attribute in (*function.attribute_proto, *call.attribute)}
    left_out = {name for number, name in enumerate(function.input) if not "".join(call.input[number : number + 1])}
    graph = GraphProto(name=function.name, output=[ValueInfoProto(name=name) for name in function.output])
    graph.node.extend(function.node)
    graph.value_info.extend(function.value_info)
    _fill(graph, given, left_out)
    return graph


def _fill(graph: GraphProto, given: Mapping[str, AttributeProto], left_out: set[str]) -> None:
    for node in graph.node:
        for number, name in enumerate(node.input):
            if name in left_out:
                node.input[number] = ""
        for number in reversed(range(len(node.attribute))):
            attribute = node.attribute[number]
            if not attribute.ref_attr_name:
                for inner in graphs_of(attribute):
                    _fill(inner, given, left_out)
            elif attribute.ref_attr_name in given:
                name = attribute.name
                attribute.CopyFrom(given[attribute.ref_attr_name])
                attribute.name = name
            else:
                del node.attribute[number]
