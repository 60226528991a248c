"""The moves: the handful of primitives that every operator lowers to, as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dtypes import DType
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


class OutOfRangeWrite(StrEnum):
    """What becomes of an update whose index is outside its axis, after `Negative` has been applied.

    The order is the order of the core's numbers; `report` has that of `skip`.
    """

    RAISE = "raise"
    """Refuse, before anything is written."""
    CLAMP = "clamp"
    """Write at the nearest end of the axis."""
    SKIP = "skip"
    """Leave the update out."""
    WRAP = "wrap"
    """Take the index modulo the axis size (the floor modulo: never negative)."""
    REPORT = "report"
    """Leave the update out, and warn (IndexOutOfRangeWarning)."""


class Reduction(StrEnum):
    """What an update does to the element that it goes to. The order is the order of the core's numbers.

    Integers wrap around; float16 and bfloat16 are computed as float32 and rounded at each step.
    """

    NONE = "none"
    """The update replaces it."""
    ADD = "add"
    """The sum; of bool: or."""
    SUB = "sub"
    """The difference; of bool: exclusive or."""
    MUL = "mul"
    """The product; of bool: and."""
    MIN = "min"
    """The lesser; of bool: and."""
    MAX = "max"
    """The greater; of bool: or."""
    MEAN = "mean"
    """The sum of all that goes there, divided by their number; of integers rounded down."""


class NanRule(StrEnum):
    """What `min` and `max` make of NaN. The order is the order of the core's numbers."""

    PROPAGATE = "propagate"
    """NaN, if one of the two is: the only rule that does not depend on the order of updates."""
    UPDATE = "update"
    """The update, if one of the two is NaN."""
    DATA = "data"
    """What was there before, if one of the two is NaN."""


class Duplicates(StrEnum):
    """What becomes of two updates for one element where updates replace (`none`)."""

    LAST = "last"
    """The last one in row-major order stays."""
    RAISE = "raise"
    """Refuse, before anything is written."""


ARITHMETIC = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "bool", "complex64", "complex128",
)  # fmt: skip
"""The element types that reductions and sums take, in the order of the core's numbers."""


_CONVERTED = frozenset(ARITHMETIC) - {"complex64", "complex128"}


def _nbytes(view: View) -> int:
    return math.prod(view.layout.sizes) * view.dtype.itemsize


class _Writing:
    """What moves that write all of their target have in common."""

    target: View

    @property
    def bytes_written(self) -> int:
        """The bytes that the move writes."""
        return _nbytes(self.target)


@dataclass(frozen=True)
class CopyMove(_Writing):
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
class FillMove(_Writing):
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
class CheckMove:
    """Every index lies on its axis, or the run is refused (with `warns`: a warning says which one does not).

    `indices` is the index tensor as it was given. With `tuples` its last axis holds one index for each of `sizes`,
    the axes that are indexed; otherwise all are indices on one axis. `reasons` end the error, one for each of `sizes`.
    """

    indices: View
    sizes: tuple[int, ...]
    tuples: bool
    negative: Negative
    reasons: tuple[str, ...]
    subject: str
    warns: bool = False

    target: ClassVar[None] = None
    bytes_written: ClassVar[int] = 0

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make this move fail."""
        return not self.warns

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads."""
        return (self.indices,)

    def __str__(self) -> str:
        return f"check   {self.indices} within {list(self.sizes)} (negative {self.negative})"


