"""The shape rules of the operators that move elements to places which shapes and numbers decide."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wherry.dialects.directml.descs import (
    ActivationIdentityOperatorDesc,
    DepthToSpace1OperatorDesc,
    DepthToSpaceOperatorDesc,
    ElementWiseIdentityOperatorDesc,
    ElementWiseIfOperatorDesc,
    FoldOperatorDesc,
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
    UnfoldOperatorDesc,
)
from wherry.dialects.directml.enums import PaddingMode
from wherry.dialects.directml.shapes.common import (
    check_axis,
    check_float_value,
    check_leading_ones,
    check_sizes,
    check_type,
    right_aligned,
)
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import invalid, short
from wherry.faults import Faults


def check_split(desc: SplitOperatorDesc, faults: Faults) -> None:
    """DML_SPLIT_OPERATOR_DESC: equal sizes but on Axis, where the parts sum to the input's."""
    _check_parts("InputTensor", desc.input_tensor, "OutputTensors", desc.output_tensors, desc.axis, faults)


def check_join(desc: JoinOperatorDesc, faults: Faults) -> None:
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


def check_slice(desc: SliceOperatorDesc, faults: Faults) -> None:
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


def check_slice1(desc: Slice1OperatorDesc, faults: Faults) -> None:
    """DML_SLICE1_OPERATOR_DESC: a window inside the input, and an output that it fills.

    The page's limit of the output's sizes lacks the absolute value of the stride.
    """
    windows = zip(desc.input_window_offsets, desc.input_window_sizes, desc.input_window_strides, strict=True)
    for number, (offset, window, stride) in enumerate(windows):
        with faults.collected():
            _check_window(desc, number, offset, window, stride)


def _check_window(desc: Slice1OperatorDesc, number: int, offset: int, window: int, stride: int) -> None:
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


def check_tile(desc: TileOperatorDesc, faults: Faults) -> None:
    """DML_TILE_OPERATOR_DESC: output sizes are the input's times Repeats."""
    for number, count in enumerate(desc.repeats):
        if count == 0:
            faults.add(invalid(f"Repeats[{number}]", 0, "1 and more", "DirectML has no empty tensors"))
    if faults:
        return
    wanted = [size * count for size, count in zip(desc.input_tensor.sizes, desc.repeats, strict=True)]
    check_sizes("OutputTensor", desc.output_tensor, wanted, "InputTensor.Sizes times Repeats")


def check_padding(desc: PaddingOperatorDesc, faults: Faults) -> None:
    """DML_PADDING_OPERATOR_DESC: output sizes; a value that an integer type can hold, where it is read."""
    if desc.padding_mode is PaddingMode.CONSTANT:
        faults.of(check_float_value, "PaddingValue", desc.padding_value, desc.output_tensor.data_type)
    _check_padded(desc)


def check_padding1(desc: Padding1OperatorDesc, faults: Faults) -> None:
    """DML_PADDING1_OPERATOR_DESC: as PADDING; the value has the output's type."""
    faults.of(check_type, "PaddingValueDataType", desc.padding_value_data_type, desc.output_tensor)
    _check_padded(desc)


def _check_padded(desc: PaddingOperatorDesc | Padding1OperatorDesc) -> None:
    paddings = zip(desc.start_padding, desc.input_tensor.sizes, desc.end_padding, strict=True)
    check_sizes("OutputTensor", desc.output_tensor, [sum(parts) for parts in paddings],
                "InputTensor.Sizes plus StartPadding plus EndPadding")  # fmt: skip


