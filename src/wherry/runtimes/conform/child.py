"""Tries cases on one runtime, each in a process of its own, which the case may end, block or fill.

Run as a module with the runtime's name: cases come in and replies go out as pickles, each behind its length. The
runtime is imported once; for each case the process forks.
"""

from __future__ import annotations

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

from wherry.errors import OtherRuntimeError, UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.conform.answers import given, part_of
from wherry.runtimes.conform.pipe import Reply, receive, send
from wherry.runtimes.installed import Installed
from wherry.runtimes.known import known
from wherry.runtimes.runtime import Runtime
from wherry.runtimes.spelled import Speller

SECONDS = 60
"""So long may a case take, compilers included."""

MOST_BYTES = 4 << 30
"""So much may a case allocate."""


def answer(runtime: Installed, case: Case) -> Reply:
    """Return what a runtime makes of a case, in this process."""
    try:
        if isinstance(runtime, Speller):
            return "answers", runtime.answer(case)
        assert isinstance(runtime, Runtime)
        return "answers", list(runtime.session(part_of(case)).run(given(case)).values())
    except UnsupportedError as error:
        return "cannot say", str(error)
    except OtherRuntimeError as error:
        return "refuses", str(error).partition(": ")[2]  # what stands before it is the runtime, which is known


def _tried(found: type[Installed], case: Case) -> Reply:
    return answer(found(), case)


def apart(work: Callable[[], Reply]) -> Reply:
    """Return a reply that is worked out in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, write)
    os.close(write)
    data, ended = _all_of(read, time.monotonic() + SECONDS)
    os.close(read)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)  # and all that it started
    _, status = os.waitpid(child, 0)
    if not ended:
        return "hangs", f"more than {SECONDS} s"
    if data:
        reply: Reply = pickle.loads(data)
        return reply
    if os.WIFSIGNALED(status):
        return "crashes", signal.Signals(os.WTERMSIG(status)).name
    return "crashes", f"the process ends with status {os.WEXITSTATUS(status)}"


def _work(work: Callable[[], Reply], write: int) -> NoReturn:
    """Reply and leave; without the ends of Python, which a damaged heap may not survive."""
    try:
        os.setsid()  # a group that can be ended at once
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        data = pickle.dumps(work())
        with os.fdopen(write, "wb") as to:
            to.write(data)
    finally:
        os._exit(1)


def _all_of(source: int, deadline: float) -> tuple[bytes, bool]:
    """Return what comes out of a pipe, and whether it ended in time."""
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
        found.imported()
    except ImportError as error:
        send(("missing", str(error)), replies)
        return
    send(apart(lambda: ("found", found().version)), replies)
    while True:
        try:
            case = receive(cases)
        except EOFError:
            return
        send(apart(partial(_tried, found, case)), replies)


if __name__ == "__main__":
    main()
