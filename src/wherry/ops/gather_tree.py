"""GatherTree: the beams of a search, traced back from their last step to the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, invalid
from wherry.moves import Move, TraceMove
from wherry.ops.operator import Operator, known, same_size
from wherry.ops.values import bits_of
from wherry.tensors import Size, TensorType, View

Array = NDArray[Any]


@dataclass(frozen=True)
class GatherTree(Operator):
    """`out[t, b, w] = step_ids[t, b, beam(t)]`, where beam(L-1) = w and beam(t-1) = parent_idx[t, b, beam(t)].

    L is max_seq_len[b], at most the number of steps; steps from L on are end_token, and so is every step after the
    first end_token. Inputs, of one type: step_ids and parent_idx [steps, batch, beams], max_seq_len [batch],
    end_token (a scalar). A parent that the walk meets outside 0..beams-1 raises IndexOutOfRangeError.
    """

    input_names: ClassVar[tuple[str, ...]] = ("step_ids", "parent_idx", "max_seq_len", "end_token")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        steps = inputs[0]
        if steps.row is None or steps.row.kind not in ("int", "uint", "float"):
            raise InvalidTypeError(f"step_ids has dtype {steps.dtype}, allowed integers and floats")
        for (name, ndim), given in zip(_RANKS.items(), inputs, strict=True):
            if given.dtype != steps.dtype:
                raise InvalidTypeError(f"{name} has dtype {given.dtype}, allowed {steps.dtype}, that of step_ids")
            if given.sizes is not None and len(given.sizes) != ndim:
                raise InvalidValueError(f"{name} has {len(given.sizes)} axes, allowed {ndim}")
        result: list[Size] = [None, None, None]
        parts = [(inputs[0].sizes, (0, 1, 2)), (inputs[1].sizes, (0, 1, 2)), (inputs[2].sizes, (1,))]
        for name, (sizes, axes) in zip(_RANKS, parts, strict=False):
            for size, axis in zip(sizes or (), axes, strict=False):
                if not same_size(result[axis], size):
                    raise invalid(f"size of {name}", size, str(result[axis]), f"the {_AXES[axis]} of step_ids")
                result[axis] = known(result[axis], size)
        return (steps.with_sizes(result),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one walk."""

        def walk(*arrays: Array) -> Array:
            with errors.subject(subject):
                return _walk(*arrays)

        yield TraceMove("gather_tree", walk, tuple(inputs), outputs[0])


_RANKS = {"step_ids": 3, "parent_idx": 3, "max_seq_len": 1, "end_token": 0}
_AXES = ("number of steps", "batch", "beams")


def _walk(steps: Array, parents: Array, lengths: Array, end: Array) -> Array:
    result = np.empty(steps.shape, steps.dtype)
    bits, step_bits, end_bits = bits_of(result), bits_of(steps), bits_of(end)
    bits[...] = end_bits
    count, batch, beams = steps.shape
    ends = _lengths(lengths, count)
    at = np.broadcast_to(np.arange(beams), (batch, beams))
    rows = np.arange(batch)[:, None]
    for t in reversed(range(count)):
        starts, walks = ends == t + 1, (ends > t + 1)[:, None]
        if walks.any():
            at = _parents(parents[t + 1], at, walks)
        active = np.broadcast_to(walks | starts[:, None], at.shape)
        bits[t][active] = step_bits[t][rows, at][active]
    over = np.logical_or.accumulate(result == end, axis=0)[:-1]
    bits[1:][over] = end_bits
    return result


def _lengths(lengths: Array, count: int) -> NDArray[np.int64]:
    values = lengths.astype(np.float64) if lengths.dtype.kind not in "iu" else lengths
    if np.isnan(values).any():
        raise invalid("max_seq_len", "NaN", f"numbers; more than {count} count as {count}")
    return np.asarray(np.clip(values, 0, count), np.int64)


def _parents(parents: Array, at: NDArray[np.int64], walks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the beam that each walk comes from; walks that have not begun stay where they are."""
    met = np.take_along_axis(parents, at, axis=1)
    values = met.astype(np.float64) if met.dtype.kind not in "iu" else met
    beams = parents.shape[1]
    bad = walks & ~((values > -1) & (values < beams))
    if bad.any():
        b, w = np.argwhere(bad)[0]
        raise IndexOutOfRangeError(f"parent_idx is {met[b, w]} on the walk of batch {b}, beam {w}, allowed "
                                   f"0..{beams - 1}; correct the parent, or shorten max_seq_len[{b}]")  # fmt: skip
    return np.where(walks, np.where(walks, values, 0).astype(np.int64), at)
