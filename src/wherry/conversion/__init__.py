"""Conversion of models between dialects: unchanged nodes, rewrites, and losses."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wherry.conversion.findings import Effect, Finding

if TYPE_CHECKING:
    from wherry.conversion.models import convert

__all__ = ["Effect", "Finding", "convert"]


def __getattr__(name: str) -> Any:
    if name == "convert":  # it imports every dialect; a reader needs findings alone
        return importlib.import_module("wherry.conversion.models").convert
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
