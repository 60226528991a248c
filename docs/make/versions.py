"""The tables of operators and their versions on the pages of ONNX and OpenVINO, out of the dialects' own tables."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from wherry.dialects.onnx.table import ROWS as ONNX
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.table import ROWS as OPENVINO


def onnx() -> list[str]:
    """Return the lines of the table of ONNX: each operator with its versions."""
    lines = ["| operator | versions |", "| --- | --- |"]
    for name, rows in groupby(ONNX, attrgetter("name")):
        lines.append(f"| {name} | {', '.join(str(row.since) for row in rows)} |")
    return lines


def openvino() -> list[str]:
    """Return the lines of the table of OpenVINO: each version of an operation with its opsets and its rule."""
    lines = ["| operation | opsets | rules |", "| --- | --- | --- |"]
    return lines + [f"| {row.title} | {_opsets(row)} | {row.rule} |" for row in OPENVINO]


def _opsets(row: OpenVINORow) -> str:
    span = f"{row.since}..{row.last}" if row.last > row.since else f"{row.since}"
    return f"{span} without {', '.join(map(str, sorted(row.gaps)))}" if row.gaps else span


ONNX_PARTS = {"versions": onnx}
OPENVINO_PARTS = {"versions": openvino}
