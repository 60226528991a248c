"""The table and the picture of docs/benchmark.md, out of docs/benchmark.json, which `python -m bench --json` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.chart import svg
from bench.report import Finding, head, line, summary_text

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


PARTS = {"table": table}
