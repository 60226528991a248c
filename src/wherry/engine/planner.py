"""The planner: from a graph, and inputs of known sizes and strides, to a plan; every refusal but that of an index."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from operator import not_

import numpy as np

from wherry import dtypes, errors, limits
from wherry.engine.call import apply
from wherry.engine.elide import elide_copies
from wherry.engine.plan import Array, Plan
from wherry.errors import InvalidValueError, WherryError
from wherry.graph import Graph, Node
from wherry.layout import Layout
from wherry.moves import CheckMove, ComputeMove, CopyMove, Move
from wherry.moves.move import memory_of, nbytes
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View

Reading = Callable[[Node, Operator, Sequence[TensorType], Sequence[Array | None]], Operator]
"""Returns what runs in place of a node's operator, given its inputs' types and the values of those it knows."""
KEPT_BYTES = 64 * 1024
"""Values of more are not kept with a plan: they cost more to tell from others, and to copy, than a new plan does."""

RESULT_BYTES = 2**22
"""What nodes of constants make is computed once for a plan, up to so many bytes."""


def make_plan(
    graph: Graph,
    inputs: Mapping[str, View | Array],
    values: Mapping[str, Array] | None = None,
    outputs: Mapping[str, Layout] | None = None,
    reading: Reading | None = None,
) -> Plan:
    """Plan `graph` for inputs that lie as the given arrays or views do.

    `values` holds the inputs among `graph.value_tensors`, which the plan may read again when it runs: copy those that
    will have changed by then. `outputs` holds the layouts of results that are to be written in place (packed where it
    says nothing). Every refusal but that of an index happens here. `reading` turns each operator into the one that runs
    in its place, once its inputs' types are known.

    Raises UnsupportedError that lists every operator of the graph that wherry does not have.
    """
    graph.refuse_opaque()
    plan = _Planner(graph, inputs, values or {}, outputs or {}, reading).plan()
    return replace(plan, remake=(make_plan, (graph, plan.inputs, values, outputs, reading)))


class _Planner:
    """One planning: types forward, homes backward, moves forward."""

    def __init__(
        self,
        graph: Graph,
        inputs: Mapping[str, View | Array],
        values: Mapping[str, Array],
        outputs: Mapping[str, Layout],
        reading: Reading | None,
    ) -> None:
        self.graph = graph
        self.reading = reading
        self.input_views = {name: _view_of(f"input {name}", given) for name, given in inputs.items()}
        self.given = sum(_span_nbytes(view) for view in self.input_views.values())
        self.given += sum(value.nbytes for value in graph.constants.values())
        self.computed = 0
        self.values = dict(graph.constants) | dict(values)
        self.wanted = outputs
        self.operators: dict[Node, Operator] = {}
        self.types: dict[str, TensorType] = {}
        self.nodes: list[Node] = []
        self.readers: Counter[str] = Counter()
        self.homes: dict[str, View] = {}
        self.views: dict[str, View] = {}
        self.temporaries: dict[str, View] = {}
        self.results: dict[str, Array] = {}
        self.result_bytes = 0
        self.moves: list[Move] = []

    def plan(self) -> Plan:
        self._infer()
        self._count_readers()
        output_views = self._place_outputs()
        self._find_homes()
        self._emit()
        self._emit_remaining(output_views)
        self.moves = elide_copies(self.moves, self.temporaries)
        self._check_first()
        used = {view.buffer for move in self.moves for view in move.views}
        self._check_memory(used, output_views)
        constants = {_constant(name): memory_of(value) for name, value in self.graph.constants.items()} | self.results
        values = {name: value for name, value in self.values.items() if name in self.input_views}
        return Plan(
            tuple(self.moves),
            self.input_views,
            output_views,
            {name: vector for name, vector in constants.items() if name in used},
            {name: view for name, view in self.temporaries.items() if name in used},
            values if sum(value.nbytes for value in values.values()) <= KEPT_BYTES else {},
        )

    def _check_memory(self, used: Collection[str], output_views: Mapping[str, View]) -> None:
        """Refuse what would allocate too much in all: results that are not written in place, and temporaries."""
        made = {name: view for name, view in output_views.items() if name not in self.wanted}
        made.update(
            (name.removeprefix(_TEMPORARY), self.temporaries[name]) for name in self.temporaries if name in used
        )
        sizes = {name: _span_nbytes(view) for name, view in made.items()}
        largest = max(sizes, key=sizes.__getitem__, default="")
        maker = next((node.subject for node in self.nodes if largest in node.outputs), "")
        what = "the results" if len(sizes) == 1 else "all results and temporaries, the largest of this node,"
        with errors.subject(maker):
            limits.check_bytes(sum(sizes.values()), what, self.given)
        limits.check_bytes(max((m.bytes_written for m in self.moves), default=0), "the elements to write", self.given)

    def _infer(self) -> None:
        """Types of all tensors; deferred operators become operators; values that planning needs are computed."""
        for name, declared in self.graph.inputs.items():
            self.types[name] = declared.with_sizes(self.input_views[name].layout.sizes)
            self.views[name] = self.input_views[name]
        for name, value in self.graph.constants.items():
            self.types[name] = self.graph.types[name]
            self.views[name] = View(_constant(name), value.dtype, Layout.of(value))
        for node in self.graph.nodes:
            operator = self.operators[node] = self._operator(node)
            with errors.subject(node.subject):
                types = operator.infer([self.types[name] for name in node.data_inputs])
            if len(types) != len(node.outputs):
                raise InvalidValueError(
                    f"outputs has {len(node.outputs)} entries, allowed {len(types)}: one for each part", node.subject
                )
            self.types.update(zip(node.outputs, types, strict=True))
            if self.graph.value_tensors.intersection(node.outputs):
                with errors.subject(node.subject):
                    self.computed += sum(math.prod(kind.shape) for kind in types)
                    limits.check_values(self.computed, "the values that planning computes", self.given)
                results = operator.fold([self.types[name] for name in node.data_inputs])
                if results is None:
                    results = apply(operator, [self.values[name] for name in node.data_inputs], node.subject)
                self.values.update(zip(node.outputs, results, strict=True))

    def _operator(self, node: Node) -> Operator:
        """Return the operator that runs for a node, the types of whose inputs are known."""
        operator = node.resolve(self.values)
        if self.reading is None:
            return operator
        given = node.data_inputs
        return self.reading(
            node, operator, [self.types[name] for name in given], [self.graph.constants.get(name) for name in given]
        )

    def _count_readers(self) -> None:
        """How often each tensor is read; nodes that nothing reads (any more) are left out."""
        self.readers = Counter(self.graph.outputs)
        for node in reversed(self.graph.nodes):
            if any(self.readers[name] for name in node.outputs):
                self.nodes.append(node)
                self.readers.update(node.data_inputs)
        self.nodes.reverse()

    def _place_outputs(self) -> dict[str, View]:
        views: dict[str, View] = {}
        for name in self.graph.outputs:
            kind = self.types[name]
            layout = self.wanted.get(name) or Layout(kind.shape)
            if layout.sizes != kind.shape:
                raise InvalidValueError(f"output {name!r} has sizes {list(layout.sizes)}, allowed {list(kind.shape)}")
            views[name] = View(f"output {name}", kind.numpy, layout)
            if name in self.wanted:
                self.given += _span_nbytes(views[name])
            if name not in self.views:
                self.homes[name] = views[name]
        return views

    def _find_homes(self) -> None:
        """Give what a node only carries on its place inside the node's output, from the last node to the first."""
        for node in reversed(self.nodes):
            if len(node.outputs) != 1:
                continue
            (output,) = node.outputs
            if self._find_home_of_same(node, output):
                continue
            sizes = [self.types[name].shape for name in node.data_inputs]
            if self._places(node, sizes, Layout(self.types[output].shape)) is None:
                continue
            home = self.homes[output] = self.homes.get(output) or self._temporary(output)
            for name, layout in zip(node.data_inputs, self._places(node, sizes, home.layout) or (), strict=True):
                if self.readers[name] == 1 and name not in self.views:
                    self.homes.setdefault(name, home.over(layout))

    def _find_home_of_same(self, node: Node, output: str) -> bool:
        """Give the data of an Identity or a Reshape the output's home; return whether the node is of that kind."""
        home = self.homes.get(output)
        if home is None or len(node.data_inputs) != 1:
            return False
        (data,) = node.data_inputs
        sizes = self.types[data].shape
        layout = home.layout.reshaped(sizes) if math.prod(sizes) == home.layout.size else None
        if layout is None or self.operators[node].view([layout]) != ((0, home.layout),):
            return False
        if data not in self.views:
            self.homes.setdefault(data, home.over(layout))
        return True

    def _places(self, node: Node, sizes: Sequence[tuple[int, ...]], output: Layout) -> tuple[Layout, ...] | None:
        return self.operators[node].place(sizes, output)

    def _fixed_nodes(self) -> set[Node]:
        """Return the nodes of constants alone; what makes one of nothing, as Range does, only where others read it."""
        fixed = set(self.graph.constants)
        nodes: list[Node] = []
        for node in self.nodes:
            if fixed.issuperset(node.data_inputs):
                fixed.update(node.outputs)
                nodes.append(node)
        read = {name for node in nodes for name in node.data_inputs}
        return {node for node in nodes if node.data_inputs or not read.isdisjoint(node.outputs)}

    def _emit(self) -> None:
        fixed = self._fixed_nodes()
        for node in self.nodes:
            operator, sources = self.operators[node], [self.views[name] for name in node.data_inputs]
            parts = operator.view([source.layout for source in sources])
            if parts is not None:
                self._emit_views(node, [sources[number].over(layout) for number, layout in parts])
                continue
            with errors.subject(node.subject):
                limits.check_bytes(sum(self.types[name].nbytes for name in node.outputs), "the results", self.given)
            if node in fixed and self._compute(node, sources):
                continue
            targets = [self.homes.get(name) or self._temporary(name) for name in node.outputs]
            self.views.update(zip(node.outputs, targets, strict=True))
            for move in operator.lower(sources, targets, node.subject):
                if not (isinstance(move, CopyMove) and move.source == move.target):
                    self.moves.append(self._computed(move))

    def _compute(self, node: Node, sources: Sequence[View]) -> bool:
        """Compute a node of constants alone, if it makes little; what it refuses is refused when the plan runs."""
        needed = sum(self.types[name].nbytes for name in node.outputs)
        held = {view.buffer: self._memory_of(view.buffer) for view in sources}
        memory = {buffer: found for buffer, found in held.items() if found is not None}
        if self.result_bytes + needed > RESULT_BYTES or len(memory) < len(held):
            return False  # a source may have been too large
        targets = [self._result(self.types[name]) for name in node.outputs]
        memory |= {target.buffer: self.results[target.buffer] for target in targets}
        try:
            for move in self.operators[node].lower(sources, targets, node.subject):
                move.run(memory)
        except WherryError:
            return False
        self.result_bytes += needed
        self._emit_views(node, targets)
        return True

    def _memory_of(self, buffer: str) -> Array | None:
        """Return the memory of a buffer that is the same at each run; None of another."""
        if buffer in self.results:
            return self.results[buffer]
        value = self.graph.constants.get(buffer.removeprefix(_CONSTANT)) if buffer.startswith(_CONSTANT) else None
        return None if value is None else memory_of(value)

    def _result(self, kind: TensorType) -> View:
        """Return a view of memory for what is computed while planning."""
        view = View(f"{_RESULT}{len(self.results)}", kind.numpy, Layout(kind.shape))
        self.results[view.buffer] = memory_of(np.empty(kind.shape, kind.numpy))
        return view

    def _computed(self, move: Move) -> Move:
        """Return a move; for one that computes the same at each run the copy of what it makes, if that is small."""
        if not isinstance(move, ComputeMove) or move.sources or nbytes(move.target) > KEPT_BYTES:
            return move
        whole = self._result(TensorType(move.target.dtype, move.target.layout.sizes))
        replace(move, target=whole).run(self.results)
        return CopyMove(whole, move.target)

    def _emit_views(self, node: Node, parts: Sequence[View]) -> None:
        """Outputs that are views need no move, unless they have a home to be written to."""
        for name, part in zip(node.outputs, parts, strict=True):
            self.views[name] = self.homes.get(name) or part
            if self.views[name] != part:
                self.moves.append(CopyMove(part, self.views[name]))

    def _emit_remaining(self, output_views: Mapping[str, View]) -> None:
        """Results that are inputs, constants or views are copied out."""
        for name, target in output_views.items():
            if self.views[name] != target:
                self.moves.append(CopyMove(self.views[name], target))

    def _check_first(self) -> None:
        """Bring forward the checks of tensors that no move writes: a run then refuses before it writes anything."""
        written = {move.target.buffer for move in self.moves if move.target is not None}
        ready = [isinstance(move, CheckMove) and move.indices.buffer not in written for move in self.moves]
        self.moves = [*compress(self.moves, ready), *compress(self.moves, map(not_, ready))]

    def _temporary(self, name: str) -> View:
        kind = self.types[name]
        view = View(f"{_TEMPORARY}{name}", kind.numpy, Layout(kind.shape))
        self.temporaries[view.buffer] = view
        return view


_TEMPORARY = "temporary "
_RESULT = "result "
_CONSTANT = "constant "


def _constant(name: str) -> str:
    return f"{_CONSTANT}{name}"


def _view_of(buffer: str, given: View | Array) -> View:
    if isinstance(given, View):
        return View(buffer, given.dtype, given.layout)
    return View(buffer, dtypes.without_strings(given.dtype), Layout.of(given))


def _span_nbytes(view: View) -> int:
    """Return the bytes of memory from the lowest element of a view to the highest."""
    return view.layout.span * view.dtype.itemsize
