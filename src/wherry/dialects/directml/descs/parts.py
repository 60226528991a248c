"""The descriptions of operators that cut, join, repeat, pad or reverse along axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import COPIES, T2, T6, T8, T10, T11, UINT32, level
from wherry.dialects.directml.enums import DataType, PaddingMode
from wherry.dialects.directml.members import COUNT, FLOAT, INT, UINT
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "JoinOperatorDesc",
    "Padding1OperatorDesc",
    "PaddingOperatorDesc",
    "ReverseSubsequencesOperatorDesc",
    "Slice1OperatorDesc",
    "SliceOperatorDesc",
    "SplitOperatorDesc",
    "TileOperatorDesc",
]

ALL_OF_IT = "a length beyond the axis means all of it"


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
        level("1.0", (4, 4), T6),
        level("2.1", (4, 4), T8),
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
        level("1.0", (4, 4), T6),
        level("2.1", (4, 4), T8),
        level("3.0", (4, 5), T8),
        level("3.1", (1, 8), T8, "1 to 8 dimensions by the feature level history; the page says from 4_1 on"),
        level("4.1", (1, 8), T11),
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
        level("1.0", (4, 5), T6),
        level("2.1", (4, 5), T8),
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
        level("2.1", (4, 5), T8),
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
        level("1.0", (4, 4), T2),
        level("2.1", (4, 4), T8),
        level("3.1", (1, 8), T8),
        level("4.1", (1, 8), T10),
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
        level("1.0", (4, 5), T2),
        level("2.1", (4, 5), T8),
        level("3.1", (1, 8), T8),
        level("5.0", (1, 8), T11),
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

    levels = (level("5.0", (1, 8), T11),)


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
        level("2.1", (4, 4), T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("3.0", (4, 5), T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("4.0", (1, 8), T8, ALL_OF_IT, sequence_lengths_tensor=UINT32),
        level("5.0", (1, 8), T11, ALL_OF_IT, sequence_lengths_tensor=("UINT64", "UINT32")),
    )
