"""Index tensors as arguments of the core, with the strides of the axes that they index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wherry import _core, dtypes
from wherry.moves.move import Array, Memory, array_over
from wherry.moves.rules import NEGATIVE_NUMBER, OUT_OF_RANGE_NUMBER, Negative, OutOfRange
from wherry.tensors import View


def core_reads(dtype: np.dtype[Any]) -> bool:
    """Whether the core reads indices of this type: integers of a byte and more, in the machine's byte order."""
    return dtype.kind in "iu" and dtype.isnative


def indices_at(view: View, memory: Memory) -> Array:
    """Return indices in the machine's byte order, those of 2 and 4 bits as bytes: what the core reads."""
    vector = memory[view.buffer]
    row = dtypes.of(vector.dtype)
    dtype = np.dtype(np.int8) if row is not None and row.bits < 8 else vector.dtype.newbyteorder("=")
    return array_over(vector.astype(dtype, copy=False), view.layout)


def places_of(view: View, indices: Array, out_of_range: int, negative: Negative) -> Array:
    """Return for each c the place in its buffer of the element `view[c ++ indices[c]]`, or -1 where there is none.

    `out_of_range` is the core's number of a rule; `raise`, which a CheckMove has seen to, leads to -1.
    """
    layout = view.layout
    marks = array_over(np.arange(1, layout.extent + 1), layout)
    if indices.shape[-1] == 0:
        return marks - 1
    places = np.empty(indices.shape[:-1], np.int64)
    rule = (
        OUT_OF_RANGE_NUMBER[OutOfRange.ZERO] if out_of_range == OUT_OF_RANGE_NUMBER[OutOfRange.RAISE] else out_of_range
    )
    _core.gather_into(marks, indices, places, rule, NEGATIVE_NUMBER[negative])
    return places - 1


def element_name(name: str, shape: Sequence[int], position: int) -> str:
    """Return how a message calls one element of a tensor, given its place in row-major order."""
    return f"{name}[{', '.join(str(int(at)) for at in np.unravel_index(position, shape))}]" if shape else name


def advanced(indices: Array, axis: int | None, sizes: Sequence[int]) -> Array:
    """Return indices with the coordinate on `axis` added, modulo the last of `sizes` so that nothing overflows."""
    if axis is None or indices.size == 0:
        return indices
    size = sizes[-1]
    once = tuple(
        slice(0, 1) if stride == 0 and number != axis else slice(None) for number, stride in enumerate(indices.strides)
    )
    steps = np.arange(indices.shape[axis]).reshape((-1,) + (1,) * (indices.ndim - axis - 1))
    return np.broadcast_to((indices[once].astype(np.int64) % size + steps) % size, indices.shape)
