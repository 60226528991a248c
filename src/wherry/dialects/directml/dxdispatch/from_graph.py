"""From a graph of operators to a DispatchModel: what DirectML can express, and why it cannot where it cannot."""

from __future__ import annotations

from collections.abc import Mapping

from wherry.dialects.directml.dxdispatch.draft import Draft, as_directml
from wherry.dialects.directml.dxdispatch.model import DispatchModel, Print, Source
from wherry.dialects.directml.enums import FeatureLevel, as_feature_level
from wherry.dialects.directml.say import PREFERRED, say
from wherry.dialects.directml.say.call import Bound, FilledDesc, Part, lacks
from wherry.dialects.refusal import Refusal
from wherry.errors import UnsupportedError
from wherry.graph import Graph, Node
from wherry.rewrite.known import KnownNode
from wherry.rewrite.search import Search
from wherry.rewrite.table import COPIES
from wherry.rewrite.tensors import Tensors
from wherry.tensors import TensorType


class Descriptions:
    """The nodes that DirectML was found to say, with their descriptions."""

    def __init__(self) -> None:
        self._found: dict[object, tuple[Node, FilledDesc]] = {}

    def add(self, node: Node, filled: FilledDesc) -> None:
        """Keep how a node is said."""
        self._found[_use_of(node)] = (node, filled)

    def of(self, node: Node) -> FilledDesc | None:
        """Return how a node is said, None where that is not known yet."""
        return self._found.get(_use_of(node), (node, None))[1]


def _use_of(node: Node) -> object:
    return id(node.operator), node.inputs, node.outputs


def from_graph(graph: Graph, feature_level: object = "6.4", descriptions: Descriptions | None = None) -> DispatchModel:
    """Return the model of a graph: a buffer for each tensor, dispatches for each node, a print for each result.

    Inputs start as zero. What the results do not need is left out. `descriptions` has nodes that are known to be said.

    Raises UnsupportedError, InvalidTypeError or InvalidValueError that names the node and the rule which DirectML
    cannot express.
    """
    names = {*graph.inputs, *graph.constants, *(name for node in graph.nodes for name in node.outputs)}
    draft, target = Draft(names), _AtLevel(as_feature_level(feature_level), descriptions or Descriptions())
    search = Search(graph, target, COPIES)
    tensors = search.tensors
    for name, one in graph.inputs.items():
        draft.resource(name, one)
    for number, node in enumerate(graph.nodes):
        target.refusals.clear()
        found = [node] if target.descriptions.of(node) is not None else search.nodes_for(node)
        for one_node in [node] if found is None else found:
            said = target.descriptions.of(one_node) or target.said(one_node, tensors.known(one_node))
            if isinstance(said, Refusal):
                with as_directml(node.subject):
                    raise target.reason(said).error()
            _dispatch(draft, tensors, said, one_node, str(number))
    for name in graph.outputs:
        if name in graph.inputs or name in tensors.constants:
            raise UnsupportedError(f"output {name!r} is an input or a constant; a DxDispatch output is a buffer that a "
                                   "dispatch writes, so put a copy between")  # fmt: skip
    resources, dispatchables, commands = draft.pruned(list(graph.inputs), graph.outputs)
    return DispatchModel(resources, dispatchables, [*commands, *(Print(name) for name in graph.outputs)], feature_level)


class _AtLevel:
    """DirectML at a feature level, as the target of a search; it keeps the refusals that it met."""

    preferred: Mapping[str, object] = PREFERRED

    def __init__(self, level: FeatureLevel, descriptions: Descriptions) -> None:
        self.level = level
        self.descriptions = descriptions
        self.refusals: list[Refusal] = []

    def said(self, node: Node, known: KnownNode) -> FilledDesc | Refusal:
        return say(node, known.types, known.values, self.level)

    def says(self, node: Node, known: KnownNode) -> bool:
        said = self.said(node, known)
        if isinstance(said, Refusal):
            self.refusals.append(said)
            return False
        self.descriptions.add(node, said)
        return True

    def lacks(self, tensor_type: TensorType) -> bool:
        return lacks(tensor_type)

    def reason(self, refusal: Refusal) -> Refusal:
        """Return the refusal to tell of a node: of an operator that others make up, the last one of theirs."""
        if refusal.faults[0].field != "operator":
            return refusal
        theirs = [other for other in self.refusals if other.faults[0].field != "operator"]
        return theirs[-1] if theirs else refusal


def _dispatch(draft: Draft, tensors: Tensors, said: FilledDesc, node: Node, title: str) -> None:
    """Add the dispatch of a description, and the buffers that it is bound to."""

    def source(bound: Bound, what: str) -> Source:
        if isinstance(bound, Part):
            return Source(source(bound.tensor, what).resource, bound.offset)
        if not isinstance(bound, str):
            return Source(draft.extra(f"{node.outputs[0]}_{what}", TensorType.of(bound), bound))
        draft.resource(bound, tensors.types[bound], tensors.constants.get(bound))
        return Source(bound)

    fields = {member.name: member.field.removesuffix("_tensor") for member in said.desc.tensor_members}
    bindings = {name: tuple(source(one, fields[name]) for one in given) for name, given in said.bindings.items()}
    draft.dispatch(f"{said.desc.name.lower()}_{title}", said.desc, bindings)
