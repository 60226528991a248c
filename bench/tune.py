"""What was read of the machine, and what would be chosen by measuring, for WHERRY_TUNE.

Each limit is measured by two processes, which take turns: one moves everything as if the limit were passed, one as if
it never were. The size is chosen that all of them together are fastest with.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import wherry as wh
from wherry import _core

from .case import Call

NEVER = 2**50
KILO, MEGA = 2**10, 2**20
LEAST_SECONDS = 2e-3


@dataclass(frozen=True)
class Limit:
    """A limit by its name in WHERRY_TUNE, the bytes to measure, and a move of about so many bytes."""

    name: str
    sizes: tuple[int, ...]
    move: Callable[[int], Call]


def _copied(size: int) -> Call:
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    return lambda: wh.copy(source, target)


def _permuted(size: int) -> Call:
    side = max(2, round((size / 4 / 24) ** (1 / 3)))
    source = np.ones((side, 24, side, side), np.float32).transpose(3, 2, 1, 0)
    target = np.zeros(source.shape, np.float32)
    return lambda: wh.copy(source, target)


LIMITS = (
    Limit("stream-dense", tuple(MEGA << k for k in range(1, 9)), _copied),
    Limit("tiled", tuple(KILO << k for k in range(1, 13)), _permuted),
    Limit("wake", tuple(KILO << k for k in range(5, 12)), _copied),
)


def lines(rounds: int) -> Iterator[str]:
    """The machine as read, what each limit's measurement gave, and the setting that follows."""
    read = _core.machine()
    yield "read: " + ",".join(f"{name}={_text(value)}" for name, value in read.items())
    chosen = []
    for limit in LIMITS:
        passed, never = _times(limit, rounds)
        yield f"{limit.name}: " + ", ".join(
            f"{_text(size)} {other / own:.2f}" for size, own, other in zip(limit.sizes, passed, never, strict=True)
        )
        chosen.append(f"{limit.name}={_text(best_limit(limit.sizes, passed, never))}")
    yield "would choose: WHERRY_TUNE=" + ",".join(chosen)


def best_limit(sizes: tuple[int, ...], passed: list[float], never: list[float]) -> int:
    """The size from which on the limit is to be passed; twice the greatest one if at none."""
    gains = [math.log(other / own) for own, other in zip(passed, never, strict=True)]
    total = {limit: sum(gains[k:]) for k, limit in enumerate((*sizes, 2 * sizes[-1]))}
    return max(total, key=total.__getitem__)


def _times(limit: Limit, rounds: int) -> tuple[list[float], list[float]]:
    """The least seconds at each size, of a limit that is always passed, and of one that never is."""
    turns = [[_in_own_process(limit, value) for value in (1, NEVER)] for _ in range(rounds)]
    passed, never = ([min(times) for times in zip(*side, strict=True)] for side in zip(*turns, strict=True))
    return passed, never


def _in_own_process(limit: Limit, value: int) -> list[float]:
    command = [sys.executable, "-c", f"from bench.tune import print_times; print_times({limit.name!r})"]
    environment = {**os.environ, "WHERRY_TUNE": f"{limit.name}={value}"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def print_times(name: str) -> None:
    """Print the least seconds of a limit's move at each size."""
    limit = next(each for each in LIMITS if each.name == name)
    print(json.dumps([_least(limit.move(size)) for size in limit.sizes]))


def _least(call: Call) -> float:
    call()
    times: list[float] = []
    while len(times) < 3 or sum(times) < LEAST_SECONDS:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def _text(number: int) -> str:
    for unit, size in (("G", 2**30), ("M", MEGA), ("K", KILO)):
        if number % size == 0 and number > 0:
            return f"{number // size}{unit}"
    return str(number)
