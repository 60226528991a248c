"""Guards of operators without indices: casts, divisors, repeats, sizes of parts, one-hot positions.

As the guards of indices they leave legal answers bit for bit, and give an answer where the operator has none: NaN is
cast as 0, a number beyond the integers as the nearest one that both types have, a quotient by 0 is the dividend, the
least integer divided by -1 is its negative, which is itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.graph import Deferred
from wherry.moves import Negative
from wherry.ops import (
    Binary,
    BinaryFunction,
    Cast,
    Clip,
    Compare,
    Compress,
    Divide,
    Expand,
    Extreme,
    ExtremeFunction,
    IntegerOverflow,
    OneHot,
    Relation,
    Remainder,
    Slice,
    Tile,
    Unary,
    UnaryFunction,
    Where,
)
from wherry.ops.conversion import integer_range
from wherry.ops.split import split_by_sizes
from wherry.rewrite.bounds import of_value
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError

Array = NDArray[Any]

_INT32, _INT64 = dtypes.find("int32"), dtypes.find("int64")
_BFLOAT16, _FLOAT32 = dtypes.find("bfloat16"), dtypes.find("float32")
_LEAST, _MOST = integer_range(_INT32)
MAXIMUM = Extreme(ExtremeFunction.MAXIMUM)
_EQUAL = Compare(Relation.EQUAL)


def narrowed(builder: NodeBuilder, indices: str) -> str:
    """Return indices as int32; 64 bits stay where all are known to fit 32, in which some runtimes hold them."""
    row, bounds = builder.type(indices).row, builder.tensors.bounds(indices)
    if row == _INT32:
        return indices
    is_short = bounds is not None and bounds.low.size > 0 and bounds.low.min() >= _LEAST and bounds.high.max() <= _MOST
    if row == _INT64 and is_short:
        return indices
    return builder.add(Cast(_INT32, integer_overflow=IntegerOverflow.WRAP), indices)


def clipped(builder: NodeBuilder, name: str, low: str, high: str) -> str:
    """Return a tensor with numbers below `low`, and above `high`, replaced by these."""
    least, most = builder.value(low), builder.value(high)
    if least is not None and most is not None and least.ndim == most.ndim == 0:
        found = builder.add_directly(Clip(least, most), name)
        if found is not None:
            return found
    found = builder.try_add(Extreme(ExtremeFunction.MINIMUM), name, high)
    found = None if found is None else builder.try_add(MAXIMUM, found, low)
    if found is not None:
        return found
    found = builder.add(Where(), builder.add(Compare(Relation.GREATER), name, high), high, name)
    return builder.add(Where(), builder.add(Compare(Relation.LESS), found, low), low, found)


def number(builder: NodeBuilder, like: str, value: Any) -> str:
    """Return a constant of the type of a tensor."""
    return builder.constant(np.array(value, builder.type(like).numpy), "number")


def _castable(builder: NodeBuilder) -> str | None:
    """Let only numbers through that the integer type holds; of numbers that become bool only 0 and 1."""
    operator, (data,) = builder.operator, builder.inputs
    row = builder.type(data).row
    if row is None:
        return None
    if row == _BFLOAT16:  # for which few runtimes have comparisons
        data, row = builder.add(Cast(_FLOAT32), data), _FLOAT32
    if operator.to.kind == "bool" and (row.kind == "float" or row.is_integer):
        one = number(builder, data, 1)
        is_zero = builder.add(_EQUAL, data, number(builder, data, 0))
        return builder.add(operator, builder.add(Where(), is_zero, data, one))
    if row.kind != "float" or row.bits < 16 or not operator.to.is_integer:
        return None
    kept = builder.add(Where(), builder.add(_EQUAL, data, data), data, number(builder, data, 0))  # NaN is not NaN
    low, high = (builder.constant(end, "end") for end in _ends(row, integer_range(operator.to)))
    return builder.add(operator, clipped(builder, kept, low, high))


def _ends(row: dtypes.DType, ends: tuple[int, int]) -> list[Array]:
    """Return the numbers of a float type that are nearest to the ends of a range of integers, inside it."""
    limits = dtypes.finfo(row.numpy)
    found = []
    for end in ends:
        with np.errstate(over="ignore"):
            near = np.clip(np.array(float(end), row.numpy), limits.min, limits.max)
        is_outside = int(near) < end if end == ends[0] else int(near) > end
        found.append(np.asarray(np.nextafter(near, np.zeros((), row.numpy)) if is_outside else near, row.numpy))
    return found


def _divisible(builder: NodeBuilder) -> str | None:
    """Let no divisor through that is 0, nor -1 where the dividend may be the least integer.

    Integers of less than 32 bits are divided as int32, for which all runtimes have the operators, but for uint8.
    """
    operator, (a, b), row = builder.operator, builder.inputs, builder.type(builder.inputs[0]).row
    if row is None or not row.is_integer:
        return None
    is_narrow = row.bits < _INT32.bits and row.name != "uint8"
    if is_narrow:
        a, b = (builder.add(Cast(_INT32), one) for one in (a, b))
    if row.kind == "uint":
        found = builder.add(operator, a, builder.add(MAXIMUM, b, number(builder, b, 1)))
    else:
        found = builder.add(operator, *_with_quotient(builder, a, b, can_overflow=not is_narrow))
    return builder.add(Cast(row), found) if is_narrow else found


def _with_quotient(builder: NodeBuilder, a: str, b: str, can_overflow: bool) -> tuple[str, str]:
    """Return dividends and divisors with the same quotients where they exist, with 1 in place of 0 and -1."""
    is_bad = {value: builder.add(_EQUAL, b, number(builder, b, value))
              for value in _bad_divisors(builder, a, b, can_overflow)}  # fmt: skip
    if not is_bad:
        raise StuckError
    either = next(iter(is_bad.values()))
    if len(is_bad) > 1:
        either = builder.add(Binary(BinaryFunction.OR), *is_bad.values())
    divisor = builder.add(Where(), either, number(builder, b, 1), b)
    if -1 in is_bad and isinstance(builder.operator, Divide):
        a = builder.add(Where(), is_bad[-1], builder.add(Unary(UnaryFunction.NEGATIVE), a), a)
    return a, divisor


def _bad_divisors(builder: NodeBuilder, a: str, b: str, can_overflow: bool) -> list[int]:
    """Return which of 0 and -1 the divisor may be, -1 only where the dividend may be the least integer."""
    row = builder.type(a).row
    assert row is not None
    least, _ = integer_range(row)
    overflows = can_overflow and _may_be(builder, a, least)
    return [value for value in (0, -1) if (value == 0 or overflows) and _may_be(builder, b, value)]


def _may_be(builder: NodeBuilder, name: str, number: int) -> bool:
    value = builder.value(name)
    bounds = builder.tensors.bounds(name) if value is None else of_value(value)
    return bounds is None or bool(bounds.may_be(number).any())


def waiting(builder: NodeBuilder, field: str) -> str:
    """Return the tensor that holds a field. Raises StuckError where none does."""
    operator = builder.operator
    places = dict(operator.from_inputs) if isinstance(operator, Deferred) else {}
    if field not in places:
        raise StuckError
    return builder.inputs[places[field]]


def with_fields(builder: NodeBuilder, kept: Mapping[str, str]) -> list[str]:
    """Return the inputs of the operator with fields that are other tensors, in the types of those before."""
    names = {}
    for field, new in kept.items():
        old = waiting(builder, field)
        row = builder.type(old).row
        names[old] = new if row is None or builder.type(new).row == row else builder.add(Cast(row), new)
    return [names.get(one, one) for one in builder.inputs]


def _not_negative(builder: NodeBuilder, field: str) -> Sequence[str]:
    """Let no negative number through to a field that is a tensor."""
    short = narrowed(builder, waiting(builder, field))
    kept = builder.add(MAXIMUM, short, number(builder, short, 0))
    return builder.add_all(builder.operator, *with_fields(builder, {field: kept}))


def _on_or_off(builder: NodeBuilder) -> str | None:
    """Count indices from the front; those below the first position become one behind the last, which is off."""
    operator, (indices, *others) = builder.operator, builder.inputs
    row, depth = builder.type(indices).row, _decided(builder, "depth")
    if row is None or row.kind != "int" or depth is None:
        return None
    zero, off = number(builder, indices, 0), number(builder, indices, int(depth))
    if builder.known.field("negative") == Negative.FROM_END:
        front = builder.add(Binary(BinaryFunction.ADD), indices, off)
        indices = builder.add(Where(), builder.add(Compare(Relation.LESS), indices, zero), front, indices)
    indices = builder.add(Where(), builder.add(Compare(Relation.LESS), indices, zero), off, indices)
    return builder.add(operator, indices, *others)


def _as_long_as_the_axis(builder: NodeBuilder) -> str | None:
    """Cut off what a condition has beyond the axis."""
    data, axis = builder.type(builder.inputs[0]), builder.known.field("axis")
    if not data.is_known:
        raise StuckError
    size = prod(data.shape) if axis is None else data.shape[axis]
    condition = builder.add(Slice((0,), (size,), (0,), (1,)), waiting(builder, "condition"))
    return builder.add(builder.operator, *with_fields(builder, {"condition": condition}))


def _decided(builder: NodeBuilder, field: str) -> Any:
    """Return a field of the operator, also one that is an input of a constant; None where it is known at run only."""
    operator = builder.operator
    waiting = dict(operator.from_inputs) if isinstance(operator, Deferred) else {}
    return builder.value(builder.inputs[waiting[field]]) if field in waiting else builder.known.field(field)


VALUES_INSIDE: tuple[Rewrite, ...] = (
    Rewrite((Cast,), "floats of 16 bits and more become integers; numbers become bool",
            "Equal with itself, Where, Clip, Cast; for bool Equal with 0, Where, Cast; of bfloat16 as float32",
            "NaN becomes 0, all others lie between the ends of the integers; 0 and 1 are the same bool everywhere",
            _castable),
    Rewrite((Divide, Remainder), "the divisor, an integer, may be 0, or -1 under the least integer",
            "Equal, Or, Where, the same; where the least may be divided by -1 Neg and Where of the dividend too; "
            "of unsigned integers Max with 1",
            "what is divided by 0 or -1 is divided by 1, its negative in place of -1", _divisible),
    Rewrite((Tile,), "repeats are a tensor", "Cast of the repeats to int32 and back, Max with 0, Tile",
            "a negative number of times is none", partial(_not_negative, field="repeats"), deferred=True),
    Rewrite((split_by_sizes,), "sizes are a tensor", "Cast of the sizes to int32 and back, Max with 0, Split",
            "then they do not add up, which every runtime refuses", partial(_not_negative, field="sizes"),
            deferred=True),
    Rewrite((Expand,), "the shape is a tensor", "Cast of the shape to int32 and back, Max with 0, Expand",
            "a negative size is none", partial(_not_negative, field="shape"), deferred=True),
    Rewrite((OneHot,), "indices are integers with a sign, the number of positions is known",
            "Less, Where, OneHot; where negative ones count from the end Less, Add, Where before",
            "no index is negative; one behind the last position is off everywhere", _on_or_off, deferred=True),
    Rewrite((Compress,), "the condition is a tensor, sizes are known", "Slice of the condition, Compress",
            "there is no entry beyond the axis", _as_long_as_the_axis, deferred=True),
)  # fmt: skip
"""The rows of guards of values."""
