"""The shape rules of operators that cut, join, repeat, pad or reverse along axes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.directml import descs
from wherry.dialects.directml.enums import PaddingMode
from wherry.dialects.directml.shapes.common import (
    check_axis,
    check_float_value,
    check_sizes,
    check_type,
)
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import invalid, short
from wherry.faults import Faults


def check_split(desc: descs.SplitOperatorDesc, faults: Faults) -> None:
    """DML_SPLIT_OPERATOR_DESC: equal sizes but on Axis, where the parts sum to the input's."""
    _check_parts("InputTensor", desc.input_tensor, "OutputTensors", desc.output_tensors, desc.axis, faults)


def check_join(desc: descs.JoinOperatorDesc, faults: Faults) -> None:
    """DML_JOIN_OPERATOR_DESC: equal sizes but on Axis, where the inputs sum to the output's."""
    _check_parts("OutputTensor", desc.output_tensor, "InputTensors", desc.input_tensors, desc.axis, faults)


def _check_parts(
    whole_path: str, whole: BufferTensorDesc, path: str, parts: Sequence[BufferTensorDesc], axis: int, faults: Faults
) -> None:
    check_axis(axis, whole.dimension_count)
    for number, part in enumerate(parts):
        for dim, (size, expected) in enumerate(zip(part.sizes, whole.sizes, strict=True)):
            if dim != axis and size != expected:
                faults.add(invalid(f"{path}[{number}].Sizes[{dim}]", size, f"{expected}, {whole_path}.Sizes[{dim}]",
                                   f"only dimension {axis}, the Axis, may differ"))  # fmt: skip
    given = [part.sizes[axis] for part in parts]
    if sum(given) != whole.sizes[axis]:
        wanted = f"a sum of {whole.sizes[axis]}, {whole_path}.Sizes[{axis}]"
        raise invalid(f"{path}[*].Sizes[{axis}]", short(given), wanted,
                      f"the sum is {sum(given)}: the parts fill the axis exactly")  # fmt: skip


def check_slice(desc: descs.SliceOperatorDesc, faults: Faults) -> None:
    """DML_SLICE_OPERATOR_DESC: Sizes are the output's, and every position lies in the input."""
    faults.of(check_sizes, "OutputTensor", desc.output_tensor, desc.sizes, "Sizes, which are those of the output")
    positions = zip(desc.offsets, desc.sizes, desc.strides, desc.input_tensor.sizes, strict=True)
    for number, (offset, size, stride, length) in enumerate(positions):
        if stride == 0:
            faults.add(invalid(f"Strides[{number}]", 0, "1 and more", "a stride of 0 never moves on; see TILE"))
        last = offset + stride * (size - 1)
        if last >= length:
            place = f"Offsets[{number}] + Strides[{number}] * (Sizes[{number}] - 1)"
            faults.add(invalid(place, last, f"0..{length - 1}",
                               f"InputTensor.Sizes[{number}] is {length}; nothing is clamped"))  # fmt: skip


def check_slice1(desc: descs.Slice1OperatorDesc, faults: Faults) -> None:
    """DML_SLICE1_OPERATOR_DESC: a window inside the input, and an output that it fills.

    The page's limit of the output's sizes lacks the absolute value of the stride.
    """
    windows = zip(desc.input_window_offsets, desc.input_window_sizes, desc.input_window_strides, strict=True)
    for number, (offset, window, stride) in enumerate(windows):
        with faults.collected():
            _check_window(desc, number, offset, window, stride)


def _check_window(desc: descs.Slice1OperatorDesc, number: int, offset: int, window: int, stride: int) -> None:
    length, size = desc.input_tensor.sizes[number], desc.output_tensor.sizes[number]
    if not 1 <= window <= length:
        raise invalid(f"InputWindowSizes[{number}]", window, f"1..{length}", f"InputTensor.Sizes[{number}]")
    if offset + window > length:
        raise invalid(f"InputWindowOffsets[{number}]", offset, f"0..{length - window}",
                      f"the window of {window} positions lies in the input of {length}")  # fmt: skip
    if stride == 0:
        raise invalid(f"InputWindowStrides[{number}]", 0, "any number but 0", "a stride of 0 never moves on")
    most = 1 + (window - 1) // abs(stride)
    if size > most:
        raise invalid(f"OutputTensor.Sizes[{number}]", size, f"1..{most}",
                      f"a window of {window} holds no more with stride {stride}")  # fmt: skip


def check_tile(desc: descs.TileOperatorDesc, faults: Faults) -> None:
    """DML_TILE_OPERATOR_DESC: output sizes are the input's times Repeats."""
    for number, count in enumerate(desc.repeats):
        if count == 0:
            faults.add(invalid(f"Repeats[{number}]", 0, "1 and more", "DirectML has no empty tensors"))
    if faults:
        return
    wanted = [size * count for size, count in zip(desc.input_tensor.sizes, desc.repeats, strict=True)]
    check_sizes("OutputTensor", desc.output_tensor, wanted, "InputTensor.Sizes times Repeats")


def check_padding(desc: descs.PaddingOperatorDesc, faults: Faults) -> None:
    """DML_PADDING_OPERATOR_DESC: output sizes; a value that an integer type can hold, where it is read."""
    if desc.padding_mode is PaddingMode.CONSTANT:
        faults.of(check_float_value, "PaddingValue", desc.padding_value, desc.output_tensor.data_type)
    _check_padded(desc)


def check_padding1(desc: descs.Padding1OperatorDesc, faults: Faults) -> None:
    """DML_PADDING1_OPERATOR_DESC: as PADDING; the value has the output's type."""
    faults.of(check_type, "PaddingValueDataType", desc.padding_value_data_type, desc.output_tensor)
    _check_padded(desc)


def _check_padded(desc: descs.PaddingOperatorDesc | descs.Padding1OperatorDesc) -> None:
    paddings = zip(desc.start_padding, desc.input_tensor.sizes, desc.end_padding, strict=True)
    check_sizes("OutputTensor", desc.output_tensor, [sum(parts) for parts in paddings],
                "InputTensor.Sizes plus StartPadding plus EndPadding")  # fmt: skip


def check_reverse_subsequences(desc: descs.ReverseSubsequencesOperatorDesc, faults: Faults) -> None:
    """DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC: one length for each line along Axis."""
    sizes = list(desc.input_tensor.sizes)
    check_axis(desc.axis, len(sizes))
    sizes[desc.axis] = 1
    faults.of(check_sizes, "SequenceLengthsTensor", desc.sequence_lengths_tensor, sizes,
              f"those of InputTensor, but 1 on dimension {desc.axis}, Axis")  # fmt: skip
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")
