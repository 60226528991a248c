"""What the README and docs/benchmark.md say of speed, and the picture, from what `python -m bench --json` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.chart import svg
from bench.report import Finding, head, line, summary_text, time_text

MEASURED = Path(__file__).parents[1] / "benchmark.json"


def measured() -> tuple[str, list[Finding]]:
    """Return the machine in words, and what was found of each row."""
    document: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return document["machine"]["text"], [Finding(row) for row in document["rows"]]


def table() -> list[str]:
    """Return the machine, the table and its summary."""
    machine, findings = measured()
    return [machine, "", *head().splitlines(), *map(line, findings), "", *summary_text(findings).splitlines()]


def picture() -> str:
    """Return the picture as it is now."""
    machine, findings = measured()
    return svg(findings, machine)


def speed() -> list[str]:
    """Return the summary with some rows, for those who read no further."""
    machine, findings = measured()
    rows = [
        f"| {each.measured['title']} | {time_text(each.ours)} | {time_text(each.best(each.best_peer.split()[0]))} "
        f"{each.best_peer.split()[0]} |"
        for each in findings
        if each.measured["row"] in SHOWN
    ]
    summary = summary_text(findings).splitlines()
    return [f"{machine}:", "", "| moved | wherry, ms | best peer, ms |", "| --- | ---: | ---: |", *rows, "", *summary]


SHOWN = (
    "gather/rows",
    "gather/palette",
    "axis/last",
    "strided/column-major",
    "small/gather-2-of-4",
    "copy/nchw-nhwc-112",
    "copy/transpose-4",
    "split/planes-uint8",
    "graph/chain",
)
"""Rows of the benchmark that the README shows, one of each kind."""

PARTS = {"table": table}
SUMMARY = {"speed": speed}
