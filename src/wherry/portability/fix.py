"""fix: inserts guards into a model, with which targets give the answers of the model's own specification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wherry.arguments import as_word, check_is
from wherry.conversion.findings import Effect
from wherry.conversion.findings import Finding as Note
from wherry.errors import UnsupportedError
from wherry.garbage import uncollected
from wherry.graph import Graph, Node, Opaque
from wherry.limits import limited
from wherry.models.model import GraphModel, Model
from wherry.portability.check import check
from wherry.portability.finding import Finding, Severity
from wherry.portability.guards import Place, Written, guarded, own_target
from wherry.portability.remedies import Kind, remedy_of
from wherry.portability.report import Report
from wherry.portability.sources import spoken_of
from wherry.portability.targets import NAMES
from wherry.rewrite.inside import BadIndex
from wherry.rewrite.known import maker_of

_UNKNOWN = "there is no guard for it"
_OF_FUNCTION = "functions of the model are kept as they are"
_NOT_SAID = "its guard needs known axes, or operators that {} or the target does not have, or would not take it away"


@dataclass(frozen=True)
class Guard:
    """The operators written around a node, and the findings that they remove."""

    node: str
    place: tuple[str, ...]
    """The names of the graphs around the node, outermost first; none for that of the model."""
    operator: str
    written: tuple[str, ...]
    """The operators around the node, in their order; those that it shares with nodes before it are left out."""
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the guard as what `json.dumps` takes."""
        return {
            "node": self.node,
            "place": list(self.place),
            "operator": self.operator,
            "written": list(self.written),
            "findings": [{"target": one.target, "version": one.version, "name": one.name} for one in self.findings],
        }


@dataclass(frozen=True)
class Fixed:
    """A model with guards, a list of them, and the remaining findings, each with the reason."""

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
    """Return the model with the fewest additional nodes with which targets answer as the model's specification does.

    Guards, operators of the model's own dialect and version around a node, remove findings of `check` about numbers
    known only at run (indices, repeats, sizes of parts). Answers for legal inputs stay the same, bit for bit. An index
    that the model refuses reads the nearest end of its axis, or a zero with `bad_index="zero"`; a scatter skips such an
    update. `findings` of the result lists guards and remaining findings.

    Raises InvalidValueError or InvalidTypeError for wrong arguments, UnsupportedError for a DxDispatch model.

    >>> from wherry.graph import GraphBuilder
    >>> from wherry.ops import Gather
    >>> from wherry.tensors import TensorType
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
    """Return the model that `fix` returns, with its guards and the remaining findings."""
    check_is("model", model, Model, "what wherry.load returns")
    chosen = as_word("bad_index", bad_index, BadIndex)
    if not isinstance(model, GraphModel):
        raise UnsupportedError("guards are written into graphs, not into a model of dispatches; convert it first")
    before = check(model, targets)
    with limited(model.limits), uncollected():
        made, after, guards = _helping(model, targets, before, chosen)
        left = tuple((one, _why_left(one, model)) for one in after.findings)
        made.findings = (*model.findings, *_notes(guards, left))
        return Fixed(made, guards, left, before, after, chosen)


def _helping(
    model: GraphModel, targets: object, before: Report, bad_index: BadIndex
) -> tuple[GraphModel, Report, tuple[Guard, ...]]:
    """Return the model with the guards that remove a finding and are not refused, and the report of its check."""
    asked: dict[Place, set[str]] = {}
    for one in before.findings:
        asked.setdefault((one.place, one.node), set()).add(one.name)
    while True:
        graph, written = guarded(model, asked, bad_index)
        made = model.over(graph)
        made.about = model.about
        after = check(made, targets) if written else before
        guards = tuple(_guards(written, before, after))
        in_vain = {
            (one.place, one.node)
            for one in guards
            if not one.findings or _is_refused(one.place, written[one.place, one.node], after)
        }
        if not in_vain:
            return made, after, guards
        asked = {place: names for place, names in asked.items() if place not in in_vain}


def _is_refused(place: tuple[str, ...], written: Written, after: Report) -> bool:
    """Whether a target refuses a node of a guard, or is unsafe there."""
    severe = (Severity.REFUSED, Severity.UNSAFE)
    return any(
        one.place == place and one.node in written.made and one.severity in severe
        for one in after.findings
        if one.node != written.node.label
    )


def _guards(written: Mapping[Place, Written], before: Report, after: Report) -> Iterator[Guard]:
    """Yield each guard with the findings that it removes."""
    still = {_identity(one) for one in after.findings}
    for (place, label), one in written.items():
        about = [finding for finding in before.findings if (finding.place, finding.node) == (place, label)]
        gone = tuple(finding for finding in about if _identity(finding) not in still)
        yield Guard(label, place, spoken_of(one.node), tuple(map(spoken_of, one.added)), gone)


def _identity(one: Finding) -> tuple[object, ...]:
    return one.node, one.place, one.target, one.version, one.name


def _why_left(one: Finding, model: GraphModel) -> str:
    node = _node_at(one.place, one.node, model.graph)
    found = remedy_of(one.name, None if node is None else maker_of(node.operator))
    if found is None or found.kind is not Kind.GUARDED:
        return _UNKNOWN if found is None else found.why
    if one.place and one.place[-1].endswith(" function"):
        return _OF_FUNCTION
    return found.why or _NOT_SAID.format(own_target(model).title)


def _node_at(place: Sequence[str], label: str, graph: Graph) -> Node | None:
    """Return the node of this label in the inner graph at a place."""
    if not place:
        return next((node for node in graph.nodes if node.label == label), None)
    inner = (
        _node_at(place[1:], label, held)
        for node in graph.nodes
        if isinstance(node.operator, Opaque)
        for name, held in node.operator.graphs
        if f"{node.label} {name}" == place[0]
    )
    return next((node for node in inner if node is not None), None)


def _notes(guards: Iterable[Guard], left: Iterable[tuple[Finding, str]]) -> Iterator[Note]:
    for one in guards:
        text = f"guarded by {', '.join(one.written) or 'the guard of a node before it'}"
        yield Note(Effect.NOTE, f"{one.operator} {one.node!r}", "guard", text)
    for finding, why in left:
        text = f"{finding.target} {finding.version}: {finding.name}: {why}"
        yield Note(Effect.NOTE, f"{finding.operator} {finding.node!r}", "left", text)
