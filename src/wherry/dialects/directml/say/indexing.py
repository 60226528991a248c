"""How DirectML says gathers and scatters: ranks filled with leading ones, rules for bad indices compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

from wherry.arguments import normalized_axis
from wherry.dialects.directml import descs
from wherry.dialects.directml.say.call import Call, Said, data_type_of, refused, tensor
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.refusal import Refusal
from wherry.errors import InvalidTypeError
from wherry.layout import packed_strides
from wherry.moves import Duplicates, Negative, OutOfRange, OutOfRangeWrite, Reduction
from wherry.ops import Window

_INDEX_TYPES = ("INT64", "INT32", "UINT64", "UINT32")


def gather(call: Call) -> Said:
    """Fill all tensors with leading ones to one DimensionCount, and move Axis by as many."""
    data, indices = call.inputs
    axis, batch_dims = call.operator.resolve(len(data.shape), len(indices.shape))
    if batch_dims:
        return _gather_batches(call, axis, batch_dims)
    wrong = _bad_reads(call, "GATHER", [data.shape[axis]])
    if wrong is not None:
        return wrong
    count = call.count("GATHER", len(data.shape), len(indices.shape), len(call.outputs[0].shape))
    return call.filled(
        descs.GatherOperatorDesc(
            tensor(data, count),
            tensor(indices, count),
            tensor(call.outputs[0], count),
            axis + count - len(data.shape),
            len(indices.shape),
        )
    )


def _gather_batches(call: Call, axis: int, batch_dims: int) -> Said:
    """GATHER has no batch dimensions: GATHER_ELEMENTS reads the indices through strides of 0 along the other axes."""
    data = call.inputs[0]
    wrong = _bad_reads(call, "GATHER_ELEMENTS", [data.shape[axis]])
    if wrong is not None:
        return wrong
    indices, count = _beside(call, "GATHER_ELEMENTS", axis, batch_dims)
    return call.filled(
        descs.GatherElementsOperatorDesc(
            tensor(data, count), indices, tensor(data, count, indices.sizes), axis + count - len(data.shape)
        )
    )


def _beside(call: Call, name: str, axis: int, batch_dims: int) -> tuple[BufferTensorDesc, int]:
    """Return indices that name slices as ones that lie beside data, their own axes merged in the place of the axis."""
    data, indices = call.inputs[:2]
    count = call.count(name, len(data.shape))
    length = math.prod(indices.shape[batch_dims:])
    sizes = (*data.shape[:axis], length, *data.shape[axis + 1 :])
    steps = (*packed_strides(indices.shape)[:batch_dims], *(0,) * (axis - batch_dims), 1)
    return tensor(indices, count, sizes, (*steps, *(0,) * (len(sizes) - len(steps)))), count


def gather_elements(call: Call) -> Said:
    """Data as large as the indices off the axis is all that is read, so its description may be cut."""
    data, indices = call.inputs
    axis = normalized_axis(call.operator.axis, len(data.shape))
    wrong = _bad_reads(call, "GATHER_ELEMENTS", [data.shape[axis]])
    if wrong is not None:
        return wrong
    count = call.count("GATHER_ELEMENTS", len(data.shape))
    read = [size if number == axis else indices.shape[number] for number, size in enumerate(data.shape)]
    strides = None if tuple(read) == data.shape else packed_strides(data.shape)
    return call.filled(
        descs.GatherElementsOperatorDesc(
            tensor(data, count, read, strides),
            tensor(indices, count),
            tensor(call.outputs[0], count),
            axis + count - len(data.shape),
        )
    )


def gather_nd(call: Call) -> Said:
    """The counts keep the ranks before filling; merged batch axes only look so."""
    data, indices = call.inputs
    batch, length = call.operator.batch_dims, indices.shape[-1]
    name = "GATHER_ND1" if batch else "GATHER_ND"
    wrong = _bad_reads(call, name, data.shape[batch : batch + length])
    if wrong is not None:
        return wrong
    sizes = (*indices.shape[:-1], *data.shape[batch + length :])
    count = call.count(name, len(data.shape), len(indices.shape), len(sizes))
    tensors = (tensor(data, count), tensor(indices, count), tensor(call.outputs[0], count, sizes))
    counts = (len(data.shape), len(indices.shape))
    return call.filled(
        descs.GatherNd1OperatorDesc(*tensors, *counts, batch)
        if batch
        else descs.GatherNdOperatorDesc(*tensors, *counts)
    )


def scatter_elements(call: Call) -> Said:
    """SCATTER, one of whose names is SCATTER_ELEMENTS."""
    data, indices, updates = call.inputs
    axis = normalized_axis(call.operator.axis, len(data.shape))
    wrong = _bad_writes(call, "SCATTER", [data.shape[axis]])
    if wrong is not None:
        return wrong
    count = call.count("SCATTER", len(data.shape))
    return call.filled(
        descs.ScatterOperatorDesc(
            tensor(data, count),
            tensor(indices, count),
            tensor(updates, count),
            tensor(call.outputs[0], count),
            axis + count - len(data.shape),
        )
    )


def scatter_nd(call: Call) -> Said:
    """The counts keep the ranks before filling."""
    data, indices, updates = call.inputs
    length = indices.shape[-1]
    wrong = _bad_writes(call, "SCATTER_ND", data.shape[:length])
    if wrong is not None:
        return wrong
    sizes = (*indices.shape[:-1], *data.shape[length:])
    count = call.count("SCATTER_ND", len(data.shape), len(indices.shape), len(sizes))
    return call.filled(
        descs.ScatterNdOperatorDesc(
            tensor(data, count),
            tensor(indices, count),
            tensor(updates, count, sizes),
            tensor(call.outputs[0], count),
            len(data.shape),
            len(indices.shape),
        )
    )


def scatter_update(call: Call) -> Said:
    """SCATTER reads the indices through strides of 0 along the axes that they do not have."""
    operator, data = call.operator, call.inputs[0]
    if operator.window is not Window.NONE:
        return refused("window", operator.window, "'none'", "SCATTER addresses single elements")
    axis = normalized_axis(operator.axis, len(data.shape))
    wrong = _bad_writes(call, "SCATTER", [data.shape[axis]])
    if wrong is not None:
        return wrong
    indices, count = _beside(call, "SCATTER", axis, operator.batch_dims)
    updates = tensor(call.inputs[2], count, indices.sizes)
    whole = tensor(data, count)
    return call.filled(descs.ScatterOperatorDesc(whole, indices, updates, whole, axis + count - len(data.shape)))


def _bad_reads(call: Call, name: str, sizes: Sequence[int]) -> Refusal | None:
    """DirectML clamps, and counts negative indices from the end; other rules fit where no index can need them."""
    return _bad_indices(call, name, sizes, (OutOfRange.CLAMP,), OutOfRange.WRAP)


def _bad_writes(call: Call, name: str, sizes: Sequence[int]) -> Refusal | None:
    """DirectML replaces elements; updates outside the axis are left out, as wherry reads its silence."""
    operator = call.operator
    if operator.reduction is not Reduction.NONE:
        return refused("reduction", operator.reduction, "'none'", f"{name} replaces elements")
    if operator.duplicates is not Duplicates.LAST:
        return refused("duplicates", operator.duplicates, "'last'", f"{name} does not look for them")
    return _bad_indices(call, name, sizes, (OutOfRangeWrite.REPORT, OutOfRangeWrite.SKIP), OutOfRangeWrite.WRAP)


def _bad_indices(call: Call, name: str, sizes: Sequence[int], own: Sequence[StrEnum], wrap: StrEnum) -> Refusal | None:
    """Return the rule of indices outside that an operator has and DirectML, whose `own` rules these are, has not."""
    operator, signed = call.operator, _check_index_type(call)
    is_own = operator.out_of_range in own
    if is_own and (operator.negative is Negative.FROM_END or not signed):
        return None
    wraps = operator.negative is Negative.FROM_END or operator.out_of_range is wrap
    if _all_inside(call, sizes, wraps):
        return None
    why = f"{name} knows no other rule; {_would_do(sizes, wraps)}"
    if is_own:
        return refused("negative", operator.negative, "'from_end'", why)
    return refused("out_of_range", operator.out_of_range, " or ".join(repr(str(rule)) for rule in own), why)


def _check_index_type(call: Call) -> bool:
    """Refuse index types that DirectML lacks; return whether they are signed."""
    indices = call.inputs[1]
    if data_type_of(indices).name not in _INDEX_TYPES:
        raise InvalidTypeError(
            f"indices has dtype {indices.dtype}, allowed {', '.join(_INDEX_TYPES)}; convert it first"
        )
    return indices.numpy.kind == "i"


def _all_inside(call: Call, sizes: Sequence[int], wraps: bool) -> bool:
    """Whether the indices are known and all mean the same under every rule."""
    constant = call.values[1]
    if constant is None:
        return False
    if constant.size == 0:
        return True
    columns = constant.reshape(-1, len(sizes))
    return all(
        (-size if wraps else 0) <= columns[:, number].min() and columns[:, number].max() < size
        for number, size in enumerate(sizes)
    )


def _would_do(sizes: Sequence[int], wraps: bool) -> str:
    ranges = ", ".join(f"{-size if wraps else 0} to {size - 1}" for size in sizes)
    return f"indices that are constants from {ranges} would do as well"
