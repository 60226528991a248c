"""Rewrites of operators on sizes that are known only at run: the sizes are then tensors, which only move as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.layout import LIMIT
from wherry.moves import OutOfRange
from wherry.ops import (
    Compress,
    Concat,
    Expand,
    Eye,
    EyeLike,
    Flatten,
    Gather,
    LongerCondition,
    NonZero,
    Pad,
    PadMode,
    Reshape,
    ShapeOf,
    Slice,
    Split,
    Tile,
    Trilu,
    Where,
    Zero,
)
from wherry.ops.values import zero_of
from wherry.rewrite.builder import NodeBuilder, Rewrite

_INT64 = dtypes.find("int64")
_MOST_DIAGONALS = 2**16
"""The most diagonals beside the main one that a band may begin or end at where the sizes are not known."""
_MOST_COPIES = 8
"""The most copies of data that are laid side by side for one element each."""


def _line(builder: NodeBuilder, name: str) -> str:
    """Return the elements of a tensor as one axis."""
    return builder.add(Reshape((-1,), Zero.LITERAL), name)


def _size(builder: NodeBuilder, name: str, axis: int) -> str:
    """Return the size of an axis, which counts from the front, as a vector of one."""
    return builder.add(ShapeOf(axis, axis + 1), name)


def _repeated(builder: NodeBuilder, value: np.ndarray, sizes: str) -> str:
    """Return one element in the sizes that a vector tells."""
    return builder.add(Deferred(Expand, (), (("shape", 1),)), builder.constant(np.array(value)), sizes)


def _reshaped(builder: NodeBuilder, name: str, sizes: str) -> str:
    fields = (("zero", Zero.LITERAL), ("undetermined", "one"))  # there is no -1 among the sizes
    return builder.add(Deferred(Reshape, fields, (("shape", 1),)), name, sizes)


def _up_to(builder: NodeBuilder, name: str, axis: int, end: str) -> str:
    """Return the positions of an axis before the one that a vector of one tells."""
    fields = (("starts", (0,)), ("axes", (axis,)), ("steps", (1,)))
    return builder.add(Deferred(Slice, fields, (("ends", 1),)), name, end)


def _eye_of_sizes(builder: NodeBuilder) -> str | None:
    operator: EyeLike = builder.operator
    (data,) = builder.inputs
    if builder.type(data).ndim != 2:
        return None
    fields = (("k", operator.k), ("dtype", operator.dtype or builder.type(data).row))
    made = Deferred(Eye.eye, fields, (("rows", 0), ("columns", 1)), makes=Eye)
    return builder.add(made, _size(builder, data, 0), _size(builder, data, 1))


def _band_on_zeros(builder: NodeBuilder) -> str:
    operator: Eye = builder.operator
    zeros = builder.add(Expand(operator.sizes), builder.constant(zero_of(operator.value.dtype), "zero"))
    return builder.add(Trilu(operator.value, operator.begin, operator.end, operator.inverted), zeros)


def _is_filled(operator: Trilu, diagonal: int) -> bool:
    above = operator.begin is None or diagonal >= operator.begin
    below = operator.end is None or diagonal < operator.end
    return (above and below) != operator.inverted


def _band_of_sizes(builder: NodeBuilder) -> str | None:
    """Choose by a mask whose rows are one line of diagonals, each row turned by one position.

    The line has diagonals 0, 1 .. columns, then -rows .. -1. Laid down as many times as there are rows, and cut into
    rows that are shorter by one, each row begins one position earlier in it.
    """
    operator: Trilu = builder.operator
    (data,) = builder.inputs
    ndim = builder.type(data).ndim
    near = [abs(limit) for limit in (operator.begin, operator.end) if limit is not None]
    if ndim is None or max(near, default=0) > _MOST_DIAGONALS:
        return None
    count = max(near, default=0) + 1
    rows, columns = _size(builder, data, ndim - 2), _size(builder, data, ndim - 1)
    above, below = (np.array([_is_filled(operator, n) for n in span]) for span in (range(count), range(-count, 0)))
    right = builder.add(Concat(0), builder.constant(above, "above"), _repeated(builder, above[-1], columns))
    left = builder.add(Concat(0), _repeated(builder, below[0], rows), builder.constant(below, "below"))
    if count > 1:
        right = builder.add(Slice((0,), (1 - count,), (0,), (1,)), right)
    left = builder.add(Slice((count,), (LIMIT,), (0,), (1,)), left)
    line = builder.add(Concat(0), right, left)
    one = builder.constant(np.ones(1, np.int64), "one")
    lines = builder.add(Deferred(Expand, (), (("shape", 1),)), line, builder.add(Concat(0), rows, one))
    shorter = _size(builder, builder.add(Slice((1,), (LIMIT,), (0,), (1,)), line), 0)
    parts = builder.add(Concat(0), builder.constant(-np.ones(1, np.int64), "rest"), rows)
    kept, _ = builder.add_all(Deferred(Split, (("axis", 0),), (("sizes", 1),), 2), _line(builder, lines), parts)
    turned = _reshaped(builder, kept, builder.add(Concat(0), rows, shorter))
    mask = _up_to(builder, turned, 1, columns)
    value = zero_of(builder.type(data).numpy) if operator.value is None else operator.value
    return builder.add(Where(), mask, builder.constant(np.array(value), "fill"), data)


def _picked(builder: NodeBuilder) -> str | None:
    """Gather the positions where the condition is true; what is longer than the axis is cut off where it is ignored."""
    node, data = builder.known, builder.inputs[0]
    axis, waits = node.field("axis"), isinstance(builder.operator, Deferred)
    if waits and [name for name, _ in builder.operator.from_inputs] != ["condition"]:
        return None
    condition = builder.inputs[1] if waits else builder.constant(np.array(builder.operator.condition), "condition")
    if axis is None:
        data, axis = _line(builder, data), 0
    sizes, (length,) = builder.type(data).sizes, builder.type(condition).sizes or (None,)
    if sizes is None:
        return None
    axis = normalized_axis(axis, len(sizes))
    size = sizes[axis]
    if not (isinstance(size, int) and isinstance(length, int) and length <= size):
        if node.field("longer") != LongerCondition.IGNORE:
            return None
        condition = _up_to(builder, condition, 0, _size(builder, data, axis))
    places = _line(builder, builder.add(Deferred(NonZero, (("dtype", _INT64),), (("data", 0),)), condition))
    for rule in OutOfRange:
        found = builder.try_add(Gather(axis, 0, rule), data, places)
        if found is not None:
            return found
    return None


def _flat_by_counts(builder: NodeBuilder) -> str | None:
    """Reshape to the numbers of elements before and behind the axis; one byte in these sizes tells how many."""
    (data,) = builder.inputs
    ndim = builder.type(data).ndim
    if ndim is None:
        return None
    axis = builder.operator.axis + (ndim if builder.operator.axis < 0 else 0)
    counts = []
    for start, end in ((0, axis), (axis, ndim)):
        if start == end:
            counts.append(builder.constant(np.ones(1, np.int64), "one"))
        elif end - start == 1:
            counts.append(_size(builder, data, start))
        else:
            whole = _repeated(builder, np.zeros((), np.uint8), builder.add(ShapeOf(start, end), data))
            counts.append(builder.add(ShapeOf(), _line(builder, whole)))
    return _reshaped(builder, data, builder.add(Concat(0), *counts))


def _wrapped(builder: NodeBuilder) -> str | None:
    """Lay the last positions before data, and the first ones behind it, from as many copies as may be needed."""
    operator: Pad = builder.operator
    name = builder.inputs[0]
    ndim = builder.type(name).ndim
    if operator.mode is not PadMode.WRAP or ndim is None:
        return None
    pads = operator.pads(ndim)
    if any(not 0 <= count <= _MOST_COPIES for pair in pads for count in pair):
        return None
    for axis, (begin, end) in enumerate(pads):
        before = [_cut(builder, name, ndim, axis, begin, (-1, begin))[1]] if begin else []
        behind = [_cut(builder, name, ndim, axis, end, (end, -1))[0]] if end else []
        if before or behind:
            name = builder.add(Concat(axis), *before, name, *behind)
    return name


def _cut(builder: NodeBuilder, name: str, ndim: int, axis: int, copies: int, sizes: tuple[int, int]) -> Sequence[str]:
    if copies > 1:
        name = builder.add(Tile(tuple(copies if number == axis else 1 for number in range(ndim))), name)
    return builder.add_all(Split(axis, sizes=sizes), name)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((EyeLike,), "the number of axes is known", "Eye of the sizes that ShapeOf tells",
            "OpenVINO Eye takes tensors", _eye_of_sizes),
    Rewrite((Eye,), "always", "Expand of a zero, Trilu", "a band on zeros", _band_on_zeros),
    Rewrite((Trilu,), "the number of axes is known", "Where with a mask whose rows are one line of diagonals, "
            "turned: Expand, Concat, Reshape, Split, Slice", "the mask depends on column - row only", _band_of_sizes,
            ),
    Rewrite((Compress,), "the condition is known to fit the axis, or its rest is ignored",
            "NonZero of the condition, Gather", "a condition names positions", _picked, deferred=True),
    Rewrite((Flatten,), "the number of axes is known", "Reshape to the sizes that ShapeOf tells",
            "numbers of elements are sizes of a Reshape to one axis", _flat_by_counts),
    Rewrite((Pad,), "mode wrap, pads of 0 to 8", "Tile, Split, Concat", "what leaves at one end comes in at the other",
            _wrapped),
)  # fmt: skip
"""The rows for sizes that are known only at run, tried after those for known ones."""
