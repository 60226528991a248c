"""Rewrites of operators that make or convert values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.conversion.draft import Edit, Rewrite, StuckError
from wherry.conversion.site import changed
from wherry.engine.call import apply
from wherry.graph import Deferred
from wherry.moves import OutOfRange
from wherry.ops import (
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

_INT64, _INT32 = dtypes.find("int64"), dtypes.find("int32")
_MOST_MADE = 2**20
"""The most elements that an operator without inputs is replaced by as a constant."""


def _expanded(edit: Edit) -> str:
    """Repeat a constant of one element."""
    operator: Fill = edit.operator
    return edit.add(Expand(operator.sizes), edit.constant(operator.value.reshape((1,) * len(operator.sizes))))


def _made(edit: Edit) -> str | None:
    """Compute an operator that reads no values now."""
    (kind,) = edit.site.outputs
    if not kind.is_known or int(np.prod(kind.shape, dtype=object)) > _MOST_MADE:
        return None
    inputs = [np.zeros(edit.shape(name), edit.kind(name).numpy) for name in edit.inputs]
    (value,) = apply(edit.operator, inputs, edit.node.subject)
    return edit.constant(value)


def _band_chosen(edit: Edit) -> str:
    """Choose by a constant mask of the diagonals."""
    operator: Trilu = edit.operator
    sizes, kind = edit.shape(), edit.kind(edit.inputs[0])
    edit.check_places(*sizes[-2:])
    band = Eye(np.array(True), sizes[-2:], operator.begin, operator.end, operator.inverted)
    (mask,) = apply(band, [], edit.node.subject)
    if edit.draft.target.name == "directml":
        mask = mask.astype(np.uint8)
    value = zero_of(kind.numpy) if operator.value is None else operator.value
    return edit.add(Where(), edit.constant(mask, "mask"), edit.constant(np.array(value), "fill"), *edit.inputs)


def _other_dtype(edit: Edit) -> Any:
    """Make positions of the other integer type, and cast them."""
    operator = edit.operator
    name = "index_dtype" if edit.site.kind is Unique else "dtype"
    mine = edit.site.field(name) or _INT64
    other = _INT32 if mine == _INT64 else _INT64
    if edit.site.kind is not Unique:
        positions = edit.add(changed(operator, **{name: other}), *edit.inputs)
        return edit.add(Cast(mine), positions)
    counted = edit.site.field("count_dtype") or _INT64
    for index, count in ((other, counted), (mine, _INT64), (_INT64, _INT64), (_INT32, _INT64)):
        if (index, count) == (mine, counted):
            continue
        plain = changed(operator, index_dtype=index, count_dtype=count)
        try:
            values, *rest = edit.add_all(plain, *edit.inputs)
        except StuckError:
            continue
        wanted = (mine, mine, counted)
        return [values, *(edit.add(Cast(to), one) for one, to in zip(rest, wanted, strict=True))]
    return None


def _whole_shape(edit: Edit) -> str | None:
    operator: ShapeOf = edit.operator
    if operator.start == 0 and operator.end is None:
        return None
    ndim = edit.kind(edit.inputs[0]).ndim
    if ndim is None:
        return None
    whole = edit.add(replace(operator, start=0, end=None), *edit.inputs)
    (count,) = edit.shape(edit.node.outputs[0])
    first = min(max(operator.start + ndim if operator.start < 0 else operator.start, 0), ndim)
    return edit.add(Slice((first,), (first + count,), (0,), (1,)), whole)


def _line_of_size(edit: Edit) -> str:
    """The elements as one axis; the size of that is their number."""
    operator: SizeOf = edit.operator
    sizes = edit.add(ShapeOf(dtype=operator.dtype), edit.add(Reshape((-1,), Zero.LITERAL), *edit.inputs))
    return edit.add(Reshape((), Zero.LITERAL), sizes)


def _cast_by_table(edit: Edit) -> str | None:
    """Look up what each value of a narrow integer type becomes; that of -1 comes last."""
    (data,) = edit.inputs
    row = edit.kind(data).row
    if row is None or not row.is_integer or not 8 <= row.bits <= 16:
        return None
    low, high = integer_range(row)
    (table,) = apply(edit.operator, [np.arange(low, high + 1).astype(row.numpy)], edit.node.subject)
    places = edit.add(Cast(_INT64), data)
    for rule in OutOfRange:
        found = edit.try_add(Gather(0, 0, rule), edit.constant(np.roll(table, low), "table"), places)
        if found is not None:
            return found
    return None


def _coordinates_of_one(edit: Edit) -> str | None:
    """Give an element without axes one axis; its coordinate is left out where there shall be none."""
    if not isinstance(edit.operator, Deferred) or edit.kind(edit.inputs[0]).ndim != 0:
        return None
    fields, (data,) = dict(edit.operator.fields), edit.inputs
    wanted = fields.pop("scalar", ScalarCoordinates.NONE)
    line = edit.add(Unsqueeze((0,)), data)
    found = edit.add(Deferred(NonZero, tuple(fields.items()), (("data", 0),)), line)
    return found if wanted == ScalarCoordinates.ONE else edit.add(Slice((0,), (0,), (0,), (1,)), found)


def _image_with_more_axes(edit: Edit) -> str | None:
    """Give windows a batch axis, and an image of one axis a second one, of size 1."""
    operator: Col2Im = edit.operator
    (name,), ndim = edit.inputs, edit.kind(edit.inputs[0]).ndim
    if ndim is None or (ndim > 2 and len(operator.image_shape) > 1):
        return None
    if ndim == 2:
        return edit.add(Squeeze((0,)), edit.add(operator, edit.add(Unsqueeze((0,)), name)))
    own = {"image_shape": 1, "block_shape": 1, "strides": 1, "dilations": 1, "begins": 0, "ends": 0}
    wide: dict[str, Any] = {field: (one, *getattr(operator, field)) for field, one in own.items()}
    return edit.add(Squeeze((2,)), edit.add(replace(operator, **wide), name))


def _same_type(edit: Edit) -> str | None:
    """A Cast to the type that data has keeps the bits."""
    return edit.add(Identity(), *edit.inputs) if edit.kind(edit.inputs[0]).dtype == edit.operator.to else None


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
    Rewrite((ShapeOf,), "the number of axes is known", "ShapeOf of all axes, Slice", "a range of the sizes",
            _whole_shape, ("onnx", "openvino")),
    Rewrite((SizeOf,), "always", "Reshape to one axis, ShapeOf, Reshape",
            "the size of one axis is a number of elements", _line_of_size, ("openvino",)),
    Rewrite((NonZero,), "data has no axes", "Unsqueeze, NonZero, Slice", "ONNX gives such an element no coordinate, "
            "OpenVINO one", _coordinates_of_one, ("onnx", "openvino"), deferred=True),
    Rewrite((NonZero, Unique, ShapeOf, SizeOf), "the target makes positions of the other integer type",
            "the same in int64 or int32, Cast", "positions fit both", _other_dtype,
            ("onnx", "openvino"), deferred=True),
)  # fmt: skip
"""The rows for operators that make or convert values, tried in this order."""
