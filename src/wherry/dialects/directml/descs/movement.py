"""The descriptions of operators that move elements to places which their shapes and numbers decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import (
    COPIES,
    FOUR,
    FOUR_FIVE,
    ONE_TO_8,
    T2,
    T6,
    T8,
    T10,
    T11,
    UINT8,
    UINT32,
    level,
)
from wherry.dialects.directml.enums import DataType, DepthSpaceOrder, PaddingMode
from wherry.dialects.directml.members import COUNT, FLOAT, INT, UINT
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.scale_bias import ScaleBias
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "ActivationIdentityOperatorDesc",
    "DepthToSpace1OperatorDesc",
    "DepthToSpaceOperatorDesc",
    "ElementWiseIdentityOperatorDesc",
    "ElementWiseIfOperatorDesc",
    "FoldOperatorDesc",
    "JoinOperatorDesc",
    "Padding1OperatorDesc",
    "PaddingOperatorDesc",
    "ReverseSubsequencesOperatorDesc",
    "Slice1OperatorDesc",
    "SliceOperatorDesc",
    "SpaceToDepth1OperatorDesc",
    "SpaceToDepthOperatorDesc",
    "SplitOperatorDesc",
    "TileOperatorDesc",
    "UnfoldOperatorDesc",
]

BLOCKS = (level("2.1", FOUR, T8), level("5.0", FOUR, T11))
ALL_OF_IT = "a length beyond the axis means all of it"
UNTOLD = "the page's list of data types is empty; FLOAT32 is what its examples have"


@dataclass(frozen=True)
class SplitOperatorDesc(OperatorDesc):
    """`outputs[k][c] = input[c with c[axis] + start(k)]`: the input cut along `axis` into parts that fill it exactly.

    `output_count=None` is the number of outputs. Specification: DML_SPLIT_OPERATOR_DESC.

    >>> whole, half = BufferTensorDesc("FLOAT32", [6]), BufferTensorDesc("FLOAT32", [3])
    >>> SplitOperatorDesc(whole, [half, half], axis=0).output_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensors: Sequence[BufferTensorDesc]
    axis: UINT
    output_count: COUNT = None

    levels = (
        level("1.0", FOUR, T6),
        level("2.1", FOUR, T8),
        *COPIES,
    )


@dataclass(frozen=True)
class JoinOperatorDesc(OperatorDesc):
    """`output[c with c[axis] + start(k)] = inputs[k][c]`: the inputs laid end to end along `axis`.

    `input_count=None` is the number of inputs. Specification: DML_JOIN_OPERATOR_DESC.

    >>> half, whole = BufferTensorDesc("FLOAT32", [3]), BufferTensorDesc("FLOAT32", [6])
    >>> JoinOperatorDesc([half, half], whole, axis=0).input_count
    2
    """

    input_tensors: Sequence[BufferTensorDesc]
    output_tensor: BufferTensorDesc
    axis: UINT
    input_count: COUNT = None

    levels = (
        level("1.0", FOUR, T6),
        level("2.1", FOUR, T8),
        level("3.0", FOUR_FIVE, T8),
        level("3.1", ONE_TO_8, T8, "1 to 8 dimensions by the feature level history; the page says from 4_1 on"),
        level("4.1", ONE_TO_8, T11),
    )


@dataclass(frozen=True)
class SliceOperatorDesc(OperatorDesc):
    """`output[c] = input[offsets + strides * c]`; `sizes` are those of the output, and strides step in coordinates.

    Every position must exist; nothing is clamped. Specification: DML_SLICE_OPERATOR_DESC.

    >>> whole, part = BufferTensorDesc("FLOAT32", [5, 5]), BufferTensorDesc("FLOAT32", [3, 2])
    >>> SliceOperatorDesc(whole, part, offsets=[1, 1], sizes=[3, 2], strides=[1, 2]).dimension_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    offsets: Sequence[UINT]
    sizes: Sequence[UINT]
    strides: Sequence[UINT]
    dimension_count: COUNT = None

    levels = (
        level("1.0", FOUR_FIVE, T6),
        level("2.1", FOUR_FIVE, T8),
        *COPIES,
    )


@dataclass(frozen=True)
class Slice1OperatorDesc(OperatorDesc):
    """A block of the input, walked with strides: from its last position back where a stride is negative.

    `output[c] = input[start + stride * c]`, start the first position of the window, or its last for a negative stride.
    Window sizes are extents of the input; the output may be smaller than what the window holds.
    Specification: DML_SLICE1_OPERATOR_DESC.

    >>> row = BufferTensorDesc("FLOAT32", [4])
    >>> Slice1OperatorDesc(row, row, [0], [4], input_window_strides=[-1]).input_window_strides
    (-1,)
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    input_window_offsets: Sequence[UINT]
    input_window_sizes: Sequence[UINT]
    input_window_strides: Sequence[INT]
    dimension_count: COUNT = None

    levels = (
        level("2.1", FOUR_FIVE, T8),
        *COPIES,
    )


