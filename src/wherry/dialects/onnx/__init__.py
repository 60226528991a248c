"""The ONNX dialect: its operators by version as functions, and the reader, writer and backend of its files.

What arrays are taken, and what `out` holds after an error: docs/arrays.md.
Importing it does not import the onnx package; `read`, `read_proto`, `write`, `to_proto` and `Backend` do.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wherry.dialects.onnx import functions
from wherry.dialects.onnx.functions import *  # noqa: F403

if TYPE_CHECKING:
    from wherry.dialects.onnx.backend import Backend
    from wherry.dialects.onnx.reader import read, read_proto
    from wherry.dialects.onnx.writer import to_proto, write

__all__ = [*functions.__all__, "Backend", "read", "read_proto", "to_proto", "write"]  # noqa: PLE0604

_LAZY = {
    "Backend": "backend",
    "read": "reader",
    "read_proto": "reader",
    "to_proto": "writer",
    "write": "writer",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
