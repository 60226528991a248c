"""The table of ONNX operators: every row, the choice of one by opset, and who spells which operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from wherry.dialects import rows
from wherry.dialects.onnx import rows_gather, rows_split, rows_value
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Spelling
from wherry.errors import UnsupportedError
from wherry.graph import Deferred
from wherry.ops import Copy, Gather, Join, Operator, Split
from wherry.ops.operator import as_int

NEWEST_OPSET = 28
"""The newest opset whose operators the table was checked against (onnx 1.23)."""

NEWEST_IR_VERSION = 14
"""The newest version of the file format that the reader knows."""

DOMAINS = frozenset({"", "ai.onnx"})
"""The names of the standard operators' domain."""

ROWS: tuple[OnnxRow, ...] = (*rows_gather.ROWS, *rows_split.ROWS, *rows_value.ROWS)

NAMES = frozenset(row.name for row in ROWS)

Spell = Callable[[Any, OnnxRow, Any], Spelling]

SPELLINGS: dict[object, tuple[str, Spell]] = {
    Gather: ("Gather", rows_gather.spell_gather),
    Split: ("Split", rows_split.spell_split),
    rows_split.split_by_sizes: ("Split", rows_split.spell_split_by_sizes),
    Join: ("Concat", rows_split.spell_join),
    Copy: ("Identity", rows_value.spell_copy),
}
"""The ONNX operator that writes an operator, by its class; a deferred one by its `build`."""


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


def spelled(operator: Operator | Deferred) -> tuple[str, Spell] | None:
    """Return the name and the spelling function for an operator, or None if ONNX has no word for it."""
    return SPELLINGS.get(operator.build if isinstance(operator, Deferred) else type(operator))
