"""_core.NonZero: how many elements are not zero and where, against NumPy; refusals; data that changes meanwhile."""

import numpy as np
import pytest

from tests.core.meanwhile import meanwhile, tries
from wherry import _core

ALL = 2**64 - 1


@pytest.mark.parametrize("density", [0, 1, 30, 100])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 63, 65, 4095, 4097, 32_768, 32_769, 300_001])
def test_positions(count: int, density: int) -> None:
    marks = np.random.default_rng(count).integers(0, 100, count + 3) < density
    given = marks.view(np.uint8) * 200  # any byte but 0 is a mark
    for offset in (0, 1, 3):
        part = given[offset : offset + count]
        found = _core.NonZero(part, 255)
        assert found.count == np.count_nonzero(part)
        assert np.array_equal(found.positions(), np.flatnonzero(part))


@pytest.mark.parametrize("shape", [(70_000,), (300, 400), (3, 50_000, 2), (40_000, 3), (5, 1, 4, 3, 2000)])
@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "i8"])
def test_coordinates(shape: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(0)
    data = (rng.integers(1, 100, shape) * (rng.random(shape) < 0.1)).astype(dtype)
    for array in (data, data[::-1], data.T, np.asfortranarray(data), data[..., ::2]):
        found = _core.NonZero(array, ALL)
        expected = np.stack(np.nonzero(array))
        for width in ("i4", "i8"):
            out = np.full((found.count, 2 * array.ndim), -1, width)
            found.coordinates(out[:, ::2].T)
            assert np.array_equal(out[:, ::2].T, expected)
            assert (out[:, 1::2] == -1).all()


def test_a_large_output_goes_around_the_cache() -> None:
    data = np.ones((3, 700, 1000), np.uint8)
    data[1, ::7] = 0
    found = _core.NonZero(data, 255)
    memory = np.full(3 * found.count + 1, -1)
    out = memory[1:].reshape(3, found.count)
    found.coordinates(out)
    assert np.array_equal(out, np.nonzero(data))
    assert memory[0] == -1


def test_the_mask_says_which_bits_count() -> None:
    data = np.array([0.0, -0.0, np.nan, 1e-45, -np.inf], np.float32)
    assert _core.NonZero(data, 2**31 - 1).positions().tolist() == [2, 3, 4]
    assert _core.NonZero(data, 2**31).positions().tolist() == [1, 4]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="1, 2, 4 or 8 bytes"):
        _core.NonZero(np.zeros(3, complex), ALL)
    with pytest.raises(TypeError, match="Python objects"):
        _core.NonZero(np.array(["a"], object), ALL)
    found = _core.NonZero(np.ones((2, 3), np.int8), ALL)
    for shape in ((2, 5), (1, 6), (2, 7), (6,), (2, 6, 1)):
        with pytest.raises(ValueError, match="a row for each axis"):
            found.coordinates(np.zeros(shape, np.int64))
    with pytest.raises(ValueError, match="4 or 8 bytes"):
        found.coordinates(np.zeros((2, 6), np.int16))
    fixed = np.zeros((2, 6), np.int64)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        found.coordinates(fixed)


def test_data_changed_meanwhile_stays_in_its_entries() -> None:
    data = np.zeros(200_000, np.uint8)

    def disturb() -> None:
        data[::3] ^= 1

    with meanwhile(disturb):
        for _ in tries(0.5):
            found = _core.NonZero(data, 255)
            memory = np.full(found.count + 2000, -1)
            found.coordinates(memory[None, 1000:-1000])
            assert (memory[:1000] == -1).all()
            assert (memory[-1000:] == -1).all()
            inside = memory[1000:-1000]
            assert ((inside >= 0) & (inside < data.size)).all()
