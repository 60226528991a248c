"""The shape rules of operators that turn blocks and windows of space into channels and columns, and back."""

from __future__ import annotations

import math

from wherry.dialects.directml import descs
from wherry.dialects.directml.shapes.common import (
    check_leading_ones,
    check_sizes,
    right_aligned,
)
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import invalid
from wherry.faults import Faults


def check_depth_to_space(
    desc: descs.DepthToSpaceOperatorDesc | descs.DepthToSpace1OperatorDesc, faults: Faults
) -> None:
    """DML_DEPTH_TO_SPACE_OPERATOR_DESC: channels divide by the square of BlockSize."""
    block, (batch, channels, height, width) = _block(desc.block_size), desc.input_tensor.sizes
    if channels % block**2:
        raise invalid("InputTensor.Sizes[1]", channels, f"multiples of {block**2}", f"BlockSize is {block}")
    check_sizes("OutputTensor", desc.output_tensor, [batch, channels // block**2, height * block, width * block],
                "channels over the square of BlockSize, height and width times it")  # fmt: skip


def check_space_to_depth(
    desc: descs.SpaceToDepthOperatorDesc | descs.SpaceToDepth1OperatorDesc, faults: Faults
) -> None:
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


def check_unfold(desc: descs.UnfoldOperatorDesc, faults: Faults) -> None:
    """DML_UNFOLD_OPERATOR_DESC: a column for each window over the input."""
    _check_windows(desc, "InputTensor", desc.input_tensor, "OutputTensor", desc.output_tensor, faults)


def check_fold(desc: descs.FoldOperatorDesc, faults: Faults) -> None:
    """DML_FOLD_OPERATOR_DESC: a column for each window over the output."""
    _check_windows(desc, "OutputTensor", desc.output_tensor, "InputTensor", desc.input_tensor, faults)


def _check_windows(
    desc: descs.UnfoldOperatorDesc | descs.FoldOperatorDesc,
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


def _window_count(desc: descs.UnfoldOperatorDesc | descs.FoldOperatorDesc, path: str, number: int, size: int) -> int:
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
