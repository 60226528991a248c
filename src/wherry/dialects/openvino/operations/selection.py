"""Unique, OneHot, Range, Eye, Select and NonZero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wherry import dtypes
from wherry.dialects.openvino.row import (
    ANY_TYPE,
    INDEX_TYPES,
    INTEGER_TYPES,
    NUMBER_TYPES,
    Attribute,
    Input,
    OpenVINORow,
)
from wherry.dialects.openvino.values import BOOLEAN, ELEMENT_TYPE, INTEGER, word_of
from wherry.moves import Negative
from wherry.ops import (
    Eye,
    FractionalIndex,
    NaN,
    NonZero,
    OneHot,
    Range,
    ScalarCoordinates,
    Steps,
    Unique,
    Where,
)
from wherry.ops.fill import one_of
from wherry.ops.range import accumulation_type, count

_INT64 = dtypes.find("int64")
_COMPARED = NUMBER_TYPES | {"bool", "string", "int4", "uint4"}
"""Types whose elements can be told from another, and from zero."""


def _range_fields(given: Mapping[str, Any]) -> dict[str, Any] | str:
    dtype = given["dtype"]
    if given["limit"] is None:
        return "needs a limit"
    if given["steps"] != Steps.ACCUMULATE:
        return f"has steps {Steps.ACCUMULATE}: each element is the one before plus delta"
    if dtype is None:
        return "needs the type of the result before run"
    if given["compute"] != accumulation_type(dtype):
        return f"computes in {accumulation_type(dtype)}"
    return {name: given[name] for name in ("start", "limit", "delta", "dtype")}


def _number(name: str, field: str, **more: Any) -> Input:
    return Input(name, NUMBER_TYPES, ndim=(0, 0), field=field, is_kept=True, **more)


def _size(name: str, field: str) -> Input:
    return Input(name, INDEX_TYPES, ndim=(0, 1), field=field, is_single=True)


def _eye_fields(given: Mapping[str, Any]) -> dict[str, Any] | str:
    value, begin, end = given["value"], given["begin"], given["end"]
    if not isinstance(given["sizes"], tuple):
        return "needs sizes before run"
    if given["inverted"] or begin is None or end != begin + 1:
        return "has one diagonal"
    if value.tobytes() != one_of(value.dtype).tobytes():
        return "has ones"
    *batch, rows, columns = given["sizes"]
    return {
        "rows": rows,
        "columns": columns,
        "k": begin,
        "dtype": dtypes.of(value.dtype),
        "batch": tuple(batch) or None,
    }


def _one_hot(since: int, rule: str, modes: tuple[Attribute, ...], **fixed: object) -> OpenVINORow:
    return OpenVINORow(
        name="OneHot",
        since=since,
        rule=rule,
        build=OneHot,
        inputs=(
            Input("indices", INTEGER_TYPES),
            Input("depth", INTEGER_TYPES, ndim=(0, 0), field="depth", is_single=True),
            Input("on_value", ndim=(0, 0)),
            Input("off_value", ndim=(0, 0), same_type="on_value"),
        ),
        operands=("indices", "off_value", "on_value"),
        attributes=(Attribute("axis", INTEGER), *modes),
        fixed={"fractional": FractionalIndex.TRUNCATE, "keep_axis": False, **fixed},
    )


_NEGATIVE = {
    "ignore_negative": Negative.INVALID.value,
    "ignore-negative": Negative.INVALID.value,
    "normalize": Negative.FROM_END.value,
}

ROWS = (
    OpenVINORow(
        name="Unique",
        since=10,
        rule="slices compare element by element; -0.0 and 0.0 are one value, and so are all NaN, which come last",
        build=Unique,
        inputs=(
            Input("data", _COMPARED, field="data", is_kept=True),
            Input("axis", INDEX_TYPES, ndim=(0, 1), field="axis", is_single=True, is_optional=True, is_constant=True),
        ),
        attributes=(
            Attribute("sorted", BOOLEAN, default=True),
            Attribute("index_element_type", ELEMENT_TYPE, default=_INT64, field="index_dtype"),
            Attribute("count_element_type", ELEMENT_TYPE, default=_INT64, field="count_dtype"),
        ),
        fixed={"nan": NaN.EQUAL},
        outputs=4,
    ),
    _one_hot(1, "an index outside 0..depth-1 has all positions off", (), negative=Negative.INVALID),
    _one_hot(
        16,
        "as OneHot-1; normalize: indices -depth..-1 count from the end",
        (
            Attribute(
                "negative_indices_mode",
                word_of("ignore_negative", "ignore-negative", "normalize", ours=_NEGATIVE),
                default=Negative.INVALID.value,
                field="negative",
            ),
        ),
    ),
    OpenVINORow(
        name="Range",
        since=1,
        rule="three numbers of one type, which is that of the result",
        build=count,
        makes=Range,
        unbuild=_range_fields,
        is_written=False,
        inputs=(
            _number("start", "start", dtype_field="dtype"),
            _number("stop", "limit", same_type="start"),
            _number("step", "delta", same_type="start"),
        ),
    ),
    OpenVINORow(
        name="Range",
        since=4,
        rule="numbers are cast first, toward zero; sums are those of 64 bits",
        build=count,
        makes=Range,
        unbuild=_range_fields,
        inputs=(_number("start", "start"), _number("stop", "limit"), _number("step", "delta")),
        attributes=(Attribute("output_type", ELEMENT_TYPE, field="dtype"),),
    ),
    OpenVINORow(
        name="Eye",
        since=9,
        rule="ones where column - row is diagonal_index, zeros elsewhere; the sizes are those of batch_shape, then "
        "num_rows and num_columns",
        build=Eye.eye,
        makes=Eye,
        unbuild=_eye_fields,
        inputs=(
            _size("num_rows", "rows"),
            _size("num_columns", "columns"),
            _size("diagonal_index", "k"),
            Input("batch_shape", INDEX_TYPES, ndim=(1, 1), field="batch", is_optional=True),
        ),
        attributes=(Attribute("output_type", ELEMENT_TYPE, field="dtype"),),
    ),
    OpenVINORow(
        name="Select",
        since=1,
        rule="all three inputs broadcast as NumPy's do; auto_broadcast none and pdpd are not run",
        build=Where,
        inputs=(Input("cond", frozenset({"bool"})), Input("then", ANY_TYPE), Input("else", ANY_TYPE, same_type="then")),
        attributes=(
            Attribute(
                "auto_broadcast", word_of("numpy", unsupported=("none", "explicit", "pdpd")), "numpy", is_hint=True
            ),
        ),
    ),
    OpenVINORow(
        name="NonZero",
        since=3,
        rule="NaN is not zero; a scalar has one coordinate",
        build=NonZero,
        inputs=(Input("data", _COMPARED - {"string"}, field="data", is_kept=True),),
        attributes=(Attribute("output_type", ELEMENT_TYPE, default=_INT64, field="dtype"),),
        fixed={"scalar": ScalarCoordinates.ONE},
    ),
)
