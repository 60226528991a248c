"""compare: finds the first node at which two runtimes differ, by bisection over cuts of the model."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from typing import Any

from numpy.typing import NDArray

from wherry.arguments import as_entries, as_mapping, check_is
from wherry.arrays.anywhere import as_array
from wherry.dtypes import UNKNOWN
from wherry.errors import InvalidValueError, UnsupportedError, WherryError, invalid, short
from wherry.formats import load
from wherry.graph import Node, Opaque, as_declared, check_input
from wherry.limits import Limits, current, limited
from wherry.models.model import Model
from wherry.ops import Accumulate, Cast, Elementwise, Reduce
from wherry.portability.check import check
from wherry.portability.comparison import Comparison, Parting, Ran, Verdict
from wherry.portability.equality import Difference, Level, Tolerance, difference, largest
from wherry.portability.finding import Finding
from wherry.portability.onnx_submodels import OnnxSubmodels, proto_of
from wherry.portability.openvino_submodels import OpenVINOSubmodels
from wherry.portability.submodels import Part, Submodels
from wherry.rewrite.known import maker_of
from wherry.runtimes.differences import runtimes as measured
from wherry.runtimes.handed import WEIGHTS, Stored, Task
from wherry.runtimes.known import known
from wherry.runtimes.outcomes import Outcome, Worker, check_name

Array = NDArray[Any]
Pair = tuple[Outcome, Outcome]
Tell = Callable[[str], object]

SECONDS = 60.0
"""The default time limit of one run, loading included."""

_DEFAULT_BYTES = 2**31 - 1
"""The default limit on the bytes of the tensors of a cut, unless the inputs are large."""

_TIMES_INPUTS = 16

_MOST = 1e9
"""The greatest tolerance, and time limit."""

_DIALECTS = ("onnx", "openvino")
"""The dialects whose models can be divided into files of the same format."""

_COMPUTES = (Elementwise, Reduce, Accumulate)
"""Operators of wherry's that compute elements, which runtimes may round otherwise."""


def compare(
    model: Any,
    inputs: Any,
    runtimes: Sequence[str],
    *,
    rtol: float | None = None,
    atol: float | None = None,
    seconds: float = SECONDS,
    limits: Limits | None = None,
    tell: Tell = str,
) -> Comparison:
    """Find the first node of a model at which two runtimes differ on the same inputs, and return a Comparison.

    `model` is an ONNX file or an OpenVINO IR, its bytes, an onnx.ModelProto, or a Model that `wherry.load` read from a
    file. `runtimes` are two names: installed ones (`onnxruntime`, `openvino`, `onnx.reference` ...), `wherry`, or
    `rules:NAME[:VERSION]`, wherry by the rules that `model.run` takes. Only `openvino` and wherry read an IR. Each run
    is a process of its own: an error, a crash, and a run longer than `seconds`, are outcomes. Tensors that only data
    movement produced are compared bit by bit, computed ones within `rtol` and `atol`, by default those of the element
    type. `tell` is called with a text before each run.

    Raises InvalidValueError or InvalidTypeError for wrong arguments, MissingDependencyError for a runtime that is not
    installed, UnsupportedError for a model that a runtime does not read, ResourceLimitError if the tensors of a cut
    exceed `limits`.

    >>> import numpy as np
    >>> from onnx import parser
    >>> model = parser.parse_model(
    ...     '<ir_version: 8, opset_import: ["": 17]> m (float[2] x, int64[2] i) => (float[2] z)'
    ...     '{ y = Gather(x, i) z = Neg(y) }')
    >>> inputs = {"x": np.array([1, 2], np.float32), "i": np.array([0, 7])}
    >>> found = compare(model, inputs, ["rules:directml", "rules:openvino:opset8"])
    >>> found.verdict.value, found.node.name, found.differences[0].coordinate, found.differences[0].values
    ('parts by itself', 'y', (1,), (2.0, 0.0))
    """
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value is not None and not _is_number(value):
            raise invalid(name, short(value), "a number of 0..1e9, or None")
    if not _is_number(seconds) or not seconds:
        raise invalid("seconds", short(seconds), "a number above 0, to 1e9")
    if not callable(tell):
        raise invalid("tell", short(tell), "what can be called with a text")
    if limits is not None:
        check_is("limits", limits, Limits, "wherry.Limits, or None")
    names = [check_name(one) for one in as_entries("runtimes", runtimes, "two names")]
    if len(names) != 2:
        raise InvalidValueError(f"runtimes has {len(names)} names, allowed two")
    read = model if isinstance(model, Model) else load(model, limits=limits)
    for name in names:
        _check_reads(name, read.dialect)
    if isinstance(model, Model) and model.file is None:
        raise InvalidValueError("the model was not read from a file, which runtimes run; give the bytes of one")
    with ExitStack() as stack:
        stack.enter_context(limited(limits or read.limits))
        given = _given(read, inputs)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wherry-")))
        workers = [stack.enter_context(Worker(name)) for name in names]
        chosen = current().bytes
        most = (
            max(_DEFAULT_BYTES, _TIMES_INPUTS * sum(one.nbytes for one in given.values())) if chosen is None else chosen
        )
        parts = _submodels_of(model, read.dialect)
        search = _Search(
            read, parts, (workers[0], workers[1]), given, folder, _Levels(read, parts), Tolerance(rtol, atol),
            float(seconds), most, tell,
        )  # fmt: skip
        return search.found()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST


