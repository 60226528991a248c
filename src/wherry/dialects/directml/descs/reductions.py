"""The descriptions of operators that make one element of many, or of all before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import INDICES, T2, T8, T10, UINT32, WIDE, WIDE64, Types, level
from wherry.dialects.directml.enums import AxisDirection, FeatureLevel, ReductionFunction
from wherry.dialects.directml.members import BOOL, COUNT, UINT, Level, LevelRow, Support
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "ArgmaxOperatorDesc",
    "ArgminOperatorDesc",
    "CumulativeProductOperatorDesc",
    "CumulativeSummationOperatorDesc",
    "ReduceOperatorDesc",
]

OF_INTEGERS = "integers wrap around, though the page is silent; of floats, whose rounding is open, not computed"
FUNCTIONS = (
    "types are those of the function; sums and products of integers wrap around, of floats, whose order is open, they "
    "are not computed"
)
PLACES = "places among several axes count row-major; NaN is beyond all numbers, though the page is silent"

AXIS_COUNT = Annotated[COUNT, range(1, 9)]


def _alike(since: str, dims: tuple[int, int], types: Types) -> Level:
    return level(since, dims, types, output_tensor=types)


_OF_FLOATS = (_alike("1.0", (4, 4), T2), _alike("3.0", (1, 8), T2))
_NORMS = (*_OF_FLOATS, _alike("5.0", (1, 8), WIDE64))
_SUMS = (
    _alike("1.0", (4, 4), T2),
    _alike("2.1", (4, 4), WIDE),
    _alike("3.0", (1, 8), WIDE),
    _alike("5.0", (1, 8), WIDE64),
)
_EXTREMES = (*_SUMS[:2], _alike("3.0", (1, 8), T8), _alike("5.0", (1, 8), T10))
_PLACES = (
    level("1.0", (4, 4), T2, output_tensor=UINT32),
    level("2.1", (4, 4), T8, output_tensor=UINT32),
    level("3.0", (1, 8), T8, PLACES, output_tensor=INDICES),
    level("4.1", (1, 8), T10, PLACES, output_tensor=INDICES),
)

REDUCED: Mapping[ReductionFunction, tuple[Level, ...]] = {
    ReductionFunction.ARGMAX: _PLACES,
    ReductionFunction.ARGMIN: _PLACES,
    ReductionFunction.AVERAGE: _OF_FLOATS,
    ReductionFunction.L1: _NORMS,
    ReductionFunction.L2: _OF_FLOATS,
    ReductionFunction.LOG_SUM: _OF_FLOATS,
    ReductionFunction.LOG_SUM_EXP: _OF_FLOATS,
    ReductionFunction.MAX: _EXTREMES,
    ReductionFunction.MIN: _EXTREMES,
    ReductionFunction.MULTIPLY: _SUMS,
    ReductionFunction.SUM: _SUMS,
    ReductionFunction.SUM_SQUARE: _NORMS,
}
"""What feature levels support of each function."""


def _newest(levels: Sequence[Level], since: FeatureLevel) -> Level:
    return [one for one in levels if one.since <= since][-1]


def _of_any(since: FeatureLevel) -> Level:
    """Return what a feature level supports of one function or another."""
    found = [_newest(levels, since).support for levels in REDUCED.values()]
    columns = {
        field: Support(found[0][field].dims, tuple(dict.fromkeys(name for one in found for name in one[field].types)))
        for field in found[0]
    }
    return Level(since, FUNCTIONS, columns)


@dataclass(frozen=True)
class ReduceOperatorDesc(OperatorDesc):
    """`output[c] = function of input[c, r] for all r` along `axes`, of which the output has size 1.

    Specification: DML_REDUCE_OPERATOR_DESC.

    >>> table, row = BufferTensorDesc("INT32", [3, 3]), BufferTensorDesc("INT32", [1, 3])
    >>> ReduceOperatorDesc("SUM", table, row, [0]).axis_count
    1
    """

    function: ReductionFunction
    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axes: Sequence[UINT]
    axis_count: AXIS_COUNT = None

    levels = tuple(map(_of_any, sorted({one.since for levels in REDUCED.values() for one in levels})))

    def row(self, level: FeatureLevel) -> LevelRow:
        """Return what `level` supports of the function."""
        return replace(super().row(level), support=_newest(REDUCED[self.function], level).support)


@dataclass(frozen=True)
class ArgminOperatorDesc(OperatorDesc):
    """The place of the least element along `axes`: of equal ones the first, or if DECREASING the last.

    Specification: DML_ARGMIN_OPERATOR_DESC.

    >>> table, row = BufferTensorDesc("FLOAT32", [3, 3]), BufferTensorDesc("UINT32", [1, 3])
    >>> ArgminOperatorDesc(table, row, [0], "INCREASING").axis_direction.value
    0
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axes: Sequence[UINT]
    axis_direction: AxisDirection
    axis_count: AXIS_COUNT = None

    levels = _PLACES[2:]


@dataclass(frozen=True)
class ArgmaxOperatorDesc(OperatorDesc):
    """The place of the greatest element along `axes`: of equal ones the first, or if DECREASING the last.

    Specification: DML_ARGMAX_OPERATOR_DESC.

    >>> table, row = BufferTensorDesc("FLOAT32", [3, 3]), BufferTensorDesc("UINT32", [1, 3])
    >>> ArgmaxOperatorDesc(table, row, [0], "DECREASING").axis_direction.value
    1
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axes: Sequence[UINT]
    axis_direction: AxisDirection
    axis_count: AXIS_COUNT = None

    levels = _PLACES[2:]


@dataclass(frozen=True)
class CumulativeSummationOperatorDesc(OperatorDesc):
    """`output[.., n, ..]` is the sum of input[.., 0..n, ..] along `axis`, or if DECREASING from its end back.

    An exclusive sum leaves element n out. The output may be bound over the input.
    Specification: DML_CUMULATIVE_SUMMATION_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT32", [4])
    >>> CumulativeSummationOperatorDesc(row, row, 0, "INCREASING", has_exclusive_sum=False).has_exclusive_sum
    False
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT
    axis_direction: AxisDirection
    has_exclusive_sum: BOOL

    levels = (
        level("2.1", (4, 4), WIDE, OF_INTEGERS),
        level("4.0", (1, 8), WIDE, OF_INTEGERS),
        level("5.0", (1, 8), WIDE64, OF_INTEGERS),
    )
    in_place = True


@dataclass(frozen=True)
class CumulativeProductOperatorDesc(OperatorDesc):
    """`output[.., n, ..]` is the product of input[.., 0..n, ..] along `axis`, or if DECREASING from its end back.

    An exclusive product leaves element n out. The output may be bound over the input.
    Specification: DML_CUMULATIVE_PRODUCT_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT32", [4])
    >>> CumulativeProductOperatorDesc(row, row, 0, "DECREASING", has_exclusive_product=True).axis_direction.value
    1
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT
    axis_direction: AxisDirection
    has_exclusive_product: BOOL

    levels = (
        level("3.1", (4, 4), WIDE, OF_INTEGERS),
        level("4.0", (1, 8), WIDE, OF_INTEGERS),
        level("5.0", (1, 8), WIDE64, OF_INTEGERS),
    )
    in_place = True
