"""The shape rules of gathers and scatters."""

from __future__ import annotations

from wherry.dialects.directml import descs
from wherry.dialects.directml.shapes.common import check_axis, check_leading_ones, check_sizes, right_aligned
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import invalid
from wherry.faults import Faults


def check_gather(desc: descs.GatherOperatorDesc, faults: Faults) -> None:
    """DML_GATHER_OPERATOR_DESC: Axis, IndexDimensions, and right-aligned sizes.

    IndexDimensions may equal DimensionCount, as in the page's first example, against the page's own half-open range.
    """
    axis, index_dims, count = desc.axis, desc.index_dimensions, desc.input_tensor.dimension_count
    faults.of(check_axis, axis, count)
    if index_dims > count:
        raise invalid("IndexDimensions", index_dims, f"0..{count}", f"IndicesTensor has {count} dimensions")
    if axis < count and index_dims > axis + 1:
        raise invalid("IndexDimensions", index_dims, f"0..{axis + 1}, up to Axis + 1",
                      f"the output would need {count - axis - 1 + index_dims} dimensions and has {count}; add leading "
                      "dimensions of size 1 to all tensors and move Axis by as many")  # fmt: skip
    faults.of(check_leading_ones, "IndicesTensor", desc.indices_tensor, index_dims,
              f"IndexDimensions is {index_dims}, so only the last {index_dims} dimensions hold indices; "
              "reshape the indices or raise IndexDimensions")  # fmt: skip
    filled = max(index_dims - 1, 0)
    faults.of(check_leading_ones, "InputTensor", desc.input_tensor, count - filled,
              f"the {index_dims} index dimensions take the place of {filled} leading dimensions; "
              "add leading dimensions of size 1 to all tensors and move Axis by as many, or lower "
              "IndexDimensions")  # fmt: skip
    if not faults:
        check_sizes("OutputTensor", desc.output_tensor, gather_sizes(desc),
                    "the input's sizes with those of the indices in place of Axis, right-aligned")  # fmt: skip


def gather_sizes(desc: descs.GatherOperatorDesc) -> tuple[int, ...]:
    """Return the output sizes: the natural ones, aligned to the right in DimensionCount places."""
    axis, count = desc.axis, desc.input_tensor.dimension_count
    sizes, indices = desc.input_tensor.sizes, desc.indices_tensor.sizes
    natural = (*sizes[:axis], *indices[count - desc.index_dimensions :], *sizes[axis + 1 :])
    return right_aligned(natural[max(len(natural) - count, 0) :], count)


def check_gather_elements(desc: descs.GatherElementsOperatorDesc, faults: Faults) -> None:
    """DML_GATHER_ELEMENTS_OPERATOR_DESC: the indices have the input's sizes but on Axis, the output theirs."""
    sizes = list(desc.input_tensor.sizes)
    check_axis(desc.axis, len(sizes))
    sizes[desc.axis] = desc.indices_tensor.sizes[desc.axis]
    faults.of(check_sizes, "IndicesTensor", desc.indices_tensor, sizes,
              f"those of InputTensor but on dimension {desc.axis}, Axis")  # fmt: skip
    check_sizes("OutputTensor", desc.output_tensor, desc.indices_tensor.sizes, "those of IndicesTensor")


def check_scatter(desc: descs.ScatterOperatorDesc, faults: Faults) -> None:
    """DML_SCATTER_OPERATOR_DESC: updates as indices, output as input.

    On the dimensions other than Axis the page wants the input's sizes; DirectML takes smaller ones, as one of its
    engineers tells (webnn-baseline#105), and so does wherry.
    """
    sizes = desc.input_tensor.sizes
    faults.of(check_axis, desc.axis, len(sizes))
    for number, (size, most) in enumerate(zip(desc.indices_tensor.sizes, sizes, strict=True)):
        if desc.axis < len(sizes) and number != desc.axis and size > most:
            faults.add(invalid(f"IndicesTensor.Sizes[{number}]", size, f"1..{most}, InputTensor.Sizes[{number}]",
                               f"only dimension {desc.axis}, the Axis, may be larger than the input's"))  # fmt: skip
    faults.of(check_sizes, "UpdatesTensor", desc.updates_tensor, desc.indices_tensor.sizes, "those of IndicesTensor")
    check_sizes("OutputTensor", desc.output_tensor, sizes, "those of InputTensor")


