"""Writing ONNX files: a Graph to a ModelProto, where ONNX has words for its operators."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_int, as_path, check_is
from wherry.dialects.onnx.row import Kind, OnnxRow
from wherry.dialects.onnx.say import advised, say, type_of
from wherry.dialects.onnx.table import DOMAINS, check_opset
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dtypes import UNKNOWN, DType
from wherry.errors import InvalidValueError, UnsupportedError, invalid
from wherry.files import beside
from wherry.graph import Graph, Node, Opaque, free_name
from wherry.models.model import GraphModel
from wherry.tensors import TensorType

try:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
    from onnx.helper import make_attribute

    from wherry.dialects.onnx.source import Source
    from wherry.dialects.onnx.tensor_data import encode, is_weight, reference, type_number
except ImportError as error:
    if error.name is None or not error.name.startswith(("onnx", "google")):
        raise
    raise errors.missing("onnx", "onnx", "writing ONNX files") from None

DEFAULT_OPSET = 21
"""The opset that is written where none is asked for."""

_FILE_LIMIT = 2**31 - 1

_PAGE = 4096
"""Where tensors beside a model begin: a reader may map them into memory, as all pages have so many bytes or more."""

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

    The file appears whole or not at all. Large constants of a model that one protobuf message cannot hold go to a file
    beside it, called like it with `.data` behind. Raises as `to_proto` does, and UnsupportedError for a model that is
    too large without them.
    """
    path = as_path("path", path)
    weights = _Weights(f"{path.name}.data") if _constant_bytes(graph) > _FILE_LIMIT else None
    proto = _written(graph, opset, ir_version, weights)
    size = proto.ByteSize()
    if size > _FILE_LIMIT:
        raise UnsupportedError(f"the model has {size} bytes, allowed {_FILE_LIMIT} in one file", "ONNX writer")
    with ExitStack() as files:
        aside = files.enter_context(beside(path))
        if weights is not None:
            weights.write(files.enter_context(beside(path.with_name(weights.location))))
        aside.write_bytes(proto.SerializeToString())


def _constant_bytes(graph: Graph | GraphModel) -> int:
    """Return how many bytes constants have, in memory."""
    defaults = graph.defaults if isinstance(graph, GraphModel) else {}
    constants = graph.graph.constants if isinstance(graph, GraphModel) else getattr(graph, "constants", {})
    return sum(value.nbytes for value in (*defaults.values(), *constants.values()))


