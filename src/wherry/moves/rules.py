"""The rules of moves: bad indices, several updates of one element, NaN; with the core's numbers for them."""

from __future__ import annotations

from enum import StrEnum


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
    """The meaning of a negative index."""

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
    """The effect of an update on its element. The order is that of the core's numbers.

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
    """The mean of all updates of the element; rounded down for integers."""


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


OUT_OF_RANGE_NUMBER = {rule: number for number, rule in enumerate(OutOfRange)}
NEGATIVE_NUMBER = {rule: number for number, rule in enumerate(Negative)}
OUT_OF_RANGE_WRITE_NUMBER = {rule: number for number, rule in enumerate(OutOfRangeWrite)}
OUT_OF_RANGE_WRITE_NUMBER[OutOfRangeWrite.REPORT] = OUT_OF_RANGE_WRITE_NUMBER[OutOfRangeWrite.SKIP]
REDUCTION_NUMBER = {rule: number for number, rule in enumerate(Reduction)}
NAN_NUMBER = {rule: number for number, rule in enumerate(NanRule)}
