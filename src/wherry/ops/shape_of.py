"""ShapeOf and SizeOf: the sizes of a tensor as a tensor; its values are not read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.errors import SizeOverflowError, invalid
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

_INT64 = dtypes.find("int64")


def _as_index_dtype(field: str, dtype: object) -> dtypes.DType:
    """Return the row of int32 or int64; raises InvalidValueError for any other type."""
    row = dtypes.find(dtype)
    if row.name not in ("int32", "int64"):
        raise invalid(field, str(row), "int32, int64")
    return row


IndexType = Annotated[dtypes.DType, _as_index_dtype]
"""A field that holds the type in which positions are counted."""


@dataclass(frozen=True)
class ShapeOf(Operator):
    """`out = sizes(data)[start:end]`, a vector of `dtype`.

    A negative `start` or `end` counts from the end once; both are then cut to 0..ndim. `end=None` is ndim. Raises
    SizeOverflowError for a size that `dtype` (int32 or int64) does not hold.
    """

    start: int = 0
    end: int | None = None
    dtype: IndexType = _INT64

    reads_values: ClassVar[bool] = False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        (data,) = inputs
        return (TensorType(self.dtype, [None if data.sizes is None else len(self._range(len(data.sizes)))]),)

    def _range(self, ndim: int) -> range:
        end = ndim if self.end is None else self.end
        low, high = (min(max(at + ndim if at < 0 else at, 0), ndim) for at in (self.start, end))
        return range(low, high)

    def fold(self, inputs: Sequence[TensorType]) -> tuple[NDArray[Any], ...]:
        """Return the sizes."""
        shape = inputs[0].shape
        return (_as_indices([shape[axis] for axis in self._range(len(shape))], self.dtype),)


@dataclass(frozen=True)
class SizeOf(Operator):
    """`out = number of elements of data`, a scalar of `dtype` (int32 or int64)."""

    dtype: IndexType = _INT64

    reads_values: ClassVar[bool] = False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        return (TensorType(self.dtype, ()),)

    def fold(self, inputs: Sequence[TensorType]) -> tuple[NDArray[Any], ...]:
        """Return the number of elements."""
        return (_as_indices(math.prod(inputs[0].shape), self.dtype),)


def _as_indices(values: Any, dtype: dtypes.DType) -> NDArray[Any]:
    try:
        return np.array(values, dtype.numpy)
    except OverflowError:
        raise SizeOverflowError(f"dtype is {dtype}, but the result is {values}; choose int64") from None
