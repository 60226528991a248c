"""From a valid operator description to a graph of operators with every rule a field, and the layouts of its tensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.directml.descs import OperatorDesc
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.meaning import meaning_of
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.directml.validation import validate
from wherry.engine.plan import Plan
from wherry.engine.planner import Reading, make_plan
from wherry.graph import Graph, Node
from wherry.layout import Layout, packed_strides
from wherry.tensors import TensorType, View


@dataclass(frozen=True)
class Lowered:
    """A description as a graph: tensors are named by their paths (`OutputTensors[1]`), views say how they lie.

    Views have the ranks of the operator, which may leave out leading dimensions of the description. There is a plan
    unless values of inputs decide the moves (REVERSE_SUBSEQUENCES).
    """

    desc: OperatorDesc
    level: FeatureLevel
    graph: Graph
    views: Mapping[str, View]
    plan: Plan | None
    reading: Reading | None = None
    """What runs in place of each operator."""

    def array(self, path: str, memory: NDArray[np.uint8]) -> NDArray[Any]:
        """Return the array that a tensor is in the bytes that it is bound to."""
        return self.views[path].layout.view(memory, self.views[path].dtype)

    def plan_for(self, memories: Mapping[str, NDArray[np.uint8]]) -> Plan:
        """Return the plan for inputs that hold these bytes."""
        if self.plan is not None:
            return self.plan
        return self._planned({path: self.array(path, memories[path]) for path in self._value_inputs})

    @property
    def _value_inputs(self) -> list[str]:
        return [path for path in self.graph.inputs if path in self.graph.value_tensors]

    def _planned(self, values: Mapping[str, NDArray[Any]]) -> Plan:
        inputs = {path: self.views[path] for path in self.graph.inputs}
        outputs = {path: self.views[path].layout for path in self.graph.outputs}
        return make_plan(self.graph, inputs, values, outputs, self.reading)

    def read_by(self, reading: Reading) -> Lowered:
        """Return the description with other operators in place of its own."""
        read = replace(self, plan=None, reading=reading)
        return read if read._value_inputs else replace(read, plan=read._planned({}))


def lower(desc: OperatorDesc, feature_level: object = "6.4") -> Lowered:
    """Return the graph and the plan of a description. Raises what `validate` raises."""
    validate(desc, feature_level)
    level = as_feature_level(feature_level)
    meaning = meaning_of(desc, level)
    tensors = {path: (member.is_output, tensor) for path, member, tensor in desc.tensors}
    views = {path: _view(path, tensor, meaning.ndims.get(path)) for path, (_, tensor) in tensors.items()}
    outputs = tuple(path for path, (is_output, _) in tensors.items() if is_output)
    types = {
        path: TensorType(tensor.data_type.dtype, views[path].layout.sizes)
        for path, (is_output, tensor) in tensors.items()
        if not is_output
    }
    nodes = tuple(Node(operator, reads, writes, desc.subject(level)) for operator, reads, writes in meaning.steps)
    lowered = Lowered(desc, level, Graph(types, outputs, nodes, name=desc.name), views, None)
    if lowered._value_inputs:
        return lowered
    return Lowered(desc, level, lowered.graph, views, lowered._planned({}))


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
