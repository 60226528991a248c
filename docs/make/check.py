"""The report on the page of `wherry check`: what it says of an example, before a run and on inputs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import wherry as wh

MODEL = Path(__file__).parents[2] / "examples" / "scores.onnx"
_WIDEST = 150


def report(inputs: dict[str, np.ndarray] | None) -> list[str]:
    """Return the lines of the report on a model that is to run on OpenVINO; long ones are cut."""
    found = str(wh.check(wh.load(MODEL), "openvino", inputs))
    lines = [line if len(line) <= _WIDEST else f"{line[:_WIDEST]} ..." for line in found.splitlines()]
    return ["```", *lines, "```"]


PARTS: dict[str, Callable[[], list[str]]] = {
    "report": partial(report, None),
    "report on inputs": partial(report, {"numbers": np.array([1, 9])}),
}
