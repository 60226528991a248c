"""Model: what `wherry.load` returns; a graph that runs on arrays by name."""

from __future__ import annotations

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry._core import Program
from wherry.arguments import as_entries, as_flag, as_mapping
from wherry.arrays.anywhere import as_array
from wherry.dtypes import UNKNOWN
from wherry.engine.plan import Plan
from wherry.engine.planner import Reading, make_plan
from wherry.engine.recent import Recent
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.graph import Graph, as_declared, check_input
from wherry.layout import LIMIT, Layout, packed_strides
from wherry.limits import EVER_LIMITED, Limits, check_bytes, current, limited
from wherry.models.out import given_outputs, layouts_of, run_into, written
from wherry.models.parts import PartWriter
from wherry.tensors import TensorType, View

if TYPE_CHECKING:
    from wherry.conversion.findings import Finding

Array = NDArray[Any]

Inputs = Mapping[str, ArrayLike] | Sequence[ArrayLike]
Outputs = Mapping[str, Array] | Sequence[Array]

_PLANS_KEPT = 16
_VALUES_KEPT = 64 * 1024  # bytes; values of more cost more to tell from others than a new plan does


class Model(ABC):
    """A model file, read: its inputs and outputs by name, what it holds, and how to run it."""

    dialect: str
    """Whose rules the model follows: onnx, openvino or directml."""

    findings: tuple[Finding, ...] = ()
    """What a conversion has to tell about the model; nothing for one that was read."""

    notes: tuple[Finding, ...] = ()
    """What the last run under chosen rules has to tell: what it read otherwise, and what kept its own rules."""

    limits: Limits | None = None
    """What running the model may take where `run` is told nothing else; None: what is in force around it."""

    options: Mapping[str, Any] = {}
    """What `wherry.save` tells the writer so that the model keeps its version: the opset, the feature level."""

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

        Outputs that `out` has an array for, by name or in the order of `outputs`, are written there; an error leaves
        them as they were. `rules` names the rules that all operators follow instead of the model's own: `onnx:21`,
        `openvino:opset8`, `directml:6.4`, `webnn`; `notes` then tells what is read otherwise. `through` names the
        installed runtime that runs the operators that wherry does not have, onnxruntime or openvino; without it, that
        of the model's own format. With `optimize=False` it runs each node as the file has it. `limits` is what planning
        and running may take, that of the model without; ResourceLimitError beyond it.
        """

    @property
    @abstractmethod
    def bytes_moved(self) -> int:
        """The bytes that one run of `plan` writes."""

    @property
    def needed_inputs(self) -> tuple[str, ...]:
        """The inputs that have no value of their own and must be given to `run`."""
        return tuple(self.inputs)

    def run_and_print(
        self,
        inputs: Inputs | None = None,
        *,
        rules: str | None = None,
        through: str | None = None,
        optimize: bool = True,
        limits: Limits | None = None,
    ) -> tuple[dict[str, Array], list[str]]:
        """Run the model; return its outputs, and the lines that print commands of its own print; see `run`."""
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

    `defaults` are inputs that have a value where none is given (an ONNX initializer that is listed as an input),
    `parts` writes nodes that wherry does not have for a runtime, `reading` says what runs in place of an operator.
    A plan is made for each new set of input sizes and strides, and of the values that decide sizes, and kept; where
    such values are large (NonZero of a whole tensor) each run makes its own.
    """

    def __init__(
        self,
        graph: Graph,
        dialect: str,
        defaults: Mapping[str, Array] | None = None,
        parts: PartWriter | None = None,
        reading: Reading | None = None,
    ) -> None:
        self._graph = graph
        self._parts = parts
        self._reading = reading
        self._has_opaque = bool(graph.opaque)
        self.dialect = dialect
        self._defaults = dict(defaults or {})
        self._forget_plans()

    def _forget_plans(self) -> None:
        self._plans: Recent[object, Plan] = Recent(_PLANS_KEPT)
        self._last: Plan | None = None
        self._newest: Program | None = None
        self._newest_under: Limits | None = None
        self._wholes: dict[tuple[str | None, str | None, bool], Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: no plans, which hold programs of the core, and are made again."""
        made = ("_plans", "_last", "_newest", "_newest_under", "_wholes")
        return {name: value for name, value in self.__dict__.items() if name not in made}

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
    def defaults(self) -> dict[str, Array]:
        """The values of inputs that need not be given."""
        return dict(self._defaults)

    @property
    def plan(self) -> Plan:
        """The plan of the last new run, or the one for packed inputs of the declared sizes.

        Raises InvalidValueError before the first run of a model whose input sizes, or values that sizes depend on,
        are not known.
        """
        if self._last is not None:
            return self._last
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

        Raises InvalidTypeError or InvalidValueError for arrays that do not fit, ResourceLimitError for what would take
        more than the limits allow, and what the operators refuse; OtherRuntimeError where the runtime fails,
        MissingDependencyError where it is not installed.
        """
        if self._newest is not None and limits is None and out is None and rules is None and inputs is not None:
            found = self._newest.run(inputs) if not EVER_LIMITED or current() is self._newest_under else None
            if found is not None:
                return found
        around = current()
        with limited(limits or self.limits):
            given = {} if out is None else given_outputs(out, tuple(self._graph.outputs))
            prepared = self._checked(inputs)
            if self._has_opaque or rules is not None:
                return written(self._run_whole(prepared, rules, through, optimize), given)
            plan = self._plan_for(prepared, layouts_of(given))
            results = plan.run(prepared) if out is None else run_into(plan, prepared, given)
        if limits is None and out is None and not self._values_decide():
            self._newest, self._newest_under = plan.program, around
        return results

    def _run_whole(
        self, arrays: Mapping[str, Array], rules: str | None, through: str | None, optimize: bool
    ) -> dict[str, Array]:
        key = (rules, through, as_flag("optimize", optimize))
        if not isinstance(rules, str | None) or key not in self._wholes:
            whole = importlib.import_module("wherry.runtimes.whole")
            self._wholes[key] = whole.whole_of(self._graph, self.dialect, self._parts, *key)
        found = self._wholes[key]
        try:
            results: dict[str, Array] = found.run_whole(arrays)
        finally:
            self.notes = found.notes
        return results

    def _values_decide(self) -> bool:
        """Whether more than the arrays' types, sizes and strides decides which plan fits."""
        return bool(self._defaults or self._graph.value_tensors.intersection(self._graph.inputs))

    def _checked(self, inputs: Inputs | None) -> dict[str, Array]:
        """Return the inputs as plans take them."""
        arrays = {**self._defaults, **self._by_name(inputs)}
        prepared: dict[str, Array] = {}
        for name, declared in self._graph.inputs.items():
            if name not in arrays:
                raise InvalidValueError(
                    f"input {name!r} is missing, allowed {declared}; the inputs are {self._names()}"
                )
            array = as_array(arrays[name], f"input {name!r}")
            if declared.dtype is not UNKNOWN:
                check_input(name, declared, array)
                array = as_declared(declared, array)
            prepared[name] = _with_layout(array)
        return prepared

    def _plan_for(self, arrays: Mapping[str, Array], outputs: Mapping[str, Layout]) -> Plan:
        values = {name: array for name, array in arrays.items() if name in self._graph.value_tensors}
        if sum(array.nbytes for array in values.values()) > _VALUES_KEPT:
            self._last = make_plan(self._graph, arrays, values, outputs, self._reading)
            return self._last
        key = (
            current(),
            tuple((array.dtype.str, array.shape, array.strides) for array in arrays.values()),
            tuple(_content(array) for array in values.values()),
            tuple(outputs.items()),
        )
        plan = self._plans.get(key)
        if plan is None:
            values = {name: array.copy() for name, array in values.items()}
            plan = self._last = make_plan(self._graph, arrays, values, outputs, self._reading)
            self._plans.put(key, plan)
        return plan


def _with_layout(array: Array) -> Array:
    """Return the array, or a copy where its strides are no multiples of its element's bytes."""
    try:
        Layout.of(array)
    except InvalidValueError:
        return array.copy()
    return array


def _content(array: Array) -> object:
    return tuple(array.ravel().tolist()) if array.dtype.hasobject else array.tobytes()


def made_up_input(tensor_type: TensorType, rng: np.random.Generator) -> Array:
    """Return a random array of a type; unknown sizes become 2, strings small words.

    Raises InvalidTypeError where not even the number of axes is known, InvalidValueError for sizes that no array can
    have, even where one of them is 0, ResourceLimitError for more than the machine's memory.
    """
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
