"""Rewrites that split tensors and concatenate the parts, drop empty parts, or slide windows over images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wherry.arguments import normalized_axis
from wherry.layout import LIMIT
from wherry.ops import (
    BatchToSpace,
    Cast,
    Compress,
    Concat,
    DepthToSpace,
    Expand,
    ExtractImagePatches,
    Flatten,
    Identity,
    Im2Col,
    Pad,
    PadMode,
    Reshape,
    Reverse,
    Roll,
    ScatterUpdate,
    ShuffleChannels,
    Slice,
    SliceScatter,
    SpaceToBatch,
    SpaceToDepth,
    Split,
    Squeeze,
    StridedSlice,
    Tile,
    Transpose,
    Unsqueeze,
    Where,
    Window,
    Zero,
)
from wherry.rewrite.builder import NodeBuilder, Rewrite

Cut = tuple[int, int, int, int]
"""Axis, first position, number of positions, step."""

_MOST_PARTS = 64
"""How many parts of one axis are joined at most."""


def _slice_between(builder: NodeBuilder) -> str | None:
    """Axis by axis: data before the slice, what the slice becomes, data behind it."""
    cuts = _cuts(builder)
    return None if any(step != 1 for *_, step in cuts) else _written(builder, builder.inputs[0], builder.shape(), cuts)


def _slice_with_gaps(builder: NodeBuilder) -> str:
    """As `_slice_between`; along an axis with gaps updates are scattered."""
    return _written(builder, builder.inputs[0], builder.shape(), _cuts(builder))


def _cuts(builder: NodeBuilder) -> list[Cut]:
    """Return the axes along which a slice omits positions or changes their order."""
    operator: SliceScatter = builder.operator
    sizes = builder.shape()
    ranges = [(axis, start, int(size or 0), step) for axis, start, size, step in operator.slice.ranges(sizes)]
    return [
        (axis, start, size, step if size > 1 else 1)
        for axis, start, size, step in ranges
        if size != sizes[axis] or step != 1
    ]


def _written(builder: NodeBuilder, name: str, sizes: Sequence[int], cuts: Sequence[Cut]) -> str:
    """Return data with updates in the slice of the cuts; a cut with gaps becomes a scatter by constant indices."""
    if not cuts:
        return builder.inputs[1]
    if any(size == 0 for _, _, size, _ in cuts):
        return name
    (axis, start, size, step), *rest = cuts
    inner, end = builder.inputs[1], start + size * step
    if rest:
        part = builder.add(Slice((start,), (end if end >= 0 else -LIMIT,), (axis,), (step,)), name)
        inner = _written(builder, part, [*sizes[:axis], size, *sizes[axis + 1 :]], rest)
    if step != 1:
        builder.check_places(size)
        places = builder.constant(np.arange(start, end, step, dtype=np.int64), "places")
        return builder.add(ScatterUpdate(axis=axis), name, places, inner)
    before = [_from_to(builder, name, axis, 0, start)] if start else []
    behind = [_from_to(builder, name, axis, end, sizes[axis])] if end < sizes[axis] else []
    return builder.add(Concat(axis), *before, inner, *behind) if before or behind else inner


def _from_to(builder: NodeBuilder, name: str, axis: int, start: int, end: int) -> str:
    return builder.add(Slice((start,), (end,), (axis,), (1,)), name)


def _window_places(builder: NodeBuilder) -> str | None:
    """Name every position of a window, where constants say where it begins and it lies inside the axis."""
    operator: ScatterUpdate = builder.operator
    if operator.window is Window.NONE or len(builder.inputs) < 3:
        return None
    starts, sizes, length = builder.value(builder.inputs[1]), builder.shape(), builder.shape(builder.inputs[2])
    axis = normalized_axis(operator.axis, len(sizes))
    if starts is None or not starts.size or not length[axis]:
        return None
    builder.check_places(*starts.shape, length[axis])
    places = starts.astype(np.int64)[..., None] + np.arange(length[axis])
    if operator.window is Window.CIRCULAR:
        inside, places = places >= 0, places % sizes[axis]
    else:
        inside = (places >= 0) & (places < sizes[axis])
    if not inside.all():
        return None
    plain = replace(operator, window=Window.NONE, axis=axis)
    return builder.add(plain, builder.inputs[0], builder.constant(places, "places"), builder.inputs[2])


def _wrapped_parts(builder: NodeBuilder) -> str | None:
    """Axis by axis, put the end of data before it and its start behind it."""
    operator: Pad = builder.operator
    if operator.mode is not PadMode.WRAP:
        return None
    name, sizes = builder.inputs[0], list(builder.shape())
    pads = operator.pads(len(sizes))
    for axis, (begin, end) in enumerate(pads):
        size = sizes[axis]
        if min(begin, end) < 0 or not size or (begin + end) // size > _MOST_PARTS:
            return None
        before = [_from_to(builder, name, axis, size - begin % size, size)] if begin % size else []
        behind = [_from_to(builder, name, axis, 0, end % size)] if end % size else []
        whole = [name] * (begin // size + 1 + end // size)
        if begin or end:
            name = builder.add(Concat(axis), *before, *whole, *behind)
            sizes[axis] += begin + end
    return name


def _full_parts(builder: NodeBuilder) -> str | None:
    """Leave inputs without elements out."""
    full = [name for name in builder.inputs if 0 not in builder.shape(name)]
    if len(full) == len(builder.inputs) or not full:
        return None
    return builder.add(builder.operator, *full)


_UNREAD = (
    BatchToSpace, Cast, Compress, Concat, DepthToSpace, Expand, ExtractImagePatches, Flatten, Identity, Im2Col, Pad,
    Reshape, Reverse, Roll, ShuffleChannels, Slice, SliceScatter, SpaceToBatch, SpaceToDepth, Split, Squeeze,
    StridedSlice, Tile, Transpose, Unsqueeze, Where,
)  # fmt: skip
"""Operators whose inputs may hold any values: none of them is refused for what it holds."""


def _no_elements(builder: NodeBuilder) -> Sequence[str] | None:
    """Replace an empty result by a constant."""
    kinds = builder.known.outputs
    if any(0 not in (kind.sizes or ()) or not kind.is_known for kind in kinds):
        return None
    return [builder.constant(np.empty(kind.shape, kind.numpy), "empty") for kind in kinds]


def _columns_as_patches(builder: NodeBuilder) -> str | None:
    """Windows over a padded image, their channels counted the other way round."""
    operator: Im2Col = builder.operator
    if len(operator.block_shape) != 2:
        return None
    name, sizes = builder.inputs[0], builder.shape()
    begins, ends = (0, 0, *(operator.begins or ())), (0, 0, *(operator.ends or ()))
    if any((*begins, *ends)):
        name = builder.add(Pad(begins, ends), name)
    windows = ExtractImagePatches(operator.block_shape, operator.strides or (), operator.dilations or ())
    places, counts = math.prod(operator.block_shape), operator.counts(sizes[2:])
    cut = builder.add(
        Reshape((sizes[0], places, sizes[1], math.prod(counts)), Zero.LITERAL), builder.add(windows, name)
    )
    turned = builder.add(Transpose((0, 2, 1, 3)), cut)
    return builder.add(Reshape(builder.shape(builder.node.outputs[0]), Zero.LITERAL), turned)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(_UNREAD, "sizes are known, the results have no elements", "constants", "DirectML has no empty tensors; one "
            "that nothing but a Concat reads is left out", _no_elements),
    Rewrite((Concat,), "sizes are known, some inputs have no elements", "Concat of the others", "they add nothing",
            _full_parts),
    Rewrite((SliceScatter,), "sizes are known, the slice has no gaps", "for each axis that is cut: Slice, Concat",
            "data before it, updates, data behind it", _slice_between),
    Rewrite((SliceScatter,), "sizes are known, the slice has gaps",
            "for each axis that is cut: Slice, Concat; with gaps Slice, ScatterUpdate of constant places",
            "the places of a slice are known", _slice_with_gaps, is_direct=True),
    Rewrite((ScatterUpdate,), "a window whose beginnings are constants, inside the axis",
            "ScatterUpdate of constant places", "then every position is known", _window_places),
    Rewrite((Pad,), "mode wrap, sizes are known, nothing is cropped, up to 64 times data",
            "for each axis: Slice, Concat", "the end of data, data, its start", _wrapped_parts),
    Rewrite((Im2Col,), "an image of two axes, sizes are known",
            "Pad, ExtractImagePatches, Reshape, Transpose, Reshape", "channels are counted the other way round",
            _columns_as_patches, is_direct=True),
)  # fmt: skip
"""The rows for parts and windows, tried in this order."""
