"""say: from an operator to a method of WebNN whose meaning is the same operator, or why no method says it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dialects.webnn.meaning import (
    BINARY,
    EXTREMES,
    PAD_MODES,
    PLACES,
    REDUCTIONS,
    RELATIONS,
    UNARY,
    check_sizes,
    check_type,
    meaning,
)
from wherry.dialects.webnn.schema import BY_NAME, TYPES, Operation, values_of
from wherry.errors import WherryError
from wherry.graph import Deferred, Node
from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    Alignment,
    ArgExtreme,
    Binary,
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
    Flatten,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    MixedSigns,
    OffAxis,
    Operator,
    Overcrop,
    Pad,
    PadMode,
    Reduce,
    Reshape,
    Reverse,
    ScatterElements,
    ScatterND,
    Slice,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Trilu,
    Unary,
    Unsqueeze,
    Where,
    Zero,
)
from wherry.ops.element import typed_as
from wherry.tensors import TensorType

Array = NDArray[Any]
Types = Sequence[TensorType]


@dataclass(frozen=True)
class _Call:
    """A method with its members, and what it must mean: the operator as it is for operands of these sizes."""

    method: str
    operator: Operator
    members: Mapping[str, Any] = field(default_factory=dict)


def say(node: Node, types: Types, values: Sequence[Array | None] = ()) -> FilledRow[Operation] | Refusal:
    """Return how WebNN says a node whose inputs have these types, or why it cannot; no rule depends on `values`."""
    operator = node.operator
    if isinstance(operator, Deferred):
        return _refusal("operator", f"WebNN has no values known only at run for the fields of {operator}", operator)
    way = _WAYS.get(type(operator))
    if way is None:
        return _refusal("operator", f"WebNN has no method that says {type(operator).__name__}", operator)
    try:
        for name, given in zip(node.inputs, types, strict=True):
            check_type(name, given, TYPES)
            check_sizes(name, given)
        for result in operator.infer(types):
            check_type("the result", result, TYPES)
            check_sizes("the result", result)
        call = way(operator, types)
        if isinstance(call, Fault):
            return Refusal((call,))
        operation = BY_NAME[call.method]
        members = values_of(operation, call.members)
        meant = meaning(operation, types, members)
    except WherryError as error:
        return Refusal.of(error)
    if meant != call.operator:
        return Refusal(_differences(call.operator, meant))
    names = operation.operand_names(len(node.inputs))
    return FilledRow(operation, members, dict(zip(names, node.inputs, strict=True)))


def _refusal(name: str, words: str, value: object) -> Refusal:
    return Refusal((Fault(name, words, value),))


def _differences(wanted: Operator, meant: Operator) -> tuple[Fault, ...]:
    """Return a fault for each field that a method means otherwise."""
    pairs = [(one.name, getattr(wanted, one.name), getattr(meant, one.name)) for one in fields(wanted)]
    return tuple(
        Fault(name, f"{name} is {ours}, allowed {theirs}", ours, theirs)
        for name, ours, theirs in pairs
        if str(ours) != str(theirs)
    ) or (Fault("value", "a value is one that no number of JavaScript gives, such as a NaN with a payload"),)


def _by_function(methods: Mapping[str, Any]) -> Callable[[Any, Types], _Call | Fault]:
    names = {function: method for method, function in methods.items()}

    def way(operator: Any, types: Types) -> _Call | Fault:
        method, own = names.get(operator.function), operator.function
        if method is None:
            return Fault("function", f"function is {own}, allowed {', '.join(names)}", own, tuple(names))
        return _Call(method, operator)

    return way


def _is_integer(types: Types) -> bool:
    return types[0].row is not None and types[0].row.is_integer


def _divide(operator: Divide, types: Types) -> _Call:
    """How quotients are rounded matters to integers alone, and but for a divisor of 0 to signed ones."""
    plain = Divide(broadcast=operator.broadcast, axis=operator.axis)
    if _is_integer(types) and types[0].numpy.kind == "u":
        plain = replace(plain, by_zero=operator.by_zero)
    return _Call("div", operator if types[0].numpy.kind == "i" else plain)


def _extreme(operator: Extreme, types: Types) -> _Call | Fault:
    if len(types) != 2:
        return Fault("inputs", f"there are {len(types)} inputs, allowed 2", len(types), 2)
    return _by_function(EXTREMES)(replace(operator, nan=Extreme.nan) if _is_integer(types) else operator, types)


def _clip(operator: Clip, types: Types) -> _Call:
    """Bounds that cross are the one that all elements become; NaN, which bounds nothing, is left out."""
    dtype = types[0].numpy
    least, greatest = (_number_bound(operator, name, dtype) for name in ("least", "greatest"))
    if least is not None and greatest is not None and least > greatest:
        least = greatest = greatest if operator.crossed is Crossed.GREATEST else least
    members = {"minValue": _member_of(least), "maxValue": _member_of(greatest)}
    return _Call("clamp", Clip(least, greatest, Crossed.RAISE), members)


def _number_bound(operator: Clip, name: str, dtype: np.dtype[Any]) -> Array | None:
    bound = operator.bound(name, dtype)
    return None if bound is None or bound != bound else bound  # noqa: PLR0124  only NaN is not itself


def _member_of(element: Array | None) -> Any:
    """Return an element as a number of JavaScript."""
    if element is None:
        return None
    return element.astype(np.float64).item() if element.dtype.kind == "f" else element.item()


def _reduce(operator: Reduce, types: Types) -> _Call | Fault:
    axes = operator.reduced(len(types[0].shape))
    plain = replace(operator, axes=axes, empty_axes=EmptyAxes.NONE)
    call = _by_function(REDUCTIONS)(plain, types)
    members = {"axes": axes, "keepDimensions": operator.keep_axes}
    return call if isinstance(call, Fault) else replace(call, members=members)


def _accumulate(operator: Accumulate, types: Types) -> _Call | Fault:
    if operator.function is not AccumulateFunction.SUM:
        return Fault("function", f"function is {operator.function}, allowed sum", operator.function, "sum")
    axis = operator.axis % len(types[0].shape)
    members = {"axis": axis, "exclusive": operator.exclusive, "reversed": operator.reverse}
    return _Call("cumulativeSum", replace(operator, axis=axis), members)


def _place(operator: ArgExtreme, types: Types) -> _Call | Fault:
    axis = operator.axis % len(types[0].shape)
    if operator.dtype.name not in ("int32", "int64"):
        return Fault("dtype", f"dtype is {operator.dtype}, allowed int32 and int64", operator.dtype)
    call = _by_function(PLACES)(replace(operator, axis=axis), types)
    members = {"axis": axis, "keepDimensions": operator.keep_axis, "outputDataType": operator.dtype.name}
    return call if isinstance(call, Fault) else replace(call, members=members)


def _cast(operator: Cast, types: Types) -> _Call:
    return _Call("cast", operator, {"dataType": operator.to.name})


def _concat(operator: Concat, types: Types) -> _Call:
    axis = operator.axis % max(1, len(types[0].shape))
    return _Call("concat", replace(operator, axis=axis), {"axis": axis})


def _expand(operator: Expand, types: Types) -> _Call:
    (result,) = operator.infer(types)
    if operator.alignment is Alignment.TWO_WAY:
        operator = replace(operator, alignment=Alignment.ONE_WAY, shape=result.shape)
    return _Call("expand", operator, {"newShape": operator.shape})


def _along_axis(method: str) -> Callable[[Any, Types], _Call]:
    def way(operator: Any, types: Types) -> _Call:
        axis = operator.axis % max(1, len(types[0].shape))
        changes: dict[str, Any] = {"axis": axis}
        if getattr(operator, "off_axis", OffAxis.EQUAL) is not OffAxis.EQUAL and _equal_off_axis(types, axis):
            changes["off_axis"] = OffAxis.EQUAL
        return _Call(method, replace(operator, **changes), {"axis": axis})

    return way


def _equal_off_axis(types: Types, axis: int) -> bool:
    data, indices = (list(one.shape) for one in types[:2])
    return len(data) == len(indices) and data[:axis] + data[axis + 1 :] == indices[:axis] + indices[axis + 1 :]


def _gather_nd(operator: GatherND, types: Types) -> _Call:
    plain = replace(operator, merge_batch=False) if operator.batch_dims == 0 else operator
    return _Call("gatherND", replace(plain, least_indices=1))


def _scatter_nd(operator: ScatterND, types: Types) -> _Call:
    return _Call("scatterND", replace(operator, one_of_any_rank=False))


def _identity(operator: Identity, types: Types) -> _Call:
    return _Call("identity", operator)


def _pad(operator: Pad, types: Types) -> _Call | Fault:
    data = types[0]
    pads = operator.pads(len(data.shape))
    if any(one < 0 for pair in pads for one in pair):
        return Fault("begins", f"pads are {pads}, allowed 0 and more: slice before", pads)
    modes = {mode: word for word, mode in PAD_MODES.items()}
    if operator.mode not in modes:
        return Fault(
            "mode", f"mode is {operator.mode}, allowed {', '.join(PAD_MODES)}", operator.mode, tuple(PAD_MODES)
        )
    begins, ends = (tuple(pair[side] for pair in pads) for side in (0, 1))
    value = typed_as("value", operator.value, data.numpy) if operator.mode is PadMode.CONSTANT else None
    plain = Pad(begins, ends, operator.mode, None if value is None else Constant(value), beyond=operator.beyond)
    if all(max(pair) < size for pair, size in zip(pads, data.shape, strict=True)):
        plain = replace(plain, beyond=Pad.beyond)
    number = None if value is None else value.astype(np.float64).item() if value.dtype.kind == "f" else value.item()
    if isinstance(number, float) and math.isnan(number):
        number = math.nan  # JavaScript keeps neither sign nor payload
    members = {"beginningPadding": begins, "endingPadding": ends, "mode": modes[operator.mode], "value": number}
    return _Call("pad", replace(plain, mixed_signs=MixedSigns.CROP_FIRST, overcrop=Overcrop.REFUSE), members)


def _reshape(operator: Operator, types: Types) -> _Call:
    (result,) = operator.infer(types)
    return _Call("reshape", Reshape(result.shape, zero=Zero.LITERAL), {"newShape": result.shape})


def _reverse(operator: Reverse, types: Types) -> _Call:
    axes = operator.reversed_axes(len(types[0].shape))
    return _Call("reverse", Reverse(axes), {"axes": axes})


def _slice(operator: Slice, types: Types) -> _Call | Fault:
    starts, counts, steps = operator.spread(types[0].shape)
    for axis, step in enumerate(steps):
        if step < 0:
            return Fault("steps", f"steps[{axis}] is {step}, allowed 1 and more: reverse first", step)
    windows = tuple((count - 1) * step + 1 for count, step in zip(counts, steps, strict=True))
    plain = Slice(starts, sizes=counts, steps=steps)
    return _Call("slice", plain, {"starts": starts, "sizes": windows, "strides": steps})


def _split(operator: Split, types: Types) -> _Call:
    axis = operator.axis % len(types[0].shape)
    sizes = tuple(part.shape[axis] for part in operator.infer(types))
    return _Call("split", Split(axis, sizes=sizes), {"splits": sizes, "axis": axis})


def _tile(operator: Tile, types: Types) -> _Call | Fault:
    sizes, repeats = operator.aligned(types[0].shape)
    if len(sizes) != len(types[0].shape):
        return Fault("repeats", f"repeats has {len(repeats)} entries, allowed one for each axis of data", repeats)
    return _Call("tile", Tile(repeats), {"repetitions": repeats})


def _transpose(operator: Transpose, types: Types) -> _Call:
    order = operator.order(len(types[0].shape))
    return _Call("transpose", Transpose(order), {"permutation": order})


def _trilu(operator: Trilu, types: Types) -> _Call | Fault:
    zero = np.zeros((), types[0].numpy)
    if operator.value is not None and operator.value.tobytes() != zero.tobytes():
        return Fault("value", f"value is {operator.value}, allowed 0", operator.value, 0)
    plain = replace(operator, value=None)
    if plain.begin is None and plain.end is not None and not plain.inverted:
        return _Call("triangular", plain, {"upper": True, "diagonal": plain.end})
    if plain.end is None and plain.begin is not None and not plain.inverted:
        return _Call("triangular", plain, {"upper": False, "diagonal": plain.begin - 1})
    return Fault("begin", f"the band is {operator}, allowed triangles", (operator.begin, operator.end))


def _where(operator: Where, types: Types) -> _Call:
    return _Call("where", operator)


_WAYS: Mapping[type[Operator], Callable[[Any, Types], _Call | Fault]] = {
    Accumulate: _accumulate,
    ArgExtreme: _place,
    Binary: _by_function(BINARY),
    Cast: _cast,
    Clip: _clip,
    Compare: _by_function(RELATIONS),
    Concat: _concat,
    Divide: _divide,
    Expand: _expand,
    Extreme: _extreme,
    Flatten: _reshape,
    Gather: _along_axis("gather"),
    GatherElements: _along_axis("gatherElements"),
    GatherND: _gather_nd,
    Identity: _identity,
    Pad: _pad,
    Reduce: _reduce,
    Reshape: _reshape,
    Reverse: _reverse,
    ScatterElements: _along_axis("scatterElements"),
    ScatterND: _scatter_nd,
    Slice: _slice,
    Split: _split,
    Squeeze: _reshape,
    Tile: _tile,
    Transpose: _transpose,
    Trilu: _trilu,
    Unary: _by_function(UNARY),
    Unsqueeze: _reshape,
    Where: _where,
}
