"""Concat: tensors laid end to end along one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from wherry.arguments import normalized_axis
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.layout import Layout
from wherry.ops.operator import Operator, known, same_size
from wherry.tensors import Size, TensorType


@dataclass(frozen=True)
class Concat(Operator):
    """`out[c with c[axis] + start(k)] = inputs[k][c]`, where start(k) is the sum of the axis sizes before input k.

    All inputs have one element type and equal sizes outside `axis`; a size of 0 on it is fine.
    """

    axis: int = 0

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        if not inputs:
            raise InvalidValueError("inputs is empty, allowed 1 and more")
        for number, other in enumerate(inputs):
            if other.dtype != inputs[0].dtype:
                raise InvalidTypeError(
                    f"inputs[{number}] has dtype {other.dtype}, allowed {inputs[0].dtype} as inputs[0]; convert it"
                )
        ranked = [(number, other.sizes) for number, other in enumerate(inputs) if other.sizes is not None]
        if not ranked:
            return (inputs[0],)
        first, result = ranked[0][0], list(ranked[0][1])
        axis = normalized_axis(self.axis, len(result), f"inputs[{first}]")
        for number, sizes in ranked[1:]:
            self._merge(result, sizes, axis, number, first)
        result[axis] = _total([None if other.sizes is None else other.sizes[axis] for other in inputs])
        return (inputs[0].with_sizes(result),)

    @staticmethod
    def _merge(result: list[Size], sizes: tuple[Size, ...], axis: int, number: int, first: int) -> None:
        if len(sizes) != len(result):
            raise InvalidValueError(f"inputs[{number}] has {len(sizes)} axes, allowed {len(result)} as inputs[{first}]")
        for place, size in enumerate(sizes):
            if place == axis:
                continue
            if not same_size(result[place], size):
                raise InvalidValueError(f"inputs[{number}] has size {size} on axis {place}, allowed {result[place]} as "
                                        f"inputs[{first}]; only axis {axis} may differ")  # fmt: skip
            result[place] = known(result[place], size)

    def place(self, inputs: Sequence[tuple[int, ...]], output: Layout) -> tuple[Layout, ...]:
        """Return the part of the output that each input fills."""
        axis = normalized_axis(self.axis, output.ndim)
        parts = [sizes[axis] for sizes in inputs]
        starts = [0, *accumulate(parts)]
        return tuple(output.sliced(axis, start, part) for start, part in zip(starts, parts, strict=False))


def _total(sizes: Sequence[Size]) -> Size:
    if len(sizes) == 1:
        return sizes[0]
    numbers = [size for size in sizes if isinstance(size, int)]
    return sum(numbers) if len(numbers) == len(sizes) else None
