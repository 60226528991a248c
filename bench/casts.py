"""Casts between all pairs of element types, by wherry, NumPy, torch and ONNX Runtime, which take turns.

Every element is a number that both types hold: libraries differ in what they make of others, but not in the time.
wherry takes ONNX's rules, by which floats out of range become what x86 processors make of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import wherry as wh
from wherry import dtypes
from wherry.dtypes import DType
from wherry.engine.planner import make_plan
from wherry.ops import Cast, FloatToInteger

from .case import Array, Call, Contender, empty
from .measure import SETTLED
from .ours import graph_of
from .report import geometric_mean, paired
from .runtimes import missing, onnxruntime, tensor

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "int4", "uint4",
)  # fmt: skip
"""The types of which all pairs are measured; torch and ONNX Runtime lack some."""

COUNTS = (500_000, 8_000_000)
"""Elements: those of the first count, and their results, stay in caches."""

TURN = 0.004
"""Seconds of a turn, in which a contender makes as many calls as fit, and at least one that counts."""

ORDERS = (("numpy", "wherry", "torch", "onnxruntime"), ("numpy", "torch", "wherry", "onnxruntime"))
"""Who comes behind whom in a round, and in every second one: what one leaves in the caches helps or hinders the next.

The threads of ONNX Runtime look for work long after its turn: NumPy, which needs one core, comes behind it.
"""

AGAIN = 5
"""How many times the rounds those are measured in again that were behind: a few rounds differ by a tenth."""

HEAD = (
    "| elements | cast | wherry, us | best peer, us | | times faster |",
    "| ---: | --- | ---: | ---: | --- | ---: |",
)


@dataclass(frozen=True)
class Measured:
    """Seconds of a call of each contender in each of its turns."""

    source: str
    to: str
    count: int
    seconds: dict[str, list[float]]

    @property
    def best_peer(self) -> str | None:
        """The fastest contender that is not wherry; None where nobody else has the cast."""
        peers = {name: paired(each, self.seconds["wherry"]) for name, each in self.seconds.items() if name != "wherry"}
        return min(peers, key=peers.__getitem__, default=None)

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the best peer."""
        return None if self.best_peer is None else paired(self.seconds[self.best_peer], self.seconds["wherry"])

    @property
    def is_behind(self) -> bool:
        """Whether a peer is faster."""
        return self.ratio is not None and self.ratio < 1

    def microseconds(self, name: str) -> float:
        """The median of a contender's turns."""
        return statistics.median(self.seconds[name]) * 1e6


def values(row: DType, count: int) -> Array:
    """Whole numbers from 0 to 6, or -6 to 6 of types with a sign: all types but bool and those of 2 bits hold them."""
    drawn = np.random.default_rng(0).integers(-6 if row.kind in ("int", "float") else 0, 7, count, np.int8)
    made = empty(drawn.shape, row.numpy)
    made[:] = (drawn.astype(np.float32) if row.kind == "float" else drawn).astype(row.numpy)
    return made


def contenders(source: Array, to: DType, threads: int) -> dict[str, Call]:
    """Those that have the cast, each writing to a result of its own."""
    out = empty(source.shape, to.numpy)
    given = {"data": source}
    rule = Cast(to, float_to_integer=FloatToInteger.INDEFINITE)
    plan = make_plan(graph_of([(rule, ["data"], ["out"])], given, 1), given)
    made: dict[str, Call | None] = {
        "numpy": _numpy(source, to),
        "wherry": lambda: plan.run(given, {"out": out}),
        "torch": None if "torch" in missing() else _torch(source, to, threads),
        "onnxruntime": None if "onnxruntime" in missing() else _onnxruntime(source, to, threads),
    }
    return {name: call for name, call in made.items() if call is not None}


def _numpy(source: Array, to: DType) -> Call | None:
    out = empty(source.shape, to.numpy)
    try:
        np.copyto(out, source, casting="unsafe")
    except TypeError:
        return None
    return lambda: np.copyto(out, source, casting="unsafe")


