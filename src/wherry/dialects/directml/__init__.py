"""DirectML: operator descriptions, their rules by feature level, execution on buffers, and DxDispatch models."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from wherry.dialects.directml import descs
from wherry.dialects.directml.descs import *
from wherry.dialects.directml.enums import (
    AxisDirection,
    DataType,
    DepthSpaceOrder,
    FeatureLevel,
    OperatorType,
    PaddingMode,
    ReductionFunction,
    TensorFlags,
)
from wherry.dialects.directml.execution import execute
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc, calc_buffer_tensor_size
from wherry.dialects.directml.validation import validate

if TYPE_CHECKING:
    from wherry.dialects.directml.dxdispatch.model import DispatchModel
    from wherry.graph import Graph
    from wherry.models.model import Model

__all__ = [
    "AxisDirection",
    "BufferTensorDesc",
    "DataType",
    "DepthSpaceOrder",
    "FeatureLevel",
    "OperatorType",
    "PaddingMode",
    "ReductionFunction",
    "ScalarUnion",
    "TensorFlags",
    "calc_buffer_tensor_size",
    "execute",
    "read",
    "validate",
    "write",
]
__all__ += descs.__all__


def read(path: str | PathLike[str], **options: Any) -> DispatchModel:
    """Read a DxDispatch model; see `wherry.dialects.directml.dxdispatch.reader.read`."""
    from wherry.dialects.directml.dxdispatch import reader

    return reader.read(path, **options)


def write(model: Model | Graph, path: str | PathLike[str], **options: Any) -> None:
    """Write a model or a graph as a DxDispatch model; see `wherry.dialects.directml.dxdispatch.writer.write`."""
    from wherry.dialects.directml.dxdispatch import writer

    writer.write(model, path, **options)
