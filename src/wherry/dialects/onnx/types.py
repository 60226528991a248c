"""The sets of element types that ONNX schemas name, each called after the first opset that uses it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wherry import dtypes
from wherry.dtypes import DType
from wherry.tensors import TensorType


@dataclass(frozen=True)
class TypeSet:
    """Element types that an input or output may have, in the order of the table of element types."""

    members: tuple[DType, ...]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(dtype.name for dtype in self.members)

    def holds(self, kind: TensorType) -> bool:
        """Whether a tensor of type `kind` has one of these element types."""
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


def _more(base: TypeSet, *names: str) -> TypeSet:
    return type_set(*(dtype.name for dtype in base.members), *names)


FLOATS_1 = type_set("float16", "float32", "float64")
ALL_1 = _more(
    FLOATS_1, "bool", "string", "complex64", "complex128",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
)  # fmt: skip
ALL_13 = _more(ALL_1, "bfloat16")
ALL_19 = _more(ALL_13, "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
ALL_21 = _more(ALL_19, "int4", "uint4")
ALL_23 = _more(ALL_21, "float4_e2m1fn")
ALL_24 = _more(ALL_23, "float8_e8m0fnu")
ALL_25 = _more(ALL_24, "int2", "uint2")
INDICES = type_set("int32", "int64")
LENGTHS = type_set("int64")
