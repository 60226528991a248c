"""A DispatchModel in the making, and one node of a graph that is being expressed in it."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.dxdispatch.model import Dispatch, Dispatchable, Resource, Source
from wherry.dialects.directml.enums import DataType, FeatureLevel, as_data_type
from wherry.dialects.directml.members import MemberType
from wherry.dialects.directml.schema import SCHEMA
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.directml.validation import validate
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, UnsupportedError
from wherry.tensors import TensorType

Array = NDArray[Any]
Bound = str | Source | Sequence[str | Source]
"""What a tensor member is bound to: a resource, from a byte on, or several for an array member."""

DIMENSION_LIMIT = 8
"""DML_TENSOR_DIMENSION_COUNT_MAX1."""


class Draft:
    """Resources, dispatchables and commands; resources appear when a dispatch names them.

    `reserved` are the names of the graph's tensors.
    """

    def __init__(self, level: FeatureLevel, reserved: Iterable[str]) -> None:
        self.level = level
        self.reserved = frozenset(reserved)
        self.resources: dict[str, Resource] = {}
        self.dispatchables: dict[str, Dispatchable] = {}
        self.commands: list[Dispatch] = []

    def resource(self, name: str, kind: TensorType, value: Array | None = None) -> None:
        """Add a buffer for a tensor, with zeros or a value; nothing if it is there."""
        if name in self.resources:
            return
        with speaking(f"tensor {name!r}"):
            data_type, sizes = data_type_of(kind), _not_empty(kind.shape)
        count = math.prod(sizes)
        values = np.broadcast_to(np.zeros((), kind.numpy), (count,)) if value is None else value.ravel()
        self.resources[name] = Resource(name, data_type, values, -(-values.nbytes // 4) * 4)

    def extra(self, name: str, kind: TensorType, value: Array | None = None) -> str:
        """Add a buffer that no tensor of the graph is, and return its name."""
        unique = _unused(name, self.resources.keys() | self.reserved)
        self.resource(unique, kind, value)
        return unique

    def dispatch(self, title: str, desc: OperatorDesc, bindings: Mapping[str, tuple[Source, ...]]) -> None:
        """Add an operator and the command that runs it."""
        name = _unused(title, self.dispatchables)
        self.dispatchables[name] = Dispatchable(name, desc)
        self.commands.append(Dispatch(name, bindings))

    def pruned(
        self, inputs: Sequence[str], outputs: Sequence[str]
    ) -> tuple[list[Resource], list[Dispatchable], list[Dispatch]]:
        """Return what the outputs need, and all inputs."""
        needed, kept = set(outputs), list[Dispatch]()
        for command in reversed(self.commands):
            written = self._bound(command, is_output=True)
            if needed.intersection(written):
                kept.append(command)
                needed |= written | self._bound(command, is_output=False)
        names = {command.dispatchable for command in kept}
        return (
            [resource for name, resource in self.resources.items() if name in needed or name in inputs],
            [dispatchable for name, dispatchable in self.dispatchables.items() if name in names],
            list(reversed(kept)),
        )

    def _bound(self, command: Dispatch, *, is_output: bool) -> set[str]:
        """Return the resources that a dispatch writes, or reads."""
        members = self.dispatchables[command.dispatchable].desc.tensor_members
        bound = (command.bindings[member.name] for member in members if member.is_output is is_output)
        return {source.resource for sources in bound for source in sources}


def _unused(name: str, names: Container[str]) -> str:
    number = 2
    unique = name
    while unique in names:
        unique, number = f"{name}_{number}", number + 1
    return unique


class Known(Protocol):
    """What is known of a graph's tensors before a run."""

    def of(self, name: str) -> Array | None:
        """Return the value of a tensor that inputs do not decide, else None."""

    def make(self, name: str, draft: Draft) -> None:
        """Add the buffer of a tensor of the graph, with its value if it is a constant."""


