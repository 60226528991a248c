"""Writes the code that follows from the dialects' tables: `python -m generate`.

The tables are the schemas of the onnx package, from which `wherry.dialects.onnx.schema` is made, and the rows of the
dialects, from which their functions are. What a function does is said in words in this folder's .toml files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from . import onnx_functions, openvino_functions

ROOT = Path(__file__).parents[1]

FILES = {
    "src/wherry/dialects/onnx/functions.py": onnx_functions.module,
    "src/wherry/dialects/openvino/functions.py": openvino_functions.module,
}
"""Each file with the function that gives its text."""


def contents() -> Iterator[tuple[Path, str]]:
    """Yield each file with the text it is to have."""
    for name, module in FILES.items():
        yield ROOT / name, module()
