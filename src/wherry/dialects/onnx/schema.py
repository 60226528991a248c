"""The schemas of ONNX's operators that wherry has. Written by `python -m generate`."""

from __future__ import annotations

from wherry.dialects.onnx.row import Schema
from wherry.dialects.onnx.schema_a_to_m import A_TO_M
from wherry.dialects.onnx.schema_n_to_z import N_TO_Z

NEWEST_OPSET = 28
"""The newest opset whose operators these are."""

NEWEST_IR_VERSION = 14
"""The newest version of the file format."""

SCHEMAS: tuple[Schema, ...] = (*A_TO_M, *N_TO_Z)
