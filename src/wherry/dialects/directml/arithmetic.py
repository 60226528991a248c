"""The descriptions that compute, as operators; what the pages leave open stands beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.directml import descs
from wherry.dialects.directml.enums import AxisDirection, DataType, FeatureLevel, ReductionFunction
from wherry.dialects.directml.scale_bias import ScaleBias as ScaleBiasStruct
from wherry.dialects.directml.steps import Meaning, in_turn
from wherry.errors import UnsupportedError
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    ArgExtreme,
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
    Reduce,
    ReduceFunction,
    Relation,
    Remainder,
    Reshape,
    ScaleBias,
    Transpose,
    Unary,
    UnaryFunction,
    Zero,
)
from wherry.ops.conversion import integer_range

PAIRS: Mapping[str, BinaryFunction] = {
    "ELEMENT_WISE_ADD": BinaryFunction.ADD,
    "ELEMENT_WISE_BIT_AND": BinaryFunction.AND,
    "ELEMENT_WISE_BIT_OR": BinaryFunction.OR,
    "ELEMENT_WISE_BIT_XOR": BinaryFunction.XOR,
    "ELEMENT_WISE_LOGICAL_AND": BinaryFunction.LOGICAL_AND,
    "ELEMENT_WISE_LOGICAL_OR": BinaryFunction.LOGICAL_OR,
    "ELEMENT_WISE_LOGICAL_XOR": BinaryFunction.LOGICAL_XOR,
    "ELEMENT_WISE_MULTIPLY": BinaryFunction.MULTIPLY,
    "ELEMENT_WISE_SUBTRACT": BinaryFunction.SUBTRACT,
}
"""The descriptions of two inputs and one function. No page speaks of integers that overflow: they wrap around."""

EXTREMES: Mapping[str, ExtremeFunction] = {
    "ELEMENT_WISE_MAX": ExtremeFunction.MAXIMUM,
    "ELEMENT_WISE_MIN": ExtremeFunction.MINIMUM,
}
"""The descriptions of the lesser or greater of two. No page speaks of NaN: it propagates."""

REMAINDERS: Mapping[str, Quotient] = {
    "ELEMENT_WISE_MODULUS_FLOOR": Quotient.FLOOR,
    "ELEMENT_WISE_MODULUS_TRUNCATE": Quotient.TRUNCATE,
}
"""The descriptions of remainders, by how the quotient is rounded. No page speaks of integers by 0: they are refused."""

SINGLES: Mapping[str, UnaryFunction] = {
    "ELEMENT_WISE_BIT_NOT": UnaryFunction.NOT,
    "ELEMENT_WISE_LOGICAL_NOT": UnaryFunction.LOGICAL_NOT,
    "ELEMENT_WISE_NEGATE": UnaryFunction.NEGATIVE,
    "ELEMENT_WISE_SIGN": UnaryFunction.SIGN_OR_ZERO,
}
"""The descriptions of one input and one function."""

RELATIONS: Mapping[str, Relation] = {
    "ELEMENT_WISE_LOGICAL_EQUALS": Relation.EQUAL,
    "ELEMENT_WISE_LOGICAL_GREATER_THAN": Relation.GREATER,
    "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL": Relation.GREATER_OR_EQUAL,
    "ELEMENT_WISE_LOGICAL_LESS_THAN": Relation.LESS,
    "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL": Relation.LESS_OR_EQUAL,
}
"""The descriptions that compare."""

REDUCTIONS: Mapping[ReductionFunction, ReduceFunction] = {
    ReductionFunction.MAX: ReduceFunction.MAXIMUM,
    ReductionFunction.MIN: ReduceFunction.MINIMUM,
    ReductionFunction.MULTIPLY: ReduceFunction.PRODUCT,
    ReductionFunction.SUM: ReduceFunction.SUM,
}
"""The functions of REDUCE that are one reduction."""

PLACES: Mapping[ReductionFunction, ExtremeFunction] = {
    ReductionFunction.ARGMAX: ExtremeFunction.MAXIMUM,
    ReductionFunction.ARGMIN: ExtremeFunction.MINIMUM,
}
"""The functions of REDUCE that are places of extremes."""

_SUMMED = (ReductionFunction.L1, ReductionFunction.MULTIPLY, ReductionFunction.SUM, ReductionFunction.SUM_SQUARE)


def _binary(desc: Any, level: FeatureLevel, function: BinaryFunction) -> Binary:
    return Binary(function, broadcast=Broadcast.NONE)


def _extreme(desc: Any, level: FeatureLevel, function: ExtremeFunction) -> Extreme:
    return Extreme(function, broadcast=Broadcast.NONE)


def _divide(desc: Any, level: FeatureLevel) -> Divide:
    return Divide(Quotient.TRUNCATE, broadcast=Broadcast.NONE)


def _remainder(desc: Any, level: FeatureLevel, rounding: Quotient) -> Remainder:
    return Remainder(rounding, broadcast=Broadcast.NONE)


def _compare(desc: Any, level: FeatureLevel, relation: Relation) -> Compare:
    return Compare(relation, desc.output_tensor.data_type.dtype, broadcast=Broadcast.NONE)


def _unary(desc: Any, level: FeatureLevel, function: UnaryFunction) -> Unary:
    return Unary(function)


def _scaled(given: ScaleBiasStruct | None) -> list[Operator]:
    return [] if given is None else [ScaleBias(given.scale, given.bias)]


def _abs(desc: descs.ElementWiseAbsOperatorDesc, level: FeatureLevel) -> Meaning[Unary]:
    return in_turn(Unary(UnaryFunction.ABSOLUTE), after=_scaled(desc.scale_bias))


def _clip(desc: descs.ElementWiseClipOperatorDesc, level: FeatureLevel) -> Meaning[Clip]:
    """DML_ELEMENT_WISE_CLIP_OPERATOR_DESC: `max(Min, min(x, Max))`, so that a Min above Max is what becomes of all."""
    least, greatest = (bound_of(value, desc.output_tensor.data_type) for value in (desc.min, desc.max))
    return in_turn(Clip(least, greatest, Crossed.LEAST), after=_scaled(desc.scale_bias))


def _clip1(desc: descs.ElementWiseClip1OperatorDesc, level: FeatureLevel) -> Meaning[Clip]:
    least, greatest = (np.asarray(value.element(desc.min_max_data_type)) for value in (desc.min, desc.max))
    return in_turn(Clip(least, greatest, Crossed.LEAST), after=_scaled(desc.scale_bias))


def bound_of(value: float, data_type: DataType) -> NDArray[Any]:
    """Return a bound of CLIP as an element: cut toward zero for integers, and brought into their range.

    >>> bound_of(-2.5, DataType.INT8), bound_of(math.inf, DataType.UINT8), bound_of(0.1, DataType.FLOAT16)
    (array(-2, dtype=int8), array(255, dtype=uint8), array(0.1, dtype=float16))
    """
    assert data_type.dtype is not None, "validated descriptions have no UNKNOWN type"
    dtype = data_type.dtype.numpy
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.asarray(np.float32(value)).astype(dtype)
    low, high = integer_range(data_type.dtype)
    whole = math.trunc(max(min(value, float(high)), float(low)))
    return np.array(min(max(whole, low), high), dtype)


def _reduce(desc: descs.ReduceOperatorDesc, level: FeatureLevel) -> Meaning[Reduce] | Meaning[ArgExtreme]:
    """DML_REDUCE_OPERATOR_DESC. In which order floats are added and multiplied is open."""
    function, axes = desc.function, tuple(desc.axes)
    is_float = desc.input_tensor.data_type.name.startswith("FLOAT")
    if function in PLACES:
        return _places(desc, PLACES[function], last=False)
    if (function in _SUMMED and is_float) or function not in (*_SUMMED, *REDUCTIONS):
        raise UnsupportedError(f"Function is {function.name} of {desc.input_tensor.data_type.name}, computed are sums "
                               "and products of integers, and extremes: how floats are rounded is open")  # fmt: skip
    if function is ReductionFunction.L1:
        return in_turn(Reduce(ReduceFunction.SUM, axes), after=[Unary(UnaryFunction.ABSOLUTE)])
    if function is ReductionFunction.SUM_SQUARE:
        square = (Binary(BinaryFunction.MULTIPLY), ("InputTensor", "InputTensor"), ("squares",))
        return Meaning(Reduce(ReduceFunction.SUM, axes), ("squares",), ("OutputTensor",), before=(square,))
    return in_turn(Reduce(REDUCTIONS[function], axes))


def _argmax(desc: descs.ArgmaxOperatorDesc, level: FeatureLevel) -> Meaning[ArgExtreme]:
    return _places(desc, ExtremeFunction.MAXIMUM, desc.axis_direction is AxisDirection.DECREASING)


def _argmin(desc: descs.ArgminOperatorDesc, level: FeatureLevel) -> Meaning[ArgExtreme]:
    return _places(desc, ExtremeFunction.MINIMUM, desc.axis_direction is AxisDirection.DECREASING)


def _places(
    desc: descs.ReduceOperatorDesc | descs.ArgmaxOperatorDesc | descs.ArgminOperatorDesc,
    function: ExtremeFunction,
    last: bool,
) -> Meaning[ArgExtreme]:
    """Places among several axes count row-major over these axes, as the pages' third example does."""
    axes, sizes, dtype = sorted(desc.axes), desc.input_tensor.sizes, desc.output_tensor.data_type.dtype
    if len(axes) == 1:
        return in_turn(ArgExtreme(function, axes[0], keep_axis=True, last=last, dtype=dtype))  # type: ignore[arg-type]
    kept = [axis for axis in range(len(sizes)) if axis not in axes]
    merged = [sizes[axis] for axis in kept]
    for axis in axes[:-1]:
        merged.insert(axis, 1)
    merged.insert(axes[-1], math.prod(sizes[axis] for axis in axes))
    order = [axis for axis in range(axes[-1]) if axis not in axes] + axes + list(range(axes[-1] + 1, len(sizes)))
    found = ArgExtreme(function, axes[-1], keep_axis=True, last=last, dtype=dtype)  # type: ignore[arg-type]
    return in_turn(found, after=[Transpose(tuple(order)), Reshape(tuple(merged), Zero.LITERAL)])


