"""check: which nodes other runtimes or specifications refuse, or for which they give another answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from wherry.arguments import as_mapping, check_is
from wherry.conversion.cases import Written, cases_of, is_settled, may_hold
from wherry.conversion.rules import OF_DATA
from wherry.conversion.targets import DirectMLTarget, OpenVINOTarget, Target, WebNNTarget
from wherry.dialects.directml.descs import OperatorDesc
from wherry.dtypes import UNKNOWN
from wherry.errors import WherryError, cut, invalid
from wherry.garbage import uncollected
from wherry.graph import Deferred, Graph, Node, Opaque
from wherry.limits import limited
from wherry.models.model import Model
from wherry.ops import Cast
from wherry.portability.description import check_description
from wherry.portability.examples import edge_of, example_of
from wherry.portability.finding import Finding, Severity, Side
from wherry.portability.observe import observed, reached
from wherry.portability.ranges import Assumed, Range, Ranges
from wherry.portability.readers import Readers
from wherry.portability.reading import Parting, Reading, read
from wherry.portability.report import Report
from wherry.portability.sources import source_of, spoken_of
from wherry.portability.targets import NAMES, CheckTarget, targets_of
from wherry.rewrite.known import KnownNode, maker_of
from wherry.runtimes.case import Case
from wherry.runtimes.conditions import left_open
from wherry.runtimes.differences import Difference, Does
from wherry.tensors import TensorType

Array = NDArray[Any]
Place = tuple[str, ...]

_COMPARED = 1024
"""Constants of up to this many bytes are compared by content; larger ones count as different."""

_SEVERITY: Mapping[Does, Severity] = {
    Does.REFUSES: Severity.REFUSED,
    Does.DIFFERS: Severity.DIFFERS,
    Does.ORDER: Severity.DIFFERS,
    Does.CRASHES: Severity.UNSAFE,
    Does.UNSAFE: Severity.UNSAFE,
}

NARROWING = frozenset({
    "wide data loses bits", "integers compared and divided as floats", "integers reduced as floats",
    "indices are cut to 32 bits", "the diagonal of an Eye is cut to 32 bits", "f64 is converted as f32",
})  # fmt: skip
"""The known differences, by name, in which a runtime holds numbers in a narrower type."""

_SAYS: Mapping[str, str] = {
    "open": "the specification leaves it open; wherry has chosen what is shown below",
    "gives": "another answer, which is shown below",
    "large": "another answer",
    "refuses": "it is refused",
}
"""The model's own rule in a finding about a known difference, by what the specification says."""

_VERSION = re.compile(r"-\d+$| \(.*")
"""The version after the name of an operator: `-13`, ` (feature level 6.4)`."""

_NUMBERED = re.compile(r"'?\bin(\d+)\b'?")
"""The name of a node's input in the words of a rule: in0, in1 ..."""

_OF_GREAT_NUMBERS = frozenset({"great integers summed"})
"""The known differences, by name, that need numbers greater than any computed from sizes alone."""

_OF_BITS = frozenset({
    "the sign of the zero that is an extreme", "Where loses the sign of zero", "a signalling NaN of f16 becomes quiet",
    "float16 goes through float32",
})  # fmt: skip
"""The known differences, by name, that only change bits, not numbers: readers of numbers are not affected."""

_ADVICE: Mapping[Does, str] = {
    Does.REFUSES: "say the node by another operator, version or element type for this target",
    Does.DIFFERS: "keep such inputs away from the node, or say it by other operators for this target",
    Does.ORDER: "give each element one update, or run it there in one thread",
    Does.CRASHES: "do not let such inputs reach the node there: it ends the process",
    Does.UNSAFE: "do not let such inputs reach the node there: it touches memory that is not the model's",
}


