"""A DispatchModel in the making."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.dxdispatch.model import Dispatch, Dispatchable, Resource, Source
from wherry.dialects.directml.say.call import data_type_of, not_empty
from wherry.graph import free_name
from wherry.tensors import TensorType

Array = NDArray[Any]


class Draft:
    """Resources, dispatchables and commands; resources appear when a dispatch names them.

    `reserved` are the names of the graph's tensors.
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self.reserved = frozenset(reserved)
        self.resources: dict[str, Resource] = {}
        self.dispatchables: dict[str, Dispatchable] = {}
        self.commands: list[Dispatch] = []

    def resource(self, name: str, tensor_type: TensorType, value: Array | None = None) -> None:
        """Add a buffer for a tensor, with zeros or a value; nothing if it is there."""
        if name in self.resources:
            return
        with as_directml(f"tensor {name!r}"):
            data_type, sizes = data_type_of(tensor_type), not_empty(tensor_type.shape)
        count = math.prod(sizes)
        values = np.broadcast_to(np.zeros((), tensor_type.numpy), (count,)) if value is None else value.ravel()
        self.resources[name] = Resource(name, data_type, values, -(-values.nbytes // 4) * 4)

    def extra(self, name: str, tensor_type: TensorType, value: Array | None = None) -> str:
        """Add a buffer that no tensor of the graph is, and return its name."""
        unique = free_name(name, self.resources.keys() | self.reserved)
        self.resource(unique, tensor_type, value)
        return unique

    def dispatch(self, title: str, desc: OperatorDesc, bindings: Mapping[str, tuple[Source, ...]]) -> None:
        """Add an operator and the command that runs it."""
        name = free_name(title, self.dispatchables)
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


@contextmanager
def as_directml(subject: str) -> Iterator[None]:
    """Give errors raised inside a subject: what DirectML is to do, and the description, if one is refused."""
    try:
        yield
    except errors.WherryError as error:
        inner = error.subject if error.subject and error.subject.startswith("DirectML") else "DirectML"
        error.subject = f"{subject} as {inner}"
        raise
