"""OperatorDesc: what all operator descriptions share, and how a struct holds the value of each kind of member."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from wherry import errors
from wherry.arguments import as_entries
from wherry.dialects.directml.enums import DataType, FeatureLevel, as_data_type, as_int, as_number, as_uint
from wherry.dialects.directml.members import Kind, Member, OperatorInfo, snake_case
from wherry.dialects.directml.scalar_union import as_union
from wherry.dialects.directml.table import TABLE
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import InvalidTypeError, invalid, short
from wherry.faults import Faults
from wherry.ops.operator import set_fields

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class ScaleBias:
    """DML_SCALE_BIAS: `x * scale + bias`; both are rounded to float32, as the C struct holds them.

    >>> ScaleBias(2, 0.1)
    ScaleBias(scale=2.0, bias=0.10000000149011612)
    """

    scale: float
    bias: float

    def __post_init__(self) -> None:
        with errors.subject("DirectML ScaleBias"):
            faults = Faults()
            scale, bias = faults.of(as_float32, "Scale", self.scale), faults.of(as_float32, "Bias", self.bias)
            faults.check()
            set_fields(self, scale=scale, bias=bias)


@dataclass(frozen=True)
class OperatorDesc:
    """What all operator descriptions share; the table of operators says which members each has.

    Here is refused only what the C struct cannot hold, every member at once; `validate` checks the rules of a feature
    level.
    """

    name: ClassVar[str] = ""
    """DirectML's name without the prefix DML_OPERATOR_."""

    def __post_init__(self) -> None:
        with errors.subject(f"DirectML {self.name}"):
            faults = Faults()
            for member in self.info.members:
                value = getattr(self, member.field)
                if value is None and (member.optional or member.kind is Kind.COUNT):
                    continue
                if member.kind is not Kind.SCALAR or isinstance(getattr(self, snake_case(member.typed_by)), DataType):
                    set_fields(self, **{member.field: faults.of(self._held, member, value)})
            faults.check()
            for member in self.info.members:
                if member.kind is Kind.COUNT and getattr(self, member.field) is None:
                    set_fields(self, **{member.field: len(getattr(self, snake_case(member.counts[0])))})

    def _held(self, member: Member, value: Any) -> object:
        """Return a member's value as the struct holds it; a scalar needs its data type, which stands before it."""
        if member.kind is Kind.SCALAR:
            return as_union(member.name, value, getattr(self, snake_case(member.typed_by)))
        return _HELD[member.kind](member, value)

    @property
    def info(self) -> OperatorInfo:
        """The operator's row in the table."""
        return TABLE[self.name]

    def subject(self, level: FeatureLevel) -> str:
        """Return who speaks in errors: `DirectML GATHER (feature level 3.0)`."""
        return f"DirectML {self.name} (feature level {level})"

    @cached_property
    def tensors(self) -> tuple[tuple[str, Member, BufferTensorDesc], ...]:
        """Every tensor in binding order: its path (`OutputTensors[1]`), its member, and its description."""
        return tuple(self._tensors())

    def _tensors(self) -> Iterator[tuple[str, Member, BufferTensorDesc]]:
        for member in self.tensor_members:
            value = getattr(self, member.field)
            if member.kind is Kind.TENSORS:
                yield from ((f"{member.name}[{number}]", member, desc) for number, desc in enumerate(value))
            else:
                yield member.name, member, value

    @property
    def tensor_members(self) -> tuple[Member, ...]:
        """The members that are tensors, without optional ones that are missing."""
        return tuple(member for member in self.info.tensors if getattr(self, member.field) is not None)

    @cached_property
    def float_bits(self) -> tuple[bytes, ...]:
        """The bits of all float members: two descriptions can be equal and yet differ in the sign of a zero."""
        values = [getattr(self, member.field) for member in self.info.members]
        floats = [value for value in values if isinstance(value, float)]
        floats += [part for value in values if isinstance(value, ScaleBias) for part in (value.scale, value.bias)]
        return tuple(struct.pack("<d", value) for value in floats)


def as_float32(field: str, value: object) -> float:
    """Return a number as C's FLOAT holds it. Raises InvalidValueError beyond its range."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:  # the code of a caller's class may raise anything
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a number of float32's range") from None
    with np.errstate(over="ignore"):
        rounded = float(np.float32(number))
    if np.isinf(rounded) and not np.isinf(number):
        raise invalid(field, number, "numbers of float32's range")
    return rounded


def _tensor(member: Member, value: Any) -> BufferTensorDesc:
    return _as_tensor(member.name, value)


def _tensors(member: Member, value: Any) -> tuple[BufferTensorDesc, ...]:
    return _every(_as_tensor, member.name, as_entries(member.name, value, "a sequence of BufferTensorDesc"))


def _as_tensor(path: str, value: Any) -> BufferTensorDesc:
    if not isinstance(value, BufferTensorDesc):
        raise InvalidTypeError(f"{path} is {short(value)}, allowed a BufferTensorDesc")
    return value


def _numbers(convert: Callable[[str, object], int]) -> Callable[[Member, Any], tuple[int, ...]]:
    def held(member: Member, value: Any) -> tuple[int, ...]:
        return _every(convert, member.name, as_entries(member.name, value, "a sequence of integers"))

    return held


def _every(convert: Callable[[str, Any], Entry], name: str, values: Iterable[Any]) -> tuple[Entry, ...]:
    """Return the entries of an array as the struct holds them; the error tells all that are wrong."""
    faults = Faults()
    held = [faults.of(convert, f"{name}[{number}]", entry) for number, entry in enumerate(values)]
    faults.check()
    return tuple(entry for entry in held if entry is not None)


def _number(member: Member, value: Any) -> int:
    assert member.numbers is not None, "a member of the kind NUMBER names its enumeration"
    return as_number(member.name, value, member.numbers)


def _data_type(member: Member, value: Any) -> int:
    try:
        return as_data_type(value)
    except InvalidTypeError as error:
        raise InvalidTypeError(error.message.replace("DataType", member.name, 1)) from None


def _scale_bias(member: Member, value: Any) -> ScaleBias:
    if not isinstance(value, ScaleBias):
        raise InvalidTypeError(f"{member.name} is {short(value)}, allowed a ScaleBias or None")
    return value


_HELD: Mapping[Kind, Callable[[Member, Any], object]] = {
    Kind.TENSOR: _tensor,
    Kind.TENSORS: _tensors,
    Kind.COUNT: lambda member, value: as_uint(member.name, value),
    Kind.UINT: lambda member, value: as_uint(member.name, value),
    Kind.INT: lambda member, value: as_int(member.name, value),
    Kind.UINTS: _numbers(as_uint),
    Kind.INTS: _numbers(as_int),
    Kind.FLOAT: lambda member, value: as_float32(member.name, value),
    Kind.DATA_TYPE: _data_type,
    Kind.NUMBER: _number,
    Kind.SCALE_BIAS: _scale_bias,
}
