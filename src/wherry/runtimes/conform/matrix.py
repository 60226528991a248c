"""Matrix: the outcome of each rule on each runtime, as data and as the files that wherry ships."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any

from onnx import TensorProto
from onnx.numpy_helper import to_array

from wherry.runtimes.conform.answers import is_same, specified, spelled
from wherry.runtimes.conform.pipe import Reply
from wherry.runtimes.conform.rule import ORDINARY, Rule
from wherry.runtimes.conform.rules import RULES
from wherry.runtimes.data_file import spelled as spelled_file
from wherry.runtimes.differences import content, runtimes


class Outcome(StrEnum):
    """The outcome of a rule on a runtime."""

    AGREES = "agrees"
    REFUSES = "refuses"
    DIFFERS = "differs"
    CRASHES = "crashes"
    HANGS = "hangs"
    CANNOT_SAY = "cannot say"


@dataclass(frozen=True)
class Cell:
    """An outcome, with the runtime's words where it refuses, its answer where it differs, the signal of a crash."""

    outcome: Outcome
    words: str = ""


Key = tuple[str, str]
"""Of a rule: its operator and its name."""


@dataclass(frozen=True)
class Column:
    """One runtime, one version."""

    runtime: str
    version: str
    cells: Mapping[Key, Cell]

    @property
    def title(self) -> str:
        """The runtime with its version."""
        return f"{self.runtime} {self.version}"

    def count(self, outcome: Outcome) -> int:
        """Return how many rules have an outcome."""
        return sum(cell.outcome == outcome for cell in self.cells.values())


def key_of(rule: Rule) -> Key:
    """Return the key of a rule."""
    return rule.operator, rule.name


def judged(runtime: str, version: str, replies: Iterable[tuple[Rule, Reply]]) -> Column:
    """Return the column of a runtime from its replies.

    To refuse what the specification refuses is to agree, unless the runtime refuses the operator's ordinary case too.
    """
    found = list(replies)
    has = {rule.operator for rule, (kind, _) in found if rule.name == ORDINARY and kind == "answers"}
    cells = {key_of(rule): _judged(rule, reply, rule.operator in has) for rule, reply in found}
    return Column(runtime, version, cells)


def _judged(rule: Rule, reply: Reply, has_operator: bool) -> Cell:
    kind, content = reply
    if kind == "answers":
        expected = specified(rule)
        if not isinstance(expected, str) and is_same(rule, content, expected):
            return Cell(Outcome.AGREES)
        return Cell(Outcome.DIFFERS, _cut(spelled(content)))
    if kind == Outcome.REFUSES and has_operator and isinstance(specified(rule), str):
        return Cell(Outcome.AGREES)
    return Cell(Outcome(kind), _plain(content))


_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
_FOLDERS = re.compile(r"(?<![\w.])(?:/[\w.+-]+)+/")
_LONGEST = 200


def _plain(words: str) -> str:
    """Return a runtime's own words without what is of this machine and this run alone: folders and addresses."""
    said = " ".join(words.split()).partition(" Stack backtrace:")[0]
    return _cut(_FOLDERS.sub("", _ADDRESS.sub("0x...", said)))


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 4]} ..."


# Files: one a runtime and version, operators and their rules by name, a rule a line.


def cells_as_json(column: Column) -> dict[str, dict[str, Any]]:
    """Return the cells by operator and rule: an outcome, or an outcome with its words."""
    found: dict[str, dict[str, Any]] = {}
    for (operator, name), cell in column.cells.items():
        found.setdefault(operator, {})[name] = {cell.outcome: cell.words} if cell.words else cell.outcome
    return found


def _cells_of(found: Mapping[str, Mapping[str, Any]]) -> dict[Key, Cell]:
    return {(operator, name): _cell(value) for operator, rules in found.items() for name, value in rules.items()}


def _cell(value: str | dict[str, str]) -> Cell:
    if isinstance(value, str):
        return Cell(Outcome(value))
    ((outcome, words),) = value.items()
    return Cell(Outcome(outcome), words)


def shipped() -> Iterator[Column]:
    """Yield the columns that wherry ships, by name and version of the runtime."""
    for runtime, version in runtimes():
        cells = content(runtime, version).get("cells")
        if cells:
            yield Column(runtime, version, _cells_of(cells))


def write(column: Column) -> Path:
    """Put a column into the data file of its runtime and version, in place of what that had; return the file.

    Rules that were not tried keep their cells; those that are no longer asked go.
    """
    path = Path(str(resources.files("wherry.runtimes"))) / "data" / f"{column.runtime}-{column.version}.json"
    held: dict[str, Any] = {"runtime": column.runtime, "version": column.version, "differences": []}
    if path.exists():
        held = json.loads(path.read_text(encoding="utf-8"))
    cells = {**_cells_of(held.get("cells", {})), **column.cells}
    ordered = {key_of(rule): cells[key_of(rule)] for rule in RULES if key_of(rule) in cells}
    held["cells"] = cells_as_json(Column(column.runtime, column.version, ordered))
    path.write_text(spelled_file(held), encoding="utf-8")
    return path


def as_json(columns: Sequence[Column], rules: Sequence[Rule]) -> dict[str, Any]:
    """Return rules and columns as docs/conform.md has them."""
    return {
        "rules": [_rule_as_json(rule) for rule in rules],
        "runtimes": [
            {
                "runtime": column.runtime,
                "version": column.version,
                "counts": {str(outcome): column.count(outcome) for outcome in Outcome},
                "cells": cells_as_json(column),
            }
            for column in columns
        ],
    }


def _rule_as_json(rule: Rule) -> dict[str, Any]:
    expected = specified(rule)
    return {
        "operator": rule.operator,
        "rule": rule.name,
        "opset": rule.case.version,
        "says": rule.says,
        "link": rule.link,
        "is_open": rule.is_open,
        "inputs": [spelled([array]) for array in rule.case.inputs],
        "constants": sorted(rule.case.constants),
        "attributes": {name: _attribute(name, value) for name, value in rule.case.attributes.items()},
        **({"refusal": expected} if isinstance(expected, str) else {"answer": spelled(expected)}),
    }


def _attribute(name: str, value: Any) -> Any:
    if name in ("to", "dtype"):
        return TensorProto.DataType.Name(value)
    return spelled([to_array(value)]) if isinstance(value, TensorProto) else value
