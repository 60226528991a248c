"""Layout: sizes, strides and offset of a tensor in a buffer, and diagrams of its memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import as_entries, as_int, as_ints, normalized_axis
from wherry.arrays.anywhere import as_array
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError, cut, invalid, short
from wherry.limits import MAX_NDIM, check_ndim

LIMIT = 2**63 - 1
"""The greatest number of elements, or bytes, of a layout: 64-bit signed arithmetic."""

LOGICAL_ORDER = "NCDHW"
"""The order in which sizes are given for every named order: batch, channel, depth, height, width."""

_PICTURE_LIMIT = 4096
_SEARCH_LIMIT = 1_000_000


@dataclass(frozen=True, init=False)
class Layout:
    """Where each element of a tensor lies in a buffer: `offset + sum(coordinate * stride)`, all in elements.

    `strides=None` means packed, the last axis fastest. Strides may be 0 (broadcast), negative, larger than packed
    (padded), permuted, or overlapping; no element may lie before the buffer's start. A Layout owns no memory.

    Raises InvalidValueError for a negative size, a wrong number of strides or an element before the buffer's start,
    SizeOverflowError where an element would lie beyond 64-bit arithmetic.

    >>> padded = Layout((2, 3), strides=(5, 1))
    >>> padded.offset_of((1, 0)), padded.extent, padded.is_padded
    (5, 8, True)
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    def __init__(self, sizes: Iterable[int], strides: Iterable[int] | None = None, offset: int = 0) -> None:
        given = as_ints("sizes", sizes)
        if len(given) > MAX_NDIM:
            check_ndim(len(given), "the layout")
        for axis, size in enumerate(given):
            if size < 0:
                raise invalid(f"sizes[{axis}]", size, "0 and more", "a size counts elements")
        steps = packed_strides(given) if strides is None else as_ints("strides", strides)
        if len(steps) != len(given):
            raise InvalidValueError(f"strides has {len(steps)} entries, allowed {len(given)}: one for each size")
        object.__setattr__(self, "sizes", given)
        object.__setattr__(self, "strides", steps)
        object.__setattr__(self, "offset", as_int("offset", offset))
        self._refuse_unreachable()

    def _refuse_unreachable(self) -> None:
        if (math.prod(self.sizes) or math.prod(filter(None, self.sizes))) > LIMIT:
            raise SizeOverflowError(f"sizes {list(self.sizes)} have more than {LIMIT} elements; split the tensor")
        lowest, highest = self._reach()
        if max(highest, self.offset) > LIMIT or lowest < -LIMIT:
            raise SizeOverflowError(f"the last element lies {highest} elements into the buffer, allowed up to {LIMIT}")
        if min(lowest, self.offset) < 0:
            raise invalid("offset", self.offset, f"{self.offset - lowest} and more",
                          "with these strides an element would lie before the buffer")  # fmt: skip

    def _reach(self) -> tuple[int, int]:
        """Return the offsets of the lowest and of the highest element; both are `offset` for an empty tensor."""
        lowest = highest = self.offset
        if 0 in self.sizes:
            return lowest, highest
        for size, stride in zip(self.sizes, self.strides, strict=True):
            if stride > 0:
                highest += (size - 1) * stride
            else:
                lowest += (size - 1) * stride
        return lowest, highest

    @classmethod
    def ordered(cls, sizes: Iterable[int], order: str, *, logical: str | None = None) -> Layout:
        """Return the packed layout of a named memory order: `sizes` in logical order, memory in `order`.

        For letters of N, C, D, H, W, sizes are in that order ("NHWC" takes sizes N, C, H, W; "WH" takes H, W);
        for other letters, `logical` names the order of the sizes.

        Raises InvalidValueError for an order that is no permutation of the letters, or does not fit the sizes.

        >>> Layout.ordered((1, 3, 4, 5), "NHWC").strides
        (60, 1, 15, 3)
        """
        for field, text in (("order", order), ("logical", "" if logical is None else logical)):
            if not isinstance(text, str):
                raise InvalidTypeError(f"{field} is {short(text)}, allowed letters such as 'NHWC'")
        letters = "".join(sorted(order, key=LOGICAL_ORDER.find)) if logical is None else logical
        if logical is None and not set(order) <= set(LOGICAL_ORDER):
            raise invalid("order", short(order), f"letters of {LOGICAL_ORDER}", "for other letters pass logical=")
        if sorted(letters) != sorted(order) or len(set(order)) != len(order):
            raise invalid("order", short(order), f"each letter of {short(letters)} once")
        given = as_ints("sizes", sizes)
        if len(given) != len(order):
            raise InvalidValueError(
                f"sizes has {len(given)} entries, allowed {len(order)}: one for each of {letters!r}"
            )
        axes = [letters.index(letter) for letter in order]
        packed = packed_strides([given[axis] for axis in axes])
        return cls(given, [packed[axes.index(axis)] for axis in range(len(given))])

    @staticmethod
    def of(array: Any) -> Layout:
        """Return the layout of an array in memory, with offsets counted from its lowest address.

        An array of elements without bytes counts as packed. Raises InvalidValueError if a byte stride is no multiple of
        the element size, InvalidTypeError for an object that is no array in memory.

        >>> Layout.of(np.arange(6)[::-2])
        Layout(sizes=(3,), strides=(-2,), offset=4)
        """
        if not isinstance(array, np.ndarray):
            array = _in_memory(array)
        width = array.dtype.itemsize
        if width == 0:
            return Layout(array.shape)
        if any(s % width for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
            raise InvalidValueError(
                f"byte strides are {array.strides}, allowed multiples of {width}; copy the array first"
            )
        steps = zip(array.shape, array.strides, packed_strides(array.shape), strict=True)
        strides = [stride // width if size > 1 else packed for size, stride, packed in steps]
        before = 0 if 0 in array.shape else -sum(min(0, (n - 1) * s) for n, s in zip(array.shape, strides, strict=True))
        return Layout(array.shape, strides, before)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.sizes)

    @property
    def size(self) -> int:
        """The number of logical elements."""
        return math.prod(self.sizes)

    @property
    def extent(self) -> int:
        """The index of the last element in the buffer, plus one; 0 for an empty tensor."""
        return 0 if 0 in self.sizes else self._reach()[1] + 1

    @property
    def span(self) -> int:
        """The number of elements of the buffer from the lowest element to the highest; 0 for an empty tensor."""
        lowest, highest = self._reach()
        return 0 if 0 in self.sizes else highest - lowest + 1

    @property
    def is_broadcast(self) -> bool:
        """Whether an axis longer than 1 has stride 0: all its positions read one element."""
        return 0 not in self.sizes and any(n > 1 and s == 0 for n, s in zip(self.sizes, self.strides, strict=True))

    @property
    def is_overlapping(self) -> bool:
        """Whether two coordinates share an element of the buffer, as in a broadcast."""
        return reaches_twice(self.sizes, self.strides)

    @property
    def is_padded(self) -> bool:
        """Whether the buffer has an element between the lowest and the highest that belongs to no coordinate."""
        covered = 1
        for stride, size in sorted((abs(s), n) for n, s in zip(self.sizes, self.strides, strict=True) if n > 1):
            if stride > covered:
                return 0 not in self.sizes
            covered += (size - 1) * stride
        return False

    @property
    def is_packed(self) -> bool:
        """Whether there is no padding and no overlap, with the axes in any order."""
        return self.span == self.size and not self.is_overlapping

    @property
    def is_row_major(self) -> bool:
        """Whether elements are contiguous in row-major order, as with `strides=None`."""
        return 0 in self.sizes or all(
            n == 1 or s == p for n, s, p in zip(self.sizes, self.strides, packed_strides(self.sizes), strict=True)
        )

    def offset_of(self, coords: Iterable[int]) -> int:
        """Return the offset in the buffer, in elements, of the element at `coords`.

        Raises InvalidValueError for a wrong number of coordinates, or one outside its axis.

        >>> Layout((2, 2, 3)).offset_of((1, 0, 1))
        7
        """
        given = as_ints("coords", coords)
        if len(given) != self.ndim:
            raise InvalidValueError(f"coords has {len(given)} entries, allowed {self.ndim}: one for each axis")
        for axis, (coord, size) in enumerate(zip(given, self.sizes, strict=True)):
            if not 0 <= coord < size:
                raise invalid(f"coords[{axis}]", coord, f"0..{size - 1}" if size else "none, the axis is empty")
        return self.offset + sum(c * s for c, s in zip(given, self.strides, strict=True))

    def nbytes(self, dtype: object, align: int = 4) -> int:
        """Return the bytes of the smallest buffer that holds the tensor, rounded up to a multiple of `align`.

        The default is that of DirectML's DMLCalcBufferTensorSize; `align=1` does not round. Types narrower than a byte
        are counted packed. Raises SizeOverflowError beyond 64-bit arithmetic, InvalidTypeError for Python objects.

        >>> Layout((5,)).nbytes("float16"), Layout((5,)).nbytes("float16", align=1)
        (12, 10)
        """
        align = as_int("align", align)
        if align < 1:
            raise invalid("align", align, "1 and more")
        bits = _bits(dtype)
        plain = (self.extent * bits + 7) // 8
        nbytes = (plain + align - 1) // align * align
        if nbytes > LIMIT:
            raise SizeOverflowError(f"the buffer would have {nbytes} bytes, allowed up to {LIMIT}")
        return nbytes

    def with_ndim(self, ndim: int) -> Layout:
        """Return this layout with leading axes of size 1 added or trimmed until it has `ndim` axes.

        Raises InvalidValueError if a leading axis to trim is longer than 1, ResourceLimitError for more axes than a
        NumPy array has.

        >>> Layout((2, 3)).with_ndim(4).sizes
        (1, 1, 2, 3)
        """
        ndim = as_int("ndim", ndim)
        if ndim > MAX_NDIM:
            check_ndim(ndim, "the layout")
        extra = ndim - self.ndim
        if ndim < 0 or (extra < 0 and any(size != 1 for size in self.sizes[:-extra])):
            raise invalid(
                "ndim",
                ndim,
                f"{self.trimmed().ndim} and more",
                f"sizes {list(self.sizes)} lead with more than ones",
            )
        if extra < 0:
            return Layout(self.sizes[-extra:], self.strides[-extra:], self.offset)
        outer = self.sizes[0] * self.strides[0] if self.ndim else 1
        filler = max(1, abs(outer))
        return Layout((1,) * extra + self.sizes, (filler,) * extra + self.strides, self.offset)

    def trimmed(self) -> Layout:
        """Return this layout without its leading axes of size 1.

        >>> Layout((1, 1, 2, 3)).trimmed().sizes
        (2, 3)
        """
        first = next((axis for axis, size in enumerate(self.sizes) if size != 1), self.ndim)
        return Layout(self.sizes[first:], self.strides[first:], self.offset)

    def sliced(self, axis: int, start: int, size: int, step: int = 1) -> Layout:
        """Return the layout of `size` positions along `axis`, from `start` on, every `step`-th; the same buffer.

        Raises InvalidValueError if a position lies outside the axis.

        >>> Layout((4, 6)).sliced(1, 5, 3, step=-2)
        Layout(sizes=(4, 3), strides=(6, -2), offset=5)
        """
        start, size, step = as_int("start", start), as_int("size", size), as_int("step", step)
        axis = self._axis(axis)
        last = start + (size - 1) * step if size else start
        length = self.sizes[axis]
        if size < 0 or (size and not (0 <= start < length and 0 <= last < length)):
            raise InvalidValueError(f"positions {start}..{last} of axis {axis}, allowed 0..{length - 1}")
        sizes, strides = list(self.sizes), list(self.strides)
        sizes[axis], strides[axis] = size, strides[axis] * step
        offset = self.offset if 0 in sizes else self.offset + start * self.strides[axis]
        return Layout(sizes, strides, offset)

    def permuted(self, axes: Sequence[int]) -> Layout:
        """Return this layout with its axes in the order `axes`; the same buffer.

        Raises InvalidValueError unless `axes` names each axis once.

        >>> Layout((2, 3)).permuted((1, 0)).strides
        (1, 3)
        """
        axes = as_ints("axes", axes)
        if sorted(axes) != list(range(self.ndim)):
            raise invalid("axes", list(axes), f"each of 0..{self.ndim - 1} once")
        return Layout([self.sizes[a] for a in axes], [self.strides[a] for a in axes], self.offset)

    def broadcast_to(self, sizes: Sequence[int]) -> Layout:
        """Return this layout broadcast to `sizes` by NumPy's rule: missing axes and axes of 1 get stride 0.

        Raises InvalidValueError if an axis neither equals its target nor is 1.

        >>> Layout((3,)).broadcast_to((2, 3)).strides
        (0, 1)
        """
        sizes = as_ints("sizes", sizes)
        extra = len(sizes) - self.ndim
        targets = sizes[max(extra, 0) :]
        fits = extra >= 0 and all(own in (1, to) for own, to in zip(self.sizes, targets, strict=True))
        if not fits:
            raise InvalidValueError(f"sizes {list(self.sizes)} do not broadcast to {short(list(sizes))}")
        pairs = zip(self.sizes, self.strides, targets, strict=True)
        return Layout(sizes, [0] * extra + [0 if own == 1 != to else s for own, s, to in pairs], self.offset)

    def spread(self, sizes: Sequence[int], axes: Sequence[int | None]) -> Layout:
        """Return the layout of `sizes` whose axis k steps along axis `axes[k]` of this one, or has stride 0 for None.

        `axes` may name an axis several times (positions then add up) or not at all (position 0).
        Raises InvalidValueError if an element would lie outside an axis of this layout.

        >>> Layout((2, 3)).spread((3, 4, 2), (1, None, 0)).strides
        (1, 0, 3)
        """
        sizes = as_ints("sizes", sizes)
        own = [None if axis is None else self._axis(axis) for axis in as_entries("axes", axes, "a sequence of axes")]
        if len(own) != len(sizes):
            raise InvalidValueError(f"axes has {len(own)} entries, allowed {len(sizes)}: one for each size")
        farthest = [0] * self.ndim
        for size, axis in zip(sizes, own, strict=True):
            if axis is not None:
                farthest[axis] += size - 1
        for axis, (far, size) in enumerate(zip(farthest, self.sizes, strict=True)):
            if 0 not in sizes and far >= size:
                raise InvalidValueError(f"positions 0..{far} of axis {axis}, allowed 0..{size - 1}")
        return Layout(sizes, [0 if axis is None else self.strides[axis] for axis in own], self.offset)

    def _axis(self, axis: int) -> int:
        return normalized_axis(as_int("axis", axis), self.ndim, "the layout")

    def unfolded(self, axis: int, sizes: Sequence[int]) -> Layout:
        """Return this layout with one axis split into several, the last one fastest; the same buffer.

        Raises InvalidValueError if the product of `sizes` is not the size of the axis.

        >>> Layout((6, 2)).unfolded(0, (3, 2))
        Layout(sizes=(3, 2, 2), strides=(4, 2, 1), offset=0)
        """
        sizes, axis = as_ints("sizes", sizes), self._axis(axis)
        if math.prod(sizes) != self.sizes[axis]:
            raise invalid("sizes", list(sizes), f"a product of {self.sizes[axis]}, the size of axis {axis}")
        strides = [self.strides[axis] * step for step in packed_strides(sizes)]
        return Layout(
            (*self.sizes[:axis], *sizes, *self.sizes[axis + 1 :]),
            (*self.strides[:axis], *strides, *self.strides[axis + 1 :]),
            self.offset,
        )

    def reshaped(self, sizes: Sequence[int]) -> Layout | None:
        """Return this layout reshaped to `sizes` in row-major order, or None if no strides express that.

        Raises InvalidValueError unless `sizes` has the same number of elements.

        >>> Layout((2, 6), strides=(16, 2)).reshaped((2, 2, 3))
        Layout(sizes=(2, 2, 3), strides=(16, 6, 2), offset=0)
        >>> Layout((2, 6), strides=(16, 2)).reshaped((3, 4)) is None
        True
        """
        sizes = as_ints("sizes", sizes)
        if min(sizes, default=0) < 0 or math.prod(sizes) != self.size:
            raise InvalidValueError(f"sizes {list(sizes)} have {short(math.prod(sizes))} elements, allowed {self.size}")
        if self.size == 0:
            return Layout(sizes, None, self.offset)
        merged = self.merged()
        groups = list(zip(merged.sizes, merged.strides, strict=True))
        strides, left, step = [], 1, 1
        for size in reversed(sizes):
            if left == 1 and groups and size > 1:
                left, step = groups.pop()
            if left % size:
                return None
            strides.append(step)
            left, step = left // size, step * size
        return Layout(sizes, reversed(strides), self.offset)

    def merged(self) -> Layout:
        """Return the layout of fewest axes that has the same elements in the same row-major order.

        Axes of size 1 are dropped, and neighbours merged where the outer stride is the inner stride times its size.

        >>> Layout((2, 1, 3, 4), strides=(30, 7, 10, 2)).merged()
        Layout(sizes=(6, 4), strides=(10, 2), offset=0)
        """
        if 0 in self.sizes:
            return Layout((0,), None, self.offset)
        sizes: list[int] = []
        strides: list[int] = []
        for size, stride in zip(self.sizes, self.strides, strict=True):
            if size == 1:
                continue
            if sizes and strides[-1] == stride * size:
                sizes[-1], strides[-1] = sizes[-1] * size, stride
            else:
                sizes.append(size)
                strides.append(stride)
        return Layout(sizes, strides, self.offset)

    def view(self, buffer: Any, dtype: object) -> NDArray[Any]:
        """Return a NumPy array over `buffer` (anything with the buffer protocol) with this layout; nothing is copied.

        The array is read-only if the buffer is, or if elements overlap. Types narrower than a byte take one byte each.
        Raises InvalidValueError if the buffer is too short, InvalidTypeError for a type without a fixed width.

        >>> Layout((2, 3), strides=(5, 1)).view(np.arange(10, dtype="int32"), "int32")
        array([[0, 1, 2],
               [5, 6, 7]], dtype=int32)
        """
        element = _element(dtype)
        memory = _as_bytes(buffer)
        needed = self.extent * element.itemsize
        if needed > memory.nbytes:
            raise InvalidValueError(f"the buffer has {memory.nbytes} bytes, needed {needed}: sizes {list(self.sizes)}, "
                                    f"strides {list(self.strides)}, offset {self.offset} of {element}")  # fmt: skip
        if 0 in self.sizes:
            return np.empty(self.sizes, element)
        byte_strides = [stride * element.itemsize for stride in self.strides]
        array: NDArray[Any] = np.ndarray(self.sizes, element, memory, self.offset * element.itemsize, byte_strides)
        if array.flags.writeable and self.is_overlapping:
            array.flags.writeable = False
        return array

    def diagram(self) -> str:
        """Return the layout as text: a table of offsets with the value at each, then the logical grid.

        Values are letters in logical order; `x` is an offset that belongs to no coordinate.
        Raises InvalidValueError for a tensor too large to draw.

        >>> print(Layout((2, 3), strides=(1, 2)).diagram())
        Offset: | 0 | 1 | 2 | 3 | 4 | 5
        Value:  | A | D | B | E | C | F
        <BLANKLINE>
        A B C
        D E F
        """
        if max(self.extent, self.size) > _PICTURE_LIMIT:
            raise invalid("extent", self.extent, f"up to {_PICTURE_LIMIT} in a diagram", "draw a part: sliced()")
        labels: dict[int, str] = {}
        for place in self._places():
            labels.setdefault(place, _letters(len(labels)))
        cells = [labels.get(place, "x") for place in range(self.extent)]
        widths = [max(len(cell), len(str(place))) for place, cell in enumerate(cells)]
        offsets = [str(place).rjust(width) for place, width in enumerate(widths)]
        values = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        table = "\n".join((" | ".join(["Offset:", *offsets]), " | ".join(["Value: ", *values])))
        return f"{table}\n\n{self._grid(labels)}".rstrip()

    def _places(self) -> Iterator[int]:
        for coords in product(*map(range, self.sizes)):
            yield self.offset + sum(c * s for c, s in zip(coords, self.strides, strict=True))

    def _grid(self, labels: dict[int, str]) -> str:
        if self.size == 0:
            return "(no elements)"
        names = np.array([labels[place] for place in self._places()], dtype=object).reshape(self.sizes)
        width = max(map(len, labels.values()))
        columns = self.sizes[-1] if self.ndim else 1
        rows = self.sizes[-2] if self.ndim > 1 else 1
        planes = names.reshape((-1, rows, columns))
        lines = ["\n".join(" ".join(name.rjust(width) for name in row) for row in plane) for plane in planes]
        return "\n\n".join(lines)


def packed_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return row-major strides in elements; an axis of size 0 counts as 1, as NumPy does.

    >>> packed_strides((2, 2, 3))
    (6, 3, 1)
    """
    strides, running = [], 1
    for size in reversed(sizes):
        strides.append(running)
        running *= max(size, 1)
    return tuple(reversed(strides))


def reaches_twice(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Return whether two coordinates have the same offset.

    The problem is a subset sum. After a million steps of search, which only strides constructed for that purpose need,
    the answer is True, which is safe.

    >>> reaches_twice((2, 3), (3, 2)), reaches_twice((3, 4), (4, 2))
    (False, True)
    """
    if 0 in sizes:
        return False
    axes = sorted(((abs(s), n - 1) for n, s in zip(sizes, strides, strict=True) if n > 1), reverse=True)
    if not axes:
        return False
    if axes[-1][0] == 0 or math.prod(n + 1 for _, n in axes) > sum(s * n for s, n in axes) + 1:
        return True  # a broadcast axis, or more coordinates than offsets
    reach = [sum(s * n for s, n in axes[k:]) for k in range(len(axes) + 1)]
    steps_left = _SEARCH_LIMIT

    def cancels(k: int, rest: int, moved: bool) -> bool:
        """Whether steps along axes k, k+1 ... bring `rest` back to 0 with a step somewhere."""
        nonlocal steps_left
        if k == len(axes):
            return moved and rest == 0
        steps_left -= 1
        if steps_left < 0:
            return True
        stride, most = axes[k]
        low = max(-most, -((rest + reach[k + 1]) // stride))
        high = min(most, (reach[k + 1] - rest) // stride)
        return any(cancels(k + 1, rest + step * stride, moved or step != 0) for step in range(low, high + 1))

    return cancels(0, 0, False)


def _element(dtype: object) -> np.dtype[Any]:
    """Return the NumPy dtype of elements that lie in a buffer: all but Python objects and strings of any width."""
    element = dtypes.numpy_of(dtype)
    if element.hasobject:
        raise InvalidTypeError(f"dtype is {cut(str(dtype))}, allowed a type of fixed width; "
                               "strings and other Python objects do not lie in a buffer")  # fmt: skip
    return element


def _bits(dtype: object) -> int:
    element, row = _element(dtype), dtypes.row_of(dtype)
    return element.itemsize * 8 if row is None or row.is_string else row.bits


def _in_memory(value: Any) -> NDArray[Any]:
    """Return an array of another library over its memory. Raises InvalidTypeError for lists, numbers and all else."""
    if isinstance(value, (bytearray, memoryview)) or any(hasattr(value, name) for name in _IN_MEMORY):
        return as_array(value, "array")
    raise InvalidTypeError(f"array is {short(value)}, allowed an array; a list has no place in memory")


_IN_MEMORY = ("__dlpack__", "__array_interface__", "__array_struct__")


def _as_bytes(buffer: Any) -> NDArray[np.uint8]:
    if isinstance(buffer, np.ndarray):
        if buffer.dtype.hasobject:
            raise InvalidTypeError(f"the buffer holds {buffer.dtype}, allowed anything but Python objects")
        if not buffer.flags.forc:
            raise InvalidValueError(
                "the buffer is a strided array, allowed contiguous memory; use Layout.of(array) for it"
            )
        return buffer.ravel(order="K").view(np.uint8) if buffer.nbytes else np.empty(0, np.uint8)
    try:
        memory = memoryview(buffer)
    except Exception:  # whatever a class of the caller's raises
        raise InvalidTypeError(
            f"the buffer is {short(buffer)}, allowed an array, bytes, or anything else with the buffer protocol"
        ) from None
    if not memory.contiguous:
        raise InvalidValueError("the buffer is strided memory, allowed contiguous memory")
    return np.frombuffer(memory.cast("B") if memory.nbytes else b"", np.uint8)


def _letters(number: int) -> str:
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
