"""Whole: a graph of which wherry runs the nodes that move data, and an installed runtime the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.conversion.findings import Effect, Finding
from wherry.conversion.rules import Rules, rules_named
from wherry.engine.recent import Recent
from wherry.errors import InvalidValueError, OtherRuntimeError, UnsupportedError
from wherry.graph import Deferred, Graph, Node
from wherry.models.cut import Part, Side, cut, movement_inside, side_of_node
from wherry.models.model import GraphModel
from wherry.models.parts import PartWriter, ValueType
from wherry.ops import ARITHMETIC, Identity
from wherry.runtimes.runtime import Held, Runtime, Session, Value, runtime_of
from wherry.tensors import TensorType

Array = NDArray[Any]

_Run = Callable[[Any], Mapping[str, Value]]

_RECENT = 4
"""The number of input sizes for which each part keeps its way of running."""


@dataclass
class Context:
    """Shared by a graph and its branches: the rules, the runtime for opaque nodes, the writer of parts."""

    dialect: str
    rules: Rules | None
    parts: PartWriter | None
    through: str | None
    optimize: bool
    runtime: Runtime | None = None
    left: dict[str, Finding] = field(default_factory=dict)
    """Notes about nodes that stay with the runtime, by node."""

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

    def shared_nodes(self, graph: Graph) -> dict[str, Sequence[Node]]:
        """Return the nodes that the runtime may run too, in the file's format, by their first output.

        These compute floats, one IEEE operation an element, under the model's own rules, or copy.
        """
        if self.parts is None or self.rules is not None or self.through not in (None, self.parts.runtime):
            return {}
        found = {
            node.outputs[0]: self.parts.say(node, [graph.types[name] for name in node.inputs], graph.types)
            for node in graph.nodes
            if node.outputs and _runs_alike(node, graph)
        }
        return {name: nodes for name, nodes in found.items() if nodes}

    def tell_left(self, node: Node) -> None:
        """Add a note about a node inside which the runtime's own rules hold."""
        count = movement_inside(node)
        if self.rules is not None and count:
            nodes = "1 node that moves data follows" if count == 1 else f"{count} nodes that move data follow"
            words = f"{nodes} the rules of the runtime, not those of {self.rules.title}"
            self.left[node.subject] = Finding(Effect.NOTE, f"inside {node.subject}", "rules", words)


class _Part:
    """A part, the values that it is given by their names, and what runs it, by what can be seen of these at a glance.

    What ran last is asked for first: most models see the same sizes again and again.
    """

    def __init__(self, part: Part, names: tuple[str, ...]) -> None:
        self.part = part
        self.names = names
        self.last: tuple[list[object], _Run] | None = None
        self.recent: Recent[tuple[object, ...], _Run] = Recent(_RECENT)
        self.kept: dict[tuple[object, ...], _Run | None] = {}


