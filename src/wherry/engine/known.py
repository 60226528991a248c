"""Shortcuts of operators whose fields are known, and which move elements along whole axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from wherry import _core, ops
from wherry.engine.computed import COMPUTED
from wherry.engine.indexed import INDEXED
from wherry.engine.shortcut import MOST_BYTES, Shortcut, cuts, eye, keep, positions, reshaped, tiled
from wherry.moves.move import Array
from wherry.ops.constant import Constant
from wherry.ops.diagonals import clamped as clamped_band
from wherry.ops.element import typed_as
from wherry.ops.expand import Alignment
from wherry.ops.operator import Operator
from wherry.ops.rearrange import Rearrangement
from wherry.ops.reshape import Resizing
from wherry.ops.tile import Lengths
from wherry.ops.values import zero_of
from wherry.tensors import TensorType


def _trilu(operator: ops.Trilu, kinds: Sequence[TensorType]) -> Shortcut:
    dtype = kinds[0].numpy
    value = zero_of(dtype) if operator.value is None else operator.value

    def call(data: Array) -> Array | None:
        if not 0 < data.nbytes <= MOST_BYTES:
            return None
        begin, end = clamped_band(operator.begin, operator.end, *data.shape[-2:])
        out = np.empty(data.shape, dtype)
        _core.fill_diagonals(out, data, value, begin, end, operator.inverted)
        return out

    return Shortcut(call, True)


def _resizing(operator: Resizing, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[tuple[int, ...], tuple[int, ...]] = {}

    def call(data: Array) -> Array | None:
        sizes = kept.get(data.shape)
        if sizes is None:
            sizes = operator.infer([TensorType("uint8", data.shape)])[0].shape
            keep(kept, data.shape, sizes)
        return reshaped(data, sizes)

    return Shortcut(call, False)


def _sizes_of(operator: ops.ShapeOf | ops.SizeOf, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[tuple[int, ...], Array] = {}

    def call(data: Array) -> Array:
        found = kept.get(data.shape)
        if found is None:
            (found,) = operator.fold([TensorType("uint8", data.shape)])
            keep(kept, data.shape, found)
        return found

    return Shortcut(call, False)


def _transpose(operator: ops.Transpose, kinds: Sequence[TensorType]) -> Shortcut:
    ndim = len(operator.perm or ()) or (None if kinds[0].sizes is None else len(kinds[0].sizes))
    if ndim is None:
        return Shortcut(lambda data: data.transpose(operator.order(data.ndim)), False)
    return Shortcut(_core.Transposing(list(operator.order(ndim))), False)


def _identity(operator: ops.Identity, kinds: Sequence[TensorType]) -> Shortcut:
    return Shortcut(lambda data: data, False)


def _constant(operator: Constant, kinds: Sequence[TensorType]) -> Shortcut:
    return Shortcut(lambda: operator.value, False)


def _concat(operator: ops.Concat, kinds: Sequence[TensorType]) -> Shortcut | None:
    if any(kind.dtype != kinds[0].dtype for kind in kinds):
        return None

    def call(*arrays: Array) -> Array | None:
        if sum([array.nbytes for array in arrays]) > MOST_BYTES:
            return None
        made = np.concatenate(arrays, operator.axis)
        return made if made.flags.c_contiguous else made.copy()  # NumPy keeps another order of all of them

    return Shortcut(call, True)


def _split(operator: ops.Split, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[tuple[int, int], list[tuple[slice, ...]]] = {}

    def call(data: Array) -> tuple[Array, ...]:
        size, axis = data.shape[operator.axis], operator.axis
        along = axis + data.ndim if axis < 0 else axis
        found = kept.get((along, size))
        if found is None:
            found = cuts(along, [int(part or 0) for part in operator.part_sizes(size)])
            keep(kept, (along, size), found)
        return tuple([data[cut] for cut in found])

    return Shortcut(call, False)


def _slice_known(operator: ops.Slice, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[tuple[int, ...], tuple[slice, ...]] = {}

    def call(data: Array) -> Array:
        found = kept.get(data.shape)
        if found is None:
            parts: list[slice] = [slice(None)] * data.ndim
            for axis, start, size, step in operator.ranges(data.shape):
                parts[axis] = positions(start, int(size or 0), step)
            found = tuple(parts)
            keep(kept, data.shape, found)
        return data[found] if found else data

    return Shortcut(call, False)


def _expand_known(operator: ops.Expand, kinds: Sequence[TensorType]) -> Shortcut | None:
    if operator.alignment not in (Alignment.TWO_WAY, Alignment.ONE_WAY):
        return None
    width = kinds[0].numpy.itemsize

    def call(data: Array) -> Array | None:
        (kind,) = operator.infer([TensorType("uint8", data.shape)])
        if kind.nbytes * width > MOST_BYTES:
            return None
        out = np.empty(kind.shape, data.dtype)
        out[...] = data
        return out

    return Shortcut(call, True)


def _tile_known(operator: ops.Tile, kinds: Sequence[TensorType]) -> Shortcut | None:
    if operator.axis is not None or operator.lengths is not Lengths.EXACT:
        return None
    return Shortcut(lambda data: tiled(data, operator.repeats), True)


def _rearrange(operator: Rearrangement, kinds: Sequence[TensorType]) -> Shortcut:
    def call(data: Array) -> Array | None:
        if data.nbytes > MOST_BYTES:
            return None
        (kind,) = operator.infer([TensorType("uint8", data.shape)])
        pieces, order = operator.cuts(data.shape)
        view = data.reshape(pieces).transpose(order)
        out = np.empty(view.shape, data.dtype)
        out[...] = view
        return out.reshape(kind.shape)

    return Shortcut(call, True)


def _reverse(operator: ops.Reverse, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[int, tuple[slice, ...]] = {}

    def call(data: Array) -> Array:
        found = kept.get(data.ndim)
        if found is None:
            turned = operator.reversed_axes(data.ndim)
            found = tuple(slice(None, None, -1 if axis in turned else 1) for axis in range(data.ndim))
            keep(kept, data.ndim, found)
        return data[found]

    return Shortcut(call, False)


def _roll(operator: ops.Roll, kinds: Sequence[TensorType]) -> Shortcut:
    def call(data: Array) -> Array | None:
        if data.nbytes > MOST_BYTES:
            return None
        out = data.copy()
        for axis, turn in operator.turns(data.shape):
            around = (slice(None),) * axis
            first, last = (*around, slice(turn)), (*around, slice(turn, None))
            turned = np.empty(data.shape, data.dtype)
            turned[first], turned[last] = out[(*around, slice(-turn, None))], out[(*around, slice(-turn))]
            out = turned
        return out

    return Shortcut(call, True)


def _eye_like(operator: ops.EyeLike, kinds: Sequence[TensorType]) -> Shortcut:
    dtype, k = operator.infer([kinds[0].with_sizes((None, None))])[0].numpy, operator.k

    def call(data: Array) -> Array | None:
        return eye(data.shape, dtype, k) if data.ndim == 2 else None

    return Shortcut(call, True)


def _pad_known(operator: ops.Pad, kinds: Sequence[TensorType]) -> Shortcut | None:
    if operator.mode is not ops.PadMode.CONSTANT or min((*operator.begins, *operator.ends), default=0) < 0:
        return None
    dtype = kinds[0].numpy
    value = None if operator.value is None else typed_as("value", operator.value, dtype)

    def call(data: Array) -> Array | None:
        pads = operator.pads(data.ndim)
        sizes = [begin + size + end for size, (begin, end) in zip(data.shape, pads, strict=True)]
        if math.prod(sizes) * dtype.itemsize > MOST_BYTES:
            return None
        if value is None:
            out = np.zeros(sizes, dtype)
        else:
            out = np.empty(sizes, dtype)
            _core.fill(out, value)
        out[tuple([slice(begin, begin + size) for size, (begin, _) in zip(data.shape, pads, strict=True)])] = data
        return out

    return Shortcut(call, True)


KNOWN: Mapping[type[Operator], Callable[[Any, Sequence[TensorType]], Shortcut | None]] = {
    **COMPUTED,
    **INDEXED,
    ops.Concat: _concat,
    Constant: _constant,
    ops.DepthToSpace: _rearrange,
    ops.Expand: _expand_known,
    ops.EyeLike: _eye_like,
    ops.Flatten: _resizing,
    ops.Identity: _identity,
    ops.Pad: _pad_known,
    ops.Reshape: _resizing,
    ops.Reverse: _reverse,
    ops.Roll: _roll,
    ops.ShapeOf: _sizes_of,
    ops.SizeOf: _sizes_of,
    ops.ShuffleChannels: _rearrange,
    ops.Slice: _slice_known,
    ops.SpaceToDepth: _rearrange,
    ops.Split: _split,
    ops.Squeeze: _resizing,
    ops.Tile: _tile_known,
    ops.Transpose: _transpose,
    ops.Trilu: _trilu,
    ops.Unsqueeze: _resizing,
}
"""What finds the shortcut of an operator, whose inputs have these types."""
