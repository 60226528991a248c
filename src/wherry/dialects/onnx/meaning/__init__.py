"""What each version of an operator means: the operator that its attributes and inputs make, and limits of values."""

from __future__ import annotations

from typing import Any

from wherry.dialects.onnx.meaning import blocks, cast, gather, make, pad, scatter, select, shape, split, value
from wherry.dialects.onnx.row import Meaning

_FAMILIES: tuple[Any, ...] = (blocks, cast, gather, make, pad, scatter, select, shape, split, value)

FAMILIES: dict[str, dict[str, tuple[Meaning, ...]]] = {
    family.__name__.rpartition(".")[2]: family.MEANINGS for family in _FAMILIES
}
"""The operators by family, as the files are."""

MEANINGS = {name: meanings for family in FAMILIES.values() for name, meanings in family.items()}
"""What each operator means, from the version on that a meaning names."""
