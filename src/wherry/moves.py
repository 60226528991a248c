"""The moves: the handful of primitives that every operator lowers to, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from numpy.typing import NDArray

from wherry.tensors import View


class OutOfRange(StrEnum):
    """What becomes of an index outside its axis, after `Negative` has been applied.

    The order is the order of the core's numbers.
    """

    RAISE = "raise"
    """Refuse, before anything is written."""
    CLAMP = "clamp"
    """Read the nearest end of the axis."""
    ZERO = "zero"
    """Write zero: 0, False, or an empty string."""
    WRAP = "wrap"
    """Take the index modulo the axis size (the floor modulo: never negative)."""


class Negative(StrEnum):
    """What a negative index means."""

    FROM_END = "from_end"
    """-1 is the last position: the axis size is added once."""
    INVALID = "invalid"
    """A negative index is out of range."""


@dataclass(frozen=True)
class CopyMove:
    """Every element of `source` to the same coordinate of `target`."""

    source: View
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    def __str__(self) -> str:
        return f"copy    {self.source} -> {self.target}"


@dataclass(frozen=True)
class FillMove:
    """One element, given as its bytes, to every coordinate of `target`."""

    value: bytes
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move writes."""
        return (self.target,)

    def __str__(self) -> str:
        return f"fill    {self.value.hex()} -> {self.target}"


@dataclass(frozen=True)
class GatherMove:
    """`target[p.., i.., t..] = data[p.., indices[p[:batch_dims].., i..], t..]`, the index replacing `axis`.

    `subject` is who speaks in the error of a bad index.
    """

    data: View
    indices: View
    target: View
    axis: int
    batch_dims: int
    out_of_range: OutOfRange
    negative: Negative
    subject: str

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.data, self.indices, self.target)

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make this move fail."""
        return self.out_of_range is OutOfRange.RAISE

    def __str__(self) -> str:
        rule = f"axis {self.axis}, batch_dims {self.batch_dims}, {self.out_of_range}, negative {self.negative}"
        return f"gather  {self.data} by {self.indices} -> {self.target} ({rule})"


@dataclass(frozen=True)
class ComputeMove:
    """`target = function(*sources)`, by NumPy: what is not pure movement, such as arithmetic on values.

    `function` takes and returns arrays, and refuses by raising; nothing is written before it returns.
    """

    name: str
    function: Callable[..., NDArray[Any]]
    sources: tuple[View, ...]
    target: View

    may_refuse: ClassVar[bool] = True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (*self.sources, self.target)

    def __str__(self) -> str:
        return f"compute {self.name} of {', '.join(map(str, self.sources))} -> {self.target}"


Move = CopyMove | FillMove | GatherMove | ComputeMove
