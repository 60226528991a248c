"""Roll: cyclic shifts along axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from wherry.arguments import normalized_axis
from wherry.errors import InvalidValueError
from wherry.moves import Move
from wherry.ops.operator import Operator, set_fields
from wherry.ops.rearrange import Run, copy_runs
from wherry.ops.reshape import Axes, as_axes
from wherry.tensors import TensorType, View


def as_shifts(field: str, value: Any) -> int | tuple[int, ...]:
    """Return the shifts of a list, or the one integer that holds for every axis."""
    shifts = as_axes(field, value)
    return shifts[0] if np.ndim(value) == 0 else shifts


@dataclass(frozen=True)
class Roll(Operator):
    """OpenVINO Roll-7: `out[(c + shift) mod size] = data[c]` on each of `axes`; shifts of an axis named twice add up.

    One integer as `shifts` holds for every axis; a list has one shift for each.
    """

    shifts: Annotated[tuple[int, ...], as_shifts]
    axes: Axes

    def _check_fields(self) -> None:
        if isinstance(self.shifts, int):
            set_fields(self, shifts=(self.shifts,) * len(self.axes))
        if len(self.shifts) != len(self.axes):
            raise InvalidValueError(
                f"shifts has {len(self.shifts)} entries, allowed {len(self.axes)} as axes, or one integer alone"
            )

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        if data.sizes is not None:
            self.totals(len(data.sizes))
        return (data,)

    def totals(self, ndim: int) -> list[int]:
        """Return the sum of shifts of each of data's axes."""
        totals = [0] * ndim
        for number, (axis, shift) in enumerate(zip(self.axes, self.shifts, strict=True)):
            totals[normalized_axis(axis, ndim, field=f"axes[{number}]")] += shift
        return totals

    def turns(self, sizes: Sequence[int]) -> list[tuple[int, int]]:
        """Return the axes that move, each with how many positions of its end come to its front.

        >>> Roll((1, -2, 5), (0, 1, 2)).turns((4, 3, 5))
        [(0, 1), (1, 1)]
        """
        totals = zip(sizes, self.totals(len(sizes)), strict=True)
        return [(axis, total % size) for axis, (size, total) in enumerate(totals) if size and total % size]

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy for each combination of the two parts of each rolled axis."""
        (data,), (output,) = inputs, outputs
        if data.layout.size == 0:
            return
        runs = []
        for size, total in zip(data.layout.sizes, self.totals(data.layout.ndim), strict=True):
            shift = total % size
            parts = (Run(shift, size - shift, 0), Run(0, shift, size - shift))
            runs.append([run for run in parts if run.size])
        yield from copy_runs(data, output, runs)
