"""A program that test_partition starts: scattered elements that are parted by where they go, against NumPy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.testing import assert_raises  # to import pytest takes longer than most cases

from tests.core.naive import FROM_END, INVALID, RAISE, ZERO
from wherry import _core

COUNT = 80_000
"""Updates: more than are moved as they come, several chunks and no whole number of them."""

SIZES = (25_000, 300_000)
"""Elements of a target: fewer than updates, whose pairs take several passes, and so many that one pass will do."""

THREADS = (1, 2, 5)
ELEMENTS = {"i1": 0, "i2": 1, "i4": 2, "i8": 3, "u1": 4, "f2": 8, "f4": 10, "f8": 11, "b1": 12, "c8": 13, "c16": 14}
REDUCTIONS: dict[int, Callable[[Any, Any, Any], None]] = {
    1: np.add.at,
    2: np.subtract.at,
    3: np.multiply.at,
    4: np.minimum.at,
    5: np.maximum.at,
}
PROPAGATE = 0


def some(rng: np.random.Generator, shape: int | tuple[int, ...], dtype: str) -> np.ndarray:
    """Elements whose sums depend on their order where they are floats."""
    made = rng.random(shape) * 1.5 if dtype[0] in "fc" else rng.integers(0, 100, shape)
    return made.astype(dtype)


def scatter(
    target: np.ndarray,
    space: Callable[[np.ndarray], np.ndarray],
    indices: np.ndarray,
    updates: np.ndarray,
    expected: np.ndarray,
    reduction: int = 0,
    *rules: int,
) -> None:
    """Scatter on several threads, each time to the same target, which `space` shows as the core takes it.

    Many threads part them all, few those that gain.
    """
    element = ELEMENTS[target.dtype.str[1:]] if reduction else -1
    for threads in THREADS:
        _core.set_num_threads(threads)
        made = target.copy()
        seen = space(made)
        arguments = (seen, indices, updates, reduction, *(rules or (RAISE, FROM_END)), element, PROPAGATE)
        _, jobs = _core.range_times(lambda given=arguments: _core.scatter_into(*given))
        # Two for each pass, of chunks and of buckets; threads that looked at all indices would do so once.
        if threads == max(THREADS):
            assert len(jobs) > 0
            assert len(jobs) % 2 == 0
        assert made.tobytes() == expected.tobytes()
        if threads > 1:  # at the same time
            made = target.copy()
            _core.scatter_into(space(made), *arguments[1:])
            assert made.tobytes() == expected.tobytes()


def along(count: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return what shows a vector to so many updates."""

    def space(vector: np.ndarray) -> np.ndarray:
        return np.lib.stride_tricks.as_strided(vector, (count, len(vector)), (0, *vector.strides))

    return space


def vectors() -> None:
    """Each width replaced, by indices of several types, some of them negative, many of them the same."""
    for dtype in ("u1", "i2", "f4", "f8", "c16"):
        for index in ("i4", "i8", "u4"):
            for size in SIZES:
                rng = np.random.default_rng([size, COUNT])
                indices = rng.integers(0 if index == "u4" else -size, size, COUNT).astype(index)
                target, updates = some(rng, size, dtype), some(rng, COUNT, dtype)
                expected = target.copy()
                expected[indices] = updates
                scatter(target, along(COUNT), indices[:, None], updates, expected)


def reductions() -> None:
    """Each reduction of each kind of element, in the order of the updates."""
    for dtype in ("i1", "i4", "i8", "f2", "f4", "f8", "c8", "c16"):
        for number, reduce in REDUCTIONS.items():
            if number > 3 and dtype[0] == "c":
                continue
            size = SIZES[number % 2]
            rng = np.random.default_rng([size, number])
            indices = rng.integers(-size, size, COUNT)
            target, updates = some(rng, size, dtype), some(rng, COUNT, dtype)
            expected = target.copy()
            with np.errstate(over="ignore"):
                reduce(expected, indices, updates)
            if expected.dtype.kind == "c" and number == 3:
                continue  # NumPy's products are rounded otherwise on some machines
            scatter(target, along(COUNT), indices[:, None], updates, expected, number)


