"""Operators that move elements to places which shapes decide, as DirectML's; and layouts as strided copies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.directml.binding import BASE_ALIGNMENT
from wherry.dialects.directml.descs import (
    DepthToSpace1OperatorDesc,
    DepthToSpaceOperatorDesc,
    ElementWiseIdentityOperatorDesc,
    JoinOperatorDesc,
    Padding1OperatorDesc,
    PaddingOperatorDesc,
    ReverseSubsequencesOperatorDesc,
    Slice1OperatorDesc,
    SliceOperatorDesc,
    SpaceToDepth1OperatorDesc,
    SpaceToDepthOperatorDesc,
    SplitOperatorDesc,
    TileOperatorDesc,
)
from wherry.dialects.directml.dxdispatch.draft import Call, data_type_of, refused, tensor
from wherry.dialects.directml.dxdispatch.model import Source
from wherry.dialects.directml.enums import DepthSpaceOrder, PaddingMode
from wherry.dialects.directml.meaning import CHANNEL_ORDERS, PAD_MODES
from wherry.dialects.directml.scalar_union import as_union
from wherry.errors import InvalidTypeError, UnsupportedError
from wherry.layout import Layout, packed_strides
from wherry.ops import ChannelOrder, MixedSigns, PadMode, ReverseSequence, Slice, TooLong
from wherry.ops.element import typed_as
from wherry.ops.rearrange import split_axes
from wherry.tensors import TensorType

Array = NDArray[Any]

_MODES: dict[PadMode, PaddingMode] = {mode: number for number, mode in PAD_MODES.items()}
_ORDERS: dict[ChannelOrder, DepthSpaceOrder] = {order: number for number, order in CHANNEL_ORDERS.items()}


def split(call: Call) -> None:
    """SPLIT, its axis moved by the leading ones."""
    data = call.inputs[0]
    count = call.count("SPLIT", len(data.shape))
    axis = call.operator.axis % len(data.shape) + count - len(data.shape)
    call.emit(SplitOperatorDesc(tensor(data, count), [tensor(kind, count) for kind in call.outputs], axis))


def join(call: Call) -> None:
    """JOIN, its axis moved by the leading ones."""
    whole = call.outputs[0]
    count = call.count("JOIN", len(whole.shape))
    axis = call.operator.axis % len(whole.shape) + count - len(whole.shape)
    call.emit(JoinOperatorDesc([tensor(kind, count) for kind in call.inputs], tensor(whole, count), axis))


def slice_(call: Call) -> None:
    """SLICE, or SLICE1 where a step is negative."""
    emit_slice(call, call.operator, call.inputs[0], call.input_names[0], call.output_names[0])


def emit_slice(call: Call, operator: Slice, data: TensorType, source: str, target: str) -> TensorType:
    """Add the dispatch of a part of a tensor; return the part's type."""
    (part,) = operator.infer([data])
    starts, steps = [0] * len(data.shape), [1] * len(data.shape)
    for axis, start, size, step in operator.ranges(data.shape):
        starts[axis], steps[axis] = start, step if size != 1 else 1
    ndim = max(len(data.shape), 1)
    name = "SLICE" if min(steps, default=1) > 0 else "SLICE1"
    count = call.count(name, ndim)
    filled = count - len(data.shape)
    sizes, starts, steps = [1] * filled + list(part.shape), [0] * filled + starts, [1] * filled + steps
    tensors = (tensor(data, count), tensor(part, count))
    if name == "SLICE":
        call.emit(SliceOperatorDesc(*tensors, starts, sizes, steps), input_tensor=source, output_tensor=target)
        return part
    windows = [(size - 1) * abs(step) + 1 for size, step in zip(sizes, steps, strict=True)]
    walks = zip(starts, windows, steps, strict=True)
    firsts = [start - (window - 1 if step < 0 else 0) for start, window, step in walks]
    call.emit(Slice1OperatorDesc(*tensors, firsts, windows, steps), input_tensor=source, output_tensor=target)
    return part


def strided_slice(call: Call) -> None:
    """The part as a Slice; axes of size 1 that come or go move nothing."""
    data = call.inputs[0]
    parts = [part for part in call.operator.parts(data.shape) if isinstance(part, Slice)]
    if parts:
        emit_slice(call, parts[0], data, call.input_names[0], call.output_names[0])
    else:
        express_layout(call, call.input_names[0], Layout(call.outputs[0].shape), call.outputs[0], call.output_names[0])


