"""Runs one hostile call in a process of its own and measures it: the error, the time, the memory, and whether it ended.

The process is a fork of the test's own, so everything that is imported stays imported and a call costs milliseconds.
"""

from __future__ import annotations

import ctypes
import faulthandler
import functools
import gc
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from wherry.errors import WherryError

for _reader in ("directml.dxdispatch.reader", "onnx.reader", "openvino.reader", "webnn.graph_json"):
    import_module(f"wherry.dialects.{_reader}")  # here, so that no call is charged for it

SECONDS = 1.0
"""The processor time that a refusal may take on a machine of full pace; see `slowness`."""

REPEATS = 5
"""How often a call is made again that took longer; the least time counts."""

MEGABYTES = 64
"""The memory that a refusal may take beyond what the process had before."""

_PACE = 0.1
"""The processor time of `_paced` in a fork on a machine of full pace: the least of 30 on an AMD EPYC with AVX-512."""

_PATIENCE = 60.0
"""Seconds after which a call counts as one that never ends; more than SECONDS, because other tests run beside it."""

_GIBIBYTE = 2**30

_COLLAPSE = 25
"""MADV_COLLAPSE of Linux 6.1 and later, which the module mmap has for its own mappings alone."""


@dataclass(frozen=True)
class Outcome:
    """How a call ended: `error` is the class of what it raised, None if it returned; `result` is then its repr."""

    error: type[BaseException] | None
    words: str
    result: str
    seconds: float
    megabytes: float


def refused(
    call: Callable[[], object],
    kind: type[WherryError] = WherryError,
    *,
    seconds: float = SECONDS,
    megabytes: float = MEGABYTES,
) -> str:
    """Return the words of the error of class `kind` with which `call` is refused, soon and in little memory.

    Raises AssertionError if the process dies or hangs, if nothing or another error is raised, or if a bound is passed.
    """
    outcome = run(call, seconds=seconds, megabytes=megabytes)
    assert outcome.error is not None, f"nothing was refused; the result is {outcome.result}"
    assert issubclass(outcome.error, kind), f"{outcome.error.__name__}: {outcome.words}"
    return outcome.words


def run(call: Callable[[], object], *, seconds: float = SECONDS, megabytes: float = MEGABYTES) -> Outcome:
    """Return how `call` ends in a process of its own; see `refused` for what counts as a failure here too."""
    outcome = _forked(call)
    for _ in range(REPEATS):  # other work on the machine can only add to processor time
        if outcome.seconds <= seconds:
            break
        outcome = min(outcome, _forked(call), key=lambda each: each.seconds)
    bound = allowed(seconds, outcome.seconds)
    assert outcome.seconds <= bound, f"{outcome.seconds:.2f} s of processor time, allowed {bound:.2f}: {outcome}"
    assert outcome.megabytes <= megabytes, f"{outcome.megabytes:.0f} MB, allowed {megabytes}: {outcome}"
    return outcome


def allowed(seconds: float, taken: float) -> float:
    """Return the bound of a call that took so long: `seconds`, and more on a slow machine if it took longer."""
    return seconds if taken <= seconds else seconds * slowness()


def slowness() -> float:
    """Return how many times slower than at full pace a forked process works here and now; at least 1.

    Processor time grows where cores are slower, and where other work shares their caches. It is measured only when a
    bound was passed, so that it tells of the moment in which the call ran.
    """
    return max(1.0, _forked(_paced).seconds / _PACE)


def _paced() -> None:
    """Work like that of a reader: many small objects in a dictionary."""
    assert len({str(number): [number] for number in range(100_000)}) == 100_000


def check_linear(prepared: Callable[[int], Callable[[], object]], count: int) -> None:
    """Raise AssertionError if a call for five times as much as `count` takes far more than five times as long."""

    def seconds(of: int) -> float:
        call, best = prepared(of), float("inf")
        for _ in range(3):
            started = time.process_time()
            call()
            best = min(best, time.process_time() - started)
        return best

    small, large = seconds(count), seconds(5 * count)
    assert large < 5 * small * 2.5, f"{small:.3f} s for {count}, {large:.3f} s for five times as many"


@functools.cache
def _collapse() -> None:
    """Put what the process has into pages of two megabytes, where the system does that.

    A fork copies an entry for each page that was written to. Of all tests that were collected these are 430 MB: 17 ms
    with small pages, 5 ms with large ones.
    """
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for line in maps.read_text().splitlines():
        addresses, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in addresses.split("-"))
            advise(start, end - start, _COLLAPSE)


def _forked(call: Callable[[], object]) -> Outcome:
    _collapse()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(call, writing)
    os.close(writing)
    answer = _all_of(reading)
    os.close(reading)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert answer is not None, f"the call has not come to an end in {_PATIENCE} s"
    assert answer, "the process died of the call"
    outcome = pickle.loads(answer)
    assert isinstance(outcome, Outcome)
    return outcome


def _all_of(pipe: int) -> bytes | None:
    """Return what the child says before it ends; None if it does not end."""
    until, parts = time.monotonic() + _PATIENCE, []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return None
        part = os.read(pipe, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _child(call: Callable[[], object], pipe: int) -> None:
    """Run the call, write its Outcome to the pipe, and end without what a test process does at its end."""
    gc.freeze()  # else each full collection copies the pages of all that the parent has
    faulthandler.disable()  # a process that dies says nothing: its parent does
    try:
        outcome = _measured(call)
        os.write(pipe, pickle.dumps(outcome))
    finally:
        os._exit(0)


def _measured(call: Callable[[], object]) -> Outcome:
    """An allocation of gigabytes fails here, so that an attack that succeeds does not take the machine's memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + 6 * _GIBIBYTE, resource.RLIM_INFINITY))
    before, started = _peak_memory(anew=True), time.process_time()
    error, words, result = None, "", ""
    try:
        result = repr(call())[:1000]
    except BaseException as raised:
        error, words = type(raised), str(raised)
    seconds = time.process_time() - started
    return Outcome(error, words, result, seconds, (_peak_memory() - before) / 2**20)


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _peak_memory(*, anew: bool = False) -> int:
    """Return the most memory that the process has had, in bytes; `anew` forgets what it had before."""
    if not sys.platform.startswith("linux"):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if anew:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
