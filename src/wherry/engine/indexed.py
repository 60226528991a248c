"""Shortcuts of operators that index: gathers, and scatters into a copy of data, each one call of the core."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from wherry import _core, ops
from wherry.engine.shortcut import MOST_BYTES, Shortcut, applied
from wherry.errors import WherryError
from wherry.layout import packed_strides
from wherry.limits import MAX_NDIM
from wherry.moves import Duplicates, Negative, OutOfRangeWrite, Reduction
from wherry.moves.indices import core_reads
from wherry.moves.move import ELEMENT_NUMBER, Array
from wherry.moves.rules import (
    NAN_NUMBER,
    NEGATIVE_NUMBER,
    OUT_OF_RANGE_NUMBER,
    OUT_OF_RANGE_WRITE_NUMBER,
    REDUCTION_NUMBER,
)
from wherry.ops.constant import Constant
from wherry.ops.indexing import OffAxis
from wherry.ops.scatter import Scatter
from wherry.tensors import TensorType

Sizes = tuple[int, ...]
Fields = Mapping[str, Any]
Places = Mapping[str, int]
"""Fields of an operator that are known, and the positions of inputs that are the others."""


def _gather(operator: ops.Gather, kinds: Sequence[TensorType]) -> Shortcut:
    rules = operator.batch_dims, operator.out_of_range, operator.negative
    return Shortcut(_core.Gathering(operator.axis, *rules), True)


def _gather_nd(operator: ops.GatherND, kinds: Sequence[TensorType]) -> Shortcut | None:
    if operator.batch_dims or kinds[1].numpy.kind not in "iu":
        return None
    rules = OUT_OF_RANGE_NUMBER[operator.out_of_range], NEGATIVE_NUMBER[operator.negative]
    by_plan = applied(operator)

    def otherwise(*arrays: Array) -> Any:
        try:
            return by_plan(*arrays)
        except WherryError:
            return None  # who is asked then says why, and who called

    return Shortcut(_core.GatheringTuples(operator.least_indices, *rules, otherwise), True)


def _by_tuples(data: Array, rows: Sizes, length: int) -> Array:
    """Return packed data with the axes of rows, which repeat, the axes behind the first `length`, and then these."""
    shape, steps = data.shape, packed_strides(data.shape)
    sizes, strides = rows + shape[length:] + shape[:length], (0,) * len(rows) + steps[length:] + steps[:length]
    return _core.view(data.reshape(-1), sizes, strides, 0)


def _columns(indices: Array, behind: Sizes) -> Array:
    """Return tuples of indices repeated for each element of the slices that they address."""
    if not behind:
        return indices
    rows, length = indices.shape[:-1], indices.shape[-1]
    return np.broadcast_to(indices.reshape((*rows, *(1,) * len(behind), length)), (*rows, *behind, length))


def _gather_elements(operator: ops.GatherElements, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not core_reads(kinds[1].numpy):
        return None
    rules = OUT_OF_RANGE_NUMBER[operator.out_of_range], NEGATIVE_NUMBER[operator.negative]

    def call(data: Array, indices: Array) -> Array | None:
        view = _beside(data, indices.shape, operator.axis, operator.off_axis)
        if view is None or indices.size * data.itemsize > MOST_BYTES:
            return None
        out = np.empty(indices.shape, data.dtype)
        _core.gather_into(view, indices[..., None], out, *rules)
        return out

    return Shortcut(call, True)


def _beside(data: Array, sizes: Sizes, axis: int, off_axis: OffAxis) -> Array | None:
    """Return packed data with the axes of indices that lie beside it, then the indexed one; None for the planner."""
    shape = data.shape
    ndim = len(shape)
    if not (len(sizes) == ndim > -axis - 1 and axis < ndim < MAX_NDIM and data.flags.c_contiguous and data.size):
        return None
    axis %= ndim
    for number, size in enumerate(sizes):
        if size != shape[number] and number != axis and (off_axis is OffAxis.EQUAL or size > shape[number]):
            return None
    steps = packed_strides(shape)
    strides = (*steps[:axis], 0, *steps[axis + 1 :], steps[axis])
    return _core.view(data.reshape(-1), (*sizes, shape[axis]), strides, 0)


def _scatter_rules(operator: Scatter, kinds: Sequence[TensorType]) -> tuple[int, ...] | None:
    """Return the rules of a scatter as the core numbers them; None for those that take more than one pass."""
    is_one_pass = operator.reduction is not Reduction.MEAN and operator.duplicates is Duplicates.LAST
    is_silent = operator.out_of_range is not OutOfRangeWrite.REPORT
    reads = len(kinds) == 3 and core_reads(kinds[1].numpy)
    starts_anew = operator.reduction is not Reduction.NONE and not operator.use_init_val
    if not (is_one_pass and is_silent and reads) or starts_anew:
        return None
    return (
        REDUCTION_NUMBER[operator.reduction],
        OUT_OF_RANGE_WRITE_NUMBER[operator.out_of_range],
        NEGATIVE_NUMBER[operator.negative],
        ELEMENT_NUMBER.get(kinds[0].numpy, -1),
        NAN_NUMBER[operator.nan],
    )


def _scatter_elements(operator: ops.ScatterElements, kinds: Sequence[TensorType]) -> Shortcut | None:
    rules = _scatter_rules(operator, kinds)
    if rules is None:
        return None

    def call(data: Array, indices: Array, updates: Array) -> Array | None:
        if data.nbytes + updates.nbytes > MOST_BYTES or updates.shape != indices.shape or updates.size == 0:
            return None
        out = data.copy()
        target = _beside(out, indices.shape, operator.axis, operator.off_axis)
        if target is None:
            return None
        _core.scatter_into(target, indices[..., None], updates, *rules)
        return out

    return Shortcut(call, True)


def _scatter_nd(operator: ops.ScatterND, kinds: Sequence[TensorType]) -> Shortcut | None:
    rules = _scatter_rules(operator, kinds)
    if rules is None:
        return None

    def call(data: Array, indices: Array, updates: Array) -> Array | None:
        rows, length, shape = indices.shape[:-1], indices.shape[-1], data.shape
        is_plain = 0 < length <= len(shape) and updates.ndim + length <= MAX_NDIM and data.size and updates.size
        if not is_plain or updates.shape != rows + shape[length:] or data.nbytes + updates.nbytes > MOST_BYTES:
            return None
        out = data.copy()
        _core.scatter_into(_by_tuples(out, rows, length), _columns(indices, shape[length:]), updates, *rules)
        return out

    return Shortcut(call, True)


def _scatter_update(operator: ops.ScatterUpdate, kinds: Sequence[TensorType]) -> Shortcut | None:
    if operator.window is not ops.Window.NONE:
        return _windows(operator, kinds)
    rules, own_axis = _scatter_rules(operator, kinds), operator.axis
    if rules is None or operator.batch_dims:
        return None

    def call(data: Array, indices: Array, updates: Array) -> Array | None:
        shape, steps, ndim, own = data.shape, packed_strides(data.shape), data.ndim, indices.shape
        axis = own_axis + ndim if own_axis < 0 else own_axis
        is_small = data.nbytes + updates.nbytes <= MOST_BYTES and updates.ndim < MAX_NDIM
        if not (is_small and 0 <= axis < ndim and data.size and updates.size):
            return None
        sizes = shape[:axis] + own + shape[axis + 1 :]
        along = _core.broadcast(indices.reshape((*own, *(1,) * (ndim - axis - 1))), sizes)
        if updates.shape != sizes or along is None:
            return None
        out = data.copy()
        strides = (*steps[:axis], *(0,) * len(own), *steps[axis + 1 :], steps[axis])
        target = _core.view(out.reshape(-1), (*sizes, shape[axis]), strides, 0)
        _core.scatter_into(target, along[..., None], updates, *rules)
        return out

    return Shortcut(call, True)


_MOST_WINDOWS = 64


def _windows(operator: ops.ScatterUpdate, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the way of windows that replace, one for each entry of the first axis, and that lie on their axis."""
    replaces = operator.reduction is Reduction.NONE and operator.out_of_range is OutOfRangeWrite.RAISE
    is_linear = operator.window is ops.Window.LINEAR and operator.batch_dims == 1
    if not (replaces and is_linear) or len(kinds) != 3 or kinds[1].numpy.kind not in "iu":
        return None

    def call(data: Array, indices: Array, updates: Array) -> Array | None:
        shape, ndim = data.shape, data.ndim
        axis = operator.axis + ndim if operator.axis < 0 else operator.axis
        if not 0 < axis < ndim == updates.ndim or indices.shape != shape[:1] or data.nbytes > MOST_BYTES:
            return None
        size = updates.shape[axis]
        if updates.shape != (*shape[:axis], size, *shape[axis + 1 :]) or shape[0] > _MOST_WINDOWS or size == 0:
            return None
        starts, around = indices.tolist(), (slice(None),) * (axis - 1)
        if any(not 0 <= start <= shape[axis] - size for start in starts):
            return None
        out = data.copy()
        for batch, start in enumerate(starts):
            part: tuple[Any, ...] = (batch, *around, slice(start, start + size))
            out[part] = updates[batch]
        return out

    return Shortcut(call, True)


