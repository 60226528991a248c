"""What the schema of DirectML's operators is made of: members of structs, and what feature levels support."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, get_args

from wherry.dialects.directml.enums import (
    AxisDirection,
    DataType,
    DepthSpaceOrder,
    FeatureLevel,
    Number,
    OperatorType,
    PaddingMode,
    ReductionFunction,
)
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.rows import Row, newest


class MemberType(StrEnum):
    """What a member of an operator's struct holds."""

    TENSOR = "tensor"
    """One tensor description."""
    TENSORS = "tensors"
    """An array of tensor descriptions."""
    COUNT = "count"
    """The length of the array members."""
    UINT = "uint"
    """An unsigned integer of 32 bits."""
    INT = "int"
    """A signed integer of 32 bits."""
    UINTS = "uints"
    """An array of unsigned integers of 32 bits."""
    INTS = "ints"
    """An array of signed integers of 32 bits."""
    FLOAT = "float"
    """A float32."""
    BOOL = "bool"
    """C's BOOL: TRUE or FALSE."""
    DATA_TYPE = "data_type"
    """DML_TENSOR_DATA_TYPE: the type of the scalars beside it."""
    SCALAR = "scalar"
    """DML_SCALAR_UNION, read as the type in the struct's member DATA_TYPE."""
    NUMBER = "number"
    """A member of an enumeration."""
    SCALE_BIAS = "scale_bias"
    """DML_SCALE_BIAS."""


# The types that the header declares members with; Python's own do not tell signed from unsigned.
UINT = Annotated[int, MemberType.UINT]
INT = Annotated[int, MemberType.INT]
FLOAT = Annotated[float, MemberType.FLOAT]
BOOL = Annotated[bool, MemberType.BOOL]
COUNT = Annotated[int | None, MemberType.COUNT]


_Numbers = type[Number]


@dataclass(frozen=True)
class Member:
    """One member of an operator's struct, derived from a field of its description; see `members_of`.

    `group` is the column of the support rows that a tensor falls under; tensors of one group share one DataType.
    A count has the arrays that it `counts`, and the values `allowed` where it is not the tensors' DimensionCount; a
    scalar the member that it is `typed_by`; a number its enumeration.
    """

    field: str
    type: MemberType
    group: str = "data"
    optional: bool = False
    counts: tuple[Member, ...] = ()
    typed_by: Member | None = None
    numbers: _Numbers | None = None
    allowed: range | None = None

    @cached_property
    def name(self) -> str:
        """DirectML's name of the member: IndexDimensions for `index_dimensions`."""
        return "".join(word.capitalize() for word in self.field.split("_"))

    @property
    def is_tensor(self) -> bool:
        """Whether the member is one tensor or an array of them."""
        return self.type in (MemberType.TENSOR, MemberType.TENSORS)

    @property
    def is_output(self) -> bool:
        """Whether the operator writes the tensor: the header names such members Output..., and no others."""
        return self.is_tensor and self.field.startswith("output_")

    @property
    def is_array(self) -> bool:
        """Whether the member is an array, so that a count tells its length."""
        return self.type in (MemberType.TENSORS, MemberType.UINTS, MemberType.INTS)


TYPES: Mapping[Any, MemberType] = {
    BufferTensorDesc: MemberType.TENSOR,
    Sequence[BufferTensorDesc]: MemberType.TENSORS,
    UINT: MemberType.UINT,
    INT: MemberType.INT,
    Sequence[UINT]: MemberType.UINTS,
    Sequence[INT]: MemberType.INTS,
    FLOAT: MemberType.FLOAT,
    BOOL: MemberType.BOOL,
    DataType: MemberType.DATA_TYPE,
    ScalarUnion: MemberType.SCALAR,
    PaddingMode: MemberType.NUMBER,
    AxisDirection: MemberType.NUMBER,
    DepthSpaceOrder: MemberType.NUMBER,
    ReductionFunction: MemberType.NUMBER,
    ScaleBias: MemberType.SCALE_BIAS,
}
"""What the annotation of a description's field says that the member holds; `| None` makes it optional."""


def members_of(annotations: Mapping[str, Any], columns: Container[str]) -> tuple[Member, ...]:
    """Return the members of a struct in its order, out of the annotations of a description's fields.

    `columns` are the fields that have a column of their own in the support rows. A struct has at most one count,
    directly before the arrays, all of which it counts; in Python it comes last, as it may be left out. A struct has at
    most one data type, which is that of all its scalars.
    """
    given = [_member(field, annotation, columns) for field, annotation in annotations.items()]
    arrays = tuple(member for member in given if member.is_array)
    data_type = next((member for member in given if member.type is MemberType.DATA_TYPE), None)
    members: list[Member] = []
    for member in given:
        if member.type is MemberType.COUNT:
            members.insert(members.index(arrays[0]), replace(member, counts=arrays))
        else:
            members.append(replace(member, typed_by=data_type) if member.type is MemberType.SCALAR else member)
    return tuple(members)


def _member(field: str, annotation: Any, columns: Container[str]) -> Member:
    details: tuple[Any, ...] = getattr(annotation, "__metadata__", ())
    if MemberType.COUNT in details:
        return Member(field, MemberType.COUNT, allowed=details[1] if len(details) > 1 else None)
    optional = type(None) in get_args(annotation)
    held = get_args(annotation)[0] if optional else annotation
    member = Member(field, TYPES[held], optional=optional, numbers=held if TYPES[held] is MemberType.NUMBER else None)
    return replace(member, group=field) if field in columns else member


@dataclass(frozen=True)
class Support:
    """The dimension counts and data types that a feature level supports for a group of tensors."""

    dims: range
    types: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """What an operator supports from a feature level on, by group of tensors, and what is special about it in words."""

    since: FeatureLevel
    rule: str
    support: Mapping[str, Support]


@dataclass(frozen=True, kw_only=True)
class LevelRow(Row):
    """What one operator supports from a feature level on, by group of tensors."""

    support: Mapping[str, Support]


@dataclass(frozen=True)
class OperatorInfo:
    """One operator: its members in struct order, its rows, and whether an output may be bound over its input.

    `own_counts` tells that tensors may have DimensionCounts of their own.
    """

    name: str
    members: tuple[Member, ...]
    rows: tuple[LevelRow, ...]
    in_place: bool = False
    own_counts: bool = False

    @property
    def type(self) -> OperatorType:
        """DML_OPERATOR_TYPE."""
        return OperatorType[self.name]

    @cached_property
    def tensors(self) -> tuple[Member, ...]:
        """The members that are tensors or arrays of them, in binding order."""
        return tuple(member for member in self.members if member.is_tensor)

    def row(self, level: FeatureLevel) -> LevelRow:
        """Return what `level` supports. Raises UnsupportedError below the level that introduced the operator."""
        return newest(self.rows, self.name, level, lambda value: str(FeatureLevel(value)))


def upper_snake_case(name: str) -> str:
    """Return the name of a C++ or Python class as the header's enumerations spell it.

    >>> upper_snake_case("GatherNd1")
    'GATHER_ND1'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
