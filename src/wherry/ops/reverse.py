"""Reverse: data with axes reversed; a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.layout import Layout
from wherry.ops.operator import Operator
from wherry.tensors import TensorType


def as_mask(field: str, value: Any) -> tuple[bool, ...]:
    """Return a vector of truth values as a tuple. Raises InvalidTypeError for anything else."""
    given = np.asarray(value)
    if given.ndim != 1 or (given.size and given.dtype != bool):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a vector of truth values")
    return tuple(given.astype(bool).tolist())


@dataclass(frozen=True)
class Reverse(Operator):
    """OpenVINO Reverse-1: `out[c] = data[size - 1 - c]` on the reversed axes; a view.

    Either `axes` (mode index; an axis named twice counts once) or `mask`, one truth value for each axis (mode mask).
    """

    axes: tuple[int, ...] | None = None
    mask: Annotated[tuple[bool, ...], as_mask] | None = None

    def _check_fields(self) -> None:
        if (self.axes is None) == (self.mask is None):
            raise InvalidValueError("axes and mask are both given or both missing, allowed exactly one of them")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        if data.sizes is not None:
            self.reversed_axes(len(data.sizes))
        return (data,)

    def reversed_axes(self, ndim: int) -> tuple[int, ...]:
        """Return the reversed axes counted from the front, each once."""
        if self.axes is not None:
            found = {normalized_axis(axis, ndim, field=f"axes[{n}]") for n, axis in enumerate(self.axes)}
            return tuple(sorted(found))
        mask = self.mask or ()
        if len(mask) != ndim:
            raise InvalidValueError(f"mask has {len(mask)} entries, allowed {ndim}: one for each axis of data")
        return tuple(axis for axis, is_reversed in enumerate(mask) if is_reversed)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return data with negative strides along the reversed axes."""
        (layout,) = inputs
        for axis in self.reversed_axes(layout.ndim):
            if layout.sizes[axis] > 1:
                layout = layout.sliced(axis, layout.sizes[axis] - 1, layout.sizes[axis], -1)
        return ((0, layout),)
