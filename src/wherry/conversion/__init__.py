"""Models from one dialect to another: what stays, what is said by other operators, and what would be lost."""

from __future__ import annotations

from wherry.conversion.findings import Effect, Finding
from wherry.conversion.models import convert

__all__ = ["Effect", "Finding", "convert"]
