"""The bitwise comparison fails where it must."""

import numpy as np
import pytest

from tests.support.compare import assert_same_bits


def test_equal_bits_pass() -> None:
    payload = np.array([0x7FC00001, 0x80000000], np.uint32).view(np.float32)
    assert_same_bits(payload, payload.copy())
    assert_same_bits(np.array(["a"], object), np.array(["a"], object))


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (np.array([0.0], "f4"), np.array([-0.0], "f4")),
        (np.array([0x7FC00001], "u4").view("f4"), np.array([0x7FC00000], "u4").view("f4")),
        (np.zeros(2, "i4"), np.zeros(2, "u4")),
        (np.zeros((2, 1)), np.zeros(2)),
        (np.array(["a"], object), np.array(["b"], object)),
        (np.array([1], object), np.array([True], object)),
    ],
)
def test_any_difference_fails(actual: np.ndarray, expected: np.ndarray) -> None:
    with pytest.raises(AssertionError):
        assert_same_bits(actual, expected)