def check_depth_to_space(desc: DepthToSpaceOperatorDesc | DepthToSpace1OperatorDesc, faults: Faults) -> None:
    """DML_DEPTH_TO_SPACE_OPERATOR_DESC: channels divide by the square of BlockSize."""
    block, (batch, channels, height, width) = _block(desc.block_size), desc.input_tensor.sizes
    if channels % block**2:
        raise invalid("InputTensor.Sizes[1]", channels, f"multiples of {block**2}", f"BlockSize is {block}")
    check_sizes("OutputTensor", desc.output_tensor, [batch, channels // block**2, height * block, width * block],
                "channels over the square of BlockSize, height and width times it")  # fmt: skip


def check_space_to_depth(desc: SpaceToDepthOperatorDesc | SpaceToDepth1OperatorDesc, faults: Faults) -> None:
    """DML_SPACE_TO_DEPTH_OPERATOR_DESC: height and width divide by BlockSize.

    The page repeats the output sizes of DEPTH_TO_SPACE; these are those of its example and of DirectMLX.
    """
    block, (batch, channels, height, width) = _block(desc.block_size), desc.input_tensor.sizes
    for number, size in ((2, height), (3, width)):
        if size % block:
            faults.add(invalid(f"InputTensor.Sizes[{number}]", size, f"multiples of {block}", "as BlockSize asks"))
    if faults:
        return
    check_sizes("OutputTensor", desc.output_tensor, [batch, channels * block**2, height // block, width // block],
                "channels times the square of BlockSize, height and width over it")  # fmt: skip


def _block(size: int) -> int:
    if size == 0:
        raise invalid("BlockSize", 0, "1 and more")
    return size


def check_reverse_subsequences(desc: ReverseSubsequencesOperatorDesc, faults: Faults) -> None:
    """DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC: one length for each line along Axis."""
    sizes = list(desc.input_tensor.sizes)
    check_axis(desc.axis, len(sizes))
    sizes[desc.axis] = 1
    faults.of(check_sizes, "SequenceLengthsTensor", desc.sequence_lengths_tensor, sizes,
              f"those of InputTensor, but 1 on dimension {desc.axis}, Axis")  # fmt: skip
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")


def check_identity(desc: ElementWiseIdentityOperatorDesc | ActivationIdentityOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC, ACTIVATION_IDENTITY: equal sizes; strides may differ."""
    check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes,
                "those of InputTensor; to repeat a dimension give it its full size and stride 0")  # fmt: skip


def check_if(desc: ElementWiseIfOperatorDesc, faults: Faults) -> None:
    """DML_ELEMENT_WISE_IF_OPERATOR_DESC: equal sizes; strides may differ."""
    for path, tensor in (("ATensor", desc.a_tensor), ("BTensor", desc.b_tensor), ("OutputTensor", desc.output_tensor)):
        faults.of(check_sizes, path, tensor, desc.condition_tensor.sizes,
                  "those of ConditionTensor; to repeat a dimension give it its full size and stride 0")  # fmt: skip


def check_unfold(desc: UnfoldOperatorDesc, faults: Faults) -> None:
    """DML_UNFOLD_OPERATOR_DESC: a column for each window over the input."""
    _check_windows(desc, "InputTensor", desc.input_tensor, "OutputTensor", desc.output_tensor, faults)


def check_fold(desc: FoldOperatorDesc, faults: Faults) -> None:
    """DML_FOLD_OPERATOR_DESC: a column for each window over the output."""
    _check_windows(desc, "OutputTensor", desc.output_tensor, "InputTensor", desc.input_tensor, faults)


def _check_windows(
    desc: UnfoldOperatorDesc | FoldOperatorDesc,
    image_path: str,
    image: BufferTensorDesc,
    columns_path: str,
    columns: BufferTensorDesc,
    faults: Faults,
) -> None:
    """The page wants one DimensionCount for both tensors, but prints others; leading ones change nothing either way."""
    spatial = len(desc.window_sizes)
    for path, tensor, kept in ((image_path, image, spatial + 2), (columns_path, columns, 3)):
        count = tensor.dimension_count
        if count < kept:
            faults.add(invalid(f"{path}.DimensionCount", count, f"{kept} and more",
                               f"batch, channels and windows over {spatial} dimensions"))  # fmt: skip
        else:
            faults.of(check_leading_ones, path, tensor, kept, f"only the last {kept} dimensions count")
    faults.check()
    batch, channels, *sizes = image.sizes[image.dimension_count - spatial - 2 :]
    found = [faults.of(_window_count, desc, image_path, number, size) for number, size in enumerate(sizes)]
    faults.check()
    counts = [count for count in found if count is not None]
    wanted = (batch, channels * math.prod(desc.window_sizes), math.prod(counts))
    why = f"{image_path}'s batch, its channels times WindowSizes, and the product of windows {counts}"
    check_sizes(columns_path, columns, right_aligned(wanted, columns.dimension_count), why)


def _window_count(desc: UnfoldOperatorDesc | FoldOperatorDesc, path: str, number: int, size: int) -> int:
    for name, value in (("WindowSizes", desc.window_sizes), ("Strides", desc.strides), ("Dilations", desc.dilations)):
        if value[number] == 0:
            raise invalid(f"{name}[{number}]", 0, "1 and more")
    padded = desc.start_padding[number] + size + desc.end_padding[number]
    reach = desc.dilations[number] * (desc.window_sizes[number] - 1) + 1
    if reach > padded:
        raise invalid(f"WindowSizes[{number}]", desc.window_sizes[number], f"windows that reach over up to {padded}",
                      f"spatial dimension {number} of {path} has {padded} positions with its padding, the window "
                      f"reaches over {reach}")  # fmt: skip
    return (padded - reach) // desc.strides[number] + 1
