"""OperatorDesc: what all operator descriptions share, and how a struct holds the value of each type of member."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, ClassVar, TypeVar, get_type_hints

from wherry import errors
from wherry.arguments import as_entries, as_flag
from wherry.dialects.directml.c_numbers import as_float32, as_int, as_uint
from wherry.dialects.directml.enums import DataType, FeatureLevel, as_data_type, as_number
from wherry.dialects.directml.members import (
    Level,
    LevelRow,
    Member,
    MemberType,
    OperatorInfo,
    members_of,
    upper_snake_case,
)
from wherry.dialects.directml.scalar_union import as_union
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import InvalidTypeError, short
from wherry.faults import Faults
from wherry.ops.operator import set_fields

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class OperatorDesc:
    """What all operator descriptions share. The fields of a subclass are the members of DML_..._OPERATOR_DESC.

    Only what the C struct cannot hold is refused here, every member at once; `validate` checks the rules of a feature
    level.
    """

    name: ClassVar[str] = ""
    """DirectML's name without the prefix DML_OPERATOR_: that of the class, written as the header writes it."""

    levels: ClassVar[tuple[Level, ...]] = ()
    """What each feature level supports, from the one that introduced the operator on."""

    in_place: ClassVar[bool] = False
    """Whether the output may be bound over the input."""

    own_counts: ClassVar[bool] = False
    """Whether tensors may have DimensionCounts of their own."""

    def __init_subclass__(cls) -> None:
        cls.name = upper_snake_case(cls.__name__.removesuffix("OperatorDesc"))

    def __post_init__(self) -> None:
        with errors.subject(f"DirectML {self.name}"):
            faults = Faults()
            for member in self.info.members:
                value = getattr(self, member.field)
                if value is None and (member.optional or member.type is MemberType.COUNT):
                    continue
                if member.typed_by is None or isinstance(getattr(self, member.typed_by.field), DataType):
                    set_fields(self, **{member.field: faults.of(self._held, member, value)})
            faults.check()
            for member in self.info.members:
                if member.type is MemberType.COUNT and getattr(self, member.field) is None:
                    set_fields(self, **{member.field: len(getattr(self, member.counts[0].field))})

    def _held(self, member: Member, value: Any) -> object:
        """Return a member's value as the struct holds it; a scalar needs its data type, which stands before it."""
        if member.typed_by is not None:
            return as_union(member.name, value, getattr(self, member.typed_by.field))
        return _HELD[member.type](member, value)

    @property
    def info(self) -> OperatorInfo:
        """The operator's members and rows."""
        return self.operator_info()

    @classmethod
    @cache
    def operator_info(cls) -> OperatorInfo:
        """Return the operator's members, out of the annotations of the fields, and its rows, out of `levels`."""
        annotations = get_type_hints(cls, include_extras=True)
        members = members_of({field.name: annotations[field.name] for field in fields(cls)}, cls.levels[0].support)
        source = f"DML_{cls.name}_OPERATOR_DESC, Tensor support"
        rows = tuple(
            LevelRow(name=cls.name, since=level.since, rule=level.rule, source=source, support=level.support)
            for level in cls.levels
        )
        return OperatorInfo(cls.name, members, rows, cls.in_place, cls.own_counts)

    def row(self, level: FeatureLevel) -> LevelRow:
        """Return what `level` supports. Raises UnsupportedError below the level that introduced the operator."""
        return self.info.row(level)

    def subject(self, level: FeatureLevel) -> str:
        """Return the subject of errors: `DirectML GATHER (feature level 3.0)`."""
        return f"DirectML {self.name} (feature level {level})"

    @cached_property
    def tensors(self) -> tuple[tuple[str, Member, BufferTensorDesc], ...]:
        """Every tensor in binding order: its path (`OutputTensors[1]`), its member, and its description."""
        return tuple(self._tensors())

    def _tensors(self) -> Iterator[tuple[str, Member, BufferTensorDesc]]:
        for member in self.tensor_members:
            value = getattr(self, member.field)
            if member.type is MemberType.TENSORS:
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
    assert member.numbers is not None, "a member of the type NUMBER has its enumeration"
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


_HELD: Mapping[MemberType, Callable[[Member, Any], object]] = {
    MemberType.TENSOR: _tensor,
    MemberType.TENSORS: _tensors,
    MemberType.COUNT: lambda member, value: as_uint(member.name, value),
    MemberType.UINT: lambda member, value: as_uint(member.name, value),
    MemberType.INT: lambda member, value: as_int(member.name, value),
    MemberType.UINTS: _numbers(as_uint),
    MemberType.INTS: _numbers(as_int),
    MemberType.FLOAT: lambda member, value: as_float32(member.name, value),
    MemberType.BOOL: lambda member, value: as_flag(member.name, value),
    MemberType.DATA_TYPE: _data_type,
    MemberType.NUMBER: _number,
    MemberType.SCALE_BIAS: _scale_bias,
}
