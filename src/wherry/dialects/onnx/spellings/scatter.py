"""How Scatter, ScatterElements, ScatterND and TensorScatter are written as nodes."""

from __future__ import annotations

from wherry.dialects.onnx.spelling import by_name
from wherry.ops import ScatterElements, ScatterND, ScatterUpdate

SPELLINGS = {
    ScatterElements: (("ScatterElements", by_name("axis", "reduction")), ("Scatter", by_name("axis"))),
    ScatterND: (("ScatterND", by_name("reduction")),),
    ScatterUpdate: (("TensorScatter", by_name("axis", window="mode")),),
}
