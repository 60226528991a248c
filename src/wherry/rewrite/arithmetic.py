"""Rewrites of operators that compute, elementwise or along axes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.ops import (
    ArgExtreme,
    Binary,
    BinaryFunction,
    Broadcast,
    Cast,
    Clip,
    Compare,
    Constant,
    Crossed,
    Divide,
    Extreme,
    ExtremeFunction,
    Range,
    Reduce,
    ReduceFunction,
    Relation,
    Remainder,
    ShapeOf,
    Unsqueeze,
    Where,
    Zero,
)
from wherry.ops.elementwise import Elementwise
from wherry.ops.reshape import Reshape
from wherry.rewrite.builder import NodeBuilder, Rewrite

Array = NDArray[Any]

_BROADCAST = (Binary, Compare, Divide, Remainder, Extreme)
_INT64 = dtypes.find("int64")


def _broadcast_both(builder: NodeBuilder) -> str | None:
    """Give the second input axes of size 1 behind its own, where the first has axes there."""
    operator: Elementwise = builder.operator
    if operator.broadcast is Broadcast.BOTH or not builder.known.is_known:
        return None
    first, *others = builder.inputs
    if operator.axis is not None and builder.shape(others[0]) != (1,) * len(builder.shape(others[0])):
        own = len(builder.shape(others[0]))
        behind = range(own, len(builder.shape(first)) - operator.axis)
        others = [builder.add(Unsqueeze(tuple(behind)), others[0])] if behind else others
    return builder.add(replace(operator, broadcast=Broadcast.BOTH, axis=None), first, *others)


def _clip_by_numbers(builder: NodeBuilder) -> str | None:
    """Bound floats by numbers without a type; by one after the other where the least is above the greatest."""
    operator: Clip = builder.operator
    row = builder.type(builder.inputs[0]).row
    if row is None or row.kind != "float":
        return None
    least, greatest = (
        _number(bound, none) for bound, none in ((operator.least, -math.inf), (operator.greatest, math.inf))
    )
    if least <= greatest:
        plain = Clip(least, greatest, Crossed.RAISE)
        return None if plain == operator else builder.add(plain, *builder.inputs)
    above, below = Clip(least, math.inf, Crossed.RAISE), Clip(-math.inf, greatest, Crossed.RAISE)
    first, second = (above, below) if operator.crossed is Crossed.GREATEST else (below, above)
    return builder.add(second, builder.add(first, *builder.inputs))


def _number(bound: Any, none: float) -> float:
    """Return a bound as a number; a missing one, and NaN, bounds nothing."""
    number = none if bound is None else float(bound)
    return none if math.isnan(number) else number


def _clip_by_choice(builder: NodeBuilder) -> str | None:
    """Take each bound where data is beyond it: of integers the greater and the lesser of both."""
    name, known = builder.inputs[0], builder.known
    row = builder.type(name).row
    if row is None:
        return None
    bounds = [
        ("least", Relation.LESS, ExtremeFunction.MAXIMUM),
        ("greatest", Relation.GREATER, ExtremeFunction.MINIMUM),
    ]
    crossed = known.field("crossed")
    if crossed == Crossed.RAISE and isinstance(builder.operator, Deferred):
        return None
    for field, outside, extreme in bounds if crossed != Crossed.LEAST else bounds[::-1]:
        bound = _bound(builder, field)
        if bound is not None and row.is_integer:
            name = builder.add(Extreme(extreme), name, bound)
        elif bound is not None:
            name = builder.add(Where(), builder.add(Compare(outside), name, bound), bound, name)
    return name


def _bound(builder: NodeBuilder, field: str) -> str | None:
    """Return the tensor of one element that holds a bound, None where there is none."""
    operator = builder.operator
    waiting = dict(operator.from_inputs) if isinstance(operator, Deferred) else {}
    if field in waiting:
        return builder.add(Reshape((), Zero.LITERAL), builder.inputs[waiting[field]])
    value = builder.known.field(field)
    if value is None:
        return None
    if isinstance(value, Constant):
        return builder.constant(value.value.reshape(()), field)
    made = Clip(value, None).bound("least", builder.type(builder.inputs[0]).numpy)
    return builder.constant(np.asarray(made).reshape(()), field)


def _all_axes(builder: NodeBuilder) -> str | None:
    """Name all axes."""
    operator: Reduce = builder.operator
    ndim = builder.type(builder.inputs[0]).ndim
    if not ndim or operator.axes or operator.reduced(ndim) == ():
        return None
    return builder.add(replace(operator, axes=tuple(range(ndim))), *builder.inputs)


def _place_of_extreme(builder: NodeBuilder) -> str | None:
    """Number the positions of the axis, and take the first, or last, of those that hold the extreme, or NaN."""
    operator: ArgExtreme = builder.operator
    (data,) = builder.inputs
    found = builder.type(data)
    if found.sizes is None or found.row is None:
        return None
    axis = normalized_axis(operator.axis, len(found.sizes))
    extreme = builder.add(Reduce(ReduceFunction(operator.function), (axis,)), data)
    is_there = builder.add(Compare(Relation.EQUAL), data, extreme)
    if found.row.kind == "float":
        is_nan = builder.add(Compare(Relation.NOT_EQUAL), data, data)
        is_there = builder.add(Binary(BinaryFunction.OR), is_there, is_nan)
    size = builder.add(Reshape((), Zero.LITERAL), builder.add(ShapeOf(axis, axis + 1), data))
    ends = [("start", 0), ("limit", 1), ("delta", 2)]
    zero, one = builder.constant(np.array(0), "first"), builder.constant(np.array(1), "one")
    places = builder.add(Deferred(Range, (), tuple(ends), makes=Range), zero, size, one)
    behind = tuple(range(1, len(found.sizes) - axis))
    places = builder.add(Unsqueeze(behind), places) if behind else places
    nowhere = builder.constant(np.array(-1), "nowhere") if operator.last else size
    chosen = builder.add(Where(), is_there, places, nowhere)
    function = ReduceFunction.MAXIMUM if operator.last else ReduceFunction.MINIMUM
    place = builder.add(Reduce(function, (axis,), operator.keep_axis), chosen)
    return place if operator.dtype == _INT64 else builder.add(Cast(operator.dtype), place)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(_BROADCAST, "sizes are known, and are not broadcast by NumPy's rule",
            "Unsqueeze of the second input where it stands at an axis, the same by NumPy's rule",
            "sizes that fit are repeated to those of the first input by either rule", _broadcast_both),
    Rewrite((Clip,), "data is of floats, the bounds are known", "Clip by numbers without a type; first by one bound, "
            "then by the other where the least is above the greatest", "OpenVINO's Clamp has both bounds, in order",
            _clip_by_numbers),
    Rewrite((Clip,), "bounds of integers, or known only at run", "Extreme; of floats Compare, Where",
            "a bound is taken where data is beyond it", _clip_by_choice, deferred=True),
    Rewrite((Reduce,), "no axes are named, which means all, and their number is known", "Reduce of all axes",
            "OpenVINO reduces nothing where no axes are named", _all_axes),
    Rewrite((ArgExtreme,), "the number of axes is known", "Reduce, Compare, Range, Where, Reduce",
            "the place is the least, or greatest, number of those that hold the extreme", _place_of_extreme),
)  # fmt: skip
"""The rows for operators that compute."""