@dataclass
class _Weights:
    """Large constants that lie beside the model, one behind the other, each at the start of a page."""

    location: str
    values: list[tuple[int, NDArray[Any]]] = field(default_factory=list)
    end: int = 0

    def add(self, name: str, value: NDArray[Any]) -> TensorProto:
        """Take a constant, and return the tensor that tells where it lies."""
        offset = -(-self.end // _PAGE) * _PAGE
        self.values.append((offset, value))
        self.end = offset + value.nbytes
        return reference(name, value, self.location, offset)

    def write(self, path: Path) -> None:
        """Write them."""
        with path.open("wb") as file:
            for offset, value in self.values:
                file.seek(offset)
                value.astype(value.dtype.newbyteorder("<"), copy=False).tofile(file)


def to_proto(graph: Graph | GraphModel, opset: int = DEFAULT_OPSET, *, ir_version: int | None = None) -> ModelProto:
    """Return the ModelProto of a graph, or of a model with the defaults of its inputs.

    `ir_version` is, where it is not given, the first one that has the opset and the element types.

    Nodes of a file that wherry does not have are written as they stood there.

    Raises UnsupportedError that names the node and the rule that ONNX cannot express in this opset, or the tensor whose
    element type it does not have; InvalidValueError for an `ir_version` that is too old.

    >>> from wherry.ops import Gather
    >>> graph = Graph({"x": TensorType("float32", (3,)), "i": TensorType("int64", (2,))}, ("y",),
    ...               (Node(Gather(), ("x", "i"), ("y",), "wherry Gather"),))
    >>> to_proto(graph, 13).graph.node[0].op_type
    'Gather'
    """
    return _written(graph, opset, ir_version, None)


def _written(graph: Graph | GraphModel, opset: int, ir_version: int | None, weights: _Weights | None) -> ModelProto:
    """Return the ModelProto; with `weights`, large constants lie there."""
    opset = as_int("opset", opset)
    with errors.subject(f"ONNX writer, opset {opset}"):
        check_is("graph", graph, (Graph, GraphModel), "a graph, or a model of one")
        defaults = graph.defaults if isinstance(graph, GraphModel) else {}
        inner = graph.graph if isinstance(graph, GraphModel) else graph
        return _Writer(inner, check_opset(opset), weights).write(defaults, ir_version)


class _Writer:
    """One writing: inputs, constants, nodes and outputs into one ModelProto."""

    def __init__(self, graph: Graph, opset: int, weights: _Weights | None) -> None:
        self.graph = graph
        self.opset = opset
        self.weights = weights
        self.header = self._header()
        self.proto = GraphProto(name=graph.name or "graph")
        self.names = set(graph.types)

    def write(self, defaults: dict[str, NDArray[np.generic]], ir_version: int | None) -> ModelProto:
        self.proto.input.extend(value_info(name, kind) for name, kind in self.graph.inputs.items())
        for name, value in {**defaults, **self.graph.constants}.items():
            made = (
                encode(value, name) if self.weights is None or not is_weight(value) else self.weights.add(name, value)
            )
            self.proto.initializer.append(made)
        for node in self.graph.nodes:
            if isinstance(node.operator, Opaque):
                self._add_opaque(node)
            else:
                self._add_node(node)
        self.proto.output.extend(_output_info(name, kind) for name, kind in self.graph.output_types.items())
        model = ModelProto()
        model.CopyFrom(self.header)
        model.ir_version, model.producer_name = self._ir_version(ir_version), "wherry"
        model.graph.CopyFrom(self.proto)
        return model

    def _header(self) -> ModelProto:
        """Return the model without its graph: as the file had it whose nodes are kept."""
        sources = [getattr(node.operator, "source", None) for node in self.graph.opaque]
        header = next((one.whole_header for one in sources if isinstance(one, Source)), ModelProto())
        versions = {entry.domain: entry.version for entry in header.opset_import}
        standard = [version for domain, version in versions.items() if domain in DOMAINS]
        if not standard:
            made = ModelProto()
            made.CopyFrom(header)
            made.opset_import.add(domain="", version=self.opset)
            return made
        if standard[0] != self.opset:
            raise InvalidValueError(f"opset is {self.opset}, allowed {standard[0]}, that of nodes which are kept as "
                                    "their file had them")  # fmt: skip
        return header

    def _ir_version(self, asked: int | None) -> int:
        types = (kind.dtype.name for kind in self.graph.types.values() if isinstance(kind.dtype, DType))
        of_opset = next((ir for first, ir in _IR_BY_OPSET if self.opset >= first), 3)
        least = max(
            of_opset,
            self.header.ir_version,
            *(_IR_BY_TYPE.get(name, 0) for name in types),
            4 if self.proto.initializer else 0,
        )
        if asked is None:
            return least
        asked = as_int("ir_version", asked)
        if not least <= asked <= _IR_BY_OPSET[0][1]:
            raise invalid("ir_version", asked, f"{least}..{_IR_BY_OPSET[0][1]}", "for this opset and these types")
        return asked

    def _add_opaque(self, node: Node) -> None:
        """Write a node as its file had it; what it makes is declared, as far as the file told."""
        written = _as_it_was(node)
        if isinstance(written, TensorProto):
            self.proto.initializer.append(written)
            return
        self.proto.node.append(written)
        for name in written.output:
            if name in self.graph.types and name not in self.graph.outputs and _is_known(self.graph.types[name]):
                self.proto.value_info.append(value_info(name, self.graph.types[name]))

    def _add_node(self, node: Node) -> None:
        with errors.subject(f"ONNX writer, opset {self.opset}, node {node.label!r}"):
            written, constants = written_node(node, self.graph, self.opset, self._new_name)
            self.proto.node.append(written)
            self.proto.initializer.extend(constants)

    def _new_name(self, wish: str) -> str:
        name = free_name(wish, self.names, gap=" ")
        self.names.add(name)
        return name


def written_node(
    node: Node, graph: Graph, opset: int, new_name: Callable[[str], str]
) -> tuple[NodeProto, list[TensorProto]]:
    """Return a node of a graph as an opset says it, or as its file had it, and the constants among its inputs.

    Raises UnsupportedError that names the rule in the way.
    """
    if isinstance(node.operator, Opaque):
        written = _as_it_was(node)
        assert isinstance(written, NodeProto)
        return written, []
    types = [graph.types[name] for name in node.inputs]
    said = say(node, types, [graph.constants.get(name) for name in node.inputs], opset)
    if isinstance(said, Refusal):
        raise advised(said, node, types).error()
    return node_proto(node, said, new_name)


def _as_it_was(node: Node) -> NodeProto | TensorProto:
    """Return an opaque node as its file had it."""
    source = getattr(node.operator, "source", None)
    if not isinstance(source, Source):
        raise UnsupportedError("the node is not there as its file had it; load the model anew", node.subject)
    return source.whole_proto


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


def _is_known(tensor_type: TensorType) -> bool:
    return isinstance(tensor_type.dtype, DType) and tensor_type.dtype.onnx is not None


def _output_info(name: str, tensor_type: TensorType) -> ValueInfoProto:
    """Return the declaration of a result; of one that is no tensor, or of an unknown type, its name alone."""
    return ValueInfoProto(name=name) if tensor_type.dtype == UNKNOWN else value_info(name, tensor_type)


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
