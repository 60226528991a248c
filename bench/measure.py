"""One row, measured in this process by all contenders: in turns, in bursts, and beside threads that still spin.

In turns, each contender finds the caches full of what the others moved. In bursts it runs alone, as a model does that
runs in a loop: its own buffers are warm, and the threads of the others sleep. Some libraries' threads look for work for
a while after a call, and take processors from whoever comes next.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from wherry import set_num_threads

from .case import Array, Call, Case, Contender, Row
from .limit import copies, memcpy, ordered
from .runtimes import missing

TURN_REPEATS = 3
LEAST_ROUNDS = 7  # of bursts and beside others: of fewer, a second in which the machine was slow could decide
BURST_SECONDS = 0.05
BURST_CALLS = 30
ASLEEP = 0.1  # seconds after which the threads of whoever ran before have stopped to look for work
SETTLED = 0.01  # after which those of most have
SPINNERS = ("onnxruntime", "torch", "openvino")  # libraries whose threads spin after a call, the longest first
LARGE = 16 * 2**20  # bytes from which on one thread is measured beside all

T = TypeVar("T")

Rounds = dict[str, list[list[float]]]
"""Seconds of each contender: those of each round."""


def measure(row: Row, threads: int, rounds: int, seconds: float, quick: bool) -> dict[str, Any]:
    """Medians with quartiles of all contenders in each regime, after each has given the expected result.

    There are `rounds` rounds of turns, or fewer, but three at least, if these take more than `seconds`.
    """
    set_num_threads(threads)
    case = row.make(8 if quick else 1)
    extra = extra_memory(case, threads)
    absent = missing()
    if "torch" not in absent:
        import torch

        torch.set_num_threads(threads)
    ready: dict[str, Call] = {}
    kept = []  # outputs that a contender writes to without holding them
    for name, make in case.contenders.items():
        if name.split()[0] in absent:
            continue
        outputs = case.new_outputs()
        contender = make(outputs, threads)
        checked(row, name, contender, case.expected)
        ready[name] = contender.call
        kept.append(outputs)
    rivals = dict(ready)
    if case.is_new:
        ready["memcpy"] = memcpy(case.bytes_written, threads, is_new=True)
    elif case.calls == 1:
        ready |= copies(case.bytes_written, case.bytes_read, threads)
    if case.parts is not None and case.calls == 1:
        ready |= ordered(case.parts, threads)
    if case.calls == 1 and threads > 1 and case.bytes_written >= LARGE:
        ready["memcpy, one thread"] = memcpy(case.bytes_written, 1, is_new=case.is_new)
        ready["wherry, one thread"] = partial(_alone, ready["wherry"], threads)
    return {
        "row": row.key,
        "title": row.title,
        "bandwidth": row.bandwidth,
        "bytes": case.bytes_written,
        "extra_memory": extra,
        "seconds": spreads(take_turns(ready, case.calls, rounds, seconds)),
        "bursts": spreads(burst(rivals, case.calls, 1 if quick else LEAST_ROUNDS)),
        "beside": spreads(beside(rivals, case.calls, rounds if quick else max(rounds, LEAST_ROUNDS))),
    }


def spreads(times: Rounds) -> dict[str, dict[str, Any]]:
    """The spread of the times of each."""
    return {name: spread(found) for name, found in times.items()}


def _alone(call: Call, threads: int) -> None:
    set_num_threads(1)
    call()
    set_num_threads(threads)


def checked(row: Row, name: str, contender: Contender, expected: list[Array]) -> None:
    """Check a contender; a peer whose threads lose updates now and then is asked again, and that is told."""
    for _ in range(0 if name.startswith("wherry") else 5):
        try:
            return check(row, name, contender, expected)
        except SystemExit as wrong:
            print(f"{wrong}; it is asked again", file=sys.stderr)
    return check(row, name, contender, expected)


def check(row: Row, name: str, contender: Contender, expected: list[Array]) -> None:
    """Run once; the results must be equal, bit for bit."""
    results = contender.results(contender.call())
    if len(results) != len(expected):
        raise SystemExit(f"{row.key}: {name} makes {len(results)} results, not {len(expected)}")
    for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        found = np.asarray(result)
        same = found.shape == wanted.shape and found.dtype == wanted.dtype and _same_bits(found, wanted)
        if not same:
            raise SystemExit(f"{row.key}: result {number} of {name} is another than NumPy's")


def _same_bits(first: Array, second: Array) -> bool:
    if first.dtype.kind in "fc":
        width = first.dtype.itemsize
        kind = f"u{min(width, 8)}"
        return np.array_equal(np.ascontiguousarray(first).view(kind), np.ascontiguousarray(second).view(kind))
    return np.array_equal(first, second)


def take_turns(ready: dict[str, Call], calls: int, rounds: int, seconds: float) -> Rounds:
    """Seconds for one call of each, several times in each of its turns.

    Who comes first brings the inputs into the cache for those behind: every second round goes the other way.
    """
    times: Rounds = {name: [] for name in ready}
    start = time.perf_counter()
    for number in range(rounds):
        for name, call in _in_order(ready, number):
            times[name].append(turn(call, calls))
        if number >= 2 and time.perf_counter() - start > seconds:
            break
    return times


def _in_order(ready: dict[str, T], number: int) -> Iterable[tuple[str, T]]:
    """All contenders, in every second round the last first."""
    order = list(ready.items())
    return order if number % 2 == 0 else reversed(order)


def turn(call: Call, calls: int) -> list[float]:
    """One call that does not count, then some that do."""
    time.sleep(SETTLED)
    call()
    return [timed(call, calls) for _ in range(TURN_REPEATS)]


def burst(ready: dict[str, Call], calls: int, rounds: int) -> Rounds:
    """Seconds for one call of each, in bursts of many calls without any other's between them."""
    times: Rounds = {name: [] for name in ready}
    for number in range(rounds):
        for name, call in _in_order(ready, number):
            time.sleep(ASLEEP)
            call()
            end = time.perf_counter() + BURST_SECONDS
            found: list[float] = []
            while not found or (len(found) < BURST_CALLS and time.perf_counter() < end):
                found.append(timed(call, calls))
            times[name].append(found)
    return times


