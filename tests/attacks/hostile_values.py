"""Values that no argument of a function expects, each made anew for every call, but for deep lists."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np


class Evil:
    """An object that raises at whatever is asked of it."""

    def _raise(self, *_: object) -> Any:
        raise RuntimeError("asked")

    __index__ = __int__ = __float__ = __bool__ = __len__ = __iter__ = __getitem__ = __repr__ = __str__ = _raise
    __eq__ = __hash__ = __array__ = __contains__ = __call__ = __fspath__ = _raise


class Lying:
    """An object that answers with what is no answer."""

    def __index__(self) -> Any:
        return "1"  # noqa: PLE0305

    def __len__(self) -> int:
        return 2**62

    def __getitem__(self, at: object) -> Any:
        return self

    def __array__(self, *_: object, **__: object) -> Any:
        return [1]

    def __fspath__(self) -> Any:
        return 1


def far_apart(*sizes: int) -> np.ndarray:
    """Return an array with strides close to 2**63."""
    return np.lib.stride_tricks.as_strided(np.zeros(1), sizes, (2**63 - 8,) * len(sizes))


def evil_objects() -> np.ndarray:
    array = np.empty(2, object)
    array[0] = Evil()
    return array


@cache  # it takes longer to make than what is called with it
def deep(levels: int) -> list[Any]:
    entries: list[Any] = []
    for _ in range(levels):
        entries = [entries]
    return entries


def of_itself() -> list[Any]:
    entries: list[Any] = []
    entries.append(entries)
    return entries


HOSTILE: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "1.5": lambda: 1.5,
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "1j": lambda: 1j,
    "-1": lambda: -1,
    "0": lambda: 0,
    "65": lambda: 65,
    "2**31": lambda: 2**31,
    "-2**63": lambda: -(2**63),
    "2**63 - 1": lambda: 2**63 - 1,
    "2**63": lambda: 2**63,
    "2**64": lambda: 2**64,
    "10**5000": lambda: 10**5000,
    "empty text": lambda: "",
    "a word": lambda: "axis",
    "long text": lambda: "x" * 100_000,
    "a zero in text": lambda: "a\0b",
    "a lone surrogate": lambda: "\ud800",
    "bytes": lambda: b"ab",
    "a class": lambda: int,
    "an object": object,
    "evil": Evil,
    "lying": Lying,
    "[]": lambda: [],
    "[[]]": lambda: [[]],
    "ragged": lambda: [1, [2]],
    "[None]": lambda: [None],
    "[1.5]": lambda: [1.5],
    "[NaN]": lambda: [float("nan")],
    "['a']": lambda: ["a"],
    "[-1]": lambda: [-1],
    "[-2**63]": lambda: [-(2**63)],
    "[2**63 - 1] * 3": lambda: [2**63 - 1] * 3,
    "[2**64]": lambda: [2**64],
    "[10**5000]": lambda: [10**5000],
    "[evil]": lambda: [Evil()],
    "65 ones": lambda: [1] * 65,
    "many zeros": lambda: [0] * 20_000,
    "deep": lambda: deep(5000),
    "a list of itself": of_itself,
    "endless": lambda: itertools.repeat(1),
    "a wide range": lambda: range(10**12),
    "a set": lambda: {1, 2},
    "{}": lambda: {},
    "{1: 2}": lambda: {1: 2},
    "an evil value": lambda: {"data": Evil()},
    "no element": lambda: np.zeros(0),
    "an empty plane": lambda: np.zeros((2, 0), np.int64),
    "a plane of integers": lambda: np.zeros((2, 2), np.int64),
    "a scalar": lambda: np.array(1),
    "NaN of 0 axes": lambda: np.array(np.nan),
    "uint64 of 2**64 - 1": lambda: np.array([2**64 - 1], np.uint64),
    "complex": lambda: np.ones(2, complex),
    "dates": lambda: np.zeros(2, "M8[s]"),
    "not a date": lambda: np.array(["NaT"], "M8[s]"),
    "other byte order": lambda: np.ones(2, ">i8"),
    "int4": lambda: np.ones(2, ml_dtypes.int4),
    "bfloat16": lambda: np.ones(2, ml_dtypes.bfloat16),
    "V0": lambda: np.zeros(3, "V0"),
    "S0": lambda: np.zeros(3, "S0"),
    "U0": lambda: np.zeros(3, "U0"),
    "a struct without fields": lambda: np.zeros(3, []),
    "strings of one width": lambda: np.array(["ab", "c"]),
    "strings of any width": lambda: np.array(["ab", "c"], np.dtypes.StringDType()),
    "objects": lambda: np.array([object(), None], object),
    "evil objects": evil_objects,
    "records": lambda: np.zeros(2, [("a", "i4"), ("b", "f8")]),
    "records with objects": lambda: np.zeros(2, [("a", object), ("b", "i4")]),
    "65 axes, nearly": lambda: np.zeros((1,) * 64),
    "empty and far apart": lambda: far_apart(0, 3),
    "one and far apart": lambda: far_apart(1, 1),
    "odd strides": lambda: np.lib.stride_tricks.as_strided(np.zeros(8), (3,), (5,)),
    "2**40 times one element": lambda: np.broadcast_to(np.float32(1), (2**40,)),
    "2**62 times one element": lambda: np.broadcast_to(np.int8(0), (2**62,)),
    "read-only": lambda: np.frombuffer(b"\1" * 16, np.int64),
}
"""By name: numbers, texts, lists, objects and arrays."""
