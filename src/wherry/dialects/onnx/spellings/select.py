"""How Slice, Compress and Where are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.arguments import normalized_axis
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
from wherry.layout import LIMIT
from wherry.ops import Compress, Reverse, Slice, Where
from wherry.ops.slice import slice_of_version_10
from wherry.tensors import TensorType


def _spell_slice(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    names = ("starts", "ends", "axes", "steps")
    if waits(fields) or fields["sizes"] is None:
        return Spelling({name: fields.get(name) for name in names})
    starts, sizes = fields["starts"], fields["sizes"]
    steps = fields["steps"] or (1,) * len(starts)
    ends = []
    for start, size, step in zip(starts, sizes, steps, strict=True):
        end = start + (size - 1) * step + (1 if step > 0 else -1) if size else start
        ends.append(-LIMIT if end < 0 else end)  # before the first position: no size brings it back
    same = Slice(starts, tuple(ends), fields["axes"], fields["steps"])
    return Spelling({name: getattr(same, name) for name in names}, same)


def _spell_reverse(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Slice with steps of -1 along the reversed axes."""
    ndim = types[0].ndim
    marked = tuple(axis for axis, is_reversed in enumerate(fields["mask"] or ()) if is_reversed)
    axes = marked if fields["axes"] is None else fields["axes"]
    listed = axes if ndim is None else dict.fromkeys(normalized_axis(axis, ndim) for axis in axes)
    last, beyond = (-1,) * len(listed), (-LIMIT,) * len(listed)
    same = Slice(last, beyond, tuple(listed), last)
    return Spelling({name: getattr(same, name) for name in ("starts", "ends", "axes", "steps")}, same)


SPELLINGS = {
    Slice: (("Slice", _spell_slice),),
    slice_of_version_10: (("Slice", by_name("starts", "ends", "axes", "steps")),),
    Reverse: (("Slice", _spell_reverse),),
    Compress: (("Compress", by_name("axis", "condition")),),
    Where: (("Where", by_name()),),
}
