"""The tables of docs/conversion.md: the tables that conversion itself works with."""

from __future__ import annotations

from collections.abc import Iterable

from wherry.rewrite.rules import RULES
from wherry.rewrite.table import GUARDS, NEAR, STAGES


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _name(operator: object) -> str:
    return "any" if operator is object else str(getattr(operator, "__name__", operator)).lstrip("_")


def _operators(names: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(map(_name, names)))


def rewrites() -> list[str]:
    """Return the table of rewrites."""
    lines = [_row("stage", "operator", "when", "into", "why"), _row(*["---"] * 5)]
    for stage, rows in STAGES.items():
        lines += [_row(stage, _operators(row.operators), row.when, row.into, row.why) for row in rows]
    return lines


def rules() -> list[str]:
    """Return the table of rules that a target may have otherwise, and when that cannot matter."""
    lines = [_row("field", "of", "values", "cannot matter when"), _row(*["---"] * 4)]
    for rule in RULES:
        values = "; ".join(f"`{value}`: {words}" for value, words in rule.words.items())
        lines.append(_row(f"`{rule.field}`", _operators(rule.operators), values, rule.when))
    return lines


def near() -> list[str]:
    """Return the table of what is written with allow_loss only, beside changed rules."""
    lines = [_row("operator", "when", "into", "lost"), _row(*["---"] * 4)]
    return lines + [_row(_operators(row.operators), row.when, row.into, row.why) for row in NEAR]


def guards() -> list[str]:
    """Return the table of what is written with guard only."""
    lines = [_row("operator", "when", "into"), _row(*["---"] * 3)]
    return lines + [_row(_operators(row.operators), row.when, row.into) for row in GUARDS]


PARTS = {"rewrites": rewrites, "rules": rules, "near": near, "guards": guards}
