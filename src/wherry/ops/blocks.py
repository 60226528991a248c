"""DepthToSpace, SpaceToDepth, ShuffleChannels: exchange parts of the channel axis and of spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from wherry.arguments import normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.ops.operator import at_least
from wherry.ops.rearrange import Rearrangement, scaled
from wherry.tensors import Size, TensorType


class ChannelOrder(StrEnum):
    """Which part of a depth channel's number is the slow one: the place in the block, or the channel in space."""

    BLOCKS_FIRST = "blocks_first"
    """`block * channels + channel`: ONNX DCR, DirectML DEPTH_COLUMN_ROW."""
    DEPTH_FIRST = "depth_first"
    """`channel * places + block`: ONNX CRD, DirectML COLUMN_ROW_DEPTH."""


@dataclass(frozen=True)
class _Blocks(Rearrangement):
    """What DepthToSpace and SpaceToDepth share: `[N, C, D1..DK]` with blocks of `block_size` on each Di.

    `ndim` is the number of axes that data must have; None is 3 and more.
    """

    block_size: Annotated[int, at_least(1)]
    order: ChannelOrder = ChannelOrder.BLOCKS_FIRST
    ndim: Annotated[int, at_least(3, "3 and more, or None")] | None = None

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes(None if self.ndim is None else [None] * self.ndim),)
        if self.ndim not in (None, len(data.sizes)):
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed {self.ndim}: batch, channels, space")
        if len(data.sizes) < 3:
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed 3 and more: batch, channels, space")
        return (data.with_sizes(self._result(data.sizes)),)

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        raise NotImplementedError


@dataclass(frozen=True)
class DepthToSpace(_Blocks):
    """`out[n, c, d * B + b ..] = data[n, depth(b.., c), d ..]`: `[N, C, D1..DK]` to `[N, C / B^K, D1 * B .. DK * B]`.

    Raises InvalidValueError unless B^K divides C and data has 3 axes or more.
    """

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        places = self.block_size ** (len(sizes) - 2)
        return [sizes[0], divided(sizes[1], places, 1), *(scaled(size, self.block_size) for size in sizes[2:])]

    def cuts(self, sizes: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Return the pieces and their order; see Rearrangement."""
        space, block = len(sizes) - 2, self.block_size
        blocks, depth = [block] * space, sizes[1] // block**space
        blocks_first = self.order is ChannelOrder.BLOCKS_FIRST
        channels = [*blocks, depth] if blocks_first else [depth, *blocks]
        channel, first = (1 + space, 1) if blocks_first else (1, 2)
        order = [0, channel]
        for number in range(space):
            order += [2 + space + number, first + number]
        return [sizes[0], *channels, *sizes[2:]], order


@dataclass(frozen=True)
class SpaceToDepth(_Blocks):
    """`out[n, depth(b.., c), d ..] = data[n, c, d * B + b ..]`: the inverse of DepthToSpace in the same order.

    Raises InvalidValueError unless B divides every size of space and data has 3 axes or more.
    """

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        places = self.block_size ** (len(sizes) - 2)
        space = [divided(size, self.block_size, axis + 2) for axis, size in enumerate(sizes[2:])]
        return [sizes[0], scaled(sizes[1], places), *space]

    def cuts(self, sizes: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Return the pieces and their order; see Rearrangement."""
        pieces = [sizes[0], sizes[1]]
        for size in sizes[2:]:
            pieces += [size // self.block_size, self.block_size]
        space, blocks = list(range(2, len(pieces), 2)), list(range(3, len(pieces), 2))
        channels = [*blocks, 1] if self.order is ChannelOrder.BLOCKS_FIRST else [1, *blocks]
        return pieces, [0, *channels, *space]


@dataclass(frozen=True)
class ShuffleChannels(Rearrangement):
    """OpenVINO ShuffleChannels-1: `out[j * group + g] = data[g * (size / group) + j]` along one axis.

    Raises InvalidValueError unless `group` divides the axis.
    """

    axis: int = 1
    group: Annotated[int, at_least(1)] = 1

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        if data.sizes is not None:
            axis = normalized_axis(self.axis, len(data.sizes))
            divided(data.sizes[axis], self.group, axis, "group")
        return (data,)

    def cuts(self, sizes: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Return the pieces and their order; see Rearrangement."""
        axis = normalized_axis(self.axis, len(sizes))
        pieces = [*sizes[:axis], self.group, sizes[axis] // self.group, *sizes[axis + 1 :]]
        return pieces, [*range(axis), axis + 1, axis, *range(axis + 2, len(pieces))]


def divided(size: Size, divisor: int, axis: int, field: str = "block_size") -> Size:
    """Return a size over a number, as far as it is known. Raises InvalidValueError where it does not divide."""
    if not isinstance(size, int):
        return size if divisor == 1 else None
    if size % divisor:
        raise invalid(f"size of axis {axis} of data", size, f"multiples of {divisor}", f"as {field} asks")
    return size // divisor
