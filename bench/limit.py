"""The limit of a row: the fastest copy of as many bytes, by as many threads, that this machine makes in the same run.

memcpy is not the fastest copy on every machine: loops of vectors, of streaming stores and `rep movsb` are tried too.
What a row reads beyond what it writes is read by the copy as well. What is not in order has a second limit: bare loops
that read and write the same places in the same order, as far ahead as is best, and check nothing.
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
from typing import Any

import numpy as np

from .case import LINE, Array, Call, Parts, empty

Loop = Callable[[int, int, int], object]
"""Copies so many bytes to an address from another."""

PREFIX = "copy"
"""The names of the copies begin with it, but for memcpy's."""

ORDERED = "ordered"
"""The names of the loops that move in a row's order begin with it."""

AHEAD_BYTES = (1024, 4096, 16384)
"""What these loops have on its way; a part counts as a line at least."""


@cache
def _library() -> ctypes.CDLL | None:
    """Return limit.c, compiled for this machine; None without a C compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "limit.so"
        source = Path(__file__).with_name("limit.c")
        options = ("-O3", "-march=native", "-fopenmp", "-shared", "-fPIC")
        subprocess.run([compiler, *options, source, "-o", library], check=True)
        return ctypes.CDLL(str(library))


@cache
def loops() -> dict[str, Loop]:
    """Return the loops of limit.c that copy and read in one piece, by name; none without a C compiler."""
    names = {"vectors": "copy_vectors", "streaming": "copy_streaming", "rep movsb": "copy_string", "read": "read_only"}
    found = {name: _function(function, *_COPY_TYPES) for name, function in names.items()}
    return {name: loop for name, loop in found.items() if loop is not None}


_COPY_TYPES = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_ORDERED_TYPES = (*(ctypes.c_void_p,) * 5, ctypes.c_int, *(ctypes.c_size_t,) * 2, ctypes.c_int)


def _function(name: str, *types: Any) -> Callable[..., object] | None:
    library = _library()
    if library is None or not hasattr(library, name):
        return None
    function = getattr(library, name)
    function.argtypes, function.restype = types, None
    found: Callable[..., object] = function
    return found


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
    return _Copy(_Memory(size, size, is_new=is_new), ctypes.memmove, loops().get("read"), threads)


class _Memory:
    """Where copies read and write: one source and one target for all of them, whose pages are there."""

    def __init__(self, written: int, read: int, *, is_new: bool = False) -> None:
        self.written, self.read, self.is_new = written, read, is_new
        self.source = _touched(read)
        self.kept = _touched(0 if is_new else written)

    def target(self) -> Array:
        """The memory that is written to."""
        return np.empty(self.written, np.uint8) if self.is_new else self.kept


def _touched(size: int) -> Array:
    made = empty([size], np.uint8)
    made[:] = 1
    return made


class _Pool:
    """Threads, one part of the work for each, as long as they are asked for anything."""

    def __init__(self, part: Callable[[Array, int], None], threads: int) -> None:
        self.part = part
        self.done: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.queues: list[queue.SimpleQueue[Array]] = [queue.SimpleQueue() for _ in range(threads - 1)]
        for number, own in enumerate(self.queues, 1):
            threading.Thread(target=self._work, args=(own, number), daemon=True).start()

    def _work(self, own: queue.SimpleQueue[Array], number: int) -> None:
        while True:
            self.part(own.get(), number)
            self.done.put(None)

    def run(self, target: Array) -> None:
        """Have all parts written to the target."""
        for own in self.queues:
            own.put(target)
        self.part(target, 0)
        for _ in self.queues:
            self.done.get()


class _Copy:
    """Memory copied by a loop, and what is read beyond it read: by OpenMP's threads, without a compiler by Python's."""

    def __init__(self, memory: _Memory, loop: Loop, read: Loop | None, threads: int) -> None:
        self.memory, self.loop, self.read = memory, loop, read
        self.written = list(pairwise(_cuts(memory.written, threads)))
        self.extra = [(memory.written + a, memory.written + b)
                      for a, b in pairwise(_cuts(memory.read - memory.written, threads))]  # fmt: skip
        library = _library()
        self.run = _Pool(self._part, threads).run if library is None or read is None else self._by(library, read)

    def _by(self, library: ctypes.CDLL, read: Loop) -> Callable[[Array], None]:
        numbers = [place for each in zip(self.written, self.extra, strict=True) for part in each for place in part]
        parts = (ctypes.c_size_t * len(numbers))(*numbers)
        source = ctypes.c_void_p(self.memory.source.ctypes.data)

        def run(target: Array) -> None:
            to = ctypes.c_void_p(target.ctypes.data)
            library.copy_parts(to, source, parts, len(self.written), self.loop, read)

        return run

    def _part(self, target: Array, number: int) -> None:
        source = self.memory.source.ctypes.data
        begin, end = self.written[number]
        self.loop(target.ctypes.data + begin, source + begin, end - begin)
        begin, end = self.extra[number]
        if self.read is not None and end > begin:
            self.read(0, source + begin, end - begin)

    def __call__(self) -> None:
        self.run(self.memory.target())


def ordered(parts: Parts, threads: int) -> Iterator[tuple[str, Call]]:
    """Yield bare loops that move the same parts in the same order, by name: by how far ahead, by how they write."""
    function = _function("copy_ordered", *_ORDERED_TYPES)
    if function is None:
        return
    target = _touched(parts.extent)
    are_lines = parts.size % LINE == 0 and (parts.targets is None or not (parts.targets % LINE).any())
    for ahead in AHEAD_BYTES:
        count = max(1, ahead // max(parts.size, LINE))
        for streams in (0, 1) if are_lines else (0,):
            loop = _Ordered(function, parts, target, threads, count, streams)
            yield f"{ORDERED} {count}{' streaming' if streams else ''}", loop


class _Ordered:
    """Parts copied by a loop of limit.c, which is told their places."""

    def __init__(self, loop: Callable[..., object], parts: Parts, target: Array, threads: int, *how: int) -> None:
        self.loop, self.parts, self.target = loop, parts, target
        self.cuts = np.array(_cuts(len(parts.places), threads), np.uintp)
        arrays = (target, parts.source, parts.places, parts.targets, self.cuts)
        where = (None if each is None else each.ctypes.data for each in arrays)
        self.arguments = (*where, threads, parts.size, *how)

    def __call__(self) -> None:
        self.loop(*self.arguments)


def _cuts(size: int, threads: int) -> list[int]:
    return [size * number // threads // LINE * LINE for number in range(threads)] + [size]
