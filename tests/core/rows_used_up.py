"""A program that test_rows_used_up starts: gathers whose indices name most lines of each row, against NumPy."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import numpy as np
from numpy.testing import assert_raises  # to import pytest takes longer than most cases

from tests.core.naive import CLAMP, FROM_END, INVALID, RAISE, WRAP, ZERO
from wherry import _core

DTYPES = ["u1", "i2", "f4", "f8", "c16", "V3", "V48"]
SIZE = 1500  # of the axis that indices name


def some(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Elements of any bytes."""
    whole = np.dtype(dtype).itemsize
    return np.random.default_rng(1).integers(0, 256, (*shape, whole), np.uint8).view(dtype).reshape(shape)


def indices_of(count: int, policy: int, dtype: str) -> np.ndarray:
    low, high = (0, SIZE) if policy == RAISE else (-SIZE - 9, SIZE + 9)
    return np.random.default_rng(count).integers(0 if dtype[0] == "u" else low, high, count).astype(dtype)


def expect(rows: np.ndarray, indices: np.ndarray, policy: int, negative: int) -> np.ndarray:
    """Return rows[..., indices], element by element as a rule has it."""
    at = indices.astype(np.int64)
    if policy == WRAP:
        return rows[..., at % SIZE]
    at = np.where((at < 0) & (negative == FROM_END), at + SIZE, at)
    found = rows[..., np.clip(at, 0, SIZE - 1)].copy()
    if policy == ZERO:
        found[..., (at < 0) | (at >= SIZE)] = np.zeros((), rows.dtype)
    return found


def gather(rows: np.ndarray, indices: np.ndarray, out: np.ndarray, policy: int, negative: int) -> None:
    """out[..., i] = rows[..., indices[i]], of two axes or three, in whatever order `out` lies."""
    picked = np.broadcast_to(indices, out.shape)
    data = np.lib.stride_tricks.as_strided(rows, (*out.shape, SIZE), (*rows.strides[:-1], 0, rows.strides[-1]))
    _core.gather_into(data, picked[..., None], out, policy, negative)


def room(shape: tuple[int, ...], dtype: str, order: tuple[int, ...], beside: int, gap: int) -> tuple[np.ndarray, ...]:
    """An array whose axes lie in `order`, the finest last, `beside` bytes behind a line; and all of its memory."""
    lengths = [shape[axis] for axis in order]
    lengths[-1] += gap
    width = np.dtype(dtype).itemsize
    memory = np.full(int(np.prod(lengths)) * width + 192, 0xA5, np.uint8)
    start = -memory.ctypes.data % 64 + beside
    whole = memory[start : start + int(np.prod(lengths)) * width].view(dtype).reshape(lengths)
    if gap:
        whole = whole[..., :-gap]
    return whole.transpose(np.argsort(order)), memory


def compare(
    shape: tuple[int, ...], dtype: str, count: int, order: tuple[int, ...], policy: int, negative: int, index: str
) -> int:
    """Gather into arrays that begin anywhere in a line; their other bytes stay. Returns how many were compared."""
    rows, indices = some((*shape, SIZE), dtype), indices_of(count, policy, index)
    expected = expect(rows, indices, policy, negative)
    width, compared = np.dtype(dtype).itemsize, 0
    for beside, gap in ((0, 0), (width, 0), (0, 64 // width), (1, 5)):
        out, memory = room(expected.shape, dtype, order, beside, gap)
        untouched = memory.copy()
        gather(rows, indices, out, policy, negative)
        assert np.ascontiguousarray(out).tobytes() == expected.tobytes(), (shape, dtype, count, order, beside, gap)
        out[...] = untouched[0:1].repeat(width).view(dtype)[0]
        assert np.array_equal(memory, untouched)
        compared += out.size
    return compared


def widths() -> int:
    """Rows that go to rows of the output, and to its columns: of each width, in more blocks than one, around lines."""
    return sum(
        compare((40,), dtype, count, order, policy, FROM_END, "i8")
        for dtype in DTYPES
        for count in (2101, 70_000)
        for order in ((0, 1), (1, 0))
        for policy in (RAISE, ZERO)
        if count < 3000 or (dtype in ("u1", "f4") and policy == RAISE)
    )


def rules() -> int:
    """Each type of indices, and what they mean."""
    return sum(
        compare((33,), "f4", 2500, order, policy, negative, index)
        for index in ("i4", "i8", "u2")
        for order in ((0, 1), (1, 0))
        for policy, negative in ((CLAMP, INVALID), (CLAMP, FROM_END), (ZERO, FROM_END), (ZERO, INVALID), (WRAP, 0))
    )


def axes() -> int:
    """Two axes of rows: both outside, one on each side of the indices, both behind them; few rows, and a line's."""
    return sum(
        compare(shape, "i4", 2100, order, ZERO, FROM_END, "i8")
        for shape in ((3, 20), (20, 3), (16, 17), (2, 16))
        for order in ((0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    )


def bad_indices() -> int:
    """A bad one is found wherever it stands, and whichever way the output lies."""
    found = 0
    for order in ((0, 1), (1, 0)):
        for place in (0, 1023, 2499):
            indices = indices_of(2500, RAISE, "i8")
            indices[place] = SIZE
            out, _ = room((40, 2500), "f4", order, 0, 0)
            assert_raises(IndexError, gather, some((40, SIZE), "f4"), indices, out, RAISE, FROM_END)
            found += 1
    return found


def little_memory() -> int:
    """Where there is no memory to put rows together in, fewer indices are turned at once."""
    rows, indices = some((70, SIZE), "f4"), indices_of(60_000, ZERO, "i8")
    expected = expect(rows, indices, ZERO, FROM_END)
    out, _ = room(expected.shape, "f4", (1, 0), 4, 0)
    _core.set_num_threads(1)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 1_000_000, limits[1]))
    try:
        assert_raises(MemoryError, np.empty, 60_000 * 64, np.uint8)
        gather(rows, indices, out, ZERO, FROM_END)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    assert np.ascontiguousarray(out).tobytes() == expected.tobytes()
    return out.size


CASES = {each.__name__: each for each in (widths, rules, axes, bad_indices, little_memory)}


if __name__ == "__main__":
    print(CASES[sys.argv[1]]())
