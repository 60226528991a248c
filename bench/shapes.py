"""Moves of random shapes beside NumPy and torch, in this process: where wherry leads, and which shapes it is behind in.

The rows of the benchmark are chosen; these are not. A seed gives the same moves on every machine. Contenders take
turns; all but those functions of NumPy and torch that have no `out` write to memory that is there before.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import wherry as wh

from .case import Call
from .draws import MOVES, Draw, Move
from .measure import timed
from .runtimes import missing

ROUNDS, TIMES = 3, 7
"""Turns of each contender, and times that are taken in a turn, after a call that does not count."""

LEAST_SECONDS = 10e-6
"""What is shorter is called several times for one of them."""

WORST = 3
"""So many moves of each operator are shown, those that are the furthest behind."""


@dataclass(frozen=True)
class Measured:
    """A move, and the seconds of a call of wherry and of each peer."""

    operator: str
    text: str
    seconds: float
    peers: dict[str, float]
    bytes_written: int

    @property
    def best_peer(self) -> str:
        return min(self.peers, key=self.peers.__getitem__)

    @property
    def ratio(self) -> float:
        """How many times as fast as the best peer."""
        return self.peers[self.best_peer] / self.seconds


def measure(operator: str, move: Move) -> Measured:
    """Medians of contenders that take turns, after wherry has given the expected bits."""
    move.own()
    for out, expected in zip(move.outputs, move.expected, strict=True):
        if out.tobytes() != expected.tobytes():
            raise SystemExit(f"{operator} {move.text}: wherry's result is another than NumPy's")
    calls = {"wherry": move.own, **move.peers}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name] += _turn(call)
    seconds = {name: statistics.median(found) for name, found in times.items()}
    own = seconds.pop("wherry")
    return Measured(operator, move.text, own, seconds, sum(out.nbytes for out in move.outputs))


def _turn(call: Call) -> list[float]:
    call()
    calls = 1 + int(LEAST_SECONDS / timed(call, 1))
    return [timed(call, calls) for _ in range(TIMES)]


def drawn(pattern: str, seed: int) -> Iterator[tuple[str, Move]]:
    """Moves without end, of the operators with the pattern in their names, one after the other."""
    names = [name for name in MOVES if pattern in name]
    for number in itertools.count():
        for name in names:
            yield name, MOVES[name](Draw(np.random.default_rng([seed, list(MOVES).index(name), number])))


def lines(pattern: str, seed: int, seconds: float, threads: int) -> Iterator[str]:
    """The table, a row for each operator, after so many seconds; then the moves that are the furthest behind."""
    if not any(pattern in name for name in MOVES):
        yield f"no operator has {pattern!r} in its name; there are {', '.join(MOVES)}"
        return
    wh.set_num_threads(threads)
    if "torch" not in missing():
        import torch

        torch.set_num_threads(threads)
    found: dict[str, list[Measured]] = defaultdict(list)
    end = time.monotonic() + seconds
    for name, move in drawn(pattern, seed):
        found[name].append(measure(name, move))
        if time.monotonic() > end:
            break
    yield "| operator | moves | times faster, geometric mean | median | behind | by more than a tenth |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, measured in found.items():
        yield _line(name, measured)
    yield _line("all", [each for measured in found.values() for each in measured])
    yield ""
    for measured in found.values():
        yield from (_worst(each) for each in sorted(measured, key=lambda each: each.ratio)[:WORST] if each.ratio < 1)


def _line(name: str, measured: list[Measured]) -> str:
    ratios = [each.ratio for each in measured]
    cells = [
        name,
        len(ratios),
        f"{statistics.geometric_mean(ratios):.2f}",
        f"{statistics.median(ratios):.2f}",
        sum(ratio < 1 for ratio in ratios),
        sum(ratio < 0.9 for ratio in ratios),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _worst(each: Measured) -> str:
    took = f"{each.seconds * 1e6:.1f} us, {each.bytes_written / each.seconds / 1e9:.1f} GB/s"
    return f"{each.ratio:.2f} of {each.best_peer}: {each.operator} {each.text}, {took}"
