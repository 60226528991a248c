"""What the README and docs/benchmark.md say of speed, and the picture, from what `python -m bench --save` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.chart import svg
from bench.models import table as of_models
from bench.report import BURSTS, Finding, head, line, summary_text, time_text

MEASURED = Path(__file__).parents[1] / "benchmarks"
"""Where the results of each machine lie, one file each."""


def measured() -> dict[str, list[Finding]]:
    """Return what was found of each row, by the machine in words; the machine with most rows first."""
    documents: list[dict[str, Any]] = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(MEASURED.glob("*.json"))
    ]
    documents.sort(key=lambda document: -len(document["rows"]))
    return {document["machine"]["text"]: [Finding(row) for row in document["rows"]] for document in documents}


def tables() -> list[str]:
    """Return each machine with its table and summary."""
    lines = []
    for machine, findings in measured().items():
        lines += [machine, "", *head().splitlines(), *map(line, findings), "", *summary_text(findings).splitlines(), ""]
    return lines[:-1]


def processors() -> list[str]:
    """Return which rows lead on which machine: the times faster than the best peer, in turns and in bursts."""
    machines = measured()
    titles = [machine.partition(";")[0] for machine in machines]
    rows = list(dict.fromkeys(each.measured["row"] for findings in machines.values() for each in findings))
    found = [{each.measured["row"]: each for each in findings} for findings in machines.values()]
    return [
        f"| row | {' | '.join(titles)} |",
        f"| --- |{' ---: |' * len(titles)}",
        *(f"| {row} | {' | '.join(_led(each.get(row)) for each in found)} |" for row in rows),
    ]


def _led(finding: Finding | None) -> str:
    if finding is None:
        return ""
    burst = finding.ratio_in(BURSTS)
    return f"{finding.ratio:.2f}" if burst is None else f"{finding.ratio:.2f}, {burst:.2f}"


def picture() -> str:
    """Return the picture of the first machine as it is now."""
    machine, findings = next(iter(measured().items()))
    return svg(findings, machine)


def speed() -> list[str]:
    """Return the summary with some rows, for those who read no further."""
    machine, findings = next(iter(measured().items()))
    rows = [
        f"| {each.measured['title']} | {time_text(each.ours)} | {time_text(each.best(each.best_peer.split()[0]))} "
        f"{each.best_peer.split()[0]} |"
        for each in findings
        if each.measured["row"] in SHOWN
    ]
    return [f"{machine}:", "", "| moved | wherry, ms | best peer, ms |", "| --- | ---: | ---: |", *rows, "",
            *summary_text(findings).splitlines()]  # fmt: skip


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


def models() -> list[str]:
    """Return the table of real models of each machine, and what holds for all of them."""
    lines = []
    for path in sorted((MEASURED / "models").glob("*.json")):
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found = document["models"]
        rows = [*of_models.head().splitlines(), *map(of_models.line, found)]
        lines += [document["machine"]["text"], "", *rows, "", *of_models.totals(found), ""]
    return lines[:-1]


PARTS = {"table": tables, "processors": processors, "models": models}
SUMMARY = {"speed": speed}
