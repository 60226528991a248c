"""wherry check: prints a report as text or JSON, and writes SARIF and HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from wherry.cli import show
from wherry.cli.page import as_data, framed
from wherry.files import beside
from wherry.portability.report import Report, lines
from wherry.portability.sarif import as_sarif
from wherry.portability.targets import NAMES as TARGETS

__all__ = ["TARGETS", "html_text", "sarif_text", "tell"]


def sarif_text(report: Report) -> str:
    """Return a report as the text of a SARIF file."""
    return json.dumps(as_sarif(report), indent=2) + "\n"


def html_text(report: Report) -> str:
    """Return a page that shows and filters the findings of a report."""
    return framed("findings", as_data(report.as_json()))


def tell(report: Report, as_json: bool, files: Sequence[tuple[Path | None, Callable[[Report], str]]]) -> None:
    """Print a report, as text or JSON, and write it to the given files."""
    console = show.console()
    for path, spell in files:
        if path is not None:
            with beside(path) as aside:
                aside.write_text(spell(report), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(report.as_json(), indent=2))
        return
    for line in lines(report):
        show.plain(console, line.replace("\n", " "))
    for path, _ in files:
        if path is not None:
            show.plain(console, f"{path}: written")
