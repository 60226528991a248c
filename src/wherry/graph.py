"""Graph: tensors by name, constants, and operators in order; the same for all dialects."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors
from wherry.arrays.anywhere import as_array
from wherry.dtypes import UNKNOWN
from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError, UnsupportedError, listed, screen, short
from wherry.ops.operator import Operator, known
from wherry.tensors import TensorType

Array = NDArray[Any]


@dataclass(frozen=True)
class Deferred:
    """An operator some of whose fields are values of inputs: it becomes one when those values are known.

    `build` is an operator, or a function that returns one, called with `fields` and, by name, the values of the inputs
    whose positions `from_inputs` gives. The other inputs, in order, are the inputs of the operator. `makes` is the
    class of operator that a function returns.
    """

    build: Callable[..., Operator]
    fields: tuple[tuple[str, object], ...]
    from_inputs: tuple[tuple[str, int], ...]
    output_count: int = 1
    makes: type[Operator] | None = field(default=None, compare=False)

    reads_values: ClassVar[bool] = True

    def resolve(self, values: Mapping[int, Array]) -> Operator:
        """Return the operator, given the values of inputs by position."""
        given = {name: values[position] for name, position in self.from_inputs}
        return self.build(**dict(self.fields), **given)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return what is known of the outputs before the values are.

        An operator class says so by `expect`, given the fields that are known, and by name the types of the inputs that
        are fields and of those that are not; the outputs of any other have the element type of the first input.
        """
        waiting = dict(self.from_inputs)
        moved = [tensor_type for position, tensor_type in enumerate(inputs) if position not in waiting.values()]
        made: Any = self.makes or self.build
        expect = getattr(made, "expect", None)
        if expect is None:
            return (moved[0].with_sizes(None),) * self.output_count
        given = dict(zip(made.input_names, moved, strict=False))
        given.update((name, inputs[position]) for name, position in waiting.items())
        types = tuple(expect(dict(self.fields), given))
        return types * self.output_count if len(types) == 1 else types

    def __str__(self) -> str:
        known = [f"{name}={value}" for name, value in self.fields]
        waiting = [f"{name}=<input {position}>" for name, position in self.from_inputs]
        return f"{getattr(self.build, '__name__', self.build)}({', '.join(known + waiting)})"


@dataclass(frozen=True)
class Opaque(Operator):
    """An operator of a file that wherry does not have, or whose use of one it refuses: a runtime may run it.

    `name` is the file's, with its version; `types` are the types of the outputs as far as the file tells, `content`
    tells two of one name apart, `why` says what is refused about an operator that wherry has. `graphs` are the graphs
    that it holds (branches, bodies), by the name of the attribute; `captures` are the tensors around the node that
    these read. `source` is what its reader read, so that a runtime can be given the node as the file has it: of ONNX a
    `wherry.dialects.onnx.source.Source`.
    """

    name: str
    types: tuple[TensorType, ...]
    content: str = ""
    why: str = ""
    graphs: tuple[tuple[str, Graph], ...] = field(default=(), compare=False)
    source: Any = field(default=None, compare=False, repr=False)
    captures: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Its fields come from readers alone, which give them their form."""

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the types that the file tells; see Operator."""
        return self.types

    def __str__(self) -> str:
        return f"{self.name} ({self.why})" if self.why else self.name


