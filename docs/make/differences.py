"""The table of docs/differences.md: the expected differences, each of which is proved by a test."""

from __future__ import annotations

from tests.differential.difference import Difference
from tests.differential.expected_differences import ONNXRUNTIME, OPENVINO
from tests.differential.expected_differences.node_tests import EXCLUDED_NODE_TESTS

_SPOKEN = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}


def _row(entry: Difference) -> str:
    runtime = f"{_SPOKEN[entry.runtime]} {entry.version}"
    ends = " (the process ends)" if entry.crashes else ""
    where = f" (seen on {entry.holds_on})" if entry.holds_on else ""
    cells = (runtime, entry.name, str(entry.when), f"{entry.reason}{ends}{where}", f"[where]({entry.link})")
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def table() -> list[str]:
    """Return a line for each entry."""
    return [
        "| runtime | what | in which models | why | |",
        "| --- | --- | --- | --- | --- |",
        *map(_row, ONNXRUNTIME + OPENVINO),
    ]


def node_tests() -> list[str]:
    """Return a line for each node test of the onnx package that wherry cannot take."""
    return [f"- `{name}`: {reason}" for name, reason in EXCLUDED_NODE_TESTS.items()]


PARTS = {"differences": table, "node tests": node_tests}
