"""The zero of an array's element type: 0, False, or an empty string."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def of(data: Array) -> object:
    """Return the zero that is written where data has nothing."""
    if not data.dtype.hasobject:
        return np.zeros((), data.dtype)[()]
    return type(data.flat[0])() if data.size else ""
