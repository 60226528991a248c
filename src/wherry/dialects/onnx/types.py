"""The sets of element types that ONNX schemas name, each called after the first opset that uses it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from wherry import dtypes
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, UnsupportedError, invalid
from wherry.tensors import TensorType


@dataclass(frozen=True)
class TypeSet:
    """Element types that an input or output may have, in the order of the table of element types."""

    members: tuple[DType, ...]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(dtype.name for dtype in self.members)

    def holds(self, kind: TensorType) -> bool:
        """Whether a tensor of type `kind` has one of these element types, or may have."""
        if kind.dtype is dtypes.UNKNOWN:
            return True
        return isinstance(kind.dtype, DType) and kind.dtype.name in self._names

    def __str__(self) -> str:
        return ", ".join(dtype.name for dtype in self.members)


def type_set(*names: str) -> TypeSet:
    """Return the set of the element types with these names.

    >>> print(type_set("int64", "int32"))
    int32, int64
    """
    wanted = {dtypes.find(name).name for name in names}
    return TypeSet(tuple(dtype for dtype in dtypes.TABLE if dtype.name in wanted))


def new_types(before: Iterable[TypeSet], after: Iterable[TypeSet]) -> str:
    """Return in words the element types that some of the sets after have and none before; the empty string for none.

    >>> new_types([type_set("int32")], [type_set("int32"), type_set("bfloat16", "int4", "uint4")])
    'bfloat16, int4 and uint4'
    """
    old = {dtype.name for types in before for dtype in types.members}
    new = {dtype.name for types in after for dtype in types.members} - old
    *others, last = [dtype.name for dtype in dtypes.TABLE if dtype.name in new] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def with_types(base: TypeSet, *names: str) -> TypeSet:
    """Return a set with the element types of these names too."""
    return type_set(*(dtype.name for dtype in base.members), *names)


def without(base: TypeSet, *names: str) -> TypeSet:
    """Return a set without the element types of these names."""
    return type_set(*(dtype.name for dtype in base.members if dtype.name not in names))


FLOATS_1 = type_set("float16", "float32", "float64")
ALL_1 = with_types(
    FLOATS_1, "bool", "string", "complex64", "complex128",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
)  # fmt: skip
ALL_13 = with_types(ALL_1, "bfloat16")
ALL_19 = with_types(ALL_13, "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
ALL_21 = with_types(ALL_19, "int4", "uint4")
ALL_23 = with_types(ALL_21, "float4_e2m1fn")
ALL_24 = with_types(ALL_23, "float8_e8m0fnu")
ALL_25 = with_types(ALL_24, "int2", "uint2")
ALL = {1: ALL_1, 13: ALL_13, 19: ALL_19, 21: ALL_21, 23: ALL_23, 24: ALL_24, 25: ALL_25}
"""The sets of all element types, by the first opset with each."""

NEW = {
    13: "adds bfloat16", 19: "adds four float8 types", 21: "adds int4 and uint4", 23: "adds float4_e2m1fn",
    24: "adds float8_e8m0fnu", 25: "adds int2 and uint2",
}  # fmt: skip
"""What each of these sets brings."""

NUMBERS_1 = without(ALL_1, "bool", "string", "complex64", "complex128")
INDICES = type_set("int32", "int64")
LENGTHS = type_set("int64")
BOOL = type_set("bool")

_BY_NUMBER = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
    17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2",
}  # fmt: skip
"""The numbers of TensorProto.DataType (onnx.proto) that are element types here; 27 and 28 have 6 bits."""


def by_number(field: str, number: int) -> DType:
    """Return the element type with a number of TensorProto.DataType. Raises InvalidValueError where there is none."""
    if number not in _BY_NUMBER:
        raise invalid(field, number, f"numbers of TensorProto.DataType, {min(_BY_NUMBER)}..{max(_BY_NUMBER)}")
    return dtypes.find(_BY_NUMBER[number])


def number_of(dtype: DType) -> int:
    """Return the number of TensorProto.DataType of an element type that ONNX has."""
    for number, name in _BY_NUMBER.items():
        if name == dtype.name:
            return number
    raise UnsupportedError(f"ONNX has no element type {dtype}")


def check_member(field: str, dtype: DType, types: TypeSet) -> DType:
    """Return the element type if the set has it. Raises InvalidTypeError otherwise."""
    if dtype not in types.members:
        raise InvalidTypeError(f"{field} is {dtype}, allowed {types}")
    return dtype