def reverse(call: Call) -> None:
    """SLICE1 over the whole input, backwards."""
    data = call.inputs[0]
    axes = call.operator.reversed_axes(len(data.shape))
    count = call.count("SLICE1", len(data.shape))
    filled = count - len(data.shape)
    whole = tensor(data, count)
    steps = [1] * filled + [-1 if axis in axes else 1 for axis in range(len(data.shape))]
    call.emit(Slice1OperatorDesc(whole, whole, [0] * count, whole.sizes, steps))


def tile(call: Call) -> None:
    """TILE, with one number of repeats for each dimension."""
    data, out = call.inputs[0], call.outputs[0]
    _, repeats = call.operator.aligned(data.shape)
    count = call.count("TILE", len(out.shape))
    call.emit(TileOperatorDesc(tensor(data, count), tensor(out, count), [1] * (count - len(repeats)) + list(repeats)))


def pad(call: Call) -> None:
    """PADDING1, or PADDING where the level has no other; what negative pads take away is sliced off."""
    operator, data = call.operator, call.inputs[0]
    pads = operator.pads(len(data.shape))
    crops_first = operator.mode is not PadMode.CONSTANT and operator.mixed_signs is MixedSigns.CROP_FIRST
    added = [(max(begin, 0), max(end, 0)) for begin, end in pads]
    removed = [(max(-begin, 0), max(-end, 0)) for begin, end in pads]
    source, target = call.input_names[0], call.output_names[0]
    if not any(map(any, removed)):
        _emit_pad(call, data, added, source, target)
    elif not any(map(any, added)):
        emit_slice(call, _crop(data.shape, removed), data, source, target)
    elif crops_first:
        crop = _crop(data.shape, removed)
        between = call.temporary("cropped", crop.infer([data])[0])
        _emit_pad(call, emit_slice(call, crop, data, source, between), added, between, target)
    else:
        between = call.temporary("padded", _padded(data, added))
        padded = _emit_pad(call, data, added, source, between)
        emit_slice(call, _crop(padded.shape, removed), padded, between, target)


def _crop(sizes: Sequence[int], removed: Sequence[tuple[int, int]]) -> Slice:
    starts = tuple(begin for begin, _ in removed)
    return Slice(starts, sizes=tuple(max(0, size - sum(ends)) for size, ends in zip(sizes, removed, strict=True)))


def _padded(data: TensorType, added: Sequence[tuple[int, int]]) -> TensorType:
    return data.with_sizes([begin + size + end for size, (begin, end) in zip(data.shape, added, strict=True)])


def _emit_pad(call: Call, data: TensorType, added: Sequence[tuple[int, int]], source: str, target: str) -> TensorType:
    operator, out = call.operator, _padded(data, added)
    typed = call.knows("PADDING1")
    count = call.count("PADDING1" if typed else "PADDING", len(data.shape))
    begins, ends = ([0] * (count - len(data.shape)) + [pair[side] for pair in added] for side in (0, 1))
    tensors = (tensor(data, count), tensor(out, count))
    data_type, mode = data_type_of(data), _MODES[operator.mode]
    value = typed_as("value", operator.value if mode is PaddingMode.CONSTANT else None, data.numpy)
    if typed:
        union = as_union("value", value, data_type)
        desc: Padding1OperatorDesc | PaddingOperatorDesc = Padding1OperatorDesc(
            *tensors, mode, data_type, union, begins, ends
        )
    else:
        desc = PaddingOperatorDesc(*tensors, mode, exact_float("value", value), begins, ends)
    call.emit(desc, input_tensor=source, output_tensor=target)
    return out


def exact_float(field: str, value: Array) -> float:
    """Return an element as a FLOAT member holds it. Raises UnsupportedError where it would become another."""
    number = value.item()
    with np.errstate(over="ignore"):
        held = float(np.float32(number))
    if held != number and not math.isnan(number):
        raise refused(field, number, f"a float32, the nearest is {held}", "this feature level has no typed value")
    return held


def depth_to_space(call: Call) -> None:
    """DEPTH_TO_SPACE1 on four dimensions; other ranks are a copy through strides."""
    _blocks(call, "DEPTH_TO_SPACE", DepthToSpaceOperatorDesc, DepthToSpace1OperatorDesc)


def space_to_depth(call: Call) -> None:
    """SPACE_TO_DEPTH1 on four dimensions; other ranks are a copy through strides."""
    _blocks(call, "SPACE_TO_DEPTH", SpaceToDepthOperatorDesc, SpaceToDepth1OperatorDesc)


