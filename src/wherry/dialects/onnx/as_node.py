"""AsNode: how an operator is written as a node of a row's version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from wherry.dialects.onnx.row import OnnxRow
from wherry.graph import Deferred
from wherry.ops import Operator
from wherry.tensors import TensorType


@dataclass(frozen=True)
class Waiting:
    """The field of a deferred operator that is the value of an input: the one at this position of the node."""

    position: int


@dataclass(frozen=True)
class AsNode:
    """What a node says of an operator: its attributes, and the inputs beyond those that are moved; None is left out.

    A value goes where the version has it: into the attribute, or as a constant into the input of this name. `operator`
    is the operator that the values are of, where that is not the node's own but one that means the same for its input
    sizes. The writer reads the values back and refuses where they mean anything else.
    """

    values: Mapping[str, Any]
    operator: Operator | None = None


Fields = Mapping[str, Any]
"""The fields of an operator; of a deferred one those that are known, and `Waiting` for the others."""

ToNode = Callable[[Fields, OnnxRow, Sequence[TensorType]], AsNode]
"""Returns how an operator with these fields is written as a node of a row, for inputs of these types."""


def fields_of(operator: Operator | Deferred) -> dict[str, Any]:
    """Return the fields of an operator, or the arguments of a deferred one's function."""
    if isinstance(operator, Deferred):
        waiting = {name: Waiting(position) for name, position in operator.from_inputs}
        return {**dict(operator.fields), **waiting}
    return {field.name: getattr(operator, field.name) for field in fields(operator)}


def waits(given: Fields) -> bool:
    """Whether these are the fields of a deferred operator."""
    return any(isinstance(value, Waiting) for value in given.values())


def by_name(*same: str, **renamed: str) -> ToNode:
    """Return the function for fields that ONNX calls the same, or otherwise (`ours="theirs"`)."""
    names = {name: name for name in same} | renamed

    def to_node(given: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
        return AsNode({theirs: given.get(ours) for ours, theirs in names.items()})

    return to_node
