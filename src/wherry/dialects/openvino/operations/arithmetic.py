"""Sums, quotients, comparisons and logical operations, of the elements at one place."""

from __future__ import annotations

from wherry.dialects.openvino.row import (
    BOOL,
    COMPUTED,
    FLOATS,
    INTEGER_TYPES,
    NUMBER_TYPES,
    Attribute,
    Input,
    OpenVINORow,
)
from wherry.dialects.openvino.values import NUMBER, START_AXIS, flag_of, word_of
from wherry.ops import (
    Binary,
    BinaryFunction,
    Broadcast,
    Clip,
    Compare,
    Crossed,
    Divide,
    Extreme,
    ExtremeFunction,
    Operator,
    Quotient,
    Relation,
    Remainder,
    Unary,
    UnaryFunction,
)

_SIGNED = frozenset(name for name in COMPUTED if not name.startswith("u"))
_NARROW = NUMBER_TYPES - COMPUTED
"""Floats of 8 bits."""

_WORDS = {"numpy": Broadcast.BOTH.value, "none": Broadcast.NONE.value, "pdpd": Broadcast.SECOND.value}
_BROADCAST = Attribute(
    "auto_broadcast",
    word_of(*_WORDS, ours=_WORDS, unsupported=("explicit",)),
    default=Broadcast.BOTH.value,
    field="broadcast",
)
_AXIS = Attribute(
    "auto_broadcast.auto_broadcast_axis",
    START_AXIS,
    default=None,
    field="axis",
    only_with=("auto_broadcast", Broadcast.SECOND.value),
)
"""Where the axes of b begin in a with pdpd; OpenVINO's files have this name for what the broadcast rules call axis."""
_WRAPS = "integers wrap around, floats are rounded to the nearest"
_BY_ZERO = "an integer by 0, of which the text does not speak, is refused"


def _two(name: str, build: type[Operator], types: frozenset[str], rule: str, *more: Attribute, since: int = 1,
         **fixed: object) -> OpenVINORow:  # fmt: skip
    """Return the row of an operation on two tensors that broadcast."""
    narrow = _NARROW if types >= FLOATS else frozenset()
    return OpenVINORow(
        name=name,
        since=since,
        rule=rule,
        build=build,
        inputs=(Input("a", types, not_computed=narrow), Input("b", types, not_computed=narrow, same_type="a")),
        attributes=(_BROADCAST, _AXIS, *more),
        fixed=fixed,
    )


def _one(name: str, function: UnaryFunction, types: frozenset[str], rule: str, since: int = 1) -> OpenVINORow:
    narrow = _NARROW if types >= FLOATS else frozenset()
    return OpenVINORow(
        name=name,
        since=since,
        rule=rule,
        build=Unary,
        inputs=(Input("data", types, not_computed=narrow),),
        fixed={"function": function},
    )


_ORDERED = "numbers are compared exactly; false where one is NaN"
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
    _two("Add", Binary, COMPUTED, _WRAPS, function=BinaryFunction.ADD),
    _two("Subtract", Binary, COMPUTED, _WRAPS, function=BinaryFunction.SUBTRACT),
    _two("Multiply", Binary, COMPUTED, _WRAPS, function=BinaryFunction.MULTIPLY),
    _two(
        "Divide",
        Divide,
        COMPUTED,
        f"m_pythondiv: quotients of integers are rounded down, else toward zero; {_BY_ZERO}, and so is the least by -1",
        Attribute("m_pythondiv", flag_of("floor", "truncate"), default=Quotient.FLOOR.value, field="rounding"),
    ),
    _two("Mod", Remainder, COMPUTED, f"with the sign of a; {_BY_ZERO}", rounding=Quotient.TRUNCATE),
    _two("FloorMod", Remainder, COMPUTED, f"with the sign of b; {_BY_ZERO}", rounding=Quotient.FLOOR),
    _two("Minimum", Extreme, COMPUTED, "NaN if one is NaN, of which the text does not speak",
         function=ExtremeFunction.MINIMUM),
    _two("Maximum", Extreme, COMPUTED, "NaN if one is NaN, of which the text does not speak",
         function=ExtremeFunction.MAXIMUM),
    *(_two(name, Compare, COMPUTED | BOOL, _ORDERED, function=one) for name, one in _RELATIONS.items()),
    *(_two(f"Logical{name}", Binary, BOOL, "of bools", function=one) for name, one in _LOGICAL.items()),
    *(_two(f"Bitwise{name}", Binary, INTEGER_TYPES, "of the bits of integers", since=13, function=one)
      for name, one in _LOGICAL.items()),
    _one("Negative", UnaryFunction.NEGATIVE, _SIGNED, "the sign bit of a float is turned; the least integer stays"),
    _one("Abs", UnaryFunction.ABSOLUTE, COMPUTED, "the sign bit of a float is cleared; the least integer stays"),
    _one("Sign", UnaryFunction.SIGN, COMPUTED, "-1, 0 or 1; of NaN NaN"),
    _one("LogicalNot", UnaryFunction.NOT, BOOL, "of bools"),
    _one("BitwiseNot", UnaryFunction.NOT, INTEGER_TYPES | BOOL, "of bits, or of bools", since=13),
    OpenVINORow(
        name="Clamp",
        since=1,
        rule="integers are bounded by ceil(min) and floor(max); NaN stays, of which the text does not speak",
        build=Clip,
        inputs=(Input("data", COMPUTED, not_computed=_NARROW),),
        attributes=(Attribute("min", NUMBER, field="least"), Attribute("max", NUMBER, field="greatest")),
        fixed={"crossed": Crossed.RAISE},
    ),
)  # fmt: skip
