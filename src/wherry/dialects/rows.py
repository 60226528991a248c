"""Rows: what every dialect's table of operators has in common, and the choice of a row by version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from wherry.errors import UnsupportedError, listed, short


@dataclass(frozen=True, kw_only=True)
class Row:
    """One version of one operator of a dialect.

    `since` is the first version it holds for (an opset, or a feature level such as 0x3000 as an integer), up to the
    next row of the same name. `rule` tells in words what this version does where others differ; `source` names the
    section of the specification. Dialects add their own columns: types, ranks, attributes, and `build`.
    """

    name: str
    since: int
    rule: str
    source: str


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class FilledRow(Generic[R]):
    """How a dialect says a node, ready to be written: a row, the values of its attributes, and its inputs by name.

    An input is the name of a tensor, a constant, or None where it is left out.
    """

    row: R
    attributes: Mapping[str, Any]
    inputs: Mapping[str, str | NDArray[Any] | None]


def newest(rows: Iterable[R], name: str, version: int, version_text: Callable[[int], str] = str) -> R:
    """Return the row of `name` with the highest `since` that is not above `version`.

    Raises UnsupportedError that tells which names, or which versions, there are; `version_text` prints a version.
    """
    of_name = [row for row in rows if row.name == name]
    fitting: list[R] = [row for row in of_name if row.since <= version]
    if not of_name:
        raise UnsupportedError(f"operator is {short(name)}, allowed {', '.join(sorted({row.name for row in rows}))}")
    if not fitting:
        first = min(row.since for row in of_name)
        raise UnsupportedError(f"version of {name} is {version_text(version)}, allowed {version_text(first)} and newer")
    return max(fitting, key=lambda row: row.since)


def unsupported(operators: Iterable[tuple[str, str]], dialect: str, available: Iterable[Any]) -> UnsupportedError:
    """Return the one error for the operators wherry does not have: the first with their nodes, and how many more."""
    named = [f"{operator} (node {node})" for operator, node in operators]
    return UnsupportedError(
        f"operators that wherry does not have: {listed(named)}; it has {', '.join(sorted(set(map(str, available))))}",
        dialect,
    )
