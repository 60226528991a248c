"""validate: whether DirectML takes an operator description at a feature level, and in words why not."""

from __future__ import annotations

from wherry import errors
from wherry.dialects.directml import shapes
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.enums import FeatureLevel, Number, TensorFlags, as_feature_level
from wherry.dialects.directml.members import LevelRow, Member, MemberType, Support
from wherry.dialects.directml.tensor_desc import BufferTensorDesc, calc_buffer_tensor_size
from wherry.errors import InvalidTypeError, UnsupportedError, WherryError, invalid
from wherry.faults import Faults

ELEMENT_LIMIT = 2**32 - 1
"""The most elements of a tensor: DML_BUFFER_TENSOR_DESC, Remarks."""


def validate(desc: OperatorDesc, feature_level: object = "6.4") -> None:
    """Refuse a description that DirectML would refuse at `feature_level`, naming the member, its value and the rule.

    DirectML itself answers every such description with E_INVALIDARG alone. Members are checked in struct order, and one
    error tells all violations, in the class of the first: InvalidTypeError for a data type, InvalidValueError for the
    rest, UnsupportedError for a level before the operator's first. Rules between tensors are checked where each is
    right by itself. Where the specification is open, docs/directml.md says what is refused.

    >>> from wherry.dialects.directml import BufferTensorDesc, SplitOperatorDesc
    >>> whole, part = BufferTensorDesc("FLOAT32", [6]), BufferTensorDesc("FLOAT32", [4])
    >>> validate(SplitOperatorDesc(whole, [part, part], axis=0))
    Traceback (most recent call last):
    ...
    wherry.errors.InvalidValueError: DirectML SPLIT (feature level 6.4): OutputTensors[*].Sizes[0] is [4, 4], \
allowed a sum of 6, InputTensor.Sizes[0]; the sum is 8: the parts fill the axis exactly (DirectML answers E_INVALIDARG)
    """
    if not isinstance(desc, OperatorDesc):
        raise InvalidTypeError(f"desc is a {type(desc).__name__}, allowed an operator description")
    level = as_feature_level(feature_level)
    with errors.subject(desc.subject(level)):
        try:
            _check(desc, desc.row(level), level)
        except WherryError as error:
            error.append(" (DirectML answers E_INVALIDARG)")
            raise


def _check(desc: OperatorDesc, row: LevelRow, level: FeatureLevel) -> None:
    faults = Faults()
    for member in desc.info.members:
        if member.type is MemberType.COUNT:
            _check_count(desc, member, faults)
        faults.of(_check_known, member, getattr(desc, member.field), level)
    for path, member, tensor in desc.tensors:
        faults.of(_check_support, path, tensor, row.support[member.group], level)
        _check_tensor(path, tensor, member, faults)
    _check_alike(desc, faults)
    faults.check()
    with faults.collected():
        shapes.CHECKS[desc.name](desc, faults)
    faults.check()


def _check_count(desc: OperatorDesc, member: Member, faults: Faults) -> None:
    """A count is the length of each array that it counts: of tensors at least 1, of numbers DimensionCount."""
    count = getattr(desc, member.field)
    for array in member.counts:
        length = len(getattr(desc, array.field))
        if length == 0 and array.is_tensor:
            faults.add(invalid(member.name, 0, "1 and more", f"give at least one tensor in {array.name}"))
        elif count != length:
            faults.add(invalid(member.name, count, str(length), f"{array.name} has that many entries"))
    if member.allowed is not None:
        if count not in member.allowed:
            faults.add(
                invalid(
                    member.name,
                    count,
                    f"{member.allowed[0]}..{member.allowed[-1]}",
                    f"{member.counts[0].name} has that many entries",
                )
            )
        return
    if member.counts[0].is_tensor:
        return
    path, _, tensor = desc.tensors[0]
    if count != tensor.dimension_count:
        faults.add(invalid(member.name, count, f"{tensor.dimension_count}, {path}.DimensionCount",
                           "one entry for each dimension"))  # fmt: skip


def _check_known(member: Member, value: object, level: FeatureLevel) -> None:
    """Refuse a number of an enumeration that the feature level does not know yet."""
    if isinstance(value, Number) and level < value.since:
        raise UnsupportedError(
            f"{member.name} is {value.name}, allowed from feature level {value.since} on; "
            "choose another, or a higher level"
        )


