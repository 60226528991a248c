"""What Slice, Compress and Where mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from wherry.arguments import normalized_axis
from wherry.dialects.onnx.as_node import AsNode, Fields, by_name, waits
from wherry.dialects.onnx.row import FROM_FRONT, Meaning, OnnxRow, Use
from wherry.graph import Deferred
from wherry.layout import LIMIT
from wherry.ops import Compress, Reverse, Slice, Where
from wherry.ops.slice import slice_of_version_10
from wherry.tensors import TensorType


def _slice(use: Use, build: Any = Slice) -> Slice | Deferred:
    if use.row.since == 1:
        return Slice(use.attributes["starts"], use.attributes["ends"], use.attributes["axes"])
    return use.deferred(build, {name: name for name in ("starts", "ends", "axes", "steps")}, Slice)


def _compress(use: Use) -> Compress | Deferred:
    return use.deferred(Compress, {"condition": "condition"}, axis=use.attributes["axis"])


def _where(use: Use) -> Where:
    return Where()


MEANINGS = {
    "Slice": (
        Meaning(
            1,
            "starts and ends below 0 count from the end, both are clamped to the axis; negative axes are not named, so "
            "they are refused",
            _slice,
            {"axes": FROM_FRONT},
        ),
        Meaning(
            10,
            "starts, ends and axes become inputs; steps, which may be negative",
            partial(_slice, build=slice_of_version_10),
        ),
        Meaning(11, "negative axes count from the end; a step of 0 is an error", _slice),
        Meaning(
            13,
            "starts and ends below 0 get the size added once; clamped to 0..s, for a negative step the start to 0..s-1 "
            "and the end to -1..s-1; an axis named twice, which is undefined, is refused",
            _slice,
        ),
    ),
    "Compress": (
        Meaning(
            9,
            "without axis the elements in row-major order; a shorter condition ends early, a true entry beyond the "
            "axis, of which the text does not speak, is refused; so are negative axes",
            _compress,
            {"axis": FROM_FRONT},
        ),
        Meaning(11, "a negative axis counts from the end", _compress),
    ),
    "Where": (Meaning(9, "X where the condition is true, else Y; all three broadcast", _where),),
}


def _slice_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    names = ("starts", "ends", "axes", "steps")
    if waits(fields) or fields["sizes"] is None:
        return AsNode({name: fields.get(name) for name in names})
    starts, sizes = fields["starts"], fields["sizes"]
    steps = fields["steps"] or (1,) * len(starts)
    ends = []
    for start, size, step in zip(starts, sizes, steps, strict=True):
        end = start + (size - 1) * step + (1 if step > 0 else -1) if size else start
        ends.append(-LIMIT if end < 0 else end)  # before the first position: no size brings it back
    same = Slice(starts, tuple(ends), fields["axes"], fields["steps"])
    return AsNode({name: getattr(same, name) for name in names}, same)


def _reverse_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Slice with steps of -1 along the reversed axes."""
    ndim = types[0].ndim
    marked = tuple(axis for axis, is_reversed in enumerate(fields["mask"] or ()) if is_reversed)
    axes = marked if fields["axes"] is None else fields["axes"]
    listed = axes if ndim is None else dict.fromkeys(normalized_axis(axis, ndim) for axis in axes)
    last, beyond = (-1,) * len(listed), (-LIMIT,) * len(listed)
    same = Slice(last, beyond, tuple(listed), last)
    return AsNode({name: getattr(same, name) for name in ("starts", "ends", "axes", "steps")}, same)


TO_NODES = {
    Slice: (("Slice", _slice_to_node),),
    slice_of_version_10: (("Slice", by_name("starts", "ends", "axes", "steps")),),
    Reverse: (("Slice", _reverse_to_node),),
    Compress: (("Compress", by_name("axis", "condition")),),
    Where: (("Where", by_name()),),
}
