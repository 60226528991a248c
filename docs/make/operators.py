"""The table of operators by dialect and version, and that of WebNN's methods, out of the dialects' own tables.

Each cell links to the test file that proves it: the first one that names the operator.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from wherry.dialects.directml.schema import SCHEMA as DIRECTML
from wherry.dialects.onnx.table import ROWS as ONNX
from wherry.dialects.openvino.table import ROWS as OPENVINO
from wherry.dialects.webnn.schema import OPERATIONS as WEBNN

ROOT = Path(__file__).parents[2]

EVERY_ROW = {
    "onnx": "tests/dialects/onnx/test_backend.py",
    "openvino": "tests/differential/test_openvino_family.py",
    "directml": "tests/dialects/directml/test_levels.py",
    "webnn": "tests/dialects/webnn/test_functions.py",
}
"""The tests that go through the whole table of a dialect, for operators that no other file names."""

DIALECTS = tuple(EVERY_ROW)

GROUPS: tuple[tuple[str, str, str, str, str], ...] = (
    # ours, ONNX, OpenVINO, DirectML, WebNN
    ("Gather", "Gather", "Gather", "GATHER", "gather"),
    ("GatherElements", "GatherElements", "GatherElements", "GATHER_ELEMENTS", "gatherElements"),
    ("GatherND", "GatherND", "GatherND", "GATHER_ND GATHER_ND1", "gatherND"),
    ("GatherTree", "", "GatherTree", "", ""),
    ("Split", "Split", "Split VariadicSplit", "SPLIT", "split"),
    ("Concat", "Concat", "Concat", "JOIN", "concat"),
    ("ScatterElements", "Scatter ScatterElements", "ScatterElementsUpdate", "SCATTER", "scatterElements"),
    ("ScatterND", "ScatterND", "ScatterNDUpdate", "SCATTER_ND", "scatterND"),
    ("ScatterUpdate", "TensorScatter", "ScatterUpdate", "", ""),
    ("Slice, StridedSlice", "Slice", "Slice StridedSlice", "SLICE SLICE1", "slice"),
    ("SliceScatter", "", "SliceScatter", "", ""),
    ("Pad", "Pad", "Pad", "PADDING PADDING1", "pad"),
    ("Tile", "Tile", "Tile", "TILE", "tile"),
    ("Expand", "Expand", "Broadcast", "ELEMENT_WISE_IDENTITY", "expand"),
    ("Transpose", "Transpose", "Transpose", "ELEMENT_WISE_IDENTITY", "transpose"),
    ("Reshape, Flatten", "Reshape Flatten", "Reshape", "ELEMENT_WISE_IDENTITY", "reshape"),
    ("Squeeze, Unsqueeze", "Squeeze Unsqueeze", "Squeeze Unsqueeze", "ELEMENT_WISE_IDENTITY", ""),
    ("DepthToSpace", "DepthToSpace", "DepthToSpace", "DEPTH_TO_SPACE DEPTH_TO_SPACE1", ""),
    ("SpaceToDepth", "SpaceToDepth", "SpaceToDepth", "SPACE_TO_DEPTH SPACE_TO_DEPTH1", ""),
    ("BatchToSpace, SpaceToBatch", "", "BatchToSpace SpaceToBatch", "", ""),
    ("ShuffleChannels", "", "ShuffleChannels", "ELEMENT_WISE_IDENTITY", ""),
    ("ExtractImagePatches, Im2Col", "", "ExtractImagePatches", "UNFOLD", ""),
    ("Col2Im", "Col2Im", "Col2Im", "FOLD", ""),
    ("Reverse", "", "Reverse", "SLICE1", "reverse"),
    ("ReverseSequence", "ReverseSequence", "ReverseSequence", "REVERSE_SUBSEQUENCES", ""),
    ("Roll", "", "Roll", "", ""),
    ("Where", "Where", "Select", "ELEMENT_WISE_IF", "where"),
    ("Compress", "Compress", "", "", ""),
    ("NonZero, NonZeroCoordinates", "NonZero", "NonZero", "NONZERO_COORDINATES", ""),
    ("Unique", "Unique", "Unique", "", ""),
    ("OneHot", "OneHot", "OneHot", "ONE_HOT", ""),
    ("Trilu, Eye, EyeLike", "Trilu EyeLike", "Eye", "DIAGONAL_MATRIX DIAGONAL_MATRIX1", "triangular"),
    ("Fill", "ConstantOfShape", "", "FILL_VALUE_CONSTANT", ""),
    ("Range", "Range", "Range", "FILL_VALUE_SEQUENCE", ""),
    ("ShapeOf, SizeOf", "Shape Size", "ShapeOf", "", ""),
    ("Cast", "Cast CastLike", "Convert ConvertLike", "CAST", "cast"),
    ("Identity, ScaleBias", "Identity", "Identity", "ELEMENT_WISE_IDENTITY ACTIVATION_IDENTITY", "identity"),
    ("Constant", "Constant", "Const", "", ""),
    ("StringPack, StringUnpack", "", "StringTensorPack StringTensorUnpack", "", ""),
)


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


def cell(dialect: str, names: str, found: dict[str, dict[str, list[str]]]) -> str:
    """Return a table cell: operators, their versions, and the link."""
    parts = [
        f"[{' '.join([n, ', '.join(found[dialect][n])]).rstrip()}](../../{proof(dialect, n)})" for n in names.split()
    ]
    return "; ".join(parts) or "-"


def table() -> list[str]:
    """Return the lines of the table. Exits if an operator of a dialect is in no group."""
    found = versions()
    for position, dialect in enumerate(DIALECTS, start=1):
        grouped = {name for group in GROUPS for name in group[position].split()}
        if grouped != set(found[dialect]):
            raise SystemExit(f"{dialect}: the table and the groups differ in {sorted(grouped ^ set(found[dialect]))}")
    lines = [
        "| operator | ONNX, since opset | OpenVINO, since opset | DirectML, feature level | WebNN |",
        "| --- | --- | --- | --- | --- |",
    ]
    for ours, *others in GROUPS:
        cells = [cell(d, names, found) for d, names in zip(DIALECTS, others, strict=True)]
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
