"""How Shape, Size, Cast and CastLike are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wherry.dialects.onnx.meaning.cast import ROUNDINGS
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name
from wherry.dialects.onnx.types import number_of
from wherry.dtypes import DType
from wherry.ops import Cast, FloatOverflow, ShapeOf, SizeOf
from wherry.tensors import TensorType


def _spell_cast(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    to: DType = fields["to"]
    words = {rounding: word for word, rounding in ROUNDINGS.items()}
    values: dict[str, Any] = {"to": str(to.onnx).upper() if row.since == 1 else number_of(to)}
    if to.kind == "float" and to.bits == 8:
        values["saturate"] = fields["float_overflow"] is FloatOverflow.SATURATE
    if to.name == "float8_e8m0fnu":
        values["round_mode"] = words.get(fields["rounding"])
    return Spelling(values)


SPELLINGS = {
    ShapeOf: (("Shape", by_name("start", "end")),),
    SizeOf: (("Size", by_name()),),
    Cast: (("Cast", _spell_cast),),
}
