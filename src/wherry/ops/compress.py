"""Compress: the slices of data along one axis, or its elements, where a condition is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wherry import _core
from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import ComputeMove, Move
from wherry.ops.values import ValuesOperator, borrowed, flat
from wherry.tensors import TensorType, View


class LongerCondition(StrEnum):
    """The rule for a condition with more entries than the axis has positions."""

    IGNORE = "ignore"
    """The entries beyond the last position are not read."""
    REFUSE_TRUE = "refuse_true"
    """They are refused if one of them is true."""


def as_condition(field: str, value: Any) -> NDArray[Any]:
    """Return a vector of truth values. Raises InvalidTypeError or InvalidValueError for anything else."""
    condition = borrowed(value)
    if condition.dtype != np.dtype(bool) and condition.size:
        raise InvalidTypeError(f"{field} has dtype {condition.dtype}, allowed bool; convert it first")
    if condition.ndim != 1:
        raise InvalidValueError(f"{field} has {condition.ndim} axes, allowed 1; pass a vector")
    return borrowed(condition.astype(bool, copy=False))


@dataclass(frozen=True, eq=False)
class Compress(ValuesOperator):
    """`out[p.., j, t..] = data[p.., position(j), t..]`, where position(j) is the j-th true entry of `condition`.

    `axis=None` takes the elements of data in row-major order as one axis. A condition shorter than the axis ends
    early: what lies beyond it is left out. The result is a view where the true entries are evenly spaced.
    """

    condition: Annotated[NDArray[Any], as_condition]
    axis: int | None = None
    longer: LongerCondition = LongerCondition.REFUSE_TRUE

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return one axis, or data's sizes but that of the axis; see Deferred."""
        data, axis = given["data"], fields.get("axis")
        if axis is None:
            return (data.with_sizes(None if "axis" in given else [None]),)
        if data.sizes is None:
            return (data,)
        at = normalized_axis(axis, len(data.sizes))
        return (data.with_sizes([None if n == at else size for n, size in enumerate(data.sizes)]),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        (data,) = inputs
        if self.axis is None:
            size = int(np.prod(data.shape, dtype=object)) if data.is_known else None
            return (data.with_sizes([None if size is None else self._positions(size).size]),)
        if data.sizes is None:
            return (data,)
        axis = normalized_axis(self.axis, len(data.sizes))
        along = data.sizes[axis]
        count = self._positions(along).size if isinstance(along, int) else None
        return (data.with_sizes([*data.sizes[:axis], count, *data.sizes[axis + 1 :]]),)

    def _positions(self, size: int) -> NDArray[np.intp]:
        """Return the marked positions on an axis of `size`, checked by the rule for a longer condition."""
        inside = int(np.searchsorted(self._marked, size))
        beyond = self._marked[inside:]
        if beyond.size and self.longer is LongerCondition.REFUSE_TRUE:
            raise invalid(f"condition[{beyond[0]}]", True, f"False from entry {size} on",
                          f"there are {size} positions to choose from")  # fmt: skip
        return self._marked[:inside]

    @cached_property
    def _marked(self) -> NDArray[np.intp]:
        return _core.NonZero(self.condition, 255).positions()

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return the result as a layout over data's buffer, if the marked positions are evenly spaced."""
        data = flat(inputs[0]) if self.axis is None else inputs[0]
        if data is None:
            return None
        axis = 0 if self.axis is None else normalized_axis(self.axis, data.ndim)
        positions = self._positions(data.sizes[axis])
        start, step = (int(positions[0]) if positions.size else 0), 1
        if positions.size > 1:
            step = int(positions[1]) - start
            last = start + step * (positions.size - 1)
            if positions[-1] != last or (np.diff(positions) != step).any():
                return None
        return ((0, data.sliced(axis, start, positions.size, step)),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of a view, or one selection by positions."""
        layout = inputs[0].layout
        if self.view([layout]) is not None:
            yield from super().lower(inputs, outputs, subject)
            return
        axis = self.axis
        positions = self._positions(layout.size if axis is None else layout.sizes[axis])

        def take(data: NDArray[Any], target: NDArray[Any]) -> None:
            if data.dtype.hasobject:
                target[...] = data.take(positions, axis)
            else:
                _core.gather(data.reshape(-1) if axis is None else data, positions, axis or 0, out=target)

        yield ComputeMove("compress", take, (inputs[0],), outputs[0], writes=True)
