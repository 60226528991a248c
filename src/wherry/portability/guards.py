"""Rewrites the nodes of a graph that have findings, with guards around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from wherry.conversion.targets import OnnxTarget, OpenVINOTarget, Target, target_of
from wherry.dialects.refusal import Refusal
from wherry.graph import Graph, Node, Opaque, free_name
from wherry.models.model import GraphModel
from wherry.portability.check import counters
from wherry.portability.ranges import Assumed, Ranges
from wherry.portability.remedies import FROM_FRONT, is_guarded
from wherry.rewrite.inside import BadIndex, inside
from wherry.rewrite.known import maker_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import REWRITES
from wherry.tensors import TensorType

Array = NDArray[Any]
Place = tuple[tuple[str, ...], str]
"""The names of the graphs around a node, outermost first, and its label."""

_MARK = "/guard"
"""The part after a node's label in the names of its guard's tensors."""


@dataclass(frozen=True)
class Written:
    """A node as it was, the nodes that were written around it, and all that its guard makes, shared nodes too."""

    node: Node
    added: tuple[Node, ...]
    made: frozenset[str]


def guarded(
    model: GraphModel, asked: Mapping[Place, Collection[str]], bad_index: BadIndex
) -> tuple[Graph, dict[Place, Written]]:
    """Return the graph with guards around the nodes with findings, and the operators written for each."""
    roots = {name.partition(_MARK)[0] + _MARK for name in _names(model.graph) if _MARK in name}
    walk = _Walk(own_target(model), asked, bad_index, roots)
    graph, _ = walk.graph(model.graph, (), None, None)
    return graph, walk.written


def own_target(model: GraphModel) -> Target:
    """Return the model's own dialect in its version as the target of the guards."""
    options = {"opset": model.options.get("opset")} if model.dialect == "onnx" else {}
    return target_of(model.dialect, options)


def is_edited(node: Node, name: str) -> bool:
    """Whether the graph of this name, which a node holds, can be written anew: a branch or body of an ONNX file."""
    return name != "function" and hasattr(getattr(node.operator, "source", None), "header")


def _names(graph: Graph) -> set[str]:
    """Return the names of all tensors, those of graphs inside nodes too."""
    inner = (held for node in graph.opaque if isinstance(node.operator, Opaque) for _, held in node.operator.graphs)
    return {*graph.types}.union(*map(_names, inner))


@dataclass
class _Walk:
    """The graphs of a model in order, those inside nodes too."""

    target: Target
    asked: Mapping[Place, Collection[str]]
    bad_index: BadIndex
    roots: set[str]
    """The beginnings of names that are, or look like, those of guards."""
    written: dict[Place, Written] = field(default_factory=dict)

    def graph(
        self, graph: Graph, place: tuple[str, ...], around: Ranges | None, given: Assumed | None
    ) -> tuple[Graph, _Edit]:
        """Return a graph with guards, which lies in others that tell `around`, and how it was edited."""
        tensors = Ranges(graph, around, given)
        searches = [
            Search(graph, self.target, REWRITES, guards=inside(self.bad_index, from_front), tensors=tensors)
            for from_front in (False, True)
        ]
        edit = _Edit(graph, tensors, self.target)
        for node in graph.nodes:
            if isinstance(node.operator, Opaque):
                edit.put(node, self._inside(node, place, tensors))
                continue
            maker = maker_of(node.operator)
            names = {name for name in self.asked.get((place, node.label), ()) if is_guarded(name, maker)}
            tensors.root = self._root(node) if names else ""
            found = searches[not FROM_FRONT.isdisjoint(names)].guarded(node) if names else None
            if found is None:
                edit.put(node, node)
            else:
                self.written[place, node.label] = edit.replace(node, found)
        return edit.graph(), edit

    def _inside(self, node: Node, place: tuple[str, ...], tensors: Ranges) -> Node:
        """Return an opaque node with guards in its inner graphs; the node itself if these need none."""
        assert isinstance(node.operator, Opaque)
        inner = {}
        for name, graph in node.operator.graphs:
            around = (*place, f"{node.label} {name}")
            if is_edited(node, name) and any(found[: len(around)] == around for found, _ in self.asked):
                made, edit = self.graph(graph, around, tensors, counters(node, graph))
                if edit.replaced:
                    inner[name] = made, edit
        if not inner or not isinstance(self.target, OnnxTarget):
            return node
        from wherry.dialects.onnx.inner import Inner, with_inner

        changes = {name: Inner(made, edit.replaced, edit.constants) for name, (made, edit) in inner.items()}
        return with_inner(node, changes, self.target.opset)

    def _root(self, node: Node) -> str:
        """Return the beginning of the names of a guard's tensors; no name of the model begins with it."""
        root = free_name(node.label + _MARK, self.roots, gap=" ")
        self.roots.add(root)
        return root


