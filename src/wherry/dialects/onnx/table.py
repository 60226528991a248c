"""The table of ONNX operators: every row, and the choice of one by opset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from wherry.arguments import as_int
from wherry.dialects import rows
from wherry.dialects.onnx import schema
from wherry.dialects.onnx.operators import MEANINGS
from wherry.dialects.onnx.row import OnnxRow, Schema
from wherry.dialects.onnx.types import TypeSet, new_types
from wherry.errors import UnsupportedError

NEWEST_OPSET = schema.NEWEST_OPSET
"""The newest opset that the table knows."""

DOMAINS = frozenset({"", "ai.onnx"})
"""The names of the standard operators' domain."""


def _rows(name: str, versions: Iterable[Schema]) -> Iterator[OnnxRow]:
    """Yield the rows of an operator: each version's schema with the meaning that holds for it."""
    before: list[TypeSet] = []
    for version in versions:
        meaning = [one for one in MEANINGS[name] if one.since <= version.since][-1]
        types = [parameter.types for parameter in (*version.inputs, *version.outputs)]
        yield OnnxRow(
            name=name,
            since=version.since,
            rule=meaning.rule if meaning.since == version.since else f"adds {new_types(before, types)}",
            source=f"ONNX operator {name}-{version.since}",
            inputs=version.inputs,
            outputs=version.outputs,
            attributes=tuple(
                one._replace(limit=meaning.limits[one.name]) if one.name in meaning.limits else one
                for one in version.attributes
            ),
            build=meaning.build,
            reads=meaning.reads,
            refuses=version.others,
            deprecated=meaning.instead if version.is_deprecated else "",
        )
        before = types


ROWS: tuple[OnnxRow, ...] = tuple(
    row for name, versions in groupby(schema.SCHEMAS, attrgetter("name")) for row in _rows(name, versions)
)

NAMES = frozenset(row.name for row in ROWS)


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
