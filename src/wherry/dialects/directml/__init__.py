"""DirectML: operator descriptions, their rules by feature level, execution on buffers, and DxDispatch models."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from wherry.dialects.directml.descs import (
    ActivationIdentityOperatorDesc,
    CastOperatorDesc,
    DepthToSpace1OperatorDesc,
    DepthToSpaceOperatorDesc,
    DiagonalMatrix1OperatorDesc,
    DiagonalMatrixOperatorDesc,
    ElementWiseIdentityOperatorDesc,
    ElementWiseIfOperatorDesc,
    FillValueConstantOperatorDesc,
    FillValueSequenceOperatorDesc,
    FoldOperatorDesc,
    GatherElementsOperatorDesc,
    GatherNd1OperatorDesc,
    GatherNdOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    NonzeroCoordinatesOperatorDesc,
    OneHotOperatorDesc,
    Padding1OperatorDesc,
    PaddingOperatorDesc,
    ReverseSubsequencesOperatorDesc,
    ScaleBias,
    ScatterElementsOperatorDesc,
    ScatterNdOperatorDesc,
    ScatterOperatorDesc,
    Slice1OperatorDesc,
    SliceOperatorDesc,
    SpaceToDepth1OperatorDesc,
    SpaceToDepthOperatorDesc,
    SplitOperatorDesc,
    TileOperatorDesc,
    UnfoldOperatorDesc,
)
from wherry.dialects.directml.enums import (
    DataType,
    DepthSpaceOrder,
    FeatureLevel,
    OperatorType,
    PaddingMode,
    TensorFlags,
)
from wherry.dialects.directml.execution import execute
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc, calc_buffer_tensor_size
from wherry.dialects.directml.validation import validate

if TYPE_CHECKING:
    from wherry.dialects.directml.dxdispatch.model import DispatchModel
    from wherry.graph import Graph
    from wherry.model import Model

__all__ = [
    "ActivationIdentityOperatorDesc",
    "BufferTensorDesc",
    "CastOperatorDesc",
    "DataType",
    "DepthSpaceOrder",
    "DepthToSpace1OperatorDesc",
    "DepthToSpaceOperatorDesc",
    "DiagonalMatrix1OperatorDesc",
    "DiagonalMatrixOperatorDesc",
    "ElementWiseIdentityOperatorDesc",
    "ElementWiseIfOperatorDesc",
    "FeatureLevel",
    "FillValueConstantOperatorDesc",
    "FillValueSequenceOperatorDesc",
    "FoldOperatorDesc",
    "GatherElementsOperatorDesc",
    "GatherNd1OperatorDesc",
    "GatherNdOperatorDesc",
    "GatherOperatorDesc",
    "JoinOperatorDesc",
    "NonzeroCoordinatesOperatorDesc",
    "OneHotOperatorDesc",
    "OperatorType",
    "Padding1OperatorDesc",
    "PaddingMode",
    "PaddingOperatorDesc",
    "ReverseSubsequencesOperatorDesc",
    "ScalarUnion",
    "ScaleBias",
    "ScatterElementsOperatorDesc",
    "ScatterNdOperatorDesc",
    "ScatterOperatorDesc",
    "Slice1OperatorDesc",
    "SliceOperatorDesc",
    "SpaceToDepth1OperatorDesc",
    "SpaceToDepthOperatorDesc",
    "SplitOperatorDesc",
    "TensorFlags",
    "TileOperatorDesc",
    "UnfoldOperatorDesc",
    "calc_buffer_tensor_size",
    "execute",
    "read",
    "validate",
    "write",
]


def read(path: str | PathLike[str], **options: Any) -> DispatchModel:
    """Read a DxDispatch model; see `wherry.dialects.directml.dxdispatch.reader.read`."""
    from wherry.dialects.directml.dxdispatch import reader

    return reader.read(path, **options)


def write(model: Model | Graph, path: str | PathLike[str], **options: Any) -> None:
    """Write a model or a graph as a DxDispatch model; see `wherry.dialects.directml.dxdispatch.writer.write`."""
    from wherry.dialects.directml.dxdispatch import writer

    writer.write(model, path, **options)