def _check_support(path: str, tensor: BufferTensorDesc, support: Support, level: FeatureLevel) -> None:
    """Tensor support: the dimension counts and data types of the feature level."""
    count, dims = tensor.dimension_count, support.dims
    if count not in dims:
        allowed = str(dims[0]) if len(dims) == 1 else f"{dims[0]}..{dims[-1]}"
        advice = "add leading dimensions of size 1" if count < dims[0] else "merge dimensions"
        raise invalid(f"{path}.DimensionCount", count, f"{allowed} at feature level {level}", advice)
    if tensor.data_type.name not in support.types:
        raise InvalidTypeError(
            f"{path}.DataType is {tensor.data_type.name}, allowed {', '.join(support.types)} at feature level {level}"
        )


def _check_tensor(path: str, tensor: BufferTensorDesc, member: Member, faults: Faults) -> None:
    """DML_BUFFER_TENSOR_DESC: sizes, strides, TotalTensorSizeInBytes, alignment, flags."""
    empty = [axis for axis, size in enumerate(tensor.sizes) if size == 0]
    for axis in empty:
        faults.add(invalid(f"{path}.Sizes[{axis}]", 0, "1 and more", "DirectML has no empty tensors; leave it out"))
    if not empty:
        faults.of(_check_reach, path, tensor)
        faults.of(_check_overlap, path, tensor, member)
    faults.of(_check_alignment, path, tensor)
    if member.is_output and tensor.flags & TensorFlags.OWNED_BY_DML:
        faults.add(invalid(f"{path}.Flags", "OWNED_BY_DML", "NONE", "only inputs can be owned by DirectML"))


def _check_reach(path: str, tensor: BufferTensorDesc) -> None:
    """Sizes have up to ELEMENT_LIMIT elements, strides reach over as many, and TotalTensorSizeInBytes holds them."""
    layout = tensor.layout
    if layout.size > ELEMENT_LIMIT:
        raise invalid(f"{path}.Sizes", list(tensor.sizes), f"up to {ELEMENT_LIMIT} elements",
                      f"it has {layout.size}; split the tensor")  # fmt: skip
    if layout.extent > ELEMENT_LIMIT:
        raise invalid(f"{path}.Strides", list(layout.strides), f"a reach of up to {ELEMENT_LIMIT} elements",
                      f"they reach over {layout.extent}; split the tensor")  # fmt: skip
    least = calc_buffer_tensor_size(tensor.data_type, tensor.sizes, tensor.strides)
    if tensor.total_tensor_size_in_bytes < least:
        raise invalid(f"{path}.TotalTensorSizeInBytes", tensor.total_tensor_size_in_bytes, f"{least} and more",
                      "as DMLCalcBufferTensorSize says, which rounds up to a multiple of 4")  # fmt: skip


def _check_overlap(path: str, tensor: BufferTensorDesc, member: Member) -> None:
    layout = tensor.layout
    if member.is_output and layout.extent <= ELEMENT_LIMIT and layout.is_overlapping:
        raise invalid(f"{path}.Strides", list(layout.strides), "strides that give each element its own place",
                      "an output cannot be broadcast or overlap itself")  # fmt: skip


def _check_alignment(path: str, tensor: BufferTensorDesc) -> None:
    alignment, width = tensor.guaranteed_base_offset_alignment, tensor.data_type.bits // 8
    if alignment and (alignment & (alignment - 1) or alignment < width):
        raise invalid(f"{path}.GuaranteedBaseOffsetAlignment", alignment, f"0, or a power of two from {width} on",
                      f"an element has {width} bytes")  # fmt: skip


def _check_alike(desc: OperatorDesc, faults: Faults) -> None:
    """Tensor constraints: one DimensionCount for all tensors, one DataType for the tensors of a group."""
    if not desc.tensors:
        return
    first_path, _, first = desc.tensors[0]
    leaders: dict[str, tuple[str, BufferTensorDesc]] = {}
    for path, member, tensor in desc.tensors:
        if tensor.dimension_count != first.dimension_count and not desc.info.own_counts:
            faults.add(invalid(f"{path}.DimensionCount", tensor.dimension_count,
                               f"{first.dimension_count}, {first_path}.DimensionCount",
                               "all tensors have one; add leading dimensions of size 1 to the smaller"))  # fmt: skip
        leader_path, leader = leaders.setdefault(member.group, (path, tensor))
        if tensor.data_type is not leader.data_type:
            faults.add(InvalidTypeError(f"{path}.DataType is {tensor.data_type.name}, allowed {leader.data_type.name}, "
                                        f"{leader_path}.DataType; nothing is cast"))  # fmt: skip
