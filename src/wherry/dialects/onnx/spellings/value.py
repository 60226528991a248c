"""How Identity and Constant are written as nodes."""

from __future__ import annotations

from wherry.dialects.onnx.spelling import by_name
from wherry.ops import Constant, Identity

SPELLINGS = {
    Identity: (("Identity", by_name()),),
    Constant: (("Constant", by_name("value")),),
}
