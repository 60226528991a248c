"""fix: guards in a model, by which targets give the answers of the model's own specification."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from wherry.arguments import check_is
from wherry.conversion.findings import Effect
from wherry.conversion.findings import Finding as Note
from wherry.conversion.targets import OnnxTarget, OpenVINOTarget, Target, target_of
from wherry.dialects.refusal import Refusal
from wherry.errors import UnsupportedError, invalid, short
from wherry.garbage import uncollected
from wherry.graph import Graph, Node, Opaque
from wherry.limits import limited
from wherry.models.model import GraphModel, Model
from wherry.ops import Gather, GatherElements, GatherND, ScatterElements, ScatterND, ScatterUpdate, Tile
from wherry.ops.split import split_by_sizes
from wherry.portability.check import check
from wherry.portability.finding import Finding, Severity
from wherry.portability.ranges import Ranges
from wherry.portability.report import Report
from wherry.portability.targets import NAMES
from wherry.rewrite.inside import BadIndex, inside
from wherry.rewrite.known import maker_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import REWRITES
from wherry.tensors import TensorType

Array = NDArray[Any]

GUARDED: Mapping[object, frozenset[str]] = {
    **dict.fromkeys((Gather, GatherElements, GatherND), frozenset({
        "out_of_range", "negative", "indices are cut to 32 bits", "short vectors are read without a check",
        "some old Gathers count from the end", "Gather-1 takes negative indices",
        "GatherND does not check indices of an empty result",
    })),
    **dict.fromkeys((ScatterElements, ScatterND, ScatterUpdate), frozenset({
        "out_of_range", "negative", "Scatter-9 takes negative indices",
    })),
    Tile: frozenset({"negative"}),
    split_by_sizes: frozenset({"Split by sizes"}),
}  # fmt: skip
"""For each operator that there is a guard of, the findings that the guard takes away."""

_NO_GUARD: Mapping[Severity, str] = {
    Severity.REFUSED: "the target does not take the node, whatever its inputs are",
    Severity.NARROWED: "the target holds the numbers in a type that has fewer before any node sees them",
}
_UNKNOWN = "there is no guard for it"
_INNER = "the graphs inside {} are kept as they are"
_NOT_SAID = "its guard needs known axes, or operators that {} or the target does not have, or would not take it away"


@dataclass(frozen=True)
class Guard:
    """What was written around a node, and the findings that are gone with it."""

    node: str
    operator: str
    written: tuple[str, ...]
    """The operators around the node, in their order; those that it shares with nodes before it are left out."""
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the guard as what `json.dumps` takes."""
        return {
            "node": self.node,
            "operator": self.operator,
            "written": list(self.written),
            "findings": [{"target": one.target, "version": one.version, "name": one.name} for one in self.findings],
        }


@dataclass(frozen=True)
class Fixed:
    """A model with guards, what they are, and the findings that are left, each with the reason."""

    model: Model
    guards: tuple[Guard, ...]
    left: tuple[tuple[Finding, str], ...]
    before: Report
    after: Report
    bad_index: BadIndex

    def as_json(self) -> dict[str, Any]:
        """Return all of it but the model as what `json.dumps` takes; docs/fix.md has the members."""
        return {
            "model": self.before.model,
            "targets": [{"target": name, "version": version} for name, version in self.before.targets],
            "bad_index": str(self.bad_index),
            "guards": [one.as_json() for one in self.guards],
            "left": [{**one.as_json(), "why_left": why} for one, why in self.left],
        }


