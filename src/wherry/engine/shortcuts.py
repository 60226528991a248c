"""Shortcuts: operators on small arrays by NumPy and the core, without a plan; for sizes that change at every run.

A shortcut takes the arrays of a node in the order of its inputs, and returns its output, or a tuple of several; None
where the planner is to decide. It refuses by any error, of which nothing is said: the planner refuses the same, and
says why. What it makes has the bits that the operator's moves make; it is a new array in row-major order where `makes`
says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from wherry import _core, dtypes, ops
from wherry.engine.computed import COMPUTED, elementwise
from wherry.engine.indexed import INDEXED
from wherry.engine.shortcut import MOST_BYTES, Call, Shortcut, applied, keep
from wherry.graph import Deferred, Node
from wherry.moves.move import ELEMENT_NUMBER, Array
from wherry.ops.constant import Constant
from wherry.ops.diagonals import clamped as clamped_band
from wherry.ops.element import typed_as
from wherry.ops.elementwise import Elementwise
from wherry.ops.expand import Alignment
from wherry.ops.fill import constant_of_shape
from wherry.ops.nonzero import nonzero_bits
from wherry.ops.operator import Operator
from wherry.ops.range import count as count_range
from wherry.ops.reshape import Resizing, Undetermined, Zero
from wherry.ops.slice import clamped, slice_of_version_10
from wherry.ops.split import split_by_sizes
from wherry.ops.tile import Lengths
from wherry.ops.values import zero_of
from wherry.tensors import TensorType, is_integer

_MOST_VALUE_BYTES = 256

Types = Mapping[str, TensorType]


def shortcut_of(node: Node, types: Types) -> Shortcut:
    """Return the shortest way of a node whose tensors have these element types."""
    operator, kinds = node.operator, [types[name] for name in node.inputs]
    if not isinstance(operator, Deferred):
        return _shortcut_of(operator, kinds, len(node.outputs))
    return own_shortcut(operator, kinds) or Shortcut(_resolved(operator, kinds, len(node.outputs)), True)


def call_shortcut(operator: Operator | Deferred, kinds: Sequence[TensorType], subject: str) -> Shortcut:
    """Return the shortest way of an operator that is called by itself, as `subject`; see `own_shortcut`."""
    if not isinstance(operator, Deferred):
        return _shortcut_of(operator, kinds, 1, subject)
    return own_shortcut(operator, kinds) or Shortcut(_resolved(operator, kinds, 1, subject), True)


def own_shortcut(operator: Operator | Deferred, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the shortcut of an operator on such element types; None where it has none that is shorter than a plan.

    That of a Deferred takes all inputs of its node.
    """
    if isinstance(operator, Deferred):
        waiting = _DEFERRED.get(operator.build)
        return None if waiting is None else waiting(dict(operator.fields), dict(operator.from_inputs), kinds)
    find: Any = elementwise if isinstance(operator, Elementwise) else _STATIC.get(type(operator))
    return None if find is None else find(operator, kinds)


def _shortcut_of(operator: Operator, kinds: Sequence[TensorType], outputs: int, subject: str = "") -> Shortcut:
    return own_shortcut(operator, kinds) or Shortcut(applied(operator, outputs, subject), True)


def _resolved(operator: Deferred, kinds: Sequence[TensorType], outputs: int, subject: str = "") -> Call:
    """Return the way of an operator that is known only with the values of some inputs; those of few bytes are kept."""
    positions = [position for _, position in operator.from_inputs]
    moved = [position for position in range(len(kinds)) if position not in positions]
    moved_kinds = [kinds[position] for position in moved]
    kept: dict[object, Shortcut] = {}

    def call(*arrays: Array) -> Any:
        values = [arrays[position] for position in positions]
        is_small = sum([value.nbytes for value in values]) <= _MOST_VALUE_BYTES
        key = tuple([(value.shape, value.tobytes()) for value in values]) if is_small else None
        found = kept.get(key)
        if found is None:
            now = operator.resolve(dict(zip(positions, values, strict=True)))
            found = _shortcut_of(now, moved_kinds, outputs, subject)
            if is_small:
                keep(kept, key, found)
        made = found.call(*[arrays[position] for position in moved])
        return made if found.makes else _as_new(made)

    return call


