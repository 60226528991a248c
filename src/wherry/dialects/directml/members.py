"""What the table of DirectML's operators is made of: members of structs, and what feature levels support."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property

from wherry.dialects.directml.enums import FeatureLevel, OperatorType
from wherry.dialects.rows import Row, newest


class Kind(StrEnum):
    """What a member of an operator's struct holds."""

    TENSOR = "tensor"
    """One tensor description."""
    TENSORS = "tensors"
    """An array of tensor descriptions."""
    COUNT = "count"
    """The length of the array members that `counts` names."""
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
    DATA_TYPE = "data_type"
    """DML_TENSOR_DATA_TYPE: the type of the scalars beside it."""
    SCALAR = "scalar"
    """DML_SCALAR_UNION, read as the type in the member that `typed_by` names."""
    NUMBER = "number"
    """A member of the enumeration `numbers`."""
    SCALE_BIAS = "scale_bias"
    """DML_SCALE_BIAS."""


@dataclass(frozen=True)
class Member:
    """One member of an operator's struct; `group` says which column of the support rows a tensor falls under.

    Tensors of one group share one DataType. `since` has the feature levels of those numbers of an enumeration that
    not every level knows. `allowed` are the values of a count of numbers that is not the tensors' DimensionCount.
    """

    name: str
    kind: Kind
    is_output: bool = False
    group: str = "data"
    optional: bool = False
    counts: tuple[str, ...] = ()
    typed_by: str = ""
    numbers: type[IntEnum] | None = None
    since: tuple[tuple[IntEnum, int], ...] = ()
    allowed: range | None = None

    @cached_property
    def field(self) -> str:
        """The name of the member in Python: `index_dimensions` for IndexDimensions."""
        return snake_case(self.name)

    @property
    def is_tensor(self) -> bool:
        """Whether the member is one tensor or an array of them."""
        return self.kind in (Kind.TENSOR, Kind.TENSORS)


@dataclass(frozen=True)
class Support:
    """The dimension counts and data types that a feature level supports for a group of tensors."""

    dims: range
    types: tuple[str, ...]


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


def snake_case(name: str) -> str:
    """Return a DirectML member name as Python spells it.

    >>> snake_case("IndexDimensions")
    'index_dimensions'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
