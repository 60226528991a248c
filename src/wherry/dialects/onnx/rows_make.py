"""The rows of operators that make tensors: ConstantOfShape, Range, EyeLike, OneHot, Trilu, NonZero and Unique."""

from __future__ import annotations

from typing import Any

import numpy as np

from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import (
    ALL_1,
    ALL_13,
    LENGTHS,
    NUMBERS_1,
    TypeSet,
    by_number,
    check_member,
    type_set,
    with_types,
)
from wherry.errors import InvalidValueError
from wherry.graph import Deferred
from wherry.moves import Negative
from wherry.ops import Constant, EyeLike, Fill, NonZero, OneHot, Operator, Range, Trilu, Unique
from wherry.tensors import TensorType

_INT64 = "tensor(int64)"
_NUMBERS_AND_BOOL = with_types(NUMBERS_1, "bool")


def constant_of_shape(value: Constant, sizes: Any) -> Fill:
    """Return the Fill of ConstantOfShape; the value, as a Constant, keeps its bits."""
    return Fill(value.value, sizes)


def _constant_of_shape(use: Use) -> Operator | Deferred:
    given = use.attributes["value"]
    value = np.zeros((), np.float32) if given is None else np.asarray(given)
    if value.size != 1:
        raise InvalidValueError(f"value has {value.size} elements, allowed 1")
    kind = TensorType.of(value)
    if not use.row.outputs[0].types.holds(kind):
        check_member("dtype of value", kind.row or kind.dtype, use.row.outputs[0].types)  # type: ignore[arg-type]
    return use.deferred(constant_of_shape, {"sizes": "input"}, Fill, value=Constant(value.reshape(())))


def _constant_of_shape_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="ConstantOfShape",
        since=since,
        rule=rule,
        source=f"ONNX operator ConstantOfShape-{since}",
        inputs=(Parameter("input", LENGTHS, "T1"),),
        outputs=(Parameter("output", types, "T2"),),
        attributes=(Attribute("value", Kind.TENSOR),),
        build=_constant_of_shape,
    )


_FILLS = {20: with_types(_NUMBERS_AND_BOOL, "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
                         "float8_e5m2fnuz")}  # fmt: skip
_FILLS[21] = with_types(_FILLS[20], "int4", "uint4")
_FILLS[23] = with_types(_FILLS[21], "float4_e2m1fn")
_FILLS[24] = with_types(_FILLS[23], "float8_e8m0fnu")
_FILLS[25] = with_types(_FILLS[24], "int2", "uint2")

CONSTANT_OF_SHAPE_ROWS = (
    _constant_of_shape_row(
        9, _NUMBERS_AND_BOOL, "one value everywhere, 0.0 of float32 by default; no size is negative"
    ),
    _constant_of_shape_row(20, _FILLS[20], "adds bfloat16 and four float8 types"),
    _constant_of_shape_row(21, _FILLS[21], "adds int4 and uint4"),
    _constant_of_shape_row(23, _FILLS[23], "adds float4_e2m1fn"),
    _constant_of_shape_row(24, _FILLS[24], "adds float8_e8m0fnu"),
    _constant_of_shape_row(25, _FILLS[25], "adds int2 and uint2"),
)


_STASH = (1, 10, 11, 16)
"""The float types of TensorProto.DataType in which Range can be computed."""


_STASH_TYPE = Attribute("stash_type", Kind.INT, default=1, allowed=_STASH, is_element_type=True)


def _range(use: Use) -> Operator | Deferred:
    names = ("start", "limit", "delta")
    kind = use.types["start"].row
    fields: dict[str, object] = {}
    if "stash_type" in use.attributes and kind is not None and kind.name in ("float16", "bfloat16"):
        fields["compute"] = by_number("stash_type", use.attributes["stash_type"])
    return use.deferred(Range, {name: name for name in names}, **fields)


def _range_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Range",
        since=since,
        rule=rule,
        source=f"ONNX operator Range-{since}",
        inputs=tuple(Parameter(name, types) for name in ("start", "limit", "delta")),
        outputs=(Parameter("output", types),),
        attributes=() if since < 27 else (_STASH_TYPE,),
        build=_range,
    )


_RANGES = type_set("float32", "float64", "int16", "int32", "int64")

RANGE_ROWS = (
    _range_row(
        11, _RANGES, "max(ceil((limit - start) / delta), 0) numbers start + i * delta; a delta of 0 is an error"
    ),
    _range_row(27, with_types(_RANGES, "float16", "bfloat16"), "adds float16 and bfloat16, computed in stash_type"),
)


def _eye_like(use: Use) -> EyeLike:
    number = use.attributes["dtype"]
    dtype = None if number is None else check_member("dtype", by_number("dtype", number), use.row.outputs[0].types)
    return EyeLike(use.attributes["k"], dtype)


