"""Shortcuts of operators that compute: arithmetic, conversions, sums and extremes, by NumPy and the core."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from wherry import _core, ops
from wherry.engine.shortcut import MOST_BYTES, Shortcut
from wherry.moves.calculate import FUNCTIONS, can_calculate
from wherry.moves.move import ELEMENT_NUMBER, Array
from wherry.moves.reduce import CALCULATIONS
from wherry.moves.translate import translation
from wherry.ops.division import Division
from wherry.ops.elementwise import Broadcast, Elementwise
from wherry.ops.operator import Operator
from wherry.ops.reduce import EmptyAxes, reduced_sizes
from wherry.tensors import TensorType

Sizes = tuple[int, ...]


def _cast(operator: ops.Cast, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the conversion as another type by the core, of an integer to a wider one by NumPy, which is as good."""
    data, to = kinds[0].numpy, operator.to.numpy
    if data == to:
        return Shortcut(lambda values: values, False)
    if data.kind in "iu" and to.kind in "iu" and np.can_cast(data, to, "safe"):
        return Shortcut(lambda values: values.astype(to, order="C") if values.nbytes <= MOST_BYTES // 8 else None, True)
    write: Callable[..., None]
    rule: tuple[Any, ...]
    if (saturates := operator.by_core(data)) is not None:
        write, rule = _core.convert, (ELEMENT_NUMBER[data], ELEMENT_NUMBER[to], int(saturates))
    elif (rounded := operator.by_rounding(data)) is not None:
        write, rule = _core.round, (ELEMENT_NUMBER[data], bytes(rounded))
    elif (by_table := operator.by_table(data)) is not None:
        write, rule = _core.translate, translation(data, *by_table)
    else:
        return None

    def call(values: Array) -> Array | None:
        if values.size * max(data.itemsize, to.itemsize) > MOST_BYTES:
            return None
        out = np.empty(values.shape, to)
        write(values, out, *rule)
        return out

    return Shortcut(call, True)


def _written(
    operator: Operator,
    write: Callable[[Array, Array], object],
    kinds: Sequence[TensorType],
    sizes_of: Callable[[Sizes], Sequence[int] | None] | None = None,
) -> Shortcut:
    """Return the way of an operator of one input whose result `write` computes, into an array that it is given.

    That has the sizes of the input, or those of `sizes_of`.
    """
    dtype = operator.infer([kinds[0].with_sizes(None)])[0].numpy

    def call(data: Array) -> Array | None:
        sizes = data.shape if sizes_of is None else sizes_of(data.shape)
        if sizes is None or data.nbytes > MOST_BYTES or math.prod(sizes) * dtype.itemsize > MOST_BYTES:
            return None
        out = np.empty(sizes, dtype)
        write(data, out)
        return out

    return Shortcut(call, True)


def _reduce(operator: ops.Reduce, kinds: Sequence[TensorType]) -> Shortcut:
    dtype, calculation = kinds[0].numpy, CALCULATIONS[operator.function]
    operator.infer([kinds[0].with_sizes(None)])  # refuses elements of other types
    is_of_all = not operator.axes and operator.empty_axes is EmptyAxes.ALL
    if can_calculate(calculation, dtype):
        function, element, of_none = FUNCTIONS.index(calculation), ELEMENT_NUMBER[dtype], operator.of_none(dtype)
        axes = None if is_of_all else list(operator.axes)
        return Shortcut(_core.Reducing(axes, operator.keep_axes, function, element, of_none), True)

    def write(data: Array, out: Array) -> None:
        operator.reduce_into(data, out, operator.reduced(data.ndim))

    def sizes_of(sizes: Sizes) -> list[Any]:
        return reduced_sizes(sizes, operator.reduced(len(sizes)), operator.keep_axes)

    return _written(operator, write, kinds, sizes_of)


def _accumulate(operator: ops.Accumulate, kinds: Sequence[TensorType]) -> Shortcut:
    axis = operator.axis

    def sizes_of(sizes: Sizes) -> Sizes | None:
        return sizes if -len(sizes) <= axis < len(sizes) else None

    return _written(operator, operator.accumulate_into, kinds, sizes_of)


def _arg_extreme(operator: ops.ArgExtreme, kinds: Sequence[TensorType]) -> Shortcut:
    find, axis, keeps = operator.find, operator.axis, operator.keep_axis
    if not operator.last and operator.dtype.numpy == np.intp:

        def call(data: Array) -> Array | None:
            return np.asarray(find(data, axis, keepdims=keeps)) if 0 < data.nbytes <= MOST_BYTES else None

        return Shortcut(call, True)

    def sizes_of(sizes: Sizes) -> list[Any] | None:
        ndim = len(sizes)
        is_there = -ndim <= axis < ndim and sizes[axis] > 0  # of none there is no extreme
        return reduced_sizes(sizes, (axis % ndim,), keeps) if is_there else None

    return _written(operator, operator.places_into, kinds, sizes_of)


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


def _spread(
    arrays: Sequence[Array], dtype: np.dtype[Any], *, repeats: bool = True
) -> tuple[Array, Sequence[Array]] | None:
    """Return a new array for elements of all arrays, and these in its sizes.

    None where that is large, or one must repeat and may not.
    """
    shapes = [array.shape for array in arrays]
    sizes = shapes[0]
    if shapes.count(sizes) < len(shapes):
        if not repeats:
            return None
        sizes = np.broadcast_shapes(*shapes)
        spread = [_core.broadcast(array, sizes) for array in arrays]
        arrays = [array for array in spread if array is not None]
    return (np.empty(sizes, dtype), arrays) if math.prod(sizes) * dtype.itemsize <= MOST_BYTES else None


def _where(operator: ops.Where, kinds: Sequence[TensorType]) -> Shortcut | None:
    dtype = kinds[1].numpy
    if kinds[0].numpy not in (np.dtype(bool), np.dtype(np.uint8)):
        return None

    def call(condition: Array, x: Array, y: Array) -> Array | None:
        spread = _spread([condition, x, y], dtype) if x.dtype == y.dtype else None
        if spread is None:
            return None
        out, (condition, x, y) = spread
        _core.select(condition, x, y, out)
        return out

    return Shortcut(call, True)


def elementwise(operator: Elementwise, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the way of an operator that computes each element alone."""
    if operator.broadcast is Broadcast.SECOND:
        return None
    function, writes = operator.function_of(kinds[0].numpy, "")
    write: Callable[..., Array | None] | None = partial(_by_numpy, function, writes)
    if not isinstance(function, np.ufunc) and len(kinds) <= 2 and operator.by_core(kinds[0].numpy):
        write = _by_core(operator, kinds)  # what takes NumPy several calls is one of the core
    if write is None:
        return None
    dtype = TensorType(operator.result(kinds[0].dtype), ()).numpy
    repeats = operator.broadcast is Broadcast.BOTH

    def call(*arrays: Array) -> Array | None:
        spread = _spread(arrays, dtype, repeats=repeats)
        return None if spread is None else write(spread[0], *spread[1])

    return Shortcut(call, True)


def _by_numpy(function: Callable[..., Any], writes: bool, out: Array, *arrays: Array) -> Array | None:
    if writes:
        function(*arrays, out)
        return out
    made = function(*arrays)
    if made.dtype != out.dtype or made.shape != out.shape:
        return None
    out[...] = made
    return out


def _by_core(operator: Elementwise, kinds: Sequence[TensorType]) -> Callable[..., Array] | None:
    """Return what writes a function of one or two elements by the core; None of what it does otherwise."""
    given = kinds[0].numpy
    if given.kind in "iu" and isinstance(operator, (ops.Divide, ops.Remainder)):
        return partial(_divide, operator.division, ELEMENT_NUMBER[given])
    if can_calculate(operator.calculation, given):
        return partial(_calculate, FUNCTIONS.index(operator.calculation), ELEMENT_NUMBER[given])
    return None


def _calculate(function: int, element: int, out: Array, a: Array, b: Array | None = None) -> Array:
    _core.calculate(a, a if b is None else b, out, function, element)
    return out


def _divide(division: Division, element: int, out: Array, a: Array, b: Array) -> Array:
    _core.divide(a, b, out, element, *division)
    return out


COMPUTED: Mapping[type[Operator], Callable[[Any, Sequence[TensorType]], Shortcut | None]] = {
    ops.Accumulate: _accumulate,
    ops.ArgExtreme: _arg_extreme,
    ops.Cast: _cast,
    ops.Clip: _clip,
    ops.Reduce: _reduce,
    ops.Where: _where,
}
"""What finds the shortcut of an operator, whose inputs have these types; all others by `elementwise`."""
