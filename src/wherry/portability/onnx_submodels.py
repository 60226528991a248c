"""OnnxSubmodels: nodes of an ONNX model as models of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wherry.dtypes import of
from wherry.errors import UnsupportedError
from wherry.formats import load
from wherry.models.model import Model
from wherry.portability.submodels import NOTHING, Array, Part, Submodels
from wherry.runtimes.handed import WEIGHTS

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto

_FILE_LIMIT = 2**31 - 2**26
"""Weights of more bytes do not lie in the model's own file: with 64 MiB for the nodes protobuf holds no more."""

_APART = 1024
"""Weights of fewer bytes stay in the model's file."""

_ALIGNMENT = 4096
"""Weights begin at multiples of so many bytes, where a runtime can map them."""

_FIRST_WITH_FREE_INITIALIZERS = 4
"""The first IR version in which an initializer need not be an input."""


class OnnxPart(Part):
    """Nodes of an ONNX model as a model of their own."""

    def __init__(self, proto: ModelProto) -> None:
        self.proto = proto
        self.inputs = tuple(one.name for one in proto.graph.input)
        self.outputs = tuple(one.name for one in proto.graph.output)

    def write(self, path: Path) -> None:
        """Write the model, its weights beside it where protobuf cannot hold them.

        Raises UnsupportedError for a model that is too large without its weights.
        """
        proto = self.proto
        if sum(len(one.raw_data) for one in proto.graph.initializer) > _FILE_LIMIT:
            proto = _with_weights_beside(proto, path.with_suffix(WEIGHTS))
        try:
            path.write_bytes(proto.SerializeToString())
        except ValueError:
            raise UnsupportedError(
                "a part of the model has more than 2 GiB beside its weights, which protobuf does not hold"
            ) from None

    def load(self) -> Model:
        """Return the model, read."""
        return load(self.proto)


