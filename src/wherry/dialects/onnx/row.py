"""Schema, Meaning, and the row that they make; and `bind`: from a row and one use of it to an operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_int, as_ints
from wherry.arrays.anywhere import as_array
from wherry.dialects.onnx.types import TypeSet
from wherry.dialects.rows import Row
from wherry.dtypes import UNKNOWN
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, invalid, short
from wherry.graph import Deferred
from wherry.ops import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]
Made = TypeVar("Made", bound=Operator)


class Kind(StrEnum):
    """What an attribute holds, in the words of AttributeProto.AttributeType."""

    INT = "INT"
    INTS = "INTS"
    FLOAT = "FLOAT"
    FLOATS = "FLOATS"
    STRING = "STRING"
    STRINGS = "STRINGS"
    TENSOR = "TENSOR"
    SPARSE_TENSOR = "SPARSE_TENSOR"


def _as_float(field: str, value: Any) -> float:
    if isinstance(value, (bool, str, bytes)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed one number")
    return float(value)


def _as_str(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a string")
    return str(value)


def _as_tensor(field: str, value: Any) -> Array:
    return as_array(value, field)


_COERCE: dict[Kind, Callable[[str, Any], Any]] = {
    Kind.INT: as_int, Kind.INTS: as_ints, Kind.FLOAT: _as_float, Kind.STRING: _as_str, Kind.TENSOR: _as_tensor,
}  # fmt: skip


class Parameter(NamedTuple):
    """An input or output: its name and types; inputs and outputs with one `type_name` have one element type."""

    name: str
    types: TypeSet
    type_name: str = "T"
    optional: bool = False
    variadic: bool = False


class Limit(NamedTuple):
    """What the text of a version says of an attribute's values, and its schema does not.

    `minimum` bounds an integer, or each of several; `allowed` lists all values that the text names, where it names
    them; `advice` tells what to do. `is_element_type` says that the attribute names an element type, which callers
    give as such.
    """

    minimum: int | None = None
    allowed: tuple[Any, ...] = ()
    advice: str = ""
    is_element_type: bool = False


NO_LIMIT = Limit()
NOT_NEGATIVE = Limit(minimum=0)
FROM_FRONT = Limit(minimum=0, advice="a negative axis counts from the end from version 11 on")
FLAG = Limit(allowed=(0, 1))


class Attribute(NamedTuple):
    """An attribute: its kind, and its default where it need not be given (None: no value)."""

    name: str
    kind: Kind
    default: Any = None
    required: bool = False
    limit: Limit = NO_LIMIT


class Schema(NamedTuple):
    """One version of one operator, as the onnx package describes it.

    `others` tells what it takes besides tensors.
    """

    name: str
    since: int
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: tuple[Attribute, ...] = ()
    is_deprecated: bool = False
    others: str = ""


@dataclass(frozen=True)
class Use:
    """One use of a row: what its `build` sees. `positions` and `types` hold only the inputs that are given."""

    row: OnnxRow
    attributes: Mapping[str, Any]
    positions: Mapping[str, int]
    types: Mapping[str, TensorType]
    output_count: int

    def deferred(
        self,
        build: Callable[..., Made],
        waiting: Mapping[str, str],
        makes: type[Operator] | None = None,
        /,
        **fields: object,
    ) -> Made | Deferred:
        """Return `build` with some fields from inputs: `waiting` names the input for each, which may be left out."""
        from_inputs = tuple((field, self.positions[name]) for field, name in waiting.items() if name in self.positions)
        if not from_inputs:
            return build(**fields)
        outputs = self.row.outputs
        count = self.output_count if outputs[-1].variadic else len(outputs)
        return Deferred(build, tuple(fields.items()), from_inputs, count, makes)


FIELD_NAMES: Mapping[str, tuple[str, ...]] = {
    "data": ("input", "X", "x", "past_cache"),
    "indices": ("write_indices",),
    "updates": ("update",),
    "sizes": ("split",),
    "sections": ("num_outputs",),
    "begins": ("pads", "paddings"),
    "ends": ("pads", "paddings"),
    "value": ("constant_value",),
    "lengths": ("sequence_lens",),
    "batch_axes": ("batch_axis",),
    "block_size": ("blocksize",),
    "least": ("min",),
    "greatest": ("max",),
    "keep_axis": ("keepdims",),
    "keep_axes": ("keepdims",),
    "last": ("select_last_index",),
}
"""What ONNX calls the fields of operators: the first of these names that a version has, if it lacks ours."""


class Meaning(NamedTuple):
    """What versions of an operator mean: those from `since` up to the next meaning of the operator.

    `rule` tells in words what version `since` does where others differ; versions after it that have no meaning of
    their own add element types. `build` makes the operator of a use, or the value where the operator is a constant.
    `reads` names the inputs that the operator has, in its order, where these are not all of the schema's in the
    schema's order. `instead` tells what to use in place of a version that is deprecated.
    """

    since: int
    rule: str
    build: Callable[[Use], Operator | Deferred | Array]
    limits: Mapping[str, Limit] = MappingProxyType({})
    reads: tuple[str, ...] = ()
    instead: str = ""


@dataclass(frozen=True, kw_only=True)
class OnnxRow(Row):
    """One version of one ONNX operator: its schema and its meaning.

    `refuses` names kinds of values that the schema takes and that are no tensors. `deprecated` tells what to use
    instead of a version that must not be used. For `build` and `reads` see Meaning.
    """

    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: tuple[Attribute, ...] = ()
    build: Callable[[Use], Operator | Deferred | Array]
    reads: tuple[str, ...] = ()
    refuses: str = ""
    deprecated: str = ""

    @cached_property
    def subject(self) -> str:
        """The subject of errors: `ONNX Gather-13`."""
        return f"ONNX {self.name}-{self.since}"

    @cached_property
    def names(self) -> dict[str, str]:
        """What this version calls those fields of its operator for which it has another name."""
        theirs = {
            ours: next(filter(self.takes, names), None) for ours, names in FIELD_NAMES.items() if not self.takes(ours)
        }
        return {ours: name for ours, name in theirs.items() if name is not None}

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The inputs by name."""
        return {parameter.name: parameter for parameter in self.inputs}

    @cached_property
    def attribute_names(self) -> frozenset[str]:
        """The names of the attributes."""
        return frozenset(attribute.name for attribute in self.attributes)

    @property
    def types(self) -> list[TypeSet]:
        """The types of the inputs and outputs."""
        return [parameter.types for parameter in (*self.inputs, *self.outputs)]

    def has_attribute(self, name: str) -> bool:
        """Whether this version has an attribute called `name`."""
        return name in self.attribute_names

    def has_input(self, name: str) -> bool:
        """Whether this version has an input called `name`."""
        return name in self.parameters

    def takes(self, name: str) -> bool:
        """Whether this version has an input or an attribute called `name`."""
        return self.has_input(name) or self.has_attribute(name)


