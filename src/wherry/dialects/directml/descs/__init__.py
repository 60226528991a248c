"""The operator descriptions: one frozen dataclass for each DML_*_OPERATOR_DESC, members in struct order."""

from wherry.dialects.directml.descs.base import OperatorDesc, ScaleBias
from wherry.dialects.directml.descs.indexing import (
    GatherElementsOperatorDesc,
    GatherNd1OperatorDesc,
    GatherNdOperatorDesc,
    GatherOperatorDesc,
    ScatterElementsOperatorDesc,
    ScatterNdOperatorDesc,
    ScatterOperatorDesc,
)
from wherry.dialects.directml.descs.movement import (
    DepthToSpace1OperatorDesc,
    DepthToSpaceOperatorDesc,
    ElementWiseIdentityOperatorDesc,
    ElementWiseIfOperatorDesc,
    FoldOperatorDesc,
    JoinOperatorDesc,
    Padding1OperatorDesc,
    PaddingOperatorDesc,
    ReverseSubsequencesOperatorDesc,
    Slice1OperatorDesc,
    SliceOperatorDesc,
    SpaceToDepth1OperatorDesc,
    SpaceToDepthOperatorDesc,
    SplitOperatorDesc,
    TileOperatorDesc,
    UnfoldOperatorDesc,
)
from wherry.dialects.directml.descs.values import (
    CastOperatorDesc,
    DiagonalMatrix1OperatorDesc,
    DiagonalMatrixOperatorDesc,
    FillValueConstantOperatorDesc,
    FillValueSequenceOperatorDesc,
    NonzeroCoordinatesOperatorDesc,
    OneHotOperatorDesc,
)

__all__ = [
    "DESCS",
    "CastOperatorDesc",
    "DepthToSpace1OperatorDesc",
    "DepthToSpaceOperatorDesc",
    "DiagonalMatrix1OperatorDesc",
    "DiagonalMatrixOperatorDesc",
    "ElementWiseIdentityOperatorDesc",
    "ElementWiseIfOperatorDesc",
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
    "OperatorDesc",
    "Padding1OperatorDesc",
    "PaddingOperatorDesc",
    "ReverseSubsequencesOperatorDesc",
    "ScaleBias",
    "ScatterElementsOperatorDesc",
    "ScatterNdOperatorDesc",
    "ScatterOperatorDesc",
    "Slice1OperatorDesc",
    "SliceOperatorDesc",
    "SpaceToDepth1OperatorDesc",
    "SpaceToDepthOperatorDesc",
    "SplitOperatorDesc",
    "TileOperatorDesc",
    "UnfoldOperatorDesc",
]

DESCS: dict[str, type[OperatorDesc]] = {kind.name: kind for kind in OperatorDesc.__subclasses__()}
"""Every operator description by the operator's name."""
