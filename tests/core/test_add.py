"""_core.add: sums of any strides and types against NumPy's; 0 without a source; refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import sizes, strided
from wherry import _core, dtypes
from wherry.moves import ARITHMETIC


def numbers(name: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Return numbers of a type, of which many sums are rounded or wrap around."""
    rng, kind = np.random.default_rng(seed), dtypes.find(name).numpy
    if kind.kind in "iu":
        return np.frombuffer(rng.bytes(int(np.prod(shape)) * kind.itemsize), kind).reshape(shape).copy()
    if kind.kind == "b":
        return np.asarray(rng.random(shape) > 0.5)
    values = rng.normal(0, 100, (2, *shape))
    return np.asarray(values[0] + 1j * values[1] if kind.kind == "c" else values[0]).astype(kind)


def summed(target: np.ndarray, source: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.add(target, source).astype(target.dtype)


@given(st.sampled_from(ARITHMETIC), sizes(4, 9), st.data())
def test_any_strides(name: str, shape: tuple[int, ...], draw: st.DataObject) -> None:
    source = draw.draw(strided(numbers(name, shape, 1)))
    target = draw.draw(strided(numbers(name, shape, 2)))
    expected = summed(target, source)
    _core.add(target, source, ARITHMETIC.index(name))
    assert_same_bits(np.ascontiguousarray(target).reshape(shape), np.ascontiguousarray(expected).reshape(shape))


@pytest.mark.parametrize("name", ARITHMETIC)
def test_large_and_repeated(name: str) -> None:
    target, source = numbers(name, (300, 1001), 3), numbers(name, (300, 1001), 4)
    for other in (source, np.broadcast_to(source[:, :1], source.shape), np.broadcast_to(source[:1], source.shape)):
        expected = summed(target, other)
        _core.add(target, other, ARITHMETIC.index(name))
        assert_same_bits(target, expected)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_without_a_source_zeros_lose_their_sign(name: str) -> None:
    kind = dtypes.find(name).numpy
    target = np.array([[0.0, -0.0, 1.5, -2], [-0.0, np.inf, -np.inf, 3]]).astype(kind)
    expected = np.array([[0.0, 0.0, 1.5, -2], [0.0, np.inf, -np.inf, 3]]).astype(kind)
    _core.add(target, None, ARITHMETIC.index(name))
    assert_same_bits(target, expected)


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("length", [1, 127, 128, 129, 255, 256, 257, 700, 20_001])
def test_zeros_lose_their_sign_anywhere_in_a_long_row(name: str, length: int) -> None:
    target = np.full(length + 1, -0.0).astype(dtypes.find(name).numpy)
    _core.add(target[:-1], None, ARITHMETIC.index(name))
    expected = np.zeros_like(target)
    expected[-1] = target[-1]  # behind the row
    assert_same_bits(target, expected)


def test_what_does_not_fit_is_refused() -> None:
    target = np.zeros((2, 3), np.float32)
    for source in (np.zeros((3, 2), np.float32), np.zeros(6, np.float32)):
        with pytest.raises(ValueError, match="differ in"):
            _core.add(target, source, ARITHMETIC.index("float32"))
    with pytest.raises(ValueError, match="another width"):
        _core.add(target, target.astype(np.float64), ARITHMETIC.index("float32"))
    with pytest.raises(ValueError, match="element must be"):
        _core.add(target, target, len(ARITHMETIC))
    target.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        _core.add(target, None, ARITHMETIC.index("float32"))
