"""Bitwise comparison of arrays: it raises by itself, and test_compare.py proves that it can."""

from __future__ import annotations

import numpy as np


def assert_same_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    """Fail unless dtype, sizes and every bit agree; Python objects agree by type and value."""
    assert actual.dtype == expected.dtype, f"dtype {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"sizes {actual.shape}, expected {expected.shape}"
    if actual.dtype.hasobject:
        pairs = list(zip(actual.ravel().tolist(), expected.ravel().tolist(), strict=True))
        assert all(type(a) is type(b) and a == b for a, b in pairs), pairs
        return
    if actual.tobytes() != expected.tobytes():
        raise AssertionError(f"bits differ:\n{actual}\nexpected\n{expected}")
