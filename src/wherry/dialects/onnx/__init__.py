"""The ONNX dialect: its operators by version as functions, and the reader, writer and backend of its files.

What arrays are taken, and what `out` holds after an error: docs/arrays.md.
Importing it does not import the onnx package; `read`, `read_proto`, `write`, `to_proto` and `Backend` do.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from wherry.dialects.onnx.functions import concat, gather, identity, split
from wherry.dialects.onnx.functions_index import (
    compress,
    gather_elements,
    gather_nd,
    non_zero,
    one_hot,
    scatter,
    scatter_elements,
    scatter_nd,
    tensor_scatter,
    unique,
    where,
)
from wherry.dialects.onnx.functions_make import cast, cast_like, constant_of_shape, eye_like, range, shape, size, trilu
from wherry.dialects.onnx.functions_shape import (
    col2im,
    depth_to_space,
    expand,
    flatten,
    pad,
    reshape,
    reverse_sequence,
    slice,
    space_to_depth,
    squeeze,
    tile,
    transpose,
    unsqueeze,
)

if TYPE_CHECKING:
    from wherry.dialects.onnx.backend import Backend
    from wherry.dialects.onnx.reader import read, read_proto
    from wherry.dialects.onnx.writer import to_proto, write

__all__ = [
    "Backend",
    "cast",
    "cast_like",
    "col2im",
    "compress",
    "concat",
    "constant_of_shape",
    "depth_to_space",
    "expand",
    "eye_like",
    "flatten",
    "gather",
    "gather_elements",
    "gather_nd",
    "identity",
    "non_zero",
    "one_hot",
    "pad",
    "range",
    "read",
    "read_proto",
    "reshape",
    "reverse_sequence",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "shape",
    "size",
    "slice",
    "space_to_depth",
    "split",
    "squeeze",
    "tensor_scatter",
    "tile",
    "to_proto",
    "transpose",
    "trilu",
    "unique",
    "unsqueeze",
    "where",
    "write",
]

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
