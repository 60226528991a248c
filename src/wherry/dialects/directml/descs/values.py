"""The descriptions of operators that make values, or find them."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import (
    FROM_FRONT,
    NO_ON_VALUE,
    T2,
    T8,
    T10,
    T11,
    UINT32,
    indexed,
    level,
    support,
)
from wherry.dialects.directml.enums import DataType
from wherry.dialects.directml.members import FLOAT, INT, UINT
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "DiagonalMatrix1OperatorDesc",
    "DiagonalMatrixOperatorDesc",
    "FillValueConstantOperatorDesc",
    "FillValueSequenceOperatorDesc",
    "NonzeroCoordinatesOperatorDesc",
    "OneHotOperatorDesc",
]

RUNNING_SUM = "the delta is added again and again in the type; integers wrap"
UNDEFINED = "rows from the count on are undefined; here they are zero"


@dataclass(frozen=True)
class FillValueConstantOperatorDesc(OperatorDesc):
    """`output[c] = value`; there is no input. `value` is a number of the given type, or a ScalarUnion.

    Specification: DML_FILL_VALUE_CONSTANT_OPERATOR_DESC.

    >>> FillValueConstantOperatorDesc(BufferTensorDesc("INT16", [2, 2]), "INT16", -7).value.element("INT16")
    np.int16(-7)
    """

    output_tensor: BufferTensorDesc
    value_data_type: DataType
    value: ScalarUnion

    levels = (
        level("2.1", (4, 4), T8),
        level("4.0", (1, 8), T8),
        level("4.1", (1, 8), T11),
    )


@dataclass(frozen=True)
class FillValueSequenceOperatorDesc(OperatorDesc):
    """The elements in row-major order are `value_start`, and each the one before plus `value_delta`, in their type.

    Integers wrap; a delta that the type cannot hold, such as -2 of UINT8, is written as it wraps, 254.
    Specification: DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC.

    >>> FillValueSequenceOperatorDesc(BufferTensorDesc("UINT8", [4]), "UINT8", 10, 254).value_delta.element("INT8")
    np.int8(-2)
    """

    output_tensor: BufferTensorDesc
    value_data_type: DataType
    value_start: ScalarUnion
    value_delta: ScalarUnion

    levels = (
        level("2.1", (4, 4), T8, RUNNING_SUM),
        level("4.0", (1, 8), T8, RUNNING_SUM),
        level("5.0", (1, 8), T10, RUNNING_SUM),
    )


@dataclass(frozen=True)
class DiagonalMatrixOperatorDesc(OperatorDesc):
    """`output[.., y, x] = value if y + offset == x else 0`; there is no input.

    `value` is a float32, cut toward zero for integers. Specification: DML_DIAGONAL_MATRIX_OPERATOR_DESC.

    >>> DiagonalMatrixOperatorDesc(BufferTensorDesc("FLOAT32", [3, 2]), offset=-1, value=1).value
    1.0
    """

    output_tensor: BufferTensorDesc
    offset: INT
    value: FLOAT

    levels = (
        level("2.0", (4, 4), T2),
        level("2.1", (4, 4), T8),
        level("4.0", (2, 4), T8),
        level("5.1", (2, 4), T11),
    )


@dataclass(frozen=True)
class DiagonalMatrix1OperatorDesc(OperatorDesc):
    """The diagonals `begin <= x - y < end` filled with a value, the rest from the input, or 0 without one.

    Where begin is greater than end, all but `end <= x - y < begin` is filled; where they are equal, nothing.
    Specification: DML_DIAGONAL_MATRIX1_OPERATOR_DESC.

    >>> DiagonalMatrix1OperatorDesc(None, BufferTensorDesc("FLOAT32", [4, 5]), "FLOAT32", 7, 0, 3).diagonal_fill_end
    3
    """

    input_tensor: BufferTensorDesc | None
    output_tensor: BufferTensorDesc
    value_data_type: DataType
    value: ScalarUnion
    diagonal_fill_begin: INT
    diagonal_fill_end: INT

    levels = (level("5.1", (2, 4), T11, "where Begin is greater than End, all but End..Begin-1 is filled"),)


@dataclass(frozen=True)
class OneHotOperatorDesc(OperatorDesc):
    """`output[c] = on if indices[c with c[axis] = 0] == c[axis] else off`; indices have size 1 on `axis`.

    The first of the values is off; the second one along their last dimension longer than 1 is on. An index outside the
    axis has no on; from feature level 3_0 on, negative ones of a signed type count from its end.
    Specification: DML_ONE_HOT_OPERATOR_DESC.

    >>> pick, values = BufferTensorDesc("INT32", [3, 1]), BufferTensorDesc("FLOAT32", [1, 2])
    >>> OneHotOperatorDesc(pick, values, BufferTensorDesc("FLOAT32", [3, 4]), axis=1).output_tensor.sizes
    (3, 4)
    """

    indices_tensor: BufferTensorDesc
    values_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT

    levels = (
        level("2.0", (4, 4), T2, FROM_FRONT + NO_ON_VALUE, indices_tensor=UINT32),
        *indexed(NO_ON_VALUE),
    )


@dataclass(frozen=True)
class NonzeroCoordinatesOperatorDesc(OperatorDesc):
    """The coordinates of all elements that are not zero, in row-major order, one row each; and their number.

    Coordinates have the sizes `[1.., M, N]`: M elements of the input, the last N coordinates of each. Both zeros of a
    float are zero, NaN is not. DirectML leaves rows from the count on undefined; here they are zero.
    Specification: DML_NONZERO_COORDINATES_OPERATOR_DESC.

    >>> data, count = BufferTensorDesc("FLOAT32", [2, 4]), BufferTensorDesc("UINT32", [1, 1])
    >>> NonzeroCoordinatesOperatorDesc(data, count, BufferTensorDesc("UINT32", [8, 2])).output_count_tensor.sizes
    (1, 1)
    """

    input_tensor: BufferTensorDesc
    output_count_tensor: BufferTensorDesc
    output_coordinates_tensor: BufferTensorDesc

    levels = (
        level("3.0", (4, 5), T8, UNDEFINED, output_count_tensor=UINT32, output_coordinates_tensor=UINT32),
        level(
            "4.0",
            (1, 8),
            T8,
            UNDEFINED,
            output_count_tensor=UINT32,
            output_coordinates_tensor=support((2, 8), UINT32),
        ),
    )