def _check_reads(name: str, dialect: str) -> None:
    """Raise for a runtime that does not read the files of a dialect."""
    if dialect not in _DIALECTS:
        raise UnsupportedError(f"the model is of the dialect {dialect}, allowed {' or '.join(_DIALECTS)}; compare what "
                               "wherry.convert makes of it, or what its run answers by other rules")  # fmt: skip
    found = None if name == "wherry" or name.startswith("rules:") else known(name)
    if found is not None and dialect not in getattr(found, "formats", ()):
        raise UnsupportedError(
            f"{name} does not read models of the dialect {dialect}; compare runtimes that do, wherry under other rules "
            "(rules:onnx:21), or what wherry.convert makes of the model"
        )


def _submodels_of(model: Any, dialect: str) -> Submodels:
    """Return the nodes of a model, given as a path, bytes, a ModelProto, or a Model read from a file."""
    source: Any = model.file if isinstance(model, Model) else model
    if dialect == "onnx":
        return OnnxSubmodels(proto_of(source))
    return OpenVINOSubmodels(source if isinstance(source, bytes) else Path(source))


def _given(model: Model, inputs: Any) -> dict[str, Array]:
    """Return the inputs as arrays of the declared types."""
    if inputs is None or isinstance(inputs, Mapping):
        named = as_mapping("inputs", inputs)
    else:
        named = dict(
            zip(model.inputs, as_entries("inputs", inputs, "a mapping, or a sequence of arrays"), strict=False)
        )
    for name in named:
        if name not in model.inputs:
            raise invalid("inputs", short(name), ", ".join(map(repr, model.inputs)) or "none")
    found = {}
    for name in model.needed_inputs:
        if name not in named:
            raise InvalidValueError(f"input {name!r} is missing, allowed {model.inputs[name]}")
    for name, value in named.items():
        declared, array = model.inputs[name], as_array(value, f"input {short(name)}")
        if declared.dtype is not UNKNOWN:
            check_input(name, declared, array)
            array = as_declared(declared, array)
        found[name] = array
    return found


class _Levels:
    """How the tensors of a model are compared, by the node that produces them and the tensors that it reads."""

    def __init__(self, model: Model, parts: Submodels) -> None:
        self._node = {name: node for node in model.graph.nodes for name in node.outputs}
        self._parts = parts

    def own(self, place: int) -> Level:
        """Return how the outputs of a node with equal inputs are compared."""
        made = self._parts.makes(place)
        found: Node | None = next((self._node[name] for name in made if name in self._node), None)
        if found is None:
            return Level.BITS if self._parts.is_constant(place) else Level.TOLERANCE
        if isinstance(found.operator, Opaque) or self._parts.reduces(place):
            return Level.TOLERANCE
        maker = maker_of(found.operator)
        if maker is Cast:
            return Level.VALUES
        return Level.TOLERANCE if isinstance(maker, type) and issubclass(maker, _COMPUTES) else Level.BITS

    def all(self) -> dict[str, Level]:
        """Return how each tensor of the whole model is compared."""
        found: dict[str, Level] = {}
        for place in range(len(self._parts)):
            level = max((self.own(place), *(found.get(name, Level.BITS) for name in self._parts.reads(place))))
            found.update(dict.fromkeys(self._parts.makes(place), level))
        return found


