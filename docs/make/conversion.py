"""The tables of docs/conversion.md: the tables that conversion itself works with."""

from __future__ import annotations

from collections.abc import Iterable

from wherry.conversion.draft import Rewrite
from wherry.conversion.rewrites import NEAR, REWRITES
from wherry.conversion.rules import RULES
from wherry.conversion.targets import DIALECTS

_SPOKEN = {"onnx": "ONNX", "openvino": "OpenVINO", "directml": "DirectML"}


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _name(operator: object) -> str:
    return "any" if operator is object else str(getattr(operator, "__name__", operator)).lstrip("_")


def _operators(names: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(map(_name, names)))


def _targets(row: Rewrite) -> str:
    return "all" if row.targets == DIALECTS else ", ".join(_SPOKEN[name] for name in row.targets)


def rewrites() -> list[str]:
    """Return the table of rewrites."""
    lines = [_row("target", "operator", "when", "into", "why"), _row(*["---"] * 5)]
    return lines + [_row(_targets(row), _operators(row.operators), row.when, row.into, row.why) for row in REWRITES]


def rules() -> list[str]:
    """Return the table of rules that a target may have otherwise, and when that cannot matter."""
    lines = [_row("field", "of", "values", "cannot matter when"), _row(*["---"] * 4)]
    for rule in RULES:
        values = "; ".join(f"`{value}`: {words}" for value, words in rule.words.items())
        lines.append(_row(f"`{rule.field}`", _operators(rule.operators), values, rule.when))
    return lines


def near() -> list[str]:
    """Return the table of what is written with allow_loss only, beside changed rules."""
    lines = [_row("target", "operator", "when", "into", "lost"), _row(*["---"] * 5)]
    return lines + [_row(_targets(row), _operators(row.operators), row.when, row.into, row.why) for row in NEAR]


PARTS = {"rewrites": rewrites, "rules": rules, "near": near}
