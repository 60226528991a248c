"""Shortcut: one operator on small arrays, without a plan; what all of them have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

MOST_BYTES = 2**20
"""Of what one run may make: where more bytes move, a plan, which moves each but once, is worth its making."""

_MOST_KEPT = 256

Call = Callable[..., Any]


class Shortcut(NamedTuple):
    """A call on the arrays of a node's inputs; whether it makes new arrays, or views of what it gets and keeps."""

    call: Call
    makes: bool


def keep(kept: dict[Any, Any], key: object, value: object) -> None:
    """Keep a value by its key, among a bounded number of others."""
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value
