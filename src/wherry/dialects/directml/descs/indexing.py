"""The descriptions of gathers and scatters."""

from __future__ import annotations

from dataclasses import dataclass

from wherry.dialects.directml.descs.base import OperatorDesc
from wherry.dialects.directml.descs.levels import CLAMPED, CLAMPED_TOO, FROM_FRONT, LEFT_OUT, T2, UINT32, indexed, level
from wherry.dialects.directml.members import UINT
from wherry.dialects.directml.tensor_desc import BufferTensorDesc

__all__ = [
    "GatherElementsOperatorDesc",
    "GatherNd1OperatorDesc",
    "GatherNdOperatorDesc",
    "GatherOperatorDesc",
    "ScatterElementsOperatorDesc",
    "ScatterNdOperatorDesc",
    "ScatterOperatorDesc",
]


@dataclass(frozen=True)
class GatherOperatorDesc(OperatorDesc):
    """`output[lead, j.., trail] = input[lead, indices[j..], trail]`, the indexed axis replaced by the indices' shape.

    All tensors have one DimensionCount: smaller ones get leading dimensions of 1, and only the last `index_dimensions`
    of the indices count. Bad indices are clamped to the axis; from feature level 3_0 on, negative ones of a signed type
    count from the end. Specification: DML_GATHER_OPERATOR_DESC.

    >>> tensor = BufferTensorDesc
    >>> GatherOperatorDesc(tensor("FLOAT32", [4]), tensor("UINT32", [5]), tensor("FLOAT32", [5]), 0, 1).axis
    0
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT
    index_dimensions: UINT

    levels = (
        level("1.0", (4, 4), T2, FROM_FRONT + CLAMPED, indices_tensor=UINT32),
        *indexed(CLAMPED),
    )


@dataclass(frozen=True)
class GatherElementsOperatorDesc(OperatorDesc):
    """`output[c] = input[c with c[axis] replaced by indices[c]]`; the output has the sizes of the indices.

    On all dimensions but `axis` these are the input's. Bad indices: as GATHER.
    Specification: DML_GATHER_ELEMENTS_OPERATOR_DESC.

    >>> pick, tensor = BufferTensorDesc("INT32", [2, 3]), BufferTensorDesc("FLOAT32", [3, 3])
    >>> GatherElementsOperatorDesc(tensor, pick, BufferTensorDesc("FLOAT32", [2, 3]), axis=0).indices_tensor.sizes
    (2, 3)
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT

    levels = indexed(CLAMPED_TOO)


@dataclass(frozen=True)
class GatherNdOperatorDesc(OperatorDesc):
    """`output[m.., s..] = input[indices[m.., 0], .., indices[m.., T-1], s..]`: slices named by tuples of T indices.

    T is the last size of the indices. The counts are the numbers of dimensions before leading ones of size 1 were
    added. Bad indices: as GATHER. Specification: DML_GATHER_ND_OPERATOR_DESC.

    >>> tensor = BufferTensorDesc("FLOAT32", [2, 2])
    >>> desc = GatherNdOperatorDesc(tensor, BufferTensorDesc("UINT32", [2, 1]), tensor, 2, 2)
    >>> desc.input_dimension_count, desc.indices_dimension_count
    (2, 2)
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    input_dimension_count: UINT
    indices_dimension_count: UINT

    levels = indexed(CLAMPED_TOO)


@dataclass(frozen=True)
class GatherNd1OperatorDesc(OperatorDesc):
    """`output[b.., m.., s..] = input[b.., indices[b.., m.., 0], .., indices[b.., m.., T-1], s..]`.

    As GATHER_ND, with `batch_dimension_count` leading dimensions that input and indices share.
    Specification: DML_GATHER_ND1_OPERATOR_DESC.

    >>> tensor, pick = BufferTensorDesc("FLOAT32", [2, 2]), BufferTensorDesc("UINT32", [2, 1])
    >>> GatherNd1OperatorDesc(tensor, pick, BufferTensorDesc("FLOAT32", [1, 2]), 2, 2, 1).batch_dimension_count
    1
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    input_dimension_count: UINT
    indices_dimension_count: UINT
    batch_dimension_count: UINT

    levels = indexed(CLAMPED_TOO)[1:]


@dataclass(frozen=True)
class ScatterOperatorDesc(OperatorDesc):
    """`output = input`, then `output[c with c[axis] replaced by indices[c]] = updates[c]`; also SCATTER_ELEMENTS.

    Of two updates for one element the last in row-major order stays; DirectML promises none. An update whose index
    lies outside the axis is left out with an IndexOutOfRangeWarning; the specification is silent.
    Specification: DML_SCATTER_OPERATOR_DESC.

    >>> row, pick = BufferTensorDesc("FLOAT32", [4]), BufferTensorDesc("INT32", [2])
    >>> ScatterOperatorDesc(row, pick, BufferTensorDesc("FLOAT32", [2]), row, axis=0).name
    'SCATTER'
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    updates_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    axis: UINT

    levels = (
        level(
            "2.0",
            (4, 4),
            T2,
            "introduced by the header and the level history; the page says in 1_0",
            indices_tensor=UINT32,
        ),
        *indexed(LEFT_OUT),
    )


ScatterElementsOperatorDesc = ScatterOperatorDesc
"""DML_SCATTER_ELEMENTS_OPERATOR_DESC, the header's second name of DML_SCATTER_OPERATOR_DESC."""


@dataclass(frozen=True)
class ScatterNdOperatorDesc(OperatorDesc):
    """`output = input`, then `output[indices[m.., 0], .., indices[m.., T-1], s..] = updates[m.., s..]`.

    The counts are those of GATHER_ND. Two updates for one element, and bad indices: as SCATTER.
    Specification: DML_SCATTER_ND_OPERATOR_DESC.

    >>> row, four = BufferTensorDesc("FLOAT32", [1, 8]), BufferTensorDesc("FLOAT32", [1, 4])
    >>> ScatterNdOperatorDesc(row, BufferTensorDesc("INT32", [4, 1]), four, row, 1, 2).input_dimension_count
    1
    """

    input_tensor: BufferTensorDesc
    indices_tensor: BufferTensorDesc
    updates_tensor: BufferTensorDesc
    output_tensor: BufferTensorDesc
    input_dimension_count: UINT
    indices_dimension_count: UINT

    levels = indexed(LEFT_OUT)
