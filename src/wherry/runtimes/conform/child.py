"""Tries cases on one runtime in forks of this process, which a case may crash, block or fill.

Run as a module with the runtime's name: cases come in and replies go out as pickles, each behind its length. The
runtime is imported once. A case is tried alone, in a fork of its own, or in one that answers many, which is ten times
as fast; where that one ends, the case is tried alone.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

import onnx.defs

from wherry.errors import OtherRuntimeError, UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.conform.answers import given, part_of
from wherry.runtimes.conform.pipe import LENGTH, Reply, receive, send
from wherry.runtimes.installed import Installed
from wherry.runtimes.known import known
from wherry.runtimes.runtime import Runtime
from wherry.runtimes.spelled import Speller

SECONDS = 60
"""So long may a case take, compilers included."""

MOST_BYTES = 4 << 30
"""So much may a case allocate."""


def answer(runtime: Installed, case: Case) -> Reply:
    """Return a runtime's result of a case, in this process."""
    try:
        if isinstance(runtime, Speller):
            return "answers", runtime.answer(case)
        assert isinstance(runtime, Runtime)
        return "answers", list(runtime.session(part_of(case)).run(given(case)).values())
    except UnsupportedError as error:
        return "cannot say", str(error)
    except OtherRuntimeError as error:
        return "refuses", str(error).partition(": ")[2]  # what stands before it is the runtime, which is known


def load(found: type[Installed]) -> None:
    """Import a runtime, and what its first run would import, once for all forks."""
    found.imported()
    for module in found.late:
        importlib.import_module(module)
    onnx.defs.has("Identity")  # the first question makes all schemas, 10 ms
    freeze()


def freeze() -> None:
    """Keep garbage collections in forks from what is there now: they would copy each page that has an object."""
    gc.collect()
    gc.freeze()


def _tried(found: type[Installed], case: Case) -> Reply:
    return answer(found(), case)


def apart(work: Callable[[], Reply], seconds: float | None = None, most_bytes: int | None = None) -> Reply:
    """Return a reply that is worked out in a process of its own; SECONDS and MOST_BYTES hold where none are given."""
    seconds = SECONDS if seconds is None else seconds
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, write, MOST_BYTES if most_bytes is None else most_bytes)
    os.close(write)
    data, ended = _all_of(read, time.monotonic() + seconds)
    os.close(read)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)  # and all that it started
    _, status = os.waitpid(child, 0)
    if not ended:
        return "hangs", f"more than {seconds:g} s"
    if data:
        reply: Reply = pickle.loads(data)
        return reply
    if os.WIFSIGNALED(status):
        return "crashes", signal.Signals(os.WTERMSIG(status)).name
    return "crashes", f"the process ends with status {os.WEXITSTATUS(status)}"


def _work(work: Callable[[], Reply], write: int, most_bytes: int) -> NoReturn:
    """Reply and leave; without the ends of Python, which a damaged heap may not survive."""
    try:
        _bound(most_bytes)
        data = pickle.dumps(work())
        with os.fdopen(write, "wb") as to:
            to.write(data)
    finally:
        os._exit(1)


_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG: Ctrl-C ends the parent, and does not reach another group


def _bound(most_bytes: int) -> None:
    """Give this process a group, which can be ended at once, and limits."""
    os.setsid()
    if _PRCTL is not None:
        _PRCTL(_END_WITH_PARENT, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))


class Together:
    """A fork that answers one case after the other; what one of them damages, the others meet."""

    def __init__(self, answer_one: Callable[[Case], Reply]) -> None:
        cases, self._cases = os.pipe()
        self._replies, replies = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._cases)
            os.close(self._replies)
            _work_on(answer_one, cases, replies)
        os.close(cases)
        os.close(replies)

    def ask(self, case: Case) -> Reply | None:
        """Return the outcome of a case; None if the process ends, or takes too long."""
        deadline = time.monotonic() + SECONDS
        try:
            with os.fdopen(os.dup(self._cases), "wb") as to:
                send(case, to)
        except BrokenPipeError:
            return None
        head = _some_of(self._replies, LENGTH.size, deadline)
        data = _some_of(self._replies, LENGTH.unpack(head)[0], deadline) if head else b""
        reply: Reply | None = pickle.loads(data) if data else None
        return reply

    def close(self) -> None:
        """End the process, and all that it started."""
        os.close(self._cases)
        os.close(self._replies)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


class Trials:
    """Tries cases together, in a process that is started anew where one ends it, or alone."""

    def __init__(self, answer_one: Callable[[Case], Reply]) -> None:
        self._answer_one = answer_one
        self._together: Together | None = None

    def reply(self, case: Case, alone: bool) -> Reply:
        """Return the outcome of a case."""
        if not alone:
            self._together = self._together or Together(self._answer_one)
            reply = self._together.ask(case)
            if reply is not None:
                return reply
            self._together.close()
            self._together = None
        return apart(partial(self._answer_one, case))


def _work_on(answer_one: Callable[[Case], Reply], cases: int, replies: int) -> NoReturn:
    """Reply to cases until there are no more."""
    try:
        _bound(MOST_BYTES)
        with os.fdopen(cases, "rb") as source, os.fdopen(replies, "wb") as to:
            while True:
                send(answer_one(receive(source)), to)
    finally:
        os._exit(1)


def _some_of(source: int, count: int, deadline: float) -> bytes:
    """Return this many bytes from a pipe; none if it ends before, or they are late."""
    data = b""
    while len(data) < count:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            return b""
        more = os.read(source, count - len(data))
        if not more:
            return b""
        data += more
    return data


def _all_of(source: int, deadline: float) -> tuple[bytes, bool]:
    """Return the bytes from a pipe, and whether it ended in time."""
    data = b""
    while (left := deadline - time.monotonic()) > 0:
        if select.select([source], [], [], left)[0]:
            more = os.read(source, 1 << 16)
            if not more:
                return data, True
            data += more
    return data, False


def main() -> None:
    """Answer cases until there are no more; the first reply is the runtime's version, or why it cannot be had."""
    cases, replies = (os.fdopen(os.dup(stream), mode) for stream, mode in ((0, "rb"), (1, "wb")))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # what a runtime prints must not reach the pipes
        os.dup2(nowhere, stream)
    found = known(sys.argv[1])
    try:
        load(found)
    except ImportError as error:
        send(("missing", str(error)), replies)
        return
    send(apart(lambda: ("found", found().version)), replies)
    trials = Trials(partial(_tried, found))
    while True:
        try:
            case, alone = receive(cases)
        except EOFError:
            return
        send(trials.reply(case, alone), replies)


if __name__ == "__main__":
    main()
