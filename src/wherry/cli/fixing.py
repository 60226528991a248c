"""wherry fix: what was guarded and what is left, as text on a console or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import typer

from wherry.cli import show
from wherry.portability.fix import Fixed
from wherry.portability.report import many, named

_BEHAVIOUR = {
    "clamp": "a bad index reads the nearest end of its axis; a scatter leaves a bad update out",
    "zero": "a bad index reads zeros; a scatter leaves a bad update out",
}


def lines(fixed: Fixed) -> Iterator[str]:
    """Yield the lines of what was done; texts of the model stand there as they are."""
    targets = ", ".join(" ".join(one).strip() for one in fixed.before.targets)
    counts = f"{many(len(fixed.guards), 'node')} guarded, {many(len(fixed.left), 'finding')} left"
    yield f"{fixed.before.model}: {counts} for {targets}"
    for one in fixed.guards:
        yield ""
        yield f"guarded: {named(one)}"
        yield f"  by       {', '.join(one.written) or 'the guard of a node before it'}"
        for finding in one.findings:
            yield f"  gone     {finding.target} {finding.version}: {finding.name}"
    if fixed.guards:
        yield ""
        yield f"now: {_BEHAVIOUR[fixed.bad_index]}"
    for finding, why in fixed.left:
        yield ""
        yield f"left: {finding.severity}: {named(finding)}"
        yield f"  {finding.target} {finding.version}: {finding.name}"
        yield f"  because  {why}"


def tell(fixed: Fixed, out: Path, as_json: bool) -> None:
    """Print what was done, as text or JSON."""
    if as_json:
        typer.echo(json.dumps({**fixed.as_json(), "written": str(out)}, indent=2))
        return
    console = show.console()
    for line in lines(fixed):
        show.plain(console, line.replace("\n", " "))
    show.plain(console, f"{out}: written")
