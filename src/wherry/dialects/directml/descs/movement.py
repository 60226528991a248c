"""The operator descriptions: one frozen dataclass for each DML_*_OPERATOR_DESC, members in struct order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from wherry import errors
from wherry.dialects.directml.enums import FeatureLevel, as_uint
from wherry.dialects.directml.table import TABLE, Kind, Member, OperatorInfo, snake_case
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.errors import InvalidTypeError, invalid
from wherry.ops.operator import set_fields


@dataclass(frozen=True)
class ScaleBias:
    """DML_SCALE_BIAS: `x * scale + bias`; both are rounded to float32, as the C struct holds them.

    >>> ScaleBias(2, 0.1)
    ScaleBias(scale=2.0, bias=0.10000000149011612)
    """

    scale: float
    bias: float

    def __post_init__(self) -> None:
        with errors.subject("DirectML ScaleBias"):
            set_fields(self, scale=_float32("Scale", self.scale), bias=_float32("Bias", self.bias))


@dataclass(frozen=True)
class OperatorDesc:
    """What all operator descriptions share; the table of operators says which members each has.

    Here is refused only what the C struct cannot hold; `validate` checks the rules of a feature level.
    """

    name: ClassVar[str] = ""
    """DirectML's name without the prefix DML_OPERATOR_."""

    def __post_init__(self) -> None:
        with errors.subject(f"DirectML {self.name}"):
            values: dict[str, Any] = {member.field: getattr(self, member.field, None) for member in self.info.members}
            for member in self.info.members:
                values[member.field] = _member_value(member, values[member.field])
            for member in self.info.members:
                if member.kind is Kind.COUNT and values[member.field] is None:
                    values[member.field] = len(values[snake_case(member.counts)])
            set_fields(self, **values)

    @property
    def info(self) -> OperatorInfo:
        """The operator's row in the table."""
        return TABLE[self.name]

    def subject(self, level: FeatureLevel) -> str:
        """Return who speaks in errors: `DirectML GATHER (feature level 3.0)`."""
        return f"DirectML {self.name} (feature level {level})"

    @cached_property
    def tensors(self) -> tuple[tuple[str, Member, BufferTensorDesc], ...]:
        """Every tensor in binding order: its path (`OutputTensors[1]`), its member, and its description."""
        return tuple(self._tensors())

    def _tensors(self) -> Iterator[tuple[str, Member, BufferTensorDesc]]:
        for member in self.info.tensors:
            value = getattr(self, member.field)
            if member.kind is Kind.TENSORS:
                yield from ((f"{member.name}[{number}]", member, desc) for number, desc in enumerate(value))
            elif value is not None:
                yield member.name, member, value


@dataclass(frozen=True)
class GatherOperatorDesc(OperatorDesc):
    """`output[lead, j.., trail] = input[lead, indices[j..], trail]`, the indexed axis replaced by the indices' shape.

    All tensors have one DimensionCount: smaller ones get leading dimensions of 1, and only the last `index_dimensions`
    of the indices count. Bad indices are clamped to the axis; from feature level 3_0 on, negative ones of a signed type
    count from the end. Specification: DML_GATHER_OPERATOR_DESC.

    >>> tensor = BufferTensorDesc
    >>> GatherOperatorDesc(tensor("FLOAT32", [4]), tensor("UINT32", [5]), tensor("FLOAT32", [5]), 0, 1).axis
    0
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: int
    index_dimensions: int

    name: ClassVar[str] = "GATHER"


@dataclass(frozen=True)
class SplitOperatorDesc(OperatorDesc):
    """`outputs[k][c] = input[c with c[axis] + start(k)]`: the input cut along `axis` into parts that fill it exactly.

    `output_count=None` is the number of outputs. Specification: DML_SPLIT_OPERATOR_DESC.

    >>> whole, half = BufferTensorDesc("FLOAT32", [6]), BufferTensorDesc("FLOAT32", [3])
    >>> SplitOperatorDesc(whole, [half, half], axis=0).output_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensors: Sequence[BufferTensorDesc]
    axis: int
    output_count: int | None = None

    name: ClassVar[str] = "SPLIT"


@dataclass(frozen=True)
class JoinOperatorDesc(OperatorDesc):
    """`output[c with c[axis] + start(k)] = inputs[k][c]`: the inputs laid end to end along `axis`.

    `input_count=None` is the number of inputs. Specification: DML_JOIN_OPERATOR_DESC.

    >>> half, whole = BufferTensorDesc("FLOAT32", [3]), BufferTensorDesc("FLOAT32", [6])
    >>> JoinOperatorDesc([half, half], whole, axis=0).input_count
    2
    """

    input_tensors: Sequence[BufferTensorDesc]
    output_tensor: BufferTensorDesc
    axis: int
    input_count: int | None = None

    name: ClassVar[str] = "JOIN"


@dataclass(frozen=True)
class ElementWiseIdentityOperatorDesc(OperatorDesc):
    """`output[c] = input[c]`, from any strides to any strides; with a `scale_bias`, `input[c] * Scale + Bias`.

    The output may be bound over the input. Specification: DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC.

    >>> transposed = BufferTensorDesc("INT32", [3, 2], strides=[1, 3])
    >>> ElementWiseIdentityOperatorDesc(transposed, BufferTensorDesc("INT32", [3, 2])).scale_bias is None
    True
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    scale_bias: ScaleBias | None = None

    name: ClassVar[str] = "ELEMENT_WISE_IDENTITY"


DESCS: dict[str, type[OperatorDesc]] = {
    kind.name: kind
    for kind in (GatherOperatorDesc, SplitOperatorDesc, JoinOperatorDesc, ElementWiseIdentityOperatorDesc)
}
"""Every operator description by the operator's name."""


def _float32(field: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise InvalidTypeError(f"{field} is {value!r}, allowed a number of float32's range") from None
    with np.errstate(over="ignore"):
        rounded = float(np.float32(number))
    if np.isinf(rounded) and not np.isinf(number):
        raise invalid(field, number, "numbers of float32's range")
    return rounded


def _member_value(member: Member, value: Any) -> object:
    """Return a member's value as the struct holds it; None is a count that is still to be taken."""
    if member.kind is Kind.TENSORS:
        if isinstance(value, BufferTensorDesc) or not hasattr(value, "__iter__"):
            raise InvalidTypeError(f"{member.name} is {value!r}, allowed a sequence of BufferTensorDesc")
        tensors = tuple(value)
        for number, tensor in enumerate(tensors):
            _check_tensor(f"{member.name}[{number}]", tensor)
        return tensors
    if value is None and member.optional:
        return None
    if member.kind is Kind.TENSOR:
        _check_tensor(member.name, value)
        return value
    if member.kind is Kind.COUNT:
        return None if value is None else as_uint(member.name, value)
    if member.kind is Kind.SCALE_BIAS:
        if not isinstance(value, ScaleBias):
            raise InvalidTypeError(f"{member.name} is {value!r}, allowed a ScaleBias or None")
        return value
    return as_uint(member.name, value)


def _check_tensor(path: str, value: object) -> None:
    if not isinstance(value, BufferTensorDesc):
        raise InvalidTypeError(f"{path} is {value!r}, allowed a BufferTensorDesc")