@dataclass(frozen=True)
class TileOperatorDesc(OperatorDesc):
    """`output[c] = input[c mod size]`: the input again and again, `repeats` times along each dimension.

    Specification: DML_TILE_OPERATOR_DESC.

    >>> TileOperatorDesc(BufferTensorDesc("INT8", [1, 3]), BufferTensorDesc("INT8", [2, 6]), [2, 2]).repeats_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    repeats: Sequence[UINT]
    repeats_count: COUNT = None

    levels = (
        level("1.0", FOUR, T2),
        level("2.1", FOUR, T8),
        level("3.1", ONE_TO_8, T8),
        level("4.1", ONE_TO_8, T10),
    )


@dataclass(frozen=True)
class PaddingOperatorDesc(OperatorDesc):
    """The input with positions around it: `output[c] = input[source(c - start_padding)]`, or the value.

    `padding_value` is a float32, cut toward zero for integers; only CONSTANT reads it.
    Specification: DML_PADDING_OPERATOR_DESC, DML_PADDING_MODE.

    >>> row, padded = BufferTensorDesc("FLOAT32", [4]), BufferTensorDesc("FLOAT32", [10])
    >>> PaddingOperatorDesc(row, padded, "REFLECTION", 0, [2], [4]).padding_mode.name
    'REFLECTION'
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    padding_mode: PaddingMode
    padding_value: FLOAT
    start_padding: Sequence[UINT]
    end_padding: Sequence[UINT]
    dimension_count: COUNT = None

    levels = (
        level("1.0", FOUR_FIVE, T2),
        level("2.1", FOUR_FIVE, T8),
        level("3.1", ONE_TO_8, T8),
        level("5.0", ONE_TO_8, T11),
    )


@dataclass(frozen=True)
class Padding1OperatorDesc(OperatorDesc):
    """PADDING with a value of the tensors' own type: a number, or a ScalarUnion.

    Specification: DML_PADDING1_OPERATOR_DESC.

    >>> one, two = BufferTensorDesc("INT64", [1]), BufferTensorDesc("INT64", [2])
    >>> Padding1OperatorDesc(one, two, "CONSTANT", "INT64", -(2**53) - 1, [1], [0]).padding_value.element("INT64")
    np.int64(-9007199254740993)
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    padding_mode: PaddingMode
    padding_value_data_type: DataType
    padding_value: ScalarUnion
    start_padding: Sequence[UINT]
    end_padding: Sequence[UINT]
    dimension_count: COUNT = None

    levels = (level("5.0", ONE_TO_8, T11),)


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
        level("1.0", FOUR, T2, "order DEPTH_COLUMN_ROW"),
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
        level("1.0", FOUR, T2, "order DEPTH_COLUMN_ROW"),
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
class ReverseSubsequencesOperatorDesc(OperatorDesc):
    """The first `length` elements of each line along `axis` in reverse order, the others as they are.

    Lengths have the input's sizes but 1 on `axis`; one beyond the axis means all of it.
    Specification: DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC.

    >>> rows, lengths = BufferTensorDesc("FLOAT32", [3, 4]), BufferTensorDesc("UINT32", [3, 1])
    >>> ReverseSubsequencesOperatorDesc(rows, lengths, rows, axis=1).sequence_lengths_tensor.sizes
    (3, 1)
    """

    input_tensor: BufferTensorDesc
    sequence_lengths_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT

    levels = (
        level("2.1", FOUR, T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("3.0", FOUR_FIVE, T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("4.0", ONE_TO_8, T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("5.0", ONE_TO_8, T11, ALL_OF_IT, sequence_lengths_tensor=("UINT64", "UINT32")),
    )


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
        level("1.0", FOUR, T2),
        level("2.0", FOUR_FIVE, T2),
        level("3.0", ONE_TO_8, T2),
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
            FOUR,
            ("FLOAT16",),
            "the level history has integers from 2_1 on, the page has no such row",
            condition_tensor=UINT8,
        ),
        level("3.0", ONE_TO_8, T8, condition_tensor=UINT8),
        level("5.0", ONE_TO_8, T11, condition_tensor=UINT8),
    )


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
        level("1.0", FOUR_FIVE, T2),
        level("2.1", FOUR_FIVE, T8),
        *COPIES,
    )
    in_place = True
