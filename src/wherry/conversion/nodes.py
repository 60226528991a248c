"""said_by: each node of a graph as a target says it, with findings about those that it cannot say exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from wherry.conversion.findings import Effect, Finding
from wherry.conversion.targets import Target
from wherry.graph import Deferred, Graph, Node, Opaque
from wherry.ops import Operator, OtherSizes, Undetermined
from wherry.rewrite.builder import word_of
from wherry.rewrite.known import KnownNode, fields_of, maker_of
from wherry.rewrite.rules import Rule, rules_of
from wherry.rewrite.search import Search
from wherry.rewrite.table import NEAR, REWRITES

_COUNTED = 12
"""How many operators beyond all targets are named."""


def said_by(target: Target, graph: Graph) -> tuple[Graph, list[Finding]]:
    """Return a graph of nodes that a target says, with findings; nodes that nothing can say stay, and are refused."""
    search = Search(graph, target, REWRITES, NEAR)
    nodes: list[Node] = []
    findings = [_beyond(graph.opaque)] if graph.opaque else []
    for node in graph.nodes:
        if isinstance(node.operator, Opaque):
            continue
        known = search.tensors.known(node)
        findings += _left_open(node, known)
        found = search.nodes_for(node)
        if found is None:
            nearest = search.nearest(node)
            found = [node] if nearest is None else nearest.nodes
            if nearest is None:
                reason = target.reason(node, known)
                findings.append(Finding(Effect.REFUSED, node.subject, word_of(node.operator), reason))
            elif nearest.row is not None:
                findings.append(Finding(Effect.LOSS, node.subject, nearest.row.into, nearest.row.why))
            else:
                findings += [_loss(node, rule, nearest.operator) for rule in nearest.rules]
        else:
            findings += _taken(node, known, found)
        nodes += found
    return search.graph_of(nodes), findings


def _beyond(nodes: Sequence[Node]) -> Finding:
    """Return one finding about all nodes that no target says, as they move no data: how many of each operator."""
    counts = Counter(getattr(node.operator, "name", "") for node in nodes)
    listed = [f"{count} {name}" for name, count in counts.most_common(_COUNTED)]
    others = len(counts) - len(listed)
    words = ", ".join(listed) + (f" and {others} others" if others else "")
    subject = "1 node" if len(nodes) == 1 else f"{len(nodes)} nodes"
    text = f"{words}: operators that wherry does not have; wherry extract writes the parts between them"
    return Finding(Effect.REFUSED, subject, "operator", text)


def _left_open(node: Node, known: KnownNode) -> Iterator[Finding]:
    """Yield what the specifications leave open of a node, and can matter."""
    for rule in rules_of(known):
        text = rule.note(known)
        if text is not None:
            yield Finding(Effect.NOTE, node.subject, rule.field, text)


def _taken(node: Node, known: KnownNode, found: Sequence[Node]) -> Iterator[Finding]:
    """Yield what a node refuses of sizes that are not known, and its forms in the target take."""
    for rule in rules_of(known):
        value = known.field(rule.field)
        if _STRICT.get(rule.field) != value or rule.settled(known):
            continue
        makers = [(maker_of(one.operator), fields_of(one.operator).get(rule.field)) for one in found]
        if (known.maker, value) not in makers:
            text = f"{rule.words[value]}; what is written gives a result then"
            yield Finding(Effect.NOTE, node.subject, rule.field, text)


_STRICT = {"undetermined": Undetermined.REFUSE, "other_sizes": OtherSizes.REFUSE, "one_of_any_rank": False}
"""Rules that refuse some sizes, and that rows of rewrites leave out: what is taken by both has the same results."""


def _loss(node: Node, rule: Rule, written: Operator | Deferred) -> Finding:
    before, after = (fields_of(operator).get(rule.field) for operator in (node.operator, written))
    text = f"{rule.field} is {before} ({rule.words[before]}), the nearest is {after} ({rule.words[after]})"
    return Finding(Effect.LOSS, node.subject, rule.field, text)
