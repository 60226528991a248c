"""say: from an operator to the row of OpenVINO that has its rules, or the rules that none has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dialects.openvino.row import Input, OpenVINORow
from wherry.dialects.openvino.table import ROWS, newest_up_to
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dtypes import DType
from wherry.errors import WherryError
from wherry.graph import Deferred, Node
from wherry.ops import Constant, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]
Types = Sequence[TensorType]


class _Waiting:
    """Stands for a field whose value is an input's, known only at run."""


_WAITING: Final = _Waiting()


def say(
    node: Node, types: Types, values: Sequence[Array | None], opset: int | None = None
) -> FilledRow[OpenVINORow] | Refusal:
    """Return how OpenVINO says a node, given the types of its inputs: by the newest row that has the operator's rules.

    A file names the opset of each row, so that no version is to be chosen; with `opset`, only the newest row up to it
    counts. No rule depends on `values`.
    """
    of_input = dict(zip(node.inputs, types, strict=True))
    lacks = lacking(of_input)
    if lacks is not None:
        return lacks
    candidates = _candidates(node.operator, opset)
    if not candidates:
        words = f"operator is {_name(node.operator)}, which no OpenVINO operation says here"
        return Refusal((Fault("operator", words, node.operator),), subject=node.subject)
    faults: list[Fault] = []
    of_types: Refusal | None = None
    for row in candidates:
        found = _filled(row, node, of_input)
        if isinstance(found, Fault):
            faults.append(found)
            continue
        checked = _checked(found, node, of_input)
        if isinstance(checked, FilledRow):
            return checked
        of_types = checked
    if of_types is not None:
        return of_types
    return Refusal(tuple(reversed(faults)), f"OpenVINO cannot express {node.operator}: ", subject=node.subject)


PREFERRED: Mapping[str, object] = MappingProxyType(
    {
        "out_of_range": "zero",
        "negative": "from_end",
        "mixed_signs": "original",
        "overcrop": "empty",
    }
)
"""The values of rules that OpenVINO has, where a rule cannot matter."""

SUBJECT = "OpenVINO IR"
"""The subject of errors about a tensor rather than a node."""


def lacking(types: Mapping[str, TensorType]) -> Refusal | None:
    """Return the refusal of the first of some tensors whose element type OpenVINO does not have, None if it has all."""
    for name, kind in types.items():
        dtype = type_of(name, kind)
        if isinstance(dtype, Fault):
            return Refusal((dtype,), subject=SUBJECT)
    return None


def type_of(name: str, tensor_type: TensorType) -> DType | Fault:
    """Return the element type of a tensor, or what there is to say where OpenVINO does not have it."""
    dtype = tensor_type.dtype if isinstance(tensor_type.dtype, DType) else dtypes.of(tensor_type.dtype)
    if dtype is not None and dtype.openvino is not None:
        return dtype
    words = f"tensor {name!r} has dtype {tensor_type.dtype}, which OpenVINO does not have; convert it first"
    return Fault("dtype", words, tensor_type.dtype)


def _name(operator: Operator | Deferred) -> str:
    """Return the name of an operator, and which of its fields are not known."""
    if not isinstance(operator, Deferred):
        return type(operator).__name__
    build = operator.makes or operator.build
    waiting = ", ".join(name for name, _ in operator.from_inputs)
    return f"{getattr(build, '__name__', build)} with {waiting} known only at run"


def _candidates(operator: Operator | Deferred, opset: int | None) -> list[OpenVINORow]:
    """Return the rows that make operators of this class, the newest first."""
    made = operator.build if isinstance(operator, Deferred) else type(operator)
    own = dict(operator.fields) if isinstance(operator, Deferred) else vars(operator)
    rows = [row for row in reversed(ROWS) if row.is_written and made in (row.build, row.makes)]
    rows = [row for row in rows if row.fixed.get("function", own.get("function")) == own.get("function")]
    return rows if opset is None else [row for row in rows if row is newest_up_to(row.name, opset)]


def _filled(row: OpenVINORow, node: Node, types: Mapping[str, TensorType]) -> FilledRow[OpenVINORow] | Fault:
    """Return the row as it says the node, or the first field that it has otherwise."""
    given = _row_fields(row, node.operator)
    if isinstance(given, str):
        return Fault("", f"{row.title} {given}")
    fault = _mismatch(row, given, len(node.data_inputs))
    if fault is not None:
        return replace(fault, words=f"{row.title} {fault.words}")
    full = {name: given.get(name, default) for name, default in _defaults(row).items()}
    attributes = {one.name: one.default if one.is_hint else full[one.field or one.name] for one in row.attributes}
    return FilledRow(row, attributes, _inputs(row, full, node, types))


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


def _mismatch(row: OpenVINORow, given: Mapping[str, object], count: int) -> Fault | None:
    """Return the first rule of an operator's fields that a row has otherwise, or None where it has them all."""
    moved = [one for one in row.inputs if one.is_moved]
    if len(moved) != count and not any(one.repeats for one in moved):
        return Fault("inputs", f"takes {', '.join(one.name for one in moved) or 'no data'}", count, len(moved))
    inputs = {one.field: one for one in row.inputs if one.field}
    attributes = {one.field or one.name: one for one in row.attributes if not one.is_hint}
    for name, default in _defaults(row).items():
        value = given.get(name, default)
        words, allowed = None, None
        if name in inputs:
            words = f"needs {name}" if value is None and not inputs[name].is_optional else None
            if value is _WAITING and inputs[name].is_constant:
                words = f"needs {name} before run"
        elif value is _WAITING:
            words = f"needs {name} before run"
        elif name in attributes:
            kind = attributes[name].kind
            missing = None if attributes[name].default is None else f"needs {name}"
            words = missing if value is None else None if kind.has(value) else f"has no {name} {value}"
        elif value != (allowed := row.fixed.get(name, default)):
            words = f"has {name} {allowed}"
        if words:
            return Fault(name, words, value, allowed)
    return None


def _inputs(
    row: OpenVINORow, given: Mapping[str, object], node: Node, types: Mapping[str, TensorType]
) -> dict[str, str | Array | None]:
    """Return what stands at each input, up to the first one that is left out."""
    waiting = dict(node.operator.from_inputs) if isinstance(node.operator, Deferred) else {}
    data = list(node.data_inputs)
    kinds = [types[name] for name in data]
    if row.operands is not None:
        places = [one.name for one in row.inputs if one.is_moved]
        data = [name for _, name in sorted(zip(map(places.index, row.operands), data, strict=True))]
    inputs: list[str | Array | None] = []
    for one in row.inputs:
        if one.is_moved:
            inputs += data if one.repeats else [data.pop(0)]
        elif one.field is not None:
            value = given[one.field]
            if value is None:
                break
            inputs.append(node.inputs[waiting[one.field]] if value is _WAITING else _as_tensor(one, value, kinds))
        else:
            break
    return dict(zip(row.input_names(len(inputs)), inputs, strict=True))


def _checked(
    filled: FilledRow[OpenVINORow], node: Node, types: Mapping[str, TensorType]
) -> FilledRow[OpenVINORow] | Refusal:
    """Return the row if it takes inputs of these types."""
    given = [one for one in filled.inputs.values() if one is not None]
    kinds = [types[one] if isinstance(one, str) else TensorType.of(one) for one in given]
    try:
        filled.row.check(kinds)
    except WherryError as error:  # the check of readers
        return replace(Refusal.of(error), subject=node.subject)
    return filled


def _as_tensor(one: Input, value: Any, kinds: Types) -> Array:
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
