"""Large results that were let go: their memory is kept for the next ones, up to a bound."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy._core.multiarray import get_handler_name
from numpy.typing import NDArray

import wherry as wh
from wherry import _core

LEAST = 128 * 1024
ROWS = np.arange(1000, dtype=np.float32)[:, None] + np.zeros((1, 64), np.float32)


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    """Begin with nothing kept, and end with the bound that was there."""
    most = _core.keep_memory(0)
    _core.keep_memory(4 * 2**20)
    yield
    _core.keep_memory(0)
    _core.keep_memory(most)


def result(rows: int) -> NDArray[np.float32]:
    """Return a new array of 256 bytes a row."""
    return wh.gather(ROWS, np.arange(rows) % 1000)


def test_only_large_results_are_kept() -> None:
    small, large = result(LEAST // 256 - 1), result(LEAST // 256)
    assert (get_handler_name(small), get_handler_name(large)) == ("default_allocator", "wherry")
    assert get_handler_name(np.empty(LEAST, np.uint8)) == "default_allocator"  # NumPy's own arrays are as before
    del small
    assert _core.kept_memory() == 0
    del large
    assert _core.kept_memory() == LEAST


def test_what_was_let_go_is_the_next_result_of_its_size() -> None:
    first = result(1000)
    place = first.ctypes.data
    assert place % 64 == 0
    view = first[3:]
    del first
    assert result(1000).ctypes.data != place  # the view holds it
    del view
    again = result(1000)
    assert again.ctypes.data == place
    assert np.array_equal(again, ROWS)
    del again
    assert result(700).ctypes.data != place  # it would waste too much


def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    places = []
    held = [result(4000 + n) for n in range(8)]
    while held:
        places.append(held[0].ctypes.data)
        del held[0]
        assert _core.kept_memory() <= 4 * 2**20
    assert result(4007).ctypes.data == places[-1]
    huge = result(4 * 2**20 // 256 + 1)
    before = _core.kept_memory()
    del huge
    assert _core.kept_memory() == before
    _core.keep_memory(0)
    assert _core.kept_memory() == 0


def test_a_result_may_grow_and_shrink() -> None:
    array = result(1000)
    array.resize((2000, 64), refcheck=False)
    assert np.array_equal(array[:1000], ROWS)
    assert not array[1000:].any()
    array.resize((10, 64), refcheck=False)
    assert np.array_equal(array, ROWS[:10])


def test_threads_get_memory_that_nobody_else_has() -> None:
    def run(number: int) -> bool:
        indices = np.full(1000, number)
        held = [wh.gather(ROWS, indices) for _ in range(3)]
        return all((array == number).all() for _ in range(20) for array in (*held[1:], wh.gather(ROWS, indices)))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(16)))


@pytest.mark.parametrize(("text", "found"), [("0", 0), ("1000", 1000), ("many", 64 * 2**20), ("-1", 64 * 2**20)])
def test_the_environment_chooses_the_bound(text: str, found: int) -> None:
    program = "from wherry import _core; print(_core.keep_memory(0))"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "WHERRY_KEPT_BYTES": text},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert int(done.stdout) == found