@dataclass(frozen=True)
class DistinctMove:
    """No two updates go to one element, or the run is refused; views as those of the ScatterMove that follows.

    `sizes` are those of the updates as they were given.
    """

    target_of_scatter: View
    indices: View
    sizes: tuple[int, ...]
    out_of_range: OutOfRangeWrite
    negative: Negative
    subject: str
    advance: int | None = None

    target: ClassVar[None] = None
    bytes_written: ClassVar[int] = 0
    may_refuse: ClassVar[bool] = True

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads."""
        return (self.target_of_scatter, self.indices)

    def __str__(self) -> str:
        return f"check   {self.indices} distinct in {self.target_of_scatter}"


@dataclass(frozen=True)
class GatherMove(_Writing):
    """`target[c] = data[c ++ indices[c]]`, where c runs over all coordinates of `target`.

    `indices` has the sizes of target and one axis more, the columns: one index for each of the last axes of `data`,
    which lie behind axes as those of target. An axis of `data` or `indices` that repeats has stride 0.
    Under `raise` a CheckMove comes first.
    """

    data: View
    indices: View
    target: View
    out_of_range: OutOfRange
    negative: Negative

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.data, self.indices, self.target)

    def __str__(self) -> str:
        rules = f"{self.out_of_range}, negative {self.negative}"
        return f"gather  {self.data} by {self.indices} -> {self.target} ({rules})"


@dataclass(frozen=True)
class ScatterMove:
    """`target[c ++ indices[c]] = reduction(target[c ++ indices[c]], updates[c])`, c over all coordinates of `updates`.

    In row-major order of c, whatever the number of threads. `indices` has the sizes of updates and one axis more, the
    columns: one index for each of the last axes of `target`. An axis of `target` or `indices` that repeats has
    stride 0; otherwise no two coordinates of target are one element. Under `raise` a CheckMove comes first.
    """

    target: View
    indices: View
    updates: View
    reduction: Reduction
    use_init_val: bool
    nan: NanRule
    out_of_range: OutOfRangeWrite
    negative: Negative
    advance: int | None = None
    """The axis of c whose coordinate is added to the index, before that wraps."""

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target, self.indices, self.updates)

    @property
    def bytes_written(self) -> int:
        """The bytes that the move writes."""
        return _nbytes(self.updates)

    def __str__(self) -> str:
        rules = f"{self.reduction}, {self.out_of_range}, negative {self.negative}"
        return f"scatter {self.updates} by {self.indices} -> {self.target} ({rules})"


@dataclass(frozen=True)
class SelectMove(_Writing):
    """`target[c] = x[c] if condition[c] else y[c]`; conditions of one byte, of which all but 0 choose x."""

    condition: View
    x: View
    y: View
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.condition, self.x, self.y, self.target)

    def __str__(self) -> str:
        return f"select  {self.x} or {self.y} by {self.condition} -> {self.target}"


def can_convert(source: DType, to: DType) -> bool:
    """Whether a ConvertMove turns elements of one type into those of another.

    Not floats into integers, which need not be in range, and not numbers of more than 24 bits into 16-bit floats.
    """
    if source == to or not {source.name, to.name} <= _CONVERTED:
        return False
    if to.kind == "bool" or (to.bits >= 32 and to.kind == "float"):
        return True
    if to.kind != "float":
        return source.kind != "float"
    return source.bits <= (32 if source.kind == "float" else 16)


@dataclass(frozen=True)
class ConvertMove(_Writing):
    """Every element of `source` as the element type of `target`, at the same coordinate; see can_convert.

    Integers wrap around; numbers become the nearest float, of two equally near the even one, rounded once, and
    infinity beyond the greatest; a bool is whether a number is not zero. NaN keeps its sign and the upper bits of its
    payload; as bfloat16 it is the canonical one, as or from float64 it is quiet.
    """

    source: View
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.source, self.target)

    def __str__(self) -> str:
        return f"convert {self.source} to {self.target.dtype} -> {self.target}"


@dataclass(frozen=True)
class DiagonalsMove:
    """`target[.., y, x] = value if (begin <= x - y < end) != inverted else source[.., y, x]`, the value as its bytes.

    Without a source the other elements stay as they are. -rows <= begin <= end <= columns.
    """

    value: bytes
    source: View | None
    target: View
    begin: int
    end: int
    inverted: bool

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target,) if self.source is None else (self.source, self.target)

    @property
    def bytes_written(self) -> int:
        """The bytes that the move writes; without a source these are fewer."""
        return _nbytes(self.target)

    def __str__(self) -> str:
        rest = "" if self.source is None else f", else {self.source}"
        band = f"{self.begin} <= x - y < {self.end}"
        return f"fill    {self.value.hex()} where {'not ' * self.inverted}{band}{rest} -> {self.target}"


def can_add(dtype: np.dtype[Any]) -> bool:
    """Whether an AddMove takes elements of this type."""
    row = dtypes.of(dtype)
    return row is not None and row.name in ARITHMETIC and dtype.isnative


@dataclass(frozen=True)
class AddMove(_Writing):
    """`target[c] += source[c]`: integers wrap around, bools are or-ed, floats are rounded once.

    Without a source 0 is added, which makes 0.0 of -0.0.
    """

    source: View | None
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (self.target,) if self.source is None else (self.source, self.target)

    def __str__(self) -> str:
        return f"add     {'0' if self.source is None else self.source} -> {self.target}"


@dataclass(frozen=True)
class RangeMove(_Writing):
    """`target[n] = start + n * delta`, a vector; start and delta as their bytes.

    Integers wrap around; float32 and float64 are rounded after the product and after the sum.
    """

    start: bytes
    delta: bytes
    target: View

    may_refuse: ClassVar[bool] = False

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move writes."""
        return (self.target,)

    def __str__(self) -> str:
        return f"count   from {self.start.hex()} by {self.delta.hex()} -> {self.target}"


@dataclass(frozen=True)
class ComputeMove(_Writing):
    """`target = function(*sources)`, by NumPy: what is not pure movement, such as arithmetic on values.

    `function` takes and returns arrays, and refuses by raising; nothing is written before it returns. With `writes`
    it gets the target as its last argument, which it writes itself, without another copy; it must not refuse then.
    """

    name: str
    function: Callable[..., NDArray[Any] | None]
    sources: tuple[View, ...]
    target: View
    writes: bool = False

    @property
    def may_refuse(self) -> bool:
        """Whether the data can make this move fail."""
        return not self.writes

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that the move reads or writes."""
        return (*self.sources, self.target)

    def __str__(self) -> str:
        return f"compute {self.name} of {', '.join(map(str, self.sources))} -> {self.target}"


Move = (
    CopyMove
    | FillMove
    | CheckMove
    | DistinctMove
    | GatherMove
    | ScatterMove
    | SelectMove
    | ConvertMove
    | AddMove
    | DiagonalsMove
    | RangeMove
    | ComputeMove
)
