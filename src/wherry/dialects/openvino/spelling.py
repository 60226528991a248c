"""Operators in OpenVINO's spelling: the row whose rules are those of the operator, or the rule that none has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.table import ROWS
from wherry.errors import UnsupportedError
from wherry.graph import Deferred, Node
from wherry.moves import Negative, OutOfRange
from wherry.ops import Gather, Operator, Split, Uneven
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

    The first row of the table that has the operator's rules is taken: the one that the oldest opset introduced.
    Raises UnsupportedError that names the rule which OpenVINO cannot express.
    """
    operator = node.operator
    build, given = _fields(operator)
    candidates = [row for row in ROWS if row.build is build]
    if not candidates:
        name = getattr(build, "__name__", str(build))
        raise UnsupportedError(f"operator is {name}, which has no OpenVINO spelling here", node.subject)
    equivalent = operator if isinstance(operator, Deferred) else _equivalent(operator, kinds, constants)
    for fields_of in (given, _fields(equivalent)[1]):
        for row in candidates:
            if _mismatch(row, fields_of) is None:
                return _spelling(row, fields_of)
    reasons = "; ".join(f"{row.spoken} {_mismatch(row, given)}" for row in candidates)
    raise UnsupportedError(f"OpenVINO cannot express {operator}: {reasons}", node.subject)


def _fields(operator: Operator | Deferred) -> tuple[object, dict[str, object]]:
    """Return what makes an operator, and its fields."""
    if isinstance(operator, Deferred):
        return operator.build, dict(operator.fields) | {name: _WAITING for name, _ in operator.from_inputs}
    return type(operator), {field.name: getattr(operator, field.name) for field in fields(operator)}


def _mismatch(row: OpenVINORow, given: Mapping[str, object]) -> str | None:
    """Return why a row does not have the rules of an operator's fields, or None where it has them."""
    inputs = {one.field for one in row.inputs if one.field}
    attributes = {one.field or one.name for one in row.attributes}
    for name, default in _defaults(row).items():
        value = given.get(name, default)
        if name in inputs:
            wrong = None if value is not None else f"needs {name}"
        elif value is _WAITING:
            wrong = f"needs {name} before run"
        elif name in attributes:
            wrong = None if value is not None else f"needs {name}"
        else:
            fixed = row.fixed.get(name, default)
            wrong = None if value == fixed else f"has {name} {fixed}"
        if wrong:
            return wrong
    return None


def _defaults(row: OpenVINORow) -> dict[str, object]:
    built: Any = row.build
    return {field.name: None if field.default is MISSING else field.default for field in fields(built)}


def _spelling(row: OpenVINORow, given: Mapping[str, object]) -> Spelling:
    defaults = _defaults(row)

    def value_of(name: str) -> object:
        return given.get(name, defaults[name])

    attributes = {one.name: value_of(one.field or one.name) for one in row.attributes}
    values: dict[str, Array | None] = {}
    for one in row.inputs:
        if one.field is not None:
            value = value_of(one.field)
            values[one.name] = None if value is _WAITING else np.array(value, np.int64)
    return Spelling(row, attributes, values)


def _equivalent(operator: Operator, kinds: Sequence[TensorType], constants: Sequence[Array | None]) -> Operator:
    """Return an operator with the same results on these inputs and rules that OpenVINO has, where there is one."""
    if isinstance(operator, Gather) and constants[1] is not None and _all_inside(operator, kinds[0], constants[1]):
        return replace(operator, out_of_range=OutOfRange.ZERO, negative=Negative.FROM_END)
    if isinstance(operator, Split) and operator.uneven is not Uneven.REFUSE:
        size = None if kinds[0].sizes is None else kinds[0].sizes[operator.axis]
        if isinstance(size, int):
            return Split(operator.axis, sizes=tuple(int(part or 0) for part in operator.part_sizes(size)))
    return operator


def _all_inside(operator: Gather, data: TensorType, indices: Array) -> bool:
    """Whether constant indices are all inside the axis, so that no rule about others is ever used."""
    size = None if data.sizes is None else data.sizes[operator.axis]
    if not isinstance(size, int):
        return False
    if indices.size == 0:
        return True
    least = -size if operator.negative is Negative.FROM_END else 0
    return least <= int(indices.min()) and int(indices.max()) < size