@dataclass
class _Edit:
    """A graph that is written anew, node by node; equal nodes of guards, and equal constants, are written once."""

    old: Graph
    tensors: Ranges
    target: Target
    nodes: list[Node] = field(default_factory=list)
    replaced: dict[str, tuple[Node, ...]] = field(default_factory=dict)
    """The replacement of each changed node, by its first output."""
    _names: dict[str, str] = field(default_factory=dict)
    """The names of guards' tensors that equal others."""
    _seen: dict[object, str] = field(default_factory=dict)

    def put(self, old: Node, node: Node) -> None:
        """Write a replacement of a node."""
        self.nodes.append(node)
        if node is not old:
            self.replaced[old.outputs[0]] = (node,)

    def replace(self, old: Node, nodes: Sequence[Node]) -> Written:
        """Write the replacements of a node, except those that exist already."""
        first, maker = len(self.nodes), maker_of(old.operator)
        own = next((node for node in reversed(nodes) if maker_of(node.operator) is maker), None)
        kept: list[Node] = []
        for node in nodes:
            for name in node.inputs:
                self._share_constant(name)
            shared = replace(node, inputs=tuple(self._names.get(name, name) for name in node.inputs), name="")
            key = None if set(node.outputs) & set(old.outputs) else _key(shared)
            if key is not None and key in self._seen:
                self._names[node.outputs[0]] = self._seen[key]
                continue
            if key is not None:
                self._seen[key] = node.outputs[0]
            if node is own:  # under its label, by which it is spoken of
                name = old.name if node.outputs == old.outputs else old.label
                kept.append(replace(shared, subject=old.subject, name=name))
                self.nodes.append(kept[0])
            else:
                self.nodes.append(replace(shared, subject=self._subject(shared)))
        written = tuple(self.nodes[first:])
        self.replaced[old.outputs[0]] = written
        made = frozenset(self._names.get(name, name) for node in nodes for name in node.outputs)
        return Written(old, tuple(node for node in written if node not in kept), made)

    @property
    def constants(self) -> list[str]:
        """The names of constants that guards read and the graph did not have."""
        read = {name for nodes in self.replaced.values() for node in nodes for name in node.inputs}
        return [name for name in self.tensors.constants if name in read and name not in self.old.types]

    def graph(self) -> Graph:
        """Return the graph."""
        if not self.replaced:
            return self.old
        read = {name for node in self.nodes for name in node.reads} | set(self.old.outputs)
        kept = {name: value for name, value in self.old.constants.items() if name in read}
        new = {name: self.tensors.constants[name] for name in self.constants}
        return replace(self.old, nodes=tuple(self.nodes), constants={**kept, **new})

    def _share_constant(self, name: str) -> None:
        value = self.tensors.constants.get(name)
        if name in self.old.types or name in self._names or value is None or value.dtype.hasobject:
            return
        key = value.dtype, value.shape, value.tobytes()
        self._names[name] = self._seen.setdefault(key, name)

    def _subject(self, node: Node) -> str:
        """Return the subject of a node's errors, as a reader of the model's dialect would name it."""
        known = self.tensors.known(node)
        return f"{_section(self.target, node, known.types, known.values)} {node.outputs[0]!r}"


def _key(node: Node) -> object:
    """Return the key of nodes with equal results; None if it is unknown."""
    try:
        hash(node.operator)
    except TypeError:
        return None
    return (node.operator, node.inputs) if len(node.outputs) == 1 else None


def _section(target: Target, node: Node, types: Sequence[TensorType], values: Sequence[Array | None]) -> str:
    if isinstance(target, OnnxTarget):
        from wherry.dialects.onnx.say import say

        result = say(node, types, values, target.opset)
        if not isinstance(result, Refusal):
            return result.row.subject
    if isinstance(target, OpenVINOTarget):
        from wherry.dialects.openvino.say import say as say_openvino

        filled = say_openvino(node, types, values)
        if not isinstance(filled, Refusal):
            return filled.row.subject()
    return f"{target.title} {getattr(maker_of(node.operator), '__name__', 'guard')}"
