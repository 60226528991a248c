"""What the lists of ONNX Runtime's differences are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.differential.case import Case
from tests.differential.conditions import Condition, named
from tests.differential.difference import Difference

VERSION = "1.31.1"
KERNELS = "https://github.com/microsoft/onnxruntime/blob/main/docs/OperatorKernels.md"
PAGES = "https://onnx.ai/onnx/operators/onnx__"


def difference(
    name: str, reason: str, link: str, applies: Condition | Callable[..., bool], example: Case, **more: Any
) -> Difference:
    """Return an entry of the version that all of them were seen with."""
    when = named(f"ONNX Runtime: {name}")(applies) if callable(applies) else applies
    return Difference(name, "onnxruntime", VERSION, reason, link, when, example, **more)
