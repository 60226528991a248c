"""The properties of models that conditions of known differences use, one file a family."""

from wherry.runtimes.properties import (
    directml,
    onnxruntime_arithmetic,
    onnxruntime_moves,
    openvino_arithmetic,
    openvino_gather,
    openvino_moves,
    openvino_values,
    webnn,
)

__all__ = [
    "directml",
    "onnxruntime_arithmetic",
    "onnxruntime_moves",
    "openvino_arithmetic",
    "openvino_gather",
    "openvino_moves",
    "openvino_values",
    "webnn",
]
