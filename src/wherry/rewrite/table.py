"""The table of rewrites: operators that a target lacks, replaced by others with the same results.

Stages are tried in their order, and so are the rows of each. A row is tried where the target does not say an operator,
and taken where the target says what it makes.
"""

from __future__ import annotations

from wherry.rewrite import (
    arithmetic,
    at_run,
    copies,
    decided,
    forms,
    guards,
    indices,
    parts,
    shapes,
    truth,
    unsized,
    values,
)
from wherry.rewrite.builder import Rewrite

STAGES: dict[str, tuple[Rewrite, ...]] = {
    "known fields": (decided.FIELDS,),
    "other fields": forms.REWRITES,
    "arithmetic": arithmetic.REWRITES,
    "truth and narrow integers": truth.REWRITES,
    "copies": copies.REWRITES,
    "parts": parts.REWRITES,
    "indices": indices.REWRITES,
    "values": values.REWRITES,
    "shapes": shapes.REWRITES,
    "sizes known at run": unsized.REWRITES,
    "fields known at run": at_run.REWRITES,
    "known results": (decided.SIZES, decided.RESULTS),
}
"""Every row: replacements nearest to the operator first, results computed beforehand last."""

REWRITES = tuple(row for rows in STAGES.values() for row in rows)

FORMS = forms.REWRITES
"""The rows that leave one operator one."""

COPIES = (*STAGES["known fields"], *STAGES["other fields"], *STAGES["copies"], decided.SIZES)
"""The rows that need no positions: what a writer of single graphs uses where its dialect only copies."""

NEAR = at_run.NEAR
"""Rows whose results are not always the same: written only where losses are allowed."""

GUARDS = guards.GUARDS
"""Rows that raise errors at run where an operator does: used with `guard` only."""