def _as_new(made: Array | tuple[Array, ...] | None) -> Any:
    """Return copies of views: what one call makes must not depend on how its operator turned out."""
    if isinstance(made, tuple):
        return tuple(array.copy() for array in made)
    return None if made is None else made.copy()


# Operators whose fields are known.


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
        return _reshaped(data, sizes)

    return Shortcut(call, False)


def _reshaped(data: Array, sizes: Sequence[int]) -> Array | None:
    """Return data with other sizes; None where much would be copied."""
    if data.nbytes > MOST_BYTES and not data.flags.c_contiguous:
        return None
    return data.reshape(sizes)


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
        cuts = kept.get((along, size))
        if cuts is None:
            cuts = _cuts(along, [int(part or 0) for part in operator.part_sizes(size)])
            keep(kept, (along, size), cuts)
        return tuple([data[cut] for cut in cuts])

    return Shortcut(call, False)


def _cuts(axis: int, sizes: Sequence[int]) -> list[tuple[slice, ...]]:
    return [(slice(None),) * axis + (slice(a, b),) for a, b in pairwise([0, *accumulate(sizes)])]


def _slice_known(operator: ops.Slice, kinds: Sequence[TensorType]) -> Shortcut:
    kept: dict[tuple[int, ...], tuple[slice, ...]] = {}

    def call(data: Array) -> Array:
        found = kept.get(data.shape)
        if found is None:
            parts: list[slice] = [slice(None)] * data.ndim
            for axis, start, size, step in operator.ranges(data.shape):
                parts[axis] = _positions(start, int(size or 0), step)
            found = tuple(parts)
            keep(kept, data.shape, found)
        return data[found] if found else data

    return Shortcut(call, False)


def _positions(start: int, count: int, step: int) -> slice:
    """Return the slice of `count` positions from `start` on, all of which are there."""
    if count == 0:
        return slice(0, 0)
    end = start + (count - 1) * step + (1 if step > 0 else -1)
    return slice(start, None if end < 0 else end, step)


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
    return Shortcut(lambda data: _tiled(data, operator.repeats), True)


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


# Operators some of whose fields are inputs: `fields` are the known ones, `at` the positions of the others.

Fields = Mapping[str, Any]
Places = Mapping[str, int]


def _reshape(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds):
        return None
    place = at["shape"]
    copies = fields.get("zero", Zero.COPY) == Zero.COPY
    refuses = fields.get("undetermined", Undetermined.REFUSE) == Undetermined.REFUSE

    def call(*arrays: Array) -> Array | None:
        data, sizes = arrays[0], arrays[place].tolist()
        if copies and 0 in sizes:
            sizes = [data.shape[axis] if size == 0 else size for axis, size in enumerate(sizes)]
        if min(sizes, default=0) < 0 and (min(sizes) < -1 or (data.size == 0 and (0 in sizes or not refuses))):
            return None  # NumPy takes any negative number for what remains
        return _reshaped(data, sizes)

    return Shortcut(call, False)


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
    starts, ends, axes, steps = [_reader(at.get(name), fields.get(name)) for name in names]
    if starts is None or ends is None:
        return None

    def call(*arrays: Array) -> Array | None:
        data, firsts, lasts = arrays[0], starts(arrays), ends(arrays)
        sizes, count = data.shape, len(firsts)
        along = range(count) if axes is None else axes(arrays)
        by = [1] * count if steps is None else steps(arrays)
        ndim = len(sizes)
        if not count == len(lasts) == len(along) == len(by):
            return None
        parts: list[Any] = [None] * ndim
        for start, end, axis, step in zip(firsts, lasts, along, by):  # noqa: B905  # a tenth of a call
            if not -ndim <= axis < ndim or parts[axis] is not None or step == 0 or (from_front and axis < 0):
                return None
            first, size = clamped(start, end, step, sizes[axis])
            assert isinstance(size, int)
            parts[axis] = slice(first, first + size) if step == 1 else _positions(first, size, step)
        return data[tuple([_ALL if part is None else part for part in parts])] if ndim else data

    return Shortcut(call, False)


