"""The shape rules of the operators that make values, or find them."""

from __future__ import annotations

import math

from wherry.dialects.directml import descs
from wherry.dialects.directml.shapes.common import (
    check_axis,
    check_float_value,
    check_sizes,
    check_type,
    right_aligned,
)
from wherry.errors import invalid
from wherry.faults import Faults


def check_fill(desc: descs.FillValueConstantOperatorDesc | descs.FillValueSequenceOperatorDesc, faults: Faults) -> None:
    """DML_FILL_VALUE_CONSTANT_OPERATOR_DESC and FILL_VALUE_SEQUENCE: the value has the output's type."""
    check_type("ValueDataType", desc.value_data_type, desc.output_tensor)


def check_diagonal_matrix(desc: descs.DiagonalMatrixOperatorDesc, faults: Faults) -> None:
    """DML_DIAGONAL_MATRIX_OPERATOR_DESC: a value that an integer type can hold."""
    check_float_value("Value", desc.value, desc.output_tensor.data_type)


def check_diagonal_matrix1(desc: descs.DiagonalMatrix1OperatorDesc, faults: Faults) -> None:
    """DML_DIAGONAL_MATRIX1_OPERATOR_DESC: the value has the output's type; an input has its sizes."""
    faults.of(check_type, "ValueDataType", desc.value_data_type, desc.output_tensor)
    if desc.input_tensor is not None:
        check_sizes("OutputTensor", desc.output_tensor, desc.input_tensor.sizes, "those of InputTensor")


def check_one_hot(desc: descs.OneHotOperatorDesc, faults: Faults) -> None:
    """DML_ONE_HOT_OPERATOR_DESC: the indices have the output's sizes but 1 on Axis; two values and more."""
    sizes = list(desc.output_tensor.sizes)
    faults.of(check_axis, desc.axis, len(sizes))
    if not faults:
        sizes[desc.axis] = 1
        faults.of(check_sizes, "IndicesTensor", desc.indices_tensor, sizes,
                  f"those of OutputTensor, but 1 on dimension {desc.axis}, Axis")  # fmt: skip
    values = desc.values_tensor.sizes
    if math.prod(values) < 2:
        raise invalid("ValuesTensor.Sizes", list(values), "2 elements and more", "the first is off, the second on")


def check_nonzero_coordinates(desc: descs.NonzeroCoordinatesOperatorDesc, faults: Faults) -> None:
    """DML_NONZERO_COORDINATES_OPERATOR_DESC: a scalar, and a row of coordinates for each element of the input."""
    sizes = desc.input_tensor.sizes
    count = len(sizes)
    faults.of(check_sizes, "OutputCountTensor", desc.output_count_tensor, [1] * count, "a scalar")
    columns = desc.output_coordinates_tensor.sizes[-1]
    effective = next((count - number for number, size in enumerate(sizes) if size != 1), 0)
    if not effective <= columns <= count:
        raise invalid(f"OutputCoordinatesTensor.Sizes[{count - 1}]", columns, f"{max(effective, 1)}..{count}",
                      "from the input's rank without leading ones up to its DimensionCount")  # fmt: skip
    check_sizes("OutputCoordinatesTensor", desc.output_coordinates_tensor,
                right_aligned((math.prod(sizes), columns), count),
                "a row for each element of the input, in case that none is zero")  # fmt: skip
