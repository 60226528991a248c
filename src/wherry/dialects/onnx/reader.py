"""Reading ONNX files: a ModelProto to a Graph of operators with every rule a field."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from wherry import errors
from wherry.arguments import as_ints, as_mapping, as_path, check_is
from wherry.arrays.mapped import map_file
from wherry.dialects.onnx.schema import NEWEST_IR_VERSION, NEWEST_OPSET
from wherry.dialects.onnx.table import DOMAINS
from wherry.dialects.onnx.wire import without_weights
from wherry.dtypes import UNKNOWN
from wherry.errors import FileFormatError, UnsupportedError, invalid, short
from wherry.graph import Graph, Opaque
from wherry.models.listing import Listing
from wherry.models.model import GraphModel
from wherry.tensors import TensorType

try:
    from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]
    from onnx import GraphProto, ModelProto

    from wherry.dialects.onnx.external import Folder
    from wherry.dialects.onnx.graph_reader import GraphReader, Setting, declared_type
    from wherry.dialects.onnx.inference import Inference
    from wherry.dialects.onnx.local_functions import LocalFunctions
    from wherry.dialects.onnx.parts import OnnxParts
    from wherry.dialects.onnx.source import header_of
    from wherry.dialects.onnx.tensor_data import Store
except ImportError as error:
    if error.name is None or not error.name.startswith(("onnx", "google")):
        raise
    raise errors.missing("onnx", "onnx", "reading ONNX files") from None

_FILE_LIMIT = 2**31 - 1
"""The most bytes of one protobuf message."""

_MOST_ROUNDS = 4
"""How often types are inferred: what is found of movement nodes tells more of the others, and so on."""

_MOST_FED = 20_000
"""The most nodes of a model whose types are inferred again; more take seconds a round."""

_MOST_NESTED = 100
"""How deep messages may lie in each other: as deep as protobuf reads them from a file."""


def read(path: str | Path, *, sizes: Mapping[str, Sequence[int]] | None = None) -> GraphModel:
    """Read an ONNX file, with its external data from the same folder.

    Operators that wherry does not have are kept as opaque nodes, with the types that the file and the shape inference
    of the onnx package tell; a model without them runs. `sizes` fixes the sizes of inputs that the file leaves open.

    Raises FileFormatError for a file that is damaged, hostile or not ONNX, UnsupportedError for an IR version that
    wherry does not know, SizeOverflowError for sizes beyond 64-bit arithmetic, InvalidValueError or InvalidTypeError
    for a node that its operator does not allow, FileNotFoundError. In a branch or body such a node is opaque: it may
    never run.
    Specification: ONNX IR (onnx.proto) up to version 14, standard operators up to opset 28.
    """
    path = as_path("path", path)
    with errors.subject(f"ONNX model {path.name!r}"):
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > _FILE_LIMIT:
                raise FileFormatError(f"the file has {size} bytes, allowed {_FILE_LIMIT} by protobuf; keep large "
                                      "tensors as external data")  # fmt: skip
            held = map_file(file, size)
        location = path.name.encode(errors="replace").decode()
        proto = _parsed(without_weights(held.data, location))
        return _read(proto, Folder(path.parent, (location, held)), sizes)


def read_bytes(content: bytes, *, sizes: Mapping[str, Sequence[int]] | None = None) -> GraphModel:
    """Return the model that the bytes of a file hold; see `read`. External data is refused: bytes have no folder."""
    with errors.subject("ONNX model"):
        return _read(_parsed(content), None, sizes)


def _parsed(content: bytes | memoryview) -> ModelProto:
    try:
        proto: ModelProto = ModelProto.FromString(content)
    except DecodeError as error:
        raise FileFormatError(f"the file is truncated, or not ONNX: {error}") from None
    check_messages(proto)
    return proto


def read_proto(
    model_proto: ModelProto,
    base_dir: str | Path | None = None,
    *,
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> GraphModel:
    """Return the model that a ModelProto in memory holds; `base_dir` is the folder of its external data, if it has any.

    `sizes` is that of `read`, and it raises as `read` does.
    """
    with errors.subject("ONNX model"):
        check_is("model_proto", model_proto, ModelProto, "an onnx.ModelProto")
        check_messages(model_proto)
        if sizes is not None:  # the caller's own stays as it is
            model_proto, given = ModelProto(), model_proto
            model_proto.CopyFrom(given)
        return _read(model_proto, None if base_dir is None else Folder(as_path("base_dir", base_dir)), sizes)


def read_runnable(model_proto: ModelProto) -> GraphModel:
    """Return the model that a ModelProto in memory holds. Raises UnsupportedError for one with opaque nodes."""
    with errors.subject("ONNX model"):
        check_is("model_proto", model_proto, ModelProto, "an onnx.ModelProto")
        check_messages(model_proto)
        read = _Reader(model_proto, None).read(infers=False)
        read.graph.refuse_opaque()
        return read


def _read(proto: ModelProto, folder: Folder | None, sizes: Mapping[str, Sequence[int]] | None) -> GraphModel:
    if sizes is not None:
        _set_sizes(proto, as_mapping("sizes", sizes))
    return _Reader(proto, folder).read()


def _set_sizes(proto: ModelProto, sizes: Mapping[str, Sequence[int]]) -> None:
    """Give the inputs of a model these sizes, and put numbers in the places of the symbols (dim_param) for them.

    Raises InvalidValueError where they contradict the file or each other.
    """
    inputs = {info.name: info for info in proto.graph.input}
    numbers: dict[str, int] = {}
    for name, each in sizes.items():
        if name not in inputs:
            raise invalid("sizes", short(name), ", ".join(map(repr, inputs)), "the names of the inputs")
        given = as_ints(f"sizes of input {name!r}", each)
        declared = declared_type(inputs[name], f"input {name!r}")
        if declared is None or not declared.accepts(declared.with_sizes(given)):
            raise invalid(f"sizes of input {name!r}", list(given), str(declared))
        shape = inputs[name].type.tensor_type.shape
        for dim, size in zip(shape.dim, given, strict=False):
            if dim.dim_param and numbers.setdefault(dim.dim_param, size) != size:
                raise invalid(f"sizes of input {name!r}", list(given), f"{dim.dim_param} = {numbers[dim.dim_param]}",
                              "as for another input")  # fmt: skip
        del shape.dim[:]
        for size in given:
            shape.dim.add(dim_value=size)
    _replace_symbols(proto.graph, numbers)


def _replace_symbols(graph: GraphProto, numbers: Mapping[str, int]) -> None:
    """Put numbers in the places of symbols, in this graph and those that its nodes hold."""
    for info in (*graph.input, *graph.value_info, *graph.output):
        for dim in info.type.tensor_type.shape.dim if info.type.HasField("tensor_type") else ():
            if dim.dim_param in numbers:
                dim.dim_value = numbers[dim.dim_param]
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs) if attribute.HasField("g") else attribute.graphs:
                _replace_symbols(inner, numbers)


def check_messages(message: Message, depth: int = 1) -> None:
    """Refuse names that are not UTF-8, which protobuf hands on as bytes, and messages nested too deep."""
    if depth > _MOST_NESTED:
        raise FileFormatError(f"messages lie more than {_MOST_NESTED} deep in each other, which protobuf does not read")
    for field, value in message.ListFields():
        kind, is_repeated = _kind_of(field)
        if kind not in (field.TYPE_STRING, field.TYPE_MESSAGE):
            continue
        for entry in value if is_repeated else (value,):
            if kind == field.TYPE_MESSAGE:
                check_messages(entry, depth + 1)
            elif not isinstance(entry, str):
                raise FileFormatError(f"{type(message).__name__}.{field.name} is {entry!r}, which is not UTF-8")


@cache
def _kind_of(field: Any) -> tuple[int, bool]:
    """Return the type of a field of messages, and whether it is repeated; to ask protobuf takes longer."""
    return field.type, field.is_repeated


def _about(proto: ModelProto, versions: Mapping[str, int]) -> dict[str, str | int]:
    """Return what the file tells of itself."""
    producer = f"{proto.producer_name} {proto.producer_version}".strip()
    opsets = ", ".join(f"{domain} {version}".lstrip() for domain, version in versions.items())
    version = {"version": f"opset {opsets}, IR version {proto.ir_version}"}
    return {**version, "producer": producer} if producer else {**version}


def _news(graph: Graph, told: Mapping[str, TensorType]) -> dict[str, TensorType]:
    """Return the types of tensors that movement nodes make, where their values tell more than the graph knows yet."""
    if not graph.opaque or len(graph.nodes) > _MOST_FED:
        return {}
    if not any(node.operator.graphs for node in graph.nodes if isinstance(node.operator, Opaque)):
        moves = any(not isinstance(node.operator, Opaque) for node in graph.nodes)
        if not moves or all(kind.is_known for kind in graph.types.values()):
            return {}
    learned = Listing.of(graph).learned
    return {name: kind for name, kind in learned.items() if kind != told.get(name) and kind.dtype is not UNKNOWN}


class _Reader:
    """One reading of a model: versions first, then the graph."""

    def __init__(self, proto: ModelProto, folder: Folder | None) -> None:
        self.proto = proto
        self.folder = folder

    def read(self, infers: bool = True) -> GraphModel:
        if not self.proto.HasField("graph"):
            raise FileFormatError("the model has no graph; the file is truncated, or not ONNX")
        ir_version = self.proto.ir_version
        if ir_version < 1:
            raise FileFormatError(f"ir_version is {ir_version}, allowed 1..{NEWEST_IR_VERSION}; is this an ONNX file?")
        if ir_version > NEWEST_IR_VERSION:
            raise UnsupportedError(f"ir_version is {ir_version}, allowed 1..{NEWEST_IR_VERSION}")
        header, versions = header_of(self.proto), self._versions()
        told: dict[str, TensorType] = {}
        for _ in range(_MOST_ROUNDS):
            setting = Setting(versions, ir_version, Store(self.folder), header, LocalFunctions(header))
            inference = Inference(self.proto, told) if infers else None
            reader = GraphReader(
                self.proto.graph,
                setting,
                infer=lambda one=inference: None if one is None else one.graph,  # type: ignore[misc]
            )
            graph = reader.read()
            more = _news(graph, told) if infers else {}
            if not more:
                break
            told |= more
        scalars = [name for name, kind in graph.inputs.items() if kind.sizes == ()]  # see docs/onnx.md
        model = GraphModel(graph, "onnx", reader.defaults, OnnxParts(header), claimed=scalars)
        model.about = _about(self.proto, setting.versions)
        model.findings = tuple(setting.findings)
        if "" in setting.versions:
            model.options = {"opset": setting.versions[""]}
        return model

    def _versions(self) -> dict[str, int]:
        """Return the version of each domain of operators that the model imports; that of the standard ones is ''."""
        imports = self.proto.opset_import
        if self.proto.ir_version < 3:
            if imports:
                raise FileFormatError(f"opset_import is given, which ir_version {self.proto.ir_version} does not have")
            return {"": 1}
        if not imports:
            raise FileFormatError("opset_import is empty, allowed one entry for each domain of operators")
        versions: dict[str, int] = {}
        for entry in imports:
            domain = "" if entry.domain in DOMAINS else entry.domain
            if domain in versions:
                raise FileFormatError(f"opset_import has the domain {domain or 'ai.onnx'!r} twice")
            versions[domain] = entry.version
        opset = versions.get("")
        if opset is not None and opset < 1:
            raise FileFormatError(f"opset_import has version {opset} of ai.onnx, allowed 1..{NEWEST_OPSET}")
        return versions
