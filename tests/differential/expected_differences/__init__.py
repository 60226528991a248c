"""Every known disagreement between wherry and a runtime: the one place for them, each with version, reason and link."""

from __future__ import annotations

from tests.differential.case import Case
from tests.differential.difference import Difference
from tests.differential.expected_differences import (
    onnxruntime_arithmetic,
    onnxruntime_cast,
    onnxruntime_index,
    onnxruntime_kernels,
    onnxruntime_moves,
    openvino_arithmetic,
    openvino_gather,
    openvino_moves,
    openvino_values,
)

ONNXRUNTIME = (
    *onnxruntime_kernels.ENTRIES,
    *onnxruntime_index.ENTRIES,
    *onnxruntime_moves.ENTRIES,
    *onnxruntime_cast.ENTRIES,
    *onnxruntime_arithmetic.ENTRIES,
)
OPENVINO = (*openvino_moves.ENTRIES, *openvino_values.ENTRIES, *openvino_gather.ENTRIES, *openvino_arithmetic.ENTRIES)

_OF_RUNTIME = {"onnxruntime": ONNXRUNTIME, "openvino": OPENVINO}


def expected(case: Case, runtime: str) -> Difference | None:
    """Return the entry under which a case falls, or None if the runtime must agree."""
    return next((entry for entry in _OF_RUNTIME[runtime] if entry.applies(case)), None)
