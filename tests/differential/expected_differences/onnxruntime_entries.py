"""What the lists of ONNX Runtime's differences are written with."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.case import Case
from tests.differential.conditions import Condition
from tests.differential.difference import Difference

VERSION = "1.31.1"
KERNELS = "https://github.com/microsoft/onnxruntime/blob/main/docs/OperatorKernels.md"
SOURCE = "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cpu"
PAGES = "https://onnx.ai/onnx/operators/onnx__"

F = np.arange(4, dtype=np.float32)
H = F.astype(np.float16)
BYTES = np.arange(4, dtype=np.uint8)
TRUE = np.array([True])
NAN = np.array([np.nan], np.float32)


def vector(*entries: int) -> np.ndarray:
    return np.array(entries, np.int64)


def difference(
    name: str, reason: str, link: str, when: Condition, example: Case, *neighbours: Case, **more: Any
) -> Difference:
    """Return an entry of the version that all of them were seen with."""
    return Difference(name, "onnxruntime", VERSION, reason, link, when, example, neighbours, **more)