def bad_indices() -> None:
    """What names no element is left out, and refused where it is to be; the others are applied."""
    size = SIZES[0]
    for place in (slice(None, None, 7), slice(COUNT - 1, None), slice(0, COUNT)):
        for low, policy, negative in ((-size, ZERO, FROM_END), (0, ZERO, INVALID), (-size, RAISE, FROM_END)):
            rng = np.random.default_rng([size, policy])
            indices = rng.integers(low, size, COUNT)
            indices[place] = size + np.arange(len(indices[place])) % 3
            if negative == INVALID:
                indices[::11] = -1
            good = (indices >= low) & (indices < size)
            target, updates = some(rng, size, "f4"), some(rng, COUNT, "f4")
            expected = target.copy()
            np.add.at(expected, indices[good], updates[good])
            if policy == ZERO:
                scatter(target, along(COUNT), indices[:, None], updates, expected, 1, policy, negative)
                continue
            for threads in THREADS:
                _core.set_num_threads(threads)
                made = target.copy()
                rules = (1, policy, negative, ELEMENTS["f4"], PROPAGATE)
                view = along(COUNT)(made)
                assert_raises(IndexError, _core.scatter_into, view, indices[:, None], updates, *rules)
                assert made.tobytes() == expected.tobytes()


def tuples() -> None:
    """Two columns of indices, and joined axes of which one is the target's own."""
    rng = np.random.default_rng(3)
    target, updates = some(rng, (300, 200), "f4"), some(rng, COUNT, "f4")
    pairs = np.stack([rng.integers(-300, 300, COUNT), rng.integers(-200, 200, COUNT)], 1)
    expected = target.copy()
    np.add.at(expected, tuple(pairs.T), updates)
    scatter(
        target,
        lambda made: np.lib.stride_tricks.as_strided(made, (COUNT, *made.shape), (0, *made.strides)),
        pairs,
        updates,
        expected,
        1,
    )
    target, updates = some(rng, (20_000, 3), "f4"), some(rng, (COUNT, 3), "f4")
    indices = rng.integers(-20_000, 20_000, updates.shape)
    expected = target.copy()
    np.add.at(expected, (indices, np.arange(3)), updates)
    scatter(
        target,
        lambda made: np.lib.stride_tricks.as_strided(made, (COUNT, 3, 20_000), (0, 4, 12)),
        indices[..., None],
        updates,
        expected,
        1,
    )


def strides() -> None:
    """A target backwards, and one with room between elements, which stays; updates and indices that lie apart."""
    rng = np.random.default_rng(4)
    size = SIZES[0]
    updates, indices = some(rng, 2 * COUNT, "f4")[::2], rng.integers(-size, size, 3 * COUNT)[::3]
    for step in (-1, 2, -3):
        target = some(rng, 3 * size, "f4")
        expected = target.copy()
        expected[::step][:size][indices] = updates
        scatter(target, lambda made, by=step: along(COUNT)(made[::by][:size]), indices[:, None], updates, expected)


def alike() -> None:
    """All updates to one element, and those that are in order."""
    size = SIZES[0]
    rng = np.random.default_rng(5)
    target, updates = some(rng, size, "f4"), some(rng, COUNT, "f4")
    for indices in (np.full(COUNT, size - 1), np.arange(COUNT) * size // COUNT):
        expected = target.copy()
        np.add.at(expected, indices, updates)
        scatter(target, along(COUNT), indices[:, None], updates, expected, 1)


CASES = {each.__name__: each for each in (vectors, reductions, bad_indices, tuples, strides, alike)}


if __name__ == "__main__":
    CASES[sys.argv[1]]()
