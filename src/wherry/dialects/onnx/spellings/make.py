"""How ConstantOfShape, Range, EyeLike, OneHot, Trilu, NonZero and Unique are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.meaning.make import trilu
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
from wherry.dialects.onnx.types import number_of
from wherry.ops import Constant, EyeLike, Fill, NonZero, OneHot, Range, Trilu, Unique
from wherry.ops.fill import constant_of_shape
from wherry.tensors import TensorType


def _spell_fill(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    value = fields["value"].value if isinstance(fields["value"], Constant) else fields["value"]
    return Spelling({"value": value.reshape(1), "input": fields["sizes"]})


def _spell_range(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    values = {name: fields.get(name) for name in ("start", "limit", "delta")}
    compute, dtype = fields.get("compute"), fields.get("dtype")
    if compute is not None and compute != dtype:
        values["stash_type"] = number_of(compute)
    if waits(fields) or dtype is None or fields["limit"] is None:
        return Spelling(values)
    return Spelling(values | {name: fields[name].astype(dtype.numpy) for name in ("start", "limit", "delta")})


def _spell_eye_like(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    return Spelling({"k": fields["k"], "dtype": None if fields["dtype"] is None else number_of(fields["dtype"])})


def _spell_band(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Trilu, which zeroes all on one side of a diagonal."""
    begin, end = fields["begin"], fields["end"]
    upper = begin is None
    k = end if upper else None if begin is None else begin - 1
    return Spelling({"upper": upper, "k": k})


def _spell_trilu(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    return Spelling({"upper": fields["upper"], "k": fields.get("k")})


SPELLINGS = {
    Fill: (("ConstantOfShape", _spell_fill),),
    constant_of_shape: (("ConstantOfShape", _spell_fill),),
    Range: (("Range", _spell_range),),
    EyeLike: (("EyeLike", _spell_eye_like),),
    OneHot: (("OneHot", by_name("depth", "axis")),),
    Trilu: (("Trilu", _spell_band),),
    trilu: (("Trilu", _spell_trilu),),
    NonZero: (("NonZero", by_name(data="X")),),
    Unique: (("Unique", by_name("axis", "sorted", data="X")),),
}
