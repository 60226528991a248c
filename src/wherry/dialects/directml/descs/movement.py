"""The descriptions of operators that move elements to places which their shapes and numbers decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from wherry.dialects.directml.descs.base import OperatorDesc, ScaleBias
from wherry.dialects.directml.enums import DataType, DepthSpaceOrder, PaddingMode
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc


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
    axis: int
    output_count: int | None = None

    name: ClassVar[str] = "SPLIT"


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
    axis: int
    input_count: int | None = None

    name: ClassVar[str] = "JOIN"


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
    offsets: Sequence[int]
    sizes: Sequence[int]
    strides: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "SLICE"


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
    input_window_offsets: Sequence[int]
    input_window_sizes: Sequence[int]
    input_window_strides: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "SLICE1"


@dataclass(frozen=True)
class TileOperatorDesc(OperatorDesc):
    """`output[c] = input[c mod size]`: the input again and again, `repeats` times along each dimension.

    Specification: DML_TILE_OPERATOR_DESC.

    >>> TileOperatorDesc(BufferTensorDesc("INT8", [1, 3]), BufferTensorDesc("INT8", [2, 6]), [2, 2]).repeats_count
    2
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    repeats: Sequence[int]
    repeats_count: int | None = None

    name: ClassVar[str] = "TILE"


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
    padding_value: float
    start_padding: Sequence[int]
    end_padding: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "PADDING"


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
    start_padding: Sequence[int]
    end_padding: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "PADDING1"


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
    block_size: int

    name: ClassVar[str] = "DEPTH_TO_SPACE"


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
    block_size: int
    order: DepthSpaceOrder

    name: ClassVar[str] = "DEPTH_TO_SPACE1"


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
    block_size: int

    name: ClassVar[str] = "SPACE_TO_DEPTH"


@dataclass(frozen=True)
class SpaceToDepth1OperatorDesc(OperatorDesc):
    """SPACE_TO_DEPTH with an order, as in DEPTH_TO_SPACE1. Specification: DML_SPACE_TO_DEPTH1_OPERATOR_DESC.

    >>> wide, deep = BufferTensorDesc("INT8", [1, 1, 4, 6]), BufferTensorDesc("INT8", [1, 4, 2, 3])
    >>> SpaceToDepth1OperatorDesc(wide, deep, 2, "DEPTH_COLUMN_ROW").order.value
    0
    """

    input_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    block_size: int
    order: DepthSpaceOrder

    name: ClassVar[str] = "SPACE_TO_DEPTH1"


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
    axis: int

    name: ClassVar[str] = "REVERSE_SUBSEQUENCES"


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
    window_sizes: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    start_padding: Sequence[int]
    end_padding: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "UNFOLD"


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
    window_sizes: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    start_padding: Sequence[int]
    end_padding: Sequence[int]
    dimension_count: int | None = None

    name: ClassVar[str] = "FOLD"


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

    name: ClassVar[str] = "ACTIVATION_IDENTITY"


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

    name: ClassVar[str] = "ELEMENT_WISE_IF"


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

    name: ClassVar[str] = "ELEMENT_WISE_IDENTITY"
