"""The rows of Shape, Size, Cast and CastLike: the plumbing that feeds shapes and indices."""

from __future__ import annotations

from wherry import dtypes
from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL, ALL_1, ALL_13, LENGTHS, NEW, TypeSet, by_number, check_member, without
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, invalid, short
from wherry.ops import Cast, FloatOverflow, FloatToInteger, Rounding, ShapeOf, SizeOf


def _shape(use: Use) -> ShapeOf:
    return ShapeOf(use.attributes.get("start", 0), use.attributes.get("end"))


def _shape_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Shape",
        since=since,
        rule=rule,
        source=f"ONNX operator Shape-{since}",
        inputs=(Parameter("data", types),),
        outputs=(Parameter("shape", LENGTHS, "T1"),),
        attributes=() if since < 15 else (Attribute("start", Kind.INT, default=0), Attribute("end", Kind.INT)),
        build=_shape,
    )


def _size(use: Use) -> SizeOf:
    return SizeOf()


def _size_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Size",
        since=since,
        rule=rule,
        source=f"ONNX operator Size-{since}",
        inputs=(Parameter("data", types),),
        outputs=(Parameter("size", LENGTHS, "T1"),),
        build=_size,
    )


_LATER = (19, 21, 23, 24, 25)

SHAPE_ROWS = (
    _shape_row(1, ALL_1, "all sizes, as int64"),
    _shape_row(13, ALL_13, NEW[13]),
    _shape_row(15, ALL_13, "adds start and end, from the end where negative, cut to 0..r"),
    *(_shape_row(since, ALL[since], NEW[since]) for since in _LATER),
)

SIZE_ROWS = (
    _size_row(1, ALL_1, "the number of elements, as int64"),
    *(_size_row(since, ALL[since], NEW[since]) for since in (13, *_LATER)),
)

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


_CASTS = {
    1: without(ALL_1, "complex64", "complex128", "string"),
    9: without(ALL_1, "complex64", "complex128"),
    **{since: without(types, "complex64", "complex128") for since, types in ALL.items() if since > 1},
}
_SATURATE = Attribute("saturate", Kind.INT, default=1, allowed=(0, 1))
_ROUND_MODE = Attribute("round_mode", Kind.STRING, default="up", allowed=tuple(ROUNDINGS))


def _rules(since: int) -> tuple[Attribute, ...]:
    return (*((_SATURATE,) if since >= 19 else ()), *((_ROUND_MODE,) if since >= 24 else ()))


def _cast_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    to = Attribute("to", Kind.STRING if since == 1 else Kind.INT, required=True, is_element_type=True)
    return OnnxRow(
        name="Cast",
        since=since,
        rule=rule,
        source=f"ONNX operator Cast-{since}",
        inputs=(Parameter("input", types, "T1"),),
        outputs=(Parameter("output", types, "T2"),),
        attributes=(to, *_rules(since)),
        build=_cast,
    )


def _cast_like_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="CastLike",
        since=since,
        rule=rule,
        source=f"ONNX operator CastLike-{since}",
        inputs=(Parameter("input", types, "T1"), Parameter("target_type", types, "T2")),
        outputs=(Parameter("output", types, "T2"),),
        attributes=_rules(since),
        build=_cast_like,
        reads=("input",),
    )


_FLOAT8 = "adds four float8 types, in which what is too large becomes the greatest number, or with saturate 0 infinity "
_E8M0 = "adds float8_e8m0fnu with round_mode: up, down, nearest with ties up; a negative number becomes NaN"

CAST_ROWS = (
    _cast_row(1, _CASTS[1], "the type is named; a number becomes the nearest float; a float loses its fraction on the "
              "way to an integer, and outside the range, which is undefined, gives what ONNX Runtime gives on x86"),
    _cast_row(6, _CASTS[1], "the type is a number of TensorProto.DataType"),
    _cast_row(9, _CASTS[9], "adds strings: plain numerals, refused where they are none"),
    _cast_row(13, _CASTS[13], NEW[13]),
    _cast_row(19, _CASTS[19], _FLOAT8 + "or NaN"),
    _cast_row(21, _CASTS[21], NEW[21]),
    _cast_row(23, _CASTS[23], NEW[23]),
    _cast_row(24, _CASTS[24], _E8M0),
    _cast_row(25, _CASTS[25], NEW[25]),
    _cast_row(28, _CASTS[25], "adds two types of 6 bits, which wherry does not have"),
)  # fmt: skip

CAST_LIKE_ROWS = (
    _cast_like_row(15, _CASTS[13], "as Cast-13, to the type of another tensor"),
    _cast_like_row(19, _CASTS[19], _FLOAT8 + "or NaN"),
    _cast_like_row(21, _CASTS[21], NEW[21]),
    _cast_like_row(23, _CASTS[23], NEW[23]),
    _cast_like_row(24, _CASTS[24], _E8M0),
    _cast_like_row(25, _CASTS[25], NEW[25]),
)


ROWS = SHAPE_ROWS + SIZE_ROWS + CAST_ROWS + CAST_LIKE_ROWS
