"""From a graph of operators to a DispatchModel: what DirectML can express, and why it cannot where it cannot."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from wherry.dialects.directml.dxdispatch.draft import Call, Draft, speaking
from wherry.dialects.directml.dxdispatch.expressions import express
from wherry.dialects.directml.dxdispatch.model import DispatchModel, Print
from wherry.dialects.directml.enums import as_feature_level
from wherry.engine.call import apply
from wherry.errors import UnsupportedError
from wherry.graph import Deferred, Graph, Node
from wherry.ops import Operator, ReverseSequence
from wherry.tensors import TensorType

Array = NDArray[Any]


def from_graph(graph: Graph, feature_level: object = "6.4") -> DispatchModel:
    """Return the model of a graph: a buffer for each tensor, dispatches for each node, a print for each result.

    Inputs start as zero. What the results do not need is left out. Raises UnsupportedError, InvalidTypeError or
    InvalidValueError that names the node and the rule which DirectML cannot express.
    """
    names = {*graph.inputs, *graph.constants, *(name for node in graph.nodes for name in node.outputs)}
    draft, values = Draft(as_feature_level(feature_level), names), Values(graph)
    for name in graph.inputs:
        values.make(name, draft)
    for number, node in enumerate(graph.nodes):
        operator = values.add(node)
        if all(name in values.constants for name in node.outputs):
            continue
        reads = node.data_inputs if isinstance(operator, Operator) else node.inputs
        inputs, outputs = ([values.types[name] for name in names] for names in (reads, node.outputs))
        call = Call(operator, str(number), inputs, outputs, reads, node.outputs, draft, values)
        with speaking(node.subject):
            express(call)
    for name in graph.outputs:
        if name in graph.inputs or name in values.constants:
            raise UnsupportedError(f"output {name!r} is an input or a constant; a DxDispatch output is a buffer that a "
                                   "dispatch writes, so put a copy between")  # fmt: skip
    resources, dispatchables, commands = draft.pruned(list(graph.inputs), graph.outputs)
    return DispatchModel(resources, dispatchables, [*commands, *(Print(name) for name in graph.outputs)], feature_level)


class Values:
    """The types of a graph's tensors, and the values of those that are known before a run."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.constants: dict[str, Array] = dict(graph.constants)
        self.types: dict[str, TensorType] = {
            **graph.inputs,
            **{name: TensorType.of(value) for name, value in graph.constants.items()},
            **graph.constant_types,
        }
        self._known: dict[str, Array | None] = {}
        self._makers: dict[str, tuple[Node, Operator]] = {}

    def add(self, node: Node) -> Operator | Deferred:
        """Note the types that a node writes, and return its operator, with known fields if they can be."""
        with speaking(node.subject):
            operator = self._resolved(node)
            if isinstance(operator, Deferred):
                kinds = operator.infer([self.types[name] for name in node.inputs])
                if operator.build is ReverseSequence:
                    kinds = (self.types[node.data_inputs[0]],)
            else:
                inputs = [self.types[name] for name in node.data_inputs]
                kinds = operator.infer(inputs)
                made = operator.fold(inputs)
                self.constants.update(zip(node.outputs, made or (), strict=made is not None))
                self._makers.update((name, (node, operator)) for name in node.outputs)
        self.types.update(zip(node.outputs, kinds, strict=True))
        return operator

    def _resolved(self, node: Node) -> Operator | Deferred:
        if not isinstance(node.operator, Deferred):
            return node.operator
        given = {name: self.of(name) for name in node.value_inputs}
        known = {name: value for name, value in given.items() if value is not None}
        return node.resolve(known) if len(known) == len(given) else node.operator

    def of(self, name: str) -> Array | None:
        """Return the value of a tensor that inputs do not decide, else None."""
        if name in self.constants:
            return self.constants[name]
        if name not in self._known:
            self._known[name] = None
            node, operator = self._makers.get(name, (None, None))
            if node is not None and operator is not None:
                inputs = [self.of(read) for read in node.data_inputs]
                given = [value for value in inputs if value is not None]
                if len(given) == len(inputs):
                    results = apply(operator, given, node.subject)
                    self._known.update(zip(node.outputs, results, strict=True))
        return self._known[name]

    def make(self, name: str, draft: Draft) -> None:
        """Add the buffer of a tensor of the graph, with its value if it is a constant."""
        if name in self.types:
            draft.resource(name, self.types[name], self.constants.get(name))
