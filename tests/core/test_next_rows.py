"""Elements along the last axis of a table beyond the caches: each row is fetched while the one before is used."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.naive import FROM_END, RAISE
from wherry import _core

ROWS, COLUMNS = 4200, 1024
"""17 MB of float32: beyond the second cache of every common core, and beyond what counts of the last one for two."""

NONE, ADD = 0, 1
FLOAT32 = 10
PROPAGATE = 0


def along_rows(table: np.ndarray, count: int) -> np.ndarray:
    """Return the table as the core takes it: an axis of rows, one of indices, and the axis that they name."""
    row, element = table.strides
    return np.lib.stride_tricks.as_strided(table, (len(table), count, table.shape[1]), (row, 0, element))


def picks(count: int, *, distinct: bool) -> np.ndarray:
    rng = np.random.default_rng(count)
    if distinct:
        found = np.stack([rng.permutation(COLUMNS)[:count] for _ in range(ROWS)])
    else:
        found = rng.integers(0, COLUMNS, (ROWS, count))
    return np.where(rng.random(found.shape) < 0.5, found, found - COLUMNS)


@pytest.mark.parametrize("count", [20, 24, 63, 64, 200, 1000])
@pytest.mark.parametrize("gap", [0, 3])
def test_rows_are_scattered_to_and_gathered_from(count: int, gap: int) -> None:
    table = np.zeros((ROWS, COLUMNS + gap), np.float32)[:, :COLUMNS]
    indices, updates = picks(count, distinct=True), np.arange(ROWS * count, dtype=np.float32).reshape(ROWS, count)
    expected = table.copy()
    np.put_along_axis(expected, indices, updates, 1)
    _core.scatter_into(along_rows(table, count), indices[..., None], updates, NONE, RAISE, FROM_END, -1, PROPAGATE)
    assert np.array_equal(table, expected)
    found = np.zeros_like(updates)
    _core.gather_into(along_rows(table, count), indices[..., None], found, RAISE, FROM_END)
    assert np.array_equal(found, updates)


@pytest.mark.parametrize("count", [64, 300])
def test_sums_keep_the_order_of_updates(count: int) -> None:
    table = np.ones((ROWS, COLUMNS), np.float32)
    indices, updates = picks(count, distinct=False), np.random.default_rng(0).random((ROWS, count), np.float32)
    expected = table.copy()
    np.add.at(expected, (np.arange(ROWS)[:, None], indices), updates)
    _core.scatter_into(along_rows(table, count), indices[..., None], updates, ADD, RAISE, FROM_END, FLOAT32, PROPAGATE)
    assert np.array_equal(table, expected)


def test_a_bad_index_is_found_in_any_row() -> None:
    table, indices = np.zeros((ROWS, COLUMNS), np.float32), picks(100, distinct=True)
    indices[ROWS - 1, 99] = COLUMNS
    updates = np.ones(indices.shape, np.float32)
    with pytest.raises(IndexError):
        _core.scatter_into(along_rows(table, 100), indices[..., None], updates, NONE, RAISE, FROM_END, -1, PROPAGATE)
    assert table.sum() == updates.size - 1  # all others are applied
