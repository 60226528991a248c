"""Roll: positions moved along axes; what leaves at one end comes in at the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry.arguments import as_int, normalized_axis
from wherry.errors import InvalidValueError
from wherry.moves import Move
from wherry.ops.operator import Operator, set_fields
from wherry.ops.rearrange import Run, copy_runs
from wherry.ops.reshape import as_axes
from wherry.tensors import TensorType, View


@dataclass(frozen=True)
class Roll(Operator):
    """OpenVINO Roll-7: `out[(c + shift) mod size] = data[c]` on each of `axes`; shifts of an axis named twice add up.

    One integer as `shifts` holds for every axis; a list has one shift for each.
    """

    shifts: tuple[int, ...]
    axes: tuple[int, ...]

    def __post_init__(self) -> None:
        axes, shifts = as_axes("axes", self.axes), _as_shifts(self.shifts)
        if isinstance(shifts, int):
            shifts = (shifts,) * len(axes)
        if len(shifts) != len(axes):
            raise InvalidValueError(
                f"shifts has {len(shifts)} entries, allowed {len(axes)} as axes, or one integer alone"
            )
        set_fields(self, shifts=shifts, axes=axes)

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


def _as_shifts(value: Any) -> int | tuple[int, ...]:
    if np.ndim(value) == 0 and not isinstance(value, str):
        return as_int("shifts", value)
    return as_axes("shifts", value)
