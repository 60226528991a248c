"""Whole: a graph of which wherry runs what moves data, and an installed runtime the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.conversion.findings import Effect, Finding
from wherry.conversion.rules import Rules, rules_named
from wherry.engine.recent import Recent
from wherry.errors import InvalidValueError, OtherRuntimeError, UnsupportedError
from wherry.graph import Graph, Node
from wherry.models.cut import Part, Side, cut, movement_inside, side_of_node
from wherry.models.model import GraphModel
from wherry.models.parts import PartWriter, ValueType
from wherry.runtimes.runtime import Held, Runtime, Session, Value, runtime_of
from wherry.tensors import TensorType

Array = NDArray[Any]

_RECENT = 4
"""For how many sizes of inputs each part is found at a glance."""


@dataclass
class Context:
    """What holds for a graph and the branches in it: the rules, who runs what wherry lacks, how parts are written."""

    dialect: str
    rules: Rules | None
    parts: PartWriter | None
    through: str | None
    optimize: bool
    runtime: Runtime | None = None
    left: dict[str, Finding] = field(default_factory=dict)
    """What is told of nodes that stay with the runtime, by the node."""

    def session(
        self,
        part: Part,
        types: Mapping[str, ValueType],
        constants: Mapping[str, Array],
        constant_types: Mapping[str, TensorType],
    ) -> Session:
        """Return a session of the runtime for the nodes of a part."""
        if self.parts is None:
            named = errors.listed([str(node.operator) for node in part.nodes])
            raise UnsupportedError(f"operators that wherry does not have: {named}; the model was not read from a file "
                                   "that keeps them for a runtime")  # fmt: skip
        if self.runtime is None:
            self.runtime = runtime_of(self.through or self.parts.runtime, optimize=self.optimize)
        apart = self.runtime.takes_weights
        file = self.parts.write(part.nodes, types, part.outputs, constants, constant_types, apart)
        return self.runtime.session(file)

    def side_of(self, node: Node) -> Side:
        """Return who runs a node: wherry an If that holds nodes that move data, or chooses between them."""
        if self.parts is None or not movement_inside(node) or self.parts.branches(node) is None:
            return side_of_node(node)
        return Side.CHOICE

    def tell_left(self, node: Node) -> None:
        """Keep a note of a node inside which the runtime's own rules hold."""
        count = movement_inside(node)
        if self.rules is not None and count:
            nodes = "1 node that moves data follows" if count == 1 else f"{count} nodes that move data follow"
            words = f"{nodes} the rules of the runtime, not those of {self.rules.title}"
            self.left[node.subject] = Finding(Effect.NOTE, f"inside {node.subject}", "rules", words)


