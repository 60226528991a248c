"""Plan: the moves of a graph with their buffers, for inputs of known sizes and strides; and the planner."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from wherry import _core, errors, execute, limits
from wherry.errors import InvalidValueError
from wherry.forward import forward
from wherry.graph import Graph, Node
from wherry.layout import Layout
from wherry.moves import CheckMove, CopyMove, Move
from wherry.ops.operator import Operator
from wherry.program import program_of
from wherry.tensors import TensorType, View

Array = NDArray[Any]


@dataclass(frozen=True)
class Plan:
    """Moves in order over named buffers, ready to run any number of times, from several threads at once.

    `inputs` and `outputs` say how the arrays given to `run` lie in their buffers; `temporaries` are made anew by each
    run. Printing a plan lists buffers and moves.
    """

    moves: tuple[Move, ...]
    inputs: Mapping[str, View]
    outputs: Mapping[str, View]
    constants: Mapping[str, Array]
    temporaries: Mapping[str, View]
    origin: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)
    """The arguments of `make_plan`: a pickle holds them, since moves may hold functions and the core's programs."""

    def __reduce__(self) -> tuple[Any, ...]:
        if self.origin is None:
            return Plan, (self.moves, self.inputs, self.outputs, self.constants, self.temporaries)
        return make_plan, self.origin

    def run(self, inputs: Mapping[str, Array], outputs: Mapping[str, Array] | None = None) -> dict[str, Array]:
        """Run the moves and return the outputs by name: new arrays, or the given `outputs`.

        Arrays have the sizes and strides that were planned for. What is refused leaves the given outputs as they were.
        Raises InvalidValueError for arrays of another layout, IndexOutOfRangeError for a bad index under `raise`.
        """
        if self.program is not None and (outputs is None or not self._may_refuse_late):
            found = self.program.run(inputs, outputs)
            if found is not None:
                return found
        memory = {self.inputs[name].buffer: _memory(name, view, inputs) for name, view in self.inputs.items()}
        memory.update(self.constants)
        memory.update((name, _new(view)) for name, view in self.temporaries.items())
        aside = outputs is None or self._may_refuse_late or _share_memory(outputs, inputs)
        given = {} if aside or outputs is None else outputs
        results = {name: _memory(name, view, given) if given else _new(view) for name, view in self.outputs.items()}
        memory.update((self.outputs[name].buffer, vector) for name, vector in results.items())
        execute.run_moves(self.moves, memory)
        if outputs is None:
            return {name: execute.array_over(vector, self.outputs[name].layout) for name, vector in results.items()}
        if aside:
            for name, vector in results.items():
                execute.copy(execute.array_over(vector, self.outputs[name].layout), outputs[name])
        return dict(outputs)

    @cached_property
    def program(self) -> _core.Program | None:
        """The moves as one call of the core; None where some move needs Python. It words no errors: `run` does."""
        return program_of(self)

    @cached_property
    def _may_refuse_late(self) -> bool:
        """Whether a move can fail after another one has written to an output."""
        outputs, written = {view.buffer for view in self.outputs.values()}, False
        for move in self.moves:
            if written and move.may_refuse:
                return True
            written = written or (move.target is not None and move.target.buffer in outputs)
        return False

    @property
    def bytes_moved(self) -> int:
        """The bytes that one run writes."""
        return sum(move.bytes_written for move in self.moves)

    def __str__(self) -> str:
        lines = ["plan"]
        groups = (("input", self.inputs), ("temporary", self.temporaries), ("output", self.outputs))
        lines += [f"  {kind:9} {name}: {view.dtype} {view}" for kind, views in groups for name, view in views.items()]
        lines += [f"  {move}" for move in self.moves]
        lines.append(f"  {len(self.moves)} moves, {self.bytes_moved} bytes written")
        return "\n".join(lines)


def _share_memory(outputs: Mapping[str, Array], inputs: Mapping[str, Array]) -> bool:
    """Whether an output may lie where an input, or another output, does."""
    spans = [(*byte_bounds(array), True) for array in outputs.values() if array.size]
    spans += [(*byte_bounds(array), False) for array in inputs.values() if array.size]
    end_of_all = end_of_written = 0  # of those that begin before
    for begin, end, is_written in sorted(spans):
        if begin < (end_of_all if is_written else end_of_written):
            return True
        end_of_all = max(end_of_all, end)
        if is_written:
            end_of_written = max(end_of_written, end)
    return False


def _new(view: View) -> Array:
    return limits.new_array((view.layout.extent,), view.dtype)


def _nbytes(view: View) -> int:
    """Return the bytes of memory from the lowest element of a view to the highest."""
    return view.layout.span * view.dtype.itemsize


def _memory(name: str, view: View, arrays: Mapping[str, Array]) -> Array:
    array = arrays[name]
    if array.dtype.itemsize != view.dtype.itemsize or Layout.of(array) != view.layout:
        raise InvalidValueError(f"{name!r} is {array.dtype}{list(array.shape)} with byte strides {array.strides}, "
                                f"planned for {view.dtype} {view}; make a plan for it")  # fmt: skip
    return execute.memory_of(array)


