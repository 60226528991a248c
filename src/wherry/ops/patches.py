"""ExtractImagePatches, Im2Col and Col2Im: windows over an image as columns, and their sum back to an image."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise, product
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.limits import check_values
from wherry.moves import AddMove, ComputeMove, CopyMove, Move, can_add
from wherry.ops.blocks import divided
from wherry.ops.element import fill
from wherry.ops.operator import Operator, each_at_least, same_size, set_fields, unknown_sizes, vector_size
from wherry.ops.rearrange import around, boxed, scaled, split_axes
from wherry.tensors import Size, TensorType, View


class AutoPad(StrEnum):
    """How many windows there are, and how many zeros stand around the image for them."""

    VALID = "valid"
    """Windows that lie inside; no zeros."""
    SAME_UPPER = "same_upper"
    """`ceil(size / stride)` windows; of an odd number of zeros, one more at the end."""
    SAME_LOWER = "same_lower"
    """`ceil(size / stride)` windows; of an odd number of zeros, one more at the beginning."""


@dataclass(frozen=True)
class ExtractImagePatches(Operator):
    """OpenVINO ExtractImagePatches-3: windows over an image, each one's elements as channels; zero outside data.

    `out[n, (i * kw + j) * C + c, y, x] = data[n, c, y * sh + i * rh - top, x * sw + j * rw - left]`.
    `sizes`, `strides` and `rates` have two entries each: rows, columns; all are 1 or more.
    """

    sizes: Annotated[tuple[int, ...], each_at_least(1)]
    strides: Annotated[tuple[int, ...], each_at_least(1)]
    rates: Annotated[tuple[int, ...], each_at_least(1)]
    auto_pad: AutoPad = AutoPad.VALID

    def _check_fields(self) -> None:
        for name in ("sizes", "strides", "rates"):
            check_count(name, getattr(self, name), 2)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes([None] * 4),)
        if len(data.sizes) != 4:
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed 4: batch, channels, rows, columns")
        batch, channels, *image = data.sizes
        counts = [self.windows(place, size)[0] for place, size in enumerate(image)]
        return (data.with_sizes([batch, scaled(channels, math.prod(self.sizes)), *counts]),)

    def windows(self, place: int, size: Size) -> tuple[Size, int]:
        """Return the number of windows along rows (place 0) or columns (1), and the zeros before the image."""
        stride = self.strides[place]
        if not isinstance(size, int):
            return (size if stride == 1 and self.auto_pad is not AutoPad.VALID else None), 0
        reach = (self.sizes[place] - 1) * self.rates[place] + 1
        if self.auto_pad is AutoPad.VALID:
            return max(0, (size - reach) // stride + 1) if size else 0, 0
        count = -(-size // stride)
        zeros = max(0, (count - 1) * stride + reach - size)
        return count, zeros // 2 if self.auto_pad is AutoPad.SAME_UPPER else -(-zeros // 2)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy for all places in a window that read inside the image for the same windows, and fills."""
        (data,), (output,) = inputs, outputs
        if output.layout.size == 0:
            return
        batch, channels, rows, columns = data.layout.sizes
        windows = output.layout.sizes[2:]
        target = split_axes(output.layout, (batch, *self.sizes, channels, *windows))
        groups = [list(self._groups(place, size)) for place, size in enumerate((rows, columns))]
        _check_moves(groups)
        for i, y in groups[0]:
            for j, x in groups[1]:
                part = boxed(target, [(0, batch), i, j, (0, channels), (0, windows[0]), (0, windows[1])])
                inner = [*((0, size) for size in part.sizes[:4]), y, x]
                for box in around(part.sizes, inner):
                    yield fill("outside", None, data, output.over(boxed(part, box)))
                if y[1] and x[1]:
                    source = self._source(data.layout, (i, j), (y, x))
                    yield CopyMove(data.over(source), output.over(boxed(part, inner)))

    def _groups(self, place: int, size: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield (first, number) of neighbouring places in a window, and of the windows where these read inside."""
        count, before = self.windows(place, size)
        walk = _Walk(size, self.sizes[place], self.strides[place], self.rates[place], before, int(count or 0))
        return walk.groups()

    def _source(
        self, data: Layout, places: tuple[tuple[int, int], ...], windows: tuple[tuple[int, int], ...]
    ) -> Layout:
        batch, channels, *image = data.sizes
        offset, kernel, steps = data.offset, [], []
        for number, ((first, _), (start, _)) in enumerate(zip(places, windows, strict=True)):
            before = self.windows(number, image[number])[1]
            stride = data.strides[2 + number]
            offset += (start * self.strides[number] + first * self.rates[number] - before) * stride
            kernel.append(self.rates[number] * stride)
            steps.append(self.strides[number] * stride)
        sizes = (batch, places[0][1], places[1][1], channels, windows[0][1], windows[1][1])
        strides = (data.strides[0], *kernel, data.strides[1], *steps)
        return Layout(sizes, [stride if n > 1 else 0 for n, stride in zip(sizes, strides, strict=True)], offset)


@dataclass(frozen=True)
class _Walk:
    """Windows along one axis of an image: place k of window w reads position `w * stride + k * rate - before`."""

    size: int
    kernel: int
    stride: int
    rate: int
    before: int
    count: int

    def groups(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield (first, number) of neighbouring places in a window, and of the windows where these read inside."""
        cuts = {0, self.kernel}
        for window in self._border:
            # The window reads inside from the first cut on, and no more from the second on.
            shift = self.before - window * self.stride
            inside = (-(-shift // self.rate), (self.size - 1 + shift) // self.rate + 1)
            cuts |= {min(self.kernel, max(0, cut)) for cut in inside}
        for low, high in pairwise(sorted(cuts)):
            shift = self.before - low * self.rate
            first = max(0, -(-shift // self.stride))
            after = min(self.count, (self.size - 1 + shift) // self.stride + 1)
            yield (low, high - low), (first, after - first) if after > first else (0, 0)

    @property
    def _border(self) -> Iterator[int]:
        """The windows with a place inside and another one outside, and some more. Raises ResourceLimitError for many.

        Those that begin before the first position are left of `first`; those that end behind the last, right of `last`.
        """
        reach = (self.kernel - 1) * self.rate
        first = min(self.count, -(-self.before // self.stride))
        last = min(self.count, max(first, (self.size - 1 + self.before - reach) // self.stride + 1))
        check_values(first + self.count - last, "the windows over the border of the image")
        return chain(range(first), range(last, self.count))

    def places(self) -> list[tuple[int, tuple[int, int]]]:
        """Return each place in a window, and the first window where it reads inside, and how many do."""
        check_values(self.kernel, "the places in a window")
        return [(low + place, windows) for (low, number), windows in self.groups() for place in range(number)]

    def start(self, place: int, window: int) -> int:
        """Return the position that a place of a window reads."""
        return window * self.stride + place * self.rate - self.before


@dataclass(frozen=True)
class Im2Col(Operator):
    """DirectML UNFOLD: windows over an image as columns, `out[n, c * prod(K) + k, l] = data[n, c, l * stride + ...]`.

    Along each axis of the image, place k of window l reads position `l * stride + k * dilation - begin`; zero outside
    data. Windows l and places k in the window are counted row-major. Data is `[N, C, *image]`; the inverse movement,
    which sums, is Col2Im. Raises InvalidValueError for a window larger than the image with its pads.
    """

    block_shape: Annotated[tuple[int, ...], each_at_least(1)]
    strides: Annotated[tuple[int, ...], each_at_least(1)] | None = None
    dilations: Annotated[tuple[int, ...], each_at_least(1)] | None = None
    begins: Annotated[tuple[int, ...], each_at_least(0)] | None = None
    ends: Annotated[tuple[int, ...], each_at_least(0)] | None = None

    def _check_fields(self) -> None:
        if not self.block_shape:
            raise InvalidValueError("block_shape has 0 entries, allowed 1 and more")
        set_fields(self, **windows_of(self, len(self.block_shape)))

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the columns; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes([None] * 3),)
        ndim = len(self.block_shape)
        if len(data.sizes) != ndim + 2:
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed {ndim + 2}: batch, channels, and one "
                                    "for each entry of block_shape")  # fmt: skip
        batch, channels, *image = data.sizes
        known = [size for size in image if isinstance(size, int)]
        count = math.prod(self.counts(known)) if len(known) == ndim else None
        return (data.with_sizes([batch, scaled(channels, math.prod(self.block_shape)), count]),)

    def counts(self, image: Sequence[int]) -> tuple[int, ...]:
        """Return the number of windows along each axis of an image."""
        return tuple(walk.count for walk in self._walks(image))

    def _walks(self, image: Sequence[int]) -> list[_Walk]:
        fields = (self.strides or (), self.dilations or (), self.begins or (), self.ends or ())
        walks = []
        for number, (size, block, stride, dilation, begin, end) in enumerate(
            zip(image, self.block_shape, *fields, strict=True)
        ):
            count = window_count(number, size, block, stride, dilation, begin, end)
            walks.append(_Walk(size, block, stride, dilation, begin, count))
        return walks

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy for all places in a window that read inside the image for the same windows, and fills."""
        (data,), (output,) = inputs, outputs
        if output.layout.size == 0:
            return
        batch, channels, *image = data.layout.sizes
        walks = self._walks(image)
        target = split_axes(output.layout, (batch, channels, *self.block_shape, *(walk.count for walk in walks)))
        along = [list(walk.groups()) for walk in walks]
        _check_moves(along)
        for groups in product(*along):
            places, windows = [group[0] for group in groups], [group[1] for group in groups]
            outer = [(0, batch), (0, channels), *places]
            part = boxed(target, [*outer, *((0, walk.count) for walk in walks)])
            inner = [*((0, size) for size in part.sizes[: len(outer)]), *windows]
            for box in around(part.sizes, inner):
                yield fill("outside", None, data, output.over(boxed(part, box)))
            if all(number for _, number in windows):
                source = _windowed(data.layout, walks, places, windows)
                yield CopyMove(data.over(source), output.over(boxed(part, inner)))


_MOVE_NUMBERS = 32
"""The sizes and strides of source and target that planning one move takes, roughly."""


def _check_moves(along: Sequence[Sequence[object]]) -> None:
    """Refuse a move for each of so many combinations, one of each axis, as more than planning may compute."""
    check_values(_MOVE_NUMBERS * math.prod(map(len, along)), "the sizes and strides of the moves of windows")


def _windowed(
    data: Layout, walks: Sequence[_Walk], places: Sequence[tuple[int, int]], windows: Sequence[tuple[int, int]]
) -> Layout:
    """Return what places of windows read: batch, channels, places along each axis, windows along each axis."""
    starts = [walk.start(place, window) for walk, (place, _), (window, _) in zip(walks, places, windows, strict=True)]
    own = data.strides[2:]
    offset = data.offset + sum(start * stride for start, stride in zip(starts, own, strict=True))
    kernel = [walk.rate * stride for walk, stride in zip(walks, own, strict=True)]
    steps = [walk.stride * stride for walk, stride in zip(walks, own, strict=True)]
    sizes = (*data.sizes[:2], *(number for _, number in places), *(number for _, number in windows))
    strides = (*data.strides[:2], *kernel, *steps)
    return Layout(sizes, [stride if n > 1 else 0 for n, stride in zip(sizes, strides, strict=True)], offset)


@dataclass(frozen=True)
class Col2Im(Operator):
    """Windows summed into an image: `out[n, c, l * stride + k * dilation - begin] += data[n, c * prod(K) + k, l]`.

    ONNX Col2Im-18, OpenVINO Col2Im-15.

    Window l and place k in the window are counted row-major. Sums start from 0 and add the places k in ascending order,
    in data's own type (bool: or); what falls on pads is dropped. Data is `[N, C * prod(K), L]`; without N where
    `unbatched` allows it.

    Raises InvalidValueError unless data has as many channels and windows as the image asks for, InvalidTypeError for
    elements that cannot be added.
    """

    image_shape: Annotated[tuple[int, ...], each_at_least(0)]
    block_shape: Annotated[tuple[int, ...], each_at_least(1)]
    strides: Annotated[tuple[int, ...], each_at_least(1)] | None = None
    dilations: Annotated[tuple[int, ...], each_at_least(1)] | None = None
    begins: Annotated[tuple[int, ...], each_at_least(0)] | None = None
    ends: Annotated[tuple[int, ...], each_at_least(0)] | None = None
    unbatched: bool = False

    def _check_fields(self) -> None:
        ndim = len(self.image_shape)
        if not ndim:
            raise InvalidValueError("image_shape has 0 entries, allowed 1 and more")
        check_count("block_shape", self.block_shape, ndim)
        set_fields(self, **windows_of(self, ndim))
        for number, axis in enumerate(self._axes):
            window_count(number, *axis)

    @property
    def _axes(self) -> list[tuple[int, int, int, int, int, int]]:
        """Size, block, stride, dilation, begin and end of each axis of the image."""
        fields = (self.strides or (), self.dilations or (), self.begins or (), self.ends or ())
        return list(zip(self.image_shape, self.block_shape, *fields, strict=True))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of windows along each axis of the image."""
        return tuple(window_count(number, *axis) for number, axis in enumerate(self._axes))

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the number of axes; see Deferred."""
        count, unbatched = vector_size(given.get("image_shape")), fields.get("unbatched", False)
        known = count is not None and not (unbatched and given["data"].sizes is None)
        before = (len(given["data"].sizes or (0,) * 3)) - 1
        return (given["data"].with_sizes(unknown_sizes(before + (count or 0)) if known else None),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the image; see Operator."""
        (data,) = inputs
        if data.numpy.kind in "USTOMmV" and (data.row is None or data.row.is_string):
            raise InvalidTypeError(f"data has dtype {data.dtype}, allowed numbers and bool: elements are added")
        if data.sizes is None:
            known = None if self.unbatched else [None, None, *self.image_shape]
            return (data.with_sizes(known),)
        allowed = (2, 3) if self.unbatched else (3,)
        if len(data.sizes) not in allowed:
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed {' or '.join(map(str, allowed))}: "
                                    "batch, channels times places in the window, windows")  # fmt: skip
        *batch, depth, windows = data.sizes
        if not same_size(windows, math.prod(self.counts)):
            raise invalid(f"size of axis {len(batch) + 1} of data", windows, str(math.prod(self.counts)),
                          f"the image has windows {list(self.counts)}")  # fmt: skip
        channels = divided(depth, math.prod(self.block_shape), len(batch), "block_shape")
        return (data.with_sizes([*batch, channels, *self.image_shape]),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield a copy where windows lie apart; else zeros, to which each place in a window is added."""
        (data,), (out,) = inputs, outputs
        if out.layout.size == 0:
            return
        walks = [
            _Walk(size, block, stride, dilation, begin, count)
            for (size, block, stride, dilation, begin, _), count in zip(self._axes, self.counts, strict=True)
        ]
        image = out.layout if out.layout.ndim == len(walks) + 2 else _batched(out.layout)
        columns = data.layout if data.layout.ndim == 3 else _batched(data.layout)
        windows = split_axes(columns, (*image.sizes[:2], *self.block_shape, *self.counts))
        if not can_add(data.dtype):
            yield ComputeMove("col2im", self._sum, (data,), out)
        elif self._lie_apart:
            if any(size != block * count for (size, block, *_), count in zip(self._axes, self.counts, strict=True)):
                yield fill("between windows", None, data, out)
            target = _windowed(image, walks, [(0, n) for n in self.block_shape], [(0, n) for n in self.counts])
            yield CopyMove(data.over(windows), out.over(target))
            if data.dtype.kind not in "biu":
                yield AddMove(None, out)  # a sum of -0.0 is 0.0
        else:
            yield fill("zero", None, data, out)
            yield from self._sums(walks, data.over(windows), out.over(image))

    def _sums(self, walks: Sequence[_Walk], windows: View, image: View) -> Iterator[Move]:
        """Yield one addition for each place in a window, of all windows that have it inside the image."""
        along = [walk.places() for walk in walks]
        _check_moves(along)
        for places in product(*along):
            inside = [part for _, part in places]
            if all(number for _, number in inside):
                at = [(place, 1) for place, _ in places]
                outer = [(0, size) for size in windows.layout.sizes[:2]]
                source = boxed(windows.layout, [*outer, *at, *inside])
                yield AddMove(windows.over(source), image.over(_windowed(image.layout, walks, at, inside)))

    @property
    def _lie_apart(self) -> bool:
        """Whether no two windows have a position in common, and none lies on pads: nothing is summed."""
        return all(
            stride >= block and dilation == 1 and begin == end == 0
            for _, block, stride, dilation, begin, end in self._axes
        )

    def _sum(self, data: NDArray[Any]) -> NDArray[Any]:
        *batch, depth, _ = data.shape
        places, counts = math.prod(self.block_shape), self.counts
        lead = (slice(None),) * (len(batch) + 1)
        sizes = [begin + size + end for size, _, _, _, begin, end in self._axes]
        padded: NDArray[Any] = np.zeros((*batch, depth // places, *sizes), data.dtype)
        columns = data.reshape((*batch, depth // places, places, *counts))
        with np.errstate(all="ignore"):
            for number, place in enumerate(np.ndindex(self.block_shape)):
                window = [
                    slice(k * dilation, k * dilation + (count - 1) * stride + 1, stride)
                    for k, count, (_, _, stride, dilation, _, _) in zip(place, counts, self._axes, strict=True)
                ]
                padded[(*lead, *window)] += columns[(*lead, number, ...)]  # type: ignore[arg-type]
        inner = [slice(begin, begin + size) for size, _, _, _, begin, _ in self._axes]
        return padded[(*lead, *inner)]


def _batched(layout: Layout) -> Layout:
    """Return the layout with a batch of one before its axes."""
    return Layout((1, *layout.sizes), (0, *layout.strides), layout.offset)


def windows_of(operator: Im2Col | Col2Im, ndim: int) -> dict[str, tuple[int, ...]]:
    """Return the four fields that say where windows lie, with their defaults."""
    values = {}
    for name, default in (("strides", 1), ("dilations", 1), ("begins", 0), ("ends", 0)):
        given = getattr(operator, name)
        values[name] = (default,) * ndim if given is None else given
        check_count(name, values[name], ndim)
    return values


def window_count(number: int, size: int, block: int, stride: int, dilation: int, begin: int, end: int) -> int:
    """Return how many windows an axis has. Raises InvalidValueError for a window that it does not hold."""
    reach, padded = dilation * (block - 1) + 1, begin + size + end
    if reach > padded:
        raise invalid(f"block_shape[{number}]", block, f"a window that reaches over {padded} positions at most",
                      f"with dilation {dilation} it reaches over {reach}")  # fmt: skip
    return (padded - reach) // stride + 1


def check_count(field: str, values: tuple[int, ...], count: int) -> None:
    """Raise InvalidValueError unless there are so many entries."""
    if len(values) != count:
        raise InvalidValueError(f"{field} has {len(values)} entries, allowed {count}")
