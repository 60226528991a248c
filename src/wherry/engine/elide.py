"""Copy elision: what is written to a temporary and then only copied elsewhere is written there in the first place.

A gather whose result is transposed then writes transposed; of a Concat of which only a part is kept only that part is
moved. Moves know nothing of operators, so this holds for any of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from wherry.layout import Layout
from wherry.moves import CopyMove, FillMove, GatherMove, Move
from wherry.tensors import View

_PATIENCE = 1 << 14
_PATIENCE_PER_MOVE = 8


def elide_copies(moves: Sequence[Move], temporaries: Mapping[str, View]) -> list[Move]:
    """Return moves that give the same results without those temporaries that can be done without."""
    found = _Slots(moves)
    for buffer, view in temporaries.items():
        if found.patience <= 0:
            break
        found.do_without(buffer, view.layout)
    return [move for slot in found.slots for move in slot]


class _Slots:
    """Moves in slots, one for each move at first; and which slots touch, and which write, which buffer.

    `patience` is how many moves may still be looked at: in proportion to all, so that a plan of any form takes linear
    time. It ends where hundreds of moves write a temporary that hundreds read.
    """

    def __init__(self, moves: Sequence[Move]) -> None:
        self.slots: list[list[Move]] = [[move] for move in moves]
        self.touching: defaultdict[str, set[int]] = defaultdict(set)
        self.writing: defaultdict[str, set[int]] = defaultdict(set)
        self.patience = _PATIENCE + _PATIENCE_PER_MOVE * len(moves)
        for number, move in enumerate(moves):
            self._note(number, move)

    def _note(self, slot: int, move: Move) -> None:
        for view in move.views:
            self.touching[view.buffer].add(slot)
        if move.target is not None:
            self.writing[move.target.buffer].add(slot)

    def do_without(self, buffer: str, whole: Layout) -> None:
        """Let the writers of a temporary write where its readers copy to, in the readers' slots; or change nothing."""
        found = [(slot, move) for slot in sorted(self.touching[buffer]) for move in self.slots[slot]]
        writers = [(slot, move) for slot, move in found if _writes(move, buffer)]
        readers = [(slot, move) for slot, move in found if not _writes(move, buffer) and _reads(move, buffer)]
        self.patience -= len(found)
        if len(writers) * len(readers) > self.patience:
            return
        self.patience -= len(writers) * len(readers)
        copied = 0
        instead: list[tuple[int, Move, list[Move]]] = []
        for slot, reader in readers:
            if not isinstance(reader, CopyMove):
                return
            parts: list[Move] = []
            way = _way(reader, whole)
            copied += reader.target.layout.size
            for written, writer in writers:
                part = None
                if way is not None and self._may_wait(written, slot, writer):
                    part = _redirected(writer, way)
                if part is None:
                    return
                parts += part
            instead.append((slot, reader, parts))
        if not readers or copied > whole.size:  # what is read several times is better made once
            return
        new: dict[int, list[Move]] = {id(writer): [] for _, writer in writers}
        new |= {id(reader): parts for _, reader, parts in instead}
        for slot in self.touching[buffer]:
            self.slots[slot] = [now for move in self.slots[slot] for now in new.get(id(move), [move])]
        for slot, _, parts in instead:
            for move in parts:
                self._note(slot, move)

    def _may_wait(self, slot: int, until: int, move: Move) -> bool:
        """Whether a move does the same in a later slot: no move on the way writes to what it reads."""
        read = {view.buffer for view in move.views if view is not move.target}
        if slot >= until or any(_writes(move, buffer) for buffer in read):
            return False
        written = {at for buffer in read for at in self.writing[buffer] if slot < at <= until}
        others = [other for at in written for other in self.slots[at]]
        self.patience -= len(others) + sum(len(self.writing[buffer]) for buffer in read)
        return not any(_writes(other, buffer) for other in others for buffer in read)


def _writes(move: Move, buffer: str) -> bool:
    return move.target is not None and move.target.buffer == buffer


def _reads(move: Move, buffer: str) -> bool:
    return any(view.buffer == buffer for view in move.views)


