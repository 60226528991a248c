"""How DirectML says operators that compute: elementwise, along axes, and running."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wherry.dialects.directml import descs
from wherry.dialects.directml.arithmetic import EXTREMES, PAIRS, REDUCTIONS, RELATIONS, REMAINDERS, SINGLES
from wherry.dialects.directml.descs import DESCS
from wherry.dialects.directml.enums import AxisDirection
from wherry.dialects.directml.say.call import Call, Said, data_type_of, refused, tensor
from wherry.dialects.directml.say.movement import copied, exact_float
from wherry.dialects.directml.scalar_union import as_union
from wherry.dialects.refusal import Refusal
from wherry.layout import Layout, packed_strides
from wherry.ops import (
    AccumulateFunction,
    Broadcast,
    ByZero,
    Clip,
    Crossed,
    ExtremeFunction,
    NanOperand,
    Quotient,
    QuotientOverflow,
    Relation,
    UnaryFunction,
)
from wherry.ops.reduce import reduced_sizes


def pointwise(call: Call, name: str) -> Said:
    """Return a description of each element from those at its place, which reads what is broadcast with strides of 0."""
    out = call.outputs[0]
    sizes, strides = out.shape, [list(Layout(given.shape).broadcast_to(out.shape).strides) for given in call.inputs]
    if len(sizes) > call.most(name):
        sizes, strides = _merged_alike(sizes, strides)
    count, packed = call.count(name, len(sizes)), packed_strides(sizes)
    inputs = [
        tensor(given, count, sizes, None if tuple(steps) == packed else steps)
        for given, steps in zip(call.inputs, strides, strict=True)
    ]
    make: Any = DESCS[name]
    return call.filled(make(*inputs, tensor(out, count, sizes)))


def _merged_alike(sizes: Sequence[int], strides: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], list[list[int]]]:
    """Return sizes and strides with neighbouring axes as one where all tensors step over them evenly."""
    merged = list[tuple[int, list[int]]]()
    for size, steps in zip(sizes, zip(*strides, strict=True), strict=True):
        if size == 1:
            continue
        if merged and merged[-1][1] == [step * size for step in steps]:
            merged[-1] = (merged[-1][0] * size, list(steps))
        else:
            merged.append((size, list(steps)))
    columns = [steps for _, steps in merged]
    return tuple(size for size, _ in merged), [[steps[n] for steps in columns] for n in range(len(strides))]


def _by_meaning(names: Mapping[str, Any]) -> dict[Any, str]:
    return {meant: name for name, meant in names.items()}


_PAIRS, _RELATIONS, _SINGLES = _by_meaning(PAIRS), _by_meaning(RELATIONS), _by_meaning(SINGLES)
_EXTREMES, _REMAINDERS = _by_meaning(EXTREMES), _by_meaning(REMAINDERS)
_REDUCTIONS = {meant: function for function, meant in REDUCTIONS.items()}


def _pair(call: Call, name: str) -> Said:
    if call.operator.broadcast is Broadcast.SECOND:
        return refused("broadcast", call.operator.broadcast, "'both'", "put axes of size 1 behind those of b")
    return pointwise(call, name)


def _is_integer(call: Call) -> bool:
    row = call.inputs[0].row
    return row is not None and row.is_integer


def binary(call: Call) -> Said:
    """ADD, SUBTRACT, MULTIPLY, and the logical operators of truth and of bits."""
    return _pair(call, _PAIRS[call.operator.function])


def compare(call: Call) -> Said:
    """The LOGICAL operators that compare."""
    relation = call.operator.function
    if relation is Relation.NOT_EQUAL:
        return refused("function", relation, "'equal'", "negate LOGICAL_EQUALS with LOGICAL_NOT")
    return _pair(call, _RELATIONS[relation])


def divide(call: Call) -> Said:
    """DIVIDE, which cuts quotients of integers toward zero; what it makes of a divisor of 0 no page says."""
    rules = (("rounding", Quotient.TRUNCATE), ("by_zero", ByZero.RAISE), ("overflow", QuotientOverflow.RAISE))
    return _other_rule(call, "ELEMENT_WISE_DIVIDE", rules) or _pair(call, "ELEMENT_WISE_DIVIDE")


def remainder(call: Call) -> Said:
    """MODULUS_FLOOR and MODULUS_TRUNCATE."""
    name = _REMAINDERS[call.operator.rounding]
    return _other_rule(call, name, (("by_zero", ByZero.RAISE),)) or _pair(call, name)


def _other_rule(call: Call, name: str, rules: Sequence[tuple[str, object]]) -> Refusal | None:
    """Refuse a rule for integers that DirectML has otherwise; signs matter to signed ones alone."""
    row = call.inputs[0].row
    if row is None or not row.is_integer:
        return None
    for field, only in rules:
        given = getattr(call.operator, field)
        if given != only and (field == "by_zero" or row.kind == "int"):
            return refused(field, given, repr(str(only)), f"{name} is read so")
    return None


def extreme(call: Call) -> Said:
    """MIN and MAX of two inputs."""
    operator = call.operator
    if len(call.inputs) != 2:
        return refused("inputs", len(call.inputs), "2", "take the extreme of two at a time")
    if operator.nan is not NanOperand.PROPAGATE and not _is_integer(call):
        return refused("nan", operator.nan, "'propagate'", "MIN and MAX are read so")
    return _pair(call, _EXTREMES[operator.function])


def unary(call: Call) -> Said:
    """ABS, NEGATE, SIGN, BIT_NOT and LOGICAL_NOT; SIGN of NaN is 0, which integers have not."""
    function = call.operator.function
    if function is UnaryFunction.ABSOLUTE:
        return pointwise(call, "ELEMENT_WISE_ABS")
    if function is UnaryFunction.SIGN:
        if not _is_integer(call):
            return refused("function", function, "'sign_or_zero'", "SIGN of NaN is 0")
        function = UnaryFunction.SIGN_OR_ZERO
    return pointwise(call, _SINGLES[function])


def clip(call: Call) -> Said:
    """CLIP1, or CLIP where the level has no other; bounds that cross are the one that all elements become."""
    data = call.inputs[0]
    least, greatest = _bounds(call.operator, data.numpy)
    typed = call.knows("ELEMENT_WISE_CLIP1")
    count = call.count("ELEMENT_WISE_CLIP1" if typed else "ELEMENT_WISE_CLIP", len(data.shape))
    pair = (tensor(data, count), tensor(data, count))
    if typed:
        data_type = data_type_of(data)
        unions = (as_union(name, bound, data_type) for name, bound in (("least", least), ("greatest", greatest)))
        return call.filled(descs.ElementWiseClip1OperatorDesc(*pair, None, data_type, *unions))
    numbers = [exact_float(name, bound) for name, bound in (("least", least), ("greatest", greatest))]
    for number in numbers:
        if isinstance(number, Refusal):
            return number
    return call.filled(descs.ElementWiseClipOperatorDesc(*pair, None, *numbers))  # type: ignore[arg-type]


def _bounds(operator: Clip, dtype: np.dtype[Any]) -> list[Any]:
    """Return both bounds as elements: the ends of the type where there is none, one of them twice where they cross."""
    ends = [-np.inf, np.inf] if dtype.kind == "f" else [np.iinfo(dtype).min, np.iinfo(dtype).max]
    given = [operator.bound(name, dtype) for name in ("least", "greatest")]
    bounds = [
        np.array(end, dtype) if bound is None or bound != bound else bound  # noqa: PLR0124  NaN is no bound
        for bound, end in zip(given, ends, strict=True)
    ]
    crossed = bounds[0] > bounds[1]
    return [bounds[operator.crossed is not Crossed.LEAST]] * 2 if crossed else bounds


def reduce(call: Call) -> Said:
    """REDUCE, whose output keeps all dimensions; without axes a copy."""
    data, out, operator = call.inputs[0], call.outputs[0], call.operator
    axes = operator.reduced(len(data.shape))
    if not axes:
        return copied(call, Layout(data.shape))
    count = call.count("REDUCE", len(data.shape))
    filled = count - len(data.shape)
    kept = tensor(out, count, reduced_sizes(data.shape, axes, keep_axes=True))  # type: ignore[arg-type]
    function = _REDUCTIONS[operator.function]
    return call.filled(descs.ReduceOperatorDesc(function, tensor(data, count), kept, [axis + filled for axis in axes]))


def arg_extreme(call: Call) -> Said:
    """ARGMIN and ARGMAX, or REDUCE where the level has neither."""
    data, out, operator = call.inputs[0], call.outputs[0], call.operator
    name = "ARGMIN" if operator.function is ExtremeFunction.MINIMUM else "ARGMAX"
    axis = operator.axis % len(data.shape)
    known = call.knows(name)
    count = call.count(name if known else "REDUCE", len(data.shape))
    pair = (tensor(data, count), tensor(out, count, reduced_sizes(data.shape, (axis,), keep_axes=True)))  # type: ignore[arg-type]
    axes = [axis + count - len(data.shape)]
    if not known:
        if operator.last:
            return refused("last", operator.last, "False", f"{name} came with 3.0")
        return call.filled(descs.ReduceOperatorDesc(name, *pair, axes))  # type: ignore[arg-type]
    direction = AxisDirection.DECREASING if operator.last else AxisDirection.INCREASING
    make = descs.ArgminOperatorDesc if name == "ARGMIN" else descs.ArgmaxOperatorDesc
    return call.filled(make(*pair, axes, direction))


def accumulate(call: Call) -> Said:
    """CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT."""
    data, operator = call.inputs[0], call.operator
    is_sum = operator.function is AccumulateFunction.SUM
    name = "CUMULATIVE_SUMMATION" if is_sum else "CUMULATIVE_PRODUCT"
    count = call.count(name, len(data.shape))
    axis = operator.axis % len(data.shape) + count - len(data.shape)
    direction = AxisDirection.DECREASING if operator.reverse else AxisDirection.INCREASING
    make: Any = DESCS[name]
    return call.filled(make(tensor(data, count), tensor(data, count), axis, direction, operator.exclusive))
