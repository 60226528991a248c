"""What feature levels support, in the words of the pages' tables: shared by the operator descriptions."""

from __future__ import annotations

from wherry.dialects.directml.enums import as_feature_level
from wherry.dialects.directml.members import Level, Support

Types = tuple[str, ...]
Dims = tuple[int, int]
"""The fewest and the most dimensions."""

# The lists of types on the pages, by their length.
T2: Types = ("FLOAT32", "FLOAT16")
T6 = (*T2, "INT32", "INT16", "UINT32", "UINT16")
T8 = (*T6, "INT8", "UINT8")
T10 = (*T8, "INT64", "UINT64")
T11 = (*T8, "FLOAT64", "INT64", "UINT64")
WIDE: Types = (*T2, "INT32", "UINT32")
WIDE64: Types = (*WIDE, "INT64", "UINT64")
SIGNED: Types = (*T2, "INT32", "INT16", "INT8")
TRUTH: Types = ("UINT32", "UINT8")
INDICES = ("INT64", "INT32", "UINT64", "UINT32")
UINT8, UINT32 = ("UINT8",), ("UINT32",)

FROM_FRONT = "indices count from the front"
FROM_END = "negative indices of a signed type count from the end"
CLAMPED = "; what lies outside the axis is clamped"
CLAMPED_TOO = "; what lies outside the axis is clamped, though the page is silent"
LEFT_OUT = "; an update outside the axis is left out with a warning, though the page is silent"
NO_ON_VALUE = "; what lies outside the axis has no on-value"


def level(since: str, dims: Dims, types: Types, rule: str = "", **own: Types | Support) -> Level:
    """Return what an operator supports from a feature level on; `own` are tensors with types of their own.

    >>> level("2.1", (4, 4), T8, "indices count from the front", indices_tensor=UINT32).support["indices_tensor"]
    Support(dims=range(4, 5), types=('UINT32',))
    """
    columns: dict[str, Types | Support] = {"data": types, **own}
    return Level(as_feature_level(since), rule, {
        field: column if isinstance(column, Support) else support(dims, column) for field, column in columns.items()
    })  # fmt: skip


def support(dims: Dims, types: Types) -> Support:
    """Return a column of a level: from the fewest to the most dimensions, and the data types."""
    return Support(range(dims[0], dims[1] + 1), types)


def indexed(rule: str) -> tuple[Level, ...]:
    """Return the levels that operators with indices share."""
    return (
        level("2.1", (4, 4), T8, FROM_FRONT + rule, indices_tensor=UINT32),
        level("3.0", (1, 8), T8, FROM_END + rule, indices_tensor=INDICES),
        level("4.1", (1, 8), T11, FROM_END + rule, indices_tensor=INDICES),
    )


COPIES = (level("3.0", (1, 8), T8), level("4.1", (1, 8), T11))
"""The later levels of operators that only copy."""