class Whole:
    """One graph, cut into parts; sessions and plans are made when they are first needed, and kept."""

    def __init__(self, graph: Graph, context: Context, says: bool = True) -> None:
        """Cut a graph; with `says`, nodes of wherry's that the runtime runs alike go where there are fewer parts."""
        self.graph = graph
        self._shared = context.shared_nodes(graph) if says else {}
        self.cut = cut(graph, lambda node: Side.EITHER if node.outputs[0] in self._shared else context.side_of(node))
        self._context = context
        self._instead: Whole | None = None
        self._branches: dict[tuple[str, bool], Whole] = {}
        for node in self.cut_nodes():
            context.tell_left(node)

    def cut_nodes(self) -> Iterator[Node]:
        """Yield the nodes that the runtime runs."""
        return (node for part in self.cut.parts if part.side is Side.THEIRS for node in part.nodes)

    def run(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return the outputs by name; the arrays are nobody else's."""
        if self._instead is not None:
            return self._instead.run(given)
        try:
            return self._run(given)
        except OtherRuntimeError:
            if not self._shared:
                raise
        instead = Whole(self.graph, self._context, says=False)
        found = instead.run(given)  # the runtime may lack an operator for a type that wherry has it for
        self._instead = instead
        return found

    def _run(self, given: Mapping[str, Value]) -> dict[str, Value]:
        values: dict[str, Value] = {**self._always, **given}
        for each in self._parts:
            if each.part.side is Side.CHOICE:
                for node in each.part.nodes:
                    values.update(self._choose(node, values))
            else:
                read = {name: values[name] for name in each.names}
                values.update(self._run_of(each, read)(read))
            for name in each.part.last:
                values.pop(name, None)
        made = self._made
        return {name: values[name] if name in made else _copied(values[name]) for name in self.graph.outputs}

    @cached_property
    def _folded(self) -> dict[str, Value]:
        """The tensors that depend on constants alone, and that others need."""
        folded = self.cut.folded
        return {} if folded is None else dict(self._model(folded, {})({}))

    @cached_property
    def _always(self) -> dict[str, Value]:
        """What is there before a part runs: what was folded, and the constants that are asked for by their names."""
        chosen = [name for part in self.cut.parts if part.side is Side.CHOICE for name in part.constants]
        constants = self.graph.constants
        return {name: constants[name] for name in (*chosen, *self.graph.outputs) if name in constants} | self._folded

    @cached_property
    def _parts(self) -> list[_Part]:
        return [_Part(part, tuple(name for name in part.inputs if name not in self._fixed(part)))
                for part in self.cut.parts]  # fmt: skip

    @cached_property
    def _made(self) -> frozenset[str]:
        return frozenset(name for part in self.cut.parts for name in part.outputs)

    def _fixed(self, part: Part) -> dict[str, Value]:
        """Return what was folded and is a constant to the runtime too; one that does not optimize would not fold it."""
        if part.side is not Side.THEIRS or not self._context.optimize:
            return {}
        return {name: self._folded[name] for name in part.inputs if name in self._folded}

    def _run_of(self, each: _Part, given: Mapping[str, Value]) -> _Run:
        """Return what runs a part on such values: made for all with these element types and numbers of axes.

        Where the runtime needs to know sizes that the file leaves open, it is made for these sizes alone.
        """
        glance: list[object] = [
            value.type if isinstance(value, Held) else (value.dtype, value.shape) for value in given.values()
        ]
        if each.last is not None and each.last[0] == glance:
            return each.last[1]
        found = each.recent.get(tuple(glance)) or self._made_for(each, given)
        each.recent.put(tuple(glance), found)
        each.last = (glance, found)
        return found

    def _made_for(self, each: _Part, given: Mapping[str, Value]) -> _Run:
        part, make = each.part, self._session
        if part.side is Side.OURS:
            make, given = self._model, {name: _array(name, value) for name, value in given.items()}
        types = {name: self._type_of(name, value) for name, value in given.items()}
        key = tuple(types.values())
        if key not in each.kept:
            try:
                each.kept[key] = make(part, types)
            except OtherRuntimeError:
                each.kept[key] = None
        return each.kept[key] or make(part, {name: _exact_type(value) for name, value in given.items()})

    def _session(self, part: Part, types: Mapping[str, ValueType]) -> _Run:
        constants = {name: self.graph.constants[name] for name in part.constants}
        constants |= {name: _array(name, value) for name, value in self._fixed(part).items()}
        nodes = tuple(one for node in part.nodes for one in self._shared.get(node.outputs[0], (node,)))
        written = replace(part, nodes=nodes)
        return self._context.session(written, types, constants, self.graph.constant_types).run

    def _model(self, part: Part, types: Mapping[str, Any]) -> _Run:
        own = {name: self.graph.constants[name] for name in part.constants}
        kinds = {name: kind for name, kind in self.graph.constant_types.items() if name in own}
        graph = Graph(dict(types), part.outputs, part.nodes, own, self.graph.name, kinds)
        return GraphModel(graph, self._context.dialect, reading=self._context.rules).run

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


def _runs_alike(node: Node, graph: Graph) -> bool:
    """Whether a node of wherry's is an Identity, or arithmetic on floats of 16 bits and more alone."""
    operator = node.operator
    if isinstance(operator, Identity):
        return True
    made = (operator.makes or operator.build) if isinstance(operator, Deferred) else type(operator)
    if not isinstance(made, type) or not issubclass(made, ARITHMETIC):
        return False
    return all(graph.types[name].numpy.kind == "f" for name in node.data_inputs)


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
        """Return the outputs by name; those that are no tensors as Python objects of the runtime: a list, a mapping."""
        return {name: value.plain() if isinstance(value, Held) else value for name, value in self.run(given).items()}

    @property
    def notes(self) -> tuple[Finding, ...]:
        """The notes about rules that were chosen so far."""
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
