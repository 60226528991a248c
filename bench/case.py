"""What a row measures: a case with its contenders; and the registry of all rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]
Call = Callable[[], Any]


@dataclass
class Contender:
    """A call without arguments, and the arrays that it made, given what it returned."""

    call: Call
    results: Callable[[Any], Sequence[Array]]


Maker = Callable[[list[Array], int], Contender]
"""Makes a contender that writes to the given outputs (or to memory of its own) with so many threads."""


def into(make: Callable[..., Call]) -> Maker:
    """A contender that writes to the given outputs, which `make` gets one by one."""
    return lambda outputs, threads: Contender(make(*outputs), lambda _: outputs)


def anew(call: Call) -> Maker:
    """A contender that returns new arrays each time: one, or a list of them."""
    return lambda outputs, threads: Contender(call, lambda made: made if isinstance(made, (list, tuple)) else [made])


LINE = 64
"""Bytes of a line of the caches."""


@dataclass(frozen=True)
class Parts:
    """What a row's one result is made of: parts of `size` bytes, so many bytes from the first element of `source`.

    Each goes to `targets`, in bytes from the result's first element, or behind the last one.
    """

    source: Array
    places: NDArray[np.int64]
    size: int
    targets: NDArray[np.int64] | None = None

    @property
    def extent(self) -> int:
        """The bytes from the first part of the result to the end of its last."""
        return self.size * len(self.places) if self.targets is None else int(self.targets.max()) + self.size


@dataclass
class Case:
    """The results to be had, and who makes them how.

    A contender's name begins with the name of its library; several of one library may run, and its best one counts.
    `outputs` are arrays to be written, where these are not to be packed: the measurement makes others like them.
    """

    expected: list[Array]
    contenders: dict[str, Maker]
    calls: int = 1
    """So many calls are timed as one."""
    outputs: Callable[[], list[Array]] | None = None
    reads: int = 0
    """Bytes that must be read, where these are more than the results have."""
    parts: Parts | None = None
    """Of what is not moved in order: the same reads and writes as a bare loop makes them are a second limit."""
    is_new: bool = False
    """wherry's results are new arrays, because data decides their sizes; memcpy then writes to a new one too."""

    def new_outputs(self) -> list[Array]:
        """Outputs whose pages are there: making them is not what is measured."""
        made = [empty(each.shape, each.dtype) for each in self.expected] if self.outputs is None else self.outputs()
        for array in made:
            array[...] = np.frombuffer(b"\x55" * array.dtype.itemsize, array.dtype)[0]
        return made

    @property
    def bytes_written(self) -> int:
        return sum(array.nbytes for array in self.expected)

    @property
    def bytes_read(self) -> int:
        return max(self.reads, self.bytes_written)


@dataclass(frozen=True)
class Row:
    """One line of the table. `bandwidth`: its runs are long enough that memory bandwidth is the limit."""

    key: str
    title: str
    make: Callable[[int], Case] = field(repr=False)
    bandwidth: bool


ROWS: dict[str, Row] = {}


def row(key: str, title: str, *, bandwidth: bool = False) -> Callable[[Callable[[int], Case]], Callable[[int], Case]]:
    """Register a function from k to the case with data about k times smaller than stated (1: as stated)."""

    def register(make: Callable[[int], Case]) -> Callable[[int], Case]:
        if key in ROWS:
            raise ValueError(f"row {key!r} is declared twice")
        ROWS[key] = Row(key, title, make, bandwidth)
        return make

    return register


def rows(pattern: str) -> Iterator[Row]:
    """The rows whose key contains the pattern."""
    return (each for key, each in ROWS.items() if pattern in key)


def empty(shape: Sequence[int], dtype: DTypeLike) -> Array:
    """A new array that begins with a line of the cache, as all memory of torch and onnxruntime does, and wherry's own.

    NumPy's large arrays begin elsewhere in one: each of their vectors lies in two lines, and no row is whole ones.
    """
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        return np.empty(shape, dtype)
    room = np.empty(math.prod(shape) * dtype.itemsize + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return np.ndarray(shape, dtype, room, begin)


def values(*shape: int, dtype: str = "float32") -> Array:
    """Random elements of any type: their bits are what moves."""
    rng, made = np.random.default_rng(0), empty(shape, dtype)
    if dtype == "float32":
        rng.random(out=made, dtype=np.float32)
    else:
        made.reshape(-1).view(np.uint8)[:] = np.frombuffer(rng.bytes(made.nbytes), np.uint8)
    return made


def parts(data: Array, index: Any, targets: NDArray[np.int64] | None = None) -> Parts:
    """The parts that `data[index]` is made of, where index has arrays for the first axes and the others are packed.

    Each goes to its target, in bytes, or behind the last one.
    """
    first = np.zeros(data.shape[: len(index)], np.int64)
    for axis, (size, stride) in enumerate(zip(first.shape, data.strides, strict=False)):
        first += np.arange(size).reshape(-1, *[1] * (first.ndim - axis - 1)) * stride
    return Parts(data, first[index].reshape(-1), math.prod(data.shape[len(index) :]) * data.itemsize, targets)


def picks(size: int, *shape: int, dtype: str = "int64") -> Array:
    """Random indices on an axis of `size`."""
    return np.random.default_rng(1).integers(0, size, shape).astype(dtype)
