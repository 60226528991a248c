"""Model, which `wherry.load` returns; GraphModel, a model of one graph that runs on arrays by name."""

from __future__ import annotations

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry import _core
from wherry.arguments import as_entries, as_flag, as_mapping
from wherry.arrays.anywhere import as_array
from wherry.dtypes import UNKNOWN
from wherry.engine.out import given_outputs, written
from wherry.engine.plan import Plan
from wherry.engine.planner import Reading, make_plan
from wherry.engine.runner import Runner
from wherry.errors import InvalidTypeError, InvalidValueError, listed, short
from wherry.graph import Graph, Opaque, as_declared, check_input
from wherry.layout import LIMIT, Layout, packed_strides
from wherry.limits import Limits, check_bytes, current, limited
from wherry.models.chains import chains
from wherry.models.listing import nbytes_of
from wherry.models.parts import PartWriter
from wherry.tensors import TensorType, View

if TYPE_CHECKING:
    from wherry.conversion.findings import Finding

Array = NDArray[Any]

Inputs = Mapping[str, ArrayLike] | Sequence[ArrayLike]
Outputs = Mapping[str, Array] | Sequence[Array]

_NOT_PICKLED = ("_runner", "_run_kept", "_wholes")

_ROWS = 40
"""The most inputs and outputs that a notebook shows."""


