"""The table of ONNX operators: every row, the choice of one by opset, and who spells which operator."""

from __future__ import annotations

from functools import cache
from typing import Any

from wherry.arguments import as_int
from wherry.dialects import rows
from wherry.dialects.onnx import (
    rows_blocks,
    rows_cast,
    rows_gather,
    rows_make,
    rows_pad,
    rows_scatter,
    rows_select,
    rows_shape,
    rows_split,
    rows_value,
    say_blocks,
    say_cast,
    say_gather,
    say_make,
    say_pad,
    say_scatter,
    say_select,
    say_shape,
    say_split,
    say_value,
)
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Spell
from wherry.errors import UnsupportedError

NEWEST_OPSET = 28
"""The newest opset whose operators the table was checked against (onnx 1.23)."""

NEWEST_IR_VERSION = 14
"""The newest version of the file format that the reader knows."""

DOMAINS = frozenset({"", "ai.onnx"})
"""The names of the standard operators' domain."""

_FAMILIES: tuple[Any, ...] = (
    rows_blocks, rows_cast, rows_gather, rows_make, rows_pad, rows_scatter, rows_select, rows_shape, rows_split,
    rows_value,
)  # fmt: skip

_SAYS: tuple[Any, ...] = (
    say_blocks, say_cast, say_gather, say_make, say_pad, say_scatter, say_select, say_shape, say_split, say_value,
)  # fmt: skip

ROWS: tuple[OnnxRow, ...] = tuple(row for family in _FAMILIES for row in family.ROWS)

NAMES = frozenset(row.name for row in ROWS)

SPELLINGS: dict[object, tuple[tuple[str, Spell], ...]] = {
    key: ways for family in _SAYS for key, ways in family.SPELLINGS.items()
}
"""The ONNX operators that can write an operator, the best first, by its class; a deferred one by its `build`."""


def check_opset(opset: Any) -> int:
    """Return `opset` as an integer. Raises UnsupportedError outside the opsets that the table knows."""
    version = as_int("opset", opset)
    if not 1 <= version <= NEWEST_OPSET:
        raise UnsupportedError(f"opset is {version}, allowed 1..{NEWEST_OPSET}")
    return version


@cache
def find_row(name: str, opset: int) -> OnnxRow:
    """Return the row of `name` that holds in an opset.

    Raises UnsupportedError for an operator that wherry does not have, or an opset that it does not know.

    >>> find_row("Gather", 12).subject
    'ONNX Gather-11'
    """
    return rows.newest(ROWS, name, check_opset(opset))
