"""Limits: how many bytes a plan may allocate, and how many values planning may take out of tensors."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wherry.errors import InvalidTypeError, ResourceLimitError, invalid

MAX_NDIM = 64
"""The most axes of a tensor: NumPy's own limit."""

MODEL_BYTES = 2**31 - 1
"""What a model may allocate, however small it is: as much as one ONNX file may hold."""

MODEL_FACTOR = 16
"""How many times the bytes of its inputs and constants a model may allocate, where that is more than MODEL_BYTES."""

_CGROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Limits:
    """What running and planning may take; pass one to `load`, `run`, or make it hold for a while by `limited`.

    `bytes` is the most that a plan may allocate for results and temporaries together, and that one of its moves may
    write. None is the default. For a model that is 2 GiB less one byte, or 16 times the bytes of its inputs and
    constants where that is more, and never more than the machine has. For a function it is what the machine has.

    `values` is the most numbers that planning may take out of tensors and attributes one by one: sizes of a shape,
    parts of a split. Raises InvalidValueError for a limit below 0.

    >>> import numpy as np
    >>> import wherry as wh
    >>> with wh.limited(wh.Limits(bytes=1000)):
    ...     wh.onnx.tile(np.zeros(100), [100])
    Traceback (most recent call last):
    ...
    wherry.errors.ResourceLimitError: ONNX Tile-13: the results take 80000 bytes, allowed 1000; raise Limits.bytes
    """

    bytes: int | None = None
    values: int = 2**20

    def __post_init__(self) -> None:
        for field in ("bytes", "values"):
            value = getattr(self, field)
            if value is None and field == "bytes":
                continue
            try:
                number = operator.index(value)
            except TypeError:
                raise InvalidTypeError(f"{field} is {value!r}, allowed an integer") from None
            if number < 0:
                raise invalid(field, number, "0 and more")
            object.__setattr__(self, field, number)


_DEFAULT = Limits()
_current: ContextVar[Limits] = ContextVar("limits", default=_DEFAULT)


def current() -> Limits:
    """Return the limits in force here."""
    return _current.get()


@contextmanager
def limited(limits: Limits | None) -> Iterator[None]:
    """Let `limits` hold for everything inside, in this thread; None leaves them as they are."""
    if limits is None:
        yield
        return
    if not isinstance(limits, Limits):
        raise InvalidTypeError(f"limits is a {type(limits).__name__}, allowed a wherry.Limits")
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


def check_bytes(needed: int, what: str, given: int | None = None) -> None:
    """Raise ResourceLimitError if `what` (a plural) takes more than the bytes in force.

    `given` are the bytes of a model's inputs and constants, None outside of models.
    """
    allowed = current().bytes
    if allowed is None:
        if needed < _ALWAYS_ALLOWED:
            return
        allowed = machine_memory() if given is None else min(machine_memory(), max(MODEL_BYTES, MODEL_FACTOR * given))
    if needed > allowed:
        raise ResourceLimitError(f"{what} take {needed} bytes, allowed {allowed}; raise Limits.bytes")


_ALWAYS_ALLOWED = 2**24  # bytes that no machine lacks: nothing is looked up for small tensors


def check_values(count: int, what: str) -> None:
    """Raise ResourceLimitError if `what` (a plural) are more than the values in force."""
    allowed = current().values
    if count > allowed:
        raise ResourceLimitError(f"{what} are {count}, allowed {allowed}; raise Limits.values")


def check_ndim(ndim: int, what: str) -> None:
    """Raise ResourceLimitError if `what` has more axes than a NumPy array can have."""
    if ndim > MAX_NDIM:
        raise ResourceLimitError(f"{what} has {ndim} axes, allowed up to {MAX_NDIM}, as many as NumPy's arrays")


@cache
def machine_memory() -> int:
    """Return the bytes of memory that this machine has, or that its control group may use."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        found = [2**63 - 1]  # a system that does not tell
    for name in _CGROUP_FILES:
        try:
            text = Path(name).read_text().strip()
        except OSError:
            continue
        if text.isdecimal():
            found.append(int(text))
    return min(found)
