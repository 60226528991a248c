"""The table of rewrites: operators that a target has no word for, said by others with the same results."""

from __future__ import annotations

from wherry.conversion import (
    rewrites_index,
    rewrites_parts,
    rewrites_run,
    rewrites_shape,
    rewrites_unsized,
    rewrites_value,
)
from wherry.conversion.draft import Rewrite

_known, *_shapes, _last = rewrites_shape.REWRITES

REWRITES: tuple[Rewrite, ...] = (
    _known, *rewrites_parts.REWRITES, *rewrites_index.REWRITES, *rewrites_value.REWRITES, *_shapes,
    *rewrites_unsized.REWRITES, *rewrites_run.REWRITES, _last,
)  # fmt: skip
"""Every row, in the order in which they are tried: known fields first, results that are constants last."""

NEAR: tuple[Rewrite, ...] = rewrites_run.NEAR
"""Rows whose results are not always the same: written only where losses are allowed."""
