"""ShapeOf, Convert, ConvertLike, StringTensorPack and StringTensorUnpack."""

from __future__ import annotations

from dataclasses import replace

from wherry import dtypes
from wherry.dialects.openvino.row import INDEX_TYPES, WHOLE_OPSET, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import ELEMENT_TYPE
from wherry.ops import (
    Cast,
    FloatOverflow,
    FloatText,
    FloatToInteger,
    IntegerOverflow,
    Rounding,
    ShapeOf,
    StringPack,
    StringUnpack,
)

_INT64 = dtypes.find("int64")

_SHAPE_OF = OpenVINORow(
    name="ShapeOf",
    since=1,
    rule="i64",
    build=ShapeOf,
    inputs=(Input("data"),),
    fixed={"start": 0, "end": None, "dtype": _INT64},
)

CONVERT = OpenVINORow(
    name="Convert",
    since=1,
    last=17,
    rule="floats are truncated, and wrap as on x86 processors; integers wrap; all but 0 is true",
    build=Cast,
    inputs=(Input("data"),),
    attributes=(Attribute("destination_type", ELEMENT_TYPE, field="to"),),
    fixed={
        "float_overflow": FloatOverflow.INFINITY,
        "float_to_integer": FloatToInteger.INDEFINITE,
        "integer_overflow": IntegerOverflow.WRAP,
        "rounding": Rounding.NEAREST_EVEN,
        "nan_is_true": True,
        "float_text": FloatText.PLAIN,
    },
)

ROWS = (
    _SHAPE_OF,
    replace(
        _SHAPE_OF,
        since=3,
        last=17,
        rule="i64 or i32",
        attributes=(Attribute("output_type", ELEMENT_TYPE, default=_INT64, field="dtype"),),
        fixed={"start": 0, "end": None},
    ),
    CONVERT,
    replace(
        CONVERT,
        name="ConvertLike",
        last=WHOLE_OPSET,
        rule="as Convert-1, to the type of like, whose values are not read",
        inputs=(Input("data"), Input("like", dtype_field="to")),
        attributes=(),
        is_written=False,
    ),
    OpenVINORow(
        name="StringTensorPack",
        since=15,
        rule="runs are 0 <= begin <= end <= number of symbols, others are refused",
        build=StringPack,
        inputs=(
            Input("begins", INDEX_TYPES),
            Input("ends", INDEX_TYPES, same_type="begins"),
            Input("symbols", frozenset({"uint8"}), ndim=(1, 1)),
        ),
    ),
    OpenVINORow(
        name="StringTensorUnpack",
        since=15,
        rule="begins and ends are i32",
        build=StringUnpack,
        inputs=(Input("data", frozenset({"string"}), field="data", is_kept=True),),
        fixed={"dtype": dtypes.find("int32")},
        outputs=3,
    ),
)
