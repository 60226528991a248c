"""Reading ONNX files: a ModelProto to a Graph of operators with every rule a field."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

from numpy.typing import NDArray

from wherry import errors
from wherry.dialects import rows
from wherry.dialects.onnx.row import Kind, OnnxRow, arranged, bind, input_names
from wherry.dialects.onnx.table import DOMAINS, NAMES, NEWEST_IR_VERSION, NEWEST_OPSET, find_row
from wherry.errors import FileFormatError, UnsupportedError
from wherry.graph import Deferred, GraphBuilder
from wherry.model import GraphModel
from wherry.ops import Operator
from wherry.tensors import Size, TensorType

try:
    from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

    from wherry.dialects.onnx.external import Folder
    from wherry.dialects.onnx.tensor_data import decode, decode_sparse, element_type
except ImportError as error:
    if error.name is None or not error.name.startswith(("onnx", "google")):
        raise
    raise errors.missing("onnx", "onnx", "reading ONNX files") from None

Array = NDArray[Any]

_FILE_LIMIT = 2**31 - 1
"""The most bytes of one protobuf message."""


def read(path: str | Path) -> GraphModel:
    """Read an ONNX file, with its external data from the same folder, to a model that runs.

    Raises FileFormatError for a file that is damaged, hostile or not ONNX, UnsupportedError that lists every operator
    wherry does not have with its node, SizeOverflowError for sizes beyond 64-bit arithmetic, InvalidValueError or
    InvalidTypeError for a node that its operator does not allow, FileNotFoundError.
    Specification: ONNX IR (onnx.proto) up to version 14, standard operators up to opset 28.
    """
    path = Path(path)
    with errors.subject(f"ONNX model {path.name!r}"):
        size = path.stat().st_size
        if size > _FILE_LIMIT:
            raise FileFormatError(f"the file has {size} bytes, allowed {_FILE_LIMIT} by protobuf; keep large tensors "
                                  "as external data")  # fmt: skip
        try:
            proto = ModelProto.FromString(path.read_bytes())
        except DecodeError as error:
            raise FileFormatError(f"the file is truncated, or not ONNX: {error}") from None
        return _read(proto, Folder(path.parent))


def read_proto(model_proto: ModelProto, base_dir: str | Path | None = None) -> GraphModel:
    """Return the model that a ModelProto in memory holds; `base_dir` is the folder of its external data, if it has any.

    Raises as `read` does.
    """
    with errors.subject("ONNX model"):
        return _read(model_proto, None if base_dir is None else Folder(Path(base_dir)))


def _read(proto: ModelProto, folder: Folder | None) -> GraphModel:
    _check_strings(proto)
    return _Reader(proto, folder).read()


def _check_strings(message: Message) -> None:
    """Refuse names that are not UTF-8, which protobuf hands on as bytes."""
    strings, messages = _fields(cast(Hashable, type(message)))
    for name, several in strings:
        value = getattr(message, name)
        for entry in value if several else (value,):
            if not isinstance(entry, str):
                raise FileFormatError(f"{type(message).__name__}.{name} is {entry!r}, which is not UTF-8")
    for name, several in messages:
        if several or message.HasField(name):
            value = getattr(message, name)
            for entry in value if several else (value,):
                _check_strings(entry)


@cache
def _fields(kind: Any) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the fields of a message that are strings, and those that are messages; True for repeated ones."""
    pairs: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for field in kind.DESCRIPTOR.fields:
        if field.type in (field.TYPE_STRING, field.TYPE_MESSAGE):
            pairs[field.type == field.TYPE_MESSAGE].append((field.name, field.is_repeated))
    return pairs


