"""Types between nodes, as the shape inference of the onnx package finds them: in a process of its own, without weights.

That inference is C++ which trusts its input: a missing input, an axis out of range or a declared size of 2^31 ends the
process or takes its memory, in ways too many to be checked for before. So it has a process to end, limits on what it
takes, and no say in what else the reader refuses.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from google.protobuf.message import DecodeError, EncodeError  # type: ignore[import-untyped]
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto

from wherry.dialects.onnx.content import graphs_of
from wherry.dialects.onnx.writer import value_info
from wherry.tensors import TensorType

_SMALL = 128
"""Tensors and attributes of up to so many elements are handed on with their values: they may be shapes, axes, pads."""

_SMALL_NODE = 512
"""Nodes of up to so many bytes are copied whole, in a fifth of the time: what could be left out of them is small."""

_SECONDS, _SECONDS_PER_BYTE = 0.5, 1e-6
"""The processor time that inferring may take; a node has some 25 bytes, and takes some 4 microseconds."""

_COPIES = 20_000_000
"""For each graph in a node the inference copies a table of the tensors around it: in so many entries, in a second."""

_MEMORY, _MEMORY_PER_BYTE = 2**26, 128
"""The bytes of memory that inferring may take."""

_PATIENCE = 60.0
"""Seconds after which the process is ended in any case, where the system does not count its processor time."""

_CHILD = Path(__file__).with_name("inference_child.py")


class Inference:
    """What shape inference tells of a model; nothing is inferred before it is asked for.

    `told` are types of tensors that it starts from, besides those that the model declares.
    """

    def __init__(self, proto: ModelProto, told: Mapping[str, TensorType] | None = None) -> None:
        self._proto = proto
        self._told = told or {}

    @cached_property
    def graph(self) -> GraphProto | None:
        """The model's graph without weights, with all types that were inferred; None where the inference fails.

        Nodes, attributes and the graphs in them have the places that they have in the model.
        """
        if _copies(self._proto.graph) > _COPIES:  # which is quadratic
            return None
        try:
            answer = _inferred(self._skeleton().SerializeToString())
            graph = ModelProto.FromString(answer).graph if answer else None
        except (DecodeError, EncodeError, ValueError):
            return None
        if graph is not None:
            graph.ClearField("initializer")  # which the reader has
        return graph

    def _skeleton(self) -> ModelProto:
        copy = skeleton(self._proto)
        if self._told:
            _tell(copy.graph, self._told)
        return copy


def _inferred(content: bytes) -> bytes:
    """Return what the child process answers; nothing where it ends otherwise, or where there is no Python to start."""
    if "python" not in Path(sys.executable or "").name.lower():  # a program that holds Python in itself
        return b""
    seconds, memory = _SECONDS + _SECONDS_PER_BYTE * len(content), _MEMORY + _MEMORY_PER_BYTE * len(content)
    command = [sys.executable, "-P", str(_CHILD), str(seconds), str(memory)]
    # The same packages, and no threads that the inference would not use.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=environment, timeout=_PATIENCE + seconds, check=False)  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""


def skeleton(proto: ModelProto) -> ModelProto:
    """Return a model with the same graphs, whose large tensors have a type and sizes, and no values."""
    copy = ModelProto(ir_version=proto.ir_version)
    copy.opset_import.extend(proto.opset_import)
    _add_graph(copy.graph, proto.graph)
    for function in proto.functions:
        bare = copy.functions.add(name=function.name, domain=function.domain, overload=function.overload)
        for field in ("input", "output", "attribute", "opset_import", "value_info"):
            getattr(bare, field).extend(getattr(function, field))
        for attribute in function.attribute_proto:
            _add_attribute(bare.attribute_proto.add(), attribute)
        for node in function.node:
            _add_node(bare.node.add(), node)
    return copy


def _tell(graph: GraphProto, told: Mapping[str, TensorType]) -> None:
    """Declare the types of those tensors that the nodes of a graph make, or of the graphs in it."""
    made = {name for node in graph.node for name in node.output if name in told}
    kept = [info for info in graph.value_info if info.name not in made]
    del graph.value_info[:]
    graph.value_info.extend([*kept, *(value_info(name, told[name]) for name in made)])
    for node in graph.node:
        for attribute in node.attribute:
            for inner in graphs_of(attribute):
                _tell(inner, told)


def _copies(graph: GraphProto, around: int = 0) -> int:
    """Return how many entries of tables of tensors are copied, with so many tensors around a graph."""
    around += len(graph.input) + len(graph.initializer)
    copied = 0
    for node in graph.node:
        for attribute in node.attribute:
            for inner in graphs_of(attribute):
                copied += around + _copies(inner, around)
        around += len(node.output)
    return copied


def _add_graph(copy: GraphProto, graph: GraphProto) -> None:
    copy.name = graph.name
    for field in ("input", "output", "value_info"):
        getattr(copy, field).extend(getattr(graph, field))
        for info in getattr(copy, field):
            for dim in info.type.tensor_type.shape.dim if info.type.HasField("tensor_type") else ():
                if dim.dim_value < 0:  # unknown
                    dim.Clear()
    for tensor in graph.initializer:
        _add_tensor(copy.initializer.add(), tensor)
    for sparse in graph.sparse_initializer:
        _add_sparse(copy.sparse_initializer.add(), sparse)
    for node in graph.node:
        _add_node(copy.node.add(), node)


def _add_node(copy: NodeProto, node: NodeProto) -> None:
    if node.ByteSize() <= _SMALL_NODE and not any(map(_has_parts, node.attribute)):
        copy.CopyFrom(node)
        return
    copy.op_type, copy.domain, copy.overload = node.op_type, node.domain, node.overload
    copy.input.extend(node.input)
    copy.output.extend(node.output)
    for attribute in node.attribute:
        _add_attribute(copy.attribute.add(), attribute)


def _has_parts(attribute: AttributeProto) -> bool:
    """Whether an attribute holds a tensor or a graph, of which not all is handed on."""
    return bool(attribute.graphs) or any(map(attribute.HasField, ("g", "t", "sparse_tensor")))


def _add_attribute(copy: AttributeProto, attribute: AttributeProto) -> None:
    """Add an attribute; of a large one that holds neither a tensor nor a graph, the name alone."""
    copy.name = attribute.name
    if not _has_parts(attribute):
        if sum(map(len, (attribute.floats, attribute.ints, attribute.strings))) <= _SMALL:
            copy.CopyFrom(attribute)
        return
    copy.type = attribute.type
    if attribute.HasField("g"):
        _add_graph(copy.g, attribute.g)
    for graph in attribute.graphs:
        _add_graph(copy.graphs.add(), graph)
    if attribute.HasField("t"):
        _add_tensor(copy.t, attribute.t)
    if attribute.HasField("sparse_tensor"):
        _add_sparse(copy.sparse_tensor, attribute.sparse_tensor)


def _add_tensor(copy: TensorProto, tensor: TensorProto) -> None:
    if math.prod(tensor.dims) <= _SMALL:
        copy.CopyFrom(tensor)
        return
    copy.name, copy.data_type = tensor.name, tensor.data_type
    copy.dims.extend(tensor.dims)


def _add_sparse(copy: SparseTensorProto, sparse: SparseTensorProto) -> None:
    copy.dims.extend(sparse.dims)
    _add_tensor(copy.values, sparse.values)
    _add_tensor(copy.indices, sparse.indices)
