"""Shortcuts of operators that compute: arithmetic, conversions, sums and extremes, by NumPy and the core."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from wherry import _core, ops
from wherry.engine.shortcut import MOST_BYTES, Shortcut, keep
from wherry.moves.calculate import FUNCTIONS, can_calculate
from wherry.moves.move import ELEMENT_NUMBER, Array
from wherry.ops.division import Division
from wherry.ops.elementwise import Broadcast, Elementwise
from wherry.ops.operator import Operator
from wherry.tensors import TensorType


def _cast(operator: ops.Cast, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the conversion as another type by the core, of an integer to a wider one by NumPy, which is as good."""
    data, to = kinds[0].numpy, operator.to.numpy
    if data == to:
        return Shortcut(lambda values: values, False)
    if data.kind in "iu" and to.kind in "iu" and np.can_cast(data, to, "safe"):
        return Shortcut(lambda values: values.astype(to, order="C") if values.nbytes <= MOST_BYTES // 8 else None, True)
    saturates = operator.by_core(data)
    if saturates is None:
        return None
    rule = ELEMENT_NUMBER[data], ELEMENT_NUMBER[to], int(saturates)

    def call(values: Array) -> Array | None:
        if values.size * max(data.itemsize, to.itemsize) > MOST_BYTES:
            return None
        out = np.empty(values.shape, to)
        _core.convert(values, out, *rule)
        return out

    return Shortcut(call, True)


def _written(operator: Operator, write: Callable[[Array, Array], object], kinds: Sequence[TensorType]) -> Shortcut:
    """Return the way of an operator of one input whose result `write` computes, into an array that it is given."""
    kept: dict[tuple[int, ...], tuple[int, ...]] = {}
    dtype = operator.infer([kinds[0].with_sizes(None)])[0].numpy

    def call(data: Array) -> Array | None:
        sizes = kept.get(data.shape)
        if sizes is None:
            sizes = operator.infer([TensorType.of(data)])[0].shape
            keep(kept, data.shape, sizes)
        if data.nbytes > MOST_BYTES or math.prod(sizes) * dtype.itemsize > MOST_BYTES:
            return None
        out = np.empty(sizes, dtype)
        write(data, out)
        return out

    return Shortcut(call, True)


def _reduce(operator: ops.Reduce, kinds: Sequence[TensorType]) -> Shortcut:
    def write(data: Array, out: Array) -> None:
        operator.reduce_into(data, out, operator.reduced(data.ndim))

    return _written(operator, write, kinds)


def _accumulate(operator: ops.Accumulate, kinds: Sequence[TensorType]) -> Shortcut:
    return _written(operator, operator.accumulate_into, kinds)


def _arg_extreme(operator: ops.ArgExtreme, kinds: Sequence[TensorType]) -> Shortcut:
    if operator.last or operator.dtype.numpy != np.intp:
        return _written(operator, operator.places_into, kinds)
    find, axis, keeps = operator.find, operator.axis, operator.keep_axis

    def call(data: Array) -> Array | None:
        return np.asarray(find(data, axis, keepdims=keeps)) if 0 < data.nbytes <= MOST_BYTES else None

    return Shortcut(call, True)


def _clip(operator: ops.Clip, kinds: Sequence[TensorType]) -> Shortcut:
    dtype = kinds[0].numpy
    operator.infer(kinds)  # refuses bounds of another type
    if not can_calculate("raise_to", dtype):
        least, greatest = (operator.bound(name, dtype) for name in ("least", "greatest"))
        return _written(operator, partial(operator.clip_into, least, greatest), kinds)
    bounds = [(FUNCTIONS.index(name), bound.tobytes()) for name, _, bound in operator.bounds(dtype)]
    element = ELEMENT_NUMBER[dtype]

    def call(data: Array) -> Array | None:
        if data.nbytes > MOST_BYTES:
            return None
        out = np.empty(data.shape, dtype)
        for function, bound in bounds:
            _core.calculate(data, bound, out, function, element)
            data = out
        return out

    return Shortcut(call, True) if bounds else Shortcut(lambda data: data, False)


def _for(arrays: Sequence[Array], dtype: np.dtype[Any], *, repeats: bool = True) -> Array | None:
    """Return a new array for elements of all arrays; None where that is large, or one must repeat and may not."""
    sizes = arrays[0].shape
    for array in arrays:
        if array.shape != sizes:
            if not repeats:
                return None
            sizes = np.broadcast_shapes(sizes, array.shape)
    return np.empty(sizes, dtype) if math.prod(sizes) * dtype.itemsize <= MOST_BYTES else None


def _where(operator: ops.Where, kinds: Sequence[TensorType]) -> Shortcut | None:
    dtype = kinds[1].numpy
    if kinds[0].numpy not in (np.dtype(bool), np.dtype(np.uint8)):
        return None

    def call(condition: Array, x: Array, y: Array) -> Array | None:
        if x.dtype != y.dtype:
            return None
        out = _for([condition, x, y], dtype)
        if out is None:
            return None
        sizes = out.shape
        if not condition.shape == x.shape == y.shape == sizes:
            condition, x, y = (np.broadcast_to(array, sizes) for array in (condition, x, y))
        _core.select(condition, x, y, out)
        return out

    return Shortcut(call, True)


def elementwise(operator: Elementwise, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the way of an operator that computes each element alone."""
    if operator.broadcast is Broadcast.SECOND:
        return None
    function, writes = operator.function_of(kinds[0].numpy, "")
    if not isinstance(function, np.ufunc) and len(kinds) <= 2 and operator.by_core(kinds[0].numpy):
        return _by_core(operator, kinds)  # what takes NumPy several calls is one of the core
    dtype = TensorType(operator.result(kinds[0].dtype), ()).numpy
    repeats = operator.broadcast is Broadcast.BOTH

    def call(*arrays: Array) -> Array | None:
        out = _for(arrays, dtype, repeats=repeats)
        if out is None:
            return None
        if writes:
            function(*arrays, out)
            return out
        made = function(*arrays)
        if made.dtype != dtype or made.shape != out.shape:
            return None
        out[...] = made
        return out

    return Shortcut(call, True)


def _by_core(operator: Elementwise, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the way of a function of one or two elements that the core computes; None of what it does otherwise."""
    given = kinds[0].numpy
    write: Callable[[Array, Array, Array], None]
    if given.kind in "iu" and isinstance(operator, (ops.Divide, ops.Remainder)):
        write = partial(_divide, operator.division, ELEMENT_NUMBER[given])
    elif can_calculate(operator.calculation, given):
        write = partial(_calculate, FUNCTIONS.index(operator.calculation), ELEMENT_NUMBER[given])
    else:
        return None
    dtype = TensorType(operator.result(kinds[0].dtype), ()).numpy
    repeats = operator.broadcast is Broadcast.BOTH

    def call(a: Array, *others: Array) -> Array | None:
        b = others[0] if others else a
        out = _for((a, b), dtype, repeats=repeats)
        if out is None:
            return None
        if not a.shape == b.shape == out.shape:
            a, b = np.broadcast_to(a, out.shape), np.broadcast_to(b, out.shape)
        write(a, b, out)
        return out

    return Shortcut(call, True)


def _calculate(function: int, element: int, a: Array, b: Array, out: Array) -> None:
    _core.calculate(a, b, out, function, element)


def _divide(division: Division, element: int, a: Array, b: Array, out: Array) -> None:
    _core.divide(a, b, out, element, *division)


COMPUTED: Mapping[type[Operator], Callable[[Any, Sequence[TensorType]], Shortcut | None]] = {
    ops.Accumulate: _accumulate,
    ops.ArgExtreme: _arg_extreme,
    ops.Cast: _cast,
    ops.Clip: _clip,
    ops.Reduce: _reduce,
    ops.Where: _where,
}
"""What finds the shortcut of an operator, whose inputs have these types; all others by `elementwise`."""