def beside(ready: dict[str, Call], calls: int, rounds: int) -> Rounds:
    """Seconds for one call of each, right after a call of another library whose threads still look for work.

    Every second round goes the other way, as turns do.
    """
    others = {name: other for name in ready if (other := _spinner(name, ready)) is not None}
    times: Rounds = {name: [] for name in others}
    for number in range(rounds):
        for name, other in _in_order(others, number):
            ready[name]()
            ready[other]()
            times[name].append([timed(ready[name], calls)])
    return times


def _spinner(name: str, ready: Iterable[str]) -> str | None:
    """A contender of another library whose threads spin; None if there is none."""
    own = name.split(maxsplit=1)[0]
    return next((other for library in SPINNERS for other in ready if other.split()[0] == library != own), None)


def timed(call: Call, calls: int) -> float:
    """Seconds for one call."""
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def spread(rounds: list[list[float]]) -> dict[str, Any]:
    """The median of all times and the quartiles about it, and the median of each round."""
    times = [each for found in rounds for each in found]
    middle = statistics.median(times)
    low, _, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else [middle] * 3
    values = {"median": middle, "low": low, "high": high}
    digits = {name: _rounded(value) for name, value in values.items()}
    return {**digits, "rounds": [_rounded(statistics.median(found)) for found in rounds]}


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.5g}")


def extra_memory(case: Case, threads: int) -> int | None:
    """Bytes that the process grows by while wherry runs, at its peak; None where the system does not tell.

    Inputs and outputs are there before; the first run of all counts, with all that it makes once.
    """
    status, clear = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not clear.exists() or case.calls > 1:
        return None
    outputs = case.new_outputs()
    contender = case.contenders["wherry"](outputs, threads)
    before = _field(status, "VmRSS")
    try:
        clear.write_text("5")  # the peak is now what is there now
    except OSError:
        return None
    contender.call()
    return _field(status, "VmHWM") - before


def _field(status: Path, name: str) -> int:
    (line,) = (line for line in status.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024
