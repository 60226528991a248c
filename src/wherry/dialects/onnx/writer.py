"""Writing ONNX files: a Graph to a ModelProto, where ONNX has words for its operators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_int, as_path, check_is
from wherry.dialects.onnx.row import Kind, OnnxRow
from wherry.dialects.onnx.say import advised, say, type_of
from wherry.dialects.onnx.table import check_opset
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dtypes import DType
from wherry.errors import InvalidValueError, UnsupportedError, invalid
from wherry.files import beside
from wherry.graph import Graph, Node, free_name
from wherry.models.model import GraphModel
from wherry.tensors import TensorType

try:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
    from onnx.helper import make_attribute

    from wherry.dialects.onnx.tensor_data import encode, type_number
except ImportError as error:
    if error.name is None or not error.name.startswith(("onnx", "google")):
        raise
    raise errors.missing("onnx", "onnx", "writing ONNX files") from None

DEFAULT_OPSET = 21
"""The opset that is written where none is asked for."""

_FILE_LIMIT = 2**31 - 1

# The first opset of each version of the file format (onnx/docs/Versioning.md).
_IR_BY_OPSET = ((28, 14), (25, 13), (24, 12), (23, 11), (21, 10), (19, 9), (15, 8), (12, 7), (11, 6), (10, 5), (9, 4))

# The version of the file format that first has an element type, beyond those of version 4.
_IR_BY_TYPE = {
    "float8_e4m3fn": 9, "float8_e4m3fnuz": 9, "float8_e5m2": 9, "float8_e5m2fnuz": 9,
    "int4": 10, "uint4": 10, "float4_e2m1fn": 11, "float8_e8m0fnu": 12, "int2": 13, "uint2": 13,
}  # fmt: skip


def write(
    graph: Graph | GraphModel, path: str | Path, *, opset: int = DEFAULT_OPSET, ir_version: int | None = None
) -> None:
    """Write a graph, or the graph of a model with the defaults of its inputs, as an ONNX file.

    The file appears whole or not at all. Raises as `to_proto` does, and UnsupportedError for a model that one protobuf
    message cannot hold.
    """
    path = as_path("path", path)
    proto = to_proto(graph, opset, ir_version=ir_version)
    size = proto.ByteSize()
    if size > _FILE_LIMIT:
        raise UnsupportedError(f"the model has {size} bytes, allowed {_FILE_LIMIT} in one file", "ONNX writer")
    with beside(path) as aside:
        aside.write_bytes(proto.SerializeToString())


def to_proto(graph: Graph | GraphModel, opset: int = DEFAULT_OPSET, *, ir_version: int | None = None) -> ModelProto:
    """Return the ModelProto of a graph, or of a model with the defaults of its inputs.

    `ir_version` is, where it is not given, the first one that has the opset and the element types.

    Raises UnsupportedError that names the node and the rule that ONNX cannot express in this opset, or the tensor whose
    element type it does not have; InvalidValueError for an `ir_version` that is too old.

    >>> from wherry.ops import Gather
    >>> graph = Graph({"x": TensorType("float32", (3,)), "i": TensorType("int64", (2,))}, ("y",),
    ...               (Node(Gather(), ("x", "i"), ("y",), "wherry Gather"),))
    >>> to_proto(graph, 13).graph.node[0].op_type
    'Gather'
    """
    opset = as_int("opset", opset)
    with errors.subject(f"ONNX writer, opset {opset}"):
        check_is("graph", graph, (Graph, GraphModel), "a graph, or a model of one")
        defaults = graph.defaults if isinstance(graph, GraphModel) else {}
        return _Writer(graph.graph if isinstance(graph, GraphModel) else graph, check_opset(opset)).write(
            defaults, ir_version
        )


class _Writer:
    """One writing: inputs, constants, nodes and outputs into one ModelProto."""

    def __init__(self, graph: Graph, opset: int) -> None:
        self.graph = graph
        self.opset = opset
        self.proto = GraphProto(name=graph.name or "graph")
        self.names = set(graph.types)

    def write(self, defaults: dict[str, NDArray[np.generic]], ir_version: int | None) -> ModelProto:
        self.proto.input.extend(value_info(name, kind) for name, kind in self.graph.inputs.items())
        for name, value in {**defaults, **self.graph.constants}.items():
            self.proto.initializer.append(encode(value, name))
        for node in self.graph.nodes:
            self._add_node(node)
        self.proto.output.extend(value_info(name, kind) for name, kind in self.graph.output_types.items())
        model = ModelProto(ir_version=self._ir_version(ir_version), producer_name="wherry", graph=self.proto)
        model.opset_import.add(domain="", version=self.opset)
        return model

    def _ir_version(self, asked: int | None) -> int:
        types = (kind.dtype.name for kind in self.graph.types.values() if isinstance(kind.dtype, DType))
        of_opset = next((ir for first, ir in _IR_BY_OPSET if self.opset >= first), 3)
        least = max(of_opset, *(_IR_BY_TYPE.get(name, 0) for name in types), 4 if self.proto.initializer else 0)
        if asked is None:
            return least
        asked = as_int("ir_version", asked)
        if not least <= asked <= _IR_BY_OPSET[0][1]:
            raise invalid("ir_version", asked, f"{least}..{_IR_BY_OPSET[0][1]}", "for this opset and these types")
        return asked

    def _add_node(self, node: Node) -> None:
        with errors.subject(f"ONNX writer, opset {self.opset}, node {node.label!r}"):
            types = [self.graph.types[name] for name in node.inputs]
            said = say(node, types, [self.graph.constants.get(name) for name in node.inputs], self.opset)
            if isinstance(said, Refusal):
                raise advised(said, node, types).error()
            written, constants = node_proto(node, said, self._new_name)
            self.proto.node.append(written)
            self.proto.initializer.extend(constants)

    def _new_name(self, wish: str) -> str:
        name = free_name(wish, self.names, gap=" ")
        self.names.add(name)
        return name


def node_proto(
    node: Node, filled: FilledRow[OnnxRow], new_name: Callable[[str], str]
) -> tuple[NodeProto, list[TensorProto]]:
    """Return a node as a row says it, and the constants among its inputs; `new_name` makes names of wishes."""
    written = NodeProto(op_type=filled.row.name, name=node.name, output=node.outputs)
    constants = []
    for name, given in filled.inputs.items():
        if isinstance(given, np.ndarray):
            constants.append(encode(given, new_name(f"{node.outputs[0]} {name}")))
            written.input.append(constants[-1].name)
        else:
            written.input.append(given or "")
    kinds = {attribute.name: attribute.kind for attribute in filled.row.attributes}
    for name, value in filled.attributes.items():
        stored = encode(value, name) if kinds[name] is Kind.TENSOR else value
        attr_type = AttributeProto.AttributeType.Value(kinds[name])
        written.attribute.append(make_attribute(name, stored, attr_type=attr_type))
    return written, constants


def value_info(name: str, tensor_type: TensorType) -> ValueInfoProto:
    """Return the declaration of a tensor. Raises UnsupportedError for an element type that ONNX does not have."""
    if not name:
        raise InvalidValueError("a tensor of the graph has no name; ONNX needs one")
    dtype = type_of(name, tensor_type)
    if isinstance(dtype, Fault):
        raise Refusal((dtype,)).error()
    info = ValueInfoProto(name=name)
    info.type.tensor_type.elem_type = type_number(dtype)
    if tensor_type.sizes is None:
        return info
    shape = info.type.tensor_type.shape
    shape.SetInParent()
    for size in tensor_type.sizes:
        dim = shape.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size is not None:
            dim.dim_param = size
    return info