class OnnxSubmodels(Submodels):
    """Models of nodes as the file has them, in the file's order, which is one that runs."""

    suffix = ".onnx"

    def __init__(self, proto: ModelProto) -> None:
        self._proto = proto
        self._nodes = list(proto.graph.node)
        super().__init__(
            [tuple(dict.fromkeys(_reads(node))) for node in self._nodes],
            [tuple(name for name in node.output if name) for node in self._nodes],
            (one.name for one in proto.graph.output),
        )
        self._initializers = {one.name: one for one in proto.graph.initializer}
        self._infos = {one.name: one for one in (*proto.graph.value_info, *proto.graph.output)}
        self._inputs = {one.name: one for one in proto.graph.input}
        shapes = [one.type.tensor_type.shape for one in proto.graph.input]
        self._is_open = any(not dim.HasField("dim_value") for shape in shapes for dim in shape.dim)
        self._sparse = {one.values.name: one for one in proto.graph.sparse_initializer}
        self._versions = {entry.domain: entry.version for entry in proto.opset_import}

    def name(self, place: int) -> str:
        """See Submodels."""
        return self._nodes[place].name or next(iter(self._nodes[place].output), "")

    def operator(self, place: int) -> str:
        """See Submodels."""
        node = self._nodes[place]
        domain = f"{node.domain}." if node.domain else ""
        return f"{domain}{node.op_type} of opset {self._versions.get(node.domain, 1)}"

    def is_constant(self, place: int) -> bool:
        """See Submodels."""
        return bool(self._nodes[place].op_type == "Constant")

    def reduces(self, place: int) -> bool:
        """See Submodels."""
        words: set[bytes] = {one.s for one in self._nodes[place].attribute if one.name == "reduction"}
        return not words <= {b"", b"none"}

    def part(self, end: int, start: int = 0, given: Mapping[str, Array] = NOTHING) -> OnnxPart:
        """See Submodels; the model itself is returned as it is."""
        if start == 0 and end == len(self):
            return OnnxPart(self._proto)
        if start == 0:
            return self._model(range(end), self._inputs, self.live(end))
        read = {name for place in range(start, end) for name in self._reads[place]}
        constants = [self._maker[name] for name in read if self._is_constant_tensor(name) and self._maker[name] < start]
        infos = {name: self._infos.get(name) or self._declared(name, array) for name, array in given.items()
                 if name in self._maker and not self._is_constant_tensor(name)}  # fmt: skip
        places = (*sorted(constants), *range(start, end))
        return self._model(places, {**self._inputs, **infos}, self.outputs(end, start))

    def fed(self, place: int) -> tuple[str, ...]:
        """See Submodels."""
        return tuple(
            name
            for name in self._reads[place]
            if (name in self._maker and not self._is_constant_tensor(name)) or
            (name in self._inputs and name not in self._initializers)
        )  # fmt: skip

    def alone(self, place: int, given: Mapping[str, Array]) -> OnnxPart:
        """See Submodels."""
        infos = {name: self._inputs.get(name) or self._infos.get(name) or self._declared(name, array)
                 for name, array in given.items()}  # fmt: skip
        constants = [self._maker[name] for name in self._reads[place] if self._is_constant_tensor(name)]
        return self._model((*constants, place), infos, self._makes[place])

    def _declared(self, name: str, array: Array) -> ValueInfoProto:
        """Return the type of a tensor that the file tells nothing of; with its sizes where the inputs have theirs."""
        from onnx import helper

        from wherry.dialects.onnx.tensor_data import type_number

        row = of(array.dtype)
        if row is None or row.onnx is None:
            raise UnsupportedError(f"a tensor of {array.dtype} has no element type in ONNX")
        sizes = [None] * array.ndim if self._is_open else list(array.shape)
        return helper.make_tensor_value_info(name, type_number(row), sizes)

    def _is_constant_tensor(self, name: str) -> bool:
        return name in self._maker and self.is_constant(self._maker[name])

    def _model(self, places: Iterable[int], inputs: Mapping[str, Any], outputs: Iterable[str]) -> OnnxPart:
        from onnx import ValueInfoProto

        from wherry.dialects.onnx.source import header_of

        made = header_of(self._proto)
        made.ir_version = max(made.ir_version, _FIRST_WITH_FREE_INITIALIZERS)
        graph: GraphProto = made.graph
        graph.name = "part"
        kept = list(places)
        graph.node.extend(self._nodes[place] for place in kept)
        read = {name for place in kept for name in self._reads[place]}
        graph.input.extend(info for name, info in inputs.items() if name in read)
        graph.initializer.extend(one for name, one in self._initializers.items() if name in read)
        graph.sparse_initializer.extend(one for name, one in self._sparse.items() if name in read)
        graph.output.extend(self._infos.get(name) or ValueInfoProto(name=name) for name in outputs)
        return OnnxPart(made)


def _reads(node: NodeProto) -> Iterator[str]:
    """Yield the tensors that a node reads, those that its branches and bodies read too."""
    yield from (name for name in node.input if name)
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                yield from _reads(inner)
            yield from (one.name for one in graph.output)


def _with_weights_beside(proto: ModelProto, path: Path) -> ModelProto:
    """Return a model whose larger initializers lie in a file, as external data; the model itself stays as it is."""
    from onnx import TensorProto

    from wherry.dialects.onnx.source import header_of

    made = header_of(proto)
    graph = made.graph
    for name in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(graph, name).extend(getattr(proto.graph, name))
    graph.name = proto.graph.name
    with path.open("wb") as file:
        for one in proto.graph.initializer:
            if len(one.raw_data) < _APART:
                graph.initializer.append(one)
                continue
            file.write(bytes(-file.tell() % _ALIGNMENT))
            place = {"location": path.name, "offset": file.tell(), "length": len(one.raw_data)}
            file.write(one.raw_data)
            apart = TensorProto(name=one.name, data_type=one.data_type, dims=one.dims)
            apart.data_location = TensorProto.EXTERNAL
            for key, value in place.items():
                apart.external_data.add(key=key, value=str(value))
            graph.initializer.append(apart)
    return made


def proto_of(source: Any) -> ModelProto:
    """Return the file of a model, with its external data: of a path, bytes, or a ModelProto."""
    import onnx

    if isinstance(source, onnx.ModelProto):
        return source
    if isinstance(source, bytes | bytearray | memoryview):
        return onnx.load_from_string(bytes(source))
    return onnx.load(str(source))
