"""Tile: repeats data as a whole along its axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wherry.arguments import normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import CopyMove, Move
from wherry.ops.operator import Operator, ranked, set_fields, unknown_sizes, vector_size
from wherry.ops.rearrange import scaled
from wherry.tensors import Size, TensorType, View


class Lengths(StrEnum):
    """What becomes of repeats that are not as many as data's axes."""

    EXACT = "exact"
    """They are refused."""
    PAD = "pad"
    """The shorter of repeats and sizes is filled with leading ones."""


class BelowZero(StrEnum):
    """The meaning of a negative number of repeats."""

    REFUSE = "refuse"
    """It is an error."""
    ZERO = "zero"
    """The same as 0."""


@dataclass(frozen=True)
class Tile(Operator):
    """`out[c] = data[c mod size]` on each axis; axis i of the output has `size * repeats[i]` positions.

    With `axis`, `repeats` has one entry, for that axis alone (ONNX Tile-1).
    """

    repeats: tuple[int, ...]
    axis: int | None = None
    lengths: Lengths = Lengths.EXACT
    negative: BelowZero = BelowZero.REFUSE

    def _check_fields(self) -> None:
        for number, count in enumerate(self.repeats):
            if count < 0 and self.negative is BelowZero.REFUSE:
                raise invalid(f"repeats[{number}]", count, "0 and more")
        if self.axis is not None and len(self.repeats) != 1:
            raise InvalidValueError(f"repeats has {len(self.repeats)} entries, allowed 1, for the given axis")
        set_fields(self, repeats=tuple(max(0, count) for count in self.repeats))

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the number of axes; see Deferred."""
        data, count = given["data"], vector_size(given.get("repeats"))
        if "axis" in fields or "axis" in given or fields.get("lengths", Lengths.EXACT) == Lengths.EXACT:
            return (ranked(data),)
        known = data.sizes is not None and count is not None
        return (data.with_sizes(unknown_sizes(max(data.ndim or 0, count or 0)) if known else None),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data,)
        sizes, repeats = self.aligned(data.sizes)
        return (
            data.with_sizes([0 if not count else scaled(n, count) for n, count in zip(sizes, repeats, strict=True)]),
        )

    def aligned(self, sizes: Sequence[Size]) -> tuple[tuple[Size, ...], tuple[int, ...]]:
        """Return sizes and repeats with as many entries each, checked."""
        ndim, count = len(sizes), len(self.repeats)
        if self.axis is not None:
            at = normalized_axis(self.axis, ndim)
            return tuple(sizes), tuple(self.repeats[0] if axis == at else 1 for axis in range(ndim))
        if count != ndim and self.lengths is Lengths.EXACT:
            raise InvalidValueError(f"repeats has {count} entries, allowed {ndim}: one for each axis of data")
        most = max(ndim, count)
        return (1,) * (most - ndim) + tuple(sizes), (1,) * (most - count) + self.repeats

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return data with strides of 0 where only axes of one element repeat, else None."""
        (data,) = inputs
        sizes, repeats = self.aligned(data.sizes)
        new = len(sizes) - data.ndim
        known = (*(1,) * new, *data.sizes)
        strides = [0] * new + list(data.strides)
        if 0 in known or 0 in repeats:
            return ((0, Layout([n * k for n, k in zip(known, repeats, strict=True)], None, data.offset)),)
        for axis, (size, count) in enumerate(zip(known, repeats, strict=True)):
            if count > 1 and size > 1 and strides[axis]:
                return None
            strides[axis] = strides[axis] if count == 1 else 0
        return ((0, Layout([n * k for n, k in zip(known, repeats, strict=True)], strides, data.offset)),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy: each axis of the output cut in two, along the first of which data stands still."""
        (data,), (output,) = inputs, outputs
        sizes, repeats = self.aligned(data.layout.sizes)
        if output.layout.size == 0:
            return
        new = len(sizes) - data.layout.ndim
        known, own = (*(1,) * new, *data.layout.sizes), (*(0,) * new, *data.layout.strides)
        cuts, still, moving = [], [], []
        for axis, (size, count) in enumerate(zip(known, repeats, strict=True)):
            cuts += [count, size]
            still += [0, own[axis]]
            moving += [size * output.layout.strides[axis], output.layout.strides[axis]]
        source = Layout(cuts, still, data.layout.offset)
        yield CopyMove(data.over(source), output.over(Layout(cuts, moving, output.layout.offset)))
