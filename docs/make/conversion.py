"""The tables of docs/conversion.md: the tables that conversion itself works with."""

from __future__ import annotations

from collections.abc import Iterable

from wherry.rewrite.rules import RULES
from wherry.rewrite.table import GUARDS, NEAR, STAGES


def table_row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _name(operator: object) -> str:
    return "any" if operator is object else str(getattr(operator, "__name__", operator)).lstrip("_")


def operators_of(names: Iterable[object]) -> str:
    """Return the names of operators, each once."""
    return ", ".join(dict.fromkeys(map(_name, names)))


def rewrites() -> list[str]:
    """Return the table of rewrites."""
    lines = [table_row("stage", "operator", "when", "into", "why"), table_row(*["---"] * 5)]
    for stage, rows in STAGES.items():
        lines += [table_row(stage, operators_of(row.operators), row.when, row.into, row.why) for row in rows]
    return lines


def rules() -> list[str]:
    """Return the table of rules that a target may have otherwise, and when that cannot matter."""
    lines = [table_row("field", "of", "values", "cannot matter when"), table_row(*["---"] * 4)]
    for rule in RULES:
        values = "; ".join(f"`{value}`: {words}" for value, words in rule.words.items())
        lines.append(table_row(f"`{rule.field}`", operators_of(rule.operators), values, rule.when))
    return lines


def near() -> list[str]:
    """Return the table of what is written with allow_loss only, beside changed rules."""
    lines = [table_row("operator", "when", "into", "lost"), table_row(*["---"] * 4)]
    return lines + [table_row(operators_of(row.operators), row.when, row.into, row.why) for row in NEAR]


def guards() -> list[str]:
    """Return the table of what is written with guard only."""
    lines = [table_row("operator", "when", "into"), table_row(*["---"] * 3)]
    return lines + [table_row(operators_of(row.operators), row.when, row.into) for row in GUARDS]


PARTS = {"rewrites": rewrites, "rules": rules, "near": near, "guards": guards}
