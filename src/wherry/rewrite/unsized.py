"""Rewrites for sizes known only at run: sizes become tensors that are moved and computed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from wherry import dtypes
from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.layout import LIMIT
from wherry.moves import Negative, OutOfRange
from wherry.ops import (
    Beyond,
    Binary,
    BinaryFunction,
    Compress,
    Concat,
    Expand,
    Extreme,
    ExtremeFunction,
    Eye,
    EyeLike,
    Flatten,
    Gather,
    LongerCondition,
    MixedSigns,
    NonZero,
    OtherSizes,
    Pad,
    PadMode,
    Quotient,
    Range,
    Remainder,
    Reshape,
    ShapeOf,
    Slice,
    Split,
    Squeeze,
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
_MOST_SLICES = 16
"""The most positions that are cut out one by one."""


def _line(builder: NodeBuilder, name: str) -> str:
    """Return the elements of a tensor as one axis."""
    return builder.add(Reshape((-1,), Zero.LITERAL), name)


def _size(builder: NodeBuilder, name: str, axis: int) -> str:
    """Return the size of an axis, which counts from the front, as a vector of one."""
    return builder.add(ShapeOf(axis, axis + 1), name)


def _repeated(builder: NodeBuilder, value: np.ndarray, sizes: str) -> str:
    """Return one element broadcast to the sizes in a vector."""
    return builder.add(Deferred(Expand, (), (("shape", 1),)), builder.constant(np.array(value)), sizes)


def _reshaped(builder: NodeBuilder, name: str, sizes: str) -> str:
    fields = (("zero", Zero.LITERAL), ("undetermined", "one"))  # there is no -1 among the sizes
    return builder.add(Deferred(Reshape, fields, (("shape", 1),)), name, sizes)


def _sizes_of(builder: NodeBuilder, name: str, axes: Sequence[int]) -> list[str]:
    """Return vectors that hold the sizes of some axes in their order, those that are known as constants."""
    sizes = builder.type(name).sizes or ()
    found = []
    for is_known, run in groupby(axes, lambda axis: isinstance(sizes[axis], int)):
        if is_known:
            found.append(builder.constant(np.array([sizes[axis] for axis in run], np.int64), "sizes"))
        else:
            found += [_size(builder, name, axis) for axis in run]
    return found


def _reshaped_to(builder: NodeBuilder, name: str, sizes: Sequence[str]) -> str:
    """Return a tensor in the sizes that some vectors tell, end to end."""
    if not sizes:
        return builder.add(Reshape((), Zero.LITERAL), name)
    return _reshaped(builder, name, sizes[0] if len(sizes) == 1 else builder.add(Concat(0), *sizes))


def _up_to(builder: NodeBuilder, name: str, axis: int, end: str) -> str:
    """Return the positions of an axis before that in a vector of one element."""
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


def _squeezed_to_sizes(builder: NodeBuilder) -> str | None:
    """Reshape to the sizes of the other axes: no size fits but 1 in place of those that go, unless one is 0."""
    operator: Squeeze = builder.operator
    (name,) = builder.inputs
    ndim = builder.type(name).ndim
    if ndim is None or not operator.axes or operator.other_sizes is not OtherSizes.REFUSE:
        return None
    listed = [normalized_axis(axis, ndim) for axis in operator.axes]
    if len(set(listed)) < len(listed):
        return None
    return _reshaped_to(builder, name, _sizes_of(builder, name, [axis for axis in range(ndim) if axis not in listed]))


def _sliced_out(builder: NodeBuilder) -> str | None:
    """Cut out each position, and reshape to as many as there are indices: a bad index leaves one too few."""
    operator: Gather = builder.operator
    data, indices = builder.inputs
    value, sizes = builder.value(indices), builder.type(data).sizes
    if value is None or sizes is None or not 0 < value.size <= _MOST_SLICES:
        return None
    counts_from_end = operator.negative is Negative.FROM_END or bool((value >= 0).all())
    if operator.out_of_range is not OutOfRange.RAISE or operator.batch_dims or not counts_from_end:
        return None
    axis = normalized_axis(operator.axis, len(sizes))
    if isinstance(sizes[axis], int):
        return None
    ends = [(at, min(at + 1, LIMIT) or LIMIT) for at in value.reshape(-1).tolist()]
    parts = [builder.add(Slice((at,), (end,), (axis,), (1,)), data) for at, end in ends]
    joined = parts[0] if len(parts) == 1 else builder.add(Concat(axis), *parts)
    own = [builder.constant(np.array(value.shape, np.int64), "sizes")] if value.ndim else []
    before, behind = range(axis), range(axis + 1, len(sizes))
    return _reshaped_to(builder, joined, [*_sizes_of(builder, data, before), *own, *_sizes_of(builder, data, behind)])


def _padded_by_places(builder: NodeBuilder) -> str | None:
    """Gather along each axis by positions computed from its size."""
    operator: Pad = builder.operator
    name = builder.inputs[0]
    ndim, mode = builder.type(name).ndim, operator.mode
    once = mode in (PadMode.REFLECT, PadMode.SYMMETRIC) and operator.beyond is Beyond.REFUSE
    if mode is PadMode.CONSTANT or ndim is None or once or builder.known.is_known:
        return None
    for axis, (begin, end) in enumerate(operator.pads(ndim)):
        if begin or end:
            found = _gathered(builder, name, axis, _places(builder, name, axis, (begin, end)))
            if found is None:
                return None
            name = found
    return name


def _gathered(builder: NodeBuilder, name: str, axis: int, places: str) -> str | None:
    """Gather by indices inside the axis, with any rule for others."""
    for rule in OutOfRange:
        found = builder.try_add(Gather(axis, 0, rule), name, places)
        if found is not None:
            return found
    return None


def _places(builder: NodeBuilder, name: str, axis: int, pads: tuple[int, int]) -> str:
    """Return which position of an axis each position of a padded one shows; `Pad._frame` has the same for a number."""
    operator: Pad = builder.operator
    begin, end = pads
    cuts_first = operator.mixed_signs is MixedSigns.CROP_FIRST
    before, behind = (max(0, -begin), max(0, -end)) if cuts_first else (0, 0)
    start = -begin - before
    size = _size(builder, name, axis)
    count = _plus(builder, size, -before - behind)
    limit = builder.add(Reshape((), Zero.LITERAL), _plus(builder, size, begin + end + start))
    fields = [("start", 0), ("limit", 1), ("delta", 2)]
    numbers = [builder.constant(np.array(number), "number") for number in (start, 1)]
    seen = builder.add(Deferred(Range, (), tuple(fields), makes=Range), numbers[0], limit, numbers[1])
    return _plus(builder, _folded(builder, operator.mode, seen, count), before)


def _folded(builder: NodeBuilder, mode: PadMode, seen: str, count: str) -> str:
    """Return the element of data that a mode shows at each position of its frame, given the number of elements."""
    if mode is PadMode.EDGE:
        last = _plus(builder, count, -1)
        return _extreme(builder, "minimum", _extreme(builder, "maximum", seen, _number(builder, 0)), last)
    turns = 1 if mode is PadMode.WRAP else 2
    period = count if turns == 1 else builder.add(Binary(BinaryFunction.ADD), count, count)
    period = _plus(builder, period, -2 if mode is PadMode.REFLECT else 0)
    period = _extreme(builder, "maximum", period, _number(builder, 1))
    forth = builder.add(Remainder(Quotient.FLOOR), seen, period)
    if mode is PadMode.WRAP:
        return forth
    last = period if mode is PadMode.REFLECT else _plus(builder, period, -1)
    return _extreme(builder, "minimum", forth, builder.add(Binary(BinaryFunction.SUBTRACT), last, forth))


def _number(builder: NodeBuilder, number: int) -> str:
    return builder.constant(np.array([number], np.int64), "number")


def _plus(builder: NodeBuilder, name: str, number: int) -> str:
    return builder.add(Binary(BinaryFunction.ADD), name, _number(builder, number)) if number else name


def _extreme(builder: NodeBuilder, function: str, first: str, other: str) -> str:
    return builder.add(Extreme(ExtremeFunction(function)), first, other)


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
    Rewrite((Pad,), "any mode but constant, mirrors may fold, the number of axes is known",
            "for each axis Gather by places that are computed from its size: ShapeOf, Range, FloorMod, Minimum",
            "each position shows one of data", _padded_by_places),
    Rewrite((Squeeze,), "axes are listed, the number of axes is known", "Reshape to the sizes of the other axes",
            "only the sizes change; sizes other than 1 do not fit", _squeezed_to_sizes),
    Rewrite((Gather,), "up to 16 indices that are constants, a bad one is refused",
            "Slice for each, Concat, Reshape to as many", "a bad index leaves one position too few for the Reshape",
            _sliced_out),
)  # fmt: skip
"""The rows for sizes that are known only at run, tried after those for known ones."""
