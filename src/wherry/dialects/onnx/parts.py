"""OnnxParts: nodes of an ONNX model as a model of their own."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto

from wherry import dtypes
from wherry.dialects.onnx.say import say
from wherry.dialects.onnx.source import Source
from wherry.dialects.onnx.table import DOMAINS
from wherry.dialects.onnx.tensor_data import encode, is_weight, reference, type_number
from wherry.dialects.onnx.writer import node_proto
from wherry.dialects.refusal import Refusal
from wherry.dtypes import DType
from wherry.errors import UnsupportedError, short
from wherry.graph import Graph, Node, Opaque, free_name
from wherry.models.parts import PartFile, ValueType
from wherry.tensors import TensorType

Array = NDArray[Any]

_FIRST_WITH_FREE_INITIALIZERS = 4
"""The first IR version in which an initializer need not be an input; before it, one that is an input is a constant."""

_NESTED = re.compile(r"(tensor|seq|optional)\((.*)\)")
_MAP = re.compile(r"map\((\w+),(.*)\)")


class OnnxParts:
    """Nodes of one ONNX model as models: with its versions of operators and its functions, which the header holds."""

    runtime = "onnxruntime"

    def __init__(self, header: ModelProto) -> None:
        self.fixes_defaults = header.ir_version < _FIRST_WITH_FREE_INITIALIZERS
        self._header = ModelProto()
        self._header.CopyFrom(header)
        self._header.ir_version = max(header.ir_version, _FIRST_WITH_FREE_INITIALIZERS)
        if not header.opset_import:
            self._header.opset_import.add(version=1)

    def write(
        self,
        nodes: Sequence[Node],
        inputs: Mapping[str, ValueType],
        outputs: Sequence[str],
        constants: Mapping[str, Array],
        constant_types: Mapping[str, TensorType],
        apart: bool,
    ) -> PartFile:
        """Return the nodes as an ONNX file; large constants that are apart are external data, to be given by name.

        Raises UnsupportedError for a constant whose element type ONNX does not have.
        """
        graph = GraphProto(name="part")
        weights = {}
        for name, kind in inputs.items():
            graph.input.add(name=name).type.CopyFrom(_type_proto(kind))
        for name, value in constants.items():
            if apart and is_weight(value):
                graph.initializer.append(reference(name, value, "given"))
                weights[name] = value
            else:
                graph.initializer.append(encode(value, name))
        for node in nodes:
            proto = _source(node)
            (graph.initializer if isinstance(proto, TensorProto) else graph.node).append(proto)
        for name in outputs:
            graph.output.add(name=name)
        model = ModelProto()
        model.CopyFrom(self._header)
        model.graph.CopyFrom(graph)
        return PartFile("onnx", model.SerializeToString(), tuple(inputs), tuple(outputs), weights)

    def branches(self, node: Node) -> tuple[Graph, Graph] | None:
        """Return the branches of an If: then, else."""
        if not isinstance(node.operator, Opaque) or not isinstance(node.operator.source, Source):
            return None
        proto, graphs = node.operator.source.proto, dict(node.operator.graphs)
        if not isinstance(proto, NodeProto) or proto.op_type != "If" or proto.domain not in DOMAINS or len(graphs) != 2:
            return None
        return graphs["then_branch"], graphs["else_branch"]

    def say(self, node: Node, types: Sequence[TensorType], taken: Container[str]) -> Sequence[Node]:
        """Return a node as the model's opset says it, behind initializers for the rules that are inputs there."""
        opset = next((entry.version for entry in self._header.opset_import if entry.domain in DOMAINS), None)
        said = None if opset is None else say(node, types, [None] * len(types), opset)
        if said is None or isinstance(said, Refusal):
            return ()
        proto, constants = node_proto(node, said, lambda wish: free_name(wish, taken, gap=" "))
        return [self._opaque(one, (one.name,)) for one in constants] + [self._opaque(proto, node.outputs)]

    def _opaque(self, proto: NodeProto | TensorProto, outputs: tuple[str, ...]) -> Node:
        return Node(Opaque("", (), source=Source(proto, self._header)), (), outputs, "")


def _source(node: Node) -> NodeProto | TensorProto:
    source = node.operator.source if isinstance(node.operator, Opaque) else None
    if not isinstance(source, Source):
        raise UnsupportedError("the node is not there as its file had it; load the model anew", node.subject)
    return source.whole_proto


def _type_proto(kind: ValueType) -> TypeProto:
    if isinstance(kind, str):
        return _type_in_words(kind.replace(" ", ""))
    found = TypeProto()
    tensor = found.tensor_type
    tensor.elem_type = _element(kind)
    if kind.sizes is not None:
        tensor.shape.SetInParent()
        for size in kind.sizes:
            dim = tensor.shape.dim.add()
            if isinstance(size, int):
                dim.dim_value = size
    return found


def _element(tensor_type: TensorType) -> int:
    row = tensor_type.row
    if row is None or row.onnx is None:
        raise UnsupportedError(f"a tensor of type {tensor_type} has no element type in ONNX")
    return type_number(row)


def _type_in_words(words: str) -> TypeProto:
    """Return the type that ONNX Runtime calls so: `seq(tensor(float))`, `map(int64,tensor(float))`."""
    found = TypeProto()
    nested, mapped = _NESTED.fullmatch(words), _MAP.fullmatch(words)
    if mapped is not None:
        found.map_type.key_type = type_number(_spelt(mapped[1]))
        found.map_type.value_type.CopyFrom(_type_in_words(mapped[2]))
    elif nested is None:
        raise UnsupportedError(f"a value is of type {short(words)}, allowed tensors, sequences, optionals and maps")
    elif nested[1] == "tensor":
        found.tensor_type.elem_type = type_number(_spelt(nested[2]))
    elif nested[1] == "seq":
        found.sequence_type.elem_type.CopyFrom(_type_in_words(nested[2]))
    else:
        found.optional_type.elem_type.CopyFrom(_type_in_words(nested[2]))
    return found


def _spelt(name: str) -> DType:
    dtype = dtypes.by_spelling("onnx").get(name)
    if dtype is None:
        raise UnsupportedError(f"an element type is {short(name)}, which wherry does not have")
    return dtype
