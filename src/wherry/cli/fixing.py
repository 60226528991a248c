"""wherry fix: prints guards and remaining findings as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import typer

from wherry.cli import show
from wherry.portability.fix import Fixed
from wherry.portability.report import many, named

_BAD_INDEX = {
    "clamp": "a bad index reads the nearest end of its axis; a scatter leaves a bad update out",
    "zero": "a bad index reads zeros; a scatter leaves a bad update out",
}
_OTHERWISE = {
    "Cast": "a float that an integer type does not have becomes the nearest number that it has, and NaN 0",
    "Convert": "a float that an integer type does not have becomes the nearest number that it has, and NaN 0",
    "Div": "what is divided by 0 stays as it is",
    "Divide": "what is divided by 0 stays as it is",
    "Mod": "the remainder of what is divided by 0 is 0",
    "FloorMod": "the remainder of what is divided by 0 is 0",
    "Pad": "a Pad crops an axis to no less than size 0",
    "Tile": "a negative number of times is none",
    "Split": "a negative size is 0, which every target refuses",
    "Expand": "a negative size is 0",
    "Compress": "what the condition has beyond the axis is left out",
}
"""The behaviour of a guarded operator without indices."""


def lines(fixed: Fixed) -> Iterator[str]:
    """Yield the lines of the report; names from the model are not escaped."""
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
    operators = [one.operator.partition("-")[0] for one in fixed.guards]
    for behaviour in dict.fromkeys(_OTHERWISE.get(name, _BAD_INDEX[fixed.bad_index]) for name in operators):
        yield f"now: {behaviour}"
    for finding, why in fixed.left:
        yield ""
        yield f"left: {finding.severity}: {named(finding)}"
        yield f"  {finding.target} {finding.version}: {finding.name}"
        yield f"  because  {why}"


def tell(fixed: Fixed, out: Path, as_json: bool) -> None:
    """Print the report, as text or JSON."""
    if as_json:
        typer.echo(json.dumps({**fixed.as_json(), "written": str(out)}, indent=2))
        return
    console = show.console()
    for line in lines(fixed):
        show.plain(console, line.replace("\n", " "))
    show.plain(console, f"{out}: written")
