"""What ConstantOfShape, Range, EyeLike, OneHot, Trilu, NonZero and Unique mean, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry.dialects.onnx.as_node import AsNode, Fields, by_name, waits
from wherry.dialects.onnx.row import FLAG, Limit, Meaning, OnnxRow, Use
from wherry.dialects.onnx.types import by_number, check_member, number_of
from wherry.errors import InvalidValueError
from wherry.graph import Deferred
from wherry.moves import Negative
from wherry.ops import Constant, EyeLike, Fill, NonZero, OneHot, Range, Trilu, Unique
from wherry.ops.fill import constant_of_shape
from wherry.tensors import TensorType


def _constant_of_shape(use: Use) -> Fill | Deferred:
    given = use.attributes["value"]
    value = np.zeros((), np.float32) if given is None else np.asarray(given)
    if value.size != 1:
        raise InvalidValueError(f"value has {value.size} elements, allowed 1")
    tensor_type = TensorType.of(value)
    if not use.row.outputs[0].types.holds(tensor_type):
        check_member("dtype of value", tensor_type.row or tensor_type.dtype, use.row.outputs[0].types)  # type: ignore[arg-type]
    return use.deferred(constant_of_shape, {"sizes": "input"}, Fill, value=Constant(value.reshape(())))


_STASH = (1, 10, 11, 16)
"""The float types of TensorProto.DataType in which Range can be computed."""


def _range(use: Use) -> Range | Deferred:
    names = ("start", "limit", "delta")
    kind = use.types["start"].row
    fields: dict[str, object] = {}
    if "stash_type" in use.attributes and kind is not None and kind.name in ("float16", "bfloat16"):
        fields["compute"] = by_number("stash_type", use.attributes["stash_type"])
    return use.deferred(Range, {name: name for name in names}, **fields)


def _eye_like(use: Use) -> EyeLike:
    number = use.attributes["dtype"]
    dtype = None if number is None else check_member("dtype", by_number("dtype", number), use.row.outputs[0].types)
    return EyeLike(use.attributes["k"], dtype)


def _one_hot(use: Use) -> OneHot | Deferred:
    negative = Negative.INVALID if use.row.since < 11 else Negative.FROM_END
    return use.deferred(OneHot, {"depth": "depth"}, axis=use.attributes["axis"], negative=negative)


def trilu(upper: bool, k: Any = 0) -> Trilu:
    """Return the Trilu that keeps one triangle; see Trilu.triangle."""
    return Trilu.triangle(upper, k)


def _trilu(use: Use) -> Trilu | Deferred:
    return use.deferred(trilu, {"k": "k"}, Trilu, upper=bool(use.attributes["upper"]))


def _nonzero(use: Use) -> NonZero | Deferred:
    return use.deferred(NonZero, {"data": "X"})


def _unique(use: Use) -> Unique | Deferred:
    return use.deferred(Unique, {"data": "X"}, axis=use.attributes["axis"], sorted=bool(use.attributes["sorted"]))


MEANINGS = {
    "ConstantOfShape": (
        Meaning(9, "one value everywhere, 0.0 of float32 by default; no size is negative", _constant_of_shape),
    ),
    "Range": (
        Meaning(
            11,
            "max(ceil((limit - start) / delta), 0) numbers start + i * delta; a delta of 0 is an error",
            _range,
        ),
        Meaning(
            27,
            "adds float16 and bfloat16, computed in stash_type",
            _range,
            {"stash_type": Limit(allowed=_STASH, is_element_type=True)},
        ),
    ),
    "EyeLike": (
        Meaning(
            9,
            "1 where column - row is k, else 0; sizes, and type by default, from the input",
            _eye_like,
            {"dtype": Limit(is_element_type=True)},
        ),
    ),
    "OneHot": (
        Meaning(9, "an index outside 0..depth-1 has all positions off; indices and depth are cast to int64", _one_hot),
        Meaning(11, "a negative index counts from the end once", _one_hot),
    ),
    "Trilu": (
        Meaning(14, "upper keeps column - row >= k, lower column - row <= k; the rest is 0", _trilu, {"upper": FLAG}),
    ),
    "NonZero": (
        Meaning(9, "coordinates as rows, in row-major order; of a scalar there are none; NaN is not zero", _nonzero),
    ),
    "Unique": (
        Meaning(
            11,
            "elements, or slices along the axis, ascending or in order of occurrence; all NaN are one value and sort "
            "last, -0.0 is 0.0, both of which the text leaves open",
            _unique,
            {"sorted": FLAG},
        ),
    ),
}


def _fill_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    value = fields["value"].value if isinstance(fields["value"], Constant) else fields["value"]
    return AsNode({"value": value.reshape(1), "input": fields["sizes"]})


def _range_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    values = {name: fields.get(name) for name in ("start", "limit", "delta")}
    compute, dtype = fields.get("compute"), fields.get("dtype")
    if compute is not None and compute != dtype:
        values["stash_type"] = number_of(compute)
    if waits(fields) or dtype is None or fields["limit"] is None:
        return AsNode(values)
    return AsNode(values | {name: fields[name].astype(dtype.numpy) for name in ("start", "limit", "delta")})


def _eye_like_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    return AsNode({"k": fields["k"], "dtype": None if fields["dtype"] is None else number_of(fields["dtype"])})


def _band_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Trilu, which zeroes all on one side of a diagonal."""
    begin, end = fields["begin"], fields["end"]
    upper = begin is None
    k = end if upper else None if begin is None else begin - 1
    return AsNode({"upper": upper, "k": k})


def _trilu_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    return AsNode({"upper": fields["upper"], "k": fields.get("k")})


TO_NODES = {
    Fill: (("ConstantOfShape", _fill_to_node),),
    constant_of_shape: (("ConstantOfShape", _fill_to_node),),
    Range: (("Range", _range_to_node),),
    EyeLike: (("EyeLike", _eye_like_to_node),),
    OneHot: (("OneHot", by_name("depth", "axis")),),
    Trilu: (("Trilu", _band_to_node),),
    trilu: (("Trilu", _trilu_to_node),),
    NonZero: (("NonZero", by_name(data="X")),),
    Unique: (("Unique", by_name("axis", "sorted", data="X")),),
}
