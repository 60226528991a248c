"""Writes the code that follows from the dialects' tables: `python -m generate`.

The tables are the schemas of the onnx package, from which `wherry.dialects.onnx.schema` is made, and the rows of the
dialects, from which their functions are. What a function does is said in words in words.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from . import onnx_schema

ROOT = Path(__file__).parents[1]
DIALECTS = ROOT / "src" / "wherry" / "dialects"


def contents() -> Iterator[tuple[Path, str]]:
    """Yield each file with the text it is to have; ask for the next only when it is written.

    The functions are made of tables that are imported here, which the schemas before them are a part of.
    """
    for name, text in onnx_schema.files().items():
        yield DIALECTS / "onnx" / name, text
    from . import onnx_functions, openvino_functions, webnn_functions

    for dialect, functions in (("onnx", onnx_functions), ("openvino", openvino_functions), ("webnn", webnn_functions)):
        for name, text in functions.files().items():
            yield DIALECTS / dialect / "functions" / name, text
