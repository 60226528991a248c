"""Scalars in JSON: numbers that JSON lacks, and the two forms of DML_SCALAR_UNION."""

from __future__ import annotations

import math

from wherry.dialects.directml.dxdispatch.values import BadValue, as_element
from wherry.dialects.directml.enums import DataType
from wherry.dialects.directml.scalar_union import ScalarUnion, as_union
from wherry.errors import InvalidValueError

_UNION_MEMBERS = {
    DataType.INT8: "Int8",
    DataType.UINT8: "UInt8",
    DataType.INT16: "Int16",
    DataType.UINT16: "UInt16",
    DataType.INT32: "Int32",
    DataType.UINT32: "UInt32",
    DataType.INT64: "Int64",
    DataType.UINT64: "UInt64",
    DataType.FLOAT32: "Float32",
    DataType.FLOAT64: "Float64",
    DataType.FLOAT16: "UInt16",
}
"""The member of the union for each type; the bits of a half lie in UInt16."""


def number(value: float) -> float | str:
    """Return a number as JSON writes it: infinities and NaN as words."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read(value: object, data_type: DataType) -> ScalarUnion:
    """Return the union that a number, or an object of one member, is. Raises BadValue.

    A number is read as `data_type`; words such as "inf" stand in the object form only.
    """
    if not isinstance(value, dict):
        return as_union("", as_element(value, data_type), data_type)
    member = _UNION_MEMBERS.get(data_type)
    if member is None:
        raise BadValue(f"has the type {data_type.name}, allowed a type of 8 bits and more")
    if list(value) != [member]:
        raise BadValue(f"has {', '.join(map(repr, value)) or 'no member'}, allowed {member!r} alone, the member of the "
                       f"union for {data_type.name}")  # fmt: skip
    inner = _stored_as(data_type)
    return as_union("", as_element(value[member], inner), inner)


def written(field: str, union: ScalarUnion, data_type: DataType) -> object:
    """Return a union as a number where that keeps its bits, else as an object; the reverse of `read`.

    Raises InvalidValueError for a NaN whose bits no JSON number tells.
    """
    inner = _stored_as(data_type)
    forms: list[object] = [{_UNION_MEMBERS[data_type]: number(union.element(inner).item())}]
    value = union.element(data_type).item()
    if isinstance(value, int) or math.isfinite(value):
        forms.insert(0, value)
    for form in forms:
        try:
            same = read(form, data_type).content[: data_type.bits // 8] == union.content[: data_type.bits // 8]
        except BadValue:
            continue
        if same:
            return form
    raise InvalidValueError(f"{field} is a NaN with the bits {union.content.hex()}, which JSON cannot hold")


def _stored_as(data_type: DataType) -> DataType:
    return DataType.UINT16 if data_type is DataType.FLOAT16 else data_type