class _Reader:
    """One reading: versions first, then all that is unsupported, then tensors and nodes in order."""

    def __init__(self, proto: ModelProto, folder: Folder | None) -> None:
        self.proto = proto
        self.graph: GraphProto = proto.graph
        self.folder = folder
        self.builder = GraphBuilder(proto.graph.name)
        self.defaults: dict[str, Array] = {}
        self.unused = 0

    def read(self) -> GraphModel:
        if not self.proto.HasField("graph"):
            raise FileFormatError("the model has no graph; the file is truncated, or not ONNX")
        ir_version = self.proto.ir_version
        if ir_version < 1:
            raise FileFormatError(f"ir_version is {ir_version}, allowed 1..{NEWEST_IR_VERSION}; is this an ONNX file?")
        if ir_version > NEWEST_IR_VERSION:
            raise UnsupportedError(f"ir_version is {ir_version}, allowed 1..{NEWEST_IR_VERSION}")
        self.opset = self._find_opset()
        self._refuse_unsupported()
        self._add_inputs(self._initializers())
        self._add_nodes()
        return GraphModel(self.builder.build(self._outputs()), "onnx", self.defaults)

    def _find_opset(self) -> int | None:
        """Return the version of the standard operators, or None if the model does not import them."""
        imports = self.proto.opset_import
        if self.proto.ir_version < 3:
            if imports:
                raise FileFormatError(f"opset_import is given, which ir_version {self.proto.ir_version} does not have")
            return 1
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
        return opset

    def _refuse_unsupported(self) -> None:
        """Raise one error that lists every operator that wherry does not have."""
        missing = [(f"function {function.domain}.{function.name}", "of the model") for function in self.proto.functions]
        for number, node in enumerate(self.graph.node):
            spoken, label = node.op_type or "(no op_type)", _label(node, number)
            called = label.removeprefix("node ")
            if node.domain not in DOMAINS:
                missing.append((f"{node.domain}.{spoken}", called))
            elif node.overload:
                missing.append((f"{spoken} with overload {node.overload!r}", called))
            elif self.opset is None:
                raise FileFormatError(f"{label} is of the domain ai.onnx, which opset_import lacks")
            elif node.op_type not in NAMES:
                missing.append((spoken, called))
            elif self.opset > NEWEST_OPSET:
                missing.append((f"{spoken} of opset {self.opset} (known up to {NEWEST_OPSET})", called))
        if missing:
            error = rows.unsupported(missing, "ONNX model", NAMES)
            error.subject = None  # the caller knows the file
            raise error

    def _initializers(self) -> dict[str, Array]:
        values: dict[str, Array] = {}
        for tensor in self.graph.initializer:
            values[self._new_initializer(tensor.name, values)] = decode(
                tensor, f"initializer {tensor.name!r}", self.folder
            )
        for sparse in self.graph.sparse_initializer:
            name = self._new_initializer(sparse.values.name, values)
            values[name] = decode_sparse(sparse, f"sparse initializer {name!r}", self.folder)
        return values

    @staticmethod
    def _new_initializer(name: str, values: dict[str, Array]) -> str:
        if not name:
            raise FileFormatError("an initializer has no name")
        if name in values:
            raise FileFormatError(f"initializer {name!r} is defined twice")
        return name

    def _add_inputs(self, initializers: dict[str, Array]) -> None:
        """Define inputs and initializers; one that is both is an input with a default."""
        for info in self.graph.input:
            if not info.name:
                raise FileFormatError("an input has no name")
            kind = _declared(info, f"input {info.name!r}")
            if kind is None:
                raise FileFormatError(f"input {info.name!r} has no type")
            self.builder.add_input(info.name, kind)
            value = initializers.pop(info.name, None)
            if value is None:
                continue
            if not kind.accepts(TensorType.of(value)):
                raise FileFormatError(f"initializer {info.name!r} is {TensorType.of(value)}, its input declares {kind}")
            self.defaults[info.name] = value
        for name, value in initializers.items():
            if self.proto.ir_version < 4:
                raise FileFormatError(f"initializer {name!r} is no input of the graph, which ir_version "
                                      f"{self.proto.ir_version} requires")  # fmt: skip
            self.builder.add_constant(name, value)

    def _add_nodes(self) -> None:
        later = {name: _label(node, n) for n, node in enumerate(self.graph.node) for name in node.output if name}
        for number, node in enumerate(self.graph.node):
            label = _label(node, number)
            for name in node.input:
                if name and name not in self.builder.types:
                    self._refuse_undefined(name, label, later)
            self._add_node(node, find_row(node.op_type, self.opset or 1), label)

    @staticmethod
    def _refuse_undefined(name: str, label: str, later: dict[str, str]) -> None:
        if name in later:
            raise FileFormatError(f"{label} reads {name!r}, which {later[name]} makes at or after it; nodes must be in "
                                  "topological order, without a cycle")  # fmt: skip
        raise FileFormatError(f"{label} reads {name!r}, which nothing in the graph defines")

    def _add_node(self, node: NodeProto, row: OnnxRow, label: str) -> None:
        subject = f"{row.subject} {node.name or (node.output[0] if node.output else label)!r}"
        inputs = _trimmed(list(node.input))
        outputs = [name or self._unused_name() for name in _trimmed(list(node.output))]
        with errors.subject(subject):
            attributes = dict(_attributes(node, row, self.folder))
            types = [self.builder.types[name] if name else None for name in inputs]
            built = bind(row, types, attributes, len(outputs))
            named = dict(zip(input_names(row, len(inputs)), inputs, strict=True))
        if isinstance(built, Operator | Deferred):
            given = {name: tensor for name, tensor in named.items() if tensor}
            outputs += [self._unused_name() for _ in row.outputs[len(outputs) :] if not row.outputs[-1].variadic]
            self.builder.add(built, [given[name] for name in arranged(row, given)], outputs, subject, node.name)
        else:
            self.builder.add_constant(outputs[0], built)

    def _unused_name(self) -> str:
        """Return a name, used nowhere else, for an output that the node leaves unnamed."""
        while (name := f"unused output {self.unused}") in self._names_in_use:
            self.unused += 1
        self.unused += 1
        return name

    @cached_property
    def _names_in_use(self) -> set[str]:
        tensors = (info.name for info in (*self.graph.input, *self.graph.initializer))
        return {name for node in self.graph.node for name in node.output}.union(tensors)

    def _outputs(self) -> list[str]:
        names: dict[str, None] = {}
        for info in self.graph.output:
            if info.name in names:
                raise FileFormatError(f"output {info.name!r} is listed twice")
            names[info.name] = None
            declared, found = _declared(info, f"output {info.name!r}"), self.builder.types.get(info.name)
            if declared is not None and found is not None and not declared.accepts(found):
                raise FileFormatError(f"output {info.name!r} is declared {declared}, but its node makes {found}")
        if not names:
            raise FileFormatError("the graph has no outputs")
        return list(names)


