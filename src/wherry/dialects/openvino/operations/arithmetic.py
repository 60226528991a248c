"""Sums, quotients, comparisons, logical operations, reductions and running sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wherry.dialects.openvino.row import INDEX_TYPES, INTEGER_TYPES, NUMBER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import BOOLEAN, NUMBER, flag_of, word_of
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    Binary,
    BinaryFunction,
    Broadcast,
    Clip,
    Compare,
    Crossed,
    Divide,
    EmptyAxes,
    Extreme,
    ExtremeFunction,
    Operator,
    Quotient,
    Reduce,
    ReduceFunction,
    Relation,
    Remainder,
    Unary,
    UnaryFunction,
)

_BOOL = frozenset({"bool"})
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_COMPUTED = INTEGER_TYPES | _FLOATS
_SIGNED = frozenset(name for name in _COMPUTED if not name.startswith("u"))
_NARROW = NUMBER_TYPES - _COMPUTED
"""Floats of 8 bits."""

_WORDS = {"numpy": Broadcast.BOTH.value, "none": Broadcast.NONE.value}
_BROADCAST = Attribute(
    "auto_broadcast",
    word_of(*_WORDS, ours=_WORDS, unsupported=("pdpd", "explicit")),
    default=Broadcast.BOTH.value,
    field="broadcast",
)
_WRAPS = "integers wrap around, floats are rounded to the nearest"
_BY_ZERO = "an integer by 0, of which the text does not speak, is refused"


def _two(name: str, build: type[Operator], types: frozenset[str], rule: str, *more: Attribute, since: int = 1,
         **fixed: object) -> OpenVINORow:  # fmt: skip
    """Return the row of an operation on two tensors that broadcast."""
    narrow = _NARROW if types >= _FLOATS else frozenset()
    return OpenVINORow(
        name=name,
        since=since,
        rule=rule,
        build=build,
        inputs=(Input("a", types, not_computed=narrow), Input("b", types, not_computed=narrow, same_type="a")),
        attributes=(_BROADCAST, *more),
        fixed={"axis": None, **fixed},
    )


def _one(name: str, function: UnaryFunction, types: frozenset[str], rule: str, since: int = 1) -> OpenVINORow:
    narrow = _NARROW if types >= _FLOATS else frozenset()
    return OpenVINORow(
        name=name,
        since=since,
        rule=rule,
        build=Unary,
        inputs=(Input("data", types, not_computed=narrow),),
        fixed={"function": function},
    )


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
            Input("data", types, not_computed=NUMBER_TYPES - types if types != _BOOL else frozenset()),
            Input("axes", INTEGER_TYPES, ndim=(0, 1), field="axes"),
        ),
        attributes=(Attribute("keep_dims", BOOLEAN, default=False, field="keep_axes"),),
        fixed={"function": function, "empty_axes": EmptyAxes.NONE},
    )


_ORDERED = "numbers are compared exactly; false where one is NaN"
_SUM = "of integers, which wrap around; of floats, whose order is open, it is not computed"
_EXTREME = "NaN if one is NaN, of which the text does not speak; of no elements the end of the type"
_RELATIONS = {
    "Equal": Relation.EQUAL,
    "NotEqual": Relation.NOT_EQUAL,
    "Less": Relation.LESS,
    "LessEqual": Relation.LESS_OR_EQUAL,
    "Greater": Relation.GREATER,
    "GreaterEqual": Relation.GREATER_OR_EQUAL,
}
_LOGICAL = {"And": BinaryFunction.AND, "Or": BinaryFunction.OR, "Xor": BinaryFunction.XOR}

ROWS = (
    _two("Add", Binary, _COMPUTED, _WRAPS, function=BinaryFunction.ADD),
    _two("Subtract", Binary, _COMPUTED, _WRAPS, function=BinaryFunction.SUBTRACT),
    _two("Multiply", Binary, _COMPUTED, _WRAPS, function=BinaryFunction.MULTIPLY),
    _two(
        "Divide",
        Divide,
        _COMPUTED,
        f"m_pythondiv: quotients of integers are rounded down, else toward zero; {_BY_ZERO}, and so is the least by -1",
        Attribute("m_pythondiv", flag_of("floor", "truncate"), default=Quotient.FLOOR.value, field="rounding"),
    ),
    _two("Mod", Remainder, _COMPUTED, f"with the sign of a; {_BY_ZERO}", rounding=Quotient.TRUNCATE),
    _two("FloorMod", Remainder, _COMPUTED, f"with the sign of b; {_BY_ZERO}", rounding=Quotient.FLOOR),
    _two("Minimum", Extreme, _COMPUTED, "NaN if one is NaN, of which the text does not speak",
         function=ExtremeFunction.MINIMUM),
    _two("Maximum", Extreme, _COMPUTED, "NaN if one is NaN, of which the text does not speak",
         function=ExtremeFunction.MAXIMUM),
    *(_two(name, Compare, _COMPUTED | _BOOL, _ORDERED, function=one) for name, one in _RELATIONS.items()),
    *(_two(f"Logical{name}", Binary, _BOOL, "of bools", function=one) for name, one in _LOGICAL.items()),
    *(_two(f"Bitwise{name}", Binary, INTEGER_TYPES, "of the bits of integers", since=13, function=one)
      for name, one in _LOGICAL.items()),
    _one("Negative", UnaryFunction.NEGATIVE, _SIGNED, "the sign bit of a float is turned; the least integer stays"),
    _one("Abs", UnaryFunction.ABSOLUTE, _COMPUTED, "the sign bit of a float is cleared; the least integer stays"),
    _one("Sign", UnaryFunction.SIGN, _COMPUTED, "-1, 0 or 1; of NaN NaN"),
    _one("LogicalNot", UnaryFunction.NOT, _BOOL, "of bools"),
    _one("BitwiseNot", UnaryFunction.NOT, INTEGER_TYPES | _BOOL, "of bits, or of bools", since=13),
    OpenVINORow(
        name="Clamp",
        since=1,
        rule="integers are bounded by ceil(min) and floor(max); NaN stays, of which the text does not speak",
        build=Clip,
        inputs=(Input("data", _COMPUTED, not_computed=_NARROW),),
        attributes=(Attribute("min", NUMBER, field="least"), Attribute("max", NUMBER, field="greatest")),
        fixed={"crossed": Crossed.RAISE},
    ),
    _reduction("ReduceSum", ReduceFunction.SUM, INTEGER_TYPES, _SUM),
    _reduction("ReduceProd", ReduceFunction.PRODUCT, INTEGER_TYPES, _SUM),
    _reduction("ReduceMin", ReduceFunction.MINIMUM, _COMPUTED, _EXTREME),
    _reduction("ReduceMax", ReduceFunction.MAXIMUM, _COMPUTED, _EXTREME),
    _reduction("ReduceLogicalAnd", ReduceFunction.MINIMUM, _BOOL, "true if all are, and of none"),
    _reduction("ReduceLogicalOr", ReduceFunction.MAXIMUM, _BOOL, "true if one is"),
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
)  # fmt: skip
