"""Writes the data files of runtimes in a readable form in which a change is a few lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_WIDTH = 116


def spelled(content: Mapping[str, Any]) -> str:
    """Return the text of a file: what fits on a line stands on one, entries by operators and name."""
    ordered = dict(content)
    if "differences" in content:
        ordered["differences"] = sorted(content["differences"], key=lambda one: (one["operators"], one["name"]))
    return _spelled(ordered, 0) + "\n"


def _spelled(value: Any, depth: int, used: int = 0) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if (depth > 1 and len(line) + 2 * depth + used <= _WIDTH) or not isinstance(value, (Mapping, list)) or not value:
        return line
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, Mapping):
        names = [json.dumps(name, ensure_ascii=False) for name in value]
        parts = [
            f"{name}: {_spelled(one, depth + 1, len(name) + 2)}"
            for name, one in zip(names, value.values(), strict=True)
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{outer}}}"
    if all(not isinstance(one, (Mapping, list)) for one in value):
        return "[\n" + "".join(_filled(value, inner)) + f"{outer}]"
    return "[\n" + ",\n".join(inner + _spelled(one, depth + 1) for one in value) + f"\n{outer}]"


def _filled(values: Sequence[Any], inner: str) -> list[str]:
    """Lines of as many values as fit."""
    lines, line = [], inner
    for place, value in enumerate(values):
        word = json.dumps(value, ensure_ascii=False) + ("," if place < len(values) - 1 else "")
        if len(line) + len(word) > _WIDTH and line.strip():
            lines.append(line.rstrip() + "\n")
            line = inner
        line += word + " "
    return [*lines, line.rstrip() + "\n"]
