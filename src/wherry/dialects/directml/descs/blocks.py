"""The descriptions of operators that turn blocks and windows of space into channels and columns, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import T2, T8, T11, level
from wherry.dialects.directml.enums import DepthSpaceOrder
from wherry.dialects.directml.members import COUNT, UINT
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "DepthToSpace1OperatorDesc",
    "DepthToSpaceOperatorDesc",
    "FoldOperatorDesc",
    "SpaceToDepth1OperatorDesc",
    "SpaceToDepthOperatorDesc",
    "UnfoldOperatorDesc",
]

BLOCKS = (level("2.1", (4, 4), T8), level("5.0", (4, 4), T11))
UNTOLD = "the page's list of data types is empty; FLOAT32 is what its examples have"


@dataclass(frozen=True)
class DepthToSpaceOperatorDesc(OperatorDesc):
    """`output[n, c, h * B + bh, w * B + bw] = input[n, (bh * B + bw) * C + c, h, w]`: channels become blocks of B x B.

    Specification: DML_DEPTH_TO_SPACE_OPERATOR_DESC.

    >>> deep, wide = BufferTensorDesc("INT8", [1, 4, 2, 3]), BufferTensorDesc("INT8", [1, 1, 4, 6])
    >>> DepthToSpaceOperatorDesc(deep, wide, block_size=2).block_size
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    block_size: UINT

    levels = (
        level("1.0", (4, 4), T2, "order DEPTH_COLUMN_ROW"),
        *BLOCKS,
    )


@dataclass(frozen=True)
class DepthToSpace1OperatorDesc(OperatorDesc):
    """DEPTH_TO_SPACE with an order: COLUMN_ROW_DEPTH reads the channel `c * B * B + bh * B + bw`.

    Specification: DML_DEPTH_TO_SPACE1_OPERATOR_DESC, DML_DEPTH_SPACE_ORDER.

    >>> deep, wide = BufferTensorDesc("INT8", [1, 4, 2, 3]), BufferTensorDesc("INT8", [1, 1, 4, 6])
    >>> DepthToSpace1OperatorDesc(deep, wide, 2, "COLUMN_ROW_DEPTH").order.value
    1
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    block_size: UINT
    order: DepthSpaceOrder

    levels = BLOCKS


@dataclass(frozen=True)
class SpaceToDepthOperatorDesc(OperatorDesc):
    """`output[n, (bh * B + bw) * C + c, h, w] = input[n, c, h * B + bh, w * B + bw]`: the inverse of DEPTH_TO_SPACE.

    Specification: DML_SPACE_TO_DEPTH_OPERATOR_DESC.

    >>> wide, deep = BufferTensorDesc("INT8", [1, 1, 4, 6]), BufferTensorDesc("INT8", [1, 4, 2, 3])
    >>> SpaceToDepthOperatorDesc(wide, deep, block_size=2).block_size
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    block_size: UINT

    levels = (
        level("1.0", (4, 4), T2, "order DEPTH_COLUMN_ROW"),
        *BLOCKS,
    )


@dataclass(frozen=True)
class SpaceToDepth1OperatorDesc(OperatorDesc):
    """SPACE_TO_DEPTH with an order, as in DEPTH_TO_SPACE1. Specification: DML_SPACE_TO_DEPTH1_OPERATOR_DESC.

    >>> wide, deep = BufferTensorDesc("INT8", [1, 1, 4, 6]), BufferTensorDesc("INT8", [1, 4, 2, 3])
    >>> SpaceToDepth1OperatorDesc(wide, deep, 2, "DEPTH_COLUMN_ROW").order.value
    0
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    block_size: UINT
    order: DepthSpaceOrder

    levels = BLOCKS


@dataclass(frozen=True)
class UnfoldOperatorDesc(OperatorDesc):
    """`output[n, c * prod(K) + k, l] = input[n, c, l * stride + k * dilation - start_padding]`: windows as columns.

    Zero outside the input; windows l and places k in a window are counted row-major. The input has batch, channels and
    `dimension_count` spatial dimensions, the output 3; both may have leading dimensions of 1.
    Specification: DML_UNFOLD_OPERATOR_DESC.

    >>> image, columns = BufferTensorDesc("FLOAT32", [1, 1, 5, 5]), BufferTensorDesc("FLOAT32", [1, 9, 9])
    >>> UnfoldOperatorDesc(image, columns, [3, 3], [1, 1], [1, 1], [0, 0], [0, 0]).dimension_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    window_sizes: Sequence[UINT]
    strides: Sequence[UINT]
    dilations: Sequence[UINT]
    start_padding: Sequence[UINT]
    end_padding: Sequence[UINT]
    dimension_count: Annotated[COUNT, range(1, 7)] = None

    levels = (level("6.4", (3, 8), ("FLOAT32",), UNTOLD),)
    own_counts = True


@dataclass(frozen=True)
class FoldOperatorDesc(OperatorDesc):
    """`output[n, c, l * stride + k * dilation - start_padding] += input[n, c * prod(K) + k, l]`: UNFOLD backwards.

    Values of windows that overlap are added; what falls on padding is dropped. Tensors as in UNFOLD, the other way
    round. Specification: DML_FOLD_OPERATOR_DESC.

    >>> columns, image = BufferTensorDesc("FLOAT32", [1, 9, 4]), BufferTensorDesc("FLOAT32", [1, 1, 4, 4])
    >>> FoldOperatorDesc(columns, image, [3, 3], [1, 1], [1, 1], [0, 0], [0, 0]).window_sizes
    (3, 3)
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    window_sizes: Sequence[UINT]
    strides: Sequence[UINT]
    dilations: Sequence[UINT]
    start_padding: Sequence[UINT]
    end_padding: Sequence[UINT]
    dimension_count: Annotated[COUNT, range(1, 7)] = None

    levels = (level("6.4", (3, 8), ("FLOAT32",), UNTOLD),)
    own_counts = True
