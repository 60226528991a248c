"""What rows would gain by more cores than this machine has: their ranges are timed, and dealt out to so many threads.

wherry cuts a move as it would for so many threads, one thread does all of it, and each range is timed. A thread that
is done with a range takes the next. It is an upper bound: that cores wait for memory together is not simulated.
"""

from __future__ import annotations

import heapq
import statistics
from collections.abc import Iterator, Sequence

from wherry import _core, set_num_threads

from .case import Call, Row, rows

CORES = (2, 8, 16, 64)
ROUNDS = 5


def makespan(seconds: Sequence[float], threads: int) -> float:
    """Seconds until the last of so many threads is done, each of which takes the next range when it is free.

    >>> makespan([3, 1, 1, 1], 2)
    3.0
    """
    free = [0.0] * threads
    for each in seconds:
        heapq.heapreplace(free, free[0] + each)
    return max(free)


def simulated(call: Call, cores: int) -> tuple[float, float]:
    """Seconds that a call would take with so many cores, and seconds of those that one thread works alone."""
    whole, jobs = _core.range_times(call)
    alone = whole - sum(shared for _, shared, _ in jobs)
    return alone + sum(makespan(seconds, min(threads, cores)) for threads, _, seconds in jobs), alone


def scaling(row: Row, divide: int, rounds: int = ROUNDS) -> tuple[dict[int, float], float, float]:
    """How many times faster so many cores make a row of data so many times smaller.

    Behind it: one core's seconds, and how many seconds are no range's where the cores are the most.
    """
    case = row.make(divide)
    outputs = case.new_outputs()
    call = case.contenders["wherry"](outputs, 1).call
    call()
    found: dict[int, list[tuple[float, float]]] = {}
    try:
        for _ in range(rounds):
            for cores in (1, *CORES):
                set_num_threads(cores)
                found.setdefault(cores, []).append(simulated(call, cores))
    finally:
        set_num_threads(0)
    whole = {cores: statistics.median(each for each, _ in times) for cores, times in found.items()}
    alone = statistics.median(each for _, each in found[CORES[-1]])
    return {cores: whole[1] / whole[cores] for cores in CORES}, whole[1], alone


def lines(pattern: str, divide: int) -> Iterator[str]:
    """The table, and what one thread does alone in each row, beside the same of an eighth of the data."""
    yield f"| row | one core, ms | {' | '.join(f'{cores} cores' for cores in CORES)} | alone, us | of an eighth, us |"
    yield f"| --- |{' ---: |' * (len(CORES) + 3)}"
    for row in rows(pattern):
        if row.make(64).calls == 1:  # others are too small for threads
            gains, whole, alone = scaling(row, divide)
            _, _, less = scaling(row, 8 * divide)
            told = " | ".join(f"{gain:.1f}" for gain in gains.values())
            yield f"| {row.key} | {whole * 1e3:.2f} | {told} | {alone * 1e6:.0f} | {less * 1e6:.0f} |"
