"""Draft: the graph that a conversion makes, node by node, each as the target says it, or by other operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

from numpy.typing import NDArray

from wherry.conversion.findings import Effect, Finding
from wherry.conversion.rules import Rule, rules_of
from wherry.conversion.site import MOST_PLACES, Site, changed
from wherry.conversion.targets import Target
from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.graph import Deferred, Graph, Node
from wherry.ops import Constant, Identity, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]
Path = tuple[tuple[object, object], ...]

_DEPTH = 8
"""How many rewrites may stand inside each other."""

_MOST_LOSSES = 3
"""How many rules of one operator may be changed that can matter."""

_SMALL = 2**16
"""Integer tensors of up to so many elements are computed while converting, where constants decide them."""


class StuckError(Exception):
    """A rewrite needs an operator that the target cannot say either."""


@dataclass(frozen=True, eq=False)
class Rewrite:
    """One row of the table of rewrites: an operator said by others, with the same results for every input.

    `build` adds operators to an Edit and returns the names of the results, or None where the row does not apply.
    Only a row that says so takes operators some of whose fields are values of inputs (`deferred`).
    """

    operators: tuple[object, ...]
    when: str
    into: str
    why: str
    build: Callable[[Edit], str | Sequence[str] | None]
    targets: tuple[str, ...] = ("onnx", "openvino", "directml")
    deferred: bool = False

    def takes(self, site: Site) -> bool:
        """Whether the row is about an operator."""
        is_one = object in self.operators or site.kind in self.operators
        return is_one and (self.deferred or not isinstance(site.operator, Deferred))


@dataclass
class Edit:
    """What a rewrite sees of the node that it says otherwise, and what it adds."""

    draft: Draft
    node: Node
    site: Site
    path: Path
    nodes: list[Node] = field(default_factory=list)

    @property
    def operator(self) -> Any:
        """The operator to be said."""
        return self.node.operator

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the node's inputs."""
        return self.node.inputs

    def kind(self, name: str) -> TensorType:
        """Return the type of a tensor."""
        return self.draft.types[name]

    def shape(self, name: str | None = None) -> tuple[int, ...]:
        """Return the sizes of a tensor, the first input if none is named. Raises StuckError where one is unknown."""
        kind = self.kind(self.inputs[0] if name is None else name)
        if not kind.is_known:
            raise StuckError
        return kind.shape

    def check_places(self, *sizes: int) -> None:
        """Raise StuckError where so many places of elements are too many to be computed, and kept as a constant."""
        if math.prod(sizes) > MOST_PLACES:
            raise StuckError

    def value(self, name: str) -> Array | None:
        """Return the value of a tensor that constants decide."""
        return self.draft.value(name)

    def constant(self, value: Array, wish: str = "value") -> str:
        """Add a constant and return its name."""
        return self.draft.add_constant(f"{self.draft.root}/{wish}", value)

    def add(self, operator: Operator | Deferred, *inputs: str) -> str:
        """Add an operator of one output and return its name. Raises StuckError where the target cannot say it."""
        (name,) = self.add_all(operator, *inputs)
        return name

    def try_add(self, operator: Operator | Deferred, *inputs: str) -> str | None:
        """Add an operator of one output and return its name, or None where the target cannot say it."""
        try:
            return self.add(operator, *inputs)
        except (StuckError, WherryError):
            return None

    def add_all(self, operator: Operator | Deferred, *inputs: str) -> tuple[str, ...]:
        """Add an operator and return the names of its outputs; see `add`."""
        kinds = operator.infer([self.draft.types[name] for name in inputs])
        names = tuple(self.draft.fresh(f"{self.draft.root}/{_word(operator)}") for _ in kinds)
        self.draft.types.update(zip(names, kinds, strict=True))
        found = self.draft.exact(
            replace(self.node, operator=operator, inputs=inputs, outputs=names, name=""), self.path
        )
        if found is None:
            raise StuckError
        self.nodes += found
        return names

    def named(self, results: Sequence[str]) -> list[Node]:
        """Return the added nodes, the results under the names of the node's outputs; constants need no node."""
        made = {name for node in self.nodes for name in node.outputs}
        names: dict[str, str] = {}
        decided: dict[str, Array] = {}
        for result, wanted in zip(results, self.node.outputs, strict=True):
            if result in self.draft.constants and wanted not in self.draft.graph.outputs:
                decided[wanted] = self.draft.constants[result]
                continue
            if result in made and result not in names:
                names[result] = wanted
                continue
            found = self.draft.exact(Node(Identity(), (result,), (wanted,), self.node.subject), self.path)
            if found is None:
                raise StuckError
            self.nodes += found
        self.draft.constants.update(decided)
        nodes = [_renamed(node, names) for node in self.nodes]
        return [*nodes[:-1], replace(nodes[-1], name=self.node.name)] if nodes else []


def _word(operator: Operator | Deferred) -> str:
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    return getattr(made, "__name__", "value").lower()


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    def of(given: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in given)

    return replace(node, inputs=of(node.inputs), outputs=of(node.outputs))