class Model(ABC):
    """A model read from a file: inputs and outputs by name, the operators, and `run`."""

    dialect: str
    """The specification whose rules the model follows: onnx, openvino, directml or webnn."""

    findings: tuple[Finding, ...] = ()
    """Findings of the reader, or of the conversion that made the model."""

    notes: tuple[Finding, ...] = ()
    """Findings of the last run under chosen rules: operators whose rules changed, and those that kept their own."""

    limits: Limits | None = None
    """The limits of runs without a `limits` argument; None: the limits in force at the call."""

    options: Mapping[str, Any] = {}
    """Arguments of the writer with which the model keeps its version: the opset, the feature level."""

    file: Path | None = None
    """The file that `wherry.load` read; None if it was given bytes or a ModelProto."""

    about: Mapping[str, str | int] = {}
    """Facts about the file: its name, bytes, producer, version."""

    @property
    @abstractmethod
    def inputs(self) -> dict[str, TensorType]:
        """The inputs by name, in the model's order."""

    @property
    @abstractmethod
    def outputs(self) -> dict[str, TensorType]:
        """The outputs by name, in the model's order."""

    @property
    @abstractmethod
    def graph(self) -> Any:
        """The operators with every rule a field; printable."""

    @property
    @abstractmethod
    def graphs(self) -> list[tuple[tuple[str, ...], Graph]]:
        """The graphs that a run executes, each with the names of the graphs around it: () for the whole model."""

    def chains(self) -> list[Model]:
        """Return the largest parts that only move data as models, those that move most bytes first."""
        return [self]

    @property
    @abstractmethod
    def plan(self) -> Any:
        """The moves with their buffers; printable."""

    @abstractmethod
    def run(
        self,
        inputs: Inputs | None = None,
        *,
        out: Outputs | None = None,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> dict[str, Array]:
        """Run the model on arrays by name, or in the order of `inputs`, and return its outputs by name.

        `out` gives arrays for outputs, by name or in the order of `outputs`; an error leaves them as they were. `rules`
        names the specification whose rules all operators follow instead of the model's own: `onnx:21`,
        `openvino:opset8`, `directml:6.4`, `webnn`; `notes` then lists the operators whose rules changed. `through`
        names the installed runtime for operators that wherry lacks, onnxruntime or openvino; the default is that of
        the model's format. With `optimize=False` the runtime runs each node as the file has it. `limits` bounds
        planning and running, by default `self.limits`; exceeding it raises ResourceLimitError.
        """

    @property
    @abstractmethod
    def bytes_moved(self) -> int:
        """The bytes that one run of `plan` writes."""

    @property
    def needed_inputs(self) -> tuple[str, ...]:
        """The inputs without a default value, which must be given to `run`."""
        return tuple(self.inputs)

    def __repr__(self) -> str:
        sides = (listed([f"{name}: {kind}" for name, kind in side.items()]) for side in (self.inputs, self.outputs))
        return f"<{type(self).__name__} {self._title()}; {' -> '.join(sides)}>"

    def _repr_html_(self) -> str:
        """Return the model as HTML for a notebook: a table of inputs and outputs, and the number of nodes."""
        ends = [("input", *item) for item in self.inputs.items()] + [("output", *item) for item in self.outputs.items()]
        rows = "".join(
            f"<tr><td>{kind}</td><td>{escape(name)}</td><td>{escape(str(declared))}</td></tr>"
            for kind, name, declared in ends[:_ROWS]
        )
        more = f"<tr><td colspan=3>... and {len(ends) - _ROWS} more</td></tr>" if len(ends) > _ROWS else ""
        return f"<table><caption>{escape(self._title())}</caption>{rows}{more}</table>"

    def _title(self) -> str:
        nodes = [node for _, graph in self.graphs for node in graph.nodes]
        opaque = sum(isinstance(node.operator, Opaque) for node in nodes)
        words = f"{len(nodes)} nodes" + (f", {opaque} of them opaque" if opaque else "")
        return f"{self.about.get('file', self.dialect)}: {words}"

    def run_and_print(
        self,
        inputs: Inputs | None = None,
        *,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> tuple[dict[str, Array], list[str]]:
        """Run the model as `run` does; return its outputs, and the lines that its print commands print."""
        return self.run(inputs, rules=rules, through=through, optimize=optimize, limits=limits), []

    def _by_name(self, inputs: Inputs | None) -> dict[str, Any]:
        """Return the given inputs by name; refuse names that the model lacks, and too many arrays."""
        known = self.inputs
        if inputs is None:
            return {}
        if not isinstance(inputs, Mapping):
            inputs = as_entries("inputs", inputs, "a mapping by name, or a sequence of arrays")
            if len(inputs) > len(known):
                raise InvalidValueError(f"inputs has {len(inputs)} arrays, allowed {len(known)}: {self._names()}")
            return dict(zip(known, inputs, strict=False))
        given = as_mapping("inputs", inputs)
        for name in given:
            if name not in known:
                raise InvalidValueError(f"inputs has {short(name)}, allowed {self._names()}")
        return given

    def _names(self) -> str:
        return ", ".join(map(repr, self.inputs)) or "none"


class GraphModel(Model):
    """A model that is one graph: ONNX and OpenVINO files.

    `defaults` holds default values of inputs (an ONNX initializer that is listed as an input), `parts` writes nodes
    that wherry lacks for a runtime, `reading` replaces operators before planning. `claimed` are inputs whose declared
    sizes are not checked: arrays of other sizes run too. Runner makes and keeps the plans.
    """

    def __init__(
        self,
        graph: Graph,
        dialect: str,
        defaults: Mapping[str, Array] | None = None,
        parts: PartWriter | None = None,
        reading: Reading | None = None,
        claimed: Collection[str] = (),
    ) -> None:
        self._graph = graph
        self._claimed = frozenset(claimed)
        self._parts = parts
        self._reading = reading
        self._has_opaque = bool(graph.opaque)
        self.dialect = dialect
        self._defaults = dict(defaults or {})
        self._forget_plans()

    def over(self, graph: Graph) -> GraphModel:
        """Return the model with another graph that has the same inputs: fewer nodes, or other results."""
        made = GraphModel(graph, self.dialect, self._defaults, self._parts, self._reading, self._claimed)
        made.options, made.limits = self.options, self.limits
        return made

    @property
    def _takes_all_sizes(self) -> bool:
        """Whether inputs of all sizes that the declared types allow can run."""
        return True

    def _forget_plans(self) -> None:
        self._runner = Runner(self._graph, self._reading, self._takes_all_sizes, self._defaults)
        self._run_kept = self._runner.run_kept  # called first by `run`
        self._wholes: dict[tuple[object, ...], Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without plans, which hold programs of the core and are made again after unpickling."""
        return {name: value for name, value in self.__dict__.items() if name not in _NOT_PICKLED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget_plans()

    @property
    def inputs(self) -> dict[str, TensorType]:
        """The inputs by name, in the model's order."""
        return dict(self._graph.inputs)

    @property
    def outputs(self) -> dict[str, TensorType]:
        """The outputs by name, in the model's order; sizes as far as they are known."""
        return self._graph.output_types

    @property
    def needed_inputs(self) -> tuple[str, ...]:
        """The inputs without a default value."""
        return tuple(name for name in self._graph.inputs if name not in self._defaults)

    @property
    def graph(self) -> Graph:
        """The operators with every rule a field; printable."""
        return self._graph

    @property
    def graphs(self) -> list[tuple[tuple[str, ...], Graph]]:
        """The graph of the model, under no name."""
        return [((), self._graph)]

    def chains(self) -> list[Model]:
        """Return the largest parts that only move data as models, those that move most bytes first.

        Parts of the graphs inside opaque nodes (branches, bodies) are included. The inputs of a part are the outputs of
        other nodes and the model's inputs that it reads, with their known sizes; constants stay inside. Where the file
        declares wrong sizes for outputs of other nodes, the part takes the actual ones.
        """
        parts = [_part_of(self, part) for part in chains(self._graph)]
        return sorted(parts, key=lambda part: -nbytes_of(part.graph))

    @property
    def defaults(self) -> dict[str, Array]:
        """The default values of inputs."""
        return dict(self._defaults)

    @property
    def plan(self) -> Plan:
        """The plan of the last run that made one, or the one for packed inputs of the declared sizes.

        Raises InvalidValueError before the first run of a model whose input sizes, or values that sizes depend on,
        are not known.
        """
        if self._runner.last is not None:
            return self._runner.last
        self._graph.refuse_opaque()
        for name in self._graph.inputs:
            if name in self._graph.value_tensors and name not in self._defaults:
                raise InvalidValueError(f"the values of input {name!r} decide the plan; run the model once first")
        views = {
            name: View(f"input {name}", tensor_type.numpy, Layout(tensor_type.shape, packed_strides(tensor_type.shape)))
            for name, tensor_type in self._graph.inputs.items()
        }
        with limited(self.limits):
            return make_plan(self._graph, views, self._defaults, reading=self._reading)

    @property
    def bytes_moved(self) -> int:
        """The bytes that one run of `plan` writes."""
        return self.plan.bytes_moved

    @_core.asks_first("_run_kept")
    def run(
        self,
        inputs: Inputs | None = None,
        *,
        out: Outputs | None = None,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> dict[str, Array]:
        """Run the model on arrays by name, or in the order of `inputs`; return its outputs by name; see `Model.run`.

        Raises InvalidTypeError or InvalidValueError for arrays that do not fit the inputs, ResourceLimitError beyond
        the limits, the errors of the operators, OtherRuntimeError if the runtime fails, MissingDependencyError if it is
        not installed.
        """
        if limits is None and rules is None and through is None:
            found = self._runner.run_eagerly(inputs) if out is None else self._runner.run_kept_into(inputs, out)
            if found is not None:
                return found
        around = current()
        with limited(limits or self.limits):
            given = {} if out is None else given_outputs(out, self._graph.outputs)
            prepared = self._checked(inputs)
            if self._has_opaque or rules is not None or through is not None:
                fixed = self._fixed_defaults(inputs)
                return written(self._run_whole(prepared, fixed, rules, through, optimize), given)
            return self._runner.run(prepared, around if limits is None else None, given)

    def _run_whole(
        self, arrays: Mapping[str, Array], are_fixed: bool, rules: str | None, through: str | None, optimize: bool
    ) -> dict[str, Array]:
        """Run with a runtime, or by chosen rules; with `are_fixed`, defaults of inputs are constants."""
        key = (are_fixed, rules, through, as_flag("optimize", optimize))
        if not isinstance(rules, str | None) or not isinstance(through, str | None) or key not in self._wholes:
            whole = importlib.import_module("wherry.runtimes.whole")
            graph = self._graph.with_constants(self._defaults) if are_fixed else self._graph
            self._wholes[key] = whole.whole_of(graph, self.dialect, self._parts, rules, through, optimize)
        found = self._wholes[key]
        try:
            results: dict[str, Array] = found.run_whole(arrays)
        finally:
            self.notes = found.notes
        return results

    def _fixed_defaults(self, inputs: Inputs | None) -> bool:
        """Whether defaults count as constants: the file format does not let callers replace them, and no input does."""
        fixes = self._parts is not None and self._parts.fixes_defaults
        return fixes and not self._defaults.keys() & self._by_name(inputs).keys()

    def _checked(self, inputs: Inputs | None) -> dict[str, Array]:
        """Return the inputs as arrays of the declared types, with strides in whole elements."""
        arrays = {**self._defaults, **self._by_name(inputs)}
        prepared: dict[str, Array] = {}
        for name, declared in self._graph.inputs.items():
            if name not in arrays:
                raise InvalidValueError(
                    f"input {name!r} is missing, allowed {declared}; the inputs are {self._names()}"
                )
            array = as_array(arrays[name], f"input {name!r}")
            if declared.dtype is not UNKNOWN:
                check_input(name, declared.with_sizes(None) if name in self._claimed else declared, array)
                array = as_declared(declared, array)
            prepared[name] = _with_layout(array)
        return prepared


def _part_of(model: GraphModel, part: Graph) -> Model:
    claimed = part.inputs.keys() - (model.inputs.keys() - model._claimed)
    made = GraphModel(part, model.dialect, claimed=claimed)
    made.options, made.limits = model.options, model.limits
    return made


def _with_layout(array: Array) -> Array:
    """Return the array, or a copy if its byte strides are no multiples of the element size."""
    try:
        Layout.of(array)
    except InvalidValueError:
        return array.copy()
    return array


def made_up_input(tensor_type: TensorType, rng: np.random.Generator) -> Array:
    """Return a random array of a type; unknown sizes become 2, strings small words.

    Raises InvalidTypeError where not even the number of axes is known, InvalidValueError for sizes that no array can
    have, even where one of them is 0, ResourceLimitError for more than the machine's memory.
    """
    if tensor_type.dtype is UNKNOWN:
        raise InvalidTypeError("its type is none of a tensor's, or not known; give the input")
    if tensor_type.sizes is None:
        raise InvalidTypeError(f"the type {tensor_type} has no known number of axes; give the input")
    shape = tuple(size if isinstance(size, int) else 2 for size in tensor_type.sizes)
    if math.prod(size for size in shape if size) * max(8, tensor_type.numpy.itemsize) > LIMIT:
        raise InvalidValueError(f"the type {tensor_type} is larger than any array; give the input")
    check_bytes(math.prod(shape) * max(8, tensor_type.numpy.itemsize), f"made-up values of the type {tensor_type}")
    if tensor_type.numpy.hasobject:
        return rng.choice(np.array(["a", "bc", "", "déf"], object), shape)
    if tensor_type.numpy.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    return np.asarray(rng.integers(0, 4, shape)).astype(tensor_type.numpy)
