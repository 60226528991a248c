"""Rewrites of operators that make or convert values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.engine.call import apply
from wherry.graph import Deferred
from wherry.layout import LIMIT
from wherry.moves import OutOfRange
from wherry.ops import (
    ArgExtreme,
    Cast,
    Col2Im,
    Expand,
    Eye,
    EyeLike,
    Fill,
    Gather,
    Identity,
    NonZero,
    Range,
    Reshape,
    ScalarCoordinates,
    ShapeOf,
    SizeOf,
    Slice,
    Squeeze,
    Trilu,
    Unique,
    Unsqueeze,
    Where,
    Zero,
)
from wherry.ops.conversion import integer_range
from wherry.ops.values import zero_of
from wherry.rewrite.builder import NodeBuilder, Rewrite, StuckError
from wherry.rewrite.known import changed

_INT64, _INT32 = dtypes.find("int64"), dtypes.find("int32")
_MOST_MADE = 2**20
"""The most elements that an operator without inputs is replaced by as a constant."""


def _expanded(builder: NodeBuilder) -> str:
    """Repeat a constant of one element."""
    operator: Fill = builder.operator
    return builder.add(Expand(operator.sizes), builder.constant(operator.value.reshape((1,) * len(operator.sizes))))


def _made(builder: NodeBuilder) -> str | None:
    """Compute an operator that reads no values now."""
    (kind,) = builder.known.outputs
    if not kind.is_known or int(np.prod(kind.shape, dtype=object)) > _MOST_MADE:
        return None
    inputs = [np.zeros(builder.shape(name), builder.type(name).numpy) for name in builder.inputs]
    (value,) = apply(builder.operator, inputs, builder.node.subject)
    return builder.constant(value)


def _band_chosen(builder: NodeBuilder) -> str | None:
    """Choose by a constant mask of the diagonals."""
    operator: Trilu = builder.operator
    sizes, kind = builder.shape(), builder.type(builder.inputs[0])
    builder.check_places(*sizes[-2:])
    band = Eye(np.array(True), sizes[-2:], operator.begin, operator.end, operator.inverted)
    (mask,) = apply(band, [], builder.node.subject)
    value = zero_of(kind.numpy) if operator.value is None else operator.value
    fill = builder.constant(np.array(value), "fill")
    for condition in (mask, mask.astype(np.uint8)):
        found = builder.try_add(Where(), builder.constant(condition, "mask"), fill, *builder.inputs)
        if found is not None:
            return found
    return None


def _other_dtype(builder: NodeBuilder) -> Any:
    """Make positions of the other integer type, and cast them."""
    operator = builder.operator
    name = "index_dtype" if builder.known.maker is Unique else "dtype"
    mine = builder.known.field(name) or _INT64
    other = _INT32 if mine == _INT64 else _INT64
    if builder.known.maker is not Unique:
        positions = builder.add(changed(operator, **{name: other}), *builder.inputs)
        return builder.add(Cast(mine), positions)
    counted = builder.known.field("count_dtype") or _INT64
    for index, count in ((other, counted), (mine, _INT64), (_INT64, _INT64), (_INT32, _INT64)):
        if (index, count) == (mine, counted):
            continue
        plain = changed(operator, index_dtype=index, count_dtype=count)
        try:
            values, *rest = builder.add_all(plain, *builder.inputs)
        except StuckError:
            continue
        wanted = (mine, mine, counted)
        return [values, *(builder.add(Cast(to), one) for one, to in zip(rest, wanted, strict=True))]
    return None


def _whole_shape(builder: NodeBuilder) -> str | None:
    operator: ShapeOf = builder.operator
    if operator.start == 0 and operator.end is None:
        return None
    ndim = builder.type(builder.inputs[0]).ndim
    whole = builder.add(replace(operator, start=0, end=None), *builder.inputs)
    if ndim is None:
        end = LIMIT if operator.end is None else operator.end
        return builder.add(Slice((operator.start,), (end,), (0,), (1,)), whole)
    (count,) = builder.shape(builder.node.outputs[0])
    first = min(max(operator.start + ndim if operator.start < 0 else operator.start, 0), ndim)
    return builder.add(Slice((first,), (first + count,), (0,), (1,)), whole)


def _line_of_size(builder: NodeBuilder) -> str:
    """The elements as one axis; the size of that is their number."""
    operator: SizeOf = builder.operator
    sizes = builder.add(ShapeOf(dtype=operator.dtype), builder.add(Reshape((-1,), Zero.LITERAL), *builder.inputs))
    return builder.add(Reshape((), Zero.LITERAL), sizes)


def _cast_by_table(builder: NodeBuilder) -> str | None:
    """Look up what each value of a narrow integer type becomes; that of -1 comes last."""
    (data,) = builder.inputs
    row = builder.type(data).row
    if row is None or not row.is_integer or not 8 <= row.bits <= 16:
        return None
    low, high = integer_range(row)
    (table,) = apply(builder.operator, [np.arange(low, high + 1).astype(row.numpy)], builder.node.subject)
    places = builder.add(Cast(_INT64), data)
    for rule in OutOfRange:
        found = builder.try_add(Gather(0, 0, rule), builder.constant(np.roll(table, low), "table"), places)
        if found is not None:
            return found
    return None


def _coordinates_of_one(builder: NodeBuilder) -> str | None:
    """Give an element without axes one axis; its coordinate is left out where there shall be none."""
    if not isinstance(builder.operator, Deferred) or builder.type(builder.inputs[0]).ndim != 0:
        return None
    fields, (data,) = dict(builder.operator.fields), builder.inputs
    wanted = fields.pop("scalar", ScalarCoordinates.NONE)
    line = builder.add(Unsqueeze((0,)), data)
    found = builder.add(Deferred(NonZero, tuple(fields.items()), (("data", 0),)), line)
    return found if wanted == ScalarCoordinates.ONE else builder.add(Slice((0,), (0,), (0,), (1,)), found)


def _image_with_more_axes(builder: NodeBuilder) -> str | None:
    """Give windows a batch axis, and an image of one axis a second one, of size 1."""
    operator: Col2Im = builder.operator
    (name,), ndim = builder.inputs, builder.type(builder.inputs[0]).ndim
    if ndim is None or (ndim > 2 and len(operator.image_shape) > 1):
        return None
    if ndim == 2:
        return builder.add(Squeeze((0,)), builder.add(operator, builder.add(Unsqueeze((0,)), name)))
    own = {"image_shape": 1, "block_shape": 1, "strides": 1, "dilations": 1, "begins": 0, "ends": 0}
    wide: dict[str, Any] = {field: (one, *getattr(operator, field)) for field, one in own.items()}
    return builder.add(Squeeze((2,)), builder.add(replace(operator, **wide), name))


def _same_type(builder: NodeBuilder) -> str | None:
    """A Cast to the type that data has keeps the bits."""
    return (
        builder.add(Identity(), *builder.inputs)
        if builder.type(builder.inputs[0]).dtype == builder.operator.to
        else None
    )


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Cast,), "data has the type already", "Identity", "the bits are kept", _same_type),
    Rewrite((Col2Im,), "data has no batch axis, or the image one axis", "Unsqueeze, Col2Im of two axes, Squeeze",
            "ONNX wants a batch, OpenVINO two axes", _image_with_more_axes),
    Rewrite((Cast,), "data has an integer type of 8 or 16 bits", "Gather from a constant table of all its values",
            "all values are known beforehand", _cast_by_table),
    Rewrite((Fill,), "always", "Expand of a constant", "one element, repeated", _expanded),
    Rewrite((Fill, Range, Eye, EyeLike), "sizes are known, up to 2**20 elements", "a constant",
            "no input decides the elements", _made),
    Rewrite((Trilu,), "sizes are known", "Where with a constant mask", "the diagonals are known", _band_chosen),
    Rewrite((ShapeOf,), "always", "ShapeOf of all axes, Slice", "a range of the sizes",
            _whole_shape),
    Rewrite((SizeOf,), "always", "Reshape to one axis, ShapeOf, Reshape",
            "the size of one axis is a number of elements", _line_of_size),
    Rewrite((NonZero,), "data has no axes", "Unsqueeze, NonZero, Slice", "ONNX gives such an element no coordinate, "
            "OpenVINO one", _coordinates_of_one, deferred=True),
    Rewrite((NonZero, Unique, ShapeOf, SizeOf, ArgExtreme), "the target makes positions of the other integer type",
            "the same in int64 or int32, Cast", "positions fit both", _other_dtype,
            deferred=True, is_direct=True),
)  # fmt: skip
"""The rows for operators that make or convert values, tried in this order."""