@dataclass(frozen=True)
class Node:
    """One operator in a graph: the names of what it reads and writes, and the subject of its errors."""

    operator: Operator | Deferred
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    subject: str
    """The operator with dialect, version and name: `ONNX Gather-13 'take'`."""
    name: str = ""
    """The node's own name in its file; may be empty."""

    @property
    def label(self) -> str:
        """What tells the node from others in a message: its name, or that of its first output, if it has one."""
        return self.name or next(iter(self.outputs), "")

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of all tensors that must be there before the node runs: what graphs inside it capture, too."""
        return (*self.inputs, *self.operator.captures) if isinstance(self.operator, Opaque) else self.inputs

    @property
    def value_inputs(self) -> tuple[str, ...]:
        """The names of the inputs whose values the operator needs before it can be planned."""
        if not isinstance(self.operator, Deferred):
            return ()
        return tuple(self.inputs[position] for _, position in self.operator.from_inputs)

    @property
    def data_inputs(self) -> tuple[str, ...]:
        """The names of the inputs that the operator moves."""
        if not isinstance(self.operator, Deferred):
            return self.inputs
        positions = {position for _, position in self.operator.from_inputs}
        return tuple(name for position, name in enumerate(self.inputs) if position not in positions)

    def resolve(self, values: Mapping[str, Array]) -> Operator:
        """Return the operator, given the values of the tensors that it needs."""
        if not isinstance(self.operator, Deferred):
            return self.operator
        with errors.subject(self.subject):
            return self.operator.resolve(
                {position: values[self.inputs[position]] for _, position in self.operator.from_inputs}
            )

    def infer(self, types: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the types of the outputs, as far as they are known: not at all behind an unknown element type."""
        if isinstance(self.operator, Opaque):
            return self.operator.infer(())
        given = [types[name] for name in self.inputs]
        if any(tensor_type.dtype is UNKNOWN for tensor_type in given):
            return (TensorType(UNKNOWN, None),) * len(self.outputs)
        with errors.subject(self.subject):
            return self.operator.infer(given)

    def __str__(self) -> str:
        return f"{', '.join(self.outputs)} = {self.operator}({', '.join(self.inputs)})   # {self.subject}"


@dataclass(frozen=True, repr=False)
class Graph:
    """Tensors by name: inputs with their types, constants with their values, and nodes in an order that runs.

    `outputs` names the results; a result may be the output of a node, an input, or a constant. `constant_types` holds
    the types of those constants whose element type NumPy cannot tell (nf4, uint1 ...), `declared` what the file tells
    of tensors between nodes, in a graph with operators that wherry does not have.
    """

    inputs: Mapping[str, TensorType]
    outputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    constants: Mapping[str, Array] = field(default_factory=dict)
    name: str = ""
    constant_types: Mapping[str, TensorType] = field(default_factory=dict)
    declared: Mapping[str, TensorType] = field(default_factory=dict)

    @cached_property
    def types(self) -> dict[str, TensorType]:
        """What is known of every tensor before any input is given."""
        types = dict(self.inputs) | {name: TensorType.of(value) for name, value in self.constants.items()}
        types.update(self.constant_types)
        for node in self.nodes:
            for name, tensor_type in zip(node.outputs, node.infer(types), strict=True):
                types[name] = better_known(tensor_type, self.declared.get(name))
        return types

    @cached_property
    def _results(self) -> frozenset[str]:
        return frozenset(self.outputs)

    def is_within(self, node: Node) -> bool:
        """Whether another node makes a node's first input, or one of its results is no result of the graph."""
        is_fed = bool(node.inputs) and node.inputs[0] not in self.inputs and node.inputs[0] not in self.constants
        return is_fed or not self._results.issuperset(name for name in node.outputs if name)

    @property
    def opaque(self) -> tuple[Node, ...]:
        """The nodes whose operator wherry does not have; a graph with one of them has no plan."""
        return tuple(node for node in self.nodes if isinstance(node.operator, Opaque))

    def refuse_opaque(self) -> None:
        """Raise UnsupportedError that lists the operators that wherry does not have, if there is one.

        An input whose element type is unknown (a sequence, say) is refused too.
        """
        if self.opaque:
            named = listed([f"{node.operator} (node {short(node.label)})" for node in self.opaque])
            raise UnsupportedError(f"operators that wherry does not have: {named}; model.run has a runtime run them")
        for name, tensor_type in self.inputs.items():
            if tensor_type.dtype is UNKNOWN:
                raise UnsupportedError(f"input {short(name)} is of a type that wherry does not have, allowed tensors; "
                                       "the model can be listed, not run")  # fmt: skip

    @property
    def output_types(self) -> dict[str, TensorType]:
        """The types of the results, as far as they are known before any input is given."""
        return {name: self.types[name] for name in self.outputs}

    @cached_property
    def value_tensors(self) -> frozenset[str]:
        """The tensors whose values are needed before the graph can be planned, and all that they are made of."""
        needed = {name for node in self.nodes for name in node.value_inputs}
        for node in reversed(self.nodes):
            if needed.intersection(node.outputs):
                needed.update(node.inputs if node.operator.reads_values else node.value_inputs)
        return frozenset(needed)

    @cached_property
    def needed(self) -> tuple[Node, ...]:
        """The nodes on which an output depends, in order."""
        read, kept = set(self.outputs), []
        for node in reversed(self.nodes):
            if not read.isdisjoint(node.outputs):
                read.update(node.reads)
                kept.append(node)
        return tuple(reversed(kept))

    def with_constants(self, values: Mapping[str, Array]) -> Graph:
        """Return the graph in which some inputs are constants."""
        inputs = {name: kind for name, kind in self.inputs.items() if name not in values}
        return replace(self, inputs=inputs, constants={**self.constants, **values})

    def same_as(self, other: Graph) -> bool:
        """Whether `other` says the same: inputs, constants bit by bit, nodes with their names, and results.

        The graph's own name, and the subjects of the nodes' errors (dialect and version), may differ.
        """
        return (
            list(self.inputs.items()) == list(other.inputs.items())
            and self.outputs == other.outputs
            and [replace(node, subject="") for node in self.nodes] == [replace(n, subject="") for n in other.nodes]
            and self.constants.keys() == other.constants.keys()
            and all(_same_bits(value, other.constants[name]) for name, value in self.constants.items())
        )

    def __repr__(self) -> str:
        ends = " -> ".join(short(", ".join(names)) for names in (self.inputs, self.outputs))
        return f"<Graph {short(self.name)}: {len(self.nodes)} nodes, {len(self.constants)} constants; {ends}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the graph as it prints."""
        return f"<pre>{escape(screen(str(self)))}</pre>"

    def __str__(self) -> str:
        lines = [f"graph {self.name}".rstrip()]
        lines += [f"  input    {name}: {tensor_type}" for name, tensor_type in self.inputs.items()]
        lines += [f"  constant {name}: {self.types[name]}" for name in self.constants]
        lines += [f"  {node}" for node in self.nodes]
        lines += [f"  output   {name}: {tensor_type}" for name, tensor_type in self.output_types.items()]
        return "\n".join(lines)


