"""Results that begin anywhere in a line of the cache, with bytes around them that nobody may touch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.support.compare import assert_same_bits

LINE = 64
AROUND = 8 * LINE
UNTOUCHED = 0xA5


class Room:
    """Memory of results of up to so many bytes, one after the other: new memory takes longer to get than to fill."""

    def __init__(self, most: int) -> None:
        self._memory = np.empty(most + AROUND, np.uint8)
        self._expected = np.empty(most, np.uint8)
        self._is_same = np.empty(most + AROUND, np.bool_)

    def assert_writes(self, write: Callable[[np.ndarray], object], expected: np.ndarray, beside: int) -> None:
        """`write` makes an array that begins so many bytes behind a line `expected`, and leaves all bytes around it."""
        assert expected.nbytes <= len(self._expected), f"{expected.nbytes} bytes in room for {len(self._expected)}"
        assert beside <= AROUND - 3 * LINE
        memory = self._memory[: expected.nbytes + AROUND]
        memory[...] = UNTOUCHED
        start = LINE + -memory.ctypes.data % LINE + beside
        end = start + expected.nbytes
        out = memory[start:end].view(expected.dtype).reshape(expected.shape)
        write(out)
        wanted = self._expected[: expected.nbytes]
        np.copyto(wanted.view(expected.dtype).reshape(expected.shape), expected)
        if not self._all_same(memory[start:end], wanted):
            assert_same_bits(out, expected)  # which says where they differ
        assert self._all_same(memory[:start], UNTOUCHED)
        assert self._all_same(memory[end:], UNTOUCHED)

    def _all_same(self, found: np.ndarray, expected: np.ndarray | int) -> bool:
        return bool(np.equal(found, expected, out=self._is_same[: len(found)]).all())


def assert_writes(write: Callable[[np.ndarray], object], expected: np.ndarray, beside: int) -> None:
    """The same in memory of its own."""
    Room(expected.nbytes).assert_writes(write, expected, beside)
