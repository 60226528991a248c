"""Rewrites of gathers, scatters and other operators with indices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.dtypes import DType
from wherry.graph import Deferred
from wherry.moves import Negative, OutOfRange, OutOfRangeWrite
from wherry.ops import (
    Cast,
    Concat,
    Expand,
    FloatToInteger,
    FractionalIndex,
    Gather,
    GatherElements,
    GatherND,
    IntegerOverflow,
    OffAxis,
    OneHot,
    Pad,
    Reshape,
    ScatterND,
    ScatterUpdate,
    ShapeOf,
    Slice,
    SliceScatter,
    Split,
    Squeeze,
    Transpose,
    Unsqueeze,
    Where,
    Window,
)
from wherry.ops.conversion import integer_range
from wherry.ops.reshape import Zero
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.known import INDEXED

Array = NDArray[Any]

_UINT8 = dtypes.find("uint8")
_INDEX_TYPES = tuple(dtypes.find(name) for name in ("int64", "int32", "uint32", "uint64"))


def _range_of(row: DType, value: Array | None) -> tuple[int, int]:
    if value is None:
        return integer_range(row)
    return (int(value.min()), int(value.max())) if value.size else (0, 0)


def _other_index_type(builder: NodeBuilder) -> str | None:
    """Try each index type that holds all that the indices can be."""
    place = 0 if isinstance(builder.operator, OneHot) else 1
    if len(builder.inputs) <= place:
        return None
    indices = builder.inputs[place]
    row, value = builder.type(indices).row, builder.value(indices)
    if row is None or not row.is_integer:
        return None
    low, high = _range_of(row, value)
    for to in _INDEX_TYPES:
        least, most = integer_range(to)
        if to == row or low < least or high > most:
            continue
        other = (
            builder.try_add(Cast(to), indices) if value is None else builder.constant(value.astype(to.numpy), "indices")
        )
        if other is None:
            continue
        result = builder.try_add(builder.operator, *builder.inputs[:place], other, *builder.inputs[place + 1 :])
        if result is not None:
            return result
    return None


def _from_the_front(builder: NodeBuilder) -> str | None:
    """Count constant negative indices from the front, so that no rule about them is left."""
    sizes = builder.known.positions()
    indices = builder.known.indices_value
    if sizes is None or indices is None or builder.operator.negative is Negative.INVALID:
        return None
    if not builder.known.indices_are(Negative.FROM_END):
        return None
    wide = indices.astype(np.int64)
    front = np.where(wide < 0, wide + sizes, wide).reshape(indices.shape)
    name = builder.constant(front, "indices")
    return builder.add(
        replace(builder.operator, negative=Negative.INVALID), builder.inputs[0], name, *builder.inputs[2:]
    )


def _by_table(builder: NodeBuilder) -> str | None:
    """Map every index of the type to its position, by a constant table; zero lies after the end."""
    operator: Gather | GatherElements = builder.operator
    data, indices = builder.inputs
    row, sizes = builder.type(indices).row, builder.type(data).sizes
    if row is None or not row.is_integer or row.bits > 16 or sizes is None:
        return None
    axis = normalized_axis(operator.axis, len(sizes))
    size = sizes[axis]
    if not isinstance(size, int) or not size:
        return None
    low, _ = integer_range(row)
    table = builder.constant(np.roll(_meant_by(operator, row, size), low), "table")  # that of -1 comes last
    places = _looked_up(builder, table, builder.add(Cast(dtypes.find("int64")), indices))
    if operator.out_of_range is OutOfRange.ZERO:
        data = _one_zero_behind(builder, [axis], len(sizes))
    rules = [OutOfRange.RAISE] if operator.out_of_range is OutOfRange.RAISE else list(OutOfRange)
    for rule, negative in product(rules, Negative):
        found = builder.try_add(replace(operator, out_of_range=rule, negative=negative), data, places)
        if found is not None:
            return found
    return None


def _looked_up(builder: NodeBuilder, table: str, places: str) -> str:
    """Gather from a table that has an entry for each index, so that no rule about others matters."""
    for rule in OutOfRange:
        found = builder.try_add(Gather(0, 0, rule), table, places)
        if found is not None:
            return found
    raise StuckError


def _meant_by(operator: Gather | GatherElements, row: DType, size: int) -> Array:
    """Return the position that each index of a type means, from the least on; zero is position `size`."""
    low, high = integer_range(row)
    every = np.arange(low, high + 1)
    means = np.where((every < 0) & (operator.negative is Negative.FROM_END), every + size, every)
    if operator.out_of_range is OutOfRange.WRAP:
        return means % size
    if operator.out_of_range is OutOfRange.CLAMP:
        return np.clip(means, 0, size - 1)
    refused = -size - 1 if operator.out_of_range is OutOfRange.RAISE else size
    return np.where((means < 0) | (means >= size), refused, means)


def _one_zero_behind(builder: NodeBuilder, axes: Sequence[int], ndim: int) -> str:
    """Return data with one position of zeros behind some axes."""
    ends = tuple(int(number in axes) for number in range(ndim))
    return builder.add(Pad((0,) * ndim, ends), builder.inputs[0])


def _zero_behind(builder: NodeBuilder) -> str | None:
    """Put one zero behind each axis, where a clamped index from outside then finds it.

    No index may count from the end: one below zero becomes the greatest of all in the unsigned type.
    """
    operator: Gather | GatherElements | GatherND = builder.operator
    data, indices = builder.inputs
    row, sizes, picked = builder.type(indices).row, builder.type(data).sizes, builder.type(indices).sizes
    if operator.out_of_range is not OutOfRange.ZERO or row is None or sizes is None or picked is None:
        return None
    if row.kind == "int" and operator.negative is Negative.INVALID:
        indices = builder.add(Cast(dtypes.find(f"u{row}"), integer_overflow=IntegerOverflow.WRAP), indices)
    elif row.kind != "uint":
        return None
    if isinstance(operator, GatherND):
        length = picked[-1]
        axes = range(operator.batch_dims, operator.batch_dims + length) if isinstance(length, int) else range(0)
    else:
        axis = normalized_axis(operator.axis, len(sizes))
        axes = range(axis, axis + 1)
    if not axes:
        return None
    padded = _one_zero_behind(builder, axes, len(sizes))
    return builder.add(replace(operator, out_of_range=OutOfRange.CLAMP), padded, indices)


def _batched_elements(builder: NodeBuilder) -> str | None:
    operator: Gather = builder.operator
    data, indices = (builder.type(name).sizes for name in builder.inputs)
    if data is None or indices is None:
        return None
    axis, batch_dims = operator.resolve(len(data), len(indices))
    if not batch_dims or not axis == batch_dims == len(data) - 1 == len(indices) - 1:
        return None
    return builder.add(GatherElements(axis, operator.out_of_range, operator.negative), *builder.inputs)


def _batched_tuples(builder: NodeBuilder) -> str | None:
    """Bring the axis behind the batch axes, gather tuples of one index, and bring the axes between back."""
    operator: Gather = builder.operator
    data, indices = (builder.type(name).sizes for name in builder.inputs)
    if data is None or indices is None:
        return None
    axis, batch_dims = operator.resolve(len(data), len(indices))
    if not batch_dims:
        return None
    taken, picked = builder.inputs[0], len(indices) - batch_dims
    if axis > batch_dims:
        order = [*range(batch_dims), axis, *range(batch_dims, axis), *range(axis + 1, len(data))]
        taken = builder.add(Transpose(tuple(order)), taken)
    tuples = builder.add(Unsqueeze((len(indices),)), builder.inputs[1])
    result = builder.add(GatherND(batch_dims, operator.out_of_range, operator.negative), taken, tuples)
    if axis == batch_dims:
        return result
    between = axis - batch_dims
    first, middle = batch_dims + picked, list(range(batch_dims, batch_dims + picked))
    rest = range(first + between, first + between + len(data) - axis - 1)
    return builder.add(Transpose((*range(batch_dims), *range(first, first + between), *middle, *rest)), result)


def _cut_to_indices(builder: NodeBuilder) -> str | None:
    """Split off the part of data that has the sizes of the indices beside the axis.

    It is no Slice: OpenVINO takes one before GatherElements out, and then misses it.
    """
    operator: GatherElements = builder.operator
    data, indices = builder.inputs
    sizes, picked = builder.type(data).sizes, builder.type(indices).sizes
    if operator.off_axis is OffAxis.EQUAL or sizes is None or picked is None:
        return None
    axis, rest = normalized_axis(operator.axis, len(sizes)), np.array([-1])
    for number, (size, count) in enumerate(zip(sizes, picked, strict=True)):
        if number == axis or (isinstance(size, int) and size == count):
            continue
        if isinstance(count, int):
            data, _ = builder.add_all(Split(number, sizes=(count, -1)), data)
        else:
            parts = builder.add(
                Concat(0), builder.add(ShapeOf(number, number + 1), indices), builder.constant(rest, "rest")
            )
            data, _ = builder.add_all(Deferred(Split, (("axis", number),), (("sizes", 1),), 2), data, parts)
    return builder.add(replace(operator, off_axis=OffAxis.EQUAL), data, indices)


def _elements_as_batched(builder: NodeBuilder) -> str | None:
    """Bring the axis to the end and gather along it, all others being batch axes."""
    operator: GatherElements = builder.operator
    ndim = builder.type(builder.inputs[0]).ndim
    if operator.off_axis is not OffAxis.EQUAL or ndim is None:
        return None
    axis = normalized_axis(operator.axis, ndim)
    order = (*range(axis), *range(axis + 1, ndim), axis)
    back = (*range(axis), ndim - 1, *range(axis, ndim - 1))
    names = (
        builder.inputs if axis == ndim - 1 else tuple(builder.add(Transpose(order), name) for name in builder.inputs)
    )
    found = builder.add(Gather(ndim - 1, ndim - 1, operator.out_of_range, operator.negative), *names)
    return found if axis == ndim - 1 else builder.add(Transpose(back), found)


def _tuples_of_one(builder: NodeBuilder) -> str | None:
    """Tuples of one index are indices along the first axis behind the batch axes."""
    operator: GatherND = builder.operator
    data, indices = builder.inputs
    picked = builder.type(indices).sizes
    if operator.merge_batch or picked is None or picked[-1] != 1:
        return None
    batch_dims, places = operator.batch_dims, builder.add(Squeeze((len(picked) - 1,)), indices)
    return builder.add(Gather(batch_dims, batch_dims, operator.out_of_range, operator.negative), data, places)


def _merge_after(builder: NodeBuilder) -> str | None:
    operator: GatherND = builder.operator
    if not operator.merge_batch:
        return None
    plain = builder.add(replace(operator, merge_batch=False), *builder.inputs)
    return builder.add(Reshape(builder.shape(builder.node.outputs[0]), Zero.LITERAL), plain)


def _scatter_tuples(builder: NodeBuilder) -> str | None:
    """Bring the axis to the front, scatter tuples of one index, and bring it back."""
    operator: ScatterUpdate = builder.operator
    if operator.window is not Window.NONE or operator.batch_dims:
        return None
    data, indices, updates = builder.inputs
    sizes, picked = builder.type(data).sizes, builder.type(indices).ndim
    if sizes is None or picked is None:
        return None
    axis = normalized_axis(operator.axis, len(sizes))
    tuples = builder.add(Unsqueeze((picked,)), indices)
    rules = {name: getattr(operator, name) for name in _SCATTER_RULES}
    if axis == 0:
        return builder.add(ScatterND(**rules), data, tuples, updates)
    count = len(sizes) - 1 + picked
    front = (axis, *range(axis), *range(axis + 1, len(sizes)))
    moved = builder.add(Transpose((*range(axis, axis + picked), *range(axis), *range(axis + picked, count))), updates)
    scattered = builder.add(ScatterND(**rules), builder.add(Transpose(front), data), tuples, moved)
    return builder.add(Transpose((*range(1, axis + 1), 0, *range(axis + 1, len(sizes)))), scattered)


_SCATTER_RULES = ("reduction", "use_init_val", "nan", "out_of_range", "negative", "duplicates")


def _at_the_start(builder: NodeBuilder) -> str | None:
    """A window at position 0: updates, then the rest of data."""
    operator: ScatterUpdate = builder.operator
    if len(builder.inputs) != 2:
        return None
    data, updates = builder.inputs
    ndim = builder.type(data).ndim
    if ndim is None:
        return None
    axis = normalized_axis(operator.axis, ndim)
    if builder.type(data).is_known and builder.type(updates).is_known:
        size = builder.shape(updates)[axis]
        rest = builder.add(Slice((size,), (builder.shape(data)[axis],), (axis,), (1,)), data)
    else:
        parts = builder.add(
            Concat(0), builder.add(ShapeOf(axis, axis + 1), updates), builder.constant(np.array([-1]), "rest")
        )
        _, rest = builder.add_all(Deferred(Split, (("axis", axis),), (("sizes", 1),), 2), data, parts)
    return builder.add(Concat(axis), updates, rest)


def _windows(builder: NodeBuilder) -> str | None:
    """Look up the positions of each window in a constant table, and scatter tuples of them.

    The table has a row for each first position that is allowed. Indices are unsigned, so that none counts from its end.
    """
    operator: ScatterUpdate = builder.operator
    if len(builder.inputs) < 3 or operator.out_of_range is not OutOfRangeWrite.RAISE:
        return None
    data, indices, updates = builder.inputs
    sizes, length = builder.shape(data), builder.shape(updates)
    batch = operator.batch_dims
    axis = normalized_axis(operator.axis, len(sizes))
    most, count = sizes[axis], length[axis]
    if operator.window is not Window.LINEAR or not math.prod(length) or builder.value(indices) is not None:
        return None
    builder.check_places(most - count + 1, count)
    builder.check_places(*sizes[:batch], count, batch)
    table = np.arange(most - count + 1)[:, None] + np.arange(count)
    row = builder.type(indices).row
    unsigned = indices if row is not None and row.kind == "uint" else builder.add(Cast(dtypes.find("uint64")), indices)
    tuples = builder.add(Unsqueeze((batch,)), unsigned)
    places = builder.add(GatherND(0), builder.constant(table, "table"), tuples)
    coordinates = np.stack(np.meshgrid(*map(np.arange, (*sizes[:batch], count)), indexing="ij"), -1)[..., :batch]
    pairs = builder.add(Unsqueeze((batch + 1,)), places)
    if batch:
        pairs = builder.add(Concat(batch + 1), builder.constant(coordinates.astype(np.int64), "batch"), pairs)
    order = (*range(batch), axis, *range(batch, axis), *range(axis + 1, len(sizes)))
    back = (*range(batch), *range(batch + 1, axis + 1), batch, *range(axis + 1, len(sizes)))
    rules = {name: getattr(operator, name) for name in _SCATTER_RULES if name != "negative"}
    moved = [name if axis == batch else builder.add(Transpose(order), name) for name in (data, updates)]
    scattered = builder.add(ScatterND(**rules), moved[0], pairs, moved[1])
    return scattered if axis == batch else builder.add(Transpose(back), scattered)


def _slice_as_tuples(builder: NodeBuilder) -> str | None:
    """Write updates at the constant coordinates of the slice."""
    operator: SliceScatter = builder.operator
    sizes = builder.shape()
    builder.check_places(*builder.shape(builder.inputs[1]), len(sizes))
    along = [np.arange(size) for size in sizes]
    for axis, start, size, step in operator.slice.ranges(sizes):
        along[axis] = start + np.arange(int(size or 0)) * step
    coordinates = np.stack(np.meshgrid(*along, indexing="ij"), -1) if sizes else np.zeros((0,))
    if not sizes or not coordinates.size:
        return None
    return builder.add(
        ScatterND(), builder.inputs[0], builder.constant(coordinates.astype(np.int64), "indices"), builder.inputs[1]
    )


def _where_as_gather(builder: NodeBuilder) -> str | None:
    """Lay y and x over each other and take the layer that the condition, as a number, names."""
    sizes = builder.shape(builder.node.outputs[0])
    names = []
    for name in builder.inputs:
        whole = name if builder.shape(name) == sizes else builder.add(Expand(sizes), name)
        names.append(builder.add(Reshape((1, *sizes), Zero.LITERAL), whole))
    if builder.type(names[0]).row == _UINT8:
        table = builder.constant(np.minimum(np.arange(256), 1).astype(np.int32), "table")
        number = _looked_up(builder, table, builder.add(Cast(dtypes.find("int64")), names[0]))
    else:
        number = builder.add(Cast(dtypes.find("int32")), names[0])
    both = builder.add(Concat(0), names[2], names[1])
    taken = builder.try_add(GatherElements(0), both, number)
    if taken is None:
        taken = builder.add(GatherElements(0, OutOfRange.CLAMP), both, number)
    return builder.add(Reshape(sizes, Zero.LITERAL), taken)


def _where_by_bool(builder: NodeBuilder) -> str | None:
    """Every value but 0 is true, as a Cast to bool has it."""
    if builder.type(builder.inputs[0]).row != _UINT8:
        return None
    return builder.add(Where(), builder.add(Cast(dtypes.find("bool")), builder.inputs[0]), *builder.inputs[1:])


def _one_hot_whole(builder: NodeBuilder) -> str | None:
    """Cast indices that are floats; those that no integer holds become the least one, which is no position."""
    row = builder.type(builder.inputs[0]).row
    if row is None or row.kind != "float" or builder.known.field("fractional") != FractionalIndex.TRUNCATE:
        return None
    for rule in (FloatToInteger.INDEFINITE, FloatToInteger.SATURATE):
        whole = builder.try_add(Cast(dtypes.find("int64"), float_to_integer=rule), builder.inputs[0])
        found = None if whole is None else builder.try_add(builder.operator, whole, *builder.inputs[1:])
        if found is not None:
            return found
    return None


def _one_hot_new_axis(builder: NodeBuilder) -> str | None:
    operator: OneHot = builder.operator
    if not operator.keep_axis:
        return None
    axis = normalized_axis(operator.axis, len(builder.shape()))
    indices = builder.add(Squeeze((axis,)), builder.inputs[0])
    return builder.add(replace(operator, keep_axis=False, axis=axis), indices, *builder.inputs[1:])


def _one_hot_kept_axis(builder: NodeBuilder) -> str | None:
    operator: OneHot = builder.operator
    if operator.keep_axis:
        return None
    axis = normalized_axis(operator.axis, len(builder.shape()) + 1)
    indices = builder.add(Unsqueeze((axis,)), builder.inputs[0])
    return builder.add(replace(operator, keep_axis=True, axis=axis), indices, *builder.inputs[1:])


def _one_hot_constant(builder: NodeBuilder) -> str | None:
    """The rows of a constant matrix of off and on; indices outside take a last row of off."""
    operator: OneHot = builder.operator
    both, row = [builder.value(name) for name in builder.inputs[1:]], builder.type(builder.inputs[0]).row
    known = [value.reshape(-1) for value in both if value is not None]
    if len(known) < len(both) or row is None or row.kind != "uint" or operator.keep_axis:
        return None
    values = np.concatenate(known)
    builder.check_places(operator.depth + 1, operator.depth)
    places = np.zeros((operator.depth + 1, operator.depth), np.int64)
    np.fill_diagonal(places, 1)
    matrix = values[places]
    ndim = len(builder.shape())
    axis = normalized_axis(operator.axis, ndim + 1)
    rows = builder.add(Gather(0, 0, OutOfRange.CLAMP), builder.constant(matrix, "rows"), builder.inputs[0])
    if axis == ndim:
        return rows
    return builder.add(Transpose((*range(axis), ndim, *range(axis, ndim))), rows)


def _one_hot_chosen(builder: NodeBuilder) -> str | None:
    """Mark the positions by 0 and 1, and choose between off and on there."""
    places = builder.known.moved[1:]
    if len(places) != 2 or all(builder.value(builder.inputs[number]) is not None for number in places):
        return None
    inputs = list(builder.inputs)
    for mark, number in enumerate(places):
        inputs[number] = builder.constant(np.array(mark, np.int64), "mark")
    mask = builder.add(Cast(dtypes.find("bool")), builder.add(builder.operator, *inputs))
    off, on = (
        name if builder.type(name).sizes == () else builder.add(Reshape((), Zero.LITERAL), name)
        for name in (builder.inputs[number] for number in places)
    )
    return builder.add(Where(), mask, on, off)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Gather, GatherElements, GatherND), "out_of_range is zero, negative indices are invalid, or there are none",
            "Pad by one zero at the end of each axis, Cast of signed indices to unsigned, the same that clamps",
            "DirectML clamps; the last position is zero", _zero_behind, is_direct=True),
    Rewrite((*INDEXED, OneHot), "the target does not take the element type of the indices",
            "Cast to int64, int32, uint32 or uint64, whichever holds every index", "indices have few types in ONNX and "
            "DirectML", _other_index_type),
    Rewrite(INDEXED, "indices are constants, some of them negative, all inside their axes",
            "the same with constants counted from the front", "then no rule about negative indices is left",
            _from_the_front),
    Rewrite((Gather, GatherElements), "indices have 8 or 16 bits, the size of the axis is known",
            "Gather from a constant table of what each index means, then the same without bad indices "
            "(zero: Pad first)",
            "all values of the indices are known beforehand", _by_table),
    Rewrite((Gather,), "batch_dims is all axes of data and indices but the last", "GatherElements",
            "each line of indices picks from its line of data", _batched_elements),
    Rewrite((Gather,), "batch_dims is not 0", "Transpose, Unsqueeze of indices, GatherND with batch_dims, Transpose",
            "ONNX and DirectML have batch axes in GatherND only", _batched_tuples),
    Rewrite((GatherElements,), "indices may have fewer positions than data beside the axis", "Split of data, the same",
            "OpenVINO and old DirectML want equal sizes", _cut_to_indices),
    Rewrite((GatherND,), "tuples have one index", "Squeeze of indices, Gather with batch_dims",
            "OpenVINO has a rule for bad indices in Gather only", _tuples_of_one, is_direct=True),
    Rewrite((GatherElements,), "the sizes beside the axis are equal", "Transpose, Gather with batch_dims, Transpose",
            "OpenVINO has a rule for bad indices in Gather only", _elements_as_batched, is_direct=True),
    Rewrite((GatherND,), "merge_batch, sizes are known", "GatherND, Reshape", "only GatherND-5 merges batch axes",
            _merge_after),
    Rewrite((ScatterUpdate,), "no window, no batch axes", "Transpose, Unsqueeze of indices, ScatterND, Transpose",
            "slices along one axis are rows of ScatterND", _scatter_tuples),
    Rewrite((ScatterUpdate,), "a window without indices", "Slice or Split, Concat", "it begins at position 0",
            _at_the_start),
    Rewrite((ScatterUpdate,), "linear windows, sizes are known", "GatherND of positions from a constant table, Concat, "
            "ScatterND", "an index names the positions of its window", _windows),
    Rewrite((SliceScatter,), "sizes are known", "ScatterND at constant coordinates", "a slice names its elements",
            _slice_as_tuples),
    Rewrite((OneHot,), "indices are floats", "Cast to int64, OneHot", "OpenVINO takes integers", _one_hot_whole,
            deferred=True),
    Rewrite((OneHot,), "indices have the axis already", "Squeeze, OneHot", "ONNX and OpenVINO add the axis",
            _one_hot_new_axis),
    Rewrite((OneHot,), "indices lack the axis", "Unsqueeze, OneHot", "DirectML ONE_HOT wants the axis",
            _one_hot_kept_axis),
    Rewrite((OneHot,), "indices are unsigned, off and on are constants", "Gather of constant rows that clamps",
            "the last row is off everywhere", _one_hot_constant),
    Rewrite((OneHot,), "off and on are computed", "OneHot of 0 and 1, Cast to bool, Where",
            "OpenVINO's CPU plugin takes them as constants", _one_hot_chosen, deferred=True),
    Rewrite((Where,), "the condition is uint8", "Cast to bool, Where", "only DirectML chooses by numbers",
            _where_by_bool),
    Rewrite((Where,), "sizes are known", "Expand, Concat of y and x, GatherElements by the condition as a number",
            "a condition is an index of 0 or 1", _where_as_gather),
)  # fmt: skip
"""The rows for operators with indices, tried in this order."""
