"""Reductions along axes, and running sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wherry.dialects.openvino.row import (
    BOOL,
    COMPUTED,
    INDEX_TYPES,
    INTEGER_TYPES,
    NUMBER_TYPES,
    Attribute,
    Input,
    OpenVINORow,
)
from wherry.dialects.openvino.values import BOOLEAN
from wherry.ops import Accumulate, AccumulateFunction, EmptyAxes, Reduce, ReduceFunction

_SUM = "of integers, which wrap around; of floats, whose order is open, it is not computed"
_EXTREME = "NaN if one is NaN, of which the text does not speak; of no elements the end of the type"


def _reduced(given: Mapping[str, Any]) -> dict[str, Any] | str:
    """Return the fields of a reduction: an empty list of axes reduces none."""
    if given["axes"] == () and given["empty_axes"] is EmptyAxes.ALL:
        return "reduces nothing where no axes are given"
    return {**given, "empty_axes": EmptyAxes.NONE}


def _reduction(name: str, function: ReduceFunction, types: frozenset[str], rule: str) -> OpenVINORow:
    return OpenVINORow(
        name=name,
        since=1,
        rule=f"{rule}; an empty list of axes reduces nothing; an axis named twice, which is undefined, is refused",
        build=Reduce,
        unbuild=_reduced,
        inputs=(
            Input("data", types, not_computed=NUMBER_TYPES - types if types != BOOL else frozenset()),
            Input("axes", INTEGER_TYPES, ndim=(0, 1), field="axes"),
        ),
        attributes=(Attribute("keep_dims", BOOLEAN, default=False, field="keep_axes"),),
        fixed={"function": function, "empty_axes": EmptyAxes.NONE},
    )


ROWS = (
    _reduction("ReduceSum", ReduceFunction.SUM, INTEGER_TYPES, _SUM),
    _reduction("ReduceProd", ReduceFunction.PRODUCT, INTEGER_TYPES, _SUM),
    _reduction("ReduceMin", ReduceFunction.MINIMUM, COMPUTED, _EXTREME),
    _reduction("ReduceMax", ReduceFunction.MAXIMUM, COMPUTED, _EXTREME),
    _reduction("ReduceLogicalAnd", ReduceFunction.MINIMUM, BOOL, "true if all are, and of none"),
    _reduction("ReduceLogicalOr", ReduceFunction.MAXIMUM, BOOL, "true if one is"),
    OpenVINORow(
        name="CumSum",
        since=3,
        rule=_SUM,
        build=Accumulate,
        inputs=(
            Input("data", INTEGER_TYPES, not_computed=NUMBER_TYPES - INTEGER_TYPES),
            Input("axis", INDEX_TYPES, ndim=(0, 1), field="axis", is_single=True, is_optional=True),
        ),
        attributes=(
            Attribute("exclusive", BOOLEAN, default=False),
            Attribute("reverse", BOOLEAN, default=False),
        ),
        fixed={"function": AccumulateFunction.SUM},
    ),
)
