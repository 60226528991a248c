"""What the functions say in words, by dialect and operator: words.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

BY_HAND = ("Concat", "Gather", "Max", "Min", "Split")
"""The operators whose functions stand in `wherry.dialects.onnx.functions.by_hand`, their words too."""


def words(dialect: str) -> dict[str, dict[str, Any]]:
    """Return for each operator its words, and what else its function has that does not follow from the table."""
    found: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[
        dialect
    ]
    return found
