"""Limits on the bytes that a plan allocates, and on the values that planning reads and computes."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from wherry import _core
from wherry.errors import InvalidTypeError, ResourceLimitError, invalid, short

MAX_NDIM = 64
"""The most axes of a tensor: NumPy's own limit."""

MAX_NESTED = 64
"""How deep branches, bodies and functions may be nested. ONNX files reach 33."""

LEAST_BYTES = 2**31 - 1
"""Bytes that may be allocated, however small the inputs are: the size limit of an ONNX file."""

LEAST_VALUES = 2**20
"""Values that planning may compute and read from tensors, however small the inputs are."""

FACTOR = 16
"""This times the bytes of inputs and constants may be allocated, where that is more than LEAST_BYTES."""

MACHINE_SHARE = 4
"""A function may allocate the machine's memory divided by this: its arguments come from the program, not a file."""

ALWAYS_ALLOWED = 2**24
"""Results of fewer bytes are allowed without a check under default limits. The core has the same constant."""

MAX_ENTRIES = 4096
"""The most entries of a list of sizes, strides or flags in a file; a longer list is one error, not one per entry."""

MAX_DIGITS = 400
"""The most characters of a number in a file: the greatest double has fewer; Python parses in quadratic time."""

_CGROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Limits:
    """Limits on planning and running: an argument of `load` and `run`, or in force inside `with limited(...)`.

    `bytes` is the most that a plan may allocate for results and temporaries together, and that one of its moves may
    write. The default, None, is 2 GiB less one byte, or 16 times the bytes of the inputs and constants where that is
    more; for a function at least a quarter of the machine's memory; never more than the machine has.

    `values` is the most values that planning may compute, and read one by one from tensors and attributes: sizes of a
    shape, parts of a split. The default, None, is 1,048,576; for computed values the bytes of the inputs and constants
    where that is more. Raises InvalidValueError for a limit below 0.

    >>> import numpy as np
    >>> import wherry as wh
    >>> with wh.limited(wh.Limits(bytes=1000)):
    ...     wh.onnx.tile(np.zeros(100), [100])
    Traceback (most recent call last):
    ...
    wherry.errors.ResourceLimitError: ONNX Tile-13: the results take 80000 bytes, allowed 1000; raise Limits.bytes
    """

    bytes: int | None = None
    values: int | None = None

    def __post_init__(self) -> None:
        for field in ("bytes", "values"):
            value = getattr(self, field)
            if value is None:
                continue
            try:
                number = operator.index(value)
            except Exception:  # the code of a caller's class may raise anything
                raise InvalidTypeError(f"{field} is {short(value)}, allowed an integer") from None
            if number < 0:
                raise invalid(field, number, "0 and more")
            object.__setattr__(self, field, number)


DEFAULT = Limits()
IN_FORCE: ContextVar[Limits] = ContextVar("limits", default=DEFAULT)
"""The limits in force in this thread or task; the core's gather reads it too."""

EVER_LIMITED: list[Limits] = []
"""Empty until other limits are set: reading a ContextVar would take a quarter of a small run."""


def current() -> Limits:
    """Return the limits in force in this thread or task."""
    return IN_FORCE.get()


def are_default() -> bool:
    """Whether the default limits are in force."""
    return not EVER_LIMITED or IN_FORCE.get() is DEFAULT


@contextmanager
def limited(limits: Limits | None) -> Iterator[None]:
    """Put `limits` in force inside the `with`, in this thread or task; None keeps those in force."""
    if limits is None:
        yield
        return
    if not isinstance(limits, Limits):
        raise InvalidTypeError(f"limits is a {type(limits).__name__}, allowed a wherry.Limits")
    if not EVER_LIMITED:
        EVER_LIMITED.append(limits)
        _core.watch_limits()
    token = IN_FORCE.set(limits)
    try:
        yield
    finally:
        IN_FORCE.reset(token)


def allows(needed: int, given: int) -> bool:
    """Whether a function whose inputs have `given` bytes may allocate `needed` bytes."""
    return needed <= _allowed_bytes(given, of_function=True)


def _allowed_bytes(given: int, of_function: bool) -> int:
    """Return the allowed bytes; a function is allowed more than a model from a file, see Limits."""
    chosen = current().bytes
    if chosen is not None:
        return chosen
    least = max(LEAST_BYTES, machine_memory() // MACHINE_SHARE) if of_function else LEAST_BYTES
    return min(machine_memory(), max(least, FACTOR * given))


def is_small(needed: int) -> bool:
    """Whether `needed` bytes are allowed whatever the inputs are."""
    return needed < ALWAYS_ALLOWED and are_default()


def check_bytes(needed: int, what: str, given: int = 0, *, of_function: bool = False) -> None:
    """Raise ResourceLimitError if `what` (a plural) need more bytes than allowed for inputs of `given` bytes."""
    if is_small(needed):
        return
    allowed = _allowed_bytes(given, of_function)
    if needed > allowed:
        raise ResourceLimitError(f"{what} take {needed} bytes, allowed {allowed}; raise Limits.bytes")


def check_values(count: int, what: str, given: int = 0) -> None:
    """Raise ResourceLimitError if `what` (a plural) are more values than allowed for inputs of `given` bytes."""
    chosen = current().values
    allowed = max(LEAST_VALUES, given) if chosen is None else chosen
    if count > allowed:
        raise ResourceLimitError(f"{what} are {count}, allowed {allowed}; raise Limits.values")


def check_ndim(ndim: int, what: str) -> None:
    """Raise ResourceLimitError if `what` has more axes than a NumPy array can have."""
    if ndim > MAX_NDIM:
        raise ResourceLimitError(f"{what} has {ndim} axes, allowed up to {MAX_NDIM}, as many as NumPy's arrays")


def check_nested(depth: int, what: str) -> None:
    """Raise ResourceLimitError if `what` (a singular) is nested in more than MAX_NESTED graphs."""
    if depth > MAX_NESTED:
        raise ResourceLimitError(f"{what} lies in {depth} graphs, allowed up to {MAX_NESTED}")


def memory_nbytes(array: NDArray[Any]) -> int:
    """Return the bytes of memory that an array spans; fewer than its elements have where strides are 0.

    >>> memory_nbytes(np.broadcast_to(np.int64(7), (2**40,)))
    8
    """
    low, high = byte_bounds(array)
    return int(high - low)


def new_array(sizes: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an uninitialised array. Raises ResourceLimitError if the machine lacks the memory."""
    try:
        return np.empty(sizes, dtype)
    except (MemoryError, ValueError) as error:
        needed = math.prod(sizes) * dtype.itemsize
        raise ResourceLimitError(f"an array of {needed} bytes is more than the machine has left: {error}") from None


@cache
def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of its control group."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        found = [2**63 - 1]  # the system does not report its memory
    for name in _CGROUP_FILES:
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdecimal():
            found.append(int(text))
    return min(found)
