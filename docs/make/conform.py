"""docs/conform.html, the matrix that wherry ships, and what docs/conform.md counts of it."""

from __future__ import annotations

from wherry.cli import matrix
from wherry.runtimes.conform.matrix import Outcome, shipped
from wherry.runtimes.conform.rules import OPERATORS, RULES


def page() -> str:
    """Return the page of all runtimes."""
    return matrix.draw(list(shipped()), RULES)


def counts() -> list[str]:
    """Return a line for each runtime."""
    columns = list(shipped())
    cells = sum(len(column.cells) for column in columns)
    is_open = sum(rule.is_open for rule in RULES)
    return [
        f"{len(RULES)} rules of {len(OPERATORS)} operators, {is_open} of them left open by the specification; "
        f"{len(columns)} runtimes, {cells} cells:",
        "",
        f"| runtime | {' | '.join(Outcome)} |",
        f"| --- | {' | '.join('---:' for _ in Outcome)} |",
        *(
            f"| {column.title} | {' | '.join(str(column.count(outcome)) for outcome in Outcome)} |"
            for column in columns
        ),
    ]


def printed() -> list[str]:
    """Return what the command prints of one operator."""
    rules = [rule for rule in RULES if rule.operator == "GatherND"]
    return ["```", *matrix.lines(list(shipped()), rules), "```"]


PARTS = {"runtimes": counts, "printed": printed}
