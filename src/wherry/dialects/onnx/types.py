"""Sets of element types, and the numbers of element types in ONNX."""

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
    def names(self) -> frozenset[str]:
        """The names of the element types."""
        return frozenset(dtype.name for dtype in self.members)

    def holds(self, tensor_type: TensorType) -> bool:
        """Whether a tensor of type `kind` has one of these element types, or may have."""
        if tensor_type.dtype is dtypes.UNKNOWN:
            return True
        return isinstance(tensor_type.dtype, DType) and tensor_type.dtype.name in self.names

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
    new = frozenset().union(*(types.names for types in after)).difference(*(types.names for types in before))
    *others, last = [dtype.name for dtype in dtypes.TABLE if dtype.name in new] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def with_types(base: TypeSet, *names: str) -> TypeSet:
    """Return a set with the element types of these names too."""
    return type_set(*(dtype.name for dtype in base.members), *names)


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
