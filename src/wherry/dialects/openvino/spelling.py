"""Operators in OpenVINO's spelling: the row whose rules are those of the operator, or the rule that none has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.equivalents import equivalent_of
from wherry.dialects.openvino.row import Input, OpenVINORow
from wherry.dialects.openvino.table import ROWS
from wherry.errors import UnsupportedError
from wherry.graph import Deferred, Node
from wherry.ops import Constant, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


class _Waiting:
    """Stands for a field whose value is an input's, known only at run."""


_WAITING: Final = _Waiting()


@dataclass(frozen=True)
class Spelling:
    """A row with the attributes of a node, and for each value input its array, or None where a tensor gives it."""

    row: OpenVINORow
    attributes: Mapping[str, Any]
    values: Mapping[str, Array | None]


def spell(node: Node, kinds: Sequence[TensorType], constants: Sequence[Array | None]) -> Spelling:
    """Return how OpenVINO writes a node, given the types of its data inputs and the values of those that are constant.

    Of the rows that have the operator's rules the newest is taken. Raises UnsupportedError that names the rule which
    OpenVINO cannot express.
    """
    operator = node.operator
    candidates = _candidates(operator)
    equivalent = operator if isinstance(operator, Deferred) else equivalent_of(operator, kinds, constants)
    if not candidates and not _candidates(equivalent):
        build = operator.build if isinstance(operator, Deferred) else type(operator)
        name = getattr(build, "__name__", str(build))
        raise UnsupportedError(f"operator is {name}, which has no OpenVINO spelling here", node.subject)
    for one in (operator, equivalent):
        for row in _candidates(one):
            fields_of = _row_fields(row, one)
            fits = isinstance(fields_of, dict) and _mismatch(row, fields_of, len(kinds)) is None
            if isinstance(fields_of, dict) and fits:
                return _spelling(row, fields_of, kinds)
    reasons = "; ".join(f"{row.spoken} {_reason(row, operator, len(kinds))}" for row in reversed(candidates))
    raise UnsupportedError(f"OpenVINO cannot express {operator}: {reasons}", node.subject)


def _candidates(operator: Operator | Deferred) -> list[OpenVINORow]:
    """Return the rows that make operators of this class, the newest first."""
    made = operator.build if isinstance(operator, Deferred) else type(operator)
    return [row for row in reversed(ROWS) if row.is_written and made in (row.build, row.makes)]


def _reason(row: OpenVINORow, operator: Operator | Deferred, count: int) -> str:
    given = _row_fields(row, operator)
    return given if isinstance(given, str) else _mismatch(row, given, count) or ""


def _row_fields(row: OpenVINORow, operator: Operator | Deferred) -> dict[str, Any] | str:
    """Return the fields of what builds the operator in a row, or why the row has none for it."""
    if not isinstance(operator, Deferred):
        given = {field.name: getattr(operator, field.name) for field in fields(operator)}
        return given if row.unbuild is None else row.unbuild(given)
    given = dict(operator.fields) | {name: _WAITING for name, _ in operator.from_inputs}
    if row.unbuild is None or operator.build == row.build:
        return given
    return row.unbuild(_defaults_of(operator.build) | given)


def _defaults_of(build: Any) -> dict[str, Any]:
    return {field.name: None if field.default is MISSING else field.default for field in fields(build)}


def _defaults(row: OpenVINORow) -> dict[str, Any]:
    """Return the fields of what builds an operator, each with its default, None where it has none."""
    if row.makes is None:
        return _defaults_of(row.build)
    names = [one.field or one.name for one in row.attributes] + [one.field for one in row.inputs if one.field]
    return dict.fromkeys(names)


def _mismatch(row: OpenVINORow, given: Mapping[str, object], count: int) -> str | None:
    """Return why a row does not have the rules of an operator's fields, or None where it has them."""
    moved = [one for one in row.inputs if one.is_moved]
    if len(moved) != count and not any(one.repeats for one in moved):
        return f"takes {', '.join(one.name for one in moved) or 'no data'}"
    inputs = {one.field: one for one in row.inputs if one.field}
    attributes = {one.field or one.name: one for one in row.attributes if not one.is_hint}
    for name, default in _defaults(row).items():
        value = given.get(name, default)
        wrong = None
        if name in inputs:
            wrong = f"needs {name}" if value is None and not inputs[name].is_optional else None
            if value is _WAITING and inputs[name].is_constant:
                wrong = f"needs {name} before run"
        elif value is _WAITING:
            wrong = f"needs {name} before run"
        elif name in attributes:
            kind = attributes[name].kind
            wrong = f"needs {name}" if value is None else None if kind.has(value) else f"has no {name} {value}"
        elif value != row.fixed.get(name, default):
            wrong = f"has {name} {row.fixed.get(name, default)}"
        if wrong:
            return wrong
    return None


def _spelling(row: OpenVINORow, given: Mapping[str, object], kinds: Sequence[TensorType]) -> Spelling:
    defaults = _defaults(row)

    def value_of(name: str) -> object:
        return given.get(name, defaults[name])

    attributes = {one.name: one.default if one.is_hint else value_of(one.field or one.name) for one in row.attributes}
    values: dict[str, Array | None] = {}
    for one in row.inputs:
        if one.field is None:
            continue
        value = value_of(one.field)
        if value is None:
            break
        values[one.name] = None if value is _WAITING else _as_tensor(one, value, kinds)
    return Spelling(row, attributes, values)


def _as_tensor(one: Input, value: Any, kinds: Sequence[TensorType]) -> Array:
    """Return the tensor that a field's value is: an array, a Python number of the data's type, or integers."""
    if isinstance(value, Constant):
        return value.value
    if isinstance(value, np.ndarray):
        return value
    if one.is_kept:
        return np.array(value, kinds[0].numpy if kinds else None)
    given = np.array(value, None if value else np.int64)
    if one.is_single:
        given = given.reshape(())
    return given if given.dtype.kind in "bu" else given.astype(np.int64)