def _label(node: NodeProto, number: int) -> str:
    """Return how a node is called in messages: by its name, else by its number."""
    if node.name:
        return f"node {node.name!r}"
    return f"node {number} with output {node.output[0]!r}" if node.output else f"node {number}"


def _trimmed(names: list[str]) -> list[str]:
    """Return names without the empty ones at the end, which stand for inputs or outputs that are left out."""
    while len(names) > 1 and not names[-1]:
        names.pop()
    return names


def _declared(info: ValueInfoProto, where: str) -> TensorType | None:
    """Return the type that an input or output declares, or None if it declares none."""
    which = info.type.WhichOneof("value")
    if which is None:
        return None
    if which != "tensor_type":
        raise UnsupportedError(f"{where} is of {which}, allowed tensor_type; wherry moves tensors only")
    kind: TypeProto.Tensor = info.type.tensor_type
    dtype = element_type(kind.elem_type, where)
    if not kind.HasField("shape"):
        return TensorType(dtype, None)
    sizes: list[Size] = []
    for axis, dim in enumerate(kind.shape.dim):
        if dim.HasField("dim_value"):
            if dim.dim_value < 0:
                raise FileFormatError(f"{where} has size {dim.dim_value} on axis {axis}, allowed 0 and more, or none "
                                      "where it is not known")  # fmt: skip
            sizes.append(dim.dim_value)
        else:
            sizes.append(dim.dim_param or None)
    return TensorType(dtype, sizes)


_READ: dict[Kind, Callable[[AttributeProto], Any]] = {
    Kind.INT: lambda attribute: attribute.i,
    Kind.INTS: lambda attribute: tuple(attribute.ints),
    Kind.FLOAT: lambda attribute: attribute.f,
    Kind.FLOATS: lambda attribute: tuple(attribute.floats),
    Kind.STRING: lambda attribute: attribute.s.decode("utf-8"),
    Kind.STRINGS: lambda attribute: [entry.decode("utf-8") for entry in attribute.strings],
}


def _attributes(node: NodeProto, row: OnnxRow, folder: Folder | None) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of a node with their values. Raises FileFormatError for one of another kind, or repeated."""
    kinds = {attribute.name: attribute.kind for attribute in row.attributes}
    seen: set[str] = set()
    for attribute in node.attribute:
        name = attribute.name
        if name in seen:
            raise FileFormatError(f"attribute {name!r} is given twice")
        seen.add(name)
        if attribute.ref_attr_name:
            raise FileFormatError(
                f"attribute {name!r} refers to {attribute.ref_attr_name!r} of a function, outside one"
            )
        kind = kinds.get(name)
        if kind is None:
            yield name, attribute  # bind refuses it by name
            continue
        if attribute.type != AttributeProto.AttributeType.Value(kind):
            given = AttributeProto.AttributeType.Name(attribute.type)
            raise FileFormatError(f"attribute {name!r} is of kind {given}, allowed {kind}")
        yield name, _attribute_value(attribute, kind, folder)


def _attribute_value(attribute: AttributeProto, kind: Kind, folder: Folder | None) -> Any:
    where = f"attribute {attribute.name!r}"
    if kind is Kind.TENSOR:
        tensor: TensorProto = attribute.t
        return decode(tensor, where, folder)
    if kind is Kind.SPARSE_TENSOR:
        return decode_sparse(attribute.sparse_tensor, where, folder)
    try:
        return _READ[kind](attribute)
    except UnicodeDecodeError:
        raise FileFormatError(f"{where} has a string that is not UTF-8") from None
