"""The elements that indices select."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def named_twice(data: Any, tuples: Any) -> bool:
    """Whether two tuples of indices, the last axis of which is their length, are one element or slice of data."""
    *outer, length = tuples.shape
    sizes = data.shape[:length]
    count = math.prod(outer)
    if count > math.prod(sizes) and 0 not in sizes:
        return True  # more than there are places, whatever they are
    places = np.zeros(count, np.int64)
    for size, indices in zip(sizes, tuples.reshape(count, length).T, strict=True):
        places = places * size + indices.astype(np.int64) % max(size, 1)
    places.sort()  # np.unique takes ten times as long
    return bool((places[1:] == places[:-1]).any())