def _blocks(
    call: Call,
    name: str,
    plain: type[DepthToSpaceOperatorDesc] | type[SpaceToDepthOperatorDesc],
    ordered: type[DepthToSpace1OperatorDesc] | type[SpaceToDepth1OperatorDesc],
) -> None:
    operator, order = call.operator, _ORDERS[call.operator.order]
    tensors = (tensor(call.inputs[0]), tensor(call.outputs[0]))
    if tensors[0].dimension_count != 4:
        rearrange(call)
    elif call.knows(f"{name}1"):
        call.emit(ordered(*tensors, operator.block_size, order))
    elif order is DepthSpaceOrder.DEPTH_COLUMN_ROW:
        call.emit(plain(*tensors, operator.block_size))
    else:
        rearrange(call)


def rearrange(call: Call) -> None:
    """Axes cut, permuted and merged again: one copy from permuted strides."""
    cuts, order = call.operator.cuts(call.inputs[0].shape)
    _emit_cuts(call, call.inputs[0], cuts, order, call.input_names[0], call.output_names[0])


def _emit_cuts(
    call: Call, data: TensorType, cuts: Sequence[int], order: Sequence[int], source: str, target: str
) -> None:
    express_layout(call, source, split_axes(Layout(data.shape), cuts).permuted(order), data, target)