def one_hot(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the way of a OneHot whose depth is an input, or among the fields."""
    depth_at, depth = at.get("depth"), fields.get("depth")
    if isinstance(depth, Constant):
        depth = depth.value.item()
    moved = [place for place in range(len(kinds)) if place != depth_at]
    first, off_at, on_at = moved[0], moved[1], moved[-1]
    dtype = kinds[off_at].numpy
    if kinds[on_at].numpy != dtype or not core_reads(kinds[first].numpy):
        return None
    axis, keeps_axis = fields.get("axis", -1), fields.get("keep_axis", False)
    negative = NEGATIVE_NUMBER[fields.get("negative", Negative.FROM_END)]
    rules = (REDUCTION_NUMBER[Reduction.NONE], OUT_OF_RANGE_WRITE_NUMBER[OutOfRangeWrite.SKIP], negative, -1, 0)

    def call(*arrays: Array) -> Array | None:
        indices, off, on = arrays[first], arrays[off_at], arrays[on_at]
        size = depth if depth_at is None else arrays[depth_at].item()
        if off_at == on_at:
            if off.shape != (2,):
                return None
            off, on = off[:1], off[1:]
        sizes = list(indices.shape)
        at = axis + len(sizes) + (not keeps_axis) if axis < 0 else axis
        if type(size) is not int or not 1 <= size <= MOST_BYTES or keeps_axis or not 0 <= at <= len(sizes):
            return None
        sizes.insert(at, size)
        if math.prod(sizes) * dtype.itemsize > MOST_BYTES or len(sizes) + 1 > MAX_NDIM or off.size != 1 or on.size != 1:
            return None
        out = np.empty(sizes, dtype)
        if out.size:
            _core.fill(out, off)
            target = out if at == len(sizes) - 1 else out.transpose([n for n in range(len(sizes)) if n != at] + [at])
            updates = _core.broadcast(on.reshape(()), indices.shape)
            assert updates is not None
            _core.scatter_into(target, indices[..., None], updates, *rules)
        return out

    return Shortcut(call, True)


INDEXED: Mapping[type[ops.Operator], Callable[[Any, Sequence[TensorType]], Shortcut | None]] = {
    ops.Gather: _gather,
    ops.GatherElements: _gather_elements,
    ops.GatherND: _gather_nd,
    ops.ScatterElements: _scatter_elements,
    ops.ScatterND: _scatter_nd,
    ops.ScatterUpdate: _scatter_update,
}
"""What finds the shortcut of an operator, whose inputs have these types."""
