"""Indices that another thread changes during a call: no wild read, and an error tells what became of `out`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import wherry as wh
from tests.core.meanwhile import meanwhile
from wherry import _core, errors
from wherry.errors import IndexOutOfRangeError

ROWS, WIDTH, COUNT = 1000, 16, 100_000
SECONDS = 0.7
"""How long each function is called."""

CALLS = 4
"""At least, where one takes longer than that."""

CHANGED = errors.changed_indices().message


def turn(indices: np.ndarray) -> None:
    """Make the last index bad for a while, then good again."""
    for value in (ROWS, 0):
        indices[-1] = value
        time.sleep(0.001)


def _gather(table: np.ndarray, indices: np.ndarray, out: np.ndarray) -> None:
    wh.gather(table, indices, out=out)


def _gather_elements(table: np.ndarray, indices: np.ndarray, out: np.ndarray) -> None:
    wh.onnx.gather_elements(table, np.broadcast_to(indices[:, None], (COUNT, WIDTH)), out=out)


@pytest.mark.parametrize("call", [_gather, _gather_elements])
def test_an_error_says_whether_out_was_written(call: Callable[[np.ndarray, np.ndarray, np.ndarray], None]) -> None:
    table = np.arange(ROWS * WIDTH, dtype=np.int64).reshape(ROWS, WIDTH)
    indices = np.zeros(COUNT, np.int64)
    out = np.full((COUNT, WIDTH), -1, np.int64)
    ends: Counter[str] = Counter()
    with meanwhile(lambda: turn(indices)):
        until = time.monotonic() + SECONDS
        while time.monotonic() < until or ends.total() < CALLS:
            out[:] = -1
            try:
                call(table, indices, out)
            except IndexOutOfRangeError as error:
                if error.message == CHANGED:
                    ends["changed"] += 1  # the words say that the result is written in part
                else:
                    ends["refused"] += 1
                    assert (out == -1).all(), "the words are those of a call that wrote nothing"
            else:
                ends["done"] += 1
                assert (out == table[0]).all()


def test_indices_that_change_have_words_of_their_own() -> None:
    """What a call sees if every index is in range when it is checked, and one is not when it is used."""
    data, out = np.broadcast_to(np.arange(3), (2, 3)), np.zeros(2, int)
    with pytest.raises(IndexOutOfRangeError, match="changed by another thread between their check and their use"):
        _core.gather_into(data, np.array([[1], [7]]), out, 0, 0)
    with pytest.raises(IndexOutOfRangeError, match="the result is written in part"):
        _core.scatter_into(np.zeros((2, 3), int), np.array([[1], [7]]), np.array([5, 6]), 0, 0, 0, -1, 0)
