"""Moves of random shapes, elements and axes, as `bench.shapes` measures them: each beside NumPy and torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import wherry as wh

from .case import Array, Call, empty
from .runtimes import missing, tensor

DTYPES = ("uint8", "int16", "float32", "float64")
LEAST, MOST = 14.0, 22.5  # powers of two: bytes of what is moved, about
NOTHING = -(2**62)  # the end of a Slice that goes backwards to the first element


@dataclass(frozen=True)
class Move:
    """A call of wherry that writes to `outputs`, what these must have then, and the same moves of others by name."""

    text: str
    own: Call
    outputs: list[Array]
    expected: list[Array]
    peers: dict[str, Call]


class Draw:
    """Draws sizes, elements and axes for one move."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.dtype = np.dtype(DTYPES[rng.integers(len(DTYPES))])
        self.count = int(2 ** rng.uniform(LEAST, MOST)) // self.dtype.itemsize

    def one_of(self, *values: int) -> int:
        return int(self.rng.choice(values))

    def below(self, end: int) -> int:
        return int(self.rng.integers(max(1, end)))

    def happens(self, chance: float) -> bool:
        return bool(self.rng.random() < chance)

    def shape(self, ndim: int, count: int | None = None) -> list[int]:
        """Sizes of about so many elements, few or many of them on any axis, every other one a power of two."""
        left = max(1, self.count if count is None else count)
        sizes = []
        for axis in range(ndim - 1):
            size = max(1, int(left ** (self.rng.random() * 1.6 / (ndim - axis))))
            if self.happens(0.5):
                size = 2 ** int(math.log2(size) + 0.5)
            sizes.append(min(size, left))
            left //= sizes[-1]
        return [int(size) for size in self.rng.permutation([*sizes, left])]

    def data(self, shape: Sequence[int]) -> Array:
        made = empty(shape, self.dtype)
        made[...] = self.rng.integers(0, 100, shape)
        return made

    def indices(self, size: int, shape: int | Sequence[int]) -> Array:
        return self.rng.integers(0, size, shape)

    def text(self, *told: object) -> str:
        return " ".join(map(str, (self.dtype.name, *told)))


def _with_torch(peers: dict[str, Call], call: Callable[..., Any], *arrays: Array) -> dict[str, Call]:
    """The peers, and torch where it is installed: `call(torch, *tensors)`, over the arrays."""
    if "torch" in missing():
        return peers
    import torch

    tensors = [tensor(array) for array in arrays]
    return {**peers, "torch": lambda: call(torch, *tensors)}


def _copied(text: str, view: Array, own: Callable[[Array], Any]) -> Move:
    """A move whose result is a view's elements: others copy the view, torch where no stride of it is negative."""
    out, theirs = empty(view.shape, view.dtype), empty(view.shape, view.dtype)
    peers: dict[str, Call] = {"numpy": lambda: np.copyto(theirs, view)}
    if min(view.strides, default=0) >= 0:
        peers = _with_torch(peers, lambda _, target, source: target.copy_(source), theirs, view)
    return Move(text, partial(own, out), [out], [view], peers)


def _made(
    text: str, own: Callable[[Array], Any], numpy: Callable[[], Array], torch: Callable[..., Any], *arrays: Array
) -> Move:
    """A move beside what NumPy makes anew, or writes to memory of its own and returns, and torch with the arrays."""
    expected = np.array(numpy())
    out = empty(expected.shape, expected.dtype)
    return Move(text, partial(own, out), [out], [expected], _with_torch({"numpy": numpy}, torch, *arrays))


def _transpose(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(2, 3, 3, 4, 5))
    order = [int(axis) for axis in draw.rng.permutation(len(shape))]
    data = draw.data(shape)
    return _copied(
        draw.text(shape, "by", order), data.transpose(order), lambda out: wh.onnx.transpose(data, order, out=out)
    )


