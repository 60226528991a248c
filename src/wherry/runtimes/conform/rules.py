"""All rules, by operator."""

from __future__ import annotations

from wherry.runtimes.conform import carried, indexing, pieces, shapes, values
from wherry.runtimes.conform.rule import ORDINARY, Rule

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (*indexing.RULES, *pieces.RULES, *shapes.RULES, *values.RULES, *carried.RULES),
        key=lambda one: (one.operator.lower(), one.name != ORDINARY),
    )
)
"""The rules of an operator stand together, its ordinary case first."""

OPERATORS: tuple[str, ...] = tuple(dict.fromkeys(one.operator for one in RULES))
