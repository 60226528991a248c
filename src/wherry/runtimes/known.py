"""The runtimes that wherry supports by name; each is a file in this package, imported on demand."""

from __future__ import annotations

import importlib

from wherry.errors import invalid, short
from wherry.runtimes.installed import Installed

NAMES = (
    "onnxruntime",
    "openvino",
    "onnx.reference",
    "onnxruntime-web",
    "tract",
    "opencv",
    "tvm",
    "iree",
    "tinygrad",
    "ncnn",
    "torch",
    "jax",
    "numpy",
)


def known(name: str) -> type[Installed]:
    """Return a runtime by its name, not yet imported. Raises InvalidValueError for another name."""
    if name not in NAMES:
        raise invalid("runtime", short(name), ", ".join(map(repr, NAMES)))
    file = name.replace(".", "_").replace("-", "_")
    found: type[Installed] = importlib.import_module(f"wherry.runtimes.{file}").INSTALLED
    return found
