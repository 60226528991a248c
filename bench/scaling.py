"""What more threads gain on this machine: rows that move much, beside memcpy of as many bytes by as many threads.

Each number of threads takes its turns with the others, wherry and memcpy one after another, so that both see what the
machine's other guests do at that moment. `bench --cores` tells by simulation what machines with more cores would gain.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from wherry import _core, set_num_threads

from .case import Call, Row, rows
from .limit import copies
from .measure import LARGE, turn
from .report import paired

Times = dict[tuple[str, int], list[float]]
"""Seconds of each contender with each number of threads."""


def counts(most: int) -> list[int]:
    """Numbers of threads: the powers of two up to as many as there are cores, and that many.

    >>> counts(12)
    [1, 2, 4, 8, 12]
    """
    powers = [1 << bit for bit in range(most.bit_length()) if 1 << bit <= most]
    return powers if powers[-1] == most else [*powers, most]


def measured(row: Row, numbers: list[int], divide: int, rounds: int, seconds: float) -> Times | None:
    """Times of wherry and of the copies; None where the row is too small for threads to matter, or makes new arrays."""
    case = row.make(divide)
    if case.calls > 1 or case.is_new or case.bytes_written * divide < LARGE:
        return None
    call = case.contenders["wherry"](case.new_outputs(), max(numbers)).call
    ready: dict[tuple[str, int], Call] = {}
    for number in numbers:
        ready["wherry", number] = call
        ready |= {(name, number): copy for name, copy in copies(case.bytes_written, case.bytes_read, number)}
    times: Times = {key: [] for key in ready}
    end = time.perf_counter() + seconds
    try:
        for done in range(1, rounds + 1):
            for (name, number), each in ready.items():
                set_num_threads(number)
                times[name, number] += turn(each, 1)
            if done >= 2 and time.perf_counter() > end:
                break
    finally:
        set_num_threads(0)
    return times


def lines(pattern: str, divide: int, rounds: int, seconds: float) -> Iterator[str]:
    """The table: how many times faster so many threads are than one, wherry / memcpy, and the share at the most."""
    numbers = counts(_core.machine()["cores"])
    many = numbers[1:]
    yield f"| row | one thread, ms | {' | '.join(f'{each} threads' for each in many)} | share, one | share, all |"
    yield f"| --- |{' ---: |' * (len(many) + 3)}"
    for row in rows(pattern):
        times = measured(row, numbers, divide, rounds, seconds)
        if times is not None:
            yield line(row.key, times, numbers)


def line(key: str, times: Times, numbers: list[int]) -> str:
    """One row: shares are of the fastest copy by as many threads."""

    def gain(name: str, number: int) -> float:
        return paired(times[name, 1], times[name, number])

    def share(number: int) -> float:
        by_copies = [found for (name, count), found in times.items() if count == number and name != "wherry"]
        return min(paired(found, times["wherry", number]) for found in by_copies)

    gains = " | ".join(f"{gain('wherry', each):.1f} / {gain('memcpy', each):.1f}" for each in numbers[1:])
    one, most = share(1), share(numbers[-1])
    return f"| {key} | {statistics.median(times['wherry', 1]) * 1e3:.2f} | {gains} | {one:.2f} | {most:.2f} |"
