"""What the lists of ONNX Runtime's differences are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.differential.case import Case, Difference

VERSION = "1.31.1"
KERNELS = "https://github.com/microsoft/onnxruntime/blob/main/docs/OperatorKernels.md"
PAGES = "https://onnx.ai/onnx/operators/onnx__"


def difference(
    name: str, reason: str, link: str, applies: Callable[[Case], bool], example: Case, **more: Any
) -> Difference:
    """Return an entry of the version that all of them were seen with."""
    return Difference(name, "onnxruntime", VERSION, reason, link, applies, example, **more)
