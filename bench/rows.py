"""What is measured: one function a row, all in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np


@dataclass
class Gather:
    """data and the indices to take along one axis."""

    name: str
    data: np.ndarray
    indices: np.ndarray
    axis: int
    calls: int = 1  # so many calls are timed as one

    @property
    def expected(self) -> np.ndarray:
        return np.take(self.data, self.indices, self.axis)


@dataclass
class Copy:
    """A packed array and the order of axes in which it is to be written."""

    name: str
    data: np.ndarray
    order: tuple[int, ...]
    calls: int = 1

    @property
    def expected(self) -> np.ndarray:
        return np.ascontiguousarray(self.data.transpose(self.order))


Row = Gather | Copy


def _values(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).random(shape, np.float32)


def _indices(size: int, count: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, size, count)


ROWS: dict[str, Callable[[int], Row]] = {
    "embedding": lambda k: Gather(
        "embedding: rows of 1M x 128, 100k random",
        _values(1_000_000 // k, 128),
        _indices(1_000_000 // k, 100_000 // k),
        0,
    ),
    "elements": lambda k: Gather(
        "elements: 4M of 10M, random", _values(10_000_000 // k), _indices(10_000_000 // k, 4_000_000 // k), 0
    ),
    "middle": lambda k: Gather(
        "middle: axis 1 of 64 x 1000 x 256, 500", _values(64, 1000, 256 // k), _indices(1000, 500), 1
    ),
    "last": lambda k: Gather("last: axis 1 of 4096 x 4096, 1024", _values(4096 // k, 4096), _indices(4096, 1024), 1),
    "small": lambda k: Gather("small: 2 of 4 elements", _values(4), np.array([1, 3]), 0, 2000 // k),
    "nhwc": lambda k: Copy("nhwc: 16 x 64 x 112 x 112 from NCHW", _values(16 // k, 64, 112, 112), (0, 2, 3, 1)),
    "transpose": lambda k: Copy("transpose: 4096 x 4096", _values(4096 // k, 4096), (1, 0)),
}


def rows(pattern: str, quick: bool) -> Iterator[Row]:
    """The rows whose key contains the pattern; quick ones are about eight times smaller."""
    for key, make in ROWS.items():
        if pattern in key:
            yield make(8 if quick else 1)