def bind(
    row: OnnxRow, inputs: Sequence[TensorType | None], attributes: Mapping[str, Any], output_count: int = 1
) -> Operator | Deferred | Array:
    """Return what `row` means for inputs of these types (None for one left out) and the given attributes.

    Raises InvalidValueError for a missing input or attribute, one that the version lacks, a value outside its range or
    a wrong number of outputs; InvalidTypeError for an element type that the version does not take; UnsupportedError for
    a version that is deprecated.
    """
    if row.deprecated:
        raise UnsupportedError(f"{row.name} is deprecated from version {row.since} on; {row.deprecated}")
    names = input_names(row, len(inputs))
    _check_inputs(row, names, inputs)
    _check_outputs(row, output_count)
    types = {name: kind for name, kind in zip(names, inputs, strict=True) if kind is not None}
    positions = {name: position for position, name in enumerate(arranged(row, types))}
    return row.build(Use(row, _values(row, attributes), positions, types, output_count))


def arranged(row: OnnxRow, given: Mapping[str, Any]) -> list[str]:
    """Return the names of the given inputs, those that the operator reads, in the operator's order."""
    return [name for name in row.reads if name in given] if row.reads else list(given)


def _check_outputs(row: OnnxRow, count: int) -> None:
    least = sum(not parameter.optional for parameter in row.outputs)
    if count < least:
        raise InvalidValueError(f"outputs has {count} entries, allowed {least} and more")
    if count > len(row.outputs) and not row.outputs[-1].variadic:
        allowed = f"{least}..{len(row.outputs)}" if least < len(row.outputs) else str(least)
        raise InvalidValueError(
            f"outputs has {count} entries, allowed {allowed}: {', '.join(output.name for output in row.outputs)}"
        )


