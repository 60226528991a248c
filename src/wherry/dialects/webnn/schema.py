"""WebNN's operators as data: what each method of MLGraphBuilder takes, and the rules it has in words.

Source: Web Neural Network API, the section of each method; its data types, and the ranks that a method allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry.arguments import as_flag, as_int
from wherry.dialects.rows import Row
from wherry.errors import InvalidTypeError, InvalidValueError, invalid, short
from wherry.tensors import TensorType

TYPES = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")
"""MLOperandDataType; there is no bool: conditions are uint8."""

SIGNED_TYPES = ("float32", "float16", "int64", "int32", "int8")

SUMMED_TYPES = ("float32", "float16", "int32", "uint32", "int64", "uint64")
"""What sums and products along axes take."""

INDEX_TYPES = ("int32", "uint32", "int64")

MOST = 2**31 - 1
"""What a size, and the number of elements, may be at most; the least is 1 (section MLOperandDescriptor)."""

MOST_PARTS = 8192
"""Inputs of concat, and outputs of split."""

_UNSIGNED = 2**32


@dataclass(frozen=True)
class Operand:
    """An input tensor: its element types, least number of axes, and the operand whose element type it has as well."""

    name: str
    types: tuple[str, ...] = TYPES
    least_ndim: int = 0
    type_of: str = ""
    variadic: bool = False


@dataclass(frozen=True)
class Member:
    """An argument or an option: how a value is read, and what it is where it is not given.

    Arguments come after the operands, by position; options have names, in JavaScript as members of a dictionary.
    """

    name: str
    read: Callable[[str, Any], Any]
    is_option: bool = False
    default: Any = None


_FIELDS = {
    "input": ("data",),
    "trueValue": ("x",),
    "falseValue": ("y",),
    "newShape": ("shape",),
    "splits": ("sections", "sizes"),
    "minValue": ("least",),
    "maxValue": ("greatest",),
    "keepDimensions": ("keep_axes", "keep_axis"),
    "reversed": ("reverse",),
    "outputDataType": ("dtype",),
}
"""What operators call that which a method calls otherwise."""


@dataclass(frozen=True, kw_only=True)
class Operation(Row):
    """One method of MLGraphBuilder, and what it takes."""

    operands: tuple[Operand, ...]
    members: tuple[Member, ...] = ()

    @property
    def has_parts(self) -> bool:
        """Whether the results are a list of parts, one for each entry of `splits`."""
        return self.name == "split"

    @property
    def subject(self) -> str:
        """The subject of its errors: `WebNN gather`."""
        return f"WebNN {self.name}"

    @property
    def names(self) -> Mapping[str, str]:
        """Its names for fields of the operator that have others, which errors are to bear."""
        own = [*(one.name for one in self.operands), *(one.name for one in self.members)]
        return {field: name for name in own for field in _FIELDS.get(name, ())}

    def operand_names(self, count: int) -> list[str]:
        """Return the names of so many operands; the entries of a variadic one are numbered."""
        if self.operands[-1].variadic:
            return [f"{self.operands[-1].name}[{number}]" for number in range(count)]
        return [one.name for one in self.operands[:count]]


def _operation(name: str, operands: tuple[Operand, ...], members: tuple[Member, ...] = (), rule: str = "") -> Operation:
    """Return a row; WebNN has no versions."""
    source = f"Web Neural Network API, MLGraphBuilder.{name}()"
    return Operation(name=name, since=1, rule=rule, source=source, operands=operands, members=members)


def lacks(tensor_type: TensorType, allowed: Sequence[str] = TYPES) -> bool:
    """Whether an element type is none of these, by default none that WebNN has."""
    return tensor_type.row is None or tensor_type.row.name not in allowed


def unsigned(field: str, value: Any) -> int:
    """Return an `unsigned long` with EnforceRange."""
    number = as_int(field, value)
    if not 0 <= number < _UNSIGNED:
        raise invalid(field, number, f"0..{_UNSIGNED - 1}", "WebNN counts axes and positions from the front")
    return number


def unsigneds(field: str, value: Any) -> tuple[int, ...]:
    """Return a sequence of `unsigned long`."""
    if isinstance(value, (str, bytes)):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a sequence of integers")
    try:
        given = list(value)
    except TypeError:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a sequence of integers") from None
    return tuple(unsigned(f"{field}[{number}]", one) for number, one in enumerate(given))


def sizes(field: str, value: Any) -> tuple[int, ...]:
    """Return valid dimensions."""
    given = unsigneds(field, value)
    for number, size in enumerate(given):
        if not 1 <= size <= MOST:
            raise invalid(f"{field}[{number}]", size, f"1..{MOST}", "WebNN has no tensors without elements")
    return given


def parts(field: str, value: Any) -> int | tuple[int, ...]:
    """Return the splits of `split`: how many parts, or the size of each."""
    try:
        count = as_int(field, value)
    except InvalidTypeError:
        listed = unsigneds(field, value)
        if not 1 <= len(listed) <= MOST_PARTS:
            raise InvalidValueError(f"{field} has {len(listed)} entries, allowed 1..{MOST_PARTS}") from None
        for number, size in enumerate(listed):
            if size == 0:
                raise invalid(f"{field}[{number}]", 0, "1 and more", "WebNN has no tensors without elements") from None
        return listed
    if not 1 <= count <= MOST_PARTS:
        raise invalid(field, count, f"1..{MOST_PARTS}")
    return count


def signed(field: str, value: Any) -> int:
    """Return a `long` with EnforceRange."""
    number = as_int(field, value)
    if not -(2**31) <= number < 2**31:
        raise invalid(field, number, f"{-(2**31)}..{2**31 - 1}")
    return number


def one_of(*words: str) -> Callable[[str, Any], str]:
    """Return the reader of an enumeration."""

    def read(field: str, value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise invalid(field, short(value), ", ".join(map(repr, words)))
        return value

    return read


def number(field: str, value: Any) -> float:
    """Return an MLNumber: a double, or an integer of any size."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed one number")
    return int(value) if isinstance(value, (int, np.integer)) else float(value)


