"""TensorType: element type and sizes of a tensor; View: the buffer and layout of a tensor in a plan."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from wherry import dtypes
from wherry.arguments import as_entries, as_int
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.layout import Layout
from wherry.limits import MAX_NDIM, check_ndim

Size = int | str | None
"""A size: a number, the name of an unknown number, or None for a nameless unknown one."""


@dataclass(frozen=True, init=False)
class TensorType:
    """Element type and sizes of a tensor; a size, or the number of axes, may be unknown until run.

    `dtype` is a row of the table of element types, or a NumPy dtype that the table lacks: dates, records, strings of
    one width. `sizes=None` means that the number of axes is unknown too.

    >>> print(TensorType("float32", (2, "N", None)))
    float32[2, N, ?]
    """

    dtype: DType | np.dtype[Any]
    sizes: tuple[Size, ...] | None

    def __init__(self, dtype: object, sizes: Iterable[Size] | None) -> None:
        object.__setattr__(self, "dtype", _element(dtype))
        known = None if sizes is None else _sizes(sizes)
        if known is not None and len(known) > MAX_NDIM:
            check_ndim(len(known), "the tensor")
        object.__setattr__(self, "sizes", known)

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> TensorType:
        """Return the type of a NumPy array. Raises InvalidTypeError for anything else."""
        if not isinstance(array, (np.ndarray, np.generic)):
            raise InvalidTypeError(f"array is {short(array)}, allowed a NumPy array")
        return cls(array.dtype, array.shape)

    @property
    def ndim(self) -> int | None:
        """The number of axes, or None where it is unknown."""
        return None if self.sizes is None else len(self.sizes)

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype that holds the elements."""
        return self.dtype.numpy if isinstance(self.dtype, DType) else self.dtype

    @property
    def row(self) -> DType | None:
        """The row of the table of element types for this type, if there is one."""
        return self.dtype if isinstance(self.dtype, DType) else dtypes.of(self.dtype)

    @property
    def is_known(self) -> bool:
        """Whether every size is a number."""
        return self.sizes is not None and _NUMBERS.issuperset(map(type, self.sizes))

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes as numbers; raises InvalidValueError while one is unknown."""
        if not self.is_known:
            raise InvalidValueError(f"sizes of {self} are not known yet; they are once inputs are given")
        return cast(tuple[int, ...], self.sizes)

    @property
    def nbytes(self) -> int:
        """The bytes of the elements, packed; raises InvalidValueError while a size is unknown."""
        return math.prod(self.shape) * self.numpy.itemsize

    def with_sizes(self, sizes: Iterable[Size] | None) -> TensorType:
        """Return the same element type with other sizes."""
        return TensorType(self.dtype, sizes)

    def accepts(self, other: TensorType) -> bool:
        """Whether a tensor of type `other` fits this declared type."""
        if not isinstance(other, TensorType):
            raise InvalidTypeError(f"other is {short(other)}, allowed a TensorType")
        if self.dtype != other.dtype and self.numpy != other.numpy:
            return False
        if self.sizes is None or other.sizes is None:
            return True
        pairs = zip(self.sizes, other.sizes, strict=False)
        return len(self.sizes) == len(other.sizes) and all(
            not isinstance(a, int) or not isinstance(b, int) or a == b for a, b in pairs
        )

    def __str__(self) -> str:
        if self.sizes is None:
            return f"{self.dtype}[...]"
        return f"{self.dtype}[{', '.join('?' if size is None else str(size) for size in self.sizes)}]"


def _element(dtype: object) -> DType | np.dtype[Any]:
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, np.dtype) and (dtype.kind in "UST" or not dtype.isnative):
        # Strings of one NumPy width are not those of another, nor is one byte order another.
        return dtypes.without_strings(dtype)
    return dtypes.row_of(dtype) or dtypes.numpy_of(dtype)


_NUMBERS = frozenset({int})
_KNOWN = _NUMBERS.union({str, type(None)})
"""Types of sizes that need no conversion to integers."""


def _sizes(sizes: Iterable[Size]) -> tuple[Size, ...]:
    if (type(sizes) is tuple or type(sizes) is list) and len(sizes) <= MAX_NDIM and _KNOWN.issuperset(map(type, sizes)):
        return tuple(sizes)
    return tuple(
        size if size is None or isinstance(size, str) else as_int(f"sizes[{axis}]", size, "an integer, a name or None")
        for axis, size in enumerate(as_entries("sizes", sizes, "a sequence of sizes"))
    )


def is_integer(dtype: DType | np.dtype[Any]) -> bool:
    """Whether a tensor of `dtype` can hold indices: signed or unsigned integers, not bool."""
    return dtype.is_integer if isinstance(dtype, DType) else dtype.kind in "iu"


def zero_object(data: np.ndarray[Any, Any]) -> object:
    """Return the zero of an array of Python objects: the type of its first element called without arguments."""
    if data.size == 0:
        return ""
    return type(data.flat[0])()


@dataclass(frozen=True)
class View:
    """A tensor inside a plan: a buffer's name, the NumPy dtype that holds its elements, and its layout there."""

    buffer: str
    dtype: np.dtype[Any]
    layout: Layout

    def over(self, layout: Layout) -> View:
        """Return another layout over the same buffer."""
        return View(self.buffer, self.dtype, layout)

    def __str__(self) -> str:
        place = self.layout
        if place.is_row_major and place.offset == 0:
            return f"{self.buffer}{list(place.sizes)}"
        return f"{self.buffer}{list(place.sizes)} strides {list(place.strides)} offset {place.offset}"