def make_plan(
    graph: Graph,
    inputs: Mapping[str, View | Array],
    values: Mapping[str, Array] | None = None,
    outputs: Mapping[str, Layout] | None = None,
) -> Plan:
    """Plan `graph` for inputs that lie as the given arrays or views do.

    `values` holds the inputs among `graph.value_tensors`, which the plan may read again when it runs: copy those that
    will have changed by then. `outputs` holds the layouts of results that are to be written in place (packed where it
    says nothing). Every refusal but that of an index happens here.

    Raises UnsupportedError that lists every operator of the graph that wherry does not have.
    """
    graph.refuse_foreign()
    plan = _Planner(graph, inputs, values or {}, outputs or {}).plan()
    return replace(plan, origin=(graph, plan.inputs, values, outputs))


class _Planner:
    """One planning: types forward, homes backward, moves forward."""

    def __init__(
        self,
        graph: Graph,
        inputs: Mapping[str, View | Array],
        values: Mapping[str, Array],
        outputs: Mapping[str, Layout],
    ) -> None:
        self.graph = graph
        self.input_views = {name: _view_of(f"input {name}", given) for name, given in inputs.items()}
        self.given = sum(_nbytes(view) for view in self.input_views.values())
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
        self.moves: list[Move] = []

    def plan(self) -> Plan:
        self._infer()
        self._count_readers()
        output_views = self._place_outputs()
        self._find_homes()
        self._emit()
        self._emit_remaining(output_views)
        self.moves = forward(self.moves, self.temporaries)
        self._check_first()
        used = {view.buffer for move in self.moves for view in move.views}
        self._check_memory(used, output_views)
        constants = {_constant(name): execute.memory_of(value) for name, value in self.graph.constants.items()}
        return Plan(
            tuple(self.moves),
            self.input_views,
            output_views,
            {name: vector for name, vector in constants.items() if name in used},
            {name: view for name, view in self.temporaries.items() if name in used},
        )

    def _check_memory(self, used: Collection[str], output_views: Mapping[str, View]) -> None:
        """Refuse what would allocate too much in all: results that are not written in place, and temporaries."""
        made = {name: view for name, view in output_views.items() if name not in self.wanted}
        made.update(
            (name.removeprefix(_TEMPORARY), self.temporaries[name]) for name in self.temporaries if name in used
        )
        sizes = {name: _nbytes(view) for name, view in made.items()}
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
            operator = self.operators[node] = node.resolve(self.values)
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
                    results = execute.apply(operator, [self.values[name] for name in node.data_inputs], node.subject)
                self.values.update(zip(node.outputs, results, strict=True))

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
                self.given += _nbytes(views[name])
            if name not in self.views:
                self.homes[name] = views[name]
        return views

    def _find_homes(self) -> None:
        """Give inputs that only a Concat reads their place inside its output, from the last node to the first."""
        for node in reversed(self.nodes):
            if len(node.outputs) != 1:
                continue
            (output,) = node.outputs
            sizes = [self.types[name].shape for name in node.data_inputs]
            if self._places(node, sizes, Layout(self.types[output].shape)) is None:
                continue
            home = self.homes[output] = self.homes.get(output) or self._temporary(output)
            for name, layout in zip(node.data_inputs, self._places(node, sizes, home.layout) or (), strict=True):
                if self.readers[name] == 1 and name not in self.views:
                    self.homes.setdefault(name, home.over(layout))

    def _places(self, node: Node, sizes: Sequence[tuple[int, ...]], output: Layout) -> tuple[Layout, ...] | None:
        return self.operators[node].place(sizes, output)

    def _emit(self) -> None:
        for node in self.nodes:
            operator, sources = self.operators[node], [self.views[name] for name in node.data_inputs]
            parts = operator.view([source.layout for source in sources])
            if parts is not None:
                self._emit_views(node, [sources[number].over(layout) for number, layout in parts])
                continue
            targets = [self.homes.get(name) or self._temporary(name) for name in node.outputs]
            self.views.update(zip(node.outputs, targets, strict=True))
            with errors.subject(node.subject):
                limits.check_bytes(sum(self.types[name].nbytes for name in node.outputs), "the results", self.given)
            for move in operator.lower(sources, targets, node.subject):
                if not (isinstance(move, CopyMove) and move.source == move.target):
                    self.moves.append(move)

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
        ready = [isinstance(m, CheckMove) and m.indices.buffer not in written for m in self.moves]
        self.moves = [m for m, first in zip(self.moves, ready, strict=True) if first] + [
            m for m, first in zip(self.moves, ready, strict=True) if not first
        ]

    def _temporary(self, name: str) -> View:
        kind = self.types[name]
        view = View(f"{_TEMPORARY}{name}", kind.numpy, Layout(kind.shape))
        self.temporaries[view.buffer] = view
        return view


_TEMPORARY = "temporary "


def _constant(name: str) -> str:
    return f"constant {name}"


def _view_of(buffer: str, given: View | Array) -> View:
    if isinstance(given, View):
        return View(buffer, given.dtype, given.layout)
    return View(buffer, given.dtype, Layout.of(given))
