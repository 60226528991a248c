"""The elements that indices select."""

from __future__ import annotations

from typing import Any

import numpy as np


def named_twice(data: Any, tuples: Any) -> bool:
    """Whether two tuples of indices, the last axis of which is their length, are one element or slice of data."""
    length = tuples.shape[-1]
    sizes = np.array(data.shape[:length], np.int64)
    if tuples.size // max(length, 1) > np.prod(sizes) and 0 not in sizes:
        return True  # more than there are places, whatever they are
    places = tuples.reshape(-1, length).astype(np.int64) % sizes
    return len(np.unique(places, axis=0)) < len(places)
