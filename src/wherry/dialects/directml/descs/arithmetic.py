"""The descriptions of operators that compute each element out of those at its own place."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import SIGNED, T2, T8, T10, WIDE, WIDE64, level
from wherry.dialects.directml.enums import DataType
from wherry.dialects.directml.members import FLOAT
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "ElementWiseAbsOperatorDesc",
    "ElementWiseAddOperatorDesc",
    "ElementWiseClip1OperatorDesc",
    "ElementWiseClipOperatorDesc",
    "ElementWiseDivideOperatorDesc",
    "ElementWiseMaxOperatorDesc",
    "ElementWiseMinOperatorDesc",
    "ElementWiseModulusFloorOperatorDesc",
    "ElementWiseModulusTruncateOperatorDesc",
    "ElementWiseMultiplyOperatorDesc",
    "ElementWiseNegateOperatorDesc",
    "ElementWiseSignOperatorDesc",
    "ElementWiseSubtractOperatorDesc",
]

WRAPS = "integers wrap around, though the page is silent"
REFUSES = "an integer by 0, and the least one by -1, is refused, though the page is silent"
BY_ZERO = "an integer by 0 is refused, though the page is silent"
STAYS = "the least integer stays itself, though the page is silent"
NAN = "NaN if one is NaN, though the page is silent"
NAN_STAYS = "NaN stays, though the page is silent"
BOUNDS = "Min and Max are cut toward zero for integers and brought into their range; NaN stays, and is no bound"
OF_NAN = "of NaN 0, as the page has it; of -0.0 0.0"


@dataclass(frozen=True)
class PairOperatorDesc(OperatorDesc):
    """What the descriptions of two inputs share; what is broadcast has its full size and strides of 0."""

    a_tensor: BufferTensorDesc
    b_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc

    in_place = True


class ElementWiseAddOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] + b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_ADD_OPERATOR_DESC.

    >>> row, one = BufferTensorDesc("INT32", [4]), BufferTensorDesc("INT32", [4], strides=[0])
    >>> ElementWiseAddOperatorDesc(row, one, row).b_tensor.strides
    (0,)
    """

    levels = (
        level("1.0", (4, 5), T2),
        level("2.1", (4, 5), WIDE, WRAPS),
        level("3.0", (1, 8), WIDE, WRAPS),
        level("4.1", (1, 8), WIDE64, WRAPS),
        level("5.1", (1, 8), T10, WRAPS),
    )


class ElementWiseSubtractOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] - b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT32", [4])
    >>> ElementWiseSubtractOperatorDesc(row, row, row).name
    'ELEMENT_WISE_SUBTRACT'
    """

    levels = (
        level("1.0", (4, 4), T2),
        level("2.1", (4, 4), WIDE, WRAPS),
        *ElementWiseAddOperatorDesc.levels[2:],
    )


class ElementWiseMultiplyOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] * b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT64", [4])
    >>> ElementWiseMultiplyOperatorDesc(row, row, row).output_tensor.sizes
    (4,)
    """

    levels = ElementWiseAddOperatorDesc.levels


class ElementWiseDivideOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] / b[c]`, of integers cut toward zero. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT64", [4])
    >>> ElementWiseDivideOperatorDesc(row, row, row).a_tensor.data_type.name
    'INT64'
    """

    levels = (
        level("1.0", (4, 4), T2),
        level("2.1", (4, 4), WIDE, REFUSES),
        level("3.0", (1, 8), WIDE, REFUSES),
        level("5.1", (1, 8), T8, REFUSES),
        level("6.0", (1, 8), T10, REFUSES),
    )


class ElementWiseModulusTruncateOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] - b[c] * trunc(a[c] / b[c])`, with the sign of a. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT8", [4])
    >>> ElementWiseModulusTruncateOperatorDesc(row, row, row).name
    'ELEMENT_WISE_MODULUS_TRUNCATE'
    """

    levels = (
        level("2.1", (4, 4), T8, BY_ZERO),
        level("3.0", (1, 8), T8, BY_ZERO),
        level("6.0", (1, 8), T10, BY_ZERO),
    )


class ElementWiseModulusFloorOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] - b[c] * floor(a[c] / b[c])`, with the sign of b. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT8", [4])
    >>> ElementWiseModulusFloorOperatorDesc(row, row, row).name
    'ELEMENT_WISE_MODULUS_FLOOR'
    """

    levels = ElementWiseModulusTruncateOperatorDesc.levels


