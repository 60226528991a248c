"""Two contenders that take turns."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..case import Call

TURNS, TURN = 5, 2e-3
"""How many turns each contender has, of so many seconds at least."""


REST = 0.02
"""Seconds between turns, after which the threads of whoever had the last one have stopped to look for work."""


def fastest(first: Call, second: Call, turns: int = TURNS, rest: float = 0.0) -> tuple[float, float]:
    """Return the seconds of one call of each in its fastest turn, which other work on the machine disturbed least."""
    repeats = [_repeats(call) for call in (first, second)]
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(turns):
        for call, count, times in zip((first, second), repeats, found, strict=True):
            time.sleep(rest)
            times.append(_once(call, count))
    return min(found[0]), min(found[1])


def _once(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def _repeats(call: Callable[[], object]) -> int:
    """Return how many calls a turn has; the first call, which may plan, does not count."""
    call()
    return max(1, int(TURN / max(_once(call, 1), 1e-7)))
