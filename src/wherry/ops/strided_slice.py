"""StridedSlice: ranges with masks, as one Slice, one Squeeze and one Unsqueeze; a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wherry.errors import InvalidValueError, invalid
from wherry.layout import LIMIT, Layout
from wherry.ops.operator import Operator, check_lengths, set_fields
from wherry.ops.reshape import Empty, Squeeze, Unsqueeze
from wherry.ops.slice import Slice, check_steps
from wherry.tensors import Size, TensorType

_MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


class MaskedShrink(StrEnum):
    """Which element an entry takes that is in both shrink_axis_mask and begin_mask."""

    FIRST = "first"
    """Element 0: begin is ignored, as begin_mask says."""
    BEGIN = "begin"
    """Element begin: shrinking ignores begin_mask."""


@dataclass(frozen=True)
class StridedSlice(Operator):
    """OpenVINO StridedSlice-1: ranges by the rule of Slice, one entry for each axis from the front, changed by masks.

    A set bit i of a mask means for entry i: `begin_mask`, `end_mask`: from or to the end that the stride looks from;
    `new_axis_mask`: an axis of 1, and none of data is used; `shrink_axis_mask`: the element begin, and the axis goes;
    `ellipsis_mask` (one at most): as many whole axes as the other entries leave. Ellipsis goes before new axis, new
    axis before shrink. Axes after the last entry stay whole. Masks shorter than begin are filled with 0.
    """

    begin: tuple[int, ...]
    end: tuple[int, ...]
    strides: tuple[int, ...] | None = None
    begin_mask: tuple[int, ...] = ()
    end_mask: tuple[int, ...] = ()
    new_axis_mask: tuple[int, ...] = ()
    shrink_axis_mask: tuple[int, ...] = ()
    ellipsis_mask: tuple[int, ...] = ()
    masked_shrink: MaskedShrink = MaskedShrink.FIRST

    def _check_fields(self) -> None:
        count = len(self.begin)
        if self.strides is None:
            set_fields(self, strides=(1,) * count)
        check_lengths(self, "begin", "end", "strides")
        check_steps(self.strides or (), "strides")
        for name in _MASKS:
            set_fields(self, **{name: self._mask(name)})
        if sum(self.ellipsis_mask) > 1:
            raise invalid("ellipsis_mask", list(self.ellipsis_mask), "at most one 1")

    def _mask(self, name: str) -> tuple[int, ...]:
        mask, length = getattr(self, name), len(self.begin)
        for number, bit in enumerate(mask):
            if bit not in (0, 1):
                raise invalid(f"{name}[{number}]", bit, "0 or 1")
        if any(mask[length:]):
            raise InvalidValueError(f"{name} has {len(mask)} entries, allowed up to {length}: one for each of begin")
        return (*mask, *(0,) * (length - len(mask)))[:length]

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the part; see Operator."""
        types = tuple(inputs)
        if types[0].sizes is not None:
            for part in self.parts(types[0].sizes):
                types = part.infer(types)
        return types

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return the part as a layout over data's buffer."""
        layout = inputs[0]
        for part in self.parts(layout.sizes):
            found = part.view([layout])
            assert found is not None
            ((_, layout),) = found
        return ((0, layout),)

    def parts(self, sizes: Sequence[Size]) -> tuple[Operator, ...]:
        """Return the operators that, one after the other, are this one for data of such sizes; all are views."""
        ranges: list[tuple[int, int, int, int]] = []
        shrunk: list[int] = []
        added: list[int] = []
        whole = self._whole_axes(len(sizes))
        axis = position = 0
        for number in range(len(self.begin)):
            if self.ellipsis_mask[number]:
                axis, position = axis + whole, position + whole
                continue
            if self.new_axis_mask[number]:
                added.append(position)
                position += 1
                continue
            if self.shrink_axis_mask[number]:
                ranges.append((axis, *self._element(number, sizes[axis], axis), 1))
                shrunk.append(axis)
            else:
                ranges.append((axis, *self._range(number)))
                position += 1
            axis += 1
        axes, starts, ends, steps = (tuple(entry[place] for entry in ranges) for place in range(4))
        candidates = (
            Slice(starts, ends, axes, steps) if ranges else None,
            Squeeze(tuple(shrunk), Empty.NONE) if shrunk else None,
            Unsqueeze(tuple(added)) if added else None,
        )
        return tuple(part for part in candidates if part is not None)

    def _whole_axes(self, ndim: int) -> int:
        """Return how many axes the ellipsis stands for. Raises InvalidValueError for more entries than axes."""
        entries = zip(self.ellipsis_mask, self.new_axis_mask, strict=True)
        used = sum(1 for ellipsis, new in entries if not ellipsis and not new)
        if used > ndim:
            raise InvalidValueError(f"begin has {used} entries that use an axis, allowed up to {ndim}: data's axes")
        return ndim - used

    def _element(self, number: int, size: Size, axis: int) -> tuple[int, int]:
        begin = self.begin[number]
        if self.begin_mask[number] and self.masked_shrink is MaskedShrink.FIRST:
            begin = 0
        if isinstance(size, int) and not -size <= begin < size:
            allowed = f"{-size}..{size - 1}" if size else "none"
            raise invalid(f"begin[{number}]", begin, allowed, f"it takes one element of axis {axis} of size {size}")
        return begin, LIMIT if begin == -1 else begin + 1

    def _range(self, number: int) -> tuple[int, int, int]:
        assert self.strides is not None
        step = self.strides[number]
        start = self.begin[number] if not self.begin_mask[number] else (0 if step > 0 else LIMIT)
        end = self.end[number] if not self.end_mask[number] else (LIMIT if step > 0 else -LIMIT)
        return start, end, step


def strided_slice(begin: Any, end: Any, sizes: Sequence[Size], strides: Any = None, **masks: Any) -> list[Operator]:
    """Return OpenVINO StridedSlice-1 for data of such sizes as a list of Slice, Squeeze and Unsqueeze.

    >>> [str(part) for part in strided_slice([1, 0], [2, 0], (2, 5), shrink_axis_mask=[1, 0], end_mask=[0, 1])]
    ... # doctest: +ELLIPSIS
    ['Slice(starts=(1, 0), ends=(2, 9223372036854775807), ...', 'Squeeze(axes=(0,), ...']
    """
    return list(StridedSlice(begin, end, strides, **masks).parts(sizes))
