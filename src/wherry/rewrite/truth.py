"""Rewrites of operators that compute where dialects hold bools, signs and narrow integers in other types."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.dtypes import DType
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    Binary,
    BinaryFunction,
    Broadcast,
    ByZero,
    Cast,
    Compare,
    Divide,
    Extreme,
    Quotient,
    Reduce,
    ReduceFunction,
    Relation,
    Remainder,
    Unary,
    UnaryFunction,
    Where,
)
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError

_TRUTH = tuple(dtypes.find(name) for name in ("bool", "uint8", "uint32"))
_BOOL, _UINT8, _ = _TRUTH

_OF_BOOLS = {
    BinaryFunction.LOGICAL_AND: BinaryFunction.AND,
    BinaryFunction.LOGICAL_OR: BinaryFunction.OR,
    BinaryFunction.LOGICAL_XOR: BinaryFunction.XOR,
}

_OTHER_SIGN = {
    UnaryFunction.SIGN: UnaryFunction.SIGN_OR_ZERO,
    UnaryFunction.SIGN_OR_ZERO: UnaryFunction.SIGN,
}


def _row(builder: NodeBuilder) -> DType | None:
    return builder.type(builder.inputs[0]).row


def _unequal(builder: NodeBuilder) -> str | None:
    """Ask whether elements are equal, and turn that."""
    operator: Compare = builder.operator
    if operator.function is not Relation.NOT_EQUAL:
        return None
    equal = builder.add(replace(operator, function=Relation.EQUAL), *builder.inputs)
    turned = UnaryFunction.NOT if operator.dtype == _BOOL else UnaryFunction.LOGICAL_NOT
    return builder.add(Unary(turned), equal)


def _other_truth(builder: NodeBuilder) -> str | None:
    """Compare with a result of another type, and cast it."""
    operator: Compare = builder.operator
    for other in _TRUTH:
        found = None if other == operator.dtype else builder.try_add(replace(operator, dtype=other), *builder.inputs)
        if found is not None:
            return builder.add(Cast(operator.dtype), found)
    return None


def _logic_of_bools(builder: NodeBuilder) -> str | None:
    """Cast to bool, ask there, and cast back; of one integer whether it is 0."""
    operator: Any = builder.operator
    row = _row(builder)
    if row is None or not row.is_integer:
        return None
    if operator.function is UnaryFunction.LOGICAL_NOT:
        return _asked(builder, Relation.EQUAL, row, *builder.inputs)
    if operator.function not in _OF_BOOLS:
        return None
    bools = [builder.try_add(Cast(_BOOL), name) for name in builder.inputs]
    if None not in bools:
        made = builder.try_add(replace(operator, function=_OF_BOOLS[operator.function]), *filter(None, bools))
        if made is not None:
            return builder.add(Cast(row), made)
    if row == _UINT8:
        return None
    bytes_ = [_asked(builder, Relation.NOT_EQUAL, _UINT8, name) for name in builder.inputs]
    return builder.add(Cast(row), builder.add(operator, *bytes_))


def _asked(builder: NodeBuilder, relation: Relation, into: DType, name: str) -> str:
    """Compare with 0."""
    zero = builder.constant(np.zeros((), builder.type(name).numpy), "zero")
    if into in _TRUTH:
        return builder.add(Compare(relation, dtype=into), name, zero)
    for truth in _TRUTH:
        found = builder.try_add(Compare(relation, dtype=truth), name, zero)
        if found is not None:
            return builder.add(Cast(into), found)
    return builder.add(Compare(relation), name, zero)


def _other_sign(builder: NodeBuilder) -> str | None:
    """Replace a sign by one that differs only for NaN; floats treat NaN separately."""
    function, row = builder.operator.function, _row(builder)
    if function not in _OTHER_SIGN or row is None:
        return None
    (data,) = builder.inputs
    sign = builder.add(Unary(_OTHER_SIGN[function]), data)
    if row.is_integer:
        return sign
    zero = builder.constant(np.zeros((), builder.type(data).numpy), "zero")
    of_nan = data if function is UnaryFunction.SIGN else zero
    return _chosen(builder, data, data, sign, of_nan)


def _two_at_a_time(builder: NodeBuilder) -> str | None:
    """Take the extreme of the first two, then of that and the next; of one tensor itself."""
    operator: Extreme = builder.operator
    if len(builder.inputs) == 2:
        return None
    found, *others = builder.inputs
    for other in others:
        found = builder.add(operator, found, other)
    return found


def _without_sign(builder: NodeBuilder) -> str | None:
    row = _row(builder)
    is_same = builder.operator.function is UnaryFunction.ABSOLUTE and row is not None and row.kind == "uint"
    return builder.inputs[0] if is_same else None


_WRAPS = frozenset((
    BinaryFunction.ADD, BinaryFunction.SUBTRACT, BinaryFunction.MULTIPLY, *AccumulateFunction,
    ReduceFunction.SUM, ReduceFunction.PRODUCT,
))  # fmt: skip
"""Functions whose results modulo 2**n are those of the elements modulo 2**n."""


def _wider(builder: NodeBuilder) -> str | None:
    """Compute with integers of 32 bits, and cast the results to narrow ones."""
    operator: Any = builder.operator
    row = _row(builder)
    is_narrow = row is not None and row.is_integer and row.bits < 32
    if row is None or not is_narrow or not (operator.function in _WRAPS or isinstance(operator, (Compare, Extreme))):
        return None
    wide = Cast(dtypes.find(f"{row.kind}32"))
    made = builder.add(operator, *(builder.add(wide, name) for name in builder.inputs))
    return made if isinstance(operator, Compare) else builder.add(Cast(row), made)


def _by_quotient(builder: NodeBuilder) -> str | None:
    """Take from a what b goes into it. By -1, where the quotient may not be one, as by 1; the sign is mended after."""
    operator: Remainder = builder.operator
    row = _row(builder)
    if row is None or not row.is_integer or operator.by_zero is not ByZero.RAISE:
        return None
    a, b = builder.inputs
    broadcast, axis = operator.broadcast, operator.axis
    divisor, value = b, builder.value(b)
    if row.kind == "int" and (value is None or bool((value == -1).any())):
        one, other = (builder.constant(np.array(number, row.numpy), "one") for number in (1, -1))
        divisor = _chosen(builder, b, other, one, b)
    whole = builder.add(Divide(broadcast=broadcast, axis=axis), a, divisor)
    back = Binary(BinaryFunction.MULTIPLY, broadcast=broadcast, axis=axis)
    rest = builder.add(Binary(BinaryFunction.SUBTRACT), a, builder.add(back, whole, divisor))
    if row.kind == "uint" or operator.rounding is Quotient.TRUNCATE:
        return rest
    if broadcast is not Broadcast.BOTH:
        return None
    return _if_opposite(builder, rest, b, builder.add(Binary(BinaryFunction.ADD), rest, b), rest)


def _rounded_down(builder: NodeBuilder) -> str | None:
    """Take one from quotients whose remainder has another sign than b."""
    operator: Divide = builder.operator
    row = _row(builder)
    is_floor = operator.rounding is Quotient.FLOOR and operator.broadcast is Broadcast.BOTH
    if row is None or row.kind != "int" or not is_floor or operator.by_zero is not ByZero.RAISE:
        return None
    a, b = builder.inputs
    whole = builder.add(replace(operator, rounding=Quotient.TRUNCATE), a, b)
    rest = builder.add(Binary(BinaryFunction.SUBTRACT), a, builder.add(Binary(BinaryFunction.MULTIPLY), whole, b))
    one = builder.constant(np.array(1, row.numpy), "one")
    return _if_opposite(builder, rest, b, builder.add(Binary(BinaryFunction.SUBTRACT), whole, one), whole)


def _if_opposite(builder: NodeBuilder, rest: str, b: str, x: str, y: str) -> str:
    """Take x where a remainder and b, which is not 0, have two signs, else y."""
    sign = builder.add(Unary(UnaryFunction.SIGN), rest)
    opposite = builder.add(Unary(UnaryFunction.NEGATIVE), builder.add(Unary(UnaryFunction.SIGN), b))
    return _chosen(builder, sign, opposite, x, y)


def _chosen(builder: NodeBuilder, a: str, b: str, x: str, y: str) -> str:
    """Take x where a equals b, else y."""
    for truth in (_BOOL, _UINT8):
        are_equal = builder.try_add(Compare(Relation.EQUAL, dtype=truth), a, b)
        made = are_equal and builder.try_add(Where(), are_equal, x, y)
        if made:
            return made
    raise StuckError


def _turned(builder: NodeBuilder) -> str | None:
    """Take integers from the one that has all bits."""
    row = _row(builder)
    if builder.operator.function is not UnaryFunction.NOT or row is None or not row.is_integer:
        return None
    ones = builder.constant(np.asarray(np.invert(np.zeros((), row.numpy))), "ones")
    return builder.add(Binary(BinaryFunction.SUBTRACT), ones, *builder.inputs)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Compare,), "the function is not_equal", "Compare equal, Unary not", "NaN is unequal to all", _unequal),
    Rewrite((Compare,), "the target makes truth of another type", "Compare with a result of that type, Cast",
            "truth is 0 and 1 in every type", _other_truth),
    Rewrite((Binary, Unary), "a logical function of integers",
            "Cast to bool, the function of bools, Cast; or Compare with 0, the function of uint8, Cast",
            "what is not 0 is true", _logic_of_bools),
    Rewrite((Unary,), "the function is sign, or sign_or_zero", "the other one; of floats Compare, Where",
            "they differ of NaN only", _other_sign),
    Rewrite((Extreme,), "not of two inputs", "Extreme of two at a time; of one itself",
            "an extreme is one of the elements, whatever the order", _two_at_a_time),
    Rewrite((Unary,), "absolute of unsigned integers", "the input", "they have no sign", _without_sign),
    Rewrite((Binary, Compare, Extreme, Reduce, Accumulate), "integers of 8 and 16 bits: sums, products, extremes of "
            "tensors, comparisons", "Cast to 32 bits, the same, Cast",
            "the low bits of a sum or product are those of the low bits; other results are elements", _wider),
    Rewrite((Remainder,), "integers by divisors that are refused where they are 0",
            "Divide, Binary multiply, subtract; of signed ones Compare, Where, and for `floor` Unary sign, Binary add",
            "a quotient times b is a without the remainder; by 1 and by -1 it is 0", _by_quotient),
    Rewrite((Divide,), "quotients of signed integers are rounded down", "Divide toward zero, Binary multiply, "
            "subtract, Unary sign, Compare, Where", "one less where the remainder and b differ in sign", _rounded_down),
    Rewrite((Unary,), "the function is not, of integers", "Binary subtract from the number of all bits",
            "nothing is borrowed there", _turned),
)  # fmt: skip
"""The rows for truth, signs and narrow integers."""
