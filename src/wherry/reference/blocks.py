"""DepthToSpace, SpaceToDepth, ShuffleChannels, BatchToSpace, SpaceToBatch by their formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.ops import BatchToSpace, ChannelOrder, DepthToSpace, ShuffleChannels, SpaceToBatch, SpaceToDepth
from wherry.reference import zero

Array = NDArray[Any]


def depth(operator: DepthToSpace | SpaceToDepth, inside: Sequence[int], channel: int, channels: int) -> int:
    """Return the depth channel for a place inside the block and a channel in space."""
    places, number = operator.block_size ** len(inside), 0
    for coord in inside:
        number = number * operator.block_size + coord
    return number * channels + channel if operator.order is ChannelOrder.BLOCKS_FIRST else channel * places + number


def formula_of_depth_to_space(operator: DepthToSpace, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, c, d * B + b ..] = data[n, depth(b.., c), d ..]`."""
    (data,), (out,) = inputs, outputs
    block = operator.block_size
    for c in np.ndindex(out.shape):
        inside = [coord % block for coord in c[2:]]
        out[c] = data[(c[0], depth(operator, inside, c[1], out.shape[1]), *(coord // block for coord in c[2:]))]


def formula_of_space_to_depth(operator: SpaceToDepth, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, depth(b.., c), d ..] = data[n, c, d * B + b ..]`."""
    (data,), (out,) = inputs, outputs
    block = operator.block_size
    for c in np.ndindex(data.shape):
        inside = [coord % block for coord in c[2:]]
        out[(c[0], depth(operator, inside, c[1], data.shape[1]), *(coord // block for coord in c[2:]))] = data[c]


def formula_of_shuffle(operator: ShuffleChannels, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[j * group + g] = data[g * (size / group) + j]`."""
    (data,), (out,) = inputs, outputs
    axis = operator.axis % data.ndim
    for c in np.ndindex(out.shape):
        j, g = divmod(c[axis], operator.group)
        out[c] = data[(*c[:axis], g * (data.shape[axis] // operator.group) + j, *c[axis + 1 :])]


def formula_of_batch_to_space(operator: BatchToSpace, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[n, p ..] = data[block * N + n, (p + begin) // B ..]`, block the number of `(p + begin) mod B ..`."""
    (data,), (out,) = inputs, outputs
    for c in np.ndindex(out.shape):
        number = 0
        place: list[int] = []
        for coord, block, begin in zip(c[1:], operator.block_shape[1:], operator.begins[1:], strict=True):
            number = number * block + (coord + begin) % block
            place.append((coord + begin) // block)
        out[c] = data[(number * out.shape[0] + c[0], *place)]


def formula_of_space_to_batch(operator: SpaceToBatch, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """`out[block * N + n, d ..] = data[n, d * B + b - begin ..]`, zero outside."""
    (data,), (out,) = inputs, outputs
    for c in np.ndindex(out.shape):
        number, batch = divmod(c[0], data.shape[0])
        place: list[int] = []
        for axis in reversed(range(1, data.ndim)):
            number, inside = divmod(number, operator.block_shape[axis])
            place.insert(0, c[axis] * operator.block_shape[axis] + inside - operator.begins[axis])
        is_inside = all(0 <= coord < size for coord, size in zip(place, data.shape[1:], strict=True))
        out[c] = data[(batch, *place)] if is_inside else zero.of(data)
