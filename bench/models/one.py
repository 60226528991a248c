"""One model, in this process: what is found of it, stage by stage, each printed when it is done."""

from __future__ import annotations

import io
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import wherry as wh
from wherry.cli import show
from wherry.models.model import Model
from wherry.models.summary import Summary

from ..case import Array
from .inputs import NoInputs, Sizes, found_inputs
from .timing import REST, fastest

RULES = ("onnx:21", "openvino:opset8", "directml:6.4", "webnn")
"""The rules that each model is run by, beside its own."""

WORST = 5
"""How many chains are told of: the slowest beside ONNX Runtime."""

LONGEST = 300
"""The most characters of a reason."""

Found = dict[str, Any]


@dataclass
class Subject:
    """A model on its way through the stages, with what was given for it."""

    path: Path
    sizes: Sizes
    values: Mapping[str, float]
    threads: int
    loaded: Model | None = None
    inputs: Mapping[str, Array] | None = None

    @property
    def model(self) -> Model:
        assert self.loaded is not None
        return self.loaded

    @property
    def given(self) -> Mapping[str, Array]:
        assert self.inputs is not None
        return self.inputs


def listed(subject: Subject) -> Found:
    """Load and list the model, as `wherry info` does, before anything else is imported."""
    before = time.process_time()
    subject.loaded = wh.load(subject.path)
    summary = Summary.of(subject.model)
    screen = io.StringIO()
    show.summary(Console(file=screen, highlight=False, width=200, no_color=True), summary)
    seconds = time.process_time() - before
    lines = screen.getvalue().splitlines()
    return {
        "nodes": len(summary.listing.entries),
        "movement": len(summary.listing.movements),
        "arithmetic": summary.computing,
        "lines": len(lines),
        "columns": max(map(len, lines), default=0),
        "seconds": seconds,
        "megabytes": peak_megabytes(),
        "opaque": dict(summary.listing.opaque),
        "unknown": len(summary.unknown),
        "unknown_operators": dict(Counter(one.versioned for one in summary.unknown)),
    }


def peak_megabytes() -> float | None:
    """Return the most memory that this process had; None where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    words = next(line.split() for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(words[1]) / 1024


def own_rules(subject: Subject) -> Found:
    """Run the model by its own rules, and compare with ONNX Runtime, which runs each node as the file has it."""
    from .peer import session

    peer = session(str(subject.path), subject.threads, optimize=False)
    needed = {name: subject.model.inputs[name] for name in subject.model.needed_inputs}
    outputs = [one.name for one in peer.get_outputs()]
    expected: list[Any] = []

    def run(given: dict[str, Array]) -> None:
        expected[:] = peer.run(outputs, given)

    subject.inputs = found_inputs(needed, subject.sizes, subject.values, run)
    ours = subject.model.run(subject.given, optimize=False)
    pairs = list(zip((ours[name] for name in outputs), expected, strict=True))
    return {
        "inputs": {name: list(array.shape) for name, array in subject.given.items()},
        "is_equal": all(same(*pair) for pair in pairs),
        "difference": max((difference(*pair) for pair in pairs), default=0.0),
        "sums": [_sum(one) for one in expected],
    }


def parting(subject: Subject) -> Found:
    """Return the first tensor on the way that differs from ONNX Runtime's, with its node."""
    from .peer import Exposed

    exposed = Exposed(subject.path, subject.given, subject.threads)
    theirs = exposed.values(exposed.names)
    ours = wh.load(exposed.bytes(exposed.names)).run(subject.given, optimize=False)
    makers = {name: node for node in exposed.proto.graph.node for name in node.output}
    for name in exposed.names:
        if not same(ours[name], theirs[name]):
            return {"tensor": name, "node": makers[name].op_type, "difference": difference(ours[name], theirs[name])}
    return {"tensor": None}


def other_rules(subject: Subject) -> Found:
    """Run the model by other rules; return, for each, what is in the way."""
    found: Found = {}
    for rules in RULES:
        try:
            wh.load(subject.path).run(subject.given, rules=rules)  # whose sessions go with it
        except Exception as error:
            found[rules] = reason(error)
        else:
            found[rules] = None
    return found


def whole(subject: Subject) -> Found:
    """Return the seconds of the whole model, both with the runtime's optimizations."""
    from .peer import session

    peer = session(str(subject.path), subject.threads, optimize=True)
    given = dict(subject.given)
    ours, theirs = fastest(lambda: subject.model.run(given), lambda: peer.run(None, given), rest=REST)
    return {"wherry": ours, "onnxruntime": theirs}


