"""Writes the table of docs/differences.md out of the expected differences, each of which is proved by a test."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from tests.differential.expected_differences import EXCLUDED_NODE_TESTS, Difference  # noqa: E402
from tests.differential.onnxruntime_differences import DIFFERENCES as ONNXRUNTIME  # noqa: E402
from tests.differential.openvino_differences import DIFFERENCES as OPENVINO  # noqa: E402
from tests.differential.openvino_family_differences import FAMILY_DIFFERENCES as OPENVINO_FAMILY  # noqa: E402

PAGE = DOCS / "differences.md"
BEGIN, END = "<!-- {}: written by docs/make_differences.py -->\n", "<!-- end of {} -->\n"
_SPOKEN = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}


def _row(entry: Difference) -> str:
    example = entry.example
    reason = entry.reason.replace("|", "\\|") + (" (the process ends)" if entry.crashes else "")
    runtime = f"{_SPOKEN[entry.runtime]} {entry.version}"
    return f"| {runtime} | {example.operator}-{example.version} | {entry.name} | {reason} | [where]({entry.link}) |"


def table() -> list[str]:
    """Return a line for each entry."""
    entries = [*ONNXRUNTIME, *OPENVINO, *OPENVINO_FAMILY]
    return ["| runtime | example | what | why | |", "| --- | --- | --- | --- | --- |", *map(_row, entries)]


def node_tests() -> list[str]:
    """Return a line for each node test of the onnx package that wherry cannot take."""
    return [f"- `{name}`: {reason}" for name, reason in EXCLUDED_NODE_TESTS.items()]


PARTS = {"differences": table, "node tests": node_tests}


def written(text: str) -> str:
    """Return the page with its parts as they are now."""
    for name, lines in PARTS.items():
        begin, end = BEGIN.format(name), END.format(name)
        head, _, rest = text.partition(begin)
        _, _, tail = rest.partition(end)
        text = head + begin + "\n".join(lines()) + "\n" + end + tail
    return text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
