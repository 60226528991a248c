"""NonZero by its formula: ONNX NonZero, DirectML NONZERO_COORDINATES."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import NonZero, NonZeroCoordinates

Array = NDArray[Any]


def coordinates_of(data: Array) -> list[tuple[int, ...]]:
    """Return the coordinates of the elements that are not zero, in row-major order."""
    empty = b"" if data.dtype.kind == "S" else "" if data.dtype.kind in "OU" else 0
    return [c for c in np.ndindex(data.shape) if data[c] != empty]


def nonzero(operator: NonZero, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[axis, n]` = the coordinate on `axis` of the n-th element that is not zero."""
    for n, c in enumerate(coordinates_of(operator.data)):
        for axis, at in enumerate(c):
            outputs[0][axis, n] = at


def nonzero_coordinates(operator: NonZeroCoordinates, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`coordinates[.., n, k]` = coordinate `ndim - columns + k` of the n-th element that is not zero; and the count."""
    (data,), (count, coordinates) = inputs, outputs
    found = coordinates_of(data)
    count[...] = len(found)
    leading = (0,) * (coordinates.ndim - 2)
    for n, c in enumerate(found):
        for k in range(operator.columns):
            coordinates[(*leading, n, k)] = c[data.ndim - operator.columns + k]