def _summation(desc: descs.CumulativeSummationOperatorDesc, level: FeatureLevel) -> Accumulate:
    return _accumulated(desc, AccumulateFunction.SUM, desc.has_exclusive_sum)


def _product(desc: descs.CumulativeProductOperatorDesc, level: FeatureLevel) -> Accumulate:
    return _accumulated(desc, AccumulateFunction.PRODUCT, desc.has_exclusive_product)


def _accumulated(
    desc: descs.CumulativeSummationOperatorDesc | descs.CumulativeProductOperatorDesc,
    function: AccumulateFunction,
    exclusive: bool,
) -> Accumulate:
    if desc.input_tensor.data_type.name.startswith("FLOAT"):
        raise UnsupportedError(f"InputTensor.DataType is {desc.input_tensor.data_type.name}, computed are integers: "
                               "how floats are rounded is open")  # fmt: skip
    return Accumulate(function, desc.axis, exclusive, desc.axis_direction is AxisDirection.DECREASING)


MEANINGS: Mapping[str, Callable[[Any, FeatureLevel], Operator | Meaning[Any]]] = {
    **{name: partial(_binary, function=function) for name, function in PAIRS.items()},
    **{name: partial(_compare, relation=relation) for name, relation in RELATIONS.items()},
    **{name: partial(_extreme, function=function) for name, function in EXTREMES.items()},
    **{name: partial(_remainder, rounding=rounding) for name, rounding in REMAINDERS.items()},
    **{name: partial(_unary, function=function) for name, function in SINGLES.items()},
    "ARGMAX": _argmax,
    "ARGMIN": _argmin,
    "CUMULATIVE_PRODUCT": _product,
    "CUMULATIVE_SUMMATION": _summation,
    "ELEMENT_WISE_ABS": _abs,
    "ELEMENT_WISE_CLIP": _clip,
    "ELEMENT_WISE_CLIP1": _clip1,
    "ELEMENT_WISE_DIVIDE": _divide,
    "REDUCE": _reduce,
}
"""What each description that computes means, by the operator's name."""