def better_known(found: TensorType, declared: TensorType | None) -> TensorType:
    """Return what two sources together know of a tensor; where they contradict each other, what is found."""
    if declared is None or declared is found:
        return found
    if found.dtype is UNKNOWN:
        return declared
    if found.is_known or declared.sizes is None or not found.accepts(declared):
        return found
    return found.with_sizes(declared.sizes if found.sizes is None else tuple(map(known, found.sizes, declared.sizes)))


def _same_bits(first: Array, second: Array) -> bool:
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    if first.dtype.hasobject:
        return bool(np.all(first == second))
    return np.ascontiguousarray(first).tobytes() == np.ascontiguousarray(second).tobytes()


class GraphBuilder:
    """Collects a graph node by node, knowing the type of each tensor on the way; for readers.

    `declared` is that of the graph. Raises FileFormatError for a name defined twice, or read before it is defined.
    """

    def __init__(self, name: str = "", declared: Mapping[str, TensorType] | None = None) -> None:
        self.name = name
        self.declared = dict(declared or {})
        self.types: dict[str, TensorType] = {}
        self.constants: dict[str, Array] = {}
        self._inputs: dict[str, TensorType] = {}
        self._nodes: list[Node] = []
        self._declared_constants: dict[str, TensorType] = {}
        self._types_hold = True

    def declare(self, types: Mapping[str, TensorType]) -> None:
        """Add to what the file tells of tensors; those that nodes made before are known better in the graph only."""
        self.declared.update(types)
        self._types_hold = self._types_hold and not self._nodes

    def add_input(self, name: str, tensor_type: TensorType) -> None:
        """Declare a graph input."""
        self._define(name, tensor_type)
        self._inputs[name] = tensor_type

    def add_constant(self, name: str, value: Array, tensor_type: TensorType | None = None) -> None:
        """Define a constant; `tensor_type` where NumPy cannot tell its element type."""
        value = as_array(value, f"constant {name!r}")
        found = TensorType.of(value)
        if tensor_type is not None and tensor_type != found:
            self._declared_constants[name] = tensor_type
        self._define(name, tensor_type or found)
        self.constants[name] = value

    def value_of(self, name: str) -> Array | None:
        """Return the value of a constant tensor, or None where it is only known at run."""
        return self.constants.get(name)

    def add(
        self,
        operator: Operator | Deferred,
        inputs: Sequence[str],
        outputs: Sequence[str],
        subject: str,
        name: str = "",
        made: tuple[TensorType, ...] | None = None,
    ) -> tuple[TensorType, ...]:
        """Add a node and return the types of its outputs; a deferred operator resolves if its values are known.

        `made` are these types where the caller knows what the operator would infer.
        """
        for read in inputs:
            if read not in self.types:
                raise FileFormatError(f"input {read!r} is not defined before the node that reads it", subject)
        node = Node(operator, tuple(inputs), tuple(outputs), subject, name)
        needed = node.value_inputs
        if needed and all(read in self.constants for read in needed):
            node = replace(node, operator=node.resolve(self.constants), inputs=node.data_inputs)
        types = node.infer(self.types) if made is None else made
        if len(types) != len(node.outputs):
            raise InvalidValueError(f"outputs has {len(node.outputs)} entries, allowed {len(types)}", subject)
        for written, tensor_type in zip(node.outputs, types, strict=True):
            self._define(written, better_known(tensor_type, self.declared.get(written)))
        self._nodes.append(node)
        return types

    def build(self, outputs: Iterable[str]) -> Graph:
        """Return the graph with these results; constants that nothing reads any more are left out."""
        results = tuple(outputs)
        for name in results:
            if name not in self.types:
                raise FileFormatError(f"output {name!r} is not defined by any node")
        read = {name for node in self._nodes for name in node.reads} | set(results)
        constants = {name: value for name, value in self.constants.items() if name in read}
        types = {name: kind for name, kind in self._declared_constants.items() if name in constants}
        graph = Graph(self._inputs, results, tuple(self._nodes), constants, self.name, types, self.declared)
        if self._types_hold:  # what the cached property would find once more
            unread = self.constants.keys() - constants.keys()
            vars(graph)["types"] = {name: kind for name, kind in self.types.items() if name not in unread}
        return graph

    def _define(self, name: str, tensor_type: TensorType) -> None:
        if name in self.types:
            raise FileFormatError(f"tensor {name!r} is defined twice")
        self.types[name] = tensor_type


