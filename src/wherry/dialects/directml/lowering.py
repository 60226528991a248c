"""From a valid operator description to a graph of operators with every rule a field, and the layouts of its tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wherry.dialects.directml.descs import (
    ElementWiseIdentityOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    OperatorDesc,
    SplitOperatorDesc,
)
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.directml.validation import validate
from wherry.graph import Graph, Node
from wherry.layout import Layout, packed_strides
from wherry.moves import Negative, OutOfRange
from wherry.ops import Copy, Gather, Join, Operator, ScaleBias, Split
from wherry.plan import Plan, make_plan
from wherry.tensors import TensorType, View


@dataclass(frozen=True)
class Lowered:
    """A description as a graph: tensors are named by their paths (`OutputTensors[1]`), views say how they lie.

    Views have the ranks of the operator, which may leave out leading dimensions of the description.
    """

    desc: OperatorDesc
    level: FeatureLevel
    graph: Graph
    views: Mapping[str, View]
    plan: Plan


def lower(desc: OperatorDesc, feature_level: object = "6.4") -> Lowered:
    """Return the graph and the plan of a description. Raises what `validate` raises."""
    validate(desc, feature_level)
    level = as_feature_level(feature_level)
    operator, ndims = _LOWERINGS[desc.name](desc, level)
    tensors = {path: (member.is_output, tensor) for path, member, tensor in desc.tensors}
    views = {path: _view(path, tensor, ndims.get(path)) for path, (_, tensor) in tensors.items()}
    inputs = tuple(path for path, (is_output, _) in tensors.items() if not is_output)
    outputs = tuple(path for path, (is_output, _) in tensors.items() if is_output)
    types = {path: TensorType(tensors[path][1].data_type.dtype, views[path].layout.sizes) for path in inputs}
    graph = Graph(types, outputs, (Node(operator, inputs, outputs, desc.subject(level)),), name=desc.name)
    plan = make_plan(
        graph, {path: views[path] for path in inputs}, outputs={path: views[path].layout for path in outputs}
    )
    return Lowered(desc, level, graph, views, plan)


def _gather(desc: GatherOperatorDesc, level: FeatureLevel) -> tuple[Operator, dict[str, int]]:
    """DML_GATHER_OPERATOR_DESC: sizes are right-aligned, so the operator sees each tensor without its filling ones."""
    count, index_dims = desc.input_tensor.dimension_count, desc.index_dimensions
    filled = max(index_dims - 1, 0)
    negative = Negative.FROM_END if level >= FeatureLevel.LEVEL_3_0 else Negative.INVALID
    operator = Gather(desc.axis - filled, 0, OutOfRange.CLAMP, negative)
    ndims = {
        "InputTensor": count - filled,
        "IndicesTensor": index_dims,
        "OutputTensor": count if index_dims else count - 1,
    }
    return operator, ndims


def _split(desc: SplitOperatorDesc, level: FeatureLevel) -> tuple[Operator, dict[str, int]]:
    return Split(desc.axis, sizes=tuple(part.sizes[desc.axis] for part in desc.output_tensors)), {}


def _join(desc: JoinOperatorDesc, level: FeatureLevel) -> tuple[Operator, dict[str, int]]:
    return Join(desc.axis), {}


def _identity(desc: ElementWiseIdentityOperatorDesc, level: FeatureLevel) -> tuple[Operator, dict[str, int]]:
    given = desc.scale_bias
    return Copy() if given is None else ScaleBias(given.scale, given.bias), {}


_LOWERINGS: Mapping[str, Callable[[Any, FeatureLevel], tuple[Operator, dict[str, int]]]] = {
    "GATHER": _gather,
    "SPLIT": _split,
    "JOIN": _join,
    "ELEMENT_WISE_IDENTITY": _identity,
}


def _view(path: str, tensor: BufferTensorDesc, ndim: int | None) -> View:
    layout = tensor.layout if ndim is None else tensor.layout.with_ndim(ndim)
    dtype = tensor.data_type.dtype
    if dtype is None:
        raise TypeError("unreachable: validated descriptions have no UNKNOWN type")
    return View(path, dtype.numpy, _canonical(layout))


def _canonical(layout: Layout) -> Layout:
    """Return the layout with packed strides where a size is 1 and a stride means nothing, as Layout.of reads arrays."""
    packed = packed_strides(layout.sizes)
    strides = [fill if size == 1 else own for size, own, fill in zip(layout.sizes, layout.strides, packed, strict=True)]
    return Layout(layout.sizes, strides)
