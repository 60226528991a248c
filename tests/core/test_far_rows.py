"""Rows of indices that each have a part of a table for themselves: short ones are one list of runs in memory."""

from __future__ import annotations

import numpy as np
import pytest

import wherry as wh
from tests.support.compare import assert_same_bits
from tests.support.memory import assert_writes
from wherry.errors import IndexOutOfRangeError

PARTS, SIZE, RUN = 160, 500, 48
"""15 MB of float32: parts of 96 KB, which are near, each in a place of its own beyond the second cache."""


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return np.arange(PARTS * SIZE * RUN, dtype=np.float32).reshape(PARTS, SIZE, RUN)


def picks(*sizes: int) -> np.ndarray:
    return np.random.default_rng(sum(sizes)).integers(-SIZE, SIZE, sizes)


@pytest.mark.parametrize("count", [1, 7, 50, 1100])
@pytest.mark.parametrize("step", [1, -1])
def test_batches(table: np.ndarray, count: int, step: int) -> None:
    data, indices = table[::step], picks(PARTS, count)
    expected = data[np.arange(PARTS)[:, None], indices]
    assert_same_bits(wh.gather(data, indices, 1, batch_dims=1), expected)
    room = np.zeros((PARTS, count + 1, RUN), np.float32)
    wh.gather(data, indices, 1, batch_dims=1, out=room[:, 1:])  # whose rows do not go on evenly
    assert_same_bits(room[:, 1:], expected)
    assert not room[:, 0].any()


@pytest.mark.parametrize("place", [(0, 0), (3, 49), (PARTS - 1, 20)])
def test_an_index_that_is_out_of_range(table: np.ndarray, place: tuple[int, int]) -> None:
    indices = picks(PARTS, 50)
    indices[place] = SIZE
    expected = table[np.arange(PARTS)[:, None], np.where(indices == SIZE, 0, indices)]
    expected[place] = 0
    assert_same_bits(wh.gather(table, indices, 1, batch_dims=1, out_of_range="zero"), expected)
    expected[place] = table[place[0], -1]
    assert_same_bits(wh.gather(table, indices, 1, batch_dims=1, out_of_range="clamp"), expected)
    out = np.full_like(expected, 7)
    with pytest.raises(IndexOutOfRangeError, match=rf"indices\[{place[0]}, {place[1]}\] is {SIZE}"):
        wh.gather(table, indices, 1, batch_dims=1, out=out)
    assert (out == 7).all()


@pytest.mark.parametrize("lines", [1, 3, 4, 7, 8, 13, 21, 130])
@pytest.mark.parametrize("policy", ["raise", "zero"])
@pytest.mark.parametrize("size", [1 << 24, 1 << 20])
def test_runs_of_whole_lines(lines: int, policy: str, size: int) -> None:
    """Into a result that goes around the cache, or through it, that begins with a line or 16 bytes behind one."""
    run, count = 16 * lines, size // (64 * lines)
    data = np.arange((1 << 22) // (64 * lines) * run, dtype=np.float32).reshape(-1, run)
    indices = np.random.default_rng(lines).integers(0, len(data), count)
    expected = data[indices]
    if policy == "zero":
        indices[:: 1 + count // 9] = len(data)
        expected[:: 1 + count // 9] = 0
    for beside in (0, 16):
        assert_writes(lambda out: wh.gather(data, indices, 0, out_of_range=policy, out=out), expected, beside)


def test_two_axes_of_batches(table: np.ndarray) -> None:
    data, indices = table.reshape(8, PARTS // 8, SIZE, RUN), picks(8, PARTS // 8, 30)
    expected = np.take_along_axis(data, indices[..., None] % SIZE, 2)
    assert_same_bits(wh.gather(data, indices, 2, batch_dims=2), expected)
    turned = data.swapaxes(0, 1)
    assert_same_bits(wh.gather(turned, indices.swapaxes(0, 1), 2, batch_dims=2), expected.swapaxes(0, 1))
