"""DirectML's enumerations with their values, and how each may be spelled."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TypeVar

from wherry import dtypes
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, invalid, short

Flags = TypeVar("Flags", bound=IntFlag)
N = TypeVar("N", bound="Number")


class DataType(IntEnum):
    """DML_TENSOR_DATA_TYPE. UNKNOWN is never valid in a tensor; the 4-bit types exist from feature level 6_3 on."""

    UNKNOWN = 0
    FLOAT32 = 1
    FLOAT16 = 2
    UINT32 = 3
    UINT16 = 4
    UINT8 = 5
    INT32 = 6
    INT16 = 7
    INT8 = 8
    FLOAT64 = 9
    UINT64 = 10
    INT64 = 11
    UINT4 = 12
    INT4 = 13

    @property
    def dtype(self) -> DType | None:
        """The row of the table of element types; None for UNKNOWN."""
        return dtypes.by_spelling("directml").get(self.name)

    @property
    def bits(self) -> int:
        """The width of an element; 0 for UNKNOWN."""
        return self.dtype.bits if self.dtype else 0


class TensorFlags(IntFlag):
    """DML_TENSOR_FLAGS. OWNED_BY_DML: the data of an input is taken once, when the operator is initialised."""

    NONE = 0
    OWNED_BY_DML = 1


class ExecutionFlags(IntFlag):
    """DML_EXECUTION_FLAGS: allowances for a device; none of them changes a result here."""

    NONE = 0
    ALLOW_HALF_PRECISION_COMPUTATION = 1
    DISABLE_META_COMMANDS = 2
    DESCRIPTORS_VOLATILE = 4


class FeatureLevel(IntEnum):
    """DML_FEATURE_LEVEL; each level holds all that lower ones do.

    >>> print(FeatureLevel(0x3000))
    3.0
    """

    LEVEL_1_0 = 0x1000
    LEVEL_2_0 = 0x2000
    LEVEL_2_1 = 0x2100
    LEVEL_3_0 = 0x3000
    LEVEL_3_1 = 0x3100
    LEVEL_4_0 = 0x4000
    LEVEL_4_1 = 0x4100
    LEVEL_5_0 = 0x5000
    LEVEL_5_1 = 0x5100
    LEVEL_5_2 = 0x5200
    LEVEL_6_0 = 0x6000
    LEVEL_6_1 = 0x6100
    LEVEL_6_2 = 0x6200
    LEVEL_6_3 = 0x6300
    LEVEL_6_4 = 0x6400

    def __str__(self) -> str:
        return self.name.removeprefix("LEVEL_").replace("_", ".")


class OperatorType(IntEnum):
    """DML_OPERATOR_TYPE: the values of the operators in `schema.SCHEMA`, counted from the header's list."""

    ELEMENT_WISE_IDENTITY = 1
    ELEMENT_WISE_ABS = 2
    ELEMENT_WISE_ADD = 4
    ELEMENT_WISE_CLIP = 8
    ELEMENT_WISE_DIVIDE = 10
    ELEMENT_WISE_LOGICAL_AND = 14
    ELEMENT_WISE_LOGICAL_EQUALS = 15
    ELEMENT_WISE_LOGICAL_GREATER_THAN = 16
    ELEMENT_WISE_LOGICAL_LESS_THAN = 17
    ELEMENT_WISE_LOGICAL_NOT = 18
    ELEMENT_WISE_LOGICAL_OR = 19
    ELEMENT_WISE_LOGICAL_XOR = 20
    ELEMENT_WISE_MAX = 21
    ELEMENT_WISE_MIN = 23
    ELEMENT_WISE_MULTIPLY = 24
    ELEMENT_WISE_SUBTRACT = 30
    ACTIVATION_IDENTITY = 38
    REDUCE = 55
    SLICE = 60
    CAST = 61
    SPLIT = 62
    JOIN = 63
    PADDING = 64
    GATHER = 67
    SPACE_TO_DEPTH = 68
    DEPTH_TO_SPACE = 69
    TILE = 70
    ELEMENT_WISE_SIGN = 79
    ELEMENT_WISE_IF = 88
    DIAGONAL_MATRIX = 93
    SCATTER = 94
    SCATTER_ELEMENTS = 94
    ONE_HOT = 95
    ELEMENT_WISE_MODULUS_TRUNCATE = 101
    ELEMENT_WISE_MODULUS_FLOOR = 102
    FILL_VALUE_CONSTANT = 103
    FILL_VALUE_SEQUENCE = 104
    CUMULATIVE_SUMMATION = 105
    REVERSE_SUBSEQUENCES = 106
    GATHER_ELEMENTS = 107
    GATHER_ND = 108
    SCATTER_ND = 109
    SLICE1 = 111
    DEPTH_TO_SPACE1 = 113
    SPACE_TO_DEPTH1 = 114
    ELEMENT_WISE_BIT_AND = 121
    ELEMENT_WISE_BIT_OR = 122
    ELEMENT_WISE_BIT_XOR = 123
    ELEMENT_WISE_BIT_NOT = 124
    ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL = 126
    ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL = 127
    NONZERO_COORDINATES = 133
    ARGMIN = 137
    ARGMAX = 138
    GATHER_ND1 = 140
    CUMULATIVE_PRODUCT = 145
    ELEMENT_WISE_CLIP1 = 153
    PADDING1 = 155
    ELEMENT_WISE_NEGATE = 156
    DIAGONAL_MATRIX1 = 163
    FOLD = 176
    UNFOLD = 177