def free_name(wish: str, taken: Container[str], gap: str = "_") -> str:
    """Return a name that is not taken: the one that is wished for, or that with a number behind it.

    >>> free_name("x", {"x", "x_2"}), free_name("x", {"x"}, gap=" "), free_name("x", {})
    ('x_3', 'x 2', 'x')
    """
    name, number = wish, 1
    while name in taken:
        number += 1
        name = f"{wish}{gap}{number}"
    return name


def check_input(name: str, declared: TensorType, value: Array) -> None:
    """Refuse an array that does not fit the declared type of a graph input."""
    given = TensorType.of(value)
    same = declared.numpy == dtypes.native(value.dtype)
    if not same and not (declared.numpy.hasobject and value.dtype.kind in "UST"):
        raise InvalidTypeError(f"input {name!r} has dtype {given.dtype}, allowed {declared.dtype}; convert it first")
    if not declared.accepts(TensorType(declared.dtype, given.sizes)):
        raise InvalidValueError(f"input {name!r} has sizes {list(value.shape)}, allowed {declared}")


def as_declared(declared: TensorType, value: Array) -> Array:
    """Return an input in the NumPy dtype that holds its declared type: strings become objects, bytes turn native."""
    return value if value.dtype == declared.numpy else value.astype(np.dtype(declared.numpy))
