"""The table of operators by dialect and version, and that of WebNN's methods, out of the dialects' own tables.

Each cell links to the test file that proves it: the first one that names the operator.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

from wherry.dialects.directml.meaning import MEANINGS as DIRECTML_MEANINGS
from wherry.dialects.directml.schema import SCHEMA as DIRECTML
from wherry.dialects.onnx.operators import MEANINGS as ONNX_MEANINGS
from wherry.dialects.onnx.table import ROWS as ONNX
from wherry.dialects.openvino.table import ROWS as OPENVINO
from wherry.dialects.webnn.meaning import MEANINGS as WEBNN_MEANINGS
from wherry.dialects.webnn.schema import OPERATIONS as WEBNN
from wherry.ops import Operator

ROOT = Path(__file__).parents[2]

EVERY_ROW = {
    "onnx": "tests/dialects/onnx/test_backend.py",
    "openvino": "tests/differential/test_openvino_family.py",
    "directml": "tests/dialects/directml/test_levels.py",
    "webnn": "tests/dialects/webnn/test_functions.py",
}
"""The tests that go through the whole table of a dialect, for operators that no other file names."""

DIALECTS = tuple(EVERY_ROW)


def versions() -> dict[str, dict[str, list[str]]]:
    """Return for each dialect its operators with the versions that the tables hold."""
    found: dict[str, dict[str, list[str]]] = {dialect: defaultdict(list) for dialect in DIALECTS}
    for onnx_row in ONNX:
        found["onnx"][onnx_row.name].append(str(onnx_row.since))
    for openvino_row in OPENVINO:
        if openvino_row.name not in ("Parameter", "Result"):
            found["openvino"][openvino_row.name].append(str(openvino_row.since))
    for name, operator in DIRECTML.items():
        first = min(row.since for row in operator.rows)
        found["directml"][name].append(f"from {first >> 12}.{first >> 8 & 15}")
    for operation in WEBNN:
        found["webnn"][operation.name] = []
    return found


@cache
def proof(dialect: str, name: str) -> str:
    """Return the test file that proves an operator of a dialect."""
    folders = (
        sorted(ROOT.glob(f"tests/spec/test_{dialect}*.py")),
        sorted(ROOT.glob(f"tests/dialects/{dialect}/test_*.py")),
    )
    runtime = {"onnx": "onnxruntime", "openvino": "openvino"}.get(dialect, dialect)
    beside = sorted(ROOT.glob(f"tests/differential/test_{runtime}*.py"))
    camel = "".join(part.capitalize() for part in name.split("_"))
    if dialect == "webnn":
        return EVERY_ROW[dialect]
    word = re.compile(rf"\b({name}|{camel}OperatorDesc)\b")
    for path in (*folders[0], *beside, *folders[1]):
        if word.search(path.read_text(encoding="utf-8")):
            return path.relative_to(ROOT).as_posix()
    return EVERY_ROW[dialect]


def operators() -> dict[str, dict[str, set[str]]]:
    """Return for each dialect its operators with those of wherry that they mean, by the types of what reading makes."""
    return {
        "onnx": {name: _made(*(one.build for one in meanings)) for name, meanings in ONNX_MEANINGS.items()},
        "openvino": {row.name: _made(row.makes or row.build) for row in OPENVINO},
        "directml": {name: _made(meaning) for name, meaning in DIRECTML_MEANINGS.items()},
        "webnn": {name: _made(meaning) for name, meaning in WEBNN_MEANINGS.items()},
    }


def _made(*builds: Any) -> set[str]:
    """Return the names of the operators that functions or classes make; what makes none holds a constant.

    Exits for a function whose type does not tell which.
    """
    found: set[str] = set()
    for build in filter(None, builds):
        function = build.func if isinstance(build, partial) else build
        names = _named(function if isinstance(function, type) else get_type_hints(function)["return"])
        if "Operator" in names:
            raise SystemExit(f"{function.__module__}.{function.__name__} returns an Operator; annotate it with which")
        found |= names
    return found or {"Constant"}


def _named(annotation: Any) -> set[str]:
    """Return the operators that a type names."""
    if isinstance(annotation, type) and issubclass(annotation, Operator):
        return {annotation.__name__}
    return {name for inner in get_args(annotation) for name in _named(inner)}


def cell(dialect: str, names: Sequence[str], found: dict[str, dict[str, list[str]]]) -> str:
    """Return a table cell: operators, their versions, and the link."""
    parts = [f"[{' '.join([n, ', '.join(found[dialect][n])]).rstrip()}](../../{proof(dialect, n)})" for n in names]
    return "; ".join(parts) or "-"


def table() -> list[str]:
    """Return the lines of the table: one for each operator of wherry that some dialect has by itself."""
    found, meant = versions(), operators()
    lines = [
        "| operator | ONNX, since opset | OpenVINO, since opset | DirectML, feature level | WebNN |",
        "| --- | --- | --- | --- | --- |",
    ]
    for ours in sorted({one for names in meant.values() for made in names.values() for one in made}):
        cells = [cell(one, [name for name in found[one] if ours in meant[one][name]], found) for one in DIALECTS]
        lines.append(f"| {ours} | {' | '.join(cells)} |")
    return lines


def webnn() -> list[str]:
    """Return the lines of the table of WebNN's methods."""
    lines = ["| method | operands | members | rule |", "| --- | --- | --- | --- |"]
    for one in WEBNN:
        operands = ", ".join(f"{operand.name}{'...' if operand.variadic else ''}" for operand in one.operands)
        members = ", ".join(f"{m.name} = {m.default!r}" if m.is_option else m.name for m in one.members) or "-"
        lines.append(f"| {one.name} | {operands} | {members} | {one.rule or '-'} |")
    return lines


PARTS = {"operators": table}
WEBNN_PARTS = {"methods": webnn}
