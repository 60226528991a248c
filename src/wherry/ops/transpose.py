"""Transpose: permutes the axes of data; a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.ops.operator import Operator, ranked
from wherry.tensors import TensorType


class EmptyOrder(StrEnum):
    """What an empty order means for data that has axes."""

    REFUSE = "refuse"
    """It is an error: the order has too few entries."""
    REVERSE = "reverse"
    """The meaning of a missing order: the axes reversed."""


@dataclass(frozen=True)
class Transpose(Operator):
    """`out[c] = data[q]` with `q[perm[i]] = c[i]`: axis i of out is axis `perm[i]` of data; None reverses; a view.

    Raises InvalidValueError unless `perm` names each of data's axes once, counted from the front.
    """

    perm: tuple[int, ...] | None = None
    empty: EmptyOrder = EmptyOrder.REFUSE

    def _check_fields(self) -> None:
        for number, axis in enumerate(self.perm or ()):
            if axis < 0:
                raise invalid(f"perm[{number}]", axis, f"0..{len(self.perm or ()) - 1}", "count axes from the front")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's number of axes; see Deferred."""
        return (ranked(given["data"]),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with its sizes in the new order; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes([None] * len(self.perm) if self.perm else None),)
        return (data.with_sizes([data.sizes[axis] for axis in self.order(len(data.sizes))]),)

    def order(self, ndim: int) -> tuple[int, ...]:
        """Return the order of the axes, checked against the rank."""
        if self.perm is None or (not self.perm and self.empty is EmptyOrder.REVERSE):
            return tuple(reversed(range(ndim)))
        if sorted(self.perm) != list(range(ndim)):
            each = f"each of 0..{ndim - 1} once" if ndim else "no entry"
            raise InvalidValueError(f"perm is {list(self.perm)}, allowed {each}: data has {ndim} axes")
        return self.perm

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return data with its axes permuted."""
        (data,) = inputs
        return ((0, data.permuted(self.order(data.ndim))),)