@dataclass
class Call:
    """One node to express: its operator, types and names of its tensors, and the values that are known."""

    operator: Any
    title: str
    inputs: Sequence[TensorType]
    outputs: Sequence[TensorType]
    input_names: Sequence[str]
    output_names: Sequence[str]
    draft: Draft
    values: Known

    @property
    def level(self) -> FeatureLevel:
        """The feature level to write for."""
        return self.draft.level

    def value(self, position: int) -> Array | None:
        """Return the value of an input, where it can be known without a run."""
        return self.values.of(self.input_names[position])

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

    def constant(self, what: str, value: Array) -> str:
        """Add a buffer that holds a value, and return its name."""
        return self.draft.extra(f"{self.output_names[0]}_{what}", TensorType.of(value), value)

    def temporary(self, what: str, kind: TensorType) -> str:
        """Add a buffer between two dispatches, and return its name."""
        return self.draft.extra(f"{self.output_names[0]}_{what}", kind)

    def emit(self, desc: OperatorDesc, **bindings: Bound) -> None:
        """Add a dispatch; members that are not bound here get the node's inputs and outputs in order.

        Raises what `validate` raises for the description.
        """
        validate(desc, self.level)
        inputs, outputs = iter(self.input_names), iter(self.output_names)
        bound: dict[str, tuple[Source, ...]] = {}
        for member in desc.tensor_members:
            given = bindings.get(member.field)
            if given is None:
                names = outputs if member.is_output else inputs
                count = len(getattr(desc, member.field)) if member.type is MemberType.TENSORS else 1
                given = [next(names) for _ in range(count)]
            bound[member.name] = _as_sources(given)
        for sources in bound.values():
            for source in sources:
                self.values.make(source.resource, self.draft)
        self.draft.dispatch(f"{desc.name.lower()}_{self.title}", desc, bound)


def _as_sources(given: Bound) -> tuple[Source, ...]:
    if isinstance(given, Source):
        return (given,)
    each = [given] if isinstance(given, str) else given
    return tuple(one if isinstance(one, Source) else Source(one) for one in each)


@contextmanager
def speaking(subject: str) -> Iterator[None]:
    """Name who cannot be expressed; what DirectML itself says of a description stays."""
    try:
        yield
    except errors.WherryError as error:
        inner = error.subject if error.subject and error.subject.startswith("DirectML") else "DirectML"
        error.subject = f"{subject} as {inner}"
        raise


def tensor(
    kind: TensorType, count: int = 1, sizes: Sequence[int] | None = None, strides: Sequence[int] | None = None
) -> BufferTensorDesc:
    """Return a tensor of a type, with leading dimensions of 1 up to `count`; packed unless `strides` are given."""
    own = _not_empty(kind.shape if sizes is None else tuple(sizes))
    ndim = max(count, len(own))
    if ndim > DIMENSION_LIMIT:
        raise UnsupportedError(f"it needs {ndim} dimensions, allowed 1..{DIMENSION_LIMIT}")
    filled = ndim - len(own)
    steps = None if strides is None else (0,) * filled + tuple(strides)
    return BufferTensorDesc(data_type_of(kind), (1,) * filled + own, steps)


def _not_empty(sizes: tuple[int, ...]) -> tuple[int, ...]:
    if 0 in sizes:
        raise UnsupportedError(
            f"a tensor has sizes {list(sizes)}, allowed sizes from 1 on: DirectML has no empty tensors"
        )
    return sizes


def data_type_of(kind: TensorType) -> DataType:
    """Return DirectML's name of an element type. Raises InvalidTypeError where it has none."""
    row = kind.dtype
    if not isinstance(row, DType) or row.directml is None or row.bits < 8:
        raise InvalidTypeError(f"a tensor has dtype {row}, allowed the types of DirectML; convert it first")
    return as_data_type(row)


def refused(field_name: str, value: object, allowed: str, why: str) -> UnsupportedError:
    """Return the error for a rule that DirectML lacks."""
    return UnsupportedError(f"{field_name} is {str(value)!r}, allowed {allowed}: {why}")
