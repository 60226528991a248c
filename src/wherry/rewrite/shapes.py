"""Rewrites of operators that only move whole elements: slices, shapes, pads, blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import normalized_axis
from wherry.engine.call import apply
from wherry.moves import OutOfRange, Reduction
from wherry.ops import (
    BatchToSpace,
    Compress,
    Concat,
    DepthToSpace,
    Expand,
    ExtractImagePatches,
    Gather,
    GatherElements,
    GatherND,
    Identity,
    Im2Col,
    Operator,
    Pad,
    PadMode,
    Reshape,
    Reverse,
    ReverseSequence,
    Roll,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    ShuffleChannels,
    Slice,
    SliceScatter,
    SpaceToBatch,
    SpaceToDepth,
    Split,
    StridedSlice,
    Tile,
    Transpose,
    Where,
    Zero,
)
from wherry.ops.expand import Alignment
from wherry.rewrite.builder import NodeBuilder, Rewrite
from wherry.rewrite.forms import is_zero, typed_value

Array = NDArray[Any]


def _split_as_slices(builder: NodeBuilder) -> Sequence[str] | None:
    operator: Split = builder.operator
    sizes = builder.type(builder.inputs[0]).sizes
    if sizes is None:
        return None
    axis = normalized_axis(operator.axis, len(sizes))
    parts = operator.part_sizes(sizes[axis])
    if not all(isinstance(part, int) for part in parts):
        return None
    results, start = [], 0
    for part in parts:
        end = start + int(part or 0)
        results.append(builder.add(Slice((start,), (end,), (axis,), (1,)), builder.inputs[0]))
        start = end
    return results


def _strided_parts(builder: NodeBuilder) -> str | None:
    sizes = builder.type(builder.inputs[0]).sizes
    if sizes is None:
        return None
    name = builder.inputs[0]
    for part in builder.operator.parts(sizes):
        name = builder.add(part, name)
    return name


def _slice_backwards(builder: NodeBuilder) -> str | None:
    """Slice the same positions forwards, then reverse the axes that were read backwards."""
    operator: Slice = builder.operator
    shape = builder.shape()
    starts, counts, steps = operator.spread(shape)
    turned = tuple(axis for axis, step in enumerate(steps) if step < 0)
    if not turned or 0 in counts:
        return None
    part = builder.inputs[0]
    if counts != shape:
        ranges = zip(starts, counts, steps, strict=True)
        firsts = tuple(start + (count - 1) * min(step, 0) for start, count, step in ranges)
        part = builder.add(Slice(firsts, steps=tuple(map(abs, steps)), sizes=counts), part)
    return builder.add(Reverse(turned), part)


def _with_all_axes(builder: NodeBuilder) -> tuple[str, list[int], tuple[int, ...]]:
    """Return what an Expand repeats with axes of 1 where it has none, its sizes, and those of the result."""
    operator: Expand = builder.operator
    sizes, result = builder.shape(), builder.shape(builder.node.outputs[0])
    aligned = [1] * len(result)
    for axis, size in zip(operator.places(len(sizes)), sizes, strict=True):
        aligned[axis] = size
    name = builder.inputs[0]
    if tuple(aligned) != sizes:
        name = builder.add(Reshape(tuple(aligned), Zero.LITERAL), name)
    return name, aligned, result


def _expand_plain(builder: NodeBuilder) -> str | None:
    """Put axes of 1 where data has none, then repeat."""
    operator: Expand = builder.operator
    name, _, result = _with_all_axes(builder)
    found = None
    for alignment in (Alignment.TWO_WAY, Alignment.ONE_WAY):
        plain = Expand(result, alignment)
        if plain != operator or name != builder.inputs[0]:
            found = found or builder.try_add(plain, name)
    return found


def _expand_as_tile(builder: NodeBuilder) -> str | None:
    name, aligned, result = _with_all_axes(builder)
    repeats = [1 if size == wanted else wanted for size, wanted in zip(aligned, result, strict=True)]
    return builder.add(Tile(tuple(repeats)), name)


def _tile_as_join(builder: NodeBuilder) -> str | None:
    operator: Tile = builder.operator
    sizes = builder.shape()
    aligned, repeats = operator.aligned(sizes)
    if len(aligned) > len(sizes) or 0 in repeats or max(repeats, default=1) > 64:
        return None
    name = builder.inputs[0]
    for axis, count in enumerate(repeats):
        if count > 1:
            name = builder.add(Concat(axis), *[name] * count)
    return name


def _pad_as_join(builder: NodeBuilder) -> str | None:
    """Lay constant blocks of the value around data."""
    operator: Pad = builder.operator
    tensor_type = builder.type(builder.inputs[0])
    if operator.mode is not PadMode.CONSTANT:
        return None
    sizes = list(builder.shape())
    pads = operator.pads(len(sizes))
    if any(min(pair) < 0 for pair in pads):
        return None
    value, name = typed_value(operator, tensor_type).value, builder.inputs[0]
    for axis, (begin, end) in enumerate(pads):
        blocks = []
        for count in (begin, end):
            sides = [*sizes[:axis], count, *sizes[axis + 1 :]]
            one = builder.constant(value.reshape((1,) * len(sizes)), "value") if count else ""
            blocks.append([builder.add(Expand(tuple(sides)), one)] if count else [])
        if begin or end:
            name = builder.add(Concat(axis), *blocks[0], name, *blocks[1])
            sizes[axis] += begin + end
    return name


_ALONG = (Slice, Pad, Tile, Roll, Reverse, Compress)


def _along_axes(builder: NodeBuilder) -> str | None:
    """Gather the positions of each axis in turn; all of them are known."""
    operator, sizes = builder.operator, builder.shape()
    result = builder.shape(builder.node.outputs[0])
    if len(result) != len(sizes) or not sizes or 0 in (*sizes, *result):
        return None
    if isinstance(operator, Pad):
        grown = any(begin > 0 or end > 0 for begin, end in operator.pads(len(sizes)))
        if operator.mode is PadMode.CONSTANT and grown:
            return None
        operator = replace(operator, value=None)
    if isinstance(operator, Compress) and operator.axis is None:
        return None
    builder.check_places(*sizes)
    builder.check_places(*result)
    name = builder.inputs[0]
    for axis, size in enumerate(sizes):
        line = np.arange(size).reshape([-1 if number == axis else 1 for number in range(len(sizes))])
        (moved,) = apply(operator, [np.ascontiguousarray(np.broadcast_to(line, sizes))], "conversion")
        places = moved[tuple(slice(None) if number == axis else 0 for number in range(len(sizes)))]
        if not np.array_equal(places, np.arange(size)):
            name = builder.add(Gather(axis), name, builder.constant(places.astype(np.int64), "places"))
    return name


_MOVES = (
    BatchToSpace, Compress, DepthToSpace, Expand, ExtractImagePatches, Gather, GatherElements, GatherND, Im2Col, Pad,
    Reshape, Reverse, ReverseSequence, Roll, ScatterUpdate, ScatterElements, ScatterND, ShuffleChannels, Slice,
    SliceScatter, SpaceToBatch, SpaceToDepth, StridedSlice, Tile, Transpose, Where,
)  # fmt: skip


def _by_places(builder: NodeBuilder) -> str | None:
    """Find the source position of each element by moving positions instead of elements; 0 is a prepended zero."""
    operator: Any = builder.operator
    if not isinstance(operator, Operator) or not builder.known.is_known:
        return None
    if getattr(operator, "reduction", Reduction.NONE) is not Reduction.NONE:
        return None
    if isinstance(operator, Pad) and operator.mode is PadMode.CONSTANT:
        if not is_zero(typed_value(operator, builder.type(builder.inputs[0]))):
            return None
        operator = replace(operator, value=None)
    builder.check_places(*builder.shape(builder.node.outputs[0]))
    moved, given, end = [], [], 1
    for position, name in enumerate(builder.inputs):
        if _is_read(operator, position):
            value = builder.value(name)
            if value is None:
                return None
            given.append(value)
            continue
        count = math.prod(builder.shape(name))
        builder.check_places(end + count)
        given.append(np.arange(end, end + count).reshape(builder.shape(name)))
        moved.append(name)
        end += count
    (places,) = apply(operator, given, builder.node.subject)
    flat = [_flattened(builder, name) for name in moved]
    if bool((places == 0).any()):
        kind = builder.type(moved[0]).numpy
        zero = np.array([""], object) if kind.hasobject else np.zeros(1, kind)
        flat.insert(0, builder.constant(zero, "zero"))
    else:
        places = places - 1
    whole = builder.add(Concat(0), *flat) if len(flat) > 1 else flat[0]
    return builder.add(Gather(0, 0, OutOfRange.RAISE), whole, builder.constant(np.asarray(places, np.int64), "places"))


def _flattened(builder: NodeBuilder, name: str) -> str:
    shape = builder.shape(name)
    return name if len(shape) == 1 else builder.add(Reshape((math.prod(shape),), Zero.LITERAL), name)


def _is_read(operator: Operator, position: int) -> bool:
    """Whether an operator reads the values of an input, and does not only move them."""
    if isinstance(operator, Where):
        return position == 0
    return position == 1 and isinstance(
        operator, (Gather, GatherElements, GatherND, ScatterUpdate, ScatterElements, ScatterND)
    )


def _copied(builder: NodeBuilder) -> str | None:
    """A Reshape to the sizes that data has copies it, in every dialect that has a Reshape."""
    return builder.add(Reshape(builder.shape(), Zero.LITERAL), *builder.inputs)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite((Split,), "the size of the axis is known", "Slice for each part", "each part is a range", _split_as_slices),
    Rewrite((StridedSlice,), "the number of axes is known", "Slice, Squeeze, Unsqueeze", "that is what its masks say",
            _strided_parts),
    Rewrite((Slice,), "sizes are known, a step is negative", "Slice forwards, Reverse",
            "the same positions, turned round", _slice_backwards, is_direct=True),
    Rewrite((Expand,), "sizes are known", "Reshape, Expand aligned at the last axis",
            "alignments differ only in where axes of 1 are put", _expand_plain),
    Rewrite((Expand,), "sizes are known", "Reshape, Tile", "an axis of 1 repeated", _expand_as_tile),
    Rewrite((Tile,), "sizes are known, up to 64 repeats", "Concat of data with itself", "that is what repeats mean",
            _tile_as_join),
    Rewrite((Pad,), "mode constant, sizes are known, nothing is cropped", "Expand of the value, Concat",
            "blocks of the value around data", _pad_as_join),
    Rewrite(_ALONG, "sizes are known and not 0, no value is filled in", "Gather of constant places along each axis",
            "positions of one axis do not depend on the others", _along_axes),
    Rewrite(_MOVES, "sizes are known, indices and conditions are constants, nothing is reduced",
            "Reshape, Concat and one Gather of constant places", "every element comes from a place that is known",
            _by_places),
    Rewrite((Identity,), "sizes are known", "Reshape to the same sizes",
            "ONNX and OpenVINO have Identity for few types", _copied),
)  # fmt: skip
"""The rows for operators that only move whole elements."""
