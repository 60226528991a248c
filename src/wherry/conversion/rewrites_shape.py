"""Rewrites of operators that only move whole elements: slices, shapes, pads, blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import normalized_axis
from wherry.conversion.draft import Edit, Rewrite
from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Node
from wherry.layout import LIMIT
from wherry.moves import OutOfRange, Reduction
from wherry.ops import (
    BatchToSpace,
    Compress,
    Concat,
    DepthToSpace,
    Expand,
    ExtractImagePatches,
    Flatten,
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
    Squeeze,
    StridedSlice,
    Tile,
    Transpose,
    Unsqueeze,
    Where,
    Zero,
)
from wherry.ops.constant import Constant
from wherry.ops.expand import Alignment
from wherry.ops.rearrange import Rearrangement
from wherry.tensors import TensorType

Array = NDArray[Any]


def _split_by_sizes(edit: Edit) -> Sequence[str] | None:
    operator: Split = edit.operator
    sizes = edit.kind(edit.inputs[0]).sizes
    if sizes is None:
        return None
    parts = operator.part_sizes(sizes[operator.axis])
    if not all(isinstance(part, int) for part in parts) or parts == operator.sizes:
        return None
    return edit.add_all(Split(operator.axis, sizes=tuple(int(part or 0) for part in parts)), *edit.inputs)


def _split_by_sections(edit: Edit) -> Sequence[str] | None:
    operator: Split = edit.operator
    if operator.sizes is None or len(set(operator.sizes)) != 1 or -1 in operator.sizes:
        return None
    edit.shape()
    return edit.add_all(Split(operator.axis, sections=len(operator.sizes)), *edit.inputs)


def _split_as_slices(edit: Edit) -> Sequence[str] | None:
    operator: Split = edit.operator
    sizes = edit.kind(edit.inputs[0]).sizes
    if sizes is None:
        return None
    axis = normalized_axis(operator.axis, len(sizes))
    parts = operator.part_sizes(sizes[axis])
    if not all(isinstance(part, int) for part in parts):
        return None
    results, start = [], 0
    for part in parts:
        end = start + int(part or 0)
        results.append(edit.add(Slice((start,), (end,), (axis,), (1,)), edit.inputs[0]))
        start = end
    return results


def _strided_parts(edit: Edit) -> str | None:
    sizes = edit.kind(edit.inputs[0]).sizes
    if sizes is None:
        return None
    name = edit.inputs[0]
    for part in edit.operator.parts(sizes):
        name = edit.add(part, name)
    return name


def _slice_by_ends(edit: Edit) -> str | None:
    """Write starts and ends as they are after clamping, axes and steps in full."""
    operator: Slice = edit.operator
    entries = operator.ranges(edit.shape())
    ends = [start + int(size or 0) * step for _, start, size, step in entries]
    plain = Slice(
        tuple(start for _, start, _, _ in entries),
        tuple(end if end >= 0 else -LIMIT for end in ends),
        tuple(axis for axis, *_ in entries),
        tuple(step for *_, step in entries),
    )
    return None if plain == operator else edit.add(plain, *edit.inputs)


def _slice_by_sizes(edit: Edit) -> str | None:
    """Write starts and sizes of all axes."""
    operator: Slice = edit.operator
    shape = edit.shape()
    starts, steps, sizes = [0] * len(shape), [1] * len(shape), list(shape)
    for axis, start, size, step in operator.ranges(shape):
        starts[axis], steps[axis], sizes[axis] = start, step if int(size or 0) > 1 else 1, int(size or 0)
    plain = Slice(tuple(starts), None, None, tuple(steps), tuple(sizes))
    return None if plain == operator else edit.add(plain, *edit.inputs)


def _roll_parts(edit: Edit) -> str:
    name, sizes = edit.inputs[0], edit.shape()
    for axis, (size, total) in enumerate(zip(sizes, edit.operator.totals(len(sizes)), strict=True)):
        shift = total % size if size else 0
        if shift:
            last = edit.add(Slice((size - shift,), (size,), (axis,), (1,)), name)
            first = edit.add(Slice((0,), (size - shift,), (axis,), (1,)), name)
            name = edit.add(Concat(axis), last, first)
    return name


def _reverse_other(edit: Edit) -> str | None:
    operator: Reverse = edit.operator
    ndim = edit.kind(edit.inputs[0]).ndim
    if ndim is None:
        return None
    axes = operator.reversed_axes(ndim)
    other = Reverse(axes) if operator.axes is None else Reverse(mask=tuple(axis in axes for axis in range(ndim)))
    return edit.add(other, *edit.inputs)


def _reverse_as_slice(edit: Edit) -> str | None:
    ndim = edit.kind(edit.inputs[0]).ndim
    if ndim is None:
        return None
    axes = edit.operator.reversed_axes(ndim)
    if not axes:
        return edit.inputs[0]
    count = len(axes)
    return edit.add(Slice((-1,) * count, (-LIMIT,) * count, axes, (-1,) * count), *edit.inputs)


def _rearranged(edit: Edit) -> str:
    operator: Rearrangement = edit.operator
    pieces, order = operator.cuts(edit.shape())
    cut = edit.add(Reshape(tuple(pieces), Zero.LITERAL), *edit.inputs)
    turned = edit.add(Transpose(tuple(order)), cut)
    return edit.add(Reshape(edit.shape(edit.node.outputs[0]), Zero.LITERAL), turned)


def _batch_to_space(edit: Edit) -> str:
    operator: BatchToSpace = edit.operator
    sizes, blocks = edit.shape(), operator.blocks
    count = len(blocks)
    batch = sizes[0] // math.prod(blocks)
    cut = edit.add(Reshape((*blocks, batch, *sizes[1:]), Zero.LITERAL), *edit.inputs)
    order = [count]
    for number in range(count):
        order += [count + 1 + number, number]
    whole = [size * block for size, block in zip(sizes[1:], blocks, strict=True)]
    turned = edit.add(Transpose(tuple(order)), cut)
    merged = edit.add(Reshape((batch, *whole), Zero.LITERAL), turned)
    if not any((*operator.begins, *operator.ends)):
        return merged
    ends = [size - end for size, end in zip(whole, operator.ends[1:], strict=True)]
    return edit.add(Slice(operator.begins[1:], tuple(ends), tuple(range(1, count + 1)), (1,) * count), merged)


def _space_to_batch(edit: Edit) -> str:
    operator: SpaceToBatch = edit.operator
    sizes, blocks, name = list(edit.shape()), operator.blocks, edit.inputs[0]
    if any((*operator.begins, *operator.ends)):
        name = edit.add(Pad(operator.begins, operator.ends), name)
        sizes = [sum(entry) for entry in zip(sizes, operator.begins, operator.ends, strict=True)]
    pieces = [sizes[0]]
    for size, block in zip(sizes[1:], blocks, strict=True):
        pieces += [size // block, block]
    cut = edit.add(Reshape(tuple(pieces), Zero.LITERAL), name)
    order = [*range(2, len(pieces), 2), 0, *range(1, len(pieces), 2)]
    return edit.add(Reshape(edit.shape(edit.node.outputs[0]), Zero.LITERAL), edit.add(Transpose(tuple(order)), cut))


def _as_reshape(edit: Edit) -> str | None:
    """Write the sizes of the result; one may be unknown, if the others are more than 0 in product."""
    sizes = edit.kind(edit.node.outputs[0]).sizes
    if sizes is None:
        return None
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes) - 1 or (len(known) < len(sizes) and 0 in known):
        return None
    shape = tuple(size if isinstance(size, int) else -1 for size in sizes)
    found = None
    for zero in Zero:
        plain = Reshape(shape, zero)
        if plain != edit.operator and (zero is Zero.LITERAL or 0 not in shape):
            found = found or edit.try_add(plain, *edit.inputs)
    return found


def _squeeze_listed(edit: Edit) -> str | None:
    operator: Squeeze = edit.operator
    sizes = edit.shape()
    if operator.axes is None or not operator.axes:
        axes = tuple(axis for axis, size in enumerate(sizes) if size == 1) if len(operator.result(sizes) or ()) < len(
            sizes
        ) else ()  # fmt: skip
    else:
        given = dict.fromkeys(normalized_axis(axis, len(sizes)) for axis in operator.axes)
        axes = tuple(axis for axis in given if sizes[axis] == 1)
    if not axes:
        return edit.inputs[0]
    plain = Squeeze(axes)
    return None if plain == operator else edit.add(plain, *edit.inputs)


def _transpose_listed(edit: Edit) -> str | None:
    ndim = edit.kind(edit.inputs[0]).ndim
    if ndim is None:
        return None
    plain = Transpose(edit.operator.order(ndim))
    return None if plain == edit.operator else edit.add(plain, *edit.inputs)


def _expand_plain(edit: Edit) -> str | None:
    """Put axes of 1 where data has none, then repeat."""
    operator: Expand = edit.operator
    sizes, result = edit.shape(), edit.shape(edit.node.outputs[0])
    aligned = [1] * len(result)
    for axis, size in zip(operator.places(len(sizes)), sizes, strict=True):
        aligned[axis] = size
    name = edit.inputs[0]
    if tuple(aligned) != sizes:
        name = edit.add(Reshape(tuple(aligned), Zero.LITERAL), name)
    elif Expand(result, operator.alignment, operator.axes, operator.start) != operator:
        pass
    found = None
    for alignment in (Alignment.TWO_WAY, Alignment.ONE_WAY):
        plain = Expand(result, alignment)
        if plain != operator or name != edit.inputs[0]:
            found = found or edit.try_add(plain, name)
    return found


def _expand_as_tile(edit: Edit) -> str | None:
    operator: Expand = edit.operator
    sizes, result = edit.shape(), edit.shape(edit.node.outputs[0])
    aligned = [1] * len(result)
    for axis, size in zip(operator.places(len(sizes)), sizes, strict=True):
        aligned[axis] = size
    name = edit.inputs[0]
    if tuple(aligned) != sizes:
        name = edit.add(Reshape(tuple(aligned), Zero.LITERAL), name)
    repeats = [1 if size == wanted else wanted for size, wanted in zip(aligned, result, strict=True)]
    return edit.add(Tile(tuple(repeats)), name)


def _tile_plain(edit: Edit) -> str | None:
    operator: Tile = edit.operator
    sizes = edit.kind(edit.inputs[0]).sizes
    if sizes is None:
        return None
    aligned, repeats = operator.aligned(sizes)
    name = edit.inputs[0]
    if len(aligned) > len(sizes):
        name = edit.add(Unsqueeze(tuple(range(len(aligned) - len(sizes)))), name)
    plain = Tile(repeats)
    return None if plain == operator and name == edit.inputs[0] else edit.add(plain, name)


def _tile_as_join(edit: Edit) -> str | None:
    operator: Tile = edit.operator
    sizes = edit.shape()
    aligned, repeats = operator.aligned(sizes)
    if len(aligned) > len(sizes) or 0 in repeats or max(repeats, default=1) > 64:
        return None
    name = edit.inputs[0]
    for axis, count in enumerate(repeats):
        if count > 1:
            name = edit.add(Concat(axis), *[name] * count)
    return name


def _pad_plain(edit: Edit) -> str | None:
    """Crop by Slice first, then pad all axes by a value with a type."""
    operator: Pad = edit.operator
    kind = edit.kind(edit.inputs[0])
    if kind.sizes is None:
        return None
    pads = operator.pads(len(kind.sizes))
    crops = [(axis, -min(begin, 0), -min(end, 0)) for axis, (begin, end) in enumerate(pads) if min(begin, end) < 0]
    if crops and (operator.mode is not PadMode.CONSTANT):
        return None
    name = edit.inputs[0]
    if crops:
        sizes = edit.shape()
        starts, ends = (
            [min(begin, sizes[axis]) for axis, begin, _ in crops],
            [sizes[axis] - end for axis, _, end in crops],
        )
        ranges = list(zip(starts, ends, strict=True))
        if any(start > end for start, end in ranges):
            return None
        axes = tuple(axis for axis, *_ in crops)
        name = edit.add(Slice(tuple(starts), tuple(ends), axes, (1,) * len(axes)), name)
    begins, ends_ = (tuple(max(pair[side], 0) for pair in pads) for side in (0, 1))
    values: list[Any] = [operator.value]
    if operator.mode is PadMode.CONSTANT:
        values = [_typed(operator, kind), operator.value]
        if _is_zero(values[0]):
            values.append(None)
    found = None
    for value in values:
        plain = replace(operator, begins=begins, ends=ends_, axes=None, value=value)
        if plain != operator or name != edit.inputs[0]:
            found = found or edit.try_add(plain, name)
    return found


def _typed(operator: Pad, kind: TensorType) -> Constant:
    from wherry.ops.element import typed_as

    if operator.value is None and kind.numpy.hasobject:
        return Constant(np.array("", object))
    return Constant(typed_as("value", operator.value, kind.numpy))


def _is_zero(value: Constant) -> bool:
    array = value.value
    return bool(array[()] == "") if array.dtype.hasobject else not any(array.tobytes())


def _pad_as_join(edit: Edit) -> str | None:
    """Lay constant blocks of the value around data."""
    operator: Pad = edit.operator
    kind = edit.kind(edit.inputs[0])
    if operator.mode is not PadMode.CONSTANT:
        return None
    sizes = list(edit.shape())
    pads = operator.pads(len(sizes))
    if any(min(pair) < 0 for pair in pads):
        return None
    value, name = _typed(operator, kind).value, edit.inputs[0]
    for axis, (begin, end) in enumerate(pads):
        blocks = []
        for count in (begin, end):
            sides = [*sizes[:axis], count, *sizes[axis + 1 :]]
            one = edit.constant(value.reshape((1,) * len(sizes)), "value") if count else ""
            blocks.append([edit.add(Expand(tuple(sides)), one)] if count else [])
        if begin or end:
            name = edit.add(Concat(axis), *blocks[0], name, *blocks[1])
            sizes[axis] += begin + end
    return name


_ALONG = (Slice, Pad, Tile, Roll, Reverse, Compress)


def _along_axes(edit: Edit) -> str | None:
    """Gather the positions of each axis in turn; all of them are known."""
    operator, sizes = edit.operator, edit.shape()
    result = edit.shape(edit.node.outputs[0])
    if len(result) != len(sizes) or not sizes or 0 in (*sizes, *result):
        return None
    if isinstance(operator, Pad):
        grown = any(begin > 0 or end > 0 for begin, end in operator.pads(len(sizes)))
        if operator.mode is PadMode.CONSTANT and grown:
            return None
        operator = replace(operator, value=None)
    if isinstance(operator, Compress) and operator.axis is None:
        return None
    edit.check_places(*sizes)
    edit.check_places(*result)
    name = edit.inputs[0]
    for axis, size in enumerate(sizes):
        line = np.arange(size).reshape([-1 if number == axis else 1 for number in range(len(sizes))])
        (moved,) = apply(operator, [np.ascontiguousarray(np.broadcast_to(line, sizes))], "conversion")
        places = moved[tuple(slice(None) if number == axis else 0 for number in range(len(sizes)))]
        if not np.array_equal(places, np.arange(size)):
            name = edit.add(Gather(axis), name, edit.constant(places.astype(np.int64), "places"))
    return name


_MOVES = (
    BatchToSpace, Compress, DepthToSpace, Expand, ExtractImagePatches, Gather, GatherElements, GatherND, Im2Col, Pad,
    Reshape, Reverse, ReverseSequence, Roll, ScatterUpdate, ScatterElements, ScatterND, ShuffleChannels, Slice,
    SliceScatter, SpaceToBatch, SpaceToDepth, StridedSlice, Tile, Transpose, Where,
)  # fmt: skip


def _by_places(edit: Edit) -> str | None:
    """Find the place that each element comes from by moving places instead of elements; 0 is a zero laid in front."""
    operator: Any = edit.operator
    if not isinstance(operator, Operator) or not edit.site.is_known:
        return None
    if getattr(operator, "reduction", Reduction.NONE) is not Reduction.NONE:
        return None
    if isinstance(operator, Pad) and operator.mode is PadMode.CONSTANT:
        if not _is_zero(_typed(operator, edit.kind(edit.inputs[0]))):
            return None
        operator = replace(operator, value=None)
    edit.check_places(*edit.shape(edit.node.outputs[0]))
    moved, given, end = [], [], 1
    for position, name in enumerate(edit.inputs):
        if _is_read(operator, position):
            value = edit.value(name) if name not in edit.draft.constants else edit.draft.constants[name]
            if value is None:
                return None
            given.append(value)
            continue
        count = math.prod(edit.shape(name))
        edit.check_places(end + count)
        given.append(np.arange(end, end + count).reshape(edit.shape(name)))
        moved.append(name)
        end += count
    (places,) = apply(operator, given, edit.node.subject)
    flat = [_flattened(edit, name) for name in moved]
    if bool((places == 0).any()):
        kind = edit.kind(moved[0]).numpy
        zero = np.array([""], object) if kind.hasobject else np.zeros(1, kind)
        flat.insert(0, edit.constant(zero, "zero"))
    else:
        places = places - 1
    whole = edit.add(Concat(0), *flat) if len(flat) > 1 else flat[0]
    return edit.add(Gather(0, 0, OutOfRange.RAISE), whole, edit.constant(np.asarray(places, np.int64), "places"))


def _flattened(edit: Edit, name: str) -> str:
    shape = edit.shape(name)
    return name if len(shape) == 1 else edit.add(Reshape((math.prod(shape),), Zero.LITERAL), name)


def _is_read(operator: Operator, position: int) -> bool:
    """Whether an operator reads the values of an input, and does not only move them."""
    if isinstance(operator, Where):
        return position == 0
    return position == 1 and isinstance(
        operator, (Gather, GatherElements, GatherND, ScatterUpdate, ScatterElements, ScatterND)
    )


def _copied(edit: Edit) -> str | None:
    """A Reshape to its own sizes is sayable wherever a Reshape is."""
    return edit.add(Reshape(edit.shape(), Zero.LITERAL), *edit.inputs)


def _as_constant(edit: Edit) -> Sequence[str] | None:
    """Compute what constants and known sizes alone decide."""
    draft = edit.draft
    operator = draft.resolved(edit.node)
    if operator is None:
        return None
    node = Node(operator, edit.node.data_inputs, edit.node.outputs, edit.node.subject)
    types = [edit.kind(name) for name in node.inputs]
    made = operator.fold(types) if all(kind.is_known for kind in types) else None
    if made is None:
        values = [edit.value(name) for name in node.inputs]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        try:
            made = apply(operator, known, node.subject)
        except WherryError:
            return None
    return [edit.constant(value) for value in made]


def _resolved(edit: Edit) -> Sequence[str] | None:
    """Take the fields from values that constants and known sizes decide."""
    operator = edit.draft.resolved(edit.node)
    if operator is None or operator is edit.node.operator:
        return None
    return edit.add_all(operator, *edit.node.data_inputs)


RESHAPES = (Reshape, Squeeze, Unsqueeze, Flatten)

REWRITES: tuple[Rewrite, ...] = (
    Rewrite((object,), "fields are values of inputs that constants and known sizes decide",
            "the same with known fields", "shapes that a model computes are known when its sizes are",
            _resolved, deferred=True),
    Rewrite((Split,), "the size of the axis is known", "Split by sizes", "an uneven division is a rule; sizes are not",
            _split_by_sizes),
    Rewrite((Split,), "all parts have one size", "Split by sections", "equal parts are what sections mean",
            _split_by_sections),
    Rewrite((Split,), "the size of the axis is known", "Slice for each part", "each part is a range", _split_as_slices),
    Rewrite((StridedSlice,), "the number of axes is known", "Slice, Squeeze, Unsqueeze", "that is what its masks say",
            _strided_parts),
    Rewrite((Slice,), "sizes are known", "Slice with starts and ends inside the axes", "then no clamping is left",
            _slice_by_ends, ("onnx", "openvino")),
    Rewrite((Slice,), "sizes are known", "Slice with starts and sizes", "DirectML counts positions", _slice_by_sizes,
            ("directml",)),
    Rewrite((Roll,), "sizes are known", "Slice, Concat", "what leaves at one end comes in at the other", _roll_parts),
    Rewrite((Reverse,), "the number of axes is known", "Reverse with a mask, or with axes", "both say the same",
            _reverse_other, ("openvino",)),
    Rewrite((Reverse,), "the number of axes is known", "Slice with steps of -1", "an axis read backwards",
            _reverse_as_slice),
    Rewrite((ShuffleChannels, DepthToSpace, SpaceToDepth), "sizes are known", "Reshape, Transpose, Reshape",
            "axes are cut, and their pieces change places", _rearranged),
    Rewrite((BatchToSpace,), "sizes are known", "Reshape, Transpose, Reshape, Slice",
            "blocks move from the batch into space, then crops go", _batch_to_space),
    Rewrite((SpaceToBatch,), "sizes are known", "Pad, Reshape, Transpose, Reshape",
            "zeros come, then blocks move from space into the batch", _space_to_batch),
    Rewrite((Squeeze,), "sizes are known", "Squeeze of listed axes", "then no rule about other axes is left",
            _squeeze_listed),
    Rewrite(RESHAPES, "all sizes but one are known", "Reshape to the sizes of the result",
            "only the sizes change", _as_reshape),
    Rewrite((Transpose,), "the number of axes is known", "Transpose with the whole order",
            "a missing order reverses the axes", _transpose_listed),
    Rewrite((Expand,), "sizes are known", "Reshape, Expand aligned at the last axis",
            "alignments differ only in where axes of 1 are put", _expand_plain),
    Rewrite((Expand,), "sizes are known", "Reshape, Tile", "an axis of 1 repeated", _expand_as_tile),
    Rewrite((Tile,), "the number of axes is known", "Unsqueeze, Tile with repeats of all axes",
            "then repeats are as many as axes", _tile_plain),
    Rewrite((Pad,), "the number of axes is known", "Slice for what is cropped, Pad of all axes by a typed value",
            "axes, negative pads and values without a type are not everywhere", _pad_plain),
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
    Rewrite((object,), "constants and known sizes decide the results", "constants", "nothing is left to compute",
            _as_constant, deferred=True),
)  # fmt: skip
"""The rows for operators that only move whole elements, and at the end the one for results that are known."""
