"""How Gather, GatherElements and GatherND are written as nodes."""

from __future__ import annotations

from wherry.dialects.onnx.spelling import by_name
from wherry.ops import Gather, GatherElements, GatherND

SPELLINGS = {
    Gather: (("Gather", by_name("axis")),),
    GatherElements: (("GatherElements", by_name("axis")),),
    GatherND: (("GatherND", by_name("batch_dims")),),
}
