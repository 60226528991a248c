"""Reductions, running sums and positions of extremes by their formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import (
    Accumulate,
    AccumulateFunction,
    ArgExtreme,
    EmptyAxes,
    ExtremeFunction,
    NanOperand,
    Reduce,
    ReduceFunction,
)
from wherry.reference.elementwise import extreme_of, wrapped

Array = NDArray[Any]


def formula(operator: Reduce, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c] = function of data[c, r] for all r`, element by element in row-major order."""
    (data,), (out,) = inputs, outputs
    axes = {axis % data.ndim for axis in operator.axes}
    if not axes and operator.empty_axes is EmptyAxes.ALL:
        axes = set(range(data.ndim))
    found: dict[tuple[int, ...], Any] = {}
    for c in np.ndindex(data.shape):
        own = tuple([0 if axis in axes else at for axis, at in enumerate(c) if operator.keep_axes or axis not in axes])
        found[own] = _joined(operator.function, found[own], data[c]) if own in found else data[c]
    for c in np.ndindex(out.shape):
        value = found.get(c, _of_none(operator.function, out.dtype))
        out[c] = wrapped(int(value), out.dtype) if out.dtype.kind in "iu" else value


def _joined(function: ReduceFunction, a: Any, b: Any) -> Any:
    if function is ReduceFunction.SUM:
        return int(a) + int(b)
    if function is ReduceFunction.PRODUCT:
        return int(a) * int(b)
    return extreme_of(ExtremeFunction(function), NanOperand.PROPAGATE, a, b)


def _of_none(function: ReduceFunction, dtype: np.dtype[Any]) -> Any:
    if function in (ReduceFunction.SUM, ReduceFunction.PRODUCT):
        return int(function is ReduceFunction.PRODUCT)
    is_least = function is ReduceFunction.MAXIMUM
    if dtype.kind == "b":
        return not is_least
    bits, signed = 8 * dtype.itemsize, dtype.kind == "i"
    if dtype.kind in "iu":
        least = -(2 ** (bits - 1)) if signed else 0
        return least if is_least else least + 2**bits - 1
    return -math.inf if is_least else math.inf


def accumulate(operator: Accumulate, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[.., n, ..]` is the sum, or the product, of data[.., m, ..] for all m up to n, or from n on."""
    (data,), (out,) = inputs, outputs
    axis = operator.axis % data.ndim
    for c in np.ndindex(data.shape):
        value = 0 if operator.function is AccumulateFunction.SUM else 1
        for m in range(data.shape[axis]):
            is_before = m > c[axis] if operator.reverse else m < c[axis]
            if is_before or (m == c[axis] and not operator.exclusive):
                element = int(data[(*c[:axis], m, *c[axis + 1 :])])
                value = value + element if operator.function is AccumulateFunction.SUM else value * element
        out[c] = wrapped(value, out.dtype)


def place(operator: ArgExtreme, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[c]` is the position along the axis of the extreme; NaN wins over all numbers."""
    (data,), (out,) = inputs, outputs
    axis = operator.axis % data.ndim
    for c in np.ndindex(out.shape):
        around = (c[:axis], c[axis + operator.keep_axis :])
        line = [data[(*around[0], n, *around[1])] for n in range(data.shape[axis])]
        best = 0
        for n, value in enumerate(line):
            if _is_beyond(operator.function, value, line[best]) or (operator.last and _equals(value, line[best])):
                best = n
        out[c] = best


def _is_beyond(function: ExtremeFunction, value: Any, other: Any) -> bool:
    if value != value or other != other:  # noqa: PLR0124  only NaN is not itself
        return bool(value != value and other == other)  # noqa: PLR0124
    return bool(value < other if function is ExtremeFunction.MINIMUM else value > other)


def _equals(value: Any, other: Any) -> bool:
    return bool(value == other or (value != value and other != other))  # noqa: PLR0124
