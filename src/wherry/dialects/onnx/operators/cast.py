"""What Shape, Size, Cast and CastLike mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wherry import dtypes
from wherry.dialects.onnx.as_node import AsNode, Fields, by_name
from wherry.dialects.onnx.row import FLAG, Limit, Meaning, OnnxRow, Use
from wherry.dialects.onnx.types import by_number, check_member, number_of
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, invalid, short
from wherry.ops import Cast, FloatOverflow, FloatToInteger, Rounding, ShapeOf, SizeOf
from wherry.tensors import TensorType


def _shape(use: Use) -> ShapeOf:
    return ShapeOf(use.attributes.get("start", 0), use.attributes.get("end"))


def _size(use: Use) -> SizeOf:
    return SizeOf()


ROUNDINGS = {"up": Rounding.UP, "down": Rounding.DOWN, "nearest": Rounding.NEAREST_UP}


def _cast_to(use: Use, to: DType) -> Cast:
    """Return the Cast to a type; saturate holds for the float8 types, round_mode for float8_e8m0fnu alone."""
    values = use.attributes
    is_float8 = to.kind == "float" and to.bits == 8
    saturates = is_float8 and values.get("saturate", 1)
    return Cast(
        to,
        float_overflow=FloatOverflow.SATURATE if saturates else FloatOverflow.INFINITY,
        float_to_integer=FloatToInteger.INDEFINITE,
        rounding=ROUNDINGS[values["round_mode"]] if to.name == "float8_e8m0fnu" else Rounding.NEAREST_EVEN,
    )


def _cast(use: Use) -> Cast:
    given = use.attributes["to"]
    to = _by_word(given) if isinstance(given, str) else by_number("to", given)
    return _cast_to(use, check_member("to", to, use.row.outputs[0].types))


def _by_word(word: str) -> DType:
    """Return the type that Cast-1 names as TensorProto.DataType does."""
    found = {name.upper(): row for name, row in dtypes.by_spelling("onnx").items()}.get(word)
    if found is None:
        raise invalid("to", short(word), "names of TensorProto.DataType, such as 'FLOAT'")
    return found


def _cast_like(use: Use) -> Cast:
    row = use.types["target_type"].row
    if row is None:
        raise InvalidTypeError(f"target_type has dtype {use.types['target_type'].dtype}, which ONNX does not have")
    return _cast_to(use, row)


_FLOAT8 = (
    "adds four float8 types, in which what is too large becomes the greatest number, or with saturate 0 infinity or NaN"
)
_E8M0 = "adds float8_e8m0fnu with round_mode: up, down, nearest with ties up; a negative number becomes NaN"
_TO = {"to": Limit(is_element_type=True)}
_SATURATE = {"saturate": FLAG}
_ROUND_MODE = {"round_mode": Limit(allowed=tuple(ROUNDINGS))}

MEANINGS = {
    "Shape": (
        Meaning(1, "all sizes, as int64", _shape),
        Meaning(15, "adds start and end, from the end where negative, cut to 0..r", _shape),
    ),
    "Size": (Meaning(1, "the number of elements, as int64", _size),),
    "Cast": (
        Meaning(
            1,
            "the type is named; a number becomes the nearest float; a float loses its fraction on the way to an "
            "integer, and outside the range, which is undefined, gives what ONNX Runtime gives on x86",
            _cast,
            _TO,
        ),
        Meaning(6, "the type is a number of TensorProto.DataType", _cast, _TO),
        Meaning(9, "adds strings: plain numerals, refused where they are none", _cast, _TO),
        Meaning(19, _FLOAT8, _cast, _TO | _SATURATE),
        Meaning(24, _E8M0, _cast, _TO | _SATURATE | _ROUND_MODE),
        Meaning(28, "adds two types of 6 bits, which wherry does not have", _cast, _TO | _SATURATE | _ROUND_MODE),
    ),
    "CastLike": (
        Meaning(15, "as Cast-13, to the type of another tensor", _cast_like, reads=("input",)),
        Meaning(19, _FLOAT8, _cast_like, _SATURATE, ("input",)),
        Meaning(24, _E8M0, _cast_like, _SATURATE | _ROUND_MODE, ("input",)),
    ),
}


def _cast_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    to: DType = fields["to"]
    words = {rounding: word for word, rounding in ROUNDINGS.items()}
    values: dict[str, Any] = {"to": str(to.onnx).upper() if row.since == 1 else number_of(to)}
    if to.kind == "float" and to.bits == 8:
        values["saturate"] = fields["float_overflow"] is FloatOverflow.SATURATE
    if to.name == "float8_e8m0fnu":
        values["round_mode"] = words.get(fields["rounding"])
    return AsNode(values)


TO_NODES = {
    ShapeOf: (("Shape", by_name("start", "end")),),
    SizeOf: (("Size", by_name()),),
    Cast: (("Cast", _cast_to_node),),
}