def input_names(row: OnnxRow, count: int) -> list[str]:
    """Return the names of `count` inputs; the entries of a variadic one are numbered."""
    fixed = [parameter.name for parameter in row.inputs]
    if row.inputs and row.inputs[-1].variadic:
        last = fixed.pop()
        fixed += [f"{last}[{number}]" for number in range(count - len(fixed))]
    if count > len(fixed):
        allowed = f"up to {len(fixed)}: {', '.join(fixed)}" if fixed else "none"
        raise InvalidValueError(f"inputs has {count} entries, allowed {allowed}")
    return fixed[:count]


def _check_inputs(row: OnnxRow, names: Sequence[str], inputs: Sequence[TensorType | None]) -> None:
    chosen: dict[str, tuple[str, TensorType]] = {}
    given = list(zip(names, inputs, strict=True))
    for number, parameter in enumerate(row.inputs):
        entries = given[number : None if parameter.variadic else number + 1]
        if not parameter.optional and (not entries or entries[0][1] is None):
            raise InvalidValueError(f"input {parameter.name} is missing, allowed {parameter.types}")
        for name, kind in entries:
            if kind is None and parameter.variadic:
                raise InvalidValueError(f"input {name} is missing, but others follow it; leave none out")
            if kind is not None:
                _check_type(parameter, name, kind, chosen)


def _check_type(
    parameter: Parameter, name: str, tensor_type: TensorType, chosen: dict[str, tuple[str, TensorType]]
) -> None:
    if not parameter.types.holds(tensor_type):
        raise InvalidTypeError(f"{name} has dtype {tensor_type.dtype}, allowed {parameter.types}; convert it first")
    if tensor_type.dtype is UNKNOWN:
        return
    first, other = chosen.setdefault(parameter.type_name, (name, tensor_type))
    if other.dtype is not tensor_type.dtype and other.dtype != tensor_type.dtype:
        raise InvalidTypeError(
            f"{name} has dtype {tensor_type.dtype}, allowed {other.dtype} as {first}; convert it first"
        )


def _values(row: OnnxRow, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every attribute: given, default, or None."""
    for name in given:
        if not row.has_attribute(name):
            allowed = ", ".join(attribute.name for attribute in row.attributes) or "none"
            raise InvalidValueError(f"attribute {name!r} is not one that this version has, allowed {allowed}")
    return {attribute.name: _value(attribute, given.get(attribute.name)) for attribute in row.attributes}


def _value(attribute: Attribute, given: Any) -> Any:
    if given is None:
        if attribute.required:
            raise InvalidValueError(f"attribute {attribute.name!r} is missing, allowed one {attribute.kind}")
        return attribute.default
    value = _COERCE[attribute.kind](attribute.name, given) if attribute.kind in _COERCE else given
    limit = attribute.limit
    if limit.allowed and value not in limit.allowed:
        raise invalid(attribute.name, short(value), ", ".join(map(repr, limit.allowed)), limit.advice)
    if limit.minimum is not None:
        for number, entry in enumerate(value if attribute.kind is Kind.INTS else (value,)):
            if entry < limit.minimum:
                where = f"{attribute.name}[{number}]" if attribute.kind is Kind.INTS else attribute.name
                raise invalid(where, entry, f"{limit.minimum} and more", limit.advice)
    return value