@dataclass
class _Search:
    """A model on two runtimes, and the runs that find where they differ."""

    model: Model
    parts: Submodels
    workers: tuple[Worker, Worker]
    given: Mapping[str, Array]
    folder: Path
    kinds: _Levels
    tolerance: Tolerance
    seconds: float
    most_bytes: int
    tell: Tell
    _trials: int = 0
    _levels: dict[str, Level] = field(default_factory=dict)
    _start: int = 0
    """The node from which on both runtimes are given the same values again."""
    _values: dict[str, Array] = field(default_factory=dict)
    """Those that the first runtime brought there."""

    def found(self) -> Comparison:
        """Return the first node at which the runtimes differ, if possible one that differs on equal inputs."""
        self._levels = self.kinds.all()
        end = len(self.parts)
        compared = tuple({"tensor": name, "how": self._level(name).name.lower()} for name in self.parts.outputs(end))
        first: Comparison | None = None
        carried: list[str] = []
        while True:
            whole = self._first(end)
            if not self._parts(whole):
                return first or self._made(Verdict.AGREE, whole, compared)
            (place, pair), behind = self._bisected(end, whole)
            found = self._judged(place, pair, behind, compared)
            if found.verdict is not Verdict.CARRIES:
                return replace(found, carried=tuple(carried), runs=self._runs())
            first = first or found
            carried.append(self.parts.name(place))
            if place + 1 == end:
                return replace(first, runs=self._runs())
            self._start = place + 1
            self._values |= {name: stored.read() for name, stored in behind[0].arrays.items()}

    def _made(self, verdict: Verdict, pair: Pair, outputs: tuple[dict[str, str], ...], **more: Any) -> Comparison:
        first, second = (
            Ran(worker.name, worker.version, one.does, one.words)
            for worker, one in zip(self.workers, pair, strict=True)
        )
        name = str(self.model.about.get("file", self.model.dialect))
        return Comparison(name, verdict, (first, second), outputs, self._runs(), **more)

    def _runs(self) -> int:
        return sum(worker.runs for worker in self.workers)

    def _bisected(self, end: int, whole: Pair) -> tuple[tuple[int, Pair | None], Pair]:
        """Return how many nodes do not part yet and what they make, and what one more makes.

        Differences need not stay: what is found is a place where they begin, the only one if they do not vanish.
        """
        same, parted = self._start, end
        last: Pair | None = None
        behind, gone = whole, last
        while parted - same > 1:
            middle = (same + parted) // 2
            pair = self._first(middle)
            if self._parts(pair):
                parted, gone, behind = middle, behind, pair
            else:
                same, gone, last = middle, last, pair
            _forget(gone)
        return (same, last), behind

    def _judged(self, place: int, pair: Pair | None, behind: Pair, outputs: tuple[dict[str, str], ...]) -> Comparison:
        """Return the comparison for a node, from the outputs of the nodes before it and its own."""
        made = None if pair is None else pair[0].arrays
        values = {name: one for name in self.parts.fed(place) if (one := self._value(name, made)) is not None}
        alone, part = self._alone(place, values)
        gap = 0.0 if pair is None else max((_gap(pair, name) for name in values if name in pair[0].arrays), default=0.0)
        own = self.kinds.own(place)
        found = tuple(self._differences(alone, lambda _: own)) if alone is not None else ()
        if alone is not None and (found or alone[0].does != alone[1].does):
            verdict, shown = Verdict.BY_ITSELF, alone
        elif not any(one.answers for one in behind):
            verdict, shown = Verdict.NEITHER, behind
        else:
            verdict, shown = (Verdict.CARRIES if gap else Verdict.TOGETHER), behind
        differences = found if verdict is Verdict.BY_ITSELF else tuple(self._differences(behind, self._level))
        findings = self._findings(part, values) if part is not None and own is not Level.TOLERANCE else ()
        where = Parting(
            self.parts.name(place), self.parts.operator(place), place + 1, len(self.parts), own is Level.BITS
        )
        return self._made(verdict, shown, outputs, node=where, differences=differences, before=gap, findings=findings)

    def _value(self, name: str, made: Mapping[str, Stored] | None) -> Array | None:
        """Return the value of a tensor on the first runtime; None if it was not kept, or is no tensor."""
        if name in self.given:
            return self.given[name]
        return made[name].read() if made is not None and name in made else self._values.get(name)

    def _alone(self, place: int, values: Mapping[str, Array]) -> tuple[Pair | None, Part | None]:
        """Return the outcome of a node with the same inputs on both runtimes; None if these are no tensors."""
        if any(name not in values for name in self.parts.fed(place)):
            return None, None
        part = self.parts.alone(place, values)
        return self._run(part, values, "the node alone"), part

    def _first(self, end: int) -> Pair:
        part = self.parts.part(end, self._start, self._values)
        held = {**self._values, **self.given}
        given = {name: held[name] for name in part.inputs if name in held}
        nodes = f"{end} of {len(self.parts)} nodes" if self._start == 0 else f"nodes {self._start + 1} to {end}"
        return self._run(part, given, nodes)

    def _run(self, part: Part, given: Mapping[str, Array], what: str) -> Pair:
        self._trials += 1
        folder = self.folder / str(self._trials)
        folder.mkdir()
        path = folder / f"model{self.parts.suffix}"
        part.write(path)
        handed = {name: Stored.of(array, folder / f"in{place}") for place, (name, array) in enumerate(given.items())}
        found = []
        for number, worker in enumerate(self.workers):
            self.tell(f"{what} on {worker.title}")
            results = folder / str(number)
            results.mkdir()
            found.append(worker.run(
                Task(path, handed, part.outputs, results, self.seconds, self.most_bytes, part.weights)
            ))  # fmt: skip
        path.unlink()
        path.with_suffix(WEIGHTS).unlink(missing_ok=True)
        return found[0], found[1]

    def _level(self, name: str) -> Level:
        return self._levels.get(name.partition("[")[0] if name not in self._levels else name, Level.BITS)

    def _parts(self, pair: Pair) -> bool:
        """Whether a runtime gives no result, or the results differ."""
        return not all(one.answers for one in pair) or next(self._differences(pair, self._level), None) is not None

    def _differences(self, pair: Pair, level: Callable[[str], Level]) -> Iterator[Difference]:
        if not all(one.answers for one in pair):
            return
        first, second = (one.arrays for one in pair)
        for name in dict.fromkeys((*first, *second)):
            if name in first and name in second:
                found = difference(name, first[name].read(), second[name].read(), level(name), self.tolerance)
            else:
                types = tuple("a tensor" if name in one else "none" for one in (first, second))
                found = Difference(name, "values", (types[0], types[1]), None, None, 1, 1)
            if found is not None:
                yield found

    def _findings(self, part: Part, values: Mapping[str, Array]) -> tuple[Finding, ...]:
        """Return findings of `check` for these runtimes and inputs that explain the node."""
        targets = [target for worker in self.workers if (target := _target(worker)) is not None]
        if not targets:
            return ()
        try:
            return tuple(check(part.load(), targets, dict(values)).findings)
        except WherryError:  # the node is one that wherry refuses to run on these inputs
            return ()


def _target(worker: Worker) -> str | None:
    """Return the target of `check` for a runtime, with its version if measured; None if there is none."""
    if worker.name.startswith("rules:"):
        return worker.name.removeprefix("rules:")
    versions = [version for name, version in measured() if name == worker.name]
    if worker.name not in ("onnxruntime", "openvino") or not versions:
        return None
    return f"{worker.name}:{worker.version}" if worker.version in versions else worker.name


def _gap(pair: Pair, name: str) -> float:
    first, second = (one.arrays.get(name) for one in pair)
    return 0.0 if first is None or second is None else largest(first.read(), second.read())


def _forget(pair: Pair | None) -> None:
    """Remove the files of a pair of outcomes: a search keeps at most two."""
    for stored in (one for outcome in pair or () for one in outcome.arrays.values()):
        rmtree(stored.path.parent, ignore_errors=True)
