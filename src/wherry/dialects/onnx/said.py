"""Saying an operator by a row: where each of its fields goes, and that reading it back gives the same operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.onnx.row import OnnxRow, Parameter, arranged, bind, input_names
from wherry.dialects.onnx.spelling import Spell, Waiting, fields_of
from wherry.dialects.onnx.types import BOOL
from wherry.errors import UnsupportedError
from wherry.graph import Deferred, Node
from wherry.ops import Constant, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


@dataclass(frozen=True)
class Said:
    """A node as a row writes it: attributes, and for each input a tensor's name, a constant, or None for none."""

    row: OnnxRow
    attributes: Mapping[str, Any]
    inputs: Mapping[str, str | Array | None]


def say(node: Node, types: Sequence[TensorType], row: OnnxRow, spell: Spell) -> Said:
    """Return how `row` says a node whose inputs have these types. Raises WherryError where it says anything else."""
    wanted = node.operator
    spelling = spell(fields_of(wanted), row, types)
    attributes: dict[str, Any] = {}
    fixed: dict[str, str | Array | None] = {}
    for name, value in spelling.values.items():
        if isinstance(value, Waiting) and name in row.parameters:
            fixed[name] = node.inputs[value.position]
        elif isinstance(value, Waiting):
            raise UnsupportedError(
                f"{name} is the value of {node.inputs[value.position]!r}, and no input of this version"
            )
        elif value is not None and row.has_attribute(name):
            attributes[name] = _as_attribute(value)
        elif value is not None and name in row.parameters:
            fixed[name] = _as_input(row, row.parameters[name], value, types)
    inputs = _placed(row, fixed, node.data_inputs)
    known = dict(zip(node.inputs, types, strict=True))
    kinds = [None if given is None else known[given] if isinstance(given, str) else TensorType.of(given)
             for given in inputs.values()]  # fmt: skip
    built = bind(row, kinds, attributes, len(node.outputs))
    given = {name: tensor for name, tensor in inputs.items() if tensor is not None}
    _check_same(spelling.operator or wanted, built, node.inputs, [given[name] for name in arranged(row, given)])
    return Said(row, attributes, inputs)


def _placed(
    row: OnnxRow, fixed: Mapping[str, str | Array | None], moved: Sequence[str]
) -> dict[str, str | Array | None]:
    """Return what stands at each input: fields where they belong, and what is moved in the places that remain."""
    names = list(row.reads or row.parameters)
    free = [row.parameters[name] for name in names if name not in fixed]
    if free and free[-1].variadic:
        return dict(zip(input_names(row, len(moved)), moved, strict=True))
    while len(free) > len(moved) and any(parameter.optional for parameter in free):
        free.remove([parameter for parameter in free if parameter.optional][-1])
    if len(free) != len(moved):
        wanted = ", ".join(parameter.name for parameter in free) or "none"
        raise UnsupportedError(
            f"the node has {len(moved)} tensors to move, allowed {len(free)}: {row.name}-{row.since} moves {wanted}"
        )
    places = {**fixed, **dict(zip((parameter.name for parameter in free), moved, strict=True))}
    placed = {name: places.get(name) for name in row.parameters}
    while placed and list(placed.values())[-1] is None:
        placed.popitem()
    return placed


def _as_attribute(value: Any) -> Any:
    if isinstance(value, (StrEnum, bool)):
        return str(value) if isinstance(value, StrEnum) else int(value)
    return value.value if isinstance(value, Constant) else value


def _as_input(row: OnnxRow, parameter: Parameter, value: Any, types: Sequence[TensorType]) -> Array:
    """Return a field as the constant that the input takes."""
    if isinstance(value, (np.ndarray, Constant)):
        return value.value if isinstance(value, Constant) else value
    if parameter.types is BOOL:
        return np.array(value, bool)
    if types and parameter.type_name == row.inputs[0].type_name:
        return np.array(value, types[0].numpy)
    return np.array(value, np.int64)


def _check_same(wanted: object, built: Any, inputs: Sequence[str], given: Sequence[str | Array]) -> None:
    """Refuse a reading that is not what was to be written."""
    if isinstance(wanted, Deferred):
        if not isinstance(built, Deferred) or _meaning(wanted, inputs) != _meaning(built, given):
            raise UnsupportedError(f"it means {built} instead of {wanted}")
        return
    if isinstance(built, Deferred):
        constants = {place: value for place, value in enumerate(given) if isinstance(value, np.ndarray)}
        if any(position not in constants for _, position in built.from_inputs):
            raise UnsupportedError(f"it means {built} instead of {wanted}")
        built = built.resolve(constants)
    built = Constant(built) if isinstance(built, np.ndarray) else built
    if built != wanted:
        raise UnsupportedError(_difference(wanted, built))


def _meaning(operator: Deferred, inputs: Sequence[str | Array]) -> tuple[object, ...]:
    """Return what a deferred operator does with which tensors; a constant counts as a field."""
    fields = _defaults(operator) | {name: _plain(value) for name, value in operator.fields}
    waiting = {}
    for name, position in operator.from_inputs:
        given = inputs[position]
        if isinstance(given, str):
            waiting[name] = given
            fields.pop(name, None)
        else:
            fields[name] = _plain(given)
    positions = dict(operator.from_inputs).values()
    moved = [str(given) for position, given in enumerate(inputs) if position not in positions]
    return operator.build, fields, waiting, moved, operator.output_count


def _defaults(operator: Deferred) -> dict[str, Any]:
    """Return the fields that need not be given of the class that a deferred operator makes."""
    build: Any = operator.makes or operator.build
    given = fields(build) if is_dataclass(build) else ()
    return {one.name: _plain(one.default) for one in given if one.default is not MISSING}


def _plain(value: Any) -> Any:
    listed = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple(listed) if isinstance(listed, list) else listed


def _difference(wanted: Any, built: Any) -> str:
    if type(wanted) is not type(built) or not isinstance(wanted, Operator):
        return f"it means {built} instead of {wanted}"
    names = [name for name in fields_of(wanted) if not _same_field(getattr(wanted, name), getattr(built, name))]
    return ", ".join(f"{name} is {getattr(wanted, name)}, it has {getattr(built, name)}" for name in names)


def _same_field(first: Any, second: Any) -> bool:
    return bool(_plain(first) == _plain(second))
