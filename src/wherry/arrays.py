"""Arrays from anything that holds one on the CPU: NumPy, buffers, `__array__`, DLPack, numbers and lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.errors import InvalidTypeError


def as_array(value: Any, field: str) -> NDArray[Any]:
    """Return `value` as a NumPy array, without a copy where its memory can be shared.

    Raises InvalidTypeError for what is no array: ragged lists, memory of another device.
    """
    if isinstance(value, np.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array_interface__"):
            return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError):
        pass  # an element type that DLPack or NumPy lacks; the object may still convert itself
    try:
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InvalidTypeError(f"{field} is a {type(value).__name__}, allowed an array on the CPU: {error}") from None


def as_indices(value: Any, field: str = "indices") -> NDArray[Any]:
    """Return `value` as an array of indices; an empty list, which has no type of its own, counts as int64."""
    array = as_array(value, field)
    if array.size == 0 and array.dtype == np.float64 and not hasattr(value, "dtype"):
        return array.astype(np.int64)
    return array
