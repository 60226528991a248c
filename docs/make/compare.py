"""The comparison on the page of `wherry compare`: what it says of an example under two sets of rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import wherry as wh

_MODEL = Path(__file__).parents[2] / "examples" / "scores.onnx"


def comparison() -> list[str]:
    """Return the lines of a comparison on inputs that have an index outside its axis."""
    numbers = np.array([1, 9])
    found = str(wh.compare(wh.load(_MODEL), {"numbers": numbers}, ["rules:directml:6.4", "rules:openvino:opset8"]))
    return ["```", *found.splitlines(), "```"]


PARTS: dict[str, Callable[[], list[str]]] = {"comparison": comparison}