class Whole:
    """One graph, cut into parts; sessions and plans are made when they are first needed, and kept."""

    def __init__(self, graph: Graph, context: Context) -> None:
        self.graph = graph
        self.cut = cut(graph, context.side_of)
        self._context = context
        self._kept: dict[tuple[object, ...], GraphModel | Session | None] = {}
        self._recent: Recent[tuple[object, ...], GraphModel | Session] = Recent(_RECENT * len(graph.nodes) + _RECENT)
        self._folded: dict[str, Value] | None = None
        self._branches: dict[tuple[str, bool], Whole] = {}
        for node in self.cut_nodes():
            context.tell_left(node)

    def cut_nodes(self) -> Iterator[Node]:
        """Yield the nodes that the runtime runs."""
        return (node for part in self.cut.parts if part.side is Side.THEIRS for node in part.nodes)

    def run(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return the outputs by name; the arrays are nobody else's."""
        if self._folded is None:
            folded = self.cut.folded
            self._folded = {} if folded is None else self._ours(folded, {})
        values: dict[str, Value] = {**self.graph.constants, **self._folded, **given}
        for part in self.cut.parts:
            values.update(self._run_part(part, values))
            for name in part.last:
                values.pop(name, None)
        made = {name for part in self.cut.parts for name in part.outputs}
        return {name: values[name] if name in made else _copied(values[name]) for name in self.graph.outputs}

    def _run_part(self, part: Part, values: Mapping[str, Value]) -> dict[str, Value]:
        if part.side is Side.OURS:
            return self._ours(part, values)
        if part.side is Side.THEIRS:
            return self._theirs(part, values)
        made: dict[str, Value] = {}
        for node in part.nodes:
            made.update(self._choose(node, {**values, **made}))
        return made

    def _ours(self, part: Part, values: Mapping[str, Value]) -> dict[str, Value]:
        arrays = {name: _array(name, values[name]) for name in part.inputs}
        model = self._made(part, arrays, self._model)
        assert isinstance(model, GraphModel)
        return dict(model.run(arrays))

    def _theirs(self, part: Part, values: Mapping[str, Value]) -> dict[str, Value]:
        fixed = self._fixed(part)
        given = {name: values[name] for name in part.inputs if name not in fixed}
        session = self._made(part, given, self._session)
        assert isinstance(session, Session)
        return session.run(given)

    def _fixed(self, part: Part) -> dict[str, Value]:
        """Return what was folded and is a constant to the runtime too; one that does not optimize would not fold it."""
        folded = self._folded if self._context.optimize and self._folded else {}
        return {name: folded[name] for name in part.inputs if name in folded}

    def _made(
        self,
        part: Part,
        given: Mapping[str, Value],
        make: Callable[[Part, Mapping[str, ValueType]], GraphModel | Session],
    ) -> GraphModel | Session:
        """Return what runs a part on such values: made for all with these element types and numbers of axes.

        Where the runtime needs to know sizes that the file leaves open, it is made for these sizes alone.
        """
        exact = (part.outputs, *map(_at_a_glance, given.values()))
        found = self._recent.get(exact)
        if found is not None:
            return found
        types = {name: self._type_of(name, value) for name, value in given.items()}
        key = (part.outputs, *types.values())
        if key not in self._kept:
            try:
                self._kept[key] = make(part, types)
            except OtherRuntimeError:
                self._kept[key] = None
        found = self._kept[key] or make(part, {name: _exact_type(value) for name, value in given.items()})
        self._recent.put(exact, found)
        return found

    def _session(self, part: Part, types: Mapping[str, ValueType]) -> Session:
        constants = {name: self.graph.constants[name] for name in part.constants}
        constants |= {name: _array(name, value) for name, value in self._fixed(part).items()}
        return self._context.session(part, types, constants, self.graph.constant_types)

    def _model(self, part: Part, types: Mapping[str, Any]) -> GraphModel:
        own = {name: self.graph.constants[name] for name in part.constants}
        kinds = {name: kind for name, kind in self.graph.constant_types.items() if name in own}
        graph = Graph(dict(types), part.outputs, part.nodes, own, self.graph.name, kinds)
        return GraphModel(graph, self._context.dialect, reading=self._context.rules)

    def _type_of(self, name: str, value: Value) -> ValueType:
        """Return the type to declare: with the sizes that the file tells, where the value has them, and its axes."""
        if isinstance(value, Held):
            return value.type
        declared, found = self.graph.types.get(name), TensorType.of(value)
        if declared is not None and declared.sizes is not None and declared.accepts(found):
            return found.with_sizes([size if isinstance(size, int) else None for size in declared.sizes])
        return found.with_sizes([None] * value.ndim)

    def _choose(self, node: Node, values: Mapping[str, Value]) -> Iterable[tuple[str, Value]]:
        """Run the branch of an If that its condition names."""
        assert self._context.parts is not None
        found = self._context.parts.branches(node)
        assert found is not None
        condition = _array(node.inputs[0], values[node.inputs[0]])
        if condition.dtype != np.bool_ or condition.size != 1:
            raise InvalidValueError(f"cond is {TensorType.of(condition)}, allowed one bool", node.subject)
        chosen = bool(condition.reshape(()))
        key = (node.outputs[0], chosen)
        if key not in self._branches:
            self._branches[key] = Whole(found[not chosen], self._context)
        branch = self._branches[key]
        results = branch.run({name: values[name] for name in branch.graph.inputs})
        return zip(node.outputs, results.values(), strict=True)


def _at_a_glance(value: Value) -> object:
    return value.type if isinstance(value, Held) else (value.dtype, value.shape)


def _exact_type(value: Value) -> ValueType:
    return value.type if isinstance(value, Held) else TensorType.of(value)


def _copied(value: Value) -> Value:
    return value if isinstance(value, Held) else value.copy()


def _array(name: str, value: Value) -> Array:
    if isinstance(value, Held):
        raise UnsupportedError(f"tensor {name!r} is of {value.type}, allowed a tensor; wherry moves tensors only")
    return value


class WholeModel(Whole):
    """A model's graph under chosen rules, through a runtime."""

    def run_whole(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Return the outputs by name; what is no tensor as the runtime has it in Python: a list, a mapping."""
        return {name: value.plain() if isinstance(value, Held) else value for name, value in self.run(given).items()}

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What there is to tell of the rules, so far as they have been asked."""
        rules = self._context.rules
        return () if rules is None else (*rules.findings.values(), *self._context.left.values())


def whole_of(
    graph: Graph, dialect: str, parts: PartWriter | None, rules: str | None, through: str | None, optimize: bool
) -> WholeModel:
    """Return a graph ready to run as a whole.

    Raises InvalidValueError for rules or a runtime that wherry does not know.
    """
    context = Context(dialect, None if rules is None else rules_named(rules), parts, through, optimize)
    if through is not None:
        context.runtime = runtime_of(through, optimize=optimize)
    return WholeModel(graph, context)
