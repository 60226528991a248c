"""Slice: every step-th position of each axis from a start on; a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from wherry.arguments import as_ints, normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.layout import LIMIT, Layout
from wherry.ops.operator import Operator, check_lengths, each_at_least, ranked
from wherry.tensors import Size, TensorType


@dataclass(frozen=True)
class Slice(Operator):
    """`out[c] = data[start + c * step]` on each of `axes` (None: the first ones), whole on the others; a view.

    With `ends`, the clamp rule of ONNX Slice-13 and OpenVINO Slice-8: start and end below 0 get the axis size added
    once; for a positive step both are clamped to 0..size, for a negative one start to 0..size-1 and end to -1..size-1;
    `max(0, ceil((end - start) / step))` positions remain. Not NumPy's rule where start lies below -size.

    With `sizes` instead, DirectML SLICE: exactly so many positions, each of which must exist; nothing is clamped.

    Raises InvalidValueError for a step of 0, an axis named twice (no specification says what that means), fields of
    unequal lengths, more entries than axes, and with `sizes` for a position outside the axis.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...] | None = None
    axes: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None
    sizes: Annotated[tuple[int, ...], each_at_least(0)] | None = None

    def _check_fields(self) -> None:
        if (self.ends is None) == (self.sizes is None):
            raise InvalidValueError("ends and sizes are both given or both missing, allowed exactly one of them")
        check_lengths(self, "starts", "ends", "axes", "steps", "sizes")
        check_steps(self.steps or ())

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's number of axes; see Deferred."""
        return (ranked(given["data"]),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the part; see Operator."""
        data = inputs[0]
        if data.sizes is None:
            return (data,)
        result = list(data.sizes)
        for axis, _, size, _ in self.ranges(data.sizes):
            result[axis] = size
        return (data.with_sizes(result),)

    def ranges(self, sizes: Sequence[Size]) -> list[tuple[int, int, Size, int]]:
        """Return axis, start, size and step of each listed axis; a start means nothing where the size is unknown."""
        axes = self.resolve_axes(len(sizes))
        steps = self.steps or (1,) * len(axes)
        result: list[tuple[int, int, Size, int]] = []
        for number, (axis, start, step) in enumerate(zip(axes, self.starts, steps, strict=True)):
            length = sizes[axis]
            if self.sizes is not None:
                self._check_inside(number, length, axis, step)
                result.append((axis, start, self.sizes[number], step))
            elif self.ends is not None:
                result.append((axis, *clamped(start, self.ends[number], step, length), step))
        return result

    def spread(self, sizes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the starts, numbers of positions and steps of all axes; a step that joins no two positions is 1.

        >>> Slice((3, 0), (0, 1), (1, 2), (-2, 5)).spread((7, 4, 2))
        ((0, 3, 0), (7, 2, 1), (1, -2, 1))
        """
        starts, counts, steps = [0] * len(sizes), list(sizes), [1] * len(sizes)
        for axis, start, size, step in self.ranges(sizes):
            count = int(size or 0)
            starts[axis], counts[axis], steps[axis] = start, count, step if count > 1 else 1
        return tuple(starts), tuple(counts), tuple(steps)

    def resolve_axes(self, ndim: int) -> tuple[int, ...]:
        """Return the listed axes counted from the front, checked against the rank."""
        if self.axes is None and len(self.starts) > ndim:
            raise InvalidValueError(f"starts has {len(self.starts)} entries, allowed up to {ndim}: data's axes")
        given = range(len(self.starts)) if self.axes is None else self.axes
        axes = tuple(normalized_axis(axis, ndim, field=f"axes[{n}]") for n, axis in enumerate(given))
        if len(set(axes)) < len(axes):
            raise invalid("axes", list(given), "each axis once", "what two ranges on one axis mean is not specified")
        return axes

    def _check_inside(self, number: int, length: Size, axis: int, step: int) -> None:
        assert self.sizes is not None
        start, size = self.starts[number], self.sizes[number]
        last = start + (size - 1) * step if size else start
        most = length - 1 if isinstance(length, int) else LIMIT
        if size and not (0 <= start <= most and 0 <= last <= most):
            raise InvalidValueError(f"starts[{number}], sizes[{number}], steps[{number}] go from position {start} to "
                                    f"{last} of axis {axis}, allowed 0..{most}; shorten the part")  # fmt: skip

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...]:
        """Return the part as a layout over data's buffer."""
        return ((0, self.part_of(inputs[0])),)

    def part_of(self, layout: Layout) -> Layout:
        """Return the part of a layout that the slice picks."""
        for axis, start, size, step in self.ranges(layout.sizes):
            length = int(size or 0)
            layout = layout.sliced(axis, start, length, step if length > 1 else 1)
        return layout