def _eye_like_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="EyeLike",
        since=since,
        rule=rule,
        source=f"ONNX operator EyeLike-{since}",
        inputs=(Parameter("input", types, "T1"),),
        outputs=(Parameter("output", types, "T2"),),
        attributes=(Attribute("dtype", Kind.INT, is_element_type=True), Attribute("k", Kind.INT, default=0)),
        build=_eye_like,
    )


EYE_LIKE_ROWS = (
    _eye_like_row(
        9, _NUMBERS_AND_BOOL, "1 where column - row is k, else 0; sizes, and type by default, from the input"
    ),
    _eye_like_row(22, with_types(_NUMBERS_AND_BOOL, "bfloat16"), "adds bfloat16"),
)


def _one_hot(use: Use) -> Operator | Deferred:
    negative = Negative.INVALID if use.row.since < 11 else Negative.FROM_END
    return use.deferred(OneHot, {"depth": "depth"}, axis=use.attributes["axis"], negative=negative)


def _one_hot_row(since: int, values: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="OneHot",
        since=since,
        rule=rule,
        source=f"ONNX operator OneHot-{since}",
        inputs=(
            Parameter("indices", NUMBERS_1, "T1"),
            Parameter("depth", NUMBERS_1, "T2"),
            Parameter("values", values, "T3"),
        ),
        outputs=(Parameter("output", values, "T3"),),
        attributes=(Attribute("axis", Kind.INT, default=-1),),
        build=_one_hot,
    )


ONE_HOT_ROWS = (
    _one_hot_row(9, ALL_1, "an index outside 0..depth-1 has all positions off; indices and depth are cast to int64"),
    _one_hot_row(11, ALL_1, "a negative index counts from the end once"),
    _one_hot_row(28, ALL_13, "adds bfloat16"),
)


def trilu(upper: bool, k: Any = 0) -> Trilu:
    """Return the Trilu that keeps one triangle; see Trilu.triangle."""
    return Trilu.triangle(upper, k)


def _trilu(use: Use) -> Operator | Deferred:
    return use.deferred(trilu, {"k": "k"}, Trilu, upper=bool(use.attributes["upper"]))


TRILU_ROWS = (
    OnnxRow(
        name="Trilu",
        since=14,
        rule="upper keeps column - row >= k, lower column - row <= k; the rest is 0",
        source="ONNX operator Trilu-14",
        inputs=(Parameter("input", ALL_13), Parameter("k", LENGTHS, _INT64, optional=True)),
        outputs=(Parameter("output", ALL_13),),
        attributes=(Attribute("upper", Kind.INT, default=1, allowed=(0, 1)),),
        build=_trilu,
    ),
)


def _nonzero(use: Use) -> Operator | Deferred:
    return use.deferred(NonZero, {"data": "X"})


def _nonzero_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="NonZero",
        since=since,
        rule=rule,
        source=f"ONNX operator NonZero-{since}",
        inputs=(Parameter("X", types),),
        outputs=(Parameter("Y", LENGTHS, _INT64),),
        build=_nonzero,
    )


NONZERO_ROWS = (
    _nonzero_row(9, ALL_1, "coordinates as rows, in row-major order; of a scalar there are none; NaN is not zero"),
    _nonzero_row(13, ALL_13, "adds bfloat16"),
)


def _unique(use: Use) -> Operator | Deferred:
    return use.deferred(Unique, {"data": "X"}, axis=use.attributes["axis"], sorted=bool(use.attributes["sorted"]))


def _unique_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="Unique",
        since=since,
        rule=rule,
        source=f"ONNX operator Unique-{since}",
        inputs=(Parameter("X", types),),
        outputs=(
            Parameter("Y", types),
            *(Parameter(name, LENGTHS, _INT64, optional=True) for name in ("indices", "inverse_indices", "counts")),
        ),
        attributes=(Attribute("axis", Kind.INT), Attribute("sorted", Kind.INT, default=1, allowed=(0, 1))),
        build=_unique,
    )


UNIQUE_ROWS = (
    _unique_row(11, ALL_1, "elements, or slices along the axis, ascending or in order of occurrence; all NaN are one "
                "value and sort last, -0.0 is 0.0, both of which the text leaves open"),
    _unique_row(28, ALL_13, "adds bfloat16"),
)  # fmt: skip

ROWS = (
    CONSTANT_OF_SHAPE_ROWS + RANGE_ROWS + EYE_LIKE_ROWS + ONE_HOT_ROWS + TRILU_ROWS + NONZERO_ROWS + UNIQUE_ROWS
)  # fmt: skip
