"""Rewrites into copies: split and permuted axes, windows, crops and pads, concatenated parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from wherry.graph import Deferred
from wherry.layout import Layout, packed_strides
from wherry.ops import (
    AsStrided,
    BatchToSpace,
    Concat,
    DepthToSpace,
    ExtractImagePatches,
    Im2Col,
    MixedSigns,
    OneHot,
    Pad,
    PadMode,
    Reshape,
    Roll,
    ShuffleChannels,
    Slice,
    SpaceToBatch,
    SpaceToDepth,
    Split,
    Transpose,
    Zero,
)
from wherry.ops.rearrange import Rearrangement, split_axes
from wherry.rewrite.builder import NodeBuilder, Rewrite

Window = tuple[int, int, int, int]
"""Along one axis: positions in a window, windows, and the steps between positions and between windows."""


def _turned(builder: NodeBuilder, name: str, pieces: Sequence[int], order: Sequence[int], sizes: Sequence[int]) -> str:
    """Cut axes into pieces, permute these, and merge them to sizes: in one copy, where the target has strides."""
    shape = builder.shape(name)
    if 0 not in shape:
        layout = split_axes(Layout(shape), pieces).permuted(order)
        found = builder.add_directly(AsStrided(layout.sizes, layout.strides, shape=tuple(sizes)), name)
        if found is not None:
            return found
    cut = builder.add(Reshape(tuple(pieces), Zero.LITERAL), name)
    return builder.add(Reshape(tuple(sizes), Zero.LITERAL), builder.add(Transpose(tuple(order)), cut))


def _rearranged(builder: NodeBuilder) -> str:
    operator: Rearrangement = builder.operator
    pieces, order = operator.cuts(builder.shape())
    return _turned(builder, builder.inputs[0], pieces, order, builder.shape(builder.node.outputs[0]))


def _batch_to_space(builder: NodeBuilder) -> str:
    operator: BatchToSpace = builder.operator
    sizes, blocks = builder.shape(), operator.blocks
    count = len(blocks)
    batch = sizes[0] // math.prod(blocks)
    order = [count]
    for number in range(count):
        order += [count + 1 + number, number]
    whole = [size * block for size, block in zip(sizes[1:], blocks, strict=True)]
    merged = _turned(builder, builder.inputs[0], (*blocks, batch, *sizes[1:]), order, (batch, *whole))
    if not any((*operator.begins, *operator.ends)):
        return merged
    ends = [size - end for size, end in zip(whole, operator.ends[1:], strict=True)]
    return builder.add(Slice(operator.begins[1:], tuple(ends), tuple(range(1, count + 1)), (1,) * count), merged)


def _space_to_batch(builder: NodeBuilder) -> str:
    operator: SpaceToBatch = builder.operator
    name = _padded(builder, operator.begins, operator.ends)
    sizes = builder.shape(name)
    pieces = [sizes[0]]
    for size, block in zip(sizes[1:], operator.blocks, strict=True):
        pieces += [size // block, block]
    order = [*range(2, len(pieces), 2), 0, *range(1, len(pieces), 2)]
    return _turned(builder, name, pieces, order, builder.shape(builder.node.outputs[0]))


def _padded(builder: NodeBuilder, begins: Sequence[int], ends: Sequence[int]) -> str:
    """Return data with zeros around it."""
    name = builder.inputs[0]
    return builder.add(Pad(tuple(begins), tuple(ends)), name) if any((*begins, *ends)) else name


def _windows_read(builder: NodeBuilder) -> str:
    """Read the padded image again and again through strides that overlap."""
    operator: Im2Col | ExtractImagePatches = builder.operator
    sizes, shape = builder.shape()[2:], builder.shape(builder.node.outputs[0])
    if isinstance(operator, Im2Col):
        fields = (operator.block_shape, operator.counts(sizes), operator.dilations or (), operator.strides or ())
        windows: list[Window] = list(zip(*fields, strict=True))
        name = _padded(builder, (0, 0, *(operator.begins or ())), (0, 0, *(operator.ends or ())))
        layout = _over(builder.shape(name), windows)
    else:
        windows, begins, ends = [], [0, 0], [0, 0]
        for place, size in enumerate(sizes):
            count, before = shape[2 + place], operator.windows(place, size)[1]
            kernel, stride, rate = operator.sizes[place], operator.strides[place], operator.rates[place]
            windows.append((kernel, count, rate, stride))
            begins.append(before)
            ends.append(max(0, (count - 1) * stride + (kernel - 1) * rate + 1 - before - size))
        name = _padded(builder, begins, ends)
        layout = _over(builder.shape(name), windows).permuted((0, 2, 3, 1, 4, 5))
    return builder.add(AsStrided(layout.sizes, layout.strides, shape=shape), name)


def _over(image: Sequence[int], axes: Sequence[Window]) -> Layout:
    """Return the layout of a packed image as batch, channels, positions in the window, and windows."""
    batch, channels, *steps = packed_strides(image)
    places = [(number, rate * step) for (number, _, rate, _), step in zip(axes, steps, strict=True)]
    windows = [(number, stride * step) for (_, number, _, stride), step in zip(axes, steps, strict=True)]
    read = [(image[0], batch), (image[1], channels), *places, *windows]
    return Layout([size for size, _ in read], [step for _, step in read])


def _pad_and_crop(builder: NodeBuilder) -> str | None:
    """Slice off positions that negative pads remove: before padding, unless the mode reads them or none remain."""
    operator: Pad = builder.operator
    sizes = builder.shape()
    pads = operator.pads(len(sizes))
    added = [(max(begin, 0), max(end, 0)) for begin, end in pads]
    removed = [(max(-begin, 0), max(-end, 0)) for begin, end in pads]
    if not any(map(any, removed)):
        return None
    begins, ends = zip(*added, strict=True)
    grown = replace(operator, begins=begins, ends=ends, axes=None)
    if not any(map(any, added)):
        return _cropped(builder, builder.inputs[0], removed)
    fits = all(sum(ends) <= size for size, ends in zip(sizes, removed, strict=True))
    if fits if operator.mode is PadMode.CONSTANT else operator.mixed_signs is MixedSigns.CROP_FIRST:
        return builder.add(grown, _cropped(builder, builder.inputs[0], removed))
    return _cropped(builder, builder.add(grown, builder.inputs[0]), removed)


def _cropped(builder: NodeBuilder, name: str, removed: Sequence[tuple[int, int]]) -> str:
    sizes = zip(builder.shape(name), removed, strict=True)
    part = Slice(tuple(begin for begin, _ in removed), sizes=tuple(max(0, size - sum(ends)) for size, ends in sizes))
    return builder.add(part, name)


def _roll_parts(builder: NodeBuilder) -> str:
    """For each axis what lies at its end, then the rest."""
    name, sizes = builder.inputs[0], builder.shape()
    for axis, shift in builder.operator.turns(sizes):
        rolled = builder.add_directly(Roll((shift,), (axis,)), name)
        if rolled is None:
            first, last = builder.add_all(Split(axis, sizes=(sizes[axis] - shift, shift)), name)
            rolled = builder.add(Concat(axis), last, first)
        name = rolled
    return name


def _line_of_one(builder: NodeBuilder, name: str) -> str:
    return name if builder.type(name).sizes == (1,) else builder.add(Reshape((1,), Zero.LITERAL), name)


def _one_hot_values(builder: NodeBuilder) -> str | None:
    """Lay off and on into one vector, or take them out of it."""
    indices, *values = builder.node.data_inputs
    if len(values) == 2:
        values = [builder.add(Concat(0), *(_line_of_one(builder, name) for name in values))]
    else:
        parts = [builder.add(Slice((n,), (n + 1,), (0,), (1,)), values[0]) for n in range(2)]
        values = [builder.add(Reshape((), Zero.LITERAL), name) for name in parts]
    operator, depth = builder.operator, builder.node.value_inputs
    if isinstance(operator, Deferred):
        places = tuple((name, 1 + len(values) + n) for n, (name, _) in enumerate(operator.from_inputs))
        operator = replace(operator, from_inputs=places)
    return builder.add(operator, indices, *values, *depth)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((ShuffleChannels, DepthToSpace, SpaceToDepth), "sizes are known",
            "AsStrided; or Reshape, Transpose, Reshape", "axes are cut, and their pieces change places", _rearranged),
    Rewrite((BatchToSpace,), "sizes are known", "AsStrided, Slice; or Reshape, Transpose, Reshape, Slice",
            "blocks move from the batch into space, then crops go", _batch_to_space),
    Rewrite((SpaceToBatch,), "sizes are known", "Pad, AsStrided; or Pad, Reshape, Transpose, Reshape",
            "zeros come, then blocks move from space into the batch", _space_to_batch),
    Rewrite((Im2Col, ExtractImagePatches), "sizes are known", "Pad, AsStrided", "windows overlap in the image",
            _windows_read, is_direct=True),
    Rewrite((Pad,), "sizes are known, some pads are negative", "Pad, Slice; or Slice, Pad",
            "what negative pads take away is a part that is left out", _pad_and_crop),
    Rewrite((Roll,), "sizes are known", "for each axis: Roll; or Split, Concat",
            "what leaves at one end comes in at the other", _roll_parts),
    Rewrite((OneHot,), "off and on are two inputs, or one", "Reshape, Concat; or Slice, Reshape",
            "ONNX and DirectML have one vector of both, OpenVINO has two scalars", _one_hot_values,
            deferred=True),
)  # fmt: skip
"""Rows that take an operator apart into copies, tried in this order."""