def _concat(draw: Draw) -> Move:
    count = draw.one_of(2, 3, 4, 8)
    shape = draw.shape(draw.one_of(2, 3, 4), max(8, draw.count // count))
    axis = draw.below(len(shape))
    parts = [draw.data(shape) for _ in range(count)]
    theirs = np.concatenate(parts, axis)

    return _made(
        draw.text(count, "of", shape, "on axis", axis),
        lambda out: wh.onnx.concat(parts, axis=axis, out=out),
        lambda: np.concatenate(parts, axis, out=theirs),
        lambda torch, target, *sources: torch.cat(sources, axis, out=target),
        theirs,
        *parts,
    )


def _split(draw: Draw) -> Move:
    count = draw.one_of(2, 3, 4)
    shape = draw.shape(draw.one_of(2, 3, 4), max(1, draw.count // count))
    axis = draw.below(len(shape))
    shape[axis] *= count
    data = draw.data(shape)
    parts = np.split(data, count, axis)
    outputs, theirs = [part.copy() for part in parts], [part.copy() for part in parts]

    def by_numpy() -> None:
        for target, part in zip(theirs, parts, strict=True):
            np.copyto(target, part)

    def by_torch(_: Any, *tensors: Any) -> None:
        for target, part in zip(tensors[:count], tensors[count:], strict=True):
            target.copy_(part)

    return Move(
        draw.text(shape, "on axis", axis, "in", count),
        lambda: wh.onnx.split(data, axis=axis, num_outputs=count, out=outputs),
        outputs,
        parts,
        _with_torch({"numpy": by_numpy}, by_torch, *theirs, *parts),
    )


def _slice(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3, 4))
    starts, ends, steps, index = [], [], [], []
    for size in shape:
        step = draw.one_of(1, 1, 1, 2, 3, -1) if size > 3 else 1
        first, last = draw.below(size // 4), size - 1 - draw.below(size // 4)
        start, end = (first, last + 1) if step > 0 else (last, first - 1)
        starts.append(start)
        ends.append(end if end >= 0 else NOTHING)
        steps.append(step)
        index.append(slice(start, end if end >= 0 else None, step))
    data, axes = draw.data(shape), list(range(len(shape)))
    told = ", ".join(
        f"{start}:{end if end >= 0 else ''}:{step}" for start, end, step in zip(starts, ends, steps, strict=True)
    )
    return _copied(
        draw.text(shape, f"[{told}]"),
        data[tuple(index)],
        lambda out: wh.onnx.slice(data, starts, ends, axes, steps, out=out),
    )


def _reverse(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3))
    axis = draw.below(len(shape))
    data = draw.data(shape)
    theirs, view = np.empty_like(data), np.flip(data, axis)
    starts, ends, axes, steps = [-1], [NOTHING], [axis], [-1]

    def by_numpy() -> Array:
        np.copyto(theirs, view)
        return theirs

    return _made(
        draw.text(shape, "on axis", axis),
        lambda out: wh.onnx.slice(data, starts, ends, axes, steps, out=out),
        by_numpy,
        lambda torch, source: torch.flip(source, (axis,)),
        data,
    )


def _pad(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(2, 3, 4))
    before, after = ([draw.below(4) for _ in shape] for _ in range(2))
    data = draw.data(shape)
    theirs = empty([sum(sizes) for sizes in zip(shape, before, after, strict=True)], data.dtype)
    inner = theirs[tuple(slice(start, start + size) for start, size in zip(before, shape, strict=True))]

    def by_numpy() -> Array:
        theirs[...] = 0
        inner[...] = data
        return theirs

    widths = [width for pair in zip(before[::-1], after[::-1], strict=True) for width in pair]
    pads, zero = before + after, np.zeros((), data.dtype)
    return _made(
        draw.text(shape, "by", before, after),
        lambda out: wh.onnx.pad(data, pads, zero, out=out),
        by_numpy,
        lambda torch, source: torch.nn.functional.pad(source, widths),
        data,
    )


def _tile(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(2, 3), draw.count // 6)
    repeats = [draw.one_of(1, 2, 3, 4) for _ in shape]
    data = draw.data(shape)
    return _made(
        draw.text(shape, "by", repeats),
        lambda out: wh.onnx.tile(data, repeats, out=out),
        lambda: np.tile(data, repeats),
        lambda torch, source: source.repeat(repeats),
        data,
    )


def _expand(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(2, 3, 4))
    given = [1 if draw.happens(0.5) else size for size in shape]
    data = draw.data(given)
    return _copied(
        draw.text(given, "to", shape), np.broadcast_to(data, shape), lambda out: wh.onnx.expand(data, shape, out=out)
    )


def _gather(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3))
    axis = draw.below(len(shape))
    indices = draw.indices(shape[axis], max(1, int(shape[axis] * draw.rng.choice((0.2, 0.5, 1)))))
    data = draw.data(shape)
    theirs = data.take(indices, axis)

    return _made(
        draw.text(shape, "on axis", axis, "by", len(indices)),
        lambda out: wh.onnx.gather(data, indices, axis=axis, out=out),
        lambda: np.take(data, indices, axis, out=theirs, mode="clip"),  # the others copy twice
        lambda torch, target, source, rows: torch.index_select(source, axis, rows, out=target),
        theirs,
        data,
        indices,
    )


def _gather_elements(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3))
    axis = draw.below(len(shape))
    indices = draw.indices(shape[axis], shape)
    data = draw.data(shape)

    return _made(
        draw.text(shape, "on axis", axis),
        lambda out: wh.onnx.gather_elements(data, indices, axis=axis, out=out),
        lambda: np.take_along_axis(data, indices, axis),
        lambda torch, target, source, places: torch.gather(source, axis, places, out=target),
        np.empty_like(data),
        data,
        indices,
    )


def _gather_nd(draw: Draw) -> Move:
    shape = draw.shape(3)
    count = max(1, shape[0] * shape[1] // 2)
    rows, columns = (draw.indices(size, count) for size in shape[:2])
    data, indices = draw.data(shape), np.stack([rows, columns], 1)
    return _made(
        draw.text(shape, "by", count),
        lambda out: wh.onnx.gather_nd(data, indices, out=out),
        lambda: data[rows, columns],
        lambda _, source, *at: source[at],
        data,
        rows,
        columns,
    )


def _compress(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2))
    axis = draw.below(len(shape))
    condition = draw.rng.random(shape[axis]) < 0.5
    data = draw.data(shape)
    theirs = np.compress(condition, data, axis)
    every = (slice(None),) * axis

    return _made(
        draw.text(shape, "on axis", axis),
        lambda out: wh.onnx.compress(data, condition, axis=axis, out=out),
        lambda: np.compress(condition, data, axis, out=theirs),
        lambda _, source, chosen: source[(*every, chosen)],
        data,
        condition,
    )


def _scatter_elements(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2))
    axis = draw.below(len(shape))
    numbers = np.arange(shape[axis]).reshape([-1 if each == axis else 1 for each in range(len(shape))])
    every = draw.rng.permuted(np.broadcast_to(numbers, shape), axis=axis)
    indices = every.take(range(max(1, shape[axis] // 4)), axis)
    data, updates = draw.data(shape), draw.data(indices.shape)
    theirs = np.empty_like(data)

    def by_numpy() -> Array:
        np.copyto(theirs, data)
        np.put_along_axis(theirs, indices, updates, axis)
        return theirs

    return _made(
        draw.text(shape, "on axis", axis, "by", list(indices.shape)),
        lambda out: wh.onnx.scatter_elements(data, indices, updates, axis=axis, out=out),
        by_numpy,
        lambda _, target, source, places, values: target.copy_(source).scatter_(axis, places, values),
        theirs,
        data,
        indices,
        updates,
    )


def _scatter_nd(draw: Draw) -> Move:
    shape = draw.shape(2)
    rows = draw.rng.permutation(shape[0])[: max(1, shape[0] // 3)]
    data, updates = draw.data(shape), draw.data([len(rows), shape[1]])
    theirs, indices = np.empty_like(data), rows.reshape(-1, 1)

    def by_numpy() -> Array:
        np.copyto(theirs, data)
        theirs[rows] = updates
        return theirs

    return _made(
        draw.text(shape, "by", len(rows)),
        lambda out: wh.onnx.scatter_nd(data, indices, updates, out=out),
        by_numpy,
        lambda _, target, source, places, values: target.copy_(source).index_copy_(0, places, values),
        theirs,
        data,
        rows,
        updates,
    )


def _where(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3))
    condition = draw.rng.random(shape) < 0.5
    data = draw.data(shape)
    other = draw.data([1] * len(shape) if draw.happens(0.4) else shape)

    return _made(
        draw.text(shape, "or", list(other.shape)),
        lambda out: wh.onnx.where(condition, data, other, out=out),
        lambda: np.where(condition, data, other),
        lambda torch, target, *inputs: torch.where(*inputs, out=target),
        np.empty_like(data),
        condition,
        data,
        other,
    )


def _roll(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2, 3))
    axis = draw.below(len(shape))
    shift = draw.below(shape[axis])
    data, shifts, axes = draw.data(shape), np.array([shift]), np.array([axis])
    return _made(
        draw.text(shape, "by", shift, "on axis", axis),
        lambda out: wh.openvino.roll(data, shifts, axes, out=out),
        lambda: np.roll(data, shift, axis),
        lambda torch, source: torch.roll(source, shift, axis),
        data,
    )


def _blocks(draw: Draw) -> tuple[int, int, int]:
    """The size of a block, channels, and the height and width in blocks."""
    block, channels = draw.one_of(2, 2, 4), draw.one_of(1, 3, 4, 16, 32)
    return block, channels, max(1, math.isqrt(draw.count // (channels * block**2)))


def _depth_to_space(draw: Draw) -> Move:
    block, channels, side = _blocks(draw)
    data = draw.data([1, channels * block**2, side, side])
    view = data.reshape(1, block, block, channels, side, side).transpose(0, 3, 4, 1, 5, 2)
    return _copied(
        draw.text(list(data.shape), "by", block),
        view,
        lambda out: wh.onnx.depth_to_space(
            data, blocksize=block, out=out.reshape(1, channels, side * block, side * block)
        ),
    )


def _space_to_depth(draw: Draw) -> Move:
    block, channels, side = _blocks(draw)
    data = draw.data([1, channels, side * block, side * block])
    view = data.reshape(1, channels, side, block, side, block).transpose(0, 3, 5, 1, 2, 4)
    return _copied(
        draw.text(list(data.shape), "by", block),
        view,
        lambda out: wh.onnx.space_to_depth(data, blocksize=block, out=out.reshape(1, channels * block**2, side, side)),
    )


def _non_zero(draw: Draw) -> Move:
    shape = draw.shape(draw.one_of(1, 2))
    data = (draw.rng.random(shape) < draw.rng.choice((0.05, 0.5))).astype(draw.dtype)
    return _made(
        draw.text(shape),
        lambda out: wh.onnx.non_zero(data, out=out),
        lambda: np.array(np.nonzero(data)),
        lambda torch, source: torch.nonzero(source),
        data,
    )


def _trilu(draw: Draw) -> Move:
    data = draw.data(draw.shape(2))
    return _made(
        draw.text(list(data.shape)),
        lambda out: wh.onnx.trilu(data, out=out),
        lambda: np.triu(data),
        lambda torch, target, source: torch.triu(source, out=target),
        np.empty_like(data),
        data,
    )


MOVES: dict[str, Callable[[Draw], Move]] = {
    "Transpose": _transpose,
    "Concat": _concat,
    "Split": _split,
    "Slice": _slice,
    "Reverse": _reverse,
    "Pad": _pad,
    "Tile": _tile,
    "Expand": _expand,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Compress": _compress,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Where": _where,
    "Roll": _roll,
    "DepthToSpace": _depth_to_space,
    "SpaceToDepth": _space_to_depth,
    "NonZero": _non_zero,
    "Trilu": _trilu,
}
"""Draws a move of each operator."""
