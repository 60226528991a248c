"""The matrix of rules and runtimes, as lines of text and as an HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from wherry.cli.page import as_data, framed
from wherry.cli.show import COLUMNS
from wherry.runtimes.conform.answers import specified, spelled
from wherry.runtimes.conform.matrix import Column, Outcome, as_json, key_of
from wherry.runtimes.conform.rule import Rule

_MARKS = {
    Outcome.AGREES: "ok",
    Outcome.REFUSES: "no",
    Outcome.DIFFERS: "diff",
    Outcome.CRASHES: "crash",
    Outcome.HANGS: "hang",
    Outcome.CANNOT_SAY: "-",
}

_LEGEND = (
    "ok: agrees with the specification; no: refuses; diff: gives another answer; crash: its process ends;",
    "hang: does not end; -: it has no such call or type; *: the specification leaves the answer open; it is wherry's",
)

_NARROWEST, _WIDEST = 5, 11
"""The least and most characters of a runtime's column."""


def lines(columns: Sequence[Column], rules: Sequence[Rule]) -> Iterator[str]:
    """Yield the matrix in lines of at most COLUMNS characters: one a rule, under the names of the runtimes."""
    names = [f"{rule.operator}: {rule.name}{' *' if rule.is_open else ''}" for rule in rules]
    widest = max(map(len, names), default=0)
    width = max(_NARROWEST, min(_WIDEST, (COLUMNS - widest) // max(len(columns), 1) - 1))
    room = COLUMNS - (width + 1) * len(columns)
    room = min(room, widest)
    yield from _heading(columns, room, width)
    for rule, name in zip(rules, names, strict=True):
        cells = (column.cells.get(key_of(rule)) for column in columns)
        yield _line(name, room, width, ["" if cell is None else _MARKS[cell.outcome] for cell in cells])
    yield ""
    for outcome in Outcome:
        counts = [column.count(outcome) for column in columns]
        if any(counts):
            yield _line(outcome, room, width, list(map(str, counts)))
    yield ""
    yield from _LEGEND


def _heading(columns: Sequence[Column], room: int, width: int) -> Iterator[str]:
    names = [[*_pieces(column.runtime, width), *_pieces(column.version, width)] for column in columns]
    for row in range(max(map(len, names), default=0)):
        yield _line("", room, width, [name[row] if row < len(name) else "" for name in names])


def _pieces(name: str, width: int) -> list[str]:
    """Return a name in pieces that fit a column, if possible cut after dots and hyphens."""
    found: list[str] = []
    for part in re.split(r"(?<=[.-])", name):
        for piece in wrap(part, width):
            if found and len(found[-1]) + len(piece) <= width:
                found[-1] += piece
            else:
                found.append(piece)
    return found


def _line(name: str, room: int, width: int, cells: Sequence[str]) -> str:
    shown = name if len(name) <= room else f"{name[: room - 3]}..."
    return "".join([shown.ljust(room), *(f" {cell:<{width}}" for cell in cells)]).rstrip()


def details(columns: Sequence[Column], rules: Sequence[Rule]) -> Iterator[str]:
    """Yield each answer that does not agree, beside that of the specification."""
    for rule in rules:
        apart = [(column, column.cells[key_of(rule)]) for column in columns if key_of(rule) in column.cells]
        apart = [(column, cell) for column, cell in apart if cell.outcome != Outcome.AGREES]
        if not apart:
            continue
        expected = specified(rule)
        yield ""
        yield f"{rule.operator}: {rule.name}: {rule.says}"
        yield f"  {rule.link}"
        yield f"  {'specified':20} {expected if isinstance(expected, str) else spelled(expected)}"
        for column, cell in apart:
            yield f"  {column.title:20} {cell.outcome}{': ' if cell.words else ''}{cell.words}"


def draw(columns: Sequence[Column], rules: Sequence[Rule]) -> str:
    """Return the page: a table with filters, whose cells open example and answer."""
    return framed("matrix", as_data(as_json(columns, rules)))
