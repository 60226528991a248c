"""The limit of a row: the fastest copy of as many bytes, by as many threads, that this machine makes in the same run.

memcpy is not the fastest copy on every machine: loops of vectors, of streaming stores and `rep movsb` are tried too.
What a row reads beyond what it writes is read by the copy as well.
"""

from __future__ import annotations

import ctypes
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from .case import Array, Call

Loop = Callable[[int, int, int], object]
"""Copies so many bytes to an address from another."""

PREFIX = "copy"
"""The names of the copies begin with it, but for memcpy's."""

LINE = 64


@cache
def loops() -> dict[str, Loop]:
    """Return the loops of limit.c by name, compiled for this machine; none without a C compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "limit.so"
        source = Path(__file__).with_name("limit.c")
        subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", source, "-o", library], check=True)
        found = ctypes.CDLL(str(library))
    names = {"vectors": "copy_vectors", "streaming": "copy_streaming", "rep movsb": "copy_string", "read": "read_only"}
    return {name: _typed(getattr(found, function)) for name, function in names.items() if hasattr(found, function)}


def _typed(function: ctypes._NamedFuncPointer) -> Loop:
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    function.restype = None
    return function


def copies(written: int, read: int, threads: int) -> Iterator[tuple[str, Call]]:
    """Yield each way to copy, by name: `written` bytes are copied, and what is read beyond them is read."""
    known = loops()
    memory = _Memory(written, max(read, written))
    more = known.get("read")
    yield "memcpy", _Copy(memory, ctypes.memmove, more, threads)
    for name, loop in known.items():
        if name != "read":
            yield f"{PREFIX} {name}", _Copy(memory, loop, more, threads)


def memcpy(size: int, threads: int, *, is_new: bool = False) -> Call:
    """Return memcpy alone: to memory that is there, or to new memory each time."""
    return _Copy(_Memory(size, size, is_new=is_new), ctypes.memmove, None, threads)


class _Memory:
    """Where copies read and write: one source and one target for all of them, whose pages are there."""

    def __init__(self, written: int, read: int, *, is_new: bool = False) -> None:
        self.written, self.read, self.is_new = written, read, is_new
        self.source = _aligned(read)
        self.kept = _aligned(0 if is_new else written)

    def target(self) -> Array:
        """The memory that is written to."""
        return np.empty(self.written, np.uint8) if self.is_new else self.kept


def _aligned(size: int) -> Array:
    whole = np.ones(size + LINE, np.uint8)
    begin = -whole.ctypes.data % LINE
    return whole[begin : begin + size]


class _Copy:
    """A pool of threads, one part for each, as long as they are asked for anything."""

    def __init__(self, memory: _Memory, loop: Loop, read: Loop | None, threads: int) -> None:
        self.memory, self.loop, self.read = memory, loop, read
        self.written = list(pairwise(_cuts(memory.written, threads)))
        self.extra = [(memory.written + a, memory.written + b)
                      for a, b in pairwise(_cuts(memory.read - memory.written, threads))]  # fmt: skip
        self.done: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.queues: list[queue.SimpleQueue[Array]] = [queue.SimpleQueue() for _ in range(threads - 1)]
        for number, own in enumerate(self.queues, 1):
            threading.Thread(target=self._work, args=(own, number), daemon=True).start()

    def _work(self, own: queue.SimpleQueue[Array], number: int) -> None:
        while True:
            self._part(own.get(), number)
            self.done.put(None)

    def _part(self, target: Array, number: int) -> None:
        source = self.memory.source.ctypes.data
        begin, end = self.written[number]
        self.loop(target.ctypes.data + begin, source + begin, end - begin)
        begin, end = self.extra[number]
        if self.read is not None and end > begin:
            self.read(0, source + begin, end - begin)

    def __call__(self) -> None:
        target = self.memory.target()
        for own in self.queues:
            own.put(target)
        self._part(target, 0)
        for _ in self.queues:
            self.done.get()


def _cuts(size: int, threads: int) -> list[int]:
    return [size * number // threads // LINE * LINE for number in range(threads)] + [size]