INDICES = Operand("indices", INDEX_TYPES)
AXIS = Member("axis", unsigned, is_option=True, default=0)
_INPUT = Operand("input")
_RANKED = Operand("input", least_ndim=1)
_UPDATES = Operand("updates", type_of="input")
_CLAMPED = "an index must lie in -N..N-1; another is clamped to that range, as notes suggest and the tests expect"
_REFUSED = "an index must lie in -N..N-1; another is refused: clamped, an update would destroy the element at the edge"
_LAST = "of two updates for one element, which the specification does not forbid, the last stays"

_PAIR = (Operand("a"), Operand("b", type_of="a"))
_TRUTHS = (Operand("a", ("uint8",)), Operand("b", ("uint8",)))
_SIGNED = (Operand("input", SIGNED_TYPES),)
_SUMMED = (Operand("input", SUMMED_TYPES),)
_ALONG = (
    Member("axes", unsigneds, is_option=True),
    Member("keepDimensions", as_flag, is_option=True, default=False),
)
_PLACE = (
    Member("axis", unsigned),
    Member("keepDimensions", as_flag, is_option=True, default=False),
    Member("outputDataType", one_of("int32", "int64"), is_option=True, default="int32"),
)
_WRAPS = "integers that overflow, which the text leaves open, wrap around"
_BY_ZERO = "integers are cut toward zero; by 0, and the least one by -1, which the text leaves open, they are refused"
_NAN = "NaN, which the text leaves open, if one is NaN"
_STAYS = "the least integer, of which the text does not speak, stays itself"
_BOUNDED = (
    "bounds of integers are rounded half to even, and clamped to the type; NaN, which the text leaves open, stays"
)
_UNORDERED = "false where one is NaN, of which the text does not speak"
_TRUE = "every byte but 0 is true, of which the text does not speak"
_ADDED = f"no axes means all, an empty list none; {_WRAPS}; floats, whose order is open, are not added"
_OF_ALL = f"no axes means all, an empty list none; {_NAN}"
_FIRST = "of equal ones, which the text leaves open, the first; NaN is beyond all numbers"