def fix(model: Model, targets: object = NAMES, *, bad_index: str = "clamp") -> Model:
    """Return a model with the fewest nodes more by which targets answer as the model's own specification does.

    Findings of `check` that depend on numbers which only a run brings (indices, repeats, sizes of parts) are taken away
    by operators of the model's own dialect and version around the node. Legal inputs keep their answer, bit for bit. An
    index that the model refuses reads the nearest end of its axis, or a zero with `bad_index="zero"`; a scatter leaves
    such an update out. `findings` of the result tells what was guarded, and what is left.

    Raises InvalidValueError or InvalidTypeError for arguments that do not fit, UnsupportedError for a model of
    dispatches.

    >>> from wherry.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> builder.add_input("x", TensorType("float32", (5,)))
    >>> builder.add_input("i", TensorType("int64", ("N",)))
    >>> _ = builder.add(Gather(), ["x", "i"], ["y"], "ONNX Gather-13 'take'")
    >>> made = fix(GraphModel(builder.build(["y"]), "onnx"), ["openvino:opset8"])
    >>> [node.subject.partition(" '")[0] for node in made.graph.nodes]
    ['ONNX Cast-21', 'ONNX Clip-13', 'ONNX Gather-13']
    """
    return fixed(model, targets, bad_index=bad_index).model


def fixed(model: Model, targets: object = NAMES, *, bad_index: str = "clamp") -> Fixed:
    """Return the model that `fix` returns, with what was written into it and the findings that are left."""
    check_is("model", model, Model, "what wherry.load returns")
    if bad_index not in list(BadIndex):
        raise invalid("bad_index", short(bad_index), ", ".join(map(repr, map(str, BadIndex))))
    if not isinstance(model, GraphModel):
        raise UnsupportedError("guards are written into graphs, not into a model of dispatches; convert it first")
    before = check(model, targets)
    with limited(model.limits), uncollected():
        asked = _asked(before)
        while True:
            graph, written = _guarded(model, asked, BadIndex(bad_index))
            made = model.over(graph)
            made.about = model.about
            after = check(made, targets)
            guards = tuple(_guards(written, before, after))
            in_vain = {one.node for one in guards if not one.findings or _is_refused(written[one.node][1], after)}
            if not in_vain:
                break
            asked = {label: names for label, names in asked.items() if label not in in_vain}
        left = tuple((one, _why_left(one, model)) for one in after.findings)
        made.findings = (*model.findings, *_notes(guards, left))
        return Fixed(made, guards, left, before, after, BadIndex(bad_index))


def _is_refused(added: Collection[Node], after: Report) -> bool:
    """Whether a target does not take a node of a guard, or is not safe there."""
    made = {name for node in added for name in node.outputs}
    severe = (Severity.REFUSED, Severity.UNSAFE)
    return any(one.node in made and not one.place and one.severity in severe for one in after.findings)


def _asked(report: Report) -> dict[str, set[str]]:
    """Return for nodes of the model's own graph what is found of them."""
    found: dict[str, set[str]] = {}
    for one in report.findings:
        if not one.place:
            found.setdefault(one.node, set()).add(one.name)
    return found


def _guarded(model: GraphModel, asked: Mapping[str, Collection[str]], bad_index: BadIndex) -> tuple[Graph, _Written]:
    """Return the graph with guards around the nodes that something is found of, and what was written for which node."""
    graph, target = model.graph, _target_of(model)
    tensors = Ranges(graph)
    searches = {
        from_front: Search(graph, target, REWRITES, guards=inside(bad_index, from_front), tensors=tensors)
        for from_front in (False, True)
    }
    edit = _Edit(graph, tensors, target)
    for node in graph.nodes:
        names = set(asked.get(node.label, ())) & GUARDED.get(maker_of(node.operator), frozenset())
        tensors.root = f"{node.label}/guard"
        found = searches["negative" in names].guarded(node) if names else None
        if found is None:
            edit.keep(node)
        else:
            edit.replace(node, found)
    return edit.graph(), edit.written


def _target_of(model: GraphModel) -> Target:
    """Return the model's own dialect in its version, which says the guards."""
    options = {"opset": model.options.get("opset")} if model.dialect == "onnx" else {}
    return target_of(model.dialect, options)


_Written = Mapping[str, tuple[Node, list[Node]]]
"""For the label of each node with a guard: the node as it was, and the nodes that were written around it."""