class ElementWiseMinOperatorDesc(PairOperatorDesc):
    """`output[c] = min(a[c], b[c])`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_MIN_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT16", [4])
    >>> ElementWiseMinOperatorDesc(row, row, row).name
    'ELEMENT_WISE_MIN'
    """

    levels = (
        level("1.0", (4, 4), T2, NAN),
        level("2.1", (4, 4), T8, NAN),
        level("3.0", (1, 8), T8, NAN),
        level("5.0", (1, 8), T10, NAN),
    )


class ElementWiseMaxOperatorDesc(PairOperatorDesc):
    """`output[c] = max(a[c], b[c])`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_MAX_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT16", [4])
    >>> ElementWiseMaxOperatorDesc(row, row, row).name
    'ELEMENT_WISE_MAX'
    """

    levels = ElementWiseMinOperatorDesc.levels


@dataclass(frozen=True)
class SingleOperatorDesc(OperatorDesc):
    """What the descriptions of one input share."""

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc

    in_place = True


@dataclass(frozen=True)
class ElementWiseAbsOperatorDesc(SingleOperatorDesc):
    """`output[c] = abs(input[c])`; with a `scale_bias`, of `input[c] * Scale + Bias`.

    The output may be bound over the input. Specification: DML_ELEMENT_WISE_ABS_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT16", [4])
    >>> ElementWiseAbsOperatorDesc(row, row).scale_bias is None
    True
    """

    scale_bias: ScaleBias | None = None

    levels = (
        level("1.0", (4, 4), T2),
        level("2.1", (4, 4), SIGNED, STAYS),
        level("3.0", (1, 8), SIGNED, STAYS),
        level("4.1", (1, 8), (*SIGNED, "INT64"), STAYS),
    )


class ElementWiseSignOperatorDesc(SingleOperatorDesc):
    """`output[c]` is 1 where input[c] > 0, -1 where it is less, else 0. The output may be bound over the input.

    Specification: DML_ELEMENT_WISE_SIGN_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT16", [4])
    >>> ElementWiseSignOperatorDesc(row, row).name
    'ELEMENT_WISE_SIGN'
    """

    levels = (
        level("2.0", (4, 4), T2, OF_NAN),
        level("2.1", (4, 4), T8, OF_NAN),
        level("3.0", (1, 8), T8, OF_NAN),
        level("4.1", (1, 8), T10, OF_NAN),
    )


class ElementWiseNegateOperatorDesc(SingleOperatorDesc):
    """`output[c] = -input[c]`. The output may be bound over the input.

    Specification: DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT64", [4])
    >>> ElementWiseNegateOperatorDesc(row, row).name
    'ELEMENT_WISE_NEGATE'
    """

    levels = (level("5.0", (1, 8), (*SIGNED, "INT64"), STAYS),)


@dataclass(frozen=True)
class ElementWiseClipOperatorDesc(SingleOperatorDesc):
    """`output[c] = max(Min, min(input[c], Max))`; with a `scale_bias`, of `input[c] * Scale + Bias`.

    The output may be bound over the input. Specification: DML_ELEMENT_WISE_CLIP_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT32", [4])
    >>> ElementWiseClipOperatorDesc(row, row, None, 0, 6).max
    6.0
    """

    scale_bias: ScaleBias | None
    min: FLOAT
    max: FLOAT

    levels = (
        level("1.0", (4, 4), T2, NAN_STAYS),
        level("2.1", (4, 4), T8, BOUNDS),
        level("3.0", (1, 8), T8, BOUNDS),
        level("5.0", (1, 8), T10, BOUNDS),
    )


@dataclass(frozen=True)
class ElementWiseClip1OperatorDesc(SingleOperatorDesc):
    """CLIP with bounds of the tensors' own type: numbers, or ScalarUnions. The output may be bound over the input.

    Specification: DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT64", [4])
    >>> ElementWiseClip1OperatorDesc(row, row, None, "INT64", -(2**60), 2**60).min.element("INT64")
    np.int64(-1152921504606846976)
    """

    scale_bias: ScaleBias | None
    min_max_data_type: DataType
    min: ScalarUnion
    max: ScalarUnion

    levels = (level("5.0", (1, 8), T10, NAN_STAYS),)
