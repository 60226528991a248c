"""Pad: adds or removes positions around data; new ones hold a value or data's own elements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from wherry.arguments import as_ints, normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.moves import CopyMove, Move
from wherry.ops.element import Element, as_element, check_element, fill
from wherry.ops.operator import Operator, check_lengths, ranked
from wherry.ops.rearrange import Run, around, boxed, copy_runs
from wherry.tensors import Size, TensorType, View

SHORT_ROW, SHORT_ROWS = 128, 512
"""Bytes of the last axis of a padded result, and of the innermost axes together where that is shorter. Rows that are
shorter still are filled whole, then written: to put each of them together first takes longer. Longer rows are put
together by the core, and written once (`kLeastBandRow` in core/tune/thresholds.hpp)."""


class PadMode(StrEnum):
    """What stands at positions outside data; s is the coordinate in data, n the size of the axis."""

    CONSTANT = "constant"
    """The value, wherever s is outside on any axis."""
    EDGE = "edge"
    """The nearest element: s clamped to 0..n-1."""
    REFLECT = "reflect"
    """Data mirrored about its first and last element, not repeated: period 2(n-1); n = 1 repeats element 0."""
    SYMMETRIC = "symmetric"
    """Data mirrored about its ends, the edge repeated: period 2n."""
    WRAP = "wrap"
    """Data again and again: s modulo n."""


class MixedSigns(StrEnum):
    """Which elements a mode reads where a negative pad on the same axis takes some away."""

    CROP_FIRST = "crop_first"
    """Those that are left; edges and mirrors are those of the rest (ONNX Runtime)."""
    ORIGINAL = "original"
    """All of data: coordinates are those before cropping (OpenVINO)."""


class Beyond(StrEnum):
    """What becomes of mirrors longer than one pass over data: reflect beyond n-1, symmetric beyond n."""

    REFUSE = "refuse"
    """They are an error."""
    FOLD = "fold"
    """They go back and forth (DirectML)."""


class Overcrop(StrEnum):
    """What becomes of negative pads that take away more than there is."""

    REFUSE = "refuse"
    """They are an error."""
    EMPTY = "empty"
    """The axis has size 0."""


@dataclass(frozen=True)
class Pad(Operator):
    """`out[c] = data[source(c - begins)]`, or the value; axes have `begin + size + end` positions, negative pads crop.

    `begins` and `ends` have one entry for each of `axes` (None: all of data's). `value` is for the mode constant: None
    (zero, False, an empty string), a Python scalar of the data's kind, or an array of one element of the data's type.

    Raises InvalidValueError for pads that do not fit the axes, an axis named twice, a mirror longer than `beyond`
    allows, and any mode but constant that has nothing to read on an axis; InvalidTypeError for a value of another type.
    """

    begins: tuple[int, ...]
    ends: tuple[int, ...]
    mode: PadMode = PadMode.CONSTANT
    value: Annotated[Element, as_element] = None
    axes: tuple[int, ...] | None = None
    mixed_signs: MixedSigns = MixedSigns.CROP_FIRST
    beyond: Beyond = Beyond.REFUSE
    overcrop: Overcrop = Overcrop.REFUSE

    @property
    def equal_is_same(self) -> bool:
        """See Operator."""
        return self.value is None

    def _check_fields(self) -> None:
        check_lengths(self, "begins", "ends", "axes")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's number of axes; see Deferred."""
        return (ranked(given["data"]),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        data = inputs[0]
        if self.mode is PadMode.CONSTANT:
            check_element("value", self.value, data)
        if data.sizes is None:
            return (data,)
        result: list[Size] = []
        for axis, (size, (begin, end)) in enumerate(zip(data.sizes, self.pads(len(data.sizes)), strict=True)):
            result.append(self._padded(axis, size, begin, end))
        if data.is_known:
            self._check_sources(data.shape, [size for size in result if isinstance(size, int)])
        return (data.with_sizes(result),)

    def pads(self, ndim: int) -> list[tuple[int, int]]:
        """Return begin and end of each of data's axes."""
        given = range(ndim) if self.axes is None else self.axes
        if len(given) != len(self.begins):
            raise InvalidValueError(f"begins has {len(self.begins)} entries, allowed {ndim}: one for each axis of data")
        axes = [normalized_axis(axis, ndim, field=f"axes[{number}]") for number, axis in enumerate(given)]
        if len(set(axes)) < len(axes):
            raise invalid("axes", list(given), "each axis once", "what two pads on one axis mean is not specified")
        by_axis = dict(zip(axes, zip(self.begins, self.ends, strict=True), strict=True))
        return [by_axis.get(axis, (0, 0)) for axis in range(ndim)]

    def _padded(self, axis: int, size: Size, begin: int, end: int) -> Size:
        if not isinstance(size, int):
            return size if begin == end == 0 else None
        if begin + size + end < 0 and self.overcrop is Overcrop.REFUSE:
            raise invalid(f"pads of axis {axis}", f"{begin} and {end}", f"a sum of {-size} and more",
                          f"the axis has size {size}")  # fmt: skip
        return max(0, begin + size + end)

    def _check_sources(self, sizes: Sequence[int], result: Sequence[int]) -> None:
        """Refuse a mode that would have to read where nothing is, or to mirror more than it may."""
        if self.mode is PadMode.CONSTANT:
            return
        for axis, (begin, end) in enumerate(self.pads(len(sizes))):
            _, _, count, _ = self._frame(sizes[axis], begin, end)
            if count == 0 and result[axis]:
                raise invalid(f"size of axis {axis} of data", sizes[axis], "1 and more left to read",
                              f"mode {self.mode} has no element for pads {begin} and {end}")  # fmt: skip
            most = count - 1 if self.mode is PadMode.REFLECT else count
            folds = self.mode in (PadMode.REFLECT, PadMode.SYMMETRIC) and result[axis]
            if folds and self.beyond is Beyond.REFUSE and max(begin, end) > max(most, 0):
                raise invalid(f"pads of axis {axis}", f"{begin} and {end}", f"up to {most}",
                              f"mode {self.mode} mirrors {count} elements once")  # fmt: skip

    def _frame(self, size: int, begin: int, end: int) -> tuple[int, int, int, int]:
        """Return where out begins in the frame that the mode sees, the frame's first element, its size, out's size."""
        length = max(0, begin + size + end)
        if self.mixed_signs is MixedSigns.ORIGINAL:
            return -begin, 0, size, length
        cropped = max(0, -begin)
        return -max(begin, 0), min(cropped, size), max(0, size - cropped - max(0, -end)), length

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the copy of data and fills around it, or one copy for each run of positions that one stride reads."""
        data, output = inputs[0], outputs[0]
        if output.layout.size == 0:
            return
        pads = self.pads(data.layout.ndim)
        if self.mode is PadMode.CONSTANT:
            yield from self._lower_constant(data, output, pads)
            return
        runs = []
        for size, (begin, end) in zip(data.layout.sizes, pads, strict=True):
            start, first, count, length = self._frame(size, begin, end)
            runs.append(list(mode_runs(self.mode, start, length, first, count)))
        yield from copy_runs(data, output, runs)

    def _lower_constant(self, data: View, output: View, pads: Sequence[tuple[int, int]]) -> Iterator[Move]:
        source, target = [], []
        for size, length, (begin, _) in zip(data.layout.sizes, output.layout.sizes, pads, strict=True):
            start, stop = max(0, begin), min(length, begin + size)
            count = max(0, stop - start)
            target.append((start if count else 0, count))
            source.append((start - begin if count else 0, count))
        # The box that is filled around, with all of its rows where these are short.
        holds_data = all(count for _, count in target)
        inner = list(target)
        for axis in short_rows(output) if holds_data else ():
            inner[axis] = (0, output.layout.sizes[axis])
        for box in around(output.layout.sizes, inner):
            yield fill("value", self.value, data, output.over(boxed(output.layout, box)))
        if inner != target:
            yield fill("value", self.value, data, output.over(boxed(output.layout, inner)))
        if holds_data:
            yield CopyMove(data.over(boxed(data.layout, source)), output.over(boxed(output.layout, target)))


def short_rows(view: View) -> Iterator[int]:
    """Yield the innermost axes whose elements are few, but not where there is one row of them."""
    rows, row = math.prod(view.layout.sizes), view.dtype.itemsize
    for axis in reversed(range(view.layout.ndim)):
        rows //= view.layout.sizes[axis]
        row *= view.layout.sizes[axis]
        if rows == 1 or row >= (SHORT_ROW if axis == view.layout.ndim - 1 else SHORT_ROWS):
            return
        yield axis


def mode_runs(mode: PadMode, start: int, length: int, first: int, count: int) -> Iterator[Run]:
    """Yield the runs of an axis that shows a frame of `count` elements, `first` and on, from position `start` on."""
    if mode is PadMode.EDGE or (mode is PadMode.REFLECT and count == 1):
        before, after = max(0, -start), max(0, start + length - count)
        inside = length - min(before, length) - min(after, length)
        spans = (
            (0, min(before, length), first, 0),
            (before, inside, first + start + before, 1),
            (length - min(after, length), min(after, length), first + count - 1, 0),
        )
        yield from (Run(*span) for span in spans if span[1] > 0)
        return
    period, passes = _passes(mode, count)
    for offset, size, source, step in passes:
        yield from _repeated(offset - start, size, first + source, step, period, length)


def _passes(mode: PadMode, count: int) -> tuple[int, list[tuple[int, int, int, int]]]:
    """Return the period of a mode and its passes over data: offset in the period, size, first source, step."""
    forth = (0, count, 0, 1)
    if mode is PadMode.WRAP:
        return count, [forth]
    if mode is PadMode.SYMMETRIC:
        return 2 * count, [forth, (count, count, count - 1, -1)]
    return 2 * (count - 1), [forth, (count, count - 2, count - 2, -1)]


def _repeated(offset: int, size: int, source: int, step: int, period: int, length: int) -> Iterator[Run]:
    """Yield the occurrences, cut to 0..length-1, of a pass that starts at `offset` and at every period from there."""
    if size < 1:
        return
    at = offset % period - period
    while at < length:
        low, high = max(at, 0), min(at + size, length)
        if low == at and high == at + size:
            count = (length - size - at) // period + 1
            yield Run(at, size, source, step, count, period)
            at += count * period
            continue
        if low < high:
            yield Run(low, high - low, source + (low - at) * step, step)
        at += period


def pad_of_pairs(pads: Any, axes: Any = None, **fields: Any) -> Pad:
    """Return a Pad whose begins and ends are the halves of one list, as ONNX gives them.

    >>> pad_of_pairs([0, 2, 0, 1]).begins
    (0, 2)
    """
    given = as_ints("pads", pads)
    if len(given) % 2:
        raise InvalidValueError(f"pads has {len(given)} entries, allowed an even number: all begins, then all ends")
    half = len(given) // 2
    if axes is not None and len(as_ints("axes", axes)) != half:
        raise InvalidValueError(f"pads has {len(given)} entries, allowed {2 * len(axes)}: begins and ends of axes")
    return Pad(given[:half], given[half:], axes=axes, **fields)
