"""Shortcut: one operator on small arrays, without a plan; what all of them have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from wherry import _core
from wherry.engine.call import Calls, apply
from wherry.engine.recent import Recent
from wherry.moves.move import Array
from wherry.ops.diagonals import clamped
from wherry.ops.fill import one_of
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

MOST_BYTES = 2**22
"""Of what one run may make: where more bytes move, a plan, which moves each but once, is worth its making.

The core's shortcuts have the same limit (`core/bind/direct.hpp`).
"""

_MOST_KEPT = 256
_CALLS_KEPT = 16

Call = Callable[..., Any]


class Shortcut(NamedTuple):
    """A call on the arrays of a node's inputs; whether it makes new arrays, or views of what it gets and keeps."""

    call: Call
    makes: bool


def keep(kept: dict[Any, Any], key: object, value: object) -> None:
    """Keep a value by its key, among a bounded number of others."""
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value


def applied(operator: Operator, count: int = 1, subject: str = "") -> Call:
    """Return the operator's own way: the one of `count` outputs by itself; None where they are large.

    `subject` is who calls, to those who are warned.
    """
    calls: Calls = Recent(_CALLS_KEPT)
    fits: dict[object, bool] = {}

    def call(*arrays: Array) -> Any:
        sizes = tuple([array.shape for array in arrays])
        if sizes not in fits:
            types = operator.infer([TensorType.of(array) for array in arrays])
            keep(fits, sizes, sum(one.nbytes for one in types) <= MOST_BYTES)
        if not fits[sizes]:
            return None
        made = apply(operator, arrays, subject, calls=calls)
        return made[0] if len(made) == count == 1 else made

    return call


def reshaped(data: Array, sizes: Sequence[int]) -> Array | None:
    """Return data with other sizes; None where much would be copied."""
    if data.nbytes > MOST_BYTES and not data.flags.c_contiguous:
        return None
    return data.reshape(sizes)


def cuts(axis: int, sizes: Sequence[int]) -> list[tuple[slice, ...]]:
    """Return what cuts an axis into parts of these sizes."""
    return [(slice(None),) * axis + (slice(a, b),) for a, b in pairwise([0, *accumulate(sizes)])]


def positions(start: int, count: int, step: int) -> slice:
    """Return the slice of `count` positions from `start` on, all of which are there."""
    if count == 0:
        return slice(0, 0)
    end = start + (count - 1) * step + (1 if step > 0 else -1)
    return slice(start, None if end < 0 else end, step)


def bytes_of(sizes: Sequence[int], width: int) -> int:
    """Return the bytes of an array; refuse negative sizes, and those of which one makes the others' product vain."""
    count = width
    for size in sizes:
        if not 0 <= size <= MOST_BYTES:
            raise ValueError
        count *= size
    return count


def tiled(data: Array, repeats: Sequence[int]) -> Array | None:
    """Return data as often on each axis as that says; None where there are too many axes, or much to copy."""
    if len(repeats) != data.ndim or data.ndim > 16 or bytes_of(repeats, data.nbytes) > MOST_BYTES:
        return None
    out = np.empty([size for pair in zip(repeats, data.shape, strict=True) for size in pair], data.dtype)
    out[...] = data.reshape([size for own in data.shape for size in (1, own)])
    return out.reshape([size * count for size, count in zip(data.shape, repeats, strict=True)])


def eye(sizes: Sequence[int], dtype: np.dtype[Any], k: int) -> Array | None:
    """Return matrices of zeros with ones on a diagonal; None where they are large."""
    if bytes_of(sizes, dtype.itemsize) > MOST_BYTES:
        return None
    out = np.zeros(sizes, dtype)
    if out.size:
        _core.fill_diagonals(out, None, one_of(dtype), *clamped(k, k + 1, *sizes[-2:]), False)
    return out
