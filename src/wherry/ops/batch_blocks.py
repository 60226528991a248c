"""BatchToSpace and SpaceToBatch: move batches into blocks of space and back, with cropping or padding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from wherry.errors import InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import CopyMove, Move
from wherry.ops.blocks import divided
from wherry.ops.element import fill
from wherry.ops.operator import Operator, check_lengths
from wherry.ops.rearrange import Box, around, boxed, scaled, split_axes
from wherry.tensors import Size, TensorType, View


@dataclass(frozen=True)
class _BatchBlocks(Operator):
    """The fields of both operators: block sizes, begins and ends, one entry for each axis, the batch first."""

    block_shape: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def _check_fields(self) -> None:
        check_lengths(self, "block_shape", "begins", "ends")
        for name in ("begins", "ends"):
            for number, value in enumerate(getattr(self, name)):
                if value < 0 or (value and number == 0):
                    raise invalid(f"{name}[{number}]", value, "0 and more" if number else "0: the batch has no edge")
        for number, block in enumerate(self.block_shape):
            if block < 1 or (block != 1 and number == 0):
                raise invalid(f"block_shape[{number}]", block, "1 and more" if number else "1: the batch has no blocks")
        if len(self.block_shape) < 2:
            raise InvalidValueError(f"block_shape has {len(self.block_shape)} entries, allowed 2 and more")

    @property
    def blocks(self) -> tuple[int, ...]:
        """The block sizes of the axes of space."""
        return self.block_shape[1:]

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type with the sizes of the output; see Operator."""
        (data,) = inputs
        if data.sizes is None:
            return (data.with_sizes([None] * len(self.block_shape)),)
        if len(data.sizes) != len(self.block_shape):
            raise InvalidValueError(f"block_shape has {len(self.block_shape)} entries, allowed {len(data.sizes)}: "
                                    "one for each axis of data")  # fmt: skip
        return (data.with_sizes(self._result(data.sizes)),)

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        raise NotImplementedError

    def _blocked(self, batched: Layout) -> Layout:
        """Return the side that has blocks as batches, cut and permuted to batch, D1, B1, D2, B2 ..."""
        space, count = len(self.blocks), math.prod(self.blocks)
        pieces = [*self.blocks, batched.sizes[0] // count, *batched.sizes[1:]]
        order = [space]
        for number in range(space):
            order += [space + 1 + number, number]
        return split_axes(batched, pieces).permuted(order)

    def _parts(self, batched: Layout, box: Box) -> Iterator[tuple[Layout, Box]]:
        """Yield, for each part of a box in the merged coordinates Di * Bi that falls on whole axes or inside one block,
        its layout on the blocked side and its box."""
        blocked = self._blocked(batched)
        cuts = [list(_aligned(start, size, block)) for (start, size), block in zip(box[1:], self.blocks, strict=True)]
        for pieces in product(*cuts):
            layout = blocked
            where: list[tuple[int, int]] = [box[0]]
            for number, ((start, size), block) in enumerate(zip(pieces, self.blocks, strict=True)):
                inner = min(size, block)
                layout = layout.sliced(1 + 2 * number, start // block, size // inner)
                layout = layout.sliced(2 + 2 * number, start % block, inner)
                where.append((start, size))
            yield layout, where


def _aligned(start: int, size: int, block: int) -> Iterator[tuple[int, int]]:
    """Yield a range cut into what lies inside its first block, whole blocks, and what lies inside its last block."""
    stop = start + size
    first = min(stop, -(-start // block) * block)
    last = max(first, stop // block * block)
    for low, high in ((start, first), (first, last), (last, stop)):
        if low < high:
            yield low, high - low


@dataclass(frozen=True)
class BatchToSpace(_BatchBlocks):
    """OpenVINO BatchToSpace-2: `out[n, d * B + b - begin ..] = data[block(b..) * N + n, d ..]`, cropped.

    Sizes: `[batch / prod(B), D1 * B1 - begin - end ..]`, N the first of them. Raises InvalidValueError unless
    the blocks divide the batch and crops fit.
    """

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        result = [divided(sizes[0], math.prod(self.blocks), 0, "block_shape")]
        for axis in range(1, len(sizes)):
            size, crop = scaled(sizes[axis], self.block_shape[axis]), self.begins[axis] + self.ends[axis]
            if isinstance(size, int) and crop > size:
                raise invalid(f"begins[{axis}] and ends[{axis}]", f"{self.begins[axis]} and {self.ends[axis]}",
                              f"a sum up to {size}", "there is no more to crop")  # fmt: skip
            result.append(size - crop if isinstance(size, int) else None if crop else size)
        return result

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one copy of whole blocks, and one for each part of cropped blocks at the ends."""
        (data,), (output,) = inputs, outputs
        if output.layout.size == 0:
            return
        kept = list(zip(self.begins, output.layout.sizes, strict=True))
        for source, box in self._parts(data.layout, kept):
            shifted = [(start - begin, size) for (start, size), begin in zip(box, self.begins, strict=True)]
            target = split_axes(boxed(output.layout, shifted), source.sizes)
            yield CopyMove(data.over(source), output.over(target))


@dataclass(frozen=True)
class SpaceToBatch(_BatchBlocks):
    """OpenVINO SpaceToBatch-2: `out[block(b..) * N + n, d ..] = data[n, d * B + b - begin ..]`, zero outside data.

    Sizes: `[batch * prod(B), (D1 + begin + end) / B1 ..]`. Raises InvalidValueError unless the blocks divide the padded
    sizes.
    """

    def _result(self, sizes: tuple[Size, ...]) -> list[Size]:
        result = [scaled(sizes[0], math.prod(self.blocks))]
        for axis in range(1, len(sizes)):
            size, pad = sizes[axis], self.begins[axis] + self.ends[axis]
            padded = size + pad if isinstance(size, int) else None if pad else size
            block = self.block_shape[axis]
            if isinstance(padded, int) and padded % block:
                raise invalid(f"size of axis {axis} of data", size, f"sizes that plus {pad} are multiples of {block}",
                              "as pads and block_shape ask")  # fmt: skip
            result.append(divided(padded, block, axis))
        return result

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield copies of whole and of partial blocks of data, and fills of zero around them."""
        (data,), (output,) = inputs, outputs
        if output.layout.size == 0:
            return
        sizes = data.layout.sizes
        padded = [sizes[0], *(n * b for n, b in zip(output.layout.sizes[1:], self.blocks, strict=True))]
        inner = list(zip(self.begins, sizes, strict=True))
        for outside in around(padded, inner):
            for target, _ in self._parts(output.layout, outside):
                yield fill("pad", None, data, output.over(self._cut_batch(target, outside[0])))
        if data.layout.size:
            for target, box in self._parts(output.layout, inner):
                shifted = [(start - begin, size) for (start, size), begin in zip(box, self.begins, strict=True)]
                source = split_axes(boxed(data.layout, shifted), target.sizes)
                yield CopyMove(data.over(source), output.over(target))

    @staticmethod
    def _cut_batch(target: Layout, batch: tuple[int, int]) -> Layout:
        return target.sliced(0, *batch)
