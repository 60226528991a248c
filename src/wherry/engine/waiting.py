"""Shortcuts of operators some of whose fields are inputs: `fields` are the known ones, `at` the positions of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from wherry import _core, dtypes, ops
from wherry.engine.indexed import Fields, Places, one_hot
from wherry.engine.shortcut import MOST_BYTES, Shortcut, bytes_of, cuts, eye, positions, tiled
from wherry.moves.move import ELEMENT_NUMBER, Array
from wherry.ops.constant import Constant
from wherry.ops.expand import Alignment
from wherry.ops.fill import constant_of_shape
from wherry.ops.nonzero import nonzero_bits
from wherry.ops.operator import Operator
from wherry.ops.range import count as count_range
from wherry.ops.reshape import Undetermined, Zero
from wherry.ops.slice import clamped, slice_of_version_10
from wherry.ops.split import split_by_sizes
from wherry.ops.tile import Lengths
from wherry.tensors import TensorType, is_integer


def _reshape(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds):
        return None
    copies = fields.get("zero", Zero.COPY) == Zero.COPY
    refuses = fields.get("undetermined", Undetermined.REFUSE) == Undetermined.REFUSE
    return Shortcut(_core.Reshaping(at["shape"], copies, refuses), False)


def _permute(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or set(at) != {"perm"}:
        return None
    place = at["perm"]

    def call(*arrays: Array) -> Array | None:
        data, order = arrays[0], arrays[place].tolist()
        return data.transpose(order) if order and min(order) >= 0 else None  # NumPy counts some from the end

    return Shortcut(call, False)


def _squeeze(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or set(at) != {"axes"}:
        return None
    place = at["axes"]

    def call(*arrays: Array) -> Array | None:
        data, axes = arrays[0], arrays[place].tolist()
        return data.squeeze(tuple(axes)) if axes else None  # NumPy refuses what a rule might allow

    return Shortcut(call, False)


def _unsqueeze(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds):
        return None
    place = at["axes"]

    def call(*arrays: Array) -> Array | None:
        data, given = arrays[0], arrays[place].tolist()
        ndim = data.ndim + len(given)
        axes = {axis + ndim if axis < 0 else axis for axis in given}
        if len(axes) < len(given) or not all(0 <= axis < ndim for axis in axes):
            return None
        own = iter(data.shape)
        return data.reshape([1 if axis in axes else next(own) for axis in range(ndim)])

    return Shortcut(call, False)


def _slice(fields: Fields, at: Places, kinds: Sequence[TensorType], *, from_front: bool = False) -> Shortcut | None:
    names = ("starts", "ends", "axes", "steps")
    if not _are_integers(at, kinds) or not {*fields, *at} <= set(names):
        return None
    starts, ends, axes, steps = [_entries(at.get(name), fields.get(name)) for name in names]
    if starts is None or ends is None:
        return None
    return Shortcut(_core.Slicing(starts, ends, axes, steps, from_front), False)


def _strided_slice(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or any(fields["new_axis_mask"]) or any(fields["ellipsis_mask"]):
        return None
    begins, ends, strides = [_reader(at.get(name), fields.get(name)) for name in ("begin", "end", "strides")]
    masks = [fields[name] for name in ("begin_mask", "end_mask", "shrink_axis_mask")]
    if begins is None or ends is None:
        return None

    def call(*arrays: Array) -> Array | None:
        data, firsts, lasts = arrays[0], begins(arrays), ends(arrays)
        count, sizes = len(firsts), data.shape
        steps = [1] * count if strides is None else strides(arrays)
        if not count == len(lasts) == len(steps) or count > len(sizes) or 0 in steps:
            return None
        parts: list[Any] = []
        bits = zip(*[_filled(mask, count) for mask in masks], strict=True)
        entries = zip(firsts, lasts, steps, sizes, bits)  # noqa: B905  # axes after the last entry stay whole
        for start, end, step, size, (from_end, to_end, shrinks) in entries:
            if shrinks:
                position = 0 if from_end else start + size if start < 0 else start
                if not 0 <= position < size:
                    return None
                parts.append(position)
                continue
            first = (0 if step > 0 else size) if from_end else start
            last = (size if step > 0 else -size - 1) if to_end else end
            found, length = clamped(first, last, step, size)
            assert isinstance(length, int)
            parts.append(positions(found, length, step))
        found_part = data[tuple(parts)]
        return found_part if isinstance(found_part, np.ndarray) else None

    return Shortcut(call, False)


def _filled(mask: Sequence[int], count: int) -> Sequence[int]:
    """Return the bits of a mask, which is shorter where the others are 0."""
    if len(mask) > count and any(mask[count:]):
        raise ValueError
    return (*mask, *(0,) * (count - len(mask)))


def _entries(place: int | None, known: Any) -> int | list[int] | None:
    """Return the position of the input that a field is, or its entries; None for a field that is left out."""
    if place is not None or known is None:
        return place
    entries = np.asarray(known.value if isinstance(known, Constant) else known).tolist()
    return [max(-(2**63), min(entry, 2**63 - 1)) for entry in entries]


def _reader(place: int | None, known: Any) -> Callable[[Sequence[Array]], list[int]] | None:
    """Return what reads the entries of a field: those of an input, or known ones; None for a field that is left out."""
    if place is not None:
        return lambda arrays: arrays[place].tolist()
    if known is None:
        return None
    entries = np.asarray(known.value if isinstance(known, Constant) else known).tolist()
    return lambda arrays: entries


_ALL = slice(None)


def _slice_scatter(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    part = _slice(fields, at, kinds)
    if part is None or kinds[1].numpy != kinds[0].numpy:
        return None

    def call(*arrays: Array) -> Array | None:
        data, updates, *others = arrays
        if data.nbytes > MOST_BYTES:
            return None
        out = data.copy()
        replaced = part.call(out, updates, *others)
        if replaced is None or replaced.shape != updates.shape:
            return None
        replaced[...] = updates
        return out

    return Shortcut(call, True)


_MOST_LINES = 64


def _reverse_sequence(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    batch_axes, time_axis = fields.get("batch_axes", (1,)), fields.get("time_axis", 0)
    if set(at) != {"lengths"} or not _are_integers(at, kinds) or batch_axes is None or len(batch_axes) != 1:
        return None
    place, batch_axis = at["lengths"], batch_axes[0]

    def call(*arrays: Array) -> Array | None:
        data, lengths, ndim = arrays[1 - place], arrays[place].tolist(), arrays[1 - place].ndim
        if not (-ndim <= time_axis < ndim and -ndim <= batch_axis < ndim) or data.nbytes > MOST_BYTES:
            return None
        lines, time = batch_axis % ndim, time_axis % ndim
        is_fitting = type(lengths) is list and len(lengths) == data.shape[lines] <= _MOST_LINES and lines != time
        if not is_fitting or any(not 0 <= length <= data.shape[time] for length in lengths):
            return None
        order = [lines, time, *(axis for axis in range(ndim) if axis not in (lines, time))]
        out = data.copy()
        source, target = data.transpose(order), out.transpose(order)
        for line, length in enumerate(lengths):
            if length > 1:
                target[line, :length] = source[line, length - 1 :: -1]
        return out

    return Shortcut(call, True)


def _slice_from_front(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    return _slice(fields, at, kinds, from_front=True)


def _expand(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    alignment = fields.get("alignment", Alignment.TWO_WAY)
    if not _are_integers(at, kinds) or "shape" not in at or alignment not in (Alignment.TWO_WAY, Alignment.ONE_WAY):
        return None
    return Shortcut(_core.Expanding(at["shape"], alignment == Alignment.TWO_WAY), True)


def _tile(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or fields.get("axis") is not None or set(at) != {"repeats"}:
        return None
    place, pads = at["repeats"], fields.get("lengths", Lengths.EXACT) == Lengths.PAD

    def call(*arrays: Array) -> Array | None:
        data, repeats = arrays[0], arrays[place].tolist()
        missing = data.ndim - len(repeats)
        if pads and missing:
            repeats = [1] * missing + repeats
            data = data.reshape((1,) * -missing + data.shape)
        return tiled(data, repeats)

    return Shortcut(call, True)


def _split_by(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    axis = fields.get("axis")
    if not _are_integers(at, kinds) or set(at) != {"sizes"} or set(fields) != {"axis"} or type(axis) is not int:
        return None
    place = at["sizes"]

    def call(*arrays: Array) -> tuple[Array, ...] | None:
        data, sizes = arrays[0], arrays[place].tolist()
        if not -data.ndim <= axis < data.ndim or min(sizes, default=0) < 0 or sum(sizes) != data.shape[axis]:
            return None
        return tuple([data[cut] for cut in cuts(axis % data.ndim, sizes)])

    return Shortcut(call, False)


def _fill(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or set(at) != {"sizes"}:
        return None
    place = at["sizes"]
    value = fields["value"].value if isinstance(fields["value"], Constant) else np.asarray(fields["value"])
    dtype, is_zero = value.dtype, not any(value.tobytes())

    def call(*arrays: Array) -> Array | None:
        sizes = arrays[place].tolist()
        if bytes_of(sizes, dtype.itemsize) > MOST_BYTES:
            return None
        if is_zero:
            return np.zeros(sizes, dtype)
        out = np.empty(sizes, dtype)
        _core.fill(out, value)
        return out

    return Shortcut(call, True)


def _range(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    names = ("start", "limit", "delta")
    if not kinds:
        return None
    dtype = kinds[0].numpy
    row = dtypes.of(dtype)
    if set(at) != set(names) or any(kind.numpy != dtype for kind in kinds) or row is None:
        return None
    is_exact = row.is_integer and row.bits >= 8
    if fields and not (is_exact and set(fields) == {"dtype"} and dtypes.find(fields["dtype"]) is row):
        return None  # sums of integers are products, whatever they are computed in
    if dtype not in ELEMENT_NUMBER or not (is_exact or row.name in ("float32", "float64")):
        return None
    return Shortcut(_core.Ranging(at["start"], at["limit"], at["delta"], ELEMENT_NUMBER[dtype]), True)


def _nonzero(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if set(at) != {"data"} or set(fields) - {"dtype", "scalar"}:
        return None
    dtype = np.dtype(np.int64) if "dtype" not in fields else dtypes.find(fields["dtype"]).numpy
    bits = nonzero_bits(kinds[0].numpy)
    if bits is None:
        return None
    return Shortcut(_core.FindingNonZero(bits, dtype), True)


def _eye(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds):
        return None
    dtype = dtypes.find(fields["dtype"]).numpy
    rows, columns, diagonal, batch = [_reader(at.get(n), fields.get(n)) for n in ("rows", "columns", "k", "batch")]
    if rows is None or columns is None or diagonal is None:
        return None

    def call(*arrays: Array) -> Array | None:
        height, width, k = [
            each[0] if isinstance(each, list) else each for each in (rows(arrays), columns(arrays), diagonal(arrays))
        ]
        return eye((*(batch(arrays) if batch else ()), height, width), dtype, k)

    return Shortcut(call, True)


def _compress(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if set(at) != {"condition"} or kinds[at["condition"]].numpy != np.dtype(bool):
        return None
    return Shortcut(_core.Compressing(at["condition"], fields.get("axis")), True)


def _unique(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if set(at) != {"data"}:
        return None
    ndim = 1 if kinds[0].sizes is None else len(kinds[0].sizes)
    make = ops.Unique(np.empty((0,) * ndim, kinds[0].numpy), **fields).maker()

    def call(data: Array) -> tuple[Array, ...] | None:
        return make(data) if data.size <= MOST_BYTES // 32 else None

    return Shortcut(call, True)


def _are_integers(at: Places, kinds: Sequence[TensorType]) -> bool:
    """Whether the inputs that are fields hold integers, as fields of sizes and axes must."""
    return all(is_integer(kinds[place].dtype) for place in at.values())


WAITING: Mapping[Callable[..., Operator], Callable[[Fields, Places, Sequence[TensorType]], Shortcut | None]] = {
    ops.Compress: _compress,
    ops.Eye.eye: _eye,
    ops.Expand: _expand,
    ops.NonZero: _nonzero,
    ops.OneHot: one_hot,
    ops.Range: _range,
    ops.Reshape: _reshape,
    ops.ReverseSequence: _reverse_sequence,
    ops.Slice: _slice,
    ops.SliceScatter: _slice_scatter,
    ops.Split: _split_by,
    ops.Squeeze: _squeeze,
    ops.StridedSlice: _strided_slice,
    ops.Tile: _tile,
    ops.Transpose: _permute,
    ops.Unique: _unique,
    ops.Unsqueeze: _unsqueeze,
    constant_of_shape: _fill,
    count_range: _range,
    slice_of_version_10: _slice_from_front,
    split_by_sizes: _split_by,
    ops.Fill: _fill,
}
"""What finds the shortcut of a Deferred by what builds its operator."""
