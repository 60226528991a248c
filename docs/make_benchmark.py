"""Writes the table and the picture of docs/benchmark.md out of docs/benchmark.json, which `python -m bench` made."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from bench.chart import svg  # noqa: E402
from bench.report import Finding, head, line, summary_text  # noqa: E402

BEGIN, END = "<!-- table: written by docs/make_benchmark.py -->\n", "<!-- end of table -->\n"


def measured() -> tuple[str, list[Finding]]:
    """Return the machine in words, and what was found of each row."""
    document: dict[str, Any] = json.loads((DOCS / "benchmark.json").read_text(encoding="utf-8"))
    return document["machine"]["text"], [Finding(row) for row in document["rows"]]


def table() -> str:
    """Return the machine, the table and its summary."""
    machine, findings = measured()
    return "\n".join([machine, "", head(), *map(line, findings), "", summary_text(findings).replace("\n", "\\\n"), ""])


def written(text: str) -> str:
    """Return the page with its table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


def picture() -> str:
    """Return the picture as it is now."""
    machine, findings = measured()
    return svg(findings, machine)


if __name__ == "__main__":
    page = DOCS / "benchmark.md"
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
    (DOCS / "benchmark.svg").write_text(picture(), encoding="utf-8")
