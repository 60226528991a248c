"""How operators are written as nodes."""

from __future__ import annotations

from typing import Any

from wherry.dialects.onnx.spelling import Spell
from wherry.dialects.onnx.spellings import blocks, cast, gather, make, pad, scatter, select, shape, split, value

_FAMILIES: tuple[Any, ...] = (blocks, cast, gather, make, pad, scatter, select, shape, split, value)

SPELLINGS: dict[object, tuple[tuple[str, Spell], ...]] = {
    key: ways for family in _FAMILIES for key, ways in family.SPELLINGS.items()
}
"""The ONNX operators that can write an operator, the best first, by its class; a deferred one by its `build`."""
