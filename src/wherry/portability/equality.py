"""Equality: whether two tensors are equal, by bits or within a tolerance, and the first difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dtypes import native
from wherry.tensors import TensorType

Array = NDArray[Any]

_BLOCK = 1 << 20
"""So many elements are compared at a time."""

TOLERANCES: Mapping[str, tuple[float, float]] = {
    "float64": (1e-7, 1e-9),
    "float32": (1e-3, 1e-5),
    "float16": (1e-2, 1e-3),
    "bfloat16": (4e-2, 1e-2),
}
"""Default tolerances of computed elements: relative and absolute. Elements of other types must be equal."""


class Level(IntEnum):
    """How tensors are compared."""

    BITS = 0
    """Bit by bit: nothing but moves made them."""
    VALUES = 1
    """By values, NaN equal to NaN: a Cast may make any NaN."""
    TOLERANCE = 2
    """Within a tolerance, NaN equal to NaN: something computed them."""


@dataclass(frozen=True)
class Tolerance:
    """Tolerances of computed elements: relative and absolute; None is that of the element type."""

    rtol: float | None = None
    atol: float | None = None

    def of(self, dtype: np.dtype[Any]) -> tuple[float, float]:
        """Return the tolerance for an element type."""
        rtol, atol = TOLERANCES.get(dtype.name, (0.0, 0.0))
        return (rtol if self.rtol is None else self.rtol), (atol if self.atol is None else self.atol)


@dataclass(frozen=True)
class Difference:
    """Two tensors of one name that differ."""

    tensor: str
    how: str
    """How they were compared: `bits`, `values` or `tolerance`."""
    types: tuple[str, str]
    coordinate: tuple[int, ...] | None
    """The first that differs; None where types or sizes do."""
    values: tuple[Any, Any] | None
    count: int
    of: int

    def as_json(self) -> dict[str, Any]:
        """Return the difference as what `json.dumps` takes."""
        return asdict(self)


def difference(name: str, first: Array, second: Array, level: Level, tolerance: Tolerance) -> Difference | None:
    """Return the difference of two tensors, None if they agree.

    >>> import numpy as np
    >>> found = difference("y", np.array([1.0, 2.0]), np.array([1.0, 3.0]), Level.BITS, Tolerance())
    >>> found.coordinate, found.values
    ((1,), (2.0, 3.0))
    >>> difference("y", np.array([1.0]), np.array([1 + 1e-12]), Level.TOLERANCE, Tolerance())
    """
    types = str(TensorType.of(first)), str(TensorType.of(second))
    if native(first.dtype) != native(second.dtype) or first.shape != second.shape:
        return Difference(name, level.name.lower(), types, None, None, first.size, first.size)
    count, least = 0, -1
    for begin, parts in _blocks(first, second, level, tolerance):
        if parts.any():
            least = begin + int(np.argmax(parts)) if least < 0 else least
            count += int(np.count_nonzero(parts))
    if least < 0:
        return None
    at = tuple(map(int, np.unravel_index(least, first.shape)))
    values = plain(first[at]), plain(second[at])
    return Difference(name, level.name.lower(), types, at, values, count, first.size)


def largest(first: Array, second: Array) -> float:
    """Return the largest difference of finite elements of two tensors of the same type."""
    if first.shape != second.shape or first.dtype.hasobject or first.dtype != second.dtype:
        return 0.0
    most = 0.0
    for begin in range(0, first.size, _BLOCK):
        a, b = (one.reshape(-1)[begin : begin + _BLOCK].astype(np.float64) for one in (first, second))
        with np.errstate(all="ignore"):
            gaps = np.abs(a - b)
        most = max(most, float(np.max(gaps, where=np.isfinite(gaps), initial=0.0)))
    return most


def _blocks(first: Array, second: Array, level: Level, tolerance: Tolerance) -> Any:
    """Yield for each block its beginning, and which elements differ."""
    a, b = first.reshape(-1), second.reshape(-1)
    for begin in range(0, a.size, _BLOCK):
        yield begin, _parts(a[begin : begin + _BLOCK], b[begin : begin + _BLOCK], level, tolerance)


def _parts(a: Array, b: Array, level: Level, tolerance: Tolerance) -> NDArray[np.bool_]:
    if a.dtype.hasobject:
        return np.asarray(a != b, bool)
    if level is Level.BITS:
        width = a.dtype.itemsize
        bits = [np.ascontiguousarray(one).view(np.uint8).reshape(-1, width) for one in (a, b)]
        return np.asarray(np.any(bits[0] != bits[1], axis=1))
    rtol, atol = tolerance.of(a.dtype) if level is Level.TOLERANCE else (0.0, 0.0)
    if not rtol and not atol:
        with np.errstate(invalid="ignore"):
            is_nan = np.not_equal(a, a) & np.not_equal(b, b)
            return np.asarray((a != b) & ~is_nan, bool)
    x, y = (one if one.dtype.kind == "c" else one.astype(np.float64) for one in (a, b))
    return np.asarray(~np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=True))


def plain(value: Any) -> Any:
    """Return an element as JSON has it: a number, a text, or the text of one that JSON lacks."""
    found = value.item() if hasattr(value, "item") else value
    if isinstance(found, bool | int | str):
        return found
    if isinstance(found, float) and np.isfinite(found):
        return found
    return str(found)
