"""Reading one GraphProto, of a model or held by a node, to a Graph."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

from wherry import errors
from wherry.conversion.findings import Effect, Finding
from wherry.dialects.onnx.content import Content, content_of, graphs_of, tensor_content
from wherry.dialects.onnx.local_functions import LocalFunctions, body_of
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.source import Source
from wherry.dialects.onnx.table import DOMAINS, NAMES, NEWEST_OPSET, find_row
from wherry.dialects.onnx.tensor_data import Store, decode, decode_sparse, element_type
from wherry.dialects.onnx.uses import Uses
from wherry.dtypes import UNKNOWN
from wherry.errors import FileFormatError, UnsupportedError, WherryError, short
from wherry.graph import Deferred, Graph, GraphBuilder, Opaque
from wherry.limits import check_ndim, check_nested
from wherry.ops import Operator
from wherry.tensors import Size, TensorType

Array = NDArray[Any]

_NOTHING_KNOWN = TensorType(UNKNOWN, None)

UNKNOWN_SIZE = -1
"""The size that files of Paddle have where none is known; no specification has it, and runtimes take it so."""


@dataclass(frozen=True)
class Setting:
    """What holds for all graphs of a model: the versions of operators by domain, IR version, where tensors lie.

    `header` is the model without its graph; opaque nodes keep it. `findings` are what reading has to tell. `uses` and
    `declared` are what was found of nodes, and of types as they are written: large models repeat them.
    """

    versions: Mapping[str, int]
    ir_version: int
    store: Store
    header: ModelProto
    functions: LocalFunctions
    findings: list[Finding] = field(default_factory=list)
    uses: Uses = field(default_factory=Uses)
    declared: dict[bytes, TensorType | None] = field(default_factory=dict)

    @property
    def opset(self) -> int:
        """The version of the standard operators; 1 where none is imported."""
        return self.versions.get("", 1)


@dataclass(frozen=True)
class Scope:
    """What a graph that a node holds sees of those around it: types, and values of constants; innermost first."""

    types: ChainMap[str, TensorType] = field(default_factory=ChainMap)
    constants: ChainMap[str, Array] = field(default_factory=ChainMap)


def missing_operator(node: NodeProto) -> str | None:
    """Return how an operator that wherry does not have is called, or None for one that it has."""
    title = node.op_type or "(no op_type)"
    if node.domain not in DOMAINS:
        return f"{node.domain}.{title}"
    if node.overload:
        return f"{title} with overload {node.overload!r}"
    if node.op_type not in NAMES:
        return title
    return None


class GraphReader:
    """One graph's reading: tensors, then nodes in order.

    `infer` returns the same graph with the types that were inferred, if they were; it is called once, for the first
    operator that wherry does not have. `contents` are those of the graph's nodes, where they are known; `depth` is how
    many graphs lie around this one.
    """

    def __init__(
        self,
        graph: GraphProto,
        setting: Setting,
        scope: Scope | None = None,
        infer: Callable[[], GraphProto | None] = lambda: None,
        contents: Sequence[Content] | None = None,
        depth: int = 0,
    ) -> None:
        self.graph = graph
        self.setting = setting
        self.scope = scope or Scope()
        self._depth = depth
        self._is_inner = depth > 0
        self._infer = infer
        self._has_asked = False
        self._answer: GraphProto | None = None
        self._contents = contents
        self.builder = GraphBuilder(graph.name, self._declared_between())
        self.defaults: dict[str, Array] = {}
        self.unused = 0
        self.captured: dict[str, None] = {}

    def read(self) -> Graph:
        """Return the graph; `defaults` then holds the values of inputs that have one."""
        self._add_inputs(self._initializers())
        self._add_nodes()
        return self.builder.build(self._outputs())

    def _declared_between(self) -> dict[str, TensorType]:
        """Return what the file tells of tensors between nodes, and of results."""
        declared = {}
        for info in (*self.graph.value_info, *self.graph.output):
            kind = self._declared(info, f"tensor {info.name!r}")
            if kind is not None:
                declared[info.name] = kind
        return declared

    def _inferred(self) -> GraphProto | None:
        """Return the graph with the types that were inferred, which the builder then knows too."""
        if not self._has_asked:
            self._has_asked, self._answer = True, self._infer()
            self.builder.declare(self._inferred_types(self._answer))
        return self._answer

    def _inferred_types(self, graph: GraphProto | None) -> dict[str, TensorType]:
        types = {}
        for info in () if graph is None else (*graph.value_info, *graph.output):
            with suppress(WherryError):  # what was inferred wrongly is no reason to refuse the file
                kind = self._declared(info, "an inferred tensor")
                if kind is not None:
                    types[info.name] = kind
        return types

    def _declared(self, info: ValueInfoProto, where: str) -> TensorType | None:
        known, content = self.setting.declared, info.type.SerializeToString()
        if content not in known:
            try:
                known[content] = declared_type(info, where)
            except UnsupportedError:
                known[content] = TensorType(UNKNOWN, None)
        return known[content]

    def _initializers(self) -> dict[str, Array]:
        values: dict[str, Array] = {}
        for tensor in self.graph.initializer:
            name = self._new_initializer(tensor.name, values)
            try:
                values[name] = decode(tensor, f"initializer {name!r}", self.setting.store)
            except UnsupportedError as error:
                if any(
                    info.name == name for info in self.graph.input
                ):  # a default, which an input could not do without
                    raise
                self._keep_initializer(tensor, error.message)
        for sparse in self.graph.sparse_initializer:
            name = self._new_initializer(sparse.values.name, values)
            values[name] = decode_sparse(sparse, f"sparse initializer {name!r}", self.setting.store)
        return values

    def _keep_initializer(self, tensor: TensorProto, why: str) -> None:
        """Add an initializer of an element type that wherry does not have as an opaque node that reads nothing."""
        name = f"initializer of {TensorProto.DataType.Name(tensor.data_type)}"
        digest = tensor_content(tensor, self.setting.store)
        kinds = (TensorType(UNKNOWN, tuple(tensor.dims)),)
        operator = Opaque(name, kinds, digest, why, (), Source(tensor, self.setting.header, self.setting.store))
        self.builder.add(operator, [], [tensor.name], f"ONNX {name} {tensor.name!r}")

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
            kind = self._declared(info, f"input {info.name!r}")
            if kind is None and not self._is_inner:
                raise FileFormatError(f"input {info.name!r} has no type")
            kind = kind or TensorType(UNKNOWN, None)
            self.builder.add_input(info.name, kind)
            value = initializers.pop(info.name, None)
            if value is None:
                continue
            if not kind.accepts(TensorType.of(value)):
                raise FileFormatError(f"initializer {info.name!r} is {TensorType.of(value)}, its input declares {kind}")
            self.defaults[info.name] = value
        for name, value in initializers.items():
            if self.setting.ir_version < 4 and not self._is_inner:
                self.setting.findings.append(Finding(
                    Effect.NOTE, f"initializer {short(name)}", "initializer",
                    f"is no input of the graph, which ir_version {self.setting.ir_version} requires; it is a constant",
                ))  # fmt: skip
            self.builder.add_constant(name, value)

    def _add_nodes(self) -> None:
        missing = [missing_operator(node) for node in self.graph.node]
        if any(missing):
            self._inferred()
        types = self.builder.types
        for number, node in enumerate(self.graph.node):
            inputs = _trimmed(list(node.input))
            for name in inputs:
                if name not in types and name and not self._capture(name, self._makers):
                    self._refuse_undefined(name, label(node, number), self._makers)
            self._add_or_keep(node, inputs, number, missing[number])

    @cached_property
    def _makers(self) -> dict[str, int]:
        """The number of the node that makes each tensor."""
        return {name: number for number, node in enumerate(self.graph.node) for name in node.output if name}

    def _capture(self, name: str, own: Container[str]) -> bool:
        """Take over a tensor of a graph around this one; return whether there is one."""
        if name not in self.scope.types or name in own:
            return False
        if name in self.scope.constants:
            self.builder.add_constant(name, self.scope.constants[name])
        else:
            self.builder.add_input(name, self.scope.types[name])
        self.captured[name] = None
        return True

    def _add_or_keep(self, node: NodeProto, inputs: list[str], number: int, missing: str | None) -> None:
        """Add a node; one that wherry does not have is opaque, and in a graph that may never run, one that is wrong."""
        if "" not in self.setting.versions and not self._is_inner:
            self._check_import(node, number)
        why = ""
        if missing is None:
            try:
                self._check_import(node, number)
                self._check_opset()
                self._add_node(node, inputs, find_row(node.op_type, self.setting.opset), number)
            except UnsupportedError as error:
                why = error.message
            except WherryError as error:
                if not self._is_inner:
                    raise
                why = error.message
            else:
                return
        domain = "" if node.domain in DOMAINS else node.domain
        version = self.setting.versions.get(domain)
        name = f"{missing or node.op_type}{'' if version is None else f' of opset {version}'}"
        outputs = _trimmed(list(node.output))
        self._inferred()
        written = [output or self._unused_name() for output in outputs if output or len(outputs) > 1]
        kinds = tuple([self.builder.declared.get(output, _NOTHING_KNOWN) for output in written])
        content = content_of(node, self.setting.store) if self._contents is None else self._contents[number]
        graphs, captures = self._held(node, number, content) if content.graphs else ((), ())
        digest = content.digest
        if self.setting.functions.has(node):
            digest += self.setting.functions.digest
            graphs += tuple(self._function(node))
        operator = Opaque(
            name, kinds, digest, why, graphs, Source(node, self.setting.header, self.setting.store), captures
        )
        subject = f"ONNX {name} {node.name or (written[0] if written else label(node, number))!r}"
        self.builder.add(operator, [name for name in inputs if name], written, subject, node.name)

    def _held(
        self, node: NodeProto, number: int, content: Content
    ) -> tuple[tuple[tuple[str, Graph], ...], tuple[str, ...]]:
        """Return the graphs that a node holds, by the names of their attributes, and the tensors that they capture."""
        inferred = self._inferred()
        readers = list(self._readers(node, None if inferred is None else inferred.node[number], content))
        graphs = tuple((place, reader.read()) for place, reader in readers)
        captures = tuple({captured: None for _, reader in readers for captured in reader.captured})
        for captured in captures:
            if captured not in self.builder.types:
                self._capture(captured, {})
        return graphs, captures

    def _check_import(self, node: NodeProto, number: int) -> None:
        if "" not in self.setting.versions and node.domain in DOMAINS and not node.overload:
            raise FileFormatError(f"{label(node, number)} is of the domain ai.onnx, which opset_import lacks")

    def _check_opset(self) -> None:
        if self.setting.opset > NEWEST_OPSET:
            raise UnsupportedError(f"wherry knows opsets up to {NEWEST_OPSET}")

    def _readers(self, node: NodeProto, twin: NodeProto | None, content: Content) -> Iterator[tuple[str, GraphReader]]:
        """Yield readers of the graphs that a node holds, which see the tensors around it; `twin` has their types."""
        contents = iter(content.graphs)
        scope = Scope(
            ChainMap(self.builder.types, *self.scope.types.maps),
            ChainMap(self.builder.constants, *self.scope.constants.maps),
        )
        for place, attribute in enumerate(node.attribute):
            typed = None if twin is None else graphs_of(twin.attribute[place])
            for number, graph in enumerate(graphs_of(attribute)):
                name = f"{attribute.name}[{number}]" if attribute.type == AttributeProto.GRAPHS else attribute.name
                infer = partial(lambda found: found, None if typed is None else typed[number])
                yield name, GraphReader(graph, self.setting, scope, infer, next(contents), self._inside(node))

    def _inside(self, node: NodeProto) -> int:
        """Return how deep the graphs that a node holds lie. Raises ResourceLimitError where that is too deep."""
        check_nested(self._depth + 1, f"what {node.op_type} {short(node.name)} holds")
        return self._depth + 1

    def _function(self, node: NodeProto) -> Iterator[tuple[str, Graph]]:
        """Yield the graph of the function that a node calls, if it is the first that does; it sees its inputs alone."""
        function = self.setting.functions.opened(node)
        if function is None:
            return
        named = {inner: name for inner, name in zip(function.input, node.input, strict=False) if name}
        constants = {
            inner: self.builder.constants[name] for inner, name in named.items() if name in self.builder.constants
        }
        scope = Scope(ChainMap({inner: self.builder.types[name] for inner, name in named.items()}), ChainMap(constants))
        versions = {"" if entry.domain in DOMAINS else entry.domain: entry.version for entry in function.opset_import}
        setting = replace(self.setting, versions=versions)
        yield "function", GraphReader(body_of(function, node), setting, scope, depth=self._inside(node)).read()

    def _refuse_undefined(self, name: str, called: str, makers: Mapping[str, int]) -> None:
        if name in makers:
            later = label(self.graph.node[makers[name]], makers[name])
            raise FileFormatError(f"{called} reads {name!r}, which {later} makes at or after it; nodes must be "
                                  "in topological order, without a cycle")  # fmt: skip
        raise FileFormatError(f"{called} reads {name!r}, which nothing in the graph defines")

    def _add_node(self, node: NodeProto, inputs: list[str], row: OnnxRow, number: int) -> None:
        named = _trimmed(list(node.output))
        outputs = [name or self._unused_name() for name in named]
        name = node.name
        subject = f"{row.subject} {name or (named[0] if named else label(node, number))!r}"
        with errors.subject(subject, row.names):
            types = [self.builder.types[read] if read else None for read in inputs]
            meant = self.setting.uses.of(row, node, types, len(outputs), self.setting.store)
            operator = meant.operator
            if not isinstance(operator, Operator | Deferred):
                self.builder.add_constant(outputs[0], operator)
                return
            outputs += [self._unused_name() for _ in row.outputs[len(outputs) :] if not row.outputs[-1].variadic]
            read_by_it = [inputs[place] for place in meant.reads]
            made = self.builder.add(operator, read_by_it, outputs, subject, name, meant.made)
        if isinstance(operator, Operator):  # a deferred one may make other sizes of other values
            meant.made = made

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
            if info.name not in self.builder.types:
                self._capture(info.name, {})
            declared, found = self._declared(info, f"output {info.name!r}"), self.builder.types.get(info.name)
            if declared is not None and found is not None and not declared.accepts(found):
                self._tell_output(info.name, declared, found)
        if not names and not self._is_inner:
            raise FileFormatError("the graph has no outputs")
        return list(names)

    def _tell_output(self, name: str, declared: TensorType, found: TensorType) -> None:
        """Keep a note of sizes that are declared wrongly, as runtimes do, which then take what the node makes."""
        told = f"output {name!r} is declared {declared}, but its node makes {found}"
        if declared.dtype != found.dtype and not self._is_inner:
            raise FileFormatError(told)
        self.setting.findings.append(Finding(Effect.NOTE, f"output {short(name)}", "declared type",
                                             f"is declared {declared}, but its node makes {found}"))  # fmt: skip


def label(node: NodeProto, number: int) -> str:
    """Return how a node is called in messages: by its name, else by its number."""
    if node.name:
        return f"node {node.name!r}"
    return f"node {number} with output {node.output[0]!r}" if node.output else f"node {number}"


def _trimmed(names: list[str]) -> list[str]:
    """Return names without the empty ones at the end, which stand for inputs or outputs that are left out."""
    while len(names) > 1 and not names[-1]:
        names.pop()
    return names


def declared_type(info: ValueInfoProto, where: str) -> TensorType | None:
    """Return the type that an input or output declares, or None if it declares none."""
    which = info.type.WhichOneof("value")
    if which is None:
        return None
    if which != "tensor_type":
        raise UnsupportedError(f"{where} is of {which}, allowed tensor_type; wherry moves tensors only")
    kind: TypeProto.Tensor = info.type.tensor_type
    dtype = element_type(kind.elem_type, where)
    check_ndim(len(kind.shape.dim), where)
    if not kind.HasField("shape"):
        return TensorType(dtype, None)
    sizes: list[Size] = []
    for axis, dim in enumerate(kind.shape.dim):
        if dim.HasField("dim_value"):
            if dim.dim_value < UNKNOWN_SIZE:
                raise FileFormatError(f"{where} has size {dim.dim_value} on axis {axis}, allowed 0 and more, and -1 or "
                                      "none where it is not known")  # fmt: skip
            sizes.append(None if dim.dim_value == UNKNOWN_SIZE else dim.dim_value)
        else:
            sizes.append(dim.dim_param or None)
    return TensorType(dtype, tuple(sizes))
