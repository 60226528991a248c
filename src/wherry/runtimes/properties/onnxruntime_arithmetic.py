"""Properties of ONNX models: casts and arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.conditions import named
from wherry.runtimes.unseen import NotKnownError, Unseen
from wherry.runtimes.values import as_numbers, may_meet, range_of


@named("the least integer divided by -1")
def _overflows(case: Case) -> bool:
    first, second = case.inputs[:2]
    if first.dtype.kind != "i" or not may_meet(first, np.iinfo(first.dtype).min, second, -1):
        return False
    a, b = np.broadcast_arrays(first, second)
    return bool(((a == np.iinfo(a.dtype).min) & (b == -1)).any())


@named("a sum or product of integers that may be beyond 2^53, or beyond its type")
def _is_great(case: Case) -> bool:
    numbers = np.abs(case.inputs[0].astype(np.float64))
    most = 2.0**53 if case.kind(0) == "int64" else 2.0**31 - 1
    return bool(numbers.sum() > most) if case.operator == "ReduceSum" else bool(np.maximum(numbers, 1).prod() > most)


def _axes(case: Case) -> list[int]:
    return [int(axis) for axis in (case.inputs[1] if len(case.inputs) > 1 else case.attributes["axes"])]


@named("an axis named twice")
def _twice(case: Case) -> bool:
    axes = [axis % case.inputs[0].ndim for axis in _axes(case)]
    return len(set(axes)) < len(axes)


@named("min is more than max")
def _crossed(case: Case) -> bool:
    return bool(case.attributes["min"] > case.attributes["max"])


@named("a vector without elements")
def _empty(case: Case) -> bool:
    return bool(case.inputs[0].shape == (0,))


@named("a number whose eight digits are no plain numeral of all its digits")
def _numerals(case: Case) -> bool:
    data = case.inputs[0]
    data = data if data.dtype.name in ("float16", "float64") else data.astype(np.float32)
    return any(np.isfinite(one) and f"{one:.8g}" != np.format_float_positional(one, trim="-") for one in data.flat)


@named("a number beyond the greatest of the type, but no infinity")
def _beyond_float8(case: Case) -> bool:
    numbers = np.abs(as_numbers(case.inputs[0]))
    low, high = (464, 496) if case.attributes["to"] == 17 else (61440, np.inf)
    return bool(((numbers >= low) & (numbers < high)).any())


_CELL = 31
"""Numbers whose bits from this one on are the same, or of which more than this one differs, are ordered right."""


@named("two int64 that are compared differ in bit 31, and not above it")
def _halves(case: Case) -> bool:
    """Two at a time they are ordered by their upper halves, and where these are equal by the lower ones as signed."""
    if case.kind(0) != "int64" or (not isinstance(case.inputs[0], Unseen) and case.inputs[0].size < 2):
        return False
    pairs = list(_compared(case))
    if not any(isinstance(one, Unseen) for pair in pairs for one in pair):
        return any(bool((_cells(first) ^ _cells(second) == 1).any()) for first, second in pairs)
    if any(_may_part(*pair) for pair in pairs):
        raise NotKnownError("elements")
    return False


def _compared(case: Case) -> Iterator[tuple[Any, Any]]:
    """Yield the numbers that are compared with each other, element by element or each with each."""
    data, *others = case.inputs
    if case.operator == "Sign":
        yield data, np.array(0)
    elif case.operator.startswith("Reduce"):
        yield (data, data) if isinstance(data, Unseen) else (data.reshape(-1, 1), data.reshape(1, -1))
    else:
        ends = np.iinfo(np.int64)
        bounds = [*others, *map(np.array, (ends.min, ends.max)[len(others) :])] if case.operator == "Clip" else others
        yield from combinations((data, *bounds), 2)


def _cells(numbers: Any) -> Any:
    return np.asarray(numbers, np.int64) >> _CELL


def _may_part(first: Any, second: Any) -> bool:
    """Whether numbers between the ends of two ranges may differ in bit 31, and not above it."""
    (low, high), (least, most) = sorted((_ends(first), _ends(second)), key=lambda ends: ends[1] - ends[0])
    return high - low >= 2 or any(least <= cell ^ 1 <= most for cell in range(low, high + 1))


def _ends(numbers: Any) -> tuple[int, int]:
    if isinstance(numbers, Unseen):
        low, high = range_of(numbers)
        return int(low or 0) >> _CELL, int(high or 0) >> _CELL
    cells = _cells(numbers)
    return (int(cells.min()), int(cells.max())) if cells.size else (0, 0)


_BITS = {2: 8, 4: 16, 12: 32, 13: 64, 21: 4, 25: 2, 3: -8, 5: -16, 6: -32, 7: -64, 22: -4, 26: -2}
"""The widths of the integers by their numbers; those of signed ones are negative."""


@named("a numeral is no number of the type")
def _beyond_integers(case: Case) -> bool:
    bits = _BITS[case.attributes["to"]]
    least, most = (0, 2**bits - 1) if bits > 0 else (-(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1)
    return any(not least <= int(word) <= most for word in case.inputs[0].flat)