class Number(IntEnum):
    """An enumeration that members of operators' structs are of."""

    @property
    def since(self) -> FeatureLevel:
        """The first feature level that knows the number, where the operator is known."""
        return _NUMBERS_SINCE.get(self.name, FeatureLevel.LEVEL_1_0)


class PaddingMode(Number):
    """DML_PADDING_MODE: what stands around the input."""

    CONSTANT = 0
    EDGE = 1
    REFLECTION = 2
    SYMMETRIC = 3
    WRAP = 4


class DepthSpaceOrder(Number):
    """DML_DEPTH_SPACE_ORDER: whether a depth channel counts places in the block first, or channels of space first."""

    DEPTH_COLUMN_ROW = 0
    COLUMN_ROW_DEPTH = 1


class AxisDirection(Number):
    """DML_AXIS_DIRECTION: whether an axis is walked from its first position on, or from its last one back."""

    INCREASING = 0
    DECREASING = 1


class ReductionFunction(Number):
    """DML_REDUCE_FUNCTION: what is made of all elements along axes."""

    ARGMAX = 0
    ARGMIN = 1
    AVERAGE = 2
    L1 = 3
    L2 = 4
    LOG_SUM = 5
    LOG_SUM_EXP = 6
    MAX = 7
    MIN = 8
    MULTIPLY = 9
    SUM = 10
    SUM_SQUARE = 11


_FLAG_PREFIXES = {TensorFlags: "DML_TENSOR_FLAG_", ExecutionFlags: "DML_EXECUTION_FLAG_"}
_NUMBERS_SINCE = {"SYMMETRIC": FeatureLevel.LEVEL_3_0, "WRAP": FeatureLevel.LEVEL_6_4}
_NUMBER_PREFIXES: dict[type[Number], str] = {
    PaddingMode: "DML_PADDING_MODE_",
    DepthSpaceOrder: "DML_DEPTH_SPACE_ORDER_",
    AxisDirection: "DML_AXIS_DIRECTION_",
    ReductionFunction: "DML_REDUCE_FUNCTION_",
}
_BY_DTYPE = {member.dtype: member for member in DataType if member.dtype}


def as_data_type(value: object) -> DataType:
    """Return the data type that `value` is: DirectML's name with or without its prefix, its number, or a dtype.

    Raises InvalidTypeError for a type that DirectML lacks.

    >>> as_data_type("DML_TENSOR_DATA_TYPE_FLOAT16") is as_data_type(2) is as_data_type("float16")
    True
    """
    if isinstance(value, str) and value.removeprefix("DML_TENSOR_DATA_TYPE_") in DataType.__members__:
        return DataType[value.removeprefix("DML_TENSOR_DATA_TYPE_")]
    if isinstance(value, int) and not isinstance(value, bool) and value in set(DataType):
        return DataType(value)
    try:
        found = _BY_DTYPE.get(dtypes.find(value))
    except InvalidTypeError:
        found = None
    if found is None:
        raise InvalidTypeError(f"DataType is {short(value)}, allowed {', '.join(DataType.__members__)}")
    return found


def as_flags(field: str, value: object, allowed: type[Flags]) -> Flags:
    """Return the flags that `value` is: one name, several names, or a number.

    >>> as_flags("Flags", "DML_TENSOR_FLAG_OWNED_BY_DML", TensorFlags).name
    'OWNED_BY_DML'
    """
    names = ", ".join(allowed.__members__)
    if isinstance(value, (list, tuple, set, frozenset)):
        total = allowed(0)
        for entry in value:
            if isinstance(entry, (list, tuple, set, frozenset)):
                raise invalid(field, short(value), names)
            total |= as_flags(field, entry, allowed)
        return total
    if isinstance(value, str):
        name = value.removeprefix(_FLAG_PREFIXES[allowed])
        if name not in allowed.__members__:
            raise invalid(field, short(value), names)
        return allowed[name]
    if not isinstance(value, int) or value & ~sum(member.value for member in allowed):
        raise invalid(field, short(value), names)
    return allowed(value)


def as_number(field: str, value: object, numbers: type[N]) -> N:
    """Return the member of an enumeration that `value` is: its name with or without its prefix, or its number.

    >>> as_number("PaddingMode", "DML_PADDING_MODE_EDGE", PaddingMode) is as_number("PaddingMode", 1, PaddingMode)
    True
    """
    if isinstance(value, str) and value.removeprefix(_NUMBER_PREFIXES[numbers]) in numbers.__members__:
        return numbers[value.removeprefix(_NUMBER_PREFIXES[numbers])]
    if isinstance(value, int) and not isinstance(value, bool) and value in set(numbers):
        return numbers(value)
    raise invalid(field, short(value), ", ".join(numbers.__members__))


def as_feature_level(value: object) -> FeatureLevel:
    """Return the feature level that `value` is: '3.0', '3_0', 'DML_FEATURE_LEVEL_3_0', or 0x3000.

    Raises InvalidValueError for anything else.

    >>> as_feature_level("DML_FEATURE_LEVEL_4_1") is as_feature_level("4.1") is as_feature_level(0x4100)
    True
    """
    if isinstance(value, str):
        name = "LEVEL_" + value.removeprefix("DML_FEATURE_LEVEL_").replace(".", "_")
        if name in FeatureLevel.__members__:
            return FeatureLevel[name]
    elif isinstance(value, int) and value in set(FeatureLevel):
        return FeatureLevel(value)
    raise invalid("feature_level", short(value), ", ".join(map(str, FeatureLevel)))
