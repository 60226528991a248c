"""CheckMove and DistinctMove: check indices before anything is written."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wherry import _core
from wherry.errors import IndexOutOfRangeError, IndexOutOfRangeWarning, InvalidValueError
from wherry.layout import LIMIT
from wherry.moves.indices import advanced, core_reads, element_name, indices_at, places_of
from wherry.moves.move import Memory, Move, Numbers, Step, place_of
from wherry.moves.rules import NEGATIVE_NUMBER, OUT_OF_RANGE_WRITE_NUMBER, Negative, OutOfRangeWrite
from wherry.tensors import View


@dataclass(frozen=True)
class CheckMove(Move):
    """Every index lies on its axis, or the run is refused (with `warns`: a warning says which one does not).

    `indices` is the index tensor as it was given. With `tuples` its last axis holds one index for each of `sizes`,
    the axes that are indexed; otherwise all are indices on one axis. `reasons` end the error, one for each of `sizes`.
    """

    indices: View
    sizes: tuple[int, ...]
    tuples: bool
    negative: Negative
    reasons: tuple[str, ...]
    subject: str
    warns: bool = False

    target = None

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make the move fail."""
        return not self.warns

    @property
    def may_warn(self) -> bool:
        """Whether the data can make the move warn."""
        return self.warns

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads; see Move."""
        return True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads."""
        return (self.indices,)

    def run(self, memory: Memory) -> None:
        """Refuse the first bad index in row-major order, or warn of it."""
        indices = indices_at(self.indices, memory)
        columns = [indices[..., column] for column in range(len(self.sizes))] if self.tuples else [indices]
        found = []
        for column, (values, size) in enumerate(zip(columns, self.sizes, strict=True)):
            bad = _core.check_indices(values, size, NEGATIVE_NUMBER[self.negative])
            if bad is not None:
                found.append((bad[0] * len(columns) + column, column, bad[1]))
        if not found:
            return
        position, column, value = min(found)
        text = self._text(indices.shape, position, column, value)
        if not self.warns:
            raise IndexOutOfRangeError(f"{text}; correct the index, or choose a rule that does not raise", self.subject)
        warnings.warn(f"{self.subject}: {text}; it was left out", IndexOutOfRangeWarning, stacklevel=2)

    def _text(self, shape: Sequence[int], position: int, column: int, value: int) -> str:
        size = self.sizes[column]
        lowest = -size if self.negative is Negative.FROM_END else 0
        allowed = "none" if size == 0 else f"{lowest} and more" if size == LIMIT else f"{lowest}..{size - 1}"
        return f"{element_name('indices', shape, position)} is {value}, allowed {allowed} ({self.reasons[column]})"

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return a step for each column of indices; warnings need Python."""
        if self.warns or not core_reads(self.indices.dtype):
            return None
        negative = NEGATIVE_NUMBER[self.negative]
        columns = [self.indices]
        if self.tuples:
            layout, last = self.indices.layout, self.indices.layout.ndim - 1
            columns = [self.indices.over(layout.sliced(last, number, 1)) for number in range(len(self.sizes))]
        return [
            ("check", place_of(column, numbers), column.dtype, size, negative)
            for column, size in zip(columns, self.sizes, strict=True)
        ]

    def __str__(self) -> str:
        return f"check   {self.indices} within {list(self.sizes)} (negative {self.negative})"


@dataclass(frozen=True)
class DistinctMove(Move):
    """No two updates go to one element, or the run is refused; views as those of the ScatterMove that follows.

    `sizes` are those of the updates as they were given.
    """

    target_of_scatter: View
    indices: View
    sizes: tuple[int, ...]
    out_of_range: OutOfRangeWrite
    negative: Negative
    subject: str
    advance: int | None = None

    target = None

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make the move fail."""
        return True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads."""
        return (self.target_of_scatter, self.indices)

    def run(self, memory: Memory) -> None:
        """Refuse two updates for one element."""
        scatter = self.target_of_scatter
        indices = advanced(indices_at(self.indices, memory), self.advance, scatter.layout.sizes)
        flat = places_of(scatter, indices, OUT_OF_RANGE_WRITE_NUMBER[self.out_of_range], self.negative).ravel()
        order = np.argsort(flat, kind="stable")
        again = order[1:][(flat[order][1:] == flat[order][:-1]) & (flat[order][1:] >= 0)]
        if not again.size:
            return
        second = int(again.min())
        first = int(np.flatnonzero(flat == flat[second])[0])
        names = [element_name("updates", self.sizes, place) for place in (first, second)]
        raise InvalidValueError(
            f"{names[0]} and {names[1]} go to one element, allowed one update for each; remove one, or let the last "
            f"one win",
            self.subject,
        )

    def __str__(self) -> str:
        return f"check   {self.indices} distinct in {self.target_of_scatter}"
