"""The descriptions of operators that make each element out of those at its own place."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import COPIES, T2, T8, T10, T11, UINT8, level
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "ActivationIdentityOperatorDesc",
    "CastOperatorDesc",
    "ElementWiseIdentityOperatorDesc",
    "ElementWiseIfOperatorDesc",
]

NARROW = (*T2, "INT16", "INT8", "UINT16", "UINT8")


@dataclass(frozen=True)
class ElementWiseIdentityOperatorDesc(OperatorDesc):
    """`output[c] = input[c]`, from any strides to any strides; with a `scale_bias`, `input[c] * Scale + Bias`.

    The output may be bound over the input. Specification: DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC.

    >>> transposed = BufferTensorDesc("INT32", [3, 2], strides=[1, 3])
    >>> ElementWiseIdentityOperatorDesc(transposed, BufferTensorDesc("INT32", [3, 2])).scale_bias is None
    True
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    scale_bias: ScaleBias | None = None

    levels = (
        level("1.0", (4, 5), T2),
        level("2.1", (4, 5), T8),
        *COPIES,
    )
    in_place = True


@dataclass(frozen=True)
class ActivationIdentityOperatorDesc(OperatorDesc):
    """`output[c] = input[c]` of floats, from any strides to any strides. The output may be bound over the input.

    Specification: DML_ACTIVATION_IDENTITY_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT16", [4])
    >>> ActivationIdentityOperatorDesc(row, row).name
    'ACTIVATION_IDENTITY'
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc

    levels = (
        level("1.0", (4, 4), T2),
        level("2.0", (4, 5), T2),
        level("3.0", (1, 8), T2),
    )
    in_place = True


@dataclass(frozen=True)
class ElementWiseIfOperatorDesc(OperatorDesc):
    """`output[c] = a[c] if condition[c] != 0 else b[c]`; what is broadcast has its full size and strides of 0.

    Specification: DML_ELEMENT_WISE_IF_OPERATOR_DESC.

    >>> mask, row = BufferTensorDesc("UINT8", [4]), BufferTensorDesc("FLOAT16", [4])
    >>> ElementWiseIfOperatorDesc(mask, row, BufferTensorDesc("FLOAT16", [4], strides=[0]), row).b_tensor.strides
    (0,)
    """

    condition_tensor: BufferTensorDesc
    a_tensor: BufferTensorDesc
    b_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc

    levels = (
        level(
            "2.0",
            (4, 4),
            ("FLOAT16",),
            "the level history has integers from 2_1 on, the page has no such row",
            condition_tensor=UINT8,
        ),
        level("3.0", (1, 8), T8, condition_tensor=UINT8),
        level("5.0", (1, 8), T11, condition_tensor=UINT8),
    )


@dataclass(frozen=True)
class CastOperatorDesc(OperatorDesc):
    """`output[c] = input[c]` as the output's type. Specification: DML_CAST_OPERATOR_DESC.

    >>> CastOperatorDesc(BufferTensorDesc("FLOAT32", [2]), BufferTensorDesc("INT32", [2])).output_tensor.sizes
    (2,)
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc

    levels = (
        level("1.0", (4, 4), NARROW, "the page's list has no integers of 32 bits", output_tensor=NARROW),
        level("3.0", (4, 4), T10, output_tensor=T10),
        level("3.1", (1, 8), T10, output_tensor=T10),
        level("4.1", (1, 8), T11, output_tensor=T11),
    )