def chains(subject: Subject) -> Found:
    """Run each chain on the tensors that ONNX Runtime has at its ends, and time both on it.

    Chains in branches that these inputs do not take run on made-up tensors, as a model of ONNX Runtime's too.
    """
    from .peer import Exposed

    parts = subject.model.chains()
    exposed = Exposed(subject.path, subject.given, subject.threads)
    tensors = exposed.values(name for part in parts for name in (*part.inputs, *part.outputs))
    found = [_Chain(number, part, tensors, subject.threads).measured() for number, part in enumerate(parts)]
    timed = [one for one in found if "wherry" in one]
    slowest = sorted(timed, key=lambda one: one["onnxruntime"] / one["wherry"])
    return {
        "count": len(parts),
        "run": sum(one["state"] in ("agrees", "differs") for one in found),
        "agree": sum(one["state"] == "agrees" for one in found),
        "timed": len(timed),
        "faster": [one["onnxruntime"] / one["wherry"] for one in timed],
        "states": dict(Counter(one["state"] for one in found)),
        "wrong": [one for one in found if one["state"] in ("differs", "refused")],
        "untimed": dict(Counter(one["untimed"] for one in found if "untimed" in one)),
        "slowest": slowest[:WORST],
        "behind": [one for one in slowest if one["onnxruntime"] < one["wherry"]],
    }


class _Chain:
    """A chain, the model's tensors that are known, and what both sides make of those at its ends."""

    def __init__(self, number: int, part: Model, tensors: Mapping[str, Any], threads: int) -> None:
        self.number = number
        self.part = part
        self.tensors = tensors
        self.threads = threads

    def measured(self) -> Found:
        operators = Counter(node.subject.split()[1].partition("-")[0] for node in self.part.graph.nodes)
        found: Found = {
            "chain": self.number,
            "operators": dict(operators.most_common(8)),
            "outputs": list(self.part.outputs)[:3],
        }
        try:
            given, expected = self._case()
        except NoInputs as error:
            return {**found, "state": "not reached", "why": str(error)[:LONGEST]}
        try:
            ours = self.part.run(given)
        except Exception as error:
            return {**found, "state": "refused", "why": reason(error)}
        wrong = [name for name, value in ours.items() if not same(value, expected[name])]
        if wrong:
            return {**found, "state": "differs", "wrong": wrong[:3]}
        return {**found, "state": "agrees", **self._timed(given)}

    def _case(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return inputs and what ONNX Runtime makes of them; made up where the model's inputs do not lead to the chain.

        Raises NoInputs where ONNX Runtime takes none.
        """
        from .peer import session

        constants = self.part.graph.constants
        if all(name in self.tensors or name in constants for name in (*self.part.inputs, *self.part.outputs)):
            return {name: self.tensors[name] for name in self.part.inputs}, {**constants, **self.tensors}
        peer = session(self._file(), self.threads, optimize=False)
        expected: dict[str, Any] = {}

        def run(given: dict[str, Array]) -> None:
            expected.update(zip(self.part.outputs, peer.run(None, given), strict=True))

        return found_inputs(self.part.inputs, {}, {}, run), expected

    def _timed(self, given: dict[str, Array]) -> Found:
        from .peer import session

        try:
            peer = session(self._file(), self.threads, optimize=True)
            ours, theirs = fastest(lambda: self.part.run(given), lambda: peer.run(None, given), rest=REST)
        except Exception as error:
            return {"untimed": reason(error)}
        return {"wherry": ours, "onnxruntime": theirs, "sizes": {name: list(a.shape) for name, a in given.items()}}

    def _file(self) -> bytes:
        from wherry.dialects.onnx.writer import to_proto

        content: bytes = to_proto(self.part, **self.part.options).SerializeToString()
        return content


def same(ours: Any, theirs: Any) -> bool:
    """Whether two results are of one type, with the same bits; sequences and maps, entry by entry."""
    if isinstance(theirs, np.ndarray) and isinstance(ours, np.ndarray):
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            return False
        if ours.dtype.hasobject:
            return bool(np.all(ours == theirs))
        return np.ascontiguousarray(ours).tobytes() == np.ascontiguousarray(theirs).tobytes()
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


def difference(ours: Any, theirs: Any) -> float:
    """Return how far two results are apart at most; infinity for other sizes or types."""
    if not isinstance(ours, np.ndarray) or not isinstance(theirs, np.ndarray):
        return 0.0 if same(ours, theirs) else math.inf
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape or ours.dtype.hasobject:
        return 0.0 if same(ours, theirs) else math.inf
    apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    return float(np.nanmax(apart, initial=0.0))


def _sum(result: Any) -> float | None:
    if not isinstance(result, np.ndarray) or result.dtype.hasobject:
        return None
    return float(np.sum(result.astype(np.float64)))


def reason(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:LONGEST]}"


Stage = tuple[str, Callable[[Subject], Found]]

STAGES: Sequence[Stage] = (("listed", listed), ("own", own_rules), ("rules", other_rules), ("whole", whole),
                           ("chains", chains))  # fmt: skip


def stages(subject: Subject) -> Iterator[Found]:
    """Yield what each stage finds; the reason in the place of what cannot be found."""
    for name, stage in STAGES:
        try:
            found = stage(subject)
        except Exception as error:
            yield {name: {"failed": reason(error)}}
            if subject.loaded is None or isinstance(error, NoInputs):
                return
            continue
        yield {name: found}
        if name == "own" and not found["is_equal"]:
            yield {"parting": parting(subject)}
