"""The one table of DirectML's operators: members in struct order, and what each feature level supports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
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
    """The length of the array member that `counts` names."""
    UINT = "uint"
    """An unsigned integer of 32 bits."""
    SCALE_BIAS = "scale_bias"
    """DML_SCALE_BIAS."""


@dataclass(frozen=True)
class Member:
    """One member of an operator's struct; `group` says which column of the support rows a tensor falls under.

    Tensors of one group share one DataType.
    """

    name: str
    kind: Kind
    is_output: bool = False
    group: str = "data"
    optional: bool = False
    counts: str = ""

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
    """One operator: its members in struct order, its rows, and whether an output may be bound over its input."""

    name: str
    members: tuple[Member, ...]
    rows: tuple[LevelRow, ...]
    in_place: bool = False

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


_F2 = ("FLOAT32", "FLOAT16")
_T6 = (*_F2, "INT32", "INT16", "UINT32", "UINT16")
_T8 = (*_T6, "INT8", "UINT8")
_T11 = (*_T8, "FLOAT64", "INT64", "UINT64")
_INDEX4 = ("INT64", "INT32", "UINT64", "UINT32")
_1_TO_8, _4, _4_TO_5 = range(1, 9), range(4, 5), range(4, 6)


def _data(dims: range, types: tuple[str, ...]) -> dict[str, Support]:
    return {"data": Support(dims, types)}


def _indexed(dims: range, types: tuple[str, ...], index_types: tuple[str, ...]) -> dict[str, Support]:
    return {"data": Support(dims, types), "indices": Support(dims, index_types)}


def _rows(name: str, *levels: tuple[int, dict[str, Support], str]) -> tuple[LevelRow, ...]:
    source = f"DML_{name}_OPERATOR_DESC, Tensor support"
    return tuple(LevelRow(name=name, since=since, support=support, rule=rule, source=source)
                 for since, support, rule in levels)  # fmt: skip


_INPUT = Member("InputTensor", Kind.TENSOR)
_OUTPUT = Member("OutputTensor", Kind.TENSOR, is_output=True)
_AXIS = Member("Axis", Kind.UINT)

_OPERATORS = (
    OperatorInfo(
        "GATHER",
        (
            _INPUT,
            Member("IndicesTensor", Kind.TENSOR, group="indices"),
            _OUTPUT,
            _AXIS,
            Member("IndexDimensions", Kind.UINT),
        ),
        _rows(
            "GATHER",
            (0x1000, _indexed(_4, _F2, ("UINT32",)), "indices count from the front; others are clamped"),
            (0x2100, _indexed(_4, _T8, ("UINT32",)), "indices count from the front; others are clamped"),
            (
                0x3000,
                _indexed(_1_TO_8, _T8, _INDEX4),
                "negative indices of a signed type count from the end; what then lies outside is clamped",
            ),
            (
                0x4100,
                _indexed(_1_TO_8, _T11, _INDEX4),
                "negative indices of a signed type count from the end; what then lies outside is clamped",
            ),
        ),
    ),
    OperatorInfo(
        "SPLIT",
        (
            _INPUT,
            Member("OutputCount", Kind.COUNT, counts="OutputTensors"),
            Member("OutputTensors", Kind.TENSORS, is_output=True),
            _AXIS,
        ),
        _rows(
            "SPLIT",
            (0x1000, _data(_4, _T6), ""),
            (0x2100, _data(_4, _T8), ""),
            (0x3000, _data(_1_TO_8, _T8), ""),
            (0x4100, _data(_1_TO_8, _T11), ""),
        ),
    ),
    OperatorInfo(
        "JOIN",
        (
            Member("InputCount", Kind.COUNT, counts="InputTensors"),
            Member("InputTensors", Kind.TENSORS),
            _OUTPUT,
            _AXIS,
        ),
        _rows(
            "JOIN",
            (0x1000, _data(_4, _T6), ""),
            (0x2100, _data(_4, _T8), ""),
            (0x3000, _data(_4_TO_5, _T8), ""),
            (0x3100, _data(_1_TO_8, _T8), "1 to 8 dimensions by the feature level history; the page says from 4_1 on"),
            (0x4100, _data(_1_TO_8, _T11), ""),
        ),
    ),
    OperatorInfo(
        "ELEMENT_WISE_IDENTITY",
        (
            _INPUT,
            _OUTPUT,
            Member("ScaleBias", Kind.SCALE_BIAS, optional=True),
        ),
        _rows(
            "ELEMENT_WISE_IDENTITY",
            (0x1000, _data(_4_TO_5, _F2), ""),
            (0x2100, _data(_4_TO_5, _T8), ""),
            (0x3000, _data(_1_TO_8, _T8), ""),
            (0x4100, _data(_1_TO_8, _T11), ""),
        ),
        in_place=True,
    ),
)

TABLE: Mapping[str, OperatorInfo] = {info.name: info for info in _OPERATORS}
"""Every operator by its name without the prefix DML_OPERATOR_."""
