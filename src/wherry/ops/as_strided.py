"""AsStrided: the elements of data, in row-major order, read with other sizes and strides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import ComputeMove, Move
from wherry.ops.operator import Operator, check_lengths
from wherry.ops.rearrange import copy_row_major
from wherry.tensors import TensorType, View


@dataclass(frozen=True)
class AsStrided(Operator):
    """`elements[c] = flat[offset + sum of c[i] * strides[i]]`, where flat is data as one axis; out has these elements.

    It is what DirectML's ELEMENT_WISE_IDENTITY does with an input that has strides: axes cut and permuted, windows that
    overlap, elements repeated (a stride of 0). `sizes` and `strides` have one entry for each axis that is read. Out has
    these sizes, or others with as many elements, taken in row-major order: `shape`.

    Raises InvalidValueError for elements outside data.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    shape: tuple[int, ...] | None = None

    def _check_fields(self) -> None:
        check_lengths(self, "sizes", "strides")
        if self.shape is not None and math.prod(self.shape) != math.prod(self.sizes):
            raise invalid("shape", list(self.shape), f"{math.prod(self.sizes)} elements, as sizes has")

    @property
    def layout(self) -> Layout:
        """Where the elements lie in data."""
        return Layout(self.sizes, self.strides, self.offset)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data with the sizes of the result; see Operator."""
        (data,) = inputs
        if data.is_known and self.layout.extent > math.prod(data.shape):
            raise InvalidValueError(
                f"sizes, strides, offset reach element {self.layout.extent - 1}, data has {math.prod(data.shape)}"
            )
        return (data.with_sizes(self.sizes if self.shape is None else self.shape),)

    def view(self, inputs: Sequence[Layout]) -> tuple[tuple[int, Layout], ...] | None:
        """Return the layout over data's buffer, if data is packed and the result has the sizes that are read."""
        (data,) = inputs
        if self.shape is not None or not data.is_row_major:
            return None
        return ((0, Layout(self.sizes, self.strides, data.offset + self.offset)),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy, or one of NumPy's where data is not packed."""
        (data,), (output,) = inputs, outputs
        if data.layout.is_row_major:
            layout = Layout(self.sizes, self.strides, data.layout.offset + self.offset)
            yield from copy_row_major(data.over(layout), output)
        else:
            yield ComputeMove("as_strided", self._read, (data,), output)

    def _read(self, data: NDArray[np.generic]) -> NDArray[np.generic]:
        flat = np.ascontiguousarray(data).reshape(-1)
        read: NDArray[np.generic] = self.layout.view(flat, flat.dtype)
        return read if self.shape is None else read.reshape(self.shape)
