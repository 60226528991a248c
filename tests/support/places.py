"""Places that a scatter names twice."""

from __future__ import annotations

import numpy as np


def named_twice(data: np.ndarray, tuples: np.ndarray) -> bool:
    """Whether two tuples of indices, the last axis of which is their length, are one element or slice of data."""
    length = tuples.shape[-1]
    places = tuples.reshape(-1, length).astype(np.int64) % np.array(data.shape[:length], np.int64)
    return len(np.unique(places, axis=0)) < len(places)


UNEVEN_DATA = np.zeros(2**22, np.float32)
UNEVEN = np.zeros(10**6, np.int32)
"""Places in UNEVEN_DATA. Every second one of the first half is far from the one before, the rest is place 0.

So a thread that has the second half ends before another has written place 0 for the last time.
"""

UNEVEN[: len(UNEVEN) // 2 : 2] = np.arange(len(UNEVEN) // 4) * 1_000_003 % len(UNEVEN_DATA)