def _reader(place: int | None, known: Any) -> Callable[[Sequence[Array]], list[int]] | None:
    """Return what reads the entries of a field: those of an input, or known ones; None for a field that is left out."""
    if place is not None:
        return lambda arrays: arrays[place].tolist()
    if known is None:
        return None
    entries = np.asarray(known.value if isinstance(known, Constant) else known).tolist()
    return lambda arrays: entries


_ALL = slice(None)


def _slice_from_front(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    return _slice(fields, at, kinds, from_front=True)


def _expand(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    alignment = fields.get("alignment", Alignment.TWO_WAY)
    if not _are_integers(at, kinds) or "shape" not in at or alignment not in (Alignment.TWO_WAY, Alignment.ONE_WAY):
        return None
    place, two_way = at["shape"], alignment == Alignment.TWO_WAY

    def call(*arrays: Array) -> Array | None:
        data, sizes = arrays[0], arrays[place].tolist()
        own = data.shape
        if two_way:
            missing = len(own) - len(sizes)
            if missing > 0:
                sizes = [1] * missing + sizes
            if 1 in sizes:
                first = len(sizes) - len(own)
                sizes = [own[n - first] if size == 1 and n >= first else size for n, size in enumerate(sizes)]
        if len(own) > len(sizes) or _nbytes(sizes, data.itemsize) > MOST_BYTES:
            return None
        out = np.empty(sizes, data.dtype)
        out[...] = data
        return out

    return Shortcut(call, True)


def _nbytes(sizes: Sequence[int], width: int) -> int:
    """Return the bytes of an array; refuse negative sizes, and those of which one makes the others' product vain."""
    count = width
    for size in sizes:
        if not 0 <= size <= MOST_BYTES:
            raise ValueError
        count *= size
    return count


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
        return _tiled(data, repeats)

    return Shortcut(call, True)


def _tiled(data: Array, repeats: Sequence[int]) -> Array | None:
    """Return data as often on each axis as that says; None where there are too many axes, or much to copy."""
    if len(repeats) != data.ndim or data.ndim > 16 or _nbytes(repeats, data.nbytes) > MOST_BYTES:
        return None
    out = np.empty([size for pair in zip(repeats, data.shape, strict=True) for size in pair], data.dtype)
    out[...] = data.reshape([size for own in data.shape for size in (1, own)])
    return out.reshape([size * count for size, count in zip(data.shape, repeats, strict=True)])


def _split_by(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    axis = fields.get("axis")
    if not _are_integers(at, kinds) or set(at) != {"sizes"} or set(fields) != {"axis"} or type(axis) is not int:
        return None
    place = at["sizes"]

    def call(*arrays: Array) -> tuple[Array, ...] | None:
        data, sizes = arrays[0], arrays[place].tolist()
        if not -data.ndim <= axis < data.ndim or min(sizes, default=0) < 0 or sum(sizes) != data.shape[axis]:
            return None
        return tuple([data[cut] for cut in _cuts(axis % data.ndim, sizes)])

    return Shortcut(call, False)


def _fill(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if not _are_integers(at, kinds) or set(at) != {"sizes"}:
        return None
    place = at["sizes"]
    value = fields["value"].value if isinstance(fields["value"], Constant) else np.asarray(fields["value"])
    dtype, is_zero = value.dtype, not any(value.tobytes())

    def call(*arrays: Array) -> Array | None:
        sizes = arrays[place].tolist()
        if _nbytes(sizes, dtype.itemsize) > MOST_BYTES:
            return None
        if is_zero:
            return np.zeros(sizes, dtype)
        out = np.empty(sizes, dtype)
        _core.fill(out, value)
        return out

    return Shortcut(call, True)


def _range(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    names = ("start", "limit", "delta")
    dtype = kinds[0].numpy if kinds else None
    row = None if dtype is None else dtypes.of(dtype)
    if set(at) != set(names) or any(kind.numpy != dtype for kind in kinds) or row is None:
        return None
    is_exact = row.is_integer and row.bits >= 8
    if fields and not (is_exact and set(fields) == {"dtype"} and dtypes.find(fields["dtype"]) is row):
        return None  # sums of integers are products, whatever they are computed in
    if dtype not in ELEMENT_NUMBER or not (is_exact or row.name in ("float32", "float64")):
        return None
    element, places = ELEMENT_NUMBER[dtype], [at[name] for name in names]

    def call(*arrays: Array) -> Array | None:
        start, limit, delta = [arrays[place] for place in places]
        first, last, step = start.item(), limit.item(), delta.item()
        if is_exact:
            count = -((first - last) // step)
        elif abs(first) < _FAR and abs(last) < _FAR and 1 / _FAR < abs(step) < _FAR:  # so that nothing overflows
            count = math.ceil(float(dtype.type(last - first)) / step)
        else:
            return None
        if count * dtype.itemsize > MOST_BYTES:
            return None
        out = np.empty(max(count, 0), dtype)
        _core.range(out, start.tobytes(), delta.tobytes(), element)
        return out

    return Shortcut(call, True)


_FAR = 1e30


def _nonzero(fields: Fields, at: Places, kinds: Sequence[TensorType]) -> Shortcut | None:
    if set(at) != {"data"} or set(fields) - {"dtype", "scalar"}:
        return None
    dtype = np.dtype(np.int64) if "dtype" not in fields else dtypes.find(fields["dtype"]).numpy
    bits = nonzero_bits(kinds[0].numpy)
    if bits is None:
        return None
    most = MOST_BYTES // dtype.itemsize

    def call(data: Array) -> Array | None:
        found, ndim = _core.NonZero(data, bits), data.ndim
        count = found.count
        if ndim == 0 or count * ndim > most:
            return None
        out = np.empty((ndim, count), dtype)
        found.coordinates(out)
        return out

    return Shortcut(call, True)


def _are_integers(at: Places, kinds: Sequence[TensorType]) -> bool:
    """Whether the inputs that are fields hold integers, as fields of sizes and axes must."""
    return all(is_integer(kinds[place].dtype) for place in at.values())


_STATIC: Mapping[type[Operator], Callable[[Any, Sequence[TensorType]], Shortcut | None]] = {
    **COMPUTED,
    **INDEXED,
    ops.Concat: _concat,
    Constant: _constant,
    ops.Expand: _expand_known,
    ops.Flatten: _resizing,
    ops.Identity: _identity,
    ops.Pad: _pad_known,
    ops.Reshape: _resizing,
    ops.ShapeOf: _sizes_of,
    ops.SizeOf: _sizes_of,
    ops.Slice: _slice_known,
    ops.Split: _split,
    ops.Squeeze: _resizing,
    ops.Tile: _tile_known,
    ops.Transpose: _transpose,
    ops.Trilu: _trilu,
    ops.Unsqueeze: _resizing,
}

_DEFERRED: Mapping[Callable[..., Operator], Callable[[Fields, Places, Sequence[TensorType]], Shortcut | None]] = {
    ops.Expand: _expand,
    ops.NonZero: _nonzero,
    ops.Range: _range,
    ops.Reshape: _reshape,
    ops.Slice: _slice,
    ops.Split: _split_by,
    ops.Squeeze: _squeeze,
    ops.Tile: _tile,
    ops.Transpose: _permute,
    ops.Unsqueeze: _unsqueeze,
    constant_of_shape: _fill,
    count_range: _range,
    slice_of_version_10: _slice_from_front,
    split_by_sizes: _split_by,
    ops.Fill: _fill,
}