def check_steps(steps: Sequence[int], field: str = "steps") -> None:
    """Refuse a step of 0."""
    for number, step in enumerate(steps):
        if step == 0:
            raise invalid(f"{field}[{number}]", 0, "any number but 0", "a step of 0 never ends")


def clamped(start: int, end: int, step: int, size: Size) -> tuple[int, Size]:
    """Return first position and number of positions of a range by the clamp rule of ONNX and OpenVINO.

    >>> clamped(-11, -12, -1, 10), clamped(1, 100, 2, 10)
    ((0, 1), (1, 5))
    """
    if not isinstance(size, int):
        forward = step == 1 and start == 0 and end >= LIMIT
        backward = step == -1 and start in (-1, LIMIT) and end <= -LIMIT
        return 0, size if forward or backward else None
    start += size if start < 0 else 0
    end += size if end < 0 else 0
    low, high = (0, size) if step > 0 else (-1, size - 1)
    start, end = min(max(start, 0), high), min(max(end, low), high)
    return start, max(0, -((start - end) // step))


def window_slice(offsets: Any, window_sizes: Any, steps: Any, data_sizes: Any, sizes: Any = None) -> Slice:
    """Return DirectML SLICE1 as a Slice: a block of data, walked from its last position back where a step is negative.

    `sizes` are the output's (None: the most that the window holds). Raises InvalidValueError for a window that leaves
    the data, an empty one, a step of 0, or more positions than the window holds.

    >>> window_slice((0, 1), (4, 3), (-2, 2), (4, 4)).starts
    (3, 1)
    """
    starts, windows = as_ints("offsets", offsets), as_ints("window_sizes", window_sizes)
    strides, lengths = as_ints("steps", steps), as_ints("data_sizes", data_sizes)
    check_steps(strides)
    most = []
    for axis, (start, window, step, length) in enumerate(zip(starts, windows, strides, lengths, strict=True)):
        if window < 1 or start < 0 or start + window > length:
            raise InvalidValueError(f"offsets[{axis}] is {start} and window_sizes[{axis}] is {window}, allowed a "
                                    f"window of 1 and more positions in 0..{length - 1}, the axis of data")  # fmt: skip
        most.append(1 + (window - 1) // abs(step))
    wanted = tuple(most) if sizes is None else as_ints("sizes", sizes)
    for axis, (size, limit) in enumerate(zip(wanted, most, strict=True)):
        if not 1 <= size <= limit:
            raise invalid(f"sizes[{axis}]", size, f"1..{limit}", "the window holds no more")
    firsts = tuple(
        start + (window - 1 if step < 0 else 0) for start, window, step in zip(starts, windows, strides, strict=True)
    )
    return Slice(firsts, steps=strides, sizes=wanted)


def slice_of_version_10(starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Slice:
    """Return a Slice; its axes, where they are given, count from the front."""
    part = Slice(starts, ends, axes, steps)
    for number, axis in enumerate(part.axes or ()):
        if axis < 0:
            raise invalid(
                f"axes[{number}]", axis, "0 and more", "a negative axis counts from the end from version 11 on"
            )
    return part
