"""What the shape rules share: sizes against those wanted, axes, leading ones, values that a type can hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wherry.dialects.directml.enums import DataType
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import InvalidTypeError, invalid
from wherry.faults import Faults
from wherry.ops.conversion import integer_range


def check_axis(axis: int, count: int) -> None:
    """Refuse an Axis that the tensors do not have."""
    if axis >= count:
        raise invalid("Axis", axis, f"0..{count - 1}", f"the tensors have {count} dimensions")


def check_sizes(path: str, tensor: BufferTensorDesc, wanted: Sequence[int], why: str) -> None:
    """Refuse a tensor of other sizes than these."""
    faults = Faults()
    for number, (size, expected) in enumerate(zip(tensor.sizes, wanted, strict=True)):
        if size != expected:
            faults.add(
                invalid(f"{path}.Sizes[{number}]", size, str(expected), f"{path}.Sizes are {list(wanted)}: {why}")
            )
    faults.check()


def check_leading_ones(path: str, tensor: BufferTensorDesc, kept: int, why: str) -> None:
    """Refuse sizes other than 1 before the last `kept` dimensions."""
    faults = Faults()
    for number, size in enumerate(tensor.sizes[: tensor.dimension_count - kept]):
        if size != 1:
            faults.add(invalid(f"{path}.Sizes[{number}]", size, "1", why))
    faults.check()


def right_aligned(sizes: Sequence[int], count: int) -> tuple[int, ...]:
    """Return sizes with leading ones up to `count` dimensions."""
    return (1,) * (count - len(sizes)) + tuple(sizes)


def check_type(path: str, given: DataType, output: BufferTensorDesc) -> None:
    """Refuse a scalar of another type than the output's."""
    if given is not output.data_type:
        raise InvalidTypeError(f"{path} is {given.name}, allowed {output.data_type.name}, OutputTensor.DataType")


def check_float_value(path: str, value: float, data_type: DataType) -> None:
    """Refuse a float32 that, cut toward zero, an integer type does not hold; what DirectML makes of it is not told."""
    row = data_type.dtype
    if row is None or not row.is_integer:
        return
    least, most = integer_range(row)
    if not math.isfinite(value) or not least <= math.trunc(value) <= most:
        raise invalid(path, value, f"{least}..{most}", f"it is cut toward zero for {data_type.name}")
