"""expressed: the nodes of a graph in the operators of a target, with findings where these are not exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from wherry.conversion.findings import Effect, Finding
from wherry.conversion.targets import Target
from wherry.graph import Deferred, Graph, Node, Opaque
from wherry.moves import OutOfRange
from wherry.ops import Gather, Operator, Pad, PadMode
from wherry.rewrite.builder import word_of
from wherry.rewrite.known import KnownNode, fields_of, maker_of
from wherry.rewrite.rules import STRICT, Rule, rules_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import GUARDS, NEAR, REWRITES

_COUNTED = 12
"""How many operators beyond all targets are named."""


def expressed(target: Target, graph: Graph, guard: bool = False) -> tuple[Graph, list[Finding]]:
    """Return a graph in operators of the target, with findings; nodes that it cannot express stay, and are refused.

    With `guard`, guards check values that a node refuses, where no operator of the target does.
    """
    search = Search(graph, target, REWRITES, NEAR, GUARDS)
    nodes: list[Node] = []
    undecided: list[tuple[Node, Finding]] = []
    findings = [_beyond(graph.opaque)] if graph.opaque else []
    for node in graph.nodes:
        if isinstance(node.operator, Opaque):
            continue
        known = search.tensors.known(node)
        findings += _left_open(node, known)
        found = search.nodes_for(node)
        if found is not None:
            findings += _taken(node, known, found)
        else:
            found, causes = _inexact(search, target, node, known, guard)
            if target.needs_sizes and (isinstance(node.operator, Deferred) or not known.is_known):
                undecided += [(node, one) for one in causes if one.effect is Effect.REFUSED]
                causes = [one for one in causes if one.effect is not Effect.REFUSED]
            findings += causes
        nodes += found
    return search.graph_of(nodes), [*findings, *_together(undecided)]


_ALONE = 3
"""Up to this many nodes of unknown sizes have a finding each; more share one."""


def _together(undecided: Sequence[tuple[Node, Finding]]) -> Iterable[Finding]:
    """Return the findings about nodes that are refused for unknown sizes: one about all if there are many."""
    if len(undecided) <= _ALONE:
        return [finding for _, finding in undecided]
    words = _counted(node.subject.partition(" '")[0] for node, _ in undecided)
    text = (
        f"{words}: their sizes are not known, or values decide what they do; give sizes={{...}} (wherry convert: "
        f"--sizes NAME=2x3); the first, {undecided[0][0].subject}: {undecided[0][1].message}"
    )
    return [Finding(Effect.REFUSED, f"{len(undecided)} nodes", "sizes", text, len(undecided))]


def _inexact(
    search: Search, target: Target, node: Node, known: KnownNode, guard: bool
) -> tuple[list[Node], Iterable[Finding]]:
    """Return a node that has no exact form as its guarded form, its nearest form, or itself, refused."""
    guarded = search.guarded(node)
    if guarded is not None and guard:
        text = "a bad value is refused at run by a Reshape whose sizes do not fit then, in other words"
        return guarded, [Finding(Effect.NOTE, node.subject, "guard", text)]
    nearest = search.nearest(node)
    if nearest is None:
        reason = target.reason(node, known)
        causes = [Finding(Effect.REFUSED, node.subject, word_of(node.operator), reason)]
    elif nearest.row is not None:
        causes = [Finding(Effect.LOSS, node.subject, nearest.row.into, nearest.row.why)]
    else:
        causes = [_loss(node, rule, nearest.operator) for rule in nearest.rules]
    if guarded is not None:
        causes = [replace(one, message=one.message + _GUARD_HELPS) for one in causes]
    return [node] if nearest is None else nearest.nodes, causes


_GUARD_HELPS = "; a guard refuses it at run: guard=True (wherry convert: --guard)"


def _beyond(nodes: Sequence[Node]) -> Finding:
    """Return one finding about all opaque nodes: the number of nodes of each operator."""
    words = _counted(getattr(node.operator, "name", "") for node in nodes)
    subject = "1 node" if len(nodes) == 1 else f"{len(nodes)} nodes"
    text = f"{words}: operators that wherry does not have; wherry extract writes the parts between them"
    return Finding(Effect.REFUSED, subject, "operator", text, len(nodes))


def _counted(names: Iterable[str]) -> str:
    """Return the count of each name as text, the most frequent first."""
    counts = Counter(names)
    listed = [f"{count} {name}" for name, count in counts.most_common(_COUNTED)]
    others = len(counts) - len(listed)
    return ", ".join(listed) + (f" and {others} others" if others else "")


def _left_open(node: Node, known: KnownNode) -> Iterator[Finding]:
    """Yield findings about rules that specifications leave open and that can matter for a node."""
    for rule in rules_of(known):
        text = rule.note(known)
        if text is not None:
            yield Finding(Effect.NOTE, node.subject, rule.field, text)


def _taken(node: Node, known: KnownNode, found: Sequence[Node]) -> Iterator[Finding]:
    """Yield what a node refuses of sizes that are not known, and its forms in the target take."""
    makers = [maker_of(one.operator) for one in found]
    for rule in rules_of(known):
        value = known.field(rule.field)
        if rule.field not in STRICT or STRICT[rule.field][0] != value or rule.settled(known):
            continue
        values = [fields_of(one.operator).get(rule.field) for one in found]
        if (known.maker, value) not in zip(makers, values, strict=True):
            text = f"{rule.words[value]}; what is written gives a result then"
            yield Finding(Effect.NOTE, node.subject, rule.field, text)
    if known.maker in makers or known.is_known:
        return
    if known.maker is Gather and known.field("out_of_range") is OutOfRange.RAISE and known.indices_value is not None:
        text = "an index outside its axis is refused; what is written gives a result where that has no elements"
        yield Finding(Effect.NOTE, node.subject, "out_of_range", text)
    if known.maker is Pad and known.field("mode") is not PadMode.CONSTANT:
        text = "an axis that has nothing to read is refused; what is written gives a result then"
        yield Finding(Effect.NOTE, node.subject, "mode", text)


def _loss(node: Node, rule: Rule, written: Operator | Deferred) -> Finding:
    before, after = (fields_of(operator).get(rule.field) for operator in (node.operator, written))
    text = f"{rule.field} is {before} ({rule.words[before]}), the nearest is {after} ({rule.words[after]})"
    return Finding(Effect.LOSS, node.subject, rule.field, text)
