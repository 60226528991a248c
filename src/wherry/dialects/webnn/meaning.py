"""What WebNN's methods mean: each as an operator with every rule a field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dialects.webnn.schema import MOST, MOST_PARTS, Operation, lacks
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, invalid
from wherry.moves import OutOfRange
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    Alignment,
    ArgExtreme,
    Binary,
    BinaryFunction,
    Cast,
    Clip,
    Compare,
    Concat,
    Constant,
    Crossed,
    Divide,
    EmptyAxes,
    Expand,
    Extreme,
    ExtremeFunction,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    OffAxis,
    Operator,
    Pad,
    PadMode,
    Reduce,
    ReduceFunction,
    Relation,
    Reshape,
    Reverse,
    ScatterElements,
    ScatterND,
    Slice,
    Split,
    Tile,
    Transpose,
    Trilu,
    Unary,
    UnaryFunction,
    Where,
    Zero,
)
from wherry.tensors import TensorType

Values = Mapping[str, Any]
Types = Sequence[TensorType]


def meaning(operation: Operation, types: Types, values: Values) -> Operator:
    """Return the operator of a method on operands of these types, with the values of all its members.

    Raises what the method throws: InvalidTypeError for an element type, InvalidValueError for sizes, axes and numbers.
    """
    _check_operands(operation, types)
    operator = MEANINGS[operation.name](types, values)
    for result in operator.infer(types):
        check_sizes(f"the result of {operation.name}", result)
    return operator


def check_sizes(what: str, tensor_type: TensorType) -> None:
    """Refuse sizes that no operand has: unknown ones, 0, and too many elements."""
    if not tensor_type.is_known:
        raise InvalidValueError(f"{what} has the type {tensor_type}, allowed known sizes: WebNN has no others")
    for axis, size in enumerate(tensor_type.shape):
        if not 1 <= size <= MOST:
            raise invalid(f"{what} on axis {axis}", size, f"sizes of 1..{MOST}")
    count = math.prod(tensor_type.shape)
    if count > MOST:
        raise invalid(f"{what} in elements", count, f"1..{MOST}")


def check_type(name: str, tensor_type: TensorType, allowed: Sequence[str]) -> None:
    """Refuse an element type that an operand does not take."""
    if lacks(tensor_type, allowed):
        raise InvalidTypeError(f"{name} has dtype {tensor_type.dtype}, allowed {', '.join(allowed)}; convert it first")


def _check_operands(operation: Operation, types: Types) -> None:
    declared = list(operation.operands)
    if declared and declared[-1].variadic:
        if not 1 <= len(types) <= MOST_PARTS:
            raise invalid(declared[-1].name, f"{len(types)} operands", f"1..{MOST_PARTS}")
        declared *= len(types)
    elif len(types) != len(declared):
        raise invalid("operands", f"{len(types)} of them", ", ".join(one.name for one in declared))
    known = {one.name: given for one, given in zip(operation.operands, types, strict=False)}
    names = operation.operand_names(len(types))
    for name, operand, given in zip(names, declared, types, strict=True):
        check_type(name, given, operand.types)
        check_sizes(name, given)
        if len(given.shape) < operand.least_ndim:
            raise InvalidValueError(f"{name} has {len(given.shape)} axes, allowed {operand.least_ndim} and more")
        if operand.type_of and given.dtype != known[operand.type_of].dtype:
            other = known[operand.type_of].dtype
            raise InvalidTypeError(f"{name} has dtype {given.dtype}, allowed {other}, that of {operand.type_of}")


def _axis(values: Values, data: TensorType) -> int:
    axis, ndim = values["axis"], len(data.shape)
    if axis >= ndim:
        raise invalid("axis", axis, f"0..{ndim - 1}", "axes count from the front")
    return int(axis)


def _axes(field: str, axes: Sequence[int], ndim: int) -> None:
    for number, axis in enumerate(axes):
        if axis >= ndim:
            raise invalid(f"{field}[{number}]", axis, f"0..{ndim - 1}", "axes count from the front")
    if len(set(axes)) < len(axes):
        raise invalid(field, list(axes), "each axis once")


def _as_many(field: str, given: Sequence[int], data: TensorType) -> None:
    if len(given) != len(data.shape):
        raise invalid(field, f"{len(given)} entries", f"{len(data.shape)}, one for each axis of input")


def _binary(types: Types, values: Values, function: BinaryFunction) -> Binary:
    return Binary(function)


def _compare(types: Types, values: Values, relation: Relation) -> Compare:
    return Compare(relation, TRUTH)


def _divide(types: Types, values: Values) -> Divide:
    return Divide()


def _extreme(types: Types, values: Values, function: ExtremeFunction) -> Extreme:
    return Extreme(function)


def _unary(types: Types, values: Values, function: UnaryFunction) -> Unary:
    return Unary(function)


def _clamp(types: Types, values: Values) -> Clip:
    """Bounds are cast when the method is called, and compared then; the text swaps what they are by default."""
    least, greatest = (
        None if values[name] is None else cast_number(values[name], types[0].numpy) for name in ("minValue", "maxValue")
    )
    return Clip(least, greatest, Crossed.RAISE)


def _check_summed(data: TensorType) -> None:
    if data.row is not None and not data.row.is_integer:
        raise UnsupportedError(f"input has dtype {data.dtype}, of which wherry computes integers: how floats are "
                               "rounded is open")  # fmt: skip


def _reduce(types: Types, values: Values, function: ReduceFunction) -> Reduce:
    ndim, axes = len(types[0].shape), values["axes"]
    _axes("axes", axes or (), ndim)
    if function in (ReduceFunction.SUM, ReduceFunction.PRODUCT):
        _check_summed(types[0])
    named = tuple(range(ndim)) if axes is None else axes
    return Reduce(function, named, values["keepDimensions"], EmptyAxes.NONE)


def _accumulate(types: Types, values: Values) -> Accumulate:
    _check_summed(types[0])
    axis = _axis(values, types[0])
    return Accumulate(AccumulateFunction.SUM, axis, values["exclusive"], values["reversed"])


def _place(types: Types, values: Values, function: ExtremeFunction) -> ArgExtreme:
    axis = _axis(values, types[0])
    return ArgExtreme(function, axis, values["keepDimensions"], dtype=values["outputDataType"])


def _cast(types: Types, values: Values) -> Cast:
    return Cast(values["dataType"])


def _concat(types: Types, values: Values) -> Concat:
    return Concat(_axis(values, types[0]))


def _expand(types: Types, values: Values) -> Expand:
    return Expand(values["newShape"], Alignment.ONE_WAY)


def _gather(types: Types, values: Values) -> Gather:
    return Gather(_axis(values, types[0]), out_of_range=OutOfRange.CLAMP)


def _gather_elements(types: Types, values: Values) -> GatherElements:
    return GatherElements(_axis(values, types[0]), out_of_range=OutOfRange.CLAMP, off_axis=OffAxis.EQUAL)


def _gather_nd(types: Types, values: Values) -> GatherND:
    return GatherND(out_of_range=OutOfRange.CLAMP, least_indices=1)


def _identity(types: Types, values: Values) -> Identity:
    return Identity()


def _pad(types: Types, values: Values) -> Pad:
    data, mode = types[0], PAD_MODES[values["mode"]]
    for name in ("beginningPadding", "endingPadding"):
        _as_many(name, values[name], data)
    value = Constant(cast_number(values["value"], data.numpy)) if mode is PadMode.CONSTANT else None
    return Pad(values["beginningPadding"], values["endingPadding"], mode, value)


def _reshape(types: Types, values: Values) -> Reshape:
    return Reshape(values["newShape"], zero=Zero.LITERAL)


def _reverse(types: Types, values: Values) -> Reverse:
    axes = values["axes"]
    ndim = len(types[0].shape)
    _axes("axes", axes or (), ndim)
    return Reverse(tuple(range(ndim)) if axes is None else axes)


def _scatter_elements(types: Types, values: Values) -> ScatterElements:
    return ScatterElements(axis=_axis(values, types[0]), off_axis=OffAxis.EQUAL)


def _scatter_nd(types: Types, values: Values) -> ScatterND:
    return ScatterND()


def _slice(types: Types, values: Values) -> Slice:
    data, starts, windows = types[0], values["starts"], values["sizes"]
    strides = values["strides"] if values["strides"] is not None else (1,) * len(data.shape)
    for name, given in (("starts", starts), ("sizes", windows), ("strides", strides)):
        _as_many(name, given, data)
    for axis, (start, window, stride, size) in enumerate(zip(starts, windows, strides, data.shape, strict=True)):
        if stride < 1:
            raise invalid(f"strides[{axis}]", stride, "1 and more")
        if start >= size:
            raise invalid(f"starts[{axis}]", start, f"0..{size - 1}", "the window lies inside input")
        if start + window > size:
            raise InvalidValueError(f"sizes[{axis}] is {window}, allowed up to {size - start}: the window begins at "
                                    f"{start} and lies inside the {size} positions of input")  # fmt: skip
    counts = tuple(-(-window // stride) for window, stride in zip(windows, strides, strict=True))
    return Slice(starts, sizes=counts, steps=strides)


def _split(types: Types, values: Values) -> Split:
    axis, splits = _axis(values, types[0]), values["splits"]
    size = types[0].shape[axis]
    if isinstance(splits, int):
        if size % splits:
            raise invalid("splits", splits, f"a divisor of {size}, the size of axis {axis}")
        return Split(axis, sections=splits)
    return Split(axis, sizes=splits)


def _tile(types: Types, values: Values) -> Tile:
    _as_many("repetitions", values["repetitions"], types[0])
    return Tile(values["repetitions"])


def _transpose(types: Types, values: Values) -> Transpose:
    order, ndim = values["permutation"], len(types[0].shape)
    if order is None:
        return Transpose(tuple(reversed(range(ndim))))
    _as_many("permutation", order, types[0])
    _axes("permutation", order, ndim)
    return Transpose(order)


def _triangular(types: Types, values: Values) -> Trilu:
    return Trilu.triangle(values["upper"], values["diagonal"])


def _where(types: Types, values: Values) -> Where:
    return Where()


PAD_MODES = {"constant": PadMode.CONSTANT, "edge": PadMode.EDGE, "reflection": PadMode.REFLECT}

TRUTH = dtypes.find("uint8")
"""The element type of truth, as 0 and 1."""

BINARY = {
    "add": BinaryFunction.ADD,
    "logicalAnd": BinaryFunction.LOGICAL_AND,
    "logicalOr": BinaryFunction.LOGICAL_OR,
    "logicalXor": BinaryFunction.LOGICAL_XOR,
    "mul": BinaryFunction.MULTIPLY,
    "sub": BinaryFunction.SUBTRACT,
}
RELATIONS = {
    "equal": Relation.EQUAL,
    "greater": Relation.GREATER,
    "greaterOrEqual": Relation.GREATER_OR_EQUAL,
    "lesser": Relation.LESS,
    "lesserOrEqual": Relation.LESS_OR_EQUAL,
    "notEqual": Relation.NOT_EQUAL,
}
UNARY = {
    "abs": UnaryFunction.ABSOLUTE,
    "logicalNot": UnaryFunction.LOGICAL_NOT,
    "neg": UnaryFunction.NEGATIVE,
    "sign": UnaryFunction.SIGN,
}
EXTREMES = {"max": ExtremeFunction.MAXIMUM, "min": ExtremeFunction.MINIMUM}
PLACES = {"argMax": ExtremeFunction.MAXIMUM, "argMin": ExtremeFunction.MINIMUM}
REDUCTIONS = {
    "reduceMax": ReduceFunction.MAXIMUM,
    "reduceMin": ReduceFunction.MINIMUM,
    "reduceProduct": ReduceFunction.PRODUCT,
    "reduceSum": ReduceFunction.SUM,
}

MEANINGS: Mapping[str, Callable[[Types, Values], Operator]] = {
    **{name: partial(_binary, function=function) for name, function in BINARY.items()},
    **{name: partial(_compare, relation=relation) for name, relation in RELATIONS.items()},
    **{name: partial(_extreme, function=function) for name, function in EXTREMES.items()},
    **{name: partial(_place, function=function) for name, function in PLACES.items()},
    **{name: partial(_reduce, function=function) for name, function in REDUCTIONS.items()},
    **{name: partial(_unary, function=function) for name, function in UNARY.items()},
    "clamp": _clamp,
    "cumulativeSum": _accumulate,
    "div": _divide,
    "cast": _cast,
    "concat": _concat,
    "expand": _expand,
    "gather": _gather,
    "gatherElements": _gather_elements,
    "gatherND": _gather_nd,
    "identity": _identity,
    "pad": _pad,
    "reshape": _reshape,
    "reverse": _reverse,
    "scatterElements": _scatter_elements,
    "scatterND": _scatter_nd,
    "slice": _slice,
    "split": _split,
    "tile": _tile,
    "transpose": _transpose,
    "triangular": _triangular,
    "where": _where,
}


BY_SIZES = frozenset({"slice", "split"})
"""The methods that look at sizes of their operands, where the others look at the number of axes alone."""


def as_double(value: float) -> float:
    """Return a number as JavaScript has it: one beyond the greatest double is infinite.

    >>> as_double(10**400)
    inf
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def cast_number(value: float, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an MLNumber as an element of a type, by the algorithm `casting`, which is not the operator cast.

    Floats are rounded to the nearest, of two equally near to the even one, and infinite beyond the greatest. Integers:
    NaN is 0, what lies outside the range is its nearest end, fractions are rounded half to even. For uint32 the text
    names a signed range, against its meaning.

    >>> cast_number(2.5, np.dtype("int32")), cast_number(300, np.dtype("uint8"))
    (array(2, dtype=int32), array(255, dtype=uint8))
    """
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.asarray(as_double(value)).astype(dtype)
    bounds = np.iinfo(dtype)
    if isinstance(value, float):
        if math.isnan(value):
            return np.zeros((), dtype)
        if math.isinf(value):
            return np.array(bounds.max if value > 0 else bounds.min, dtype)
        value = round(min(max(value, float(bounds.min)), float(bounds.max)))
    return np.array(min(max(value, int(bounds.min)), int(bounds.max)), dtype)
