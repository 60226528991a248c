"""wherry moves tensor data exactly as a runtime's specification says, on any machine, at memory speed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wherry import errors
from wherry._core import gather
from wherry.layout import Layout
from wherry.limits import Limits, limited
from wherry.tensors import TensorType

if TYPE_CHECKING:
    from wherry.conversion import convert
    from wherry.dialects import directml, onnx, openvino, webnn
    from wherry.formats import load, save
    from wherry.functions import concat, copy, get_num_threads, set_num_threads, split
    from wherry.models.model import Model
    from wherry.portability.check import check
    from wherry.portability.fix import fix

__version__ = "0.1.0"

__all__ = [
    "Layout",
    "Limits",
    "Model",
    "TensorType",
    "check",
    "concat",
    "convert",
    "copy",
    "directml",
    "errors",
    "fix",
    "gather",
    "get_num_threads",
    "limited",
    "load",
    "onnx",
    "openvino",
    "save",
    "set_num_threads",
    "split",
    "webnn",
]

_LAZY = {
    "Model": "wherry.models.model",
    "check": "wherry.portability.check",
    "concat": "wherry.functions",
    "convert": "wherry.conversion",
    "copy": "wherry.functions",
    "fix": "wherry.portability.fix",
    "get_num_threads": "wherry.functions",
    "load": "wherry.formats",
    "save": "wherry.formats",
    "set_num_threads": "wherry.functions",
    "split": "wherry.functions",
}
"""What is imported when it is first asked for: operators and models take longer to import than all the rest."""

_DIALECTS = frozenset({"onnx", "openvino", "directml", "webnn"})


def __getattr__(name: str) -> Any:
    if name in _DIALECTS:
        value = importlib.import_module(f"wherry.dialects.{name}")
    elif name in _LAZY:
        value = getattr(importlib.import_module(_LAZY[name]), name)
    else:
        raise AttributeError(f"module 'wherry' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