def check_gather_nd(desc: descs.GatherNdOperatorDesc | descs.GatherNd1OperatorDesc, faults: Faults) -> None:
    """DML_GATHER_ND(1)_OPERATOR_DESC: the counts, the length of the tuples, and right-aligned sizes."""
    batch = desc.batch_dimension_count if isinstance(desc, descs.GatherNd1OperatorDesc) else 0
    check_sizes("OutputTensor", desc.output_tensor, tuple_sizes(desc, batch),
                "the indices' without the last, then what the tuples leave of the input's, right-aligned")  # fmt: skip


def check_scatter_nd(desc: descs.ScatterNdOperatorDesc, faults: Faults) -> None:
    """DML_SCATTER_ND_OPERATOR_DESC: as GATHER_ND, with the updates in the place of its output."""
    faults.of(check_sizes, "OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")
    check_sizes("UpdatesTensor", desc.updates_tensor, tuple_sizes(desc, 0),
                "the indices' without the last, then what the tuples leave of the input's, right-aligned")  # fmt: skip


def tuple_sizes(
    desc: descs.GatherNdOperatorDesc | descs.GatherNd1OperatorDesc | descs.ScatterNdOperatorDesc, batch: int
) -> tuple[int, ...]:
    """Return the sizes of what tuples of indices name, in DimensionCount places.

    The slices begin behind batch and tuple, counted from the input's own first dimension, as in the page's example and
    in DirectMLX; the page's formula counts them from the end of the tuple. Raises InvalidValueError for wrong counts.
    """
    count = desc.input_tensor.dimension_count
    faults = Faults()
    data = faults.of(_real_sizes, "InputTensor", desc.input_tensor, "InputDimensionCount", desc.input_dimension_count)
    indices = faults.of(
        _real_sizes, "IndicesTensor", desc.indices_tensor, "IndicesDimensionCount", desc.indices_dimension_count
    )
    faults.check()
    assert data is not None, "it has raised"
    assert indices is not None, "it has raised"
    _check_batch(batch, data, indices)
    length, most = indices[-1], len(data) - batch
    if length > most:
        behind = f" behind {batch} batch dimensions" if batch else ""
        raise invalid(f"IndicesTensor.Sizes[{count - 1}]", length, f"1..{most}",
                      f"InputDimensionCount is {len(data)}: tuples name up to {most} coordinates{behind}")  # fmt: skip
    natural = (*indices[:-1], *data[batch + length :])
    if len(natural) > count:
        raise invalid("IndicesDimensionCount", len(indices), f"1..{count + 1 - len(data) + batch + length}",
                      f"the output would need {len(natural)} dimensions and has {count}; add leading dimensions of "
                      "size 1 to all tensors")  # fmt: skip
    return right_aligned(natural, count)


def _real_sizes(path: str, tensor: BufferTensorDesc, member: str, kept: int) -> tuple[int, ...]:
    """Return the sizes of the last `kept` dimensions; the count may be that of the tensor itself."""
    count = tensor.dimension_count
    if not 1 <= kept <= count:
        raise invalid(member, kept, f"1..{count}", f"{path} has {count} dimensions")
    check_leading_ones(path, tensor, kept, f"{member} is {kept}, so only the last {kept} dimensions count")
    return tensor.sizes[count - kept :]


def _check_batch(batch: int, data: tuple[int, ...], indices: tuple[int, ...]) -> None:
    most = min(len(data), len(indices)) - 1
    if batch > most:
        raise invalid("BatchDimensionCount", batch, f"0..{most}",
                      "below InputDimensionCount and IndicesDimensionCount")  # fmt: skip
    for number, (size, expected) in enumerate(zip(indices[:batch], data, strict=False)):
        if size != expected:
            raise invalid(f"size of batch dimension {number} of IndicesTensor", size, str(expected),
                          "that of InputTensor: the batch dimensions are shared")  # fmt: skip
