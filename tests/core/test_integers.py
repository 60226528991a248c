"""Lists of integers as arrays: as NumPy makes them, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.core.naive import same
from wherry import _core


@pytest.mark.parametrize(
    "value",
    [0, -1, 2**63 - 1, -(2**63), [1], [[1, 2], [3, 4]], [[[5]], [[6]]], [[1], [2], [3]], np.int64(3), np.int8(-3),
     np.uint64(2**64 - 1), np.uint16(7)],
)  # fmt: skip
def test_integers_are_those_of_numpy(value: Any) -> None:
    found = _core.integers(value)
    assert found is not None
    same(found, np.asarray(value))
    assert found.dtype == np.asarray(value).dtype


@pytest.mark.parametrize(("value", "sizes"), [([], (0,)), ([[], []], (2, 0)), ([[[]]], (1, 1, 0))])
def test_empty_lists_have_integers(value: Any, sizes: tuple[int, ...]) -> None:
    found = _core.integers(value)
    assert found is not None
    assert (found.shape, found.dtype) == (sizes, np.int64)


class Integer(int):
    """Whose value may be anything."""


class Number(np.int64):
    """The same, of NumPy's."""


DEEP: list[Any] = [1]
for _ in range(80):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [True, 1.0, "1", None, 2**63, [1, True], [1, 2.0], [1, None], [[1], [2, 3]], [[1], 2], [1, [2]], [2**64], (1, 2),
     [(1,)], [[], [1]], Integer(1), [Integer(1)], Number(1), np.float64(1), np.bool(True), [np.int64(1)], {}, DEEP],
)  # fmt: skip
def test_nothing_else_is_integers(value: Any) -> None:
    assert _core.integers(value) is None


@pytest.mark.parametrize("gather", [wh.gather, wh.onnx.gather])
@pytest.mark.parametrize("indices", [[1, 0], 1, -2, [[1], [0]], np.int32(1), []])
def test_gathers_take_lists(gather: Any, indices: Any) -> None:
    data = np.arange(6.0).reshape(2, 3)
    for _ in range(3):
        same(gather(data, indices), np.take(data, np.asarray(indices, np.int64), 0))
        with pytest.raises(IndexError, match="5"):
            gather(data, [0, 5])
        with pytest.raises(TypeError):
            gather(data, [0.5])