@dataclass(frozen=True)
class _Digit:
    """One axis, or a part of one, of a packed temporary, and which of its positions a copy reads.

    Position `start + y * step` goes to `y * target_stride`, for y < count.
    """

    size: int
    stride: int
    start: int
    count: int
    step: int
    target_stride: int

    def common(self, first: int, size: int) -> tuple[int, int]:
        """Return the first y, and how many, whose positions lie in `first .. first + size - 1`."""
        low = max(0, -((self.start - first) // self.step))
        high = min(self.count - 1, (first + size - 1 - self.start) // self.step)
        return low, max(0, high - low + 1)


@dataclass(frozen=True)
class _Way:
    """How a copy reads a packed temporary, outermost digit first, and where position 0 of each goes."""

    digits: tuple[_Digit, ...]
    target: View


def _way(reader: CopyMove, whole: Layout) -> _Way | None:
    """Return how a copy reads a temporary; None where it reads an element twice, or in no order of axes."""
    source, target = reader.source.layout, reader.target.layout
    for axis, (size, stride) in enumerate(zip(source.sizes, source.strides, strict=True)):
        if size > 1 and stride < 0:
            source, target = (layout.sliced(axis, size - 1, size, -1) for layout in (source, target))
    axes = _cut_as(whole, source, target)
    offset, digits = source.offset, []
    for size, stride in zip(whole.sizes, whole.strides, strict=True):
        if size == 1:
            continue
        pieces, edge = [], stride * size
        own = [axis for axis in axes if stride <= axis[0] < edge]
        if len(own) == 1 and own[0][0] % stride == 0:
            pieces = [(size, stride, own[0][1], own[0][0] // stride, own[0][2])]
        else:
            for step, count, target_stride in sorted(own, reverse=True):
                if edge % step:
                    return None
                pieces.append((edge // step, step, count, 1, target_stride))
                edge = step
            if edge > stride:
                pieces.append((edge // stride, stride, 1, 1, 0))
        for length, unit, count, step, target_stride in pieces:
            start, offset = divmod(offset, unit)
            if start + (count - 1) * step >= length:
                return None
            digits.append(_Digit(length, unit, start, count, step, target_stride))
    if source.size == 0 or any(stride == 0 for stride, _, _ in axes):
        return None
    return _Way(tuple(digits), reader.target.over(target))


def _cut_as(whole: Layout, source: Layout, target: Layout) -> list[tuple[int, int, int]]:
    """Return stride, size and stride in the target of each axis of a copy, cut where an axis of the whole ends."""
    lengths = {stride: size for size, stride in zip(whole.sizes, whole.strides, strict=True) if size > 1}
    axes = []
    for size, stride, target_stride in zip(source.sizes, source.strides, target.strides, strict=True):
        count, step, to = size, stride, target_stride
        while count > (length := lengths.get(step, count)) and count % length == 0:
            axes.append((step, length, to))
            count, step, to = count // length, step * length, to * length
        if count > 1:
            axes.append((step, count, to))
    return axes


def _redirected(writer: Move, way: _Way) -> list[Move] | None:
    """Return the part of a writer that the copy reads, written where the copy goes; None where axes do not fit."""
    if not isinstance(writer, (CopyMove, FillMove, GatherMove)) or writer.target.layout.size == 0:
        return None
    offset, firsts = writer.target.layout.offset, []
    for digit in way.digits:
        first, offset = divmod(offset, digit.stride)
        firsts.append(first)
    cut = _cut(writer, way.digits, firsts)
    if cut is None:
        return None
    move, numbers = cut
    if len(set(numbers.values())) < len(numbers):
        return None
    axis_of = {number: axis for axis, number in numbers.items()}
    strides, offset = [0] * move.target.layout.ndim, way.target.layout.offset
    for number, (digit, first) in enumerate(zip(way.digits, firsts, strict=True)):
        axis = axis_of.get(number)
        y, count = digit.common(first, 1 if axis is None else move.target.layout.sizes[axis])
        if count == 0:
            return []
        offset += y * digit.target_stride
        if axis is not None:
            strides[axis] = digit.target_stride
            move = _sliced(move, axis, digit.start + y * digit.step - first, count, digit.step)
    return [replace(move, target=way.target.over(Layout(move.target.layout.sizes, strides, offset)))]


def _cut(writer: _Writer, digits: Sequence[_Digit], firsts: Sequence[int]) -> tuple[_Writer, dict[int, int]] | None:
    """Return the writer with axes cut so that each runs over one digit, and that digit's number by axis."""
    by_stride = {digit.stride: number for number, digit in enumerate(digits)}
    numbers: dict[int, int] = {}
    move, layout = writer, writer.target.layout
    for axis in reversed(range(layout.ndim)):
        left, number = layout.sizes[axis], by_stride.get(layout.strides[axis])
        if left == 1:
            continue
        if number is None:
            return None
        sizes: list[int] = []
        found = [number]
        while left > digits[number].size - firsts[number]:
            if number == 0 or firsts[number] or left % digits[number].size:
                return None
            sizes.insert(0, digits[number].size)
            left, number = left // digits[number].size, number - 1
            found.insert(0, number)
        numbers = {place + len(sizes): digit for place, digit in numbers.items()}
        numbers.update((axis + place, digit) for place, digit in enumerate(found))
        if sizes:
            move = _over(move, partial(Layout.unfolded, axis=axis, sizes=[left, *sizes]))
    return move, numbers


def _sliced(move: _Writer, axis: int, start: int, size: int, step: int) -> _Writer:
    return _over(move, lambda layout: layout.sliced(axis, start, size, step))


def _over(move: _Writer, change: Callable[[Layout], Layout]) -> _Writer:
    """Return the move with the layouts of all its views changed, whose first axes are those of the target."""
    views = {name: getattr(move, name) for name in _VIEWS[type(move)]}
    return replace(move, **{name: view.over(change(view.layout)) for name, view in views.items()})


_Writer = CopyMove | FillMove | GatherMove

_VIEWS: dict[type[Move], tuple[str, ...]] = {
    CopyMove: ("source", "target"),
    FillMove: ("target",),
    GatherMove: ("data", "indices", "target"),
}
