"""How DirectML says operators that move elements to places which shapes decide, and copies from other strides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.directml import descs
from wherry.dialects.directml.binding import BASE_ALIGNMENT
from wherry.dialects.directml.enums import DepthSpaceOrder, PaddingMode
from wherry.dialects.directml.meaning import CHANNEL_ORDERS, PAD_MODES
from wherry.dialects.directml.say.call import Call, Part, Said, data_type_of, refusal, refused, tensor
from wherry.dialects.directml.scalar_union import as_union
from wherry.dialects.refusal import Refusal
from wherry.errors import InvalidTypeError
from wherry.layout import Layout, packed_strides
from wherry.ops import ChannelOrder, PadMode, ReverseSequence, Slice, TooLong
from wherry.ops.element import typed_as
from wherry.tensors import TensorType

Array = NDArray[Any]

_MODES: dict[PadMode, PaddingMode] = {mode: number for number, mode in PAD_MODES.items()}
_ORDERS: dict[ChannelOrder, DepthSpaceOrder] = {order: number for number, order in CHANNEL_ORDERS.items()}


def split(call: Call) -> Said:
    """SPLIT, its axis moved by the leading ones."""
    data = call.inputs[0]
    count = call.count("SPLIT", len(data.shape))
    axis = call.operator.axis % len(data.shape) + count - len(data.shape)
    return call.filled(
        descs.SplitOperatorDesc(tensor(data, count), [tensor(part, count) for part in call.outputs], axis)
    )


def join(call: Call) -> Said:
    """JOIN, its axis moved by the leading ones."""
    whole = call.outputs[0]
    count = call.count("JOIN", len(whole.shape))
    axis = call.operator.axis % len(whole.shape) + count - len(whole.shape)
    return call.filled(
        descs.JoinOperatorDesc([tensor(part, count) for part in call.inputs], tensor(whole, count), axis)
    )


def slice_(call: Call) -> Said:
    """SLICE, or SLICE1 where a step is negative."""
    return _sliced(call, call.operator)


def _sliced(call: Call, operator: Slice) -> Said:
    data = call.inputs[0]
    starts, sizes, steps = operator.spread(data.shape)
    name = "SLICE" if min(steps, default=1) > 0 else "SLICE1"
    count = call.count(name, len(data.shape), 1)
    filled = count - len(data.shape)
    starts, sizes, steps = (0,) * filled + starts, (1,) * filled + sizes, (1,) * filled + steps
    tensors = (tensor(data, count), tensor(data, count, sizes))
    if name == "SLICE":
        return call.filled(descs.SliceOperatorDesc(*tensors, starts, sizes, steps))
    ranges = list(zip(starts, sizes, steps, strict=True))
    windows = [(size - 1) * abs(step) + 1 for _, size, step in ranges]
    firsts = [start + (size - 1) * min(step, 0) for start, size, step in ranges]
    return call.filled(descs.Slice1OperatorDesc(*tensors, firsts, windows, steps))


def strided_slice(call: Call) -> Said:
    """One SLICE, where the rewrite would copy again for axes of size 1 that come or go."""
    parts = [part for part in call.operator.parts(call.inputs[0].shape) if isinstance(part, Slice)]
    return _sliced(call, parts[0]) if parts else copied(call, Layout(call.outputs[0].shape))


def tile(call: Call) -> Said:
    """TILE, with one number of repeats for each dimension."""
    data, out = call.inputs[0], call.outputs[0]
    _, repeats = call.operator.aligned(data.shape)
    count = call.count("TILE", len(out.shape))
    return call.filled(
        descs.TileOperatorDesc(tensor(data, count), tensor(out, count), [1] * (count - len(repeats)) + list(repeats))
    )


def pad(call: Call) -> Said:
    """PADDING1, or PADDING where the level has no other."""
    operator, data, out = call.operator, call.inputs[0], call.outputs[0]
    pads = operator.pads(len(data.shape))
    least = min((count for pair in pads for count in pair), default=0)
    if least < 0:
        return refused("begins, ends", least, "0 and more", "PADDING only adds")
    typed = call.knows("PADDING1")
    count = call.count("PADDING1" if typed else "PADDING", len(data.shape))
    begins, ends = ([0] * (count - len(data.shape)) + [pair[side] for pair in pads] for side in (0, 1))
    tensors = (tensor(data, count), tensor(out, count))
    data_type, mode = data_type_of(data), _MODES[operator.mode]
    value = typed_as("value", operator.value if mode is PaddingMode.CONSTANT else None, data.numpy)
    if typed:
        union = as_union("value", value, data_type)
        return call.filled(descs.Padding1OperatorDesc(*tensors, mode, data_type, union, begins, ends))
    number = exact_float("value", value)
    if isinstance(number, Refusal):
        return number
    return call.filled(descs.PaddingOperatorDesc(*tensors, mode, number, begins, ends))


def exact_float(field: str, value: Array) -> float | Refusal:
    """Return an element as a FLOAT member holds it, or a refusal where it would become another."""
    number: float = value.item()
    with np.errstate(over="ignore"):
        held = float(np.float32(number))
    if held != number and not math.isnan(number):
        return refused(field, number, f"a float32, the nearest is {held}", "this feature level has no typed value")
    return held


def depth_to_space(call: Call) -> Said:
    """DEPTH_TO_SPACE1 on four dimensions."""
    return _blocks(call, "DEPTH_TO_SPACE", descs.DepthToSpaceOperatorDesc, descs.DepthToSpace1OperatorDesc)


def space_to_depth(call: Call) -> Said:
    """SPACE_TO_DEPTH1 on four dimensions."""
    return _blocks(call, "SPACE_TO_DEPTH", descs.SpaceToDepthOperatorDesc, descs.SpaceToDepth1OperatorDesc)


def _blocks(
    call: Call,
    name: str,
    plain: type[descs.DepthToSpaceOperatorDesc] | type[descs.SpaceToDepthOperatorDesc],
    ordered: type[descs.DepthToSpace1OperatorDesc] | type[descs.SpaceToDepth1OperatorDesc],
) -> Said:
    operator, order = call.operator, _ORDERS[call.operator.order]
    tensors = (tensor(call.inputs[0]), tensor(call.outputs[0]))
    if tensors[0].dimension_count != 4:
        return refusal("data", f"data has {tensors[0].dimension_count} dimensions, allowed 4: {name} takes images")
    if call.knows(f"{name}1"):
        return call.filled(ordered(*tensors, operator.block_size, order))
    if order is not DepthSpaceOrder.DEPTH_COLUMN_ROW:
        return refused("order", operator.order, "'blocks_first'", f"{name}1 came with feature level 2.1")
    return call.filled(plain(*tensors, operator.block_size))


def reverse_sequence(call: Call) -> Said:
    """REVERSE_SUBSEQUENCES with the lengths as a constant."""
    data = call.inputs[0]
    time_axis, _, lengths = call.operator.resolve(len(data.shape))
    value = np.minimum(lengths, data.shape[time_axis]).astype(np.uint32)
    return _reversed(call, call.operator, TensorType.of(value), call.input_names[0], value)


def reverse_by_input(call: Call) -> Said:
    """REVERSE_SUBSEQUENCES with the lengths as an input: unsigned, and all of the axis where they exceed it."""
    waiting = dict(call.operator.from_inputs)
    if list(waiting) != ["lengths"]:
        return refusal("operator", f"operator is {call.operator}, allowed an input for lengths alone", call.operator)
    position = waiting["lengths"]
    lengths, data_name = call.inputs[position], call.input_names[1 - position]
    if lengths.numpy.name not in ("uint32", "uint64"):
        raise InvalidTypeError(f"lengths has dtype {lengths.dtype}, allowed uint32, uint64; make it a constant")
    rules = call.operator.resolve({position: np.zeros(lengths.shape, np.uint32)})
    if rules.too_long is not TooLong.CLAMP:
        return refused("too_long", rules.too_long, "'clamp'",
                       "REVERSE_SUBSEQUENCES knows no other rule; make lengths a constant")  # fmt: skip
    return _reversed(call, rules, lengths, data_name, call.input_names[position])


def _reversed(call: Call, operator: ReverseSequence, lengths: TensorType, data_name: str, source: str | Array) -> Said:
    """Lengths are read through strides of 0 along the axes that they do not have."""
    out = call.outputs[0]
    axis, axes, shaped = operator.resolve(len(out.shape))
    steps = dict(zip(axes, packed_strides(shaped.shape), strict=True))
    sizes = [1 if number == axis else size for number, size in enumerate(out.shape)]
    count = call.count("REVERSE_SUBSEQUENCES", len(out.shape))
    whole = tensor(out, count)
    read = tensor(lengths, count, sizes, [steps.get(number, 0) for number in range(len(sizes))])
    desc = descs.ReverseSubsequencesOperatorDesc(whole, read, whole, axis + count - len(out.shape))
    return call.filled(desc, input_tensor=data_name, sequence_lengths_tensor=source)


def roll(call: Call) -> Said:
    """JOIN of the end of an axis and the rest, both read where they lie, if the end begins where a binding can."""
    data = call.inputs[0]
    rolled = call.operator.turns(data.shape)
    if not rolled:
        return copied(call, Layout(data.shape))
    if len(rolled) > 1:
        return refused("axes", len(rolled), "1", "JOIN puts parts together along one axis")
    ((axis, shift),) = rolled
    count, rest = call.count("JOIN", len(data.shape)), data.shape[axis] - shift
    steps = packed_strides(data.shape)
    offset = rest * steps[axis] * data.numpy.itemsize
    if offset % BASE_ALIGNMENT:
        return _misaligned(offset)
    sizes = [(*data.shape[:axis], size, *data.shape[axis + 1 :]) for size in (shift, rest)]
    desc = descs.JoinOperatorDesc(
        [tensor(data, count, part, steps) for part in sizes], tensor(data, count), axis + count - len(data.shape)
    )
    name = call.input_names[0]
    return call.filled(desc, input_tensors=[Part(name, offset), name])


def viewed(call: Call) -> Said:
    """Operators whose output is a mere view of a packed input: ELEMENT_WISE_IDENTITY reads the other strides."""
    ((_, layout),) = call.operator.view([Layout(one.shape) for one in call.inputs])
    return copied(call, layout)


def strided(call: Call) -> Said:
    """AsStrided: ELEMENT_WISE_IDENTITY with strides."""
    return copied(call, call.operator.layout)


def copied(call: Call, layout: Layout) -> Said:
    """ELEMENT_WISE_IDENTITY of what a layout over the packed input shows, to a packed output.

    Steps backwards, a start that no binding can have, and more dimensions than the level takes are refused.
    """
    if any(stride < 0 for stride in layout.strides):
        words = f"strides are {list(layout.strides)}, allowed 0 and more: DirectML's are unsigned; "
        return refusal("operator", words + "put a Reverse or a Slice before", layout.strides)
    data = call.inputs[0]
    offset = layout.offset * data.numpy.itemsize
    if offset % BASE_ALIGNMENT:
        return _misaligned(offset)
    if layout.ndim > call.most("ELEMENT_WISE_IDENTITY"):
        layout = layout.merged()
    count = call.count("ELEMENT_WISE_IDENTITY", layout.ndim)
    strides = None if layout.is_row_major else layout.strides
    desc = descs.ElementWiseIdentityOperatorDesc(
        tensor(data, count, layout.sizes, strides), tensor(data, count, layout.sizes)
    )
    name = call.input_names[0]
    return call.filled(desc, input_tensor=Part(name, offset) if offset else name)


def _misaligned(offset: int) -> Refusal:
    words = f"the part starts at byte {offset}, allowed multiples of {BASE_ALIGNMENT}; put a Slice before"
    return refusal("offset", words, offset)
