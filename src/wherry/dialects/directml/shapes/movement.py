"""The shape rules of each operator: what its tensors' sizes and its numbers must be to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wherry.dialects.directml.descs import (
    ElementWiseIdentityOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    SplitOperatorDesc,
)
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import invalid


def check_gather(desc: GatherOperatorDesc) -> None:
    """DML_GATHER_OPERATOR_DESC: Axis, IndexDimensions, and right-aligned sizes.

    IndexDimensions may equal DimensionCount, as in the page's first example, against the page's own half-open range.
    """
    axis, index_dims, count = desc.axis, desc.index_dimensions, desc.input_tensor.dimension_count
    _check_axis(axis, count)
    if index_dims > count:
        raise invalid("IndexDimensions", index_dims, f"0..{count}", f"IndicesTensor has {count} dimensions")
    if index_dims > axis + 1:
        raise invalid("IndexDimensions", index_dims, f"0..{axis + 1}, up to Axis + 1",
                      f"the output would need {count - axis - 1 + index_dims} dimensions and has {count}; add leading "
                      "dimensions of size 1 to all tensors and move Axis by as many")  # fmt: skip
    for number, size in enumerate(desc.indices_tensor.sizes[: count - index_dims]):
        if size != 1:
            raise invalid(f"IndicesTensor.Sizes[{number}]", size, "1",
                          f"IndexDimensions is {index_dims}, so only the last {index_dims} dimensions hold indices; "
                          "reshape the indices or raise IndexDimensions")  # fmt: skip
    for number, size in enumerate(desc.input_tensor.sizes[: max(index_dims - 1, 0)]):
        if size != 1:
            raise invalid(f"InputTensor.Sizes[{number}]", size, "1",
                          f"the {index_dims} index dimensions take the place of {index_dims - 1} leading dimensions; "
                          "add leading dimensions of size 1 to all tensors and move Axis by as many, or lower "
                          "IndexDimensions")  # fmt: skip
    _check_sizes("OutputTensor", desc.output_tensor, gather_sizes(desc),
                 "the input's sizes with those of the indices in place of Axis, right-aligned")  # fmt: skip


def gather_sizes(desc: GatherOperatorDesc) -> tuple[int, ...]:
    """Return the output sizes: the natural ones, aligned to the right in DimensionCount places."""
    axis, count = desc.axis, desc.input_tensor.dimension_count
    sizes, indices = desc.input_tensor.sizes, desc.indices_tensor.sizes
    natural = (*sizes[:axis], *indices[count - desc.index_dimensions :], *sizes[axis + 1 :])
    return (1,) * (count - len(natural)) + natural[max(len(natural) - count, 0) :]


def check_split(desc: SplitOperatorDesc) -> None:
    """DML_SPLIT_OPERATOR_DESC: equal sizes but on Axis, where the parts sum to the input's."""
    _check_parts("InputTensor", desc.input_tensor, "OutputTensors", desc.output_tensors, desc.axis)


def check_join(desc: JoinOperatorDesc) -> None:
    """DML_JOIN_OPERATOR_DESC: equal sizes but on Axis, where the inputs sum to the output's."""
    _check_parts("OutputTensor", desc.output_tensor, "InputTensors", desc.input_tensors, desc.axis)


def check_identity(desc: ElementWiseIdentityOperatorDesc) -> None:
    """DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC: equal sizes; strides may differ."""
    _check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes,
                 "those of InputTensor; to repeat a dimension give it its full size and stride 0")  # fmt: skip


CHECKS: Mapping[str, Callable[[Any], None]] = {
    "GATHER": check_gather,
    "SPLIT": check_split,
    "JOIN": check_join,
    "ELEMENT_WISE_IDENTITY": check_identity,
}
"""The shape rules by the operator's name."""


def _check_axis(axis: int, count: int) -> None:
    if axis >= count:
        raise invalid("Axis", axis, f"0..{count - 1}", f"the tensors have {count} dimensions")


def _check_sizes(path: str, tensor: BufferTensorDesc, wanted: Sequence[int], why: str) -> None:
    for number, (size, expected) in enumerate(zip(tensor.sizes, wanted, strict=True)):
        if size != expected:
            raise invalid(f"{path}.Sizes[{number}]", size, str(expected), f"{path}.Sizes are {list(wanted)}: {why}")


def _check_parts(
    whole_path: str, whole: BufferTensorDesc, path: str, parts: Sequence[BufferTensorDesc], axis: int
) -> None:
    _check_axis(axis, whole.dimension_count)
    for number, part in enumerate(parts):
        for dim, (size, expected) in enumerate(zip(part.sizes, whole.sizes, strict=True)):
            if dim != axis and size != expected:
                raise invalid(f"{path}[{number}].Sizes[{dim}]", size, f"{expected}, {whole_path}.Sizes[{dim}]",
                              f"only dimension {axis}, the Axis, may differ")  # fmt: skip
    given = [part.sizes[axis] for part in parts]
    if sum(given) != whole.sizes[axis]:
        raise invalid(f"{path}[*].Sizes[{axis}]", given, f"a sum of {whole.sizes[axis]}, {whole_path}.Sizes[{axis}]",
                      f"the sum is {sum(given)}: the parts fill the axis exactly")  # fmt: skip