def check(
    model: Model | OperatorDesc,
    targets: object = NAMES,
    inputs: Any = None,
    *,
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> Report:
    """Return a Report of the nodes that targets refuse or answer differently: its findings, most severe first.

    `targets` are runtimes, with or without a measured version: `onnxruntime`, `openvino`, `directml:6.4`, `webnn`; or
    specifications: `onnx:21`, `openvino:opset8`. Data movement and index arithmetic are judged; other operators are
    counted as not judged. With `inputs`, arrays as for `model.run`, the model runs, and the values that reach each node
    decide. `sizes` fixes sizes of inputs that the model leaves open.

    Raises InvalidValueError or InvalidTypeError for wrong arguments; with `inputs` also the errors of a run.

    >>> import wherry as wh
    >>> from wherry.models.model import GraphModel
    >>> from wherry.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> builder.add_input("x", wh.TensorType("float32", (5,)))
    >>> builder.add_input("i", wh.TensorType("int64", ("N",)))
    >>> _ = builder.add(wh.ops.Gather(), ["x", "i"], ["y"], "ONNX Gather-13 'take'")
    >>> report = check(GraphModel(builder.build(["y"]), "onnx"), ["openvino:opset8"])
    >>> [(one.severity.value, one.name, one.when) for one in report.findings]
    [('maybe', 'out_of_range', 'an index leaves -5..4')]
    """
    if isinstance(model, OperatorDesc):
        return _of_description(model, targets)
    check_is("model", model, Model, "what wherry.load returns, or a description of DirectML")
    chosen = targets_of(targets, model)
    sizes = as_mapping("sizes", sizes)
    with limited(model.limits), uncollected():
        arrays = None if inputs is None else observed(model, inputs)
        report = Report(str(model.about.get("file", model.dialect)), [(one.name, one.version) for one in chosen])
        for place, graph in model.graphs:
            _Walk(report, chosen, _is_dynamic(graph), arrays).graph(graph, place, None, seen=arrays)
        report.sort()
        return report


def _of_description(desc: OperatorDesc, targets: object) -> Report:
    name = "directml" if targets is NAMES else targets if isinstance(targets, str) else None
    if name is None or name.partition(":")[0] != "directml":
        raise invalid("targets", targets, "'directml', 'directml:5.0' ...", "a description is DirectML's")
    return check_description(desc, name.partition(":")[2] or "6.4")


def _is_dynamic(graph: Graph) -> bool:
    return not all(kind.is_known for kind in graph.inputs.values())


@dataclass(frozen=True)
class _Judged:
    """The findings of a node for one target; `why` it was not judged, or whether its own rules refuse it."""

    findings: Sequence[Finding] = ()
    why: str = ""
    is_illegal: bool = False


@dataclass
class _Walk:
    """Checks the nodes of a model in order, also those of inner graphs, and adds findings to the report."""

    report: Report
    targets: Sequence[CheckTarget]
    is_dynamic: bool
    arrays: Mapping[str, Array] | None
    """The values that reached the nodes in a run, None without a run."""
    _kept: dict[object, list[_Judged]] = field(default_factory=dict)
    """The findings for each target of an equal node."""

    def graph(
        self,
        graph: Graph,
        place: Place,
        around: Ranges | None,
        given: Assumed | None = None,
        seen: Mapping[str, Array] | None = None,
    ) -> None:
        """Check a graph; `around` is the graph around it, `seen` the values of a run."""
        ranges = Ranges(graph, around, given, seen)
        before = None if seen is None else Ranges(graph, around, given)
        dialects, readers = [one.dialect() for one in self.targets], Readers(graph)
        for node in graph.nodes:
            if not isinstance(node.operator, Opaque):
                self._node(ranges, before, node, place, dialects, readers)
                continue
            self.report.pass_by(node.operator.name)
            for name, inner in node.operator.graphs:
                self.graph(inner, (*place, f"{node.label} {name}"), ranges, counters(node, inner))

    def _node(
        self,
        ranges: Ranges,
        before: Ranges | None,
        node: Node,
        place: Place,
        dialects: Sequence[Target],
        readers: Readers,
    ) -> None:
        """Check a node; with values of a run, findings certain `before` the run stay."""
        self.report.judged += 1
        resolved = _resolved(ranges, node)
        inputs = resolved[0].inputs
        is_within = readers.graph.is_within(node)
        found = self._judged(resolved, ranges.fixed(node), is_within, dialects)
        if before is not None:
            self.report.reached += reached(*resolved, place)
            bare = _resolved(before, node)
            unseen = self._judged(bare, before.fixed(node), is_within, dialects)
            waits = isinstance(bare[0].operator, Deferred)
            given = node, ranges.known(node)
            held = self._judged(given, ranges.fixed(node), is_within, dialects) if waits else found
            found = [_at_a_run(*one) for one in zip(found, held, unseen, strict=True)]
        silent = _OF_GREAT_NUMBERS if ranges.is_made_of_sizes(node) else frozenset()
        if any(finding.name in _OF_BITS for one in found for finding in one.findings) and readers.ask_numbers(node):
            silent |= _OF_BITS
        for target, one in zip(self.targets, found, strict=True):
            if one.why:
                self.report.leave_out((target.name, target.version), one.why, spoken_of(node))
            self.report.findings += [
                _at_node(finding, node, inputs, place) for finding in one.findings if finding.name not in silent
            ]

    def _judged(
        self, what: tuple[Node, KnownNode], fixed: frozenset[int], is_within: bool, dialects: Sequence[Target]
    ) -> list[_Judged]:
        """Return the findings for each target of a node with these known facts."""
        node, known = what
        key = _key(node, known, fixed, is_within)
        if key is not None and key in self._kept:
            return self._kept[key]
        pairs = zip(self.targets, dialects, strict=True)
        rest = node, known, fixed, self.is_dynamic, is_within
        found = [_Judge(target, dialect, *rest).judged() for target, dialect in pairs]
        if key is not None:
            self._kept[key] = found
        return found


def _at_a_run(seen: _Judged, held: _Judged, before: _Judged) -> _Judged:
    """Return the findings of a node on the values of a run.

    `seen` has them as fields of the operator where they are some, `held` as inputs, which known differences are about;
    `before` is what is found without them: what is certain then is still. Where the model's own rules refuse the
    values, that is all there is.
    """
    if seen.is_illegal or held.is_illegal:
        return before
    rules = [one for one in seen.findings if seen is held or "entry" not in one.witness]
    known = [] if seen is held else [one for one in held.findings if "entry" in one.witness]
    found = {(one.target, one.name): one for one in before.findings if not one.when}
    return replace(seen, findings=[*{**found, **{(one.target, one.name): one for one in (*rules, *known)}}.values()])


def _at_node(finding: Finding, node: Node, inputs: Sequence[str], place: Place) -> Finding:
    """Return the findings of an equal node with this node's names."""

    def own(found: re.Match[str]) -> str:
        number = int(found[1])
        return repr(inputs[number]) if number < len(inputs) else found[0]

    here = replace(finding, node=node.label, place=place)
    words = _NUMBERED.sub(own, finding.other_rule.words)
    if words == finding.other_rule.words:
        return here
    witness = {**finding.witness, "other_rule": {"refuses": words}}
    return replace(here, other_rule=replace(finding.other_rule, words=words), witness=witness)


def _key(node: Node, known: KnownNode, fixed: frozenset[int], is_within: bool) -> object:
    """Return the cache key of a node's findings, without its name; None if it has no cheap key."""
    operator = known.operator
    if isinstance(operator, Deferred) or not operator.equal_is_same:
        return None
    values = tuple(None if value is None else _content(value) for value in known.values)
    bounds = [known.bounds(number) for number in range(len(known.types))]
    ends = tuple(None if one is None else (_content(one.low, False), _content(one.high, False)) for one in bounds)
    return spoken_of(node), operator, known.types, known.outputs, values, ends, known.never, fixed, is_within


def _content(array: Array, is_held: bool = True) -> object:
    """Return a key that is equal for equal arrays: their content, or the address of a constant that stays in memory."""
    if array.nbytes <= _COMPARED and not array.dtype.hasobject:
        return array.dtype, array.shape, array.tobytes()
    return id(array) if is_held else object()


def counters(node: Node, inner: Graph) -> dict[str, Range]:
    """Return the range of a loop's counter, which does not follow from tensors around the loop."""
    if not isinstance(node.operator, Opaque) or not node.operator.name.startswith("Loop"):
        return {}
    first = next(iter(inner.inputs), None)
    return {} if first is None or first in node.operator.captures else {first: Range(0, 2**31 - 1)}


def _resolved(ranges: Ranges, node: Node) -> tuple[Node, KnownNode]:
    """Return a node with the fields of its operator that constants decide, and its known facts."""
    try:
        operator = ranges.resolved(node)
    except WherryError:
        operator = None
    if operator is not None and operator is not node.operator:
        node = replace(node, operator=operator, inputs=node.data_inputs)
    return node, ranges.known(node)


@dataclass
class _Judge:
    """One node and one target."""

    target: CheckTarget
    dialect: Target
    node: Node
    known: KnownNode
    fixed: frozenset[int]
    is_dynamic: bool
    is_within: bool

    def judged(self) -> _Judged:
        """Return the findings of the node for the target, or why it is not judged."""
        why = self.not_judged()
        if why:
            return _Judged(why=why)
        reading = read(self.dialect, self.node, self.known, self.fixed)
        if reading is None:
            return _Judged(is_illegal=True)
        if reading.refused and any(kind.dtype is UNKNOWN for kind in self._kinds):
            return _Judged(why="element types are not known")
        return _Judged(list(self.findings(reading)))

    @property
    def _kinds(self) -> tuple[TensorType, ...]:
        return (*self.known.types, *self.known.outputs)

    def not_judged(self) -> str:
        """Return why the node is not judged for the target; empty if it is."""
        if not isinstance(self.dialect, (DirectMLTarget, WebNNTarget)):
            return ""
        if maker_of(self.known.operator) is Cast and any(map(self.dialect.lacks, self._kinds)):
            return "element types that are held in others there"
        return "" if self.known.is_known else "sizes are not known; give them with sizes (--sizes)"

    def findings(self, reading: Reading) -> Iterator[Finding]:
        """Yield all findings of the node for the target."""
        unread = [self._entry(entry, case) for entry, case in self._unread(reading)]
        if unread:
            yield from unread
            return
        if reading.refused:
            yield self._refused(reading)
            return
        if reading.near is not None:
            yield self._near(reading)
        for parting in reading.partings:
            yield self._parted(reading, parting)
        told = {parting.rule.field for parting in reading.partings}
        for entry, case in self._known(reading):
            if not (entry.is_open and entry.rule in told) and not is_settled(entry, self.known):
                yield self._entry(entry, case)

    def _unread(self, reading: Reading) -> Iterator[tuple[Difference, Case]]:
        """Yield findings about the target's reader of the model's format, if it rejects the node."""
        if self.target.reads is not None:
            yield from self._cases(self.target.reads(), reading.search.graph.nodes, reading, self.target.reader)

    def _known(self, reading: Reading) -> Iterator[tuple[Difference, Case]]:
        """Yield the known differences that may apply to the target's form of a node, and whether they do.

        What other converters write in place of a node that a runtime lacks is not known; DirectML and WebNN have none.
        """
        has_converter = not isinstance(self.dialect, (DirectMLTarget, WebNNTarget))
        if not self.target.entries or (has_converter and len(reading.nodes) != 1):
            return
        yield from self._cases(self.dialect, reading.nodes, reading, None)

    def _cases(
        self, dialect: Target, nodes: Sequence[Node], reading: Reading, entries: Sequence[Difference] | None
    ) -> Iterator[tuple[Difference, Case]]:
        """Yield the entries that may apply to a dialect's form of nodes."""
        of_a_run = {f"in{number}" for number in range(len(self.known.types))}
        is_within = self.is_within or len(nodes) > 1
        written = Written(nodes, reading.search.tensors, self.is_dynamic, reading.fixed, of_a_run, is_within)
        for case in cases_of(dialect, written):
            asked = self.target.about(case.operator) if entries is None else entries
            yield from ((entry, case) for entry, _ in may_hold(asked, case))

    def _finding(
        self, severity: Severity, name: str, rule: Side, other: Side, who: tuple[str, str] | None = None, **more: Any
    ) -> Finding:
        target, version = who or (self.target.name, self.target.version)
        return Finding(severity, self.node.label, spoken_of(self.node), target, version, name, rule, other, **more)

    def _refused(self, reading: Reading) -> Finding:
        name = f"{_VERSION.sub('', spoken_of(self.node))} is refused"
        words, when = cut(reading.refused), self._unless_others_say_it()
        return self._finding(
            Severity.MAYBE if when else Severity.REFUSED, name,
            Side("the node is legal", source_of(self.node)), Side(words, self.target.title),
            when=when, example=_as_it_is(self.node, self.known), advice="say it by operators that the target has",
            witness={"rule": {"takes": ""}, "other_rule": {"refuses": words},
                     "source": "computed"},
        )  # fmt: skip

    def _unless_others_say_it(self) -> str:
        """Return when a node is refused that wherry cannot convert; empty if no other converter can.

        OpenVINO reads ONNX itself, with other operations in place of those that it lacks; types it lacks for good.
        """
        lacks_a_type = any(kind.row is not None and kind.row.openvino is None for kind in self._kinds)
        is_onnx = source_of(self.node).startswith("ONNX ")
        is_read_there = isinstance(self.dialect, OpenVINOTarget) and is_onnx and not lacks_a_type
        return "OpenVINO's own converter does not say it by other operations either" if is_read_there else ""

    def _near(self, reading: Reading) -> Finding:
        assert reading.near is not None
        return self._finding(
            Severity.DIFFERS, reading.near.into, Side(reading.near.when, source_of(self.node)),
            Side(reading.near.why, self.target.title), when="", example=_as_it_is(self.node, self.known),
            advice="say it by operators that the target has",
            witness={"rule": {"takes": ""}, "other_rule": {"says": reading.near.why}, "source": "computed"},
        )  # fmt: skip

    def _parted(self, reading: Reading, parting: Parting) -> Finding:
        rule = parting.rule
        found = example_of(parting, self.known.operator)
        example, witness, breaks = found if found is not None else ({}, {}, "")
        when = "" if self._is_decided(parting) else edge_of(parting, self.known) or f"not: {rule.when}"
        return self._finding(
            Severity.MAYBE if when else Severity.DIFFERS,
            rule.field,
            Side(rule.words[parting.own], source_of(self.node)),
            Side(rule.words[parting.other], source_of(reading.nodes[0], self.dialect, reading)),
            when=when,
            example={**example, "breaks": breaks} if example else _as_it_is(self.node, self.known),
            witness=witness,
            advice=f"see to it that {rule.when}",
        )

    def _is_decided(self, parting: Parting) -> bool:
        """Whether the elements, or sizes, that the rule is about are all known, so that it does matter."""
        known = self.known
        if isinstance(known.operator, Deferred) or not known.is_known:
            return False
        if parting.rule.field not in OF_DATA:
            return True
        deciding = known.indices_value if known.indices is not None else next(iter(known.values), None)
        return deciding is not None

    def _entry(self, entry: Difference, case: Case) -> Finding:
        is_certain = entry.decided(case) is True
        severity = _SEVERITY[entry.does]
        if entry.name in NARROWING:
            severity = Severity.NARROWED
        elif not is_certain and severity is not Severity.UNSAFE:
            severity = Severity.MAYBE
        answers = entry.written["answers"]
        return self._finding(
            severity,
            entry.name,
            Side(_SAYS["open" if entry.is_open else entry.specified.what], source_of(self.node)),
            Side(entry.reason, entry.link),
            self.target.whose(entry),
            when="" if is_certain else str(left_open(entry.when, case)),
            example=entry.written["example"],
            witness={
                "rule": answers["specification"],
                "other_rule": answers["runtime"],
                "source": str(entry.source),
                "entry": f"{entry.runtime} {entry.version}: {entry.name}",
            },
            advice=_ADVICE[entry.does],
        )


def _as_it_is(node: Node, known: KnownNode) -> dict[str, Any]:
    """Return the node of the model itself as the example."""
    return {"operator": cut(str(known.operator)), "inputs": [{"type": str(kind)} for kind in known.types]}