def batch_to_space(call: Call) -> None:
    """A copy from permuted strides, and a SLICE where edges are cropped."""
    operator, data = call.operator, call.inputs[0]
    blocks, count = operator.blocks, math.prod(operator.blocks)
    cuts = [*blocks, data.shape[0] // count, *data.shape[1:]]
    order = [len(blocks)]
    for number in range(len(blocks)):
        order += [len(blocks) + 1 + number, number]
    whole = data.with_sizes([data.shape[0] // count,
                             *(size * block for size, block in zip(data.shape[1:], blocks, strict=True))])  # fmt: skip
    source, target = call.input_names[0], call.output_names[0]
    if whole.shape == call.outputs[0].shape:
        _emit_cuts(call, data, cuts, order, source, target)
        return
    between = call.temporary("whole", whole)
    _emit_cuts(call, data, cuts, order, source, between)
    emit_slice(call, Slice(operator.begins, sizes=call.outputs[0].shape), whole, between, target)


def space_to_batch(call: Call) -> None:
    """A copy from permuted strides, after a PADDING where there are edges."""
    operator, blocks = call.operator, call.operator.blocks
    data, source = emit_zero_pad(call, call.inputs[0], operator.begins, operator.ends, call.input_names[0])
    cuts = [data.shape[0]]
    for size, block in zip(data.shape[1:], blocks, strict=True):
        cuts += [size // block, block]
    order = [*range(2, len(cuts), 2), 0, *range(1, len(cuts), 2)]
    _emit_cuts(call, data, cuts, order, source, call.output_names[0])


def emit_zero_pad(
    call: Call, data: TensorType, begins: Sequence[int], ends: Sequence[int], source: str
) -> tuple[TensorType, str]:
    """Add the dispatch that puts zeros around a tensor; return type and name of the result. Without any, add none."""
    added = list(zip(begins, ends, strict=True))
    if not any(map(any, added)):
        return data, source
    padded = _padded(data, added)
    target = call.temporary("padded", padded)
    count = call.count("PADDING", len(data.shape))
    filled = [0] * (count - len(data.shape))
    desc = PaddingOperatorDesc(
        tensor(data, count), tensor(padded, count), PaddingMode.CONSTANT, 0.0, [*filled, *begins], [*filled, *ends]
    )
    call.emit(desc, input_tensor=source, output_tensor=target)
    return padded, target


def reverse_sequence(call: Call) -> None:
    """REVERSE_SUBSEQUENCES with the lengths as a constant."""
    data = call.inputs[0]
    time_axis, _, lengths = call.operator.resolve(len(data.shape))
    value = np.minimum(lengths, data.shape[time_axis]).astype(np.uint32)
    kind = TensorType.of(value)
    _emit_reverse(call, call.operator, kind, call.input_names[0], call.constant("lengths", value))


def reverse_by_input(call: Call) -> None:
    """REVERSE_SUBSEQUENCES with the lengths as an input: unsigned, and all of the axis where they exceed it."""
    waiting = dict(call.operator.from_inputs)
    if list(waiting) != ["lengths"]:
        raise UnsupportedError(f"operator is {call.operator}, allowed an input for lengths alone")
    position = waiting["lengths"]
    lengths, data_name = call.inputs[position], call.input_names[1 - position]
    if lengths.numpy.name not in ("uint32", "uint64"):
        raise InvalidTypeError(f"lengths has dtype {lengths.dtype}, allowed uint32, uint64; make it a constant")
    rules = call.operator.resolve({position: np.zeros(lengths.shape, np.uint32)})
    if rules.too_long is not TooLong.CLAMP:
        raise refused("too_long", rules.too_long, "'clamp'",
                      "REVERSE_SUBSEQUENCES knows no other rule; make lengths a constant")  # fmt: skip
    _emit_reverse(call, rules, lengths, data_name, call.input_names[position])


def _emit_reverse(call: Call, operator: ReverseSequence, lengths: TensorType, data_name: str, source: str) -> None:
    """Lengths are read through strides of 0 along the axes that they do not have."""
    out = call.outputs[0]
    axis, axes, shaped = operator.resolve(len(out.shape))
    steps = dict(zip(axes, packed_strides(shaped.shape), strict=True))
    sizes = [1 if number == axis else size for number, size in enumerate(out.shape)]
    count = call.count("REVERSE_SUBSEQUENCES", len(out.shape))
    whole = tensor(out, count)
    read = tensor(lengths, count, sizes, [steps.get(number, 0) for number in range(len(sizes))])
    desc = ReverseSubsequencesOperatorDesc(whole, read, whole, axis + count - len(out.shape))
    call.emit(desc, input_tensor=data_name, sequence_lengths_tensor=source)


def roll(call: Call) -> None:
    """JOIN, once for each axis that is rolled: what lies at its end, then the rest."""
    data = call.inputs[0]
    totals = enumerate(call.operator.totals(len(data.shape)))
    rolled = [(axis, total % data.shape[axis]) for axis, total in totals if total % data.shape[axis]]
    source = call.input_names[0]
    if not rolled:
        express_layout(call, source, Layout(data.shape), data, call.output_names[0])
    for number, (axis, shift) in enumerate(rolled):
        last = number == len(rolled) - 1
        target = call.output_names[0] if last else call.temporary(f"rolled_{axis}", data)
        _emit_roll(call, axis, shift, source, target)
        source = target


def _emit_roll(call: Call, axis: int, shift: int, source: str, target: str) -> None:
    """Add the JOIN of an axis's end and the rest, both read where they lie, or behind a SPLIT.

    A part can be bound where it lies if it begins at a byte that a binding can have.
    """
    data = call.inputs[0]
    count, rest = call.count("JOIN", len(data.shape)), data.shape[axis] - shift
    sizes = [(*data.shape[:axis], size, *data.shape[axis + 1 :]) for size in (rest, shift)]
    place = axis + count - len(data.shape)
    steps = packed_strides(data.shape)
    offset = rest * steps[axis] * data.numpy.itemsize
    if offset % BASE_ALIGNMENT == 0:
        parts = [tensor(data, count, part, steps) for part in sizes]
        bound: list[str | Source] = [Source(source, offset), source]
    else:
        parts = [tensor(data, count, part) for part in sizes]
        names = [call.temporary(f"part_{axis}", data.with_sizes(part)) for part in sizes]
        call.emit(SplitOperatorDesc(tensor(data, count), parts, place), input_tensor=source, output_tensors=names)
        bound = [names[1], names[0]]
    call.emit(JoinOperatorDesc(parts[::-1], tensor(data, count), place), input_tensors=bound, output_tensor=target)


def express_layout(call: Call, source: str, layout: Layout, kind: TensorType, target: str) -> None:
    """Add the copy of what a layout over a packed buffer shows, to a packed buffer: ELEMENT_WISE_IDENTITY.

    Raises UnsupportedError for steps backwards, a start that no binding can have, or more dimensions than the level
    takes.
    """
    if any(stride < 0 for stride in layout.strides):
        raise UnsupportedError(f"strides are {list(layout.strides)}, allowed 0 and more: DirectML's are unsigned; "
                               "put a Reverse or a Slice before")  # fmt: skip
    offset = layout.offset * kind.numpy.itemsize
    if offset % BASE_ALIGNMENT:
        raise UnsupportedError(f"the part starts at byte {offset}, allowed multiples of {BASE_ALIGNMENT}; put a Slice "
                               "before")  # fmt: skip
    if layout.ndim > call.most("ELEMENT_WISE_IDENTITY"):
        layout = layout.merged()
    count = call.count("ELEMENT_WISE_IDENTITY", layout.ndim)
    strides = None if layout.is_row_major else layout.strides
    desc = ElementWiseIdentityOperatorDesc(
        tensor(kind, count, layout.sizes, strides), tensor(kind, count, layout.sizes)
    )
    call.emit(desc, input_tensor=Source(source, offset), output_tensor=target)
