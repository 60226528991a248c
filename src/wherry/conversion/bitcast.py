"""bitcast: replaces element types that DirectML lacks by types of the same width, bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.conversion.findings import Effect, Finding
from wherry.dtypes import DType
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, GraphBuilder, Node
from wherry.moves import Reduction
from wherry.ops import (
    Accumulate,
    ArgExtreme,
    Binary,
    BinaryFunction,
    Cast,
    Clip,
    Compare,
    Constant,
    Elementwise,
    NonZeroCoordinates,
    OneHot,
    Operator,
    Pad,
    Reduce,
    Unary,
    UnaryFunction,
)
from wherry.ops.element import typed_as
from wherry.tensors import TensorType

Array = NDArray[Any]

SAME_WIDTH = {8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64"}
"""The type that holds the bits of elements of so many bits."""

_VALUES = ("Cast", "ScaleBias", "Range", "EyeLike", "Unique", "StringPack", "StringUnpack", "Col2Im")
"""Operators that compute with elements, so that their bits alone do not do."""

_OF_TRUTH = (Elementwise, Clip, Reduce, Accumulate, ArgExtreme)
"""Operators that compute with elements, of which 0 and 1 do for bools."""

_LOGICAL = {
    BinaryFunction.AND: BinaryFunction.LOGICAL_AND,
    BinaryFunction.OR: BinaryFunction.LOGICAL_OR,
    BinaryFunction.XOR: BinaryFunction.LOGICAL_XOR,
}


@dataclass(frozen=True)
class Holders:
    """Which types a dialect lacks, and its types that hold the bits of such elements."""

    dialect: str
    lacks: Callable[[TensorType], bool]
    types: tuple[str, ...] = tuple(SAME_WIDTH.values())

    def of(self, tensor_type: TensorType) -> DType | None:
        """Return the type that holds the bits of elements which the dialect lacks, None if it has them or none can."""
        row = tensor_type.row
        if row is None or not self.lacks(tensor_type) or row.kind in ("string", "code"):
            return None
        holder = SAME_WIDTH.get(row.bits)
        return dtypes.find(holder) if holder in self.types else None

    def type_of(self, tensor_type: TensorType) -> TensorType:
        """Return a type with the elements that the dialect has."""
        holder = self.of(tensor_type)
        return tensor_type if holder is None else TensorType(holder, tensor_type.sizes)

    def bits(self, value: Array, tensor_type: TensorType) -> Array:
        """Return an array of a type as its bits, if the dialect lacks the type."""
        holder = self.of(tensor_type)
        return value if holder is None else np.ascontiguousarray(value).view(holder.numpy).reshape(value.shape)


def bitcast(
    graph: Graph, defaults: Mapping[str, Array], holders: Holders
) -> tuple[Graph, dict[str, Array], list[Finding]]:
    """Return the graph, and defaults, with every tensor of a type that a dialect lacks as its bits; with notes.

    Operators that compute with such elements stay as they are, and are then refused by the target.
    """
    if not any(map(holders.of, graph.types.values())):
        return graph, dict(defaults), []
    return _Bitcast(graph, defaults, holders).graph_of_bits()


class _Bitcast:
    def __init__(self, graph: Graph, defaults: Mapping[str, Array], holders: Holders) -> None:
        self.graph = graph
        self.holders = holders
        self.defaults = {name: holders.bits(value, graph.types[name]) for name, value in defaults.items()}
        self.builder = GraphBuilder(graph.name)
        self.findings: list[Finding] = []

    def graph_of_bits(self) -> tuple[Graph, dict[str, Array], list[Finding]]:
        for name, kind in self.graph.inputs.items():
            self.builder.add_input(name, self.holders.type_of(kind))
        for name, value in self.graph.constants.items():
            kind = self.graph.types[name]
            self.builder.add_constant(name, self.holders.bits(value, kind), self.holders.type_of(kind))
        for node in self.graph.nodes:
            self._add(node)
        for name in dict.fromkeys((*self.graph.inputs, *self.graph.outputs)):
            row = self.graph.types[name].row
            if holder := self.holders.of(self.graph.types[name]):
                words = "0 and 1" if row is not None and row.kind == "bool" else "the bits are kept"
                text = f"{row} is carried as {holder}, {words}: {self.holders.dialect} has no {row}"
                self.findings.append(Finding(Effect.NOTE, f"tensor {name!r}", "element type", text))
        return self.builder.build(self.graph.outputs), self.defaults, self.findings

    def _add(self, node: Node) -> None:
        types = self.graph.types
        lacking = [name for name in (*node.inputs, *node.outputs) if self.holders.of(types[name])]
        if not lacking:
            self.builder.add(node.operator, node.inputs, node.outputs, node.subject, node.name)
            return
        judge = _of_truth if isinstance(node.operator, _OF_TRUTH) else _refusal
        reason = judge(node, self.graph, self.holders)
        if reason is None:
            try:
                operator = _with_bits(node.operator, [types[name] for name in node.inputs], self.holders)
                self.builder.add(operator, node.inputs, node.outputs, node.subject, node.name)
            except WherryError as error:
                reason = error.message
            else:
                return
        self.findings.append(Finding(Effect.REFUSED, node.subject, "element type", reason))
        for name in node.outputs:
            self.builder.add_input(name, self.holders.type_of(types[name]))


def _refusal(node: Node, graph: Graph, holders: Holders) -> str | None:
    """Return why the bits of elements are not enough for an operator, or None where they are."""
    operator, types = node.operator, graph.types
    kind = type(operator).__name__
    if isinstance(operator, Deferred):
        return "its fields are known only at run"
    lacking = [f"{types[name].row}" for name in (*node.inputs, *node.outputs) if holders.of(types[name])]
    from_bool = (
        isinstance(operator, Cast) and _is_bool(types[node.inputs[0]]) and not holders.of(types[node.outputs[0]])
    )
    if from_bool or (isinstance(operator, Cast) and types[node.inputs[0]].dtype == operator.to):
        return None
    if kind in _VALUES or getattr(operator, "reduction", Reduction.NONE) is not Reduction.NONE:
        return _not_enough(lacking[0], holders)
    if isinstance(operator, NonZeroCoordinates) and not _is_bool(types[node.inputs[0]]):
        return f"zero of {lacking[0]} is not a matter of bits alone"
    if isinstance(operator, OneHot) and holders.of(types[node.inputs[0]]):
        return f"indices have dtype {lacking[0]}, which {holders.dialect} does not have"
    return None


def _not_enough(kind: object, holders: Holders) -> str:
    return f"it computes with {kind}, which {holders.dialect} does not have; its bits alone are not enough"


def _of_truth(node: Node, graph: Graph, holders: Holders) -> str | None:
    """Return why 0 and 1 are not enough for an operator that computes, or None where they are."""
    others = [graph.types[name] for name in (*node.inputs, *node.outputs) if not _is_bool(graph.types[name])]
    lacking = [kind for kind in others if holders.of(kind)]
    if lacking:
        return _not_enough(lacking[0].row, holders)
    data = graph.types[node.inputs[0]]
    if isinstance(node.operator, Reduce) and _is_bool(data) and not (data.is_known and 0 not in data.shape):
        return "of no bools it gives true or false, which bytes of 0 and 1 do not"
    return None


def _is_bool(tensor_type: TensorType) -> bool:
    return tensor_type.row is not None and tensor_type.row.kind == "bool"


def _with_bits(operator: Any, types: list[TensorType], holders: Holders) -> Operator:
    """Return an operator whose values among its fields are bits."""
    if isinstance(operator, Cast):
        return Cast(holders.of(TensorType(operator.to, ())) or operator.to)
    if isinstance(operator, Compare) and operator.dtype.name == "bool":
        return replace(operator, dtype=dtypes.find("uint8"))
    if isinstance(operator, Binary) and _is_bool(types[0]):
        return replace(operator, function=_LOGICAL[operator.function])
    if isinstance(operator, Unary) and _is_bool(types[0]):
        return replace(operator, function=UnaryFunction.LOGICAL_NOT)
    if isinstance(operator, Pad) and holders.of(types[0]):
        value = typed_as("value", operator.value, types[0].numpy)
        padded: Operator = replace(operator, value=Constant(holders.bits(value, types[0])))
        return padded
    changes = {}
    for one in fields(operator):
        value = getattr(operator, one.name)
        if isinstance(value, np.ndarray) and one.name in ("value",):
            changes[one.name] = holders.bits(value, TensorType.of(value))
    changed: Operator = replace(operator, **changes) if changes else operator
    return changed
