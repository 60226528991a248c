"""The descriptions of operators that compare, and of logical operators of truth and of bits."""

from __future__ import annotations

from wherry.dialects.directml.descs.arithmetic import PairOperatorDesc, SingleOperatorDesc
from wherry.dialects.directml.descs.levels import T2, T8, T10, T11, TRUTH, UINT32, level
from wherry.dialects.directml.tensor_desc import BufferTensorDesc  # noqa: F401  for the examples

__all__ = [
    "ElementWiseBitAndOperatorDesc",
    "ElementWiseBitNotOperatorDesc",
    "ElementWiseBitOrOperatorDesc",
    "ElementWiseBitXorOperatorDesc",
    "ElementWiseLogicalAndOperatorDesc",
    "ElementWiseLogicalEqualsOperatorDesc",
    "ElementWiseLogicalGreaterThanOperatorDesc",
    "ElementWiseLogicalGreaterThanOrEqualOperatorDesc",
    "ElementWiseLogicalLessThanOperatorDesc",
    "ElementWiseLogicalLessThanOrEqualOperatorDesc",
    "ElementWiseLogicalNotOperatorDesc",
    "ElementWiseLogicalOrOperatorDesc",
    "ElementWiseLogicalXorOperatorDesc",
]

ORDERED = "false where one is NaN, though the page is silent"
TRUE = "every number but 0 is true, though the page is silent"
BITS = ("UINT32", "UINT16", "UINT8")

COMPARED = (
    level("1.0", (4, 4), T2, ORDERED, output_tensor=UINT32),
    level("2.0", (4, 4), T2, ORDERED, output_tensor=TRUTH),
    level("2.1", (4, 4), T8, ORDERED, output_tensor=TRUTH),
    level("3.0", (1, 8), T8, ORDERED, output_tensor=TRUTH),
    level("4.1", (1, 8), T10, ORDERED, output_tensor=TRUTH),
)
TRUTHS = (
    level("1.0", (4, 4), UINT32, TRUE),
    level("2.0", (4, 4), TRUTH, TRUE),
    level("3.0", (1, 8), TRUTH, TRUE),
)
BITWISE = (level("3.0", (1, 8), BITS), level("4.1", (1, 8), T11, "of floats too, the bits alone count"))


class ElementWiseLogicalEqualsOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] == b[c] else 0`. Specification: DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT32", [4])
    >>> ElementWiseLogicalEqualsOperatorDesc(row, row, BufferTensorDesc("UINT8", [4])).output_tensor.data_type.name
    'UINT8'
    """

    levels = COMPARED
    in_place = False


class ElementWiseLogicalGreaterThanOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] > b[c] else 0`. Specification: DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT32", [4])
    >>> ElementWiseLogicalGreaterThanOperatorDesc(row, row, BufferTensorDesc("UINT8", [4])).in_place
    False
    """

    levels = COMPARED
    in_place = False


class ElementWiseLogicalLessThanOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] < b[c] else 0`. Specification: DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT32", [4])
    >>> ElementWiseLogicalLessThanOperatorDesc(row, row, BufferTensorDesc("UINT8", [4])).in_place
    False
    """

    levels = COMPARED
    in_place = False


class ElementWiseLogicalGreaterThanOrEqualOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] >= b[c] else 0`.

    Specification: DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT8", [4])
    >>> ElementWiseLogicalGreaterThanOrEqualOperatorDesc(row, row, BufferTensorDesc("UINT8", [4])).in_place
    False
    """

    levels = COMPARED[3:]
    in_place = False


class ElementWiseLogicalLessThanOrEqualOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] <= b[c] else 0`.

    Specification: DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC.

    >>> row = BufferTensorDesc("INT8", [4])
    >>> ElementWiseLogicalLessThanOrEqualOperatorDesc(row, row, BufferTensorDesc("UINT8", [4])).in_place
    False
    """

    levels = COMPARED[3:]
    in_place = False


class ElementWiseLogicalAndOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] and b[c] else 0`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseLogicalAndOperatorDesc(row, row, row).name
    'ELEMENT_WISE_LOGICAL_AND'
    """

    levels = TRUTHS


class ElementWiseLogicalOrOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if a[c] or b[c] else 0`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseLogicalOrOperatorDesc(row, row, row).name
    'ELEMENT_WISE_LOGICAL_OR'
    """

    levels = TRUTHS


class ElementWiseLogicalXorOperatorDesc(PairOperatorDesc):
    """`output[c] = 1 if either a[c] or b[c] else 0`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseLogicalXorOperatorDesc(row, row, row).name
    'ELEMENT_WISE_LOGICAL_XOR'
    """

    levels = TRUTHS


class ElementWiseLogicalNotOperatorDesc(SingleOperatorDesc):
    """`output[c] = 0 if input[c] else 1`. The output may be bound over the input.

    Specification: DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT32", [4])
    >>> ElementWiseLogicalNotOperatorDesc(row, row).name
    'ELEMENT_WISE_LOGICAL_NOT'
    """

    levels = TRUTHS


class ElementWiseBitAndOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] & b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseBitAndOperatorDesc(row, row, row).name
    'ELEMENT_WISE_BIT_AND'
    """

    levels = BITWISE


class ElementWiseBitOrOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] | b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseBitOrOperatorDesc(row, row, row).name
    'ELEMENT_WISE_BIT_OR'
    """

    levels = BITWISE


class ElementWiseBitXorOperatorDesc(PairOperatorDesc):
    """`output[c] = a[c] ^ b[c]`. The output may be bound over an input.

    Specification: DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseBitXorOperatorDesc(row, row, row).name
    'ELEMENT_WISE_BIT_XOR'
    """

    levels = BITWISE


class ElementWiseBitNotOperatorDesc(SingleOperatorDesc):
    """`output[c] = ~input[c]`. The output may be bound over the input.

    Specification: DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC.

    >>> row = BufferTensorDesc("UINT8", [4])
    >>> ElementWiseBitNotOperatorDesc(row, row).name
    'ELEMENT_WISE_BIT_NOT'
    """

    levels = BITWISE
