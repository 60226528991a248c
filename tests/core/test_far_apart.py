"""Strides near 2**63 of axes that are never walked: arrays without elements, and axes of size 1.

NumPy leaves such strides as they come. No product of them may overflow, which the sanitizers' build would end.
"""

from __future__ import annotations

import numpy as np
import pytest

import wherry as wh
from tests.core.naive import FROM_END, RAISE, ZERO
from wherry import _core
from wherry.layout import Layout

FAR = 2**63 - 8
STRIDES = (FAR, -FAR, -(2**63), 2**62)


def far_apart(sizes: tuple[int, ...], stride: int, dtype: str = "i8") -> np.ndarray:
    """Return an array whose strides along axes of size 0 and 1 are `stride`, and, without elements, along all."""
    array = np.zeros(sizes, dtype)
    strides = [stride if 0 in sizes or size == 1 else own for size, own in zip(sizes, array.strides, strict=True)]
    return np.lib.stride_tricks.as_strided(array, sizes, strides)


@pytest.fixture(params=STRIDES, ids=lambda stride: f"stride {stride}")
def stride(request: pytest.FixtureRequest) -> int:
    return int(request.param)


SIZES = [(0, 3), (3, 0), (0, 0), (2, 0, 3), (1, 0), (1,), (1, 1), (1, 4, 1), (0,) * 5, (1,) * 64]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_every_primitive(sizes: tuple[int, ...], stride: int) -> None:
    a, b, c = (far_apart(sizes, stride) for _ in range(3))
    _core.copy(a, b)
    _core.fill(a, np.array(7))
    assert (a == 7).all()
    _core.select(far_apart(sizes, stride, "?"), a, b, c)
    _core.add(a, b, 3)
    _core.convert(a, far_apart(sizes, stride, "f4"), 3, 10)
    assert _core.NonZero(b, 2**64 - 1).count == 0
    assert _core.check_indices(b, 1, FROM_END) is None
    if len(sizes) >= 2:
        _core.fill_diagonals(a, b, np.array(7), 0, 0, False)
    assert _core.memory_of(a).size == a.size
    assert Layout.of(a).sizes == sizes


@pytest.mark.parametrize("indices_sizes", [(0,), (1,), (1, 1), (0, 3)], ids=str)
@pytest.mark.parametrize("sizes", SIZES[:8], ids=str)
def test_gather(sizes: tuple[int, ...], indices_sizes: tuple[int, ...], stride: int) -> None:
    data, indices = far_apart(sizes, stride), far_apart(indices_sizes, stride)
    for axis, size in enumerate(sizes):
        rule = "zero" if size == 0 else "raise"
        expected = np.zeros((*sizes[:axis], *indices_sizes, *sizes[axis + 1 :]), "i8")
        got = wh.gather(data, indices, axis, out_of_range=rule)
        assert got.shape == expected.shape
        assert not got.any()
        out = far_apart(expected.shape, stride)
        assert wh.gather(data, indices, axis, out_of_range=rule, out=out) is out


@pytest.mark.parametrize("columns", [0, 1, 3])
@pytest.mark.parametrize("count", [0, 1])
def test_gather_and_scatter_of_columns(count: int, columns: int, stride: int) -> None:
    data, out = far_apart((count, *(1,) * columns), stride), far_apart((count,), stride)
    indices = far_apart((count, columns), stride) if count == 0 else np.zeros((count, columns), np.int64)
    if columns:
        _core.gather_into(data, indices, out, RAISE, FROM_END)
        _core.gather_into(data[:, :0] if count else data, indices, out, ZERO, FROM_END)
    _core.scatter_into(data, indices, out, 0, RAISE, FROM_END, -1, 0)


@pytest.mark.parametrize("sizes", SIZES[:8], ids=str)
def test_functions(sizes: tuple[int, ...], stride: int) -> None:
    data = far_apart(sizes, stride)
    for _ in range(3):  # the third time by a kept program, where there is one
        assert wh.onnx.transpose(data).shape == sizes[::-1]
        assert wh.onnx.concat([data, data], 0).shape == (2 * sizes[0], *sizes[1:])
        assert wh.onnx.identity(data).shape == sizes
        assert wh.onnx.where(far_apart(sizes, stride, "?"), data, data).shape == sizes
        assert wh.onnx.tile(data, [2] * len(sizes)).shape == tuple(2 * size for size in sizes)
        assert wh.copy(data, far_apart(sizes, stride)).shape == sizes
