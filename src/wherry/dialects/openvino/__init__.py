"""OpenVINO: its operations by opset as functions, and its model files (IR: .xml and .bin).

What arrays are taken, and what `out` holds after an error: docs/arrays.md.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wherry.dialects.openvino import functions
from wherry.dialects.openvino.functions import *  # noqa: F403

if TYPE_CHECKING:
    from wherry.dialects.openvino.reader import read
    from wherry.dialects.openvino.writer import write

__all__ = [*functions.__all__, "read", "write"]  # noqa: PLE0604

_LAZY = {"read": "wherry.dialects.openvino.reader", "write": "wherry.dialects.openvino.writer"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'wherry.openvino' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
