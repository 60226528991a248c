"""wherry conform: chooses rules and runtimes, shows progress, and prints and writes the matrix."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from wherry.cli import matrix, show
from wherry.errors import MissingDependencyError, OtherRuntimeError, invalid, short
from wherry.files import beside
from wherry.runtimes.conform.matrix import Column, as_json, shipped, write
from wherry.runtimes.conform.measure import measure
from wherry.runtimes.conform.rule import Rule
from wherry.runtimes.conform.rules import OPERATORS, RULES
from wherry.runtimes.known import NAMES, known


def conform(
    names: Sequence[str],
    operators: Sequence[str],
    is_shipped: bool,
    is_written: bool,
    json_file: Path | None,
    html: Path | None,
) -> None:
    """Run `wherry conform`."""
    if is_shipped and is_written:
        raise ValueError("--shipped and --write are both given, allowed one of them")
    for name in names:
        known(name)
    rules = _rules(operators)
    columns = _shipped(names) if is_shipped else _measured(names, rules)
    console = show.console()
    for line in matrix.lines(columns, rules):
        show.plain(console, line)
    if operators:
        for line in matrix.details(columns, rules):
            show.plain(console, line)
    if json_file is not None:
        _save(console, json_file, json.dumps(as_json(columns, rules), indent=1) + "\n")
    if html is not None:
        _save(console, html, matrix.draw(columns, rules))
    for column in columns if is_written else ():
        show.plain(console, f"{write(column)}: written")


def _save(console: Console, file: Path, text: str) -> None:
    with beside(file) as aside:
        aside.write_text(text, encoding="utf-8")
    show.plain(console, f"{file}: written")


def _rules(operators: Sequence[str]) -> list[Rule]:
    for name in operators:
        if name not in OPERATORS:
            near = get_close_matches(name, OPERATORS, n=5) or OPERATORS
            raise invalid("--op", short(name), ", ".join(map(repr, near)))
    return [rule for rule in RULES if not operators or rule.operator in operators]


def _shipped(names: Sequence[str]) -> list[Column]:
    return [column for column in shipped() if not names or column.runtime in names]


def _tell(bar: Progress, task: TaskID, title: str) -> None:
    bar.update(task, advance=1, description=title)


def _measured(names: Sequence[str], rules: Sequence[Rule]) -> list[Column]:
    """Measure the named runtimes, or all known ones; print those that are not installed."""
    columns, aside = [], Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=aside,
        transient=True, disable=not aside.is_terminal,
    ) as bar:  # fmt: skip
        for name in names or NAMES:
            task = bar.add_task(name, total=len(rules))

            try:
                columns.append(measure(name, rules, partial(_tell, bar, task)))
            except (MissingDependencyError, OtherRuntimeError) as error:
                if names:
                    raise
                show.plain(aside, f"not measured: {error}")
            bar.remove_task(task)
    return columns
