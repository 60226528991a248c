"""The table of operators in docs/directml.md, out of the description classes."""

from __future__ import annotations

import inspect

from wherry.dialects.directml.descs import DESCS
from wherry.dialects.directml.enums import FeatureLevel
from wherry.dialects.directml.schema import ALIASES


def operators() -> list[str]:
    """Return the table: levels since which each operator is supported, and takes more; what it does, by what rule."""
    lines = ["| Operator | Feature levels | What it does | Rule of the newest level |", "| --- | --- | --- | --- |"]
    for name, desc in sorted(DESCS.items()):
        rows = desc.operator_info().rows
        levels = ", ".join(str(FeatureLevel(row.since)) for row in rows)
        also = "".join(f" (also {alias})" for alias, operator in ALIASES.items() if operator == name)
        says = (inspect.getdoc(desc) or "").partition("\n")[0].partition(" Specification:")[0]
        lines.append(f"| {name}{also} | {levels} | {says} | {rows[-1].rule} |")
    return lines


PARTS = {"directml operators": operators}
