"""Move: the base of all moves, and the memory that they run on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes
from wherry.layout import Layout
from wherry.tensors import View

Array = NDArray[Any]

Memory = Mapping[str, Array]
"""The buffers of a plan by name, each one vector of elements."""

Numbers = Mapping[str, int]
"""The buffers of a program: the place of each in the core's list."""

Step = tuple[Any, ...]
"""A step that the core prepares: its name, then places and rules; see `_core.Program`."""

ARITHMETIC = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "bool", "complex64", "complex128",
)  # fmt: skip
"""The element types that reductions and sums take, in the order of the core's numbers."""


class _ElementNumbers(Mapping[np.dtype[Any], int]):
    """The core's number of each dtype of ARITHMETIC, by which bfloat16 is found too whenever it comes to be known."""

    _BY_NAME: ClassVar = {name: number for number, name in enumerate(ARITHMETIC)}

    def __getitem__(self, dtype: np.dtype[Any]) -> int:
        row = dtypes.of_native(dtype)
        if row is None:
            raise KeyError(dtype)
        return self._BY_NAME[row.name]

    def __iter__(self) -> Iterator[np.dtype[Any]]:
        return (dtypes.find(name).numpy for name in ARITHMETIC)

    def __len__(self) -> int:
        return len(ARITHMETIC)


ELEMENT_NUMBER = _ElementNumbers()


class Move(ABC):
    """One primitive on views of buffers, as plain data: what it touches, and how it runs.

    `steps` describes it to the core, which then runs it without Python; `run` runs it now. `target` is what the move
    writes, if it writes.
    """

    target: View | None

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make the move fail."""
        return False

    @property
    def may_warn(self) -> bool:
        """Whether the data can make the move warn."""
        return False

    @property
    def only_moves(self) -> bool:
        """Whether all that it writes are elements that it reads: these may then be references to Python objects."""
        return False

    @property
    @abstractmethod
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""

    @property
    def bytes_written(self) -> int:
        """The bytes that the move writes."""
        return 0 if self.target is None else nbytes(self.target)

    @abstractmethod
    def run(self, memory: Memory) -> None:
        """Run the move now."""

    def steps(self, numbers: Numbers) -> list[Step] | None:
        """Return the steps by which the core runs the move, or None where it needs Python.

        Asked only of moves whose elements are bytes of memory, or references that it `only_moves`.
        """
        return None


def nbytes(view: View) -> int:
    """Return the bytes of the elements of a view."""
    return math.prod(view.layout.sizes) * view.dtype.itemsize


def memory_of(array: Array) -> Array:
    """Return the memory under an array as one vector, from the lowest element it reaches to the highest."""
    return _core.memory_of(array)


def array_over(memory: Array, layout: Layout) -> Array:
    """Return the array that `layout` describes over a vector of elements; never outside it."""
    return _core.view(memory, layout.sizes, layout.strides, layout.offset)


def array_at(view: View, memory: Memory) -> Array:
    """Return the array that a view is of a run's memory."""
    return array_over(memory[view.buffer], view.layout)


def place_of(view: View, numbers: Numbers) -> Step:
    """Return a view as the core takes it: number of its buffer, and offset, sizes and strides in bytes."""
    width, layout = view.dtype.itemsize, view.layout
    return (numbers[view.buffer], layout.offset * width, list(layout.sizes), [s * width for s in layout.strides])
