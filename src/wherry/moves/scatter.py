"""ScatterMove: writes updates to the positions given by indices, or combines them with the elements there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry import _core
from wherry.moves.indices import advanced, core_reads, indices_at, places_of
from wherry.moves.move import ELEMENT_NUMBER, Array, Memory, Move, Numbers, Step, array_at, array_over, nbytes, place_of
from wherry.moves.rules import (
    NAN_NUMBER,
    NEGATIVE_NUMBER,
    OUT_OF_RANGE_WRITE_NUMBER,
    REDUCTION_NUMBER,
    NanRule,
    Negative,
    OutOfRangeWrite,
    Reduction,
)
from wherry.tensors import View


@dataclass(frozen=True)
class ScatterMove(Move):
    """`target[c ++ indices[c]] = reduction(target[c ++ indices[c]], updates[c])`, c over all coordinates of `updates`.

    In row-major order of c, whatever the number of threads. `indices` has the sizes of updates and one axis more, the
    columns: one index for each of the last axes of `target`. An axis of `target` or `indices` that repeats has
    stride 0; otherwise no two coordinates of target are one element. Under `raise` a CheckMove comes first.
    """

    target: View
    indices: View
    updates: View
    reduction: Reduction
    use_init_val: bool
    nan: NanRule
    out_of_range: OutOfRangeWrite
    negative: Negative
    advance: int | None = None
    """The axis of c whose coordinate is added to the index, before that wraps."""

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads; see Move."""
        return self.reduction is Reduction.NONE

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target, self.indices, self.updates)

    @property
    def bytes_written(self) -> int:
        """The bytes that the move writes: once for each update."""
        return nbytes(self.updates)

    @property
    def _rules(self) -> tuple[int, int]:
        return OUT_OF_RANGE_WRITE_NUMBER[self.out_of_range], NEGATIVE_NUMBER[self.negative]

    def run(self, memory: Memory) -> None:
        """Run the move now."""
        updates = array_at(self.updates, memory)
        indices = advanced(indices_at(self.indices, memory), self.advance, self.target.layout.sizes)
        if updates.dtype.hasobject:
            places = places_of(self.target, indices, self._rules[0], self.negative)
            inside = places >= 0
            if not inside.all():
                places, updates = places[inside], updates[inside]
            # NumPy keeps the last of several, and an array without axes as an object; its put breaks StringDType.
            memory[self.target.buffer][places.reshape(-1)] = updates.reshape(-1)
            return
        target = array_at(self.target, memory)
        if self.reduction is not Reduction.NONE and not self.use_init_val:
            start = np.broadcast_to(_neutral(self.reduction, target.dtype), updates.shape)
            self._scatter(target, indices, start, Reduction.NONE)
        if self.reduction is Reduction.MEAN:
            self._scatter_mean(indices, updates, memory[self.target.buffer])
        else:
            self._scatter(target, indices, updates, self.reduction)

    def _scatter(self, target: Array, indices: Array, updates: Array, reduction: Reduction) -> None:
        element = ELEMENT_NUMBER.get(target.dtype, -1)
        rules = (REDUCTION_NUMBER[reduction], *self._rules, element, NAN_NUMBER[self.nan])
        _core.scatter_into(target, indices, updates, *rules)

    def _scatter_mean(self, indices: Array, updates: Array, buffer: Array) -> None:
        """Sum up, count, divide: the one scatter that needs memory beside the output, a count for each place in it."""
        layout = self.target.layout
        vector = buffer[: layout.extent]
        counts = np.zeros(vector.shape, np.int64)
        one = np.broadcast_to(np.int64(1), updates.shape)
        self._scatter(array_over(counts, layout), indices, one, Reduction.ADD)
        self._scatter(array_over(vector, layout), indices, updates, Reduction.ADD)
        touched = np.flatnonzero(counts)
        vector[touched] = _quotient(vector[touched], counts[touched] + int(self.use_init_val))

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the step by which the core runs the move; what needs more than one pass needs Python."""
        if not core_reads(self.indices.dtype):
            return None
        places = [place_of(view, numbers) for view in (self.target, self.indices, self.updates)]
        if self.advance is not None:
            goes_round = self.reduction is Reduction.NONE and self.out_of_range is OutOfRangeWrite.WRAP
            ring = ("ring", *places, self.target.dtype.itemsize, self.indices.dtype, self.advance)
            return [ring] if goes_round else None
        if self.reduction is not Reduction.NONE and (not self.use_init_val or self.reduction is Reduction.MEAN):
            return None
        element = ELEMENT_NUMBER.get(np.dtype(self.target.dtype), -1)
        rules = (REDUCTION_NUMBER[self.reduction], *self._rules, element, NAN_NUMBER[self.nan])
        return [("scatter", *places, self.target.dtype.itemsize, self.indices.dtype, *rules)]

    def __str__(self) -> str:
        rules = f"{self.reduction}, {self.out_of_range}, negative {self.negative}"
        return f"scatter {self.updates} by {self.indices} -> {self.target} ({rules})"


def _quotient(sums: Array, counts: Array) -> Array:
    """Return sums divided by counts, rounded down for integers and once, to the element type, for floats."""
    if sums.dtype.kind in "iu":
        wide = np.uint64 if sums.dtype.kind == "u" else np.int64
        return np.asarray((sums.astype(wide) // counts.astype(wide)).astype(sums.dtype))
    with np.errstate(all="ignore"):
        return np.asarray((sums.astype(np.float64) / counts).astype(sums.dtype))


def _neutral(reduction: Reduction, dtype: np.dtype[Any]) -> Array:
    """Return the value that a reduction starts from if the data takes no part."""
    if reduction not in (Reduction.MIN, Reduction.MAX):
        return np.array(1 if reduction is Reduction.MUL else 0).astype(dtype)
    lowest = reduction is Reduction.MAX
    if dtype.kind == "b":
        return np.array(not lowest)
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        return np.array(bounds.min if lowest else bounds.max, dtype)
    return np.array(-np.inf if lowest else np.inf).astype(dtype)
