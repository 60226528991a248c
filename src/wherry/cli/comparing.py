"""wherry compare: shows progress, prints a comparison as text or JSON, and returns the exit status."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from rich.console import Console

import wherry as wh
from wherry.cli import show
from wherry.models.model import Model
from wherry.portability.comparison import Comparison, Verdict, lines


def compared(model: Model, inputs: Mapping[str, Any], runtimes: Sequence[str], **options: Any) -> Comparison:
    """Compare, and show each run on a terminal."""
    aside = Console(stderr=True)
    with aside.status("") as status:
        return wh.compare(model, inputs, runtimes, tell=lambda text: status.update(show.escaped(text)), **options)


def tell(found: Comparison, as_json: bool) -> int:
    """Print a comparison; return the exit status: 0 they agree, 1 they differ, 2 neither gives a result."""
    if as_json:
        typer.echo(json.dumps(found.as_json(), indent=2))
    else:
        console = show.console()
        for line in lines(found):
            show.plain(console, line.replace("\n", " "))
    return 2 if found.verdict is Verdict.NEITHER else int(found.parts)