FAMILIES: Mapping[str, tuple[Operation, ...]] = {
    "arithmetic": (
        _operation("abs", _SIGNED, (), _STAYS),
        _operation("add", _PAIR, (), _WRAPS),
        _operation("clamp", (_INPUT,), (
            Member("minValue", number, is_option=True),
            Member("maxValue", number, is_option=True),
        ), _BOUNDED),
        _operation("div", _PAIR, (), _BY_ZERO),
        _operation("max", _PAIR, (), _NAN),
        _operation("min", _PAIR, (), _NAN),
        _operation("mul", _PAIR, (), _WRAPS),
        _operation("neg", _SIGNED, (), _STAYS),
        _operation("sign", _SIGNED, (), "of NaN, of which the text does not speak, NaN; of -0.0 0.0"),
        _operation("sub", _PAIR, (), _WRAPS),
    ),
    "elements": (
        _operation("cast", (_INPUT,), (Member("dataType", one_of(*TYPES)),),
                  "a float beyond an integer type is left open: here the nearest end of its range, and 0 for NaN"),
        _operation("identity", (_INPUT,)),
        _operation("where", (
            Operand("condition", ("uint8",)), Operand("trueValue"), Operand("falseValue", type_of="trueValue"),
        ), (), "every condition but 0 chooses trueValue"),
    ),
    "gather": (
        _operation("gather", (_RANKED, INDICES), (AXIS,), _CLAMPED),
        _operation("gatherElements", (_RANKED, Operand("indices", INDEX_TYPES, 1)), (AXIS,), _CLAMPED),
        _operation("gatherND", (_RANKED, Operand("indices", INDEX_TYPES, 1)), (), f"{_CLAMPED}; each entry by itself"),
    ),
    "logic": (
        _operation("equal", _PAIR, (), "NaN equals nothing, -0.0 equals 0.0, of which the text does not speak"),
        _operation("greater", _PAIR, (), _UNORDERED),
        _operation("greaterOrEqual", _PAIR, (), _UNORDERED),
        _operation("lesser", _PAIR, (), _UNORDERED),
        _operation("lesserOrEqual", _PAIR, (), _UNORDERED),
        _operation("logicalAnd", _TRUTHS, (), _TRUE),
        _operation("logicalNot", (Operand("a", ("uint8",)),), (), _TRUE),
        _operation("logicalOr", _TRUTHS, (), _TRUE),
        _operation("logicalXor", _TRUTHS, (), _TRUE),
        _operation("notEqual", _PAIR, (), "true where one is NaN, of which the text does not speak"),
    ),
    "parts": (
        _operation("concat", (Operand("inputs", least_ndim=1, variadic=True),), (Member("axis", unsigned),)),
        _operation("pad", (_INPUT,), (
            Member("beginningPadding", unsigneds),
            Member("endingPadding", unsigneds),
            Member("mode", one_of("constant", "edge", "reflection"), is_option=True, default="constant"),
            Member("value", number, is_option=True, default=0),
        ), "reflection is narrower than the axis; value is rounded half to even, and clamped to an integer type"),
        _operation("slice", (_INPUT,), (
            Member("starts", unsigneds),
            Member("sizes", sizes),
            Member("strides", unsigneds, is_option=True),
        ), "sizes are those of the window before strides step through it, and the window lies inside the input"),
        _operation("split", (_RANKED,), (Member("splits", parts), AXIS), "a number of parts divides the axis"),
    ),
    "reductions": (
        _operation("argMax", (_RANKED,), _PLACE, _FIRST),
        _operation("argMin", (_RANKED,), _PLACE, _FIRST),
        _operation("cumulativeSum", (Operand("input", SUMMED_TYPES, 1),), (
            Member("axis", unsigned),
            Member("exclusive", as_flag, is_option=True, default=False),
            Member("reversed", as_flag, is_option=True, default=False),
        ), f"{_WRAPS}; floats, whose rounding is open, are not added"),
        _operation("reduceMax", (_INPUT,), _ALONG, _OF_ALL),
        _operation("reduceMin", (_INPUT,), _ALONG, _OF_ALL),
        _operation("reduceProduct", _SUMMED, _ALONG, _ADDED),
        _operation("reduceSum", _SUMMED, _ALONG, _ADDED),
    ),
    "scatter": (
        _operation("scatterElements", (_RANKED, Operand("indices", INDEX_TYPES, 1), _UPDATES), (AXIS,),
                  f"{_REFUSED}; {_LAST}"),
        _operation("scatterND", (_RANKED, Operand("indices", INDEX_TYPES, 1), _UPDATES), (), f"{_REFUSED}; {_LAST}"),
    ),
    "shapes": (
        _operation("expand", (_INPUT,), (Member("newShape", sizes),), "the sizes of newShape are those of the result"),
        _operation("reshape", (_INPUT,), (Member("newShape", sizes),), "neither -1 nor 0 is a size"),
        _operation("reverse", (_INPUT,), (Member("axes", unsigneds, is_option=True),),
                  "no axes means all, an empty list of axes none"),
        _operation("tile", (_INPUT,), (Member("repetitions", sizes),)),
        _operation("transpose", (_INPUT,), (Member("permutation", unsigneds, is_option=True),)),
        _operation("triangular", (Operand("input", least_ndim=2),), (
            Member("upper", as_flag, is_option=True, default=True),
            Member("diagonal", signed, is_option=True, default=0),
        )),
    ),
}  # fmt: skip
"""The methods that move data or compute with it, by family: the functions of each stand in one file."""

OPERATIONS = tuple(sorted((one for rows in FAMILIES.values() for one in rows), key=lambda one: one.name))

BY_NAME = {one.name: one for one in OPERATIONS}


def values_of(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all members: those given, by their names in JavaScript, or defaults of options.

    Raises InvalidValueError for a member that the method does not have, or an argument that is missing.
    """
    known = {one.name: one for one in operation.members}
    for name in given:
        if name not in known:
            raise InvalidValueError(f"{short(name)} is given, allowed {', '.join(known) or 'no members'}")
    values: dict[str, Any] = {}
    for name, member in known.items():
        value = given.get(name)
        if value is None and not member.is_option:
            raise InvalidValueError(f"{name} is missing, and has no default")
        values[name] = member.default if value is None else member.read(name, value)
    return values
