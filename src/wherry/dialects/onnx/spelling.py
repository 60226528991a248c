"""Spelling: how an operator is written as a node of a row's version."""

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
class Spelling:
    """The attributes, and the inputs beyond those that are moved, of a node; what is None is left out.

    A value goes where the version has it: into the attribute, or as a constant into the input of this name. `operator`
    is one that means the same as the node's for its input sizes, where that is the one spelt. The writer reads the
    spelling back and refuses where it says anything else.
    """

    values: Mapping[str, Any]
    operator: Operator | None = None


Fields = Mapping[str, Any]
"""The fields of an operator; of a deferred one those that are known, and `Waiting` for the others."""

Spell = Callable[[Fields, OnnxRow, Sequence[TensorType]], Spelling]
"""How an operator with these fields is spelt by a row, for inputs of these types."""


def fields_of(operator: Operator | Deferred) -> dict[str, Any]:
    """Return the fields of an operator, or the arguments of a deferred one's function."""
    if isinstance(operator, Deferred):
        waiting = {name: Waiting(position) for name, position in operator.from_inputs}
        return {**dict(operator.fields), **waiting}
    return {field.name: getattr(operator, field.name) for field in fields(operator)}


def waits(given: Fields) -> bool:
    """Whether these are the fields of a deferred operator."""
    return any(isinstance(value, Waiting) for value in given.values())


def by_name(*same: str, **renamed: str) -> Spell:
    """Return the spelling function for fields that ONNX calls the same, or otherwise (`ours="theirs"`)."""
    names = {name: name for name in same} | renamed

    def spell(given: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
        return Spelling({theirs: given.get(ours) for ours, theirs in names.items()})

    return spell