def _torch(source: Array, to: DType, threads: int) -> Call | None:
    import torch

    torch.set_num_threads(threads)
    names = {"bool": "bool", "float8_e4m3fn": "float8_e4m3fn", "float8_e5m2": "float8_e5m2"}
    of, into = (getattr(torch, names.get(each, each), None) for each in (dtypes.find(source.dtype).name, to.name))
    if not isinstance(of, torch.dtype) or not isinstance(into, torch.dtype):
        return None
    plain = source.dtype.isbuiltin == 1  # not one of ml_dtypes
    data = tensor(source) if plain else tensor(source.view(f"u{source.itemsize}")).view(of)
    target = torch.empty(source.size, dtype=into)
    try:
        target.copy_(data)
    except (RuntimeError, NotImplementedError):
        return None
    return lambda: target.copy_(data)


def _onnxruntime(source: Array, to: DType, threads: int) -> Call | None:
    from onnx import helper

    number = helper.np_dtype_to_tensor_dtype(to.numpy)
    make = onnxruntime(lambda node: [node("Cast", ["data"], ["out"], to=number)], {"data": source}, opset=21)
    try:
        contender: Contender = make([empty(source.shape, to.numpy)], threads)
        contender.call()
    except Exception:  # onnxruntime's own errors have no public base; types that it lacks end in several
        return None
    return contender.call


def measure(source: DType, to: DType, count: int, threads: int, rounds: int) -> Measured:
    """All contenders of one pair take turns, each alone for some calls."""
    wh.set_num_threads(threads)
    calls = contenders(values(source, count), to, threads)
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds):
        for name in ORDERS[number % len(ORDERS)]:
            if name in calls:
                times[name].append(_turn(calls[name]))
    return Measured(source.name, to.name, count, times)


def _turn(call: Callable[[], Any]) -> float:
    """The least seconds of a call in one turn, behind a first one that does not count."""
    time.sleep(SETTLED)
    call()
    found = []
    end = time.perf_counter() + TURN
    while not found or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def pairs(pattern: str) -> Iterator[tuple[DType, DType]]:
    """All pairs of different types, written `source-to-target`, that have the pattern in them."""
    for source in map(dtypes.find, NAMES):
        for to in map(dtypes.find, NAMES):
            if source is not to and pattern in f"{source}-to-{to}":
                yield source, to


def lines(pattern: str, threads: int, rounds: int, *, divide: int = 1) -> Iterator[str]:
    """The table and a summary, then those behind once more; `divide` makes all counts so many times smaller."""
    yield from HEAD
    found: list[Measured] = []
    for count in COUNTS:
        for source, to in pairs(pattern):
            each = measure(source, to, count // divide, threads, rounds)
            found.append(each)
            yield _line(each)
    yield ""
    yield from _summary(found)
    again = [_again(each, threads, rounds) for each in found if each.is_behind]
    if again:
        yield f"\nThose behind, {AGAIN} times as many rounds:\n"
        yield from (*HEAD, *map(_line, again), "")
        yield from _summary(again)


def _again(each: Measured, threads: int, rounds: int) -> Measured:
    return measure(dtypes.find(each.source), dtypes.find(each.to), each.count, threads, AGAIN * rounds)


def _line(each: Measured) -> str:
    peer = each.best_peer
    told = ("", "", "") if peer is None else (f"{each.microseconds(peer):.1f}", peer, f"{each.ratio:.2f}")
    ours = f"{each.microseconds('wherry'):.1f}"
    return f"| {each.count} | {each.source}-to-{each.to} | {ours} | {' | '.join(told)} |"


def _summary(found: Sequence[Measured]) -> Iterator[str]:
    for count in sorted({each.count for each in found}):
        ratios = [each.ratio for each in found if each.count == count and each.ratio is not None]
        if ratios:
            yield (
                f"{len(ratios)} casts of {count} elements; times faster than the best peer: least {min(ratios):.2f}, "
                f"geometric mean {geometric_mean(ratios):.2f}, behind in {sum(ratio < 1 for ratio in ratios)}"
            )