class Draft:
    """One conversion of a graph to a target."""

    def __init__(self, graph: Graph, target: Target, rewrites: Sequence[Rewrite], near: Sequence[Rewrite] = ()) -> None:
        self.graph = graph
        self.target = target
        self.types: dict[str, TensorType] = dict(graph.types)
        self.constants: dict[str, Array] = dict(graph.constants)
        self.findings: list[Finding] = []
        self.root = ""
        """The result of the node that is being said; what rewrites add is called after it."""
        self._rewrites = [row for row in rewrites if target.name in row.targets]
        self._near = [row for row in near if target.name in row.targets]
        self._makers = {name: node for node in graph.nodes for name in node.outputs}
        self._computed: dict[str, Array | None] = {}
        self._refusals: dict[object, WherryError | None] = {}
        self._failed: dict[object, list[frozenset[tuple[object, object]]]] = {}

    def convert(self) -> Graph:
        """Return the graph as the target says it; what it cannot say is among the findings."""
        nodes: list[Node] = []
        for node in self.graph.nodes:
            nodes += self._said(node)
        nodes = self._needed(nodes)
        read = {name for node in nodes for name in node.inputs} | set(self.graph.outputs)
        constants = {name: value for name, value in self.constants.items() if name in read}
        kinds = {name: self.types[name] for name in constants if self.types[name] != TensorType.of(constants[name])}
        return Graph(self.graph.inputs, self.graph.outputs, tuple(nodes), constants, self.graph.name, kinds)

    def _needed(self, nodes: list[Node]) -> list[Node]:
        """Return the nodes without those that nothing needs any more; what nothing needed from the start stays."""
        read = {name for node in self.graph.nodes for name in node.inputs}
        needed = set(self.graph.outputs)
        for node in self.graph.nodes:
            if not read.intersection(node.outputs):
                needed.update(node.outputs)
        kept = []
        for node in reversed(nodes):
            if needed.intersection(node.outputs):
                needed.update(node.inputs)
                kept.append(node)
        return kept[::-1]

    def _said(self, node: Node) -> list[Node]:
        if isinstance(node.operator, Constant):
            self.constants[node.outputs[0]] = node.operator.value
            return []
        self.root = node.outputs[0]
        self.findings += self._left_open(node)
        nodes = self.exact(node, ())
        if nodes is not None:
            return nodes
        reason = self._refusal(node)
        assert reason is not None
        for operator, rules in self._lossy(self.site(node)):
            nodes = self.exact(replace(node, operator=operator), ())
            if nodes is not None:
                self.findings += [_loss(node, rule, operator) for rule in rules]
                return nodes
        site = self.site(node)
        for row in self._near:
            nodes = self._by(row, node, site, ()) if row.takes(site) else None
            if nodes is not None:
                self.findings.append(Finding(Effect.LOSS, node.subject, row.into, row.why))
                return nodes
        self.findings.append(Finding(Effect.REFUSED, node.subject, _word(node.operator), reason.message))
        return [node]

    def _left_open(self, node: Node) -> Iterator[Finding]:
        site = self.site(node)
        for rule in rules_of(site):
            text = rule.note(site)
            if text is not None:
                yield Finding(Effect.NOTE, node.subject, rule.field, text)

    def exact(self, node: Node, path: Path) -> list[Node] | None:
        """Return nodes that the target says and that do the same for every input, or None."""
        if self._refusal(node) is None:
            return [node]
        site = self.site(node)
        for operator in self._settled(site):
            variant = replace(node, operator=operator)
            if self._refusal(variant) is None:
                return [variant]
        if len(path) >= _DEPTH or any(self.target.lacks(kind) for kind in (*site.types, *site.outputs)):
            return None
        key, steps = self._key(node), frozenset(path)
        if any(failed <= steps for failed in self._failed.get(key, ())):
            return None
        for row in self._rewrites:
            if (row, site.kind) not in path and row.takes(site):
                nodes = self._by(row, node, site, path)
                if nodes is not None:
                    return nodes
        self._failed.setdefault(key, []).append(steps)
        return None

    def _by(self, row: Rewrite, node: Node, site: Site, path: Path) -> list[Node] | None:
        """Return the nodes that a row says another by, or None where it cannot."""
        edit = Edit(self, node, site, (*path, (row, site.kind)))
        try:
            results = row.build(edit)
            if results is None:
                return None
            return edit.named((results,) if isinstance(results, str) else results)
        except (StuckError, WherryError):
            return None

    def site(self, node: Node) -> Site:
        """Return a node's operator with what is known of its inputs."""
        types = tuple(self.types[name] for name in node.inputs)
        return Site(
            node.operator,
            types,
            tuple(self.value(name) for name in node.inputs),
            tuple(self.types[name] for name in node.outputs),
        )

    def _key(self, node: Node) -> object:
        """Return what decides how a node can be said: operator, types, and which inputs are which constants."""
        types = tuple(self.types[name] for name in node.inputs)
        constants = tuple(name if name in self.constants else None for name in node.inputs)
        places = tuple(node.inputs.index(name) for name in node.inputs)
        try:
            hash(node.operator)
        except TypeError:  # a field of a deferred operator that does not hash
            return object()
        return node.operator, types, constants, places, len(node.outputs)

    def _refusal(self, node: Node) -> WherryError | None:
        key = self._key(node)
        if key not in self._refusals:
            self._refusals[key] = self.target.refusal(node, self.site(node))
        return self._refusals[key]

    def _settled(self, site: Site) -> Iterator[Operator | Deferred]:
        """Yield the operator with other values of the rules that cannot matter, the target's own first."""
        rules = [rule for rule in rules_of(site) if rule.settled(site)]
        if not rules:
            return
        own = {rule.field: rule for rule in rules}
        preferred = {name: value for name, value in self.target.preferred.items() if name in own}
        yield from _built(site, [preferred])
        yield from _built(site, _choices(site, rules))

    def _lossy(self, site: Site) -> Iterator[tuple[Operator | Deferred, list[Rule]]]:
        """Yield the operator with one rule changed that can matter, then with more; the target's own values first."""
        rules = [rule for rule in rules_of(site) if not rule.settled(site)]
        for count in range(1, _MOST_LOSSES + 1):
            for chosen in combinations(rules, count):
                for values in product(*map(self._ordered, chosen)):
                    choice = {rule.field: value for rule, value in zip(chosen, values, strict=True)}
                    if all(value != site.field(name) for name, value in choice.items()):
                        for operator in _built(site, [choice]):
                            yield operator, list(chosen)

    def _ordered(self, rule: Rule) -> list[Any]:
        own = self.target.preferred.get(rule.field)
        return sorted(rule.words, key=lambda value: value != own)

    def value(self, name: str) -> Array | None:
        """Return a constant, or a small integer tensor that constants and known sizes decide."""
        if name in self.constants:
            return self.constants[name]
        if name not in self._computed:
            self._computed[name] = None
            self._computed[name] = self._compute(name)
        return self._computed[name]

    def _compute(self, name: str) -> Array | None:
        kind, node = self.types[name], self._makers.get(name)
        small = kind.is_known and math.prod(kind.shape) <= _SMALL and kind.row is not None and kind.row.is_integer
        if node is None or not (small or (kind.sizes is None or not kind.is_known)):
            return None
        return self.computed(node, name)

    def computed(self, node: Node, name: str) -> Array | None:
        """Return an output of a node whose inputs are decided, or None where they are not, or the node refuses them."""
        try:
            operator = self.resolved(node)
            if operator is None:
                return None
            types = [self.types[read] for read in node.data_inputs]
            made = operator.fold(types) if all(kind.is_known for kind in types) else None
            if made is None:
                values = [self.value(read) for read in node.data_inputs]
                given = [value for value in values if value is not None]
                if len(given) < len(values):
                    return None
                made = apply(operator, given, node.subject)
        except WherryError:
            return None
        return made[node.outputs.index(name)]

    def resolved(self, node: Node) -> Operator | None:
        """Return the operator of a node with known fields, or None where inputs that are not decided hold them."""
        if not isinstance(node.operator, Deferred):
            return node.operator
        values = {name: value for name in node.value_inputs if (value := self.value(name)) is not None}
        return node.resolve(values) if len(values) == len(set(node.value_inputs)) else None

    def add_constant(self, wish: str, value: Array) -> str:
        """Add a constant under a name that is free, and return that."""
        name = self.fresh(wish)
        self.constants[name], self.types[name] = value, TensorType.of(value)
        return name

    def fresh(self, wish: str) -> str:
        """Return a name that no tensor has."""
        name, number = wish, 1
        while name in self.types:
            number += 1
            name = f"{wish} {number}"
        self.types[name] = TensorType("uint8", None)
        return name


def _choices(site: Site, rules: Sequence[Rule]) -> Iterator[dict[str, Any]]:
    """Yield all values of some rules, those with the fewest changes first."""
    names = [rule.field for rule in rules]
    every = product(*(list(rule.words) for rule in rules))
    choices = [dict(zip(names, values, strict=True)) for values in every]
    yield from sorted(choices, key=lambda choice: sum(site.field(name) != value for name, value in choice.items()))


def _built(site: Site, choices: Iterable[Mapping[str, Any]]) -> Iterator[Operator | Deferred]:
    """Yield the operator with each choice of rules that differs from its own and that it can have."""
    for choice in choices:
        if all(site.field(name) == value for name, value in choice.items()):
            continue
        try:
            yield changed(site.operator, **choice)
        except WherryError:
            continue


def _loss(node: Node, rule: Rule, written: Operator | Deferred) -> Finding:
    before, after = (Site(one, (), (), ()).field(rule.field) for one in (node.operator, written))
    text = f"{rule.field} is {before} ({rule.words[before]}), the nearest is {after} ({rule.words[after]})"
    return Finding(Effect.LOSS, node.subject, rule.field, text)
