"""Rewrites of operators that make or convert values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from wherry import dtypes, execute
from wherry.conversion.draft import Edit, Rewrite, StuckError
from wherry.conversion.site import changed
from wherry.ops import (
    BandMatrix,
    Cast,
    Copy,
    Expand,
    EyeLike,
    Fill,
    FillBand,
    NonZero,
    Sequence,
    ShapeOf,
    SizeOf,
    Slice,
    Unique,
    Where,
)
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
    (value,) = execute.apply(edit.operator, inputs, edit.node.subject)
    return edit.constant(value)


def _band_chosen(edit: Edit) -> str:
    """Choose by a constant mask of the diagonals."""
    operator: FillBand = edit.operator
    sizes, kind = edit.shape(), edit.kind(edit.inputs[0])
    band = BandMatrix(np.array(True), sizes[-2:], operator.begin, operator.end, operator.inverted)
    (mask,) = execute.apply(band, [], edit.node.subject)
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


def _same_type(edit: Edit) -> str | None:
    """A Cast to the type that data has keeps the bits."""
    return edit.add(Copy(), *edit.inputs) if edit.kind(edit.inputs[0]).dtype == edit.operator.to else None


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Cast,), "data has the type already", "Copy", "the bits are kept", _same_type),
    Rewrite((Fill,), "always", "Expand of a constant", "one element, repeated", _expanded),
    Rewrite((Fill, Sequence, BandMatrix, EyeLike), "sizes are known, up to 2**20 elements", "a constant",
            "no input decides the elements", _made),
    Rewrite((FillBand,), "sizes are known", "Where with a constant mask", "the diagonals are known", _band_chosen),
    Rewrite((NonZero, Unique, ShapeOf, SizeOf), "the target makes positions of the other integer type",
            "the same in int64 or int32, Cast", "positions fit both", _other_dtype,
            ("onnx", "openvino"), deferred=True),
    Rewrite((ShapeOf,), "the number of axes is known", "ShapeOf of all axes, Slice", "a range of the sizes",
            _whole_shape, ("onnx", "openvino")),
)  # fmt: skip
"""The rows for operators that make or convert values, tried in this order."""