@dataclass
class _Edit:
    """A graph that is written anew, node by node; equal nodes of guards, and equal constants, are written once."""

    old: Graph
    tensors: Ranges
    target: Target
    nodes: list[Node] = field(default_factory=list)
    written: dict[str, tuple[Node, list[Node]]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    """What tensors of guards are called that are equal to others."""
    _seen: dict[object, str] = field(default_factory=dict)

    def keep(self, node: Node) -> None:
        """Write a node as it stands."""
        self.nodes.append(node)

    def replace(self, old: Node, nodes: Sequence[Node]) -> None:
        """Write the nodes that stand for another one."""
        added: list[Node] = []
        own = maker_of(old.operator)
        for node in nodes:
            for name in node.inputs:
                self._share_constant(name)
            shared = replace(node, inputs=tuple(self._names.get(name, name) for name in node.inputs))
            key = None if set(node.outputs) & set(old.outputs) else _key(shared)
            if key is not None and key in self._seen:
                self._names[node.outputs[0]] = self._seen[key]
                continue
            if key is not None:
                self._seen[key] = node.outputs[0]
            if maker_of(node.operator) is own:
                self.nodes.append(replace(shared, subject=old.subject, name=old.name))
                continue
            self.nodes.append(replace(shared, subject=self._subject(shared), name=""))
            added.append(self.nodes[-1])
        self.written[old.label] = old, added

    def graph(self) -> Graph:
        """Return the graph."""
        read = {name for node in self.nodes for name in node.reads} | set(self.old.outputs)
        new = {name: value for name, value in self.tensors.constants.items() if name in read}
        kept = {name: value for name, value in self.old.constants.items() if name in read or name not in new}
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
    """Return what nodes share that make the same of the same; None where that cannot be told."""
    try:
        hash(node.operator)
    except TypeError:
        return None
    return (node.operator, node.inputs) if len(node.outputs) == 1 else None


def _section(target: Target, node: Node, types: Sequence[TensorType], values: Sequence[Array | None]) -> str:
    if isinstance(target, OnnxTarget):
        from wherry.dialects.onnx.say import say

        said = say(node, types, values, target.opset)
        if not isinstance(said, Refusal):
            return said.row.subject
    if isinstance(target, OpenVINOTarget):
        from wherry.dialects.openvino.say import say as say_openvino

        filled = say_openvino(node, types, values)
        if not isinstance(filled, Refusal):
            return filled.row.subject()
    return f"{target.title} {getattr(maker_of(node.operator), '__name__', 'guard')}"


def _operator(node: Node) -> str:
    """Return a node's operator with its version."""
    return node.subject.partition(" '")[0].rpartition(" ")[2]


def _guards(written: _Written, before: Report, after: Report) -> Iterator[Guard]:
    """Yield each guard with the findings that are gone."""
    still = {_identity(one) for one in after.findings}
    for label, (node, added) in written.items():
        gone = [one for one in before.findings if one.node == label and not one.place and _identity(one) not in still]
        yield Guard(label, _operator(node), tuple(map(_operator, added)), tuple(gone))


def _identity(one: Finding) -> tuple[object, ...]:
    return one.node, one.place, one.target, one.version, one.name


def _why_left(one: Finding, model: GraphModel) -> str:
    if one.place:
        return _INNER.format(one.place[-1])
    node = next((node for node in model.graph.nodes if node.label == one.node), None)
    if node is None or isinstance(node.operator, Opaque):
        return _UNKNOWN
    if one.name in GUARDED.get(maker_of(node.operator), ()):
        return _NOT_SAID.format(_target_of(model).title)
    return _NO_GUARD.get(one.severity, _UNKNOWN)


def _notes(guards: Iterable[Guard], left: Iterable[tuple[Finding, str]]) -> Iterator[Note]:
    for one in guards:
        text = f"guarded by {', '.join(one.written) or 'the guard of a node before it'}"
        yield Note(Effect.NOTE, f"{one.operator} {one.node!r}", "guard", text)
    for finding, why in left:
        text = f"{finding.target} {finding.version}: {finding.name}: {why}"
        yield Note(Effect.NOTE, f"{finding.operator} {finding.node!r}", "left", text)
