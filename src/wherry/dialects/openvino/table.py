"""The table of OpenVINO's operations by opset, and the choice of a row.

An opset is a whole table: it holds the newest version of each operation that it contains. `Gather` of opset13 is
Gather-8; opset17 holds a few operations only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from wherry.arguments import as_int
from wherry.dialects.openvino.operations import (
    arithmetic,
    blocks,
    gather,
    model,
    reductions,
    reverse,
    scatter,
    selection,
    shapes,
    slice,
    split,
    types,
)
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.rows import newest
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError

NEWEST_OPSET = 17

_FAMILIES = (model, gather, split, slice, scatter, shapes, blocks, reverse, selection, types, arithmetic, reductions)


def _ended(rows: Sequence[OpenVINORow]) -> Iterator[OpenVINORow]:
    """Yield rows, each up to the opset before the one that brings the next version."""
    for row in rows:
        newer = [other.since for other in rows if other.name == row.name and other.since > row.since]
        yield replace(row, last=min(newer) - 1) if newer else row


FAMILIES = {family.__name__.rpartition(".")[2]: tuple(_ended(family.ROWS)) for family in _FAMILIES}
"""The rows by family; there are files of each family."""

ROWS: tuple[OpenVINORow, ...] = tuple(row for rows in FAMILIES.values() for row in rows)

_NAMES = {row.name.lower(): row.name for row in ROWS}
_OPSET = re.compile(r"opset([0-9]{1,3})")


def operations() -> list[str]:
    """Return every operation with its version, as the documentation calls it."""
    return [row.title for row in ROWS]


def in_opset(name: str, opset: int) -> OpenVINORow:
    """Return the row of an operation in an opset.

    Raises UnsupportedError for a name that the table lacks, and for an opset that lacks the operation.

    >>> in_opset("Gather", 13).title, in_opset("Gather", 6).title
    ('Gather-8', 'Gather-1')
    """
    if not 1 <= opset <= NEWEST_OPSET:
        raise InvalidValueError(f"opset is {opset}, allowed 1..{NEWEST_OPSET}")
    row = newest(ROWS, name, opset, _opset_text)
    if opset > row.last or opset in row.gaps:
        raise UnsupportedError(f"{name} is not in opset{opset}, allowed {_opsets(name)}")
    return row


def newest_up_to(name: str, opset: int) -> OpenVINORow | None:
    """Return the newest row of an operation that an opset, or one before it, brought; None where it came later.

    >>> [newest_up_to("Gather", opset).title for opset in (1, 7, 17)]
    ['Gather-1', 'Gather-7', 'Gather-8']
    """
    rows = [row for row in ROWS if row.name == name and row.since <= opset]
    return max(rows, key=lambda row: row.since, default=None)


@lru_cache(1024)
def of_layer(kind: str, version: str) -> OpenVINORow:
    """Return the row of a layer's `type`, in any case, and `version`. Raises UnsupportedError where there is none."""
    name = _NAMES.get(kind.lower())
    if name is None:
        raise UnsupportedError(f"{kind} of {version}")
    opset = _OPSET.fullmatch(version)
    if opset is None or not 1 <= int(opset[1]) <= NEWEST_OPSET:
        raise UnsupportedError(f"{kind} of {version}, which is no opset: there are opset1..opset{NEWEST_OPSET}")
    try:
        return in_opset(name, int(opset[1]))
    except UnsupportedError:
        raise UnsupportedError(f"{kind} of {version}, only {_opsets(name)} have it") from None


def as_opset(value: object) -> int:
    """Return the opset that a caller names by its number. Raises InvalidTypeError for anything else."""
    if isinstance(value, bool):
        raise InvalidTypeError(f"opset is {value}, allowed an integer 1..{NEWEST_OPSET}")
    return as_int("opset", value, f"an integer 1..{NEWEST_OPSET}")


def _opsets(name: str) -> str:
    rows = [row for row in ROWS if row.name == name]
    first, last = min(row.since for row in rows), max(row.last for row in rows)
    gaps = [_opset_text(opset) for row in rows for opset in sorted(row.gaps)]
    without = f" without {', '.join(gaps)}" if gaps else ""
    return (_opset_text(first) if first == last else f"{_opset_text(first)}..{_opset_text(last)}") + without


def _opset_text(opset: int) -> str:
    return f"opset{opset}"
