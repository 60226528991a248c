"""KnownNode: an operator with the facts about its inputs and outputs that are known before a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import normalized_axis
from wherry.graph import Deferred
from wherry.moves import Negative
from wherry.ops import (
    Gather,
    GatherElements,
    GatherND,
    Operator,
    Pad,
    ScatterElements,
    ScatterND,
    ScatterUpdate,
    pad_of_pairs,
)
from wherry.rewrite.bounds import Bounds, of_value
from wherry.tensors import TensorType

Array = NDArray[Any]

INDEXED = (Gather, GatherElements, GatherND, ScatterElements, ScatterND, ScatterUpdate)
"""The operators whose second input holds indices."""

MOST_PLACES = 2**24
"""The most positions that a conversion computes: as a constant they take 128 MiB, more than most models."""


@dataclass(frozen=True, eq=False)
class KnownNode:
    """An operator with the types of its inputs and outputs, and the values of those inputs that are constants."""

    operator: Operator | Deferred
    types: tuple[TensorType, ...]
    values: tuple[Array | None, ...]
    outputs: tuple[TensorType, ...]
    find_bounds: tuple[Callable[[], Bounds | None], ...] = ()
    """For each input a function that computes its bounds when a rule needs them."""
    never: tuple[frozenset[int], ...] = ()
    """For each input of a quotient or remainder numbers between its bounds that no element is."""

    def bounds(self, number: int) -> Bounds | None:
        """Return between which numbers the elements of an input lie, if it is a small tensor of integers."""
        return self.find_bounds[number]() if self.find_bounds else None

    def field_bounds(self, name: str) -> Bounds | None:
        """Return the bounds of a field that is the value of an input, None for one that is known."""
        waiting = dict(self.operator.from_inputs) if isinstance(self.operator, Deferred) else {}
        return self.bounds(waiting[name]) if name in waiting else None

    @cached_property
    def maker(self) -> object:
        """What makes the operator: its class; of a deferred one the class or function that builds it."""
        return maker_of(self.operator)

    @property
    def is_known(self) -> bool:
        """Whether all sizes are numbers."""
        return all(one.is_known for one in (*self.types, *self.outputs))

    @property
    def moved(self) -> list[int]:
        """The positions of the inputs that the operator moves: those that are not fields of a deferred one."""
        waiting = dict(self.operator.from_inputs).values() if isinstance(self.operator, Deferred) else ()
        return [number for number in range(len(self.types)) if number not in waiting]

    @property
    def data(self) -> TensorType:
        """The type of the first input."""
        return self.types[0]

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields of the operator by name, but for those that wait for an input."""
        return fields_of(self.operator)

    def field(self, name: str) -> Any:
        """Return a field of the operator, None where it waits for an input."""
        return self.fields.get(name)

    @property
    def indices(self) -> TensorType | None:
        """The type of the indices, where the operator has some."""
        has_some = self.maker in INDEXED and len(self.types) > (2 if self.maker is ScatterUpdate else 1)
        return self.types[1] if has_some and not isinstance(self.operator, Deferred) else None

    @property
    def indices_value(self) -> Array | None:
        """The indices, where they are constants."""
        return self.values[1] if self.indices is not None else None

    def positions(self) -> Array | None:
        """Return the number of positions that each index chooses from, broadcast against the indices."""
        if self.indices is None or self.indices.sizes is None or self.data.sizes is None:
            return None
        sizes, operator = self.data.sizes, self.operator
        if isinstance(operator, (GatherND, ScatterND)):
            length, first = self.indices.sizes[-1], getattr(operator, "batch_dims", 0)
            indexed = sizes[first : first + length] if isinstance(length, int) else (None,)
        else:
            axis = getattr(operator, "axis")  # noqa: B009  the classes share no base that has it
            indexed = (sizes[normalized_axis(axis, len(sizes))],)
        if not all(isinstance(size, int) for size in indexed):
            return None
        return np.array(indexed, np.int64) if indexed else np.ones(1, np.int64)

    def indices_are(self, negative: Negative) -> bool:
        """Whether all indices are known to lie inside their axes, negative ones by this rule."""
        sizes = self.positions()
        if sizes is None or self.indices is None:
            return False
        given = self.indices_value
        bounds = self.bounds(1) if given is None else of_value(given)
        if bounds is None:
            return False
        if bounds.low.size == 0:
            return True
        lows, highs = (side.reshape(-1, sizes.size) for side in bounds)
        least = -sizes if negative is Negative.FROM_END else np.zeros_like(sizes)
        ends = zip(lows.min(0).tolist(), highs.max(0).tolist(), least.tolist(), sizes.tolist(), strict=True)
        return all(first >= low and last < size for first, last, low, size in ends)


def maker_of(operator: Operator | Deferred) -> object:
    """Return the class of an operator; of a deferred one the class or function that builds it."""
    return operator.build if isinstance(operator, Deferred) else type(operator)


def fields_of(operator: Operator | Deferred) -> dict[str, Any]:
    """Return the fields that are known of an operator; of a deferred one those that it need not be given too."""
    if isinstance(operator, Deferred):
        build: Any = Pad if operator.build is pad_of_pairs else operator.build
        own = fields(build) if is_dataclass(build) else ()
        waiting = dict(operator.from_inputs)
        defaults = {one.name: one.default for one in own if one.default is not MISSING and one.name not in waiting}
        return {**defaults, **dict(operator.fields)}
    return {field.name: getattr(operator, field.name) for field in fields(operator)}


def changed(operator: Operator | Deferred, **values: Any) -> Operator | Deferred:
    """Return an operator, deferred or not, with other values in some fields."""
    if isinstance(operator, Deferred):
        return replace(operator, fields=tuple({**dict(operator.fields), **values}.items()))
    return replace(operator, **values)
