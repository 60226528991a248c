"""Call: one node for DirectML to say; FilledDesc: the description that says it, and what its tensors are bound to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.enums import DataType, FeatureLevel, as_data_type
from wherry.dialects.directml.members import MemberType
from wherry.dialects.directml.schema import SCHEMA
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.directml.validation import validate
from wherry.dialects.refusal import Fault, Refusal
from wherry.errors import InvalidTypeError, UnsupportedError, WherryError
from wherry.tensors import TensorType

Array = NDArray[Any]

DIMENSION_LIMIT = 8
"""DML_TENSOR_DIMENSION_COUNT_MAX1."""


@dataclass(frozen=True)
class Part:
    """A tensor from a byte on."""

    tensor: str
    offset: int


Bound = str | Part | Array
"""What a tensor member is bound to: a tensor of the graph, a part of one, or a constant."""


@dataclass(frozen=True, eq=False)
class FilledDesc:
    """A description, and what each of its tensor members is bound to, by the member's name."""

    desc: OperatorDesc
    bindings: Mapping[str, tuple[Bound, ...]]


Said = FilledDesc | Refusal


@dataclass(frozen=True, eq=False)
class Call:
    """One node: its operator, types and names of its tensors, the values that are known, and the level to say it at."""

    operator: Any
    inputs: Sequence[TensorType]
    outputs: Sequence[TensorType]
    input_names: Sequence[str]
    output_names: Sequence[str]
    values: Sequence[Array | None]
    level: FeatureLevel

    def count(self, name: str, *ndims: int) -> int:
        """Return the DimensionCount for tensors of such ranks: at least what the level asks of the operator."""
        least = max(support.dims[0] for support in SCHEMA[name].row(self.level).support.values())
        return max(least, *ndims)

    def most(self, name: str) -> int:
        """Return the most dimensions that the level takes of the operator."""
        return min(support.dims[-1] for support in SCHEMA[name].row(self.level).support.values())

    def knows(self, name: str) -> bool:
        """Whether the feature level has an operator."""
        return self.level >= SCHEMA[name].rows[0].since

    def filled(self, desc: OperatorDesc, **bindings: Bound | list[Bound]) -> Said:
        """Return a description if DirectML takes it; members not bound here get the node's tensors in order."""
        try:
            validate(desc, self.level)
        except WherryError as error:
            return Refusal.of(error)
        inputs, outputs = iter(self.input_names), iter(self.output_names)
        bound: dict[str, tuple[Bound, ...]] = {}
        for member in desc.tensor_members:
            given = bindings.get(member.field)
            names = outputs if member.is_output else inputs
            if given is None:
                count = len(getattr(desc, member.field)) if member.type is MemberType.TENSORS else 1
                bound[member.name] = tuple(next(names) for _ in range(count))
            else:
                bound[member.name] = tuple(given) if isinstance(given, list) else (given,)
        return FilledDesc(desc, bound)


def tensor(
    tensor_type: TensorType, count: int = 1, sizes: Sequence[int] | None = None, strides: Sequence[int] | None = None
) -> BufferTensorDesc:
    """Return a tensor of a type, with leading dimensions of 1 up to `count`; packed unless `strides` are given."""
    own = not_empty(tensor_type.shape if sizes is None else tuple(sizes))
    ndim = max(count, len(own))
    if ndim > DIMENSION_LIMIT:
        raise UnsupportedError(f"it needs {ndim} dimensions, allowed 1..{DIMENSION_LIMIT}")
    filled = ndim - len(own)
    steps = None if strides is None else (0,) * filled + tuple(strides)
    return BufferTensorDesc(data_type_of(tensor_type), (1,) * filled + own, steps)


def not_empty(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of a tensor. Raises UnsupportedError where it has no elements."""
    if 0 in sizes:
        raise UnsupportedError(
            f"a tensor has sizes {list(sizes)}, allowed sizes from 1 on: DirectML has no empty tensors"
        )
    return sizes


def lacks(tensor_type: TensorType) -> bool:
    """Whether it is a type without DirectML's name, or of elements that share bytes."""
    row = tensor_type.row
    return row is None or row.directml is None or row.bits < 8


def data_type_of(tensor_type: TensorType) -> DataType:
    """Return DirectML's name of an element type. Raises InvalidTypeError where it has none."""
    if lacks(tensor_type):
        dtype = tensor_type.dtype
        raise InvalidTypeError(f"a tensor has dtype {dtype}, allowed the types of DirectML; convert it first")
    return as_data_type(tensor_type.dtype)


def refused(field: str, value: object, allowed: str, why: str) -> Refusal:
    """Return the refusal of a rule that DirectML lacks."""
    return Refusal((Fault(field, f"{field} is {str(value)!r}, allowed {allowed}: {why}", value, allowed),))


def refusal(field: str, words: str, value: object = None) -> Refusal:
    """Return the refusal of anything else."""
    return Refusal((Fault(field, words, value),))
