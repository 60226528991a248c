"""Results that begin anywhere in a line of the cache, with bytes around them that nobody may touch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.support.compare import assert_same_bits

LINE = 64


def assert_writes(write: Callable[[np.ndarray], object], expected: np.ndarray, beside: int) -> None:
    """`write` makes an array that begins so many bytes behind a line `expected`, and leaves all bytes around it."""
    memory = np.full(expected.nbytes + 4 * LINE, 0xA5, np.uint8)
    start = LINE + -memory.ctypes.data % LINE + beside
    out = memory[start : start + expected.nbytes].view(expected.dtype).reshape(expected.shape)
    write(out)
    assert_same_bits(out, expected)
    assert (memory[:start] == 0xA5).all()
    assert (memory[start + expected.nbytes :] == 0xA5).all()
