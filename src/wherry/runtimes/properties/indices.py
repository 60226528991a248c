"""Properties of indices that DirectML's operators and WebNN's methods share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry.runtimes.values import any_outside


def outside_axis(indices: Any, size: int) -> bool:
    """Whether an index is beyond both ends of an axis: -size .. size - 1."""
    return any_outside(indices, -size, size - 1)


def outside_axes(tuples: Any, sizes: Sequence[int]) -> bool:
    """Whether an index of a tuple, the last axis of which is their length, is beyond the axis that it is for."""
    if not any_outside(tuples, -min(sizes), min(sizes) - 1):
        return False
    most = np.array(sizes, np.int64)
    numbers = tuples.astype(np.float64) if tuples.dtype.kind == "u" else tuples.astype(np.int64)
    return bool(((numbers < -most) | (numbers >= most)).any())


def elements_named_twice(data: Any, indices: Any, axis: int) -> bool:
    """Whether two indices, each at its own place, are one element of data: only those along the axis can be."""
    if indices.shape[axis] > data.shape[axis]:
        return bool(indices.size > 0)  # more than there are places, whatever they are
    if indices.shape[axis] < 2:
        return False
    along = np.sort(np.moveaxis(indices, axis, 0).astype(np.int64) % data.shape[axis], axis=0)
    return bool((along[1:] == along[:-1]).any())
