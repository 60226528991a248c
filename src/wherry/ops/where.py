"""Where: elements of one of two tensors, chosen by a condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.moves import Move, SelectMove
from wherry.ops.operator import Operator
from wherry.tensors import Size, TensorType, View


@dataclass(frozen=True)
class Where(Operator):
    """`out[c] = x[c] if condition[c] else y[c]`, all three broadcast against each other by NumPy's rule.

    Inputs: condition (bool, or uint8 of which every value but 0 chooses x), x and y (one element type). The bits of
    what is chosen are kept.
    """

    input_names: ClassVar[tuple[str, ...]] = ("condition", "x", "y")

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        condition, x, y = inputs
        if condition.numpy not in (np.dtype(bool), np.dtype(np.uint8)):
            raise InvalidTypeError(f"condition has dtype {condition.dtype}, allowed bool, uint8; convert it first")
        if x.dtype != y.dtype:
            raise InvalidTypeError(f"y has dtype {y.dtype}, allowed {x.dtype}, that of x; convert it first")
        named = zip(self.input_names, inputs, strict=True)
        return (x.with_sizes(broadcast_sizes([(name, given.sizes) for name, given in named])),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one selection."""
        (target,) = outputs
        condition, x, y = (view.over(view.layout.broadcast_to(target.layout.sizes)) for view in inputs)
        yield SelectMove(condition, x, y, target)


_NUMBER = frozenset({int})


def broadcast_sizes(inputs: Sequence[tuple[str, tuple[Size, ...] | None]]) -> tuple[Size, ...] | None:
    """Return the sizes that named inputs broadcast to, as far as they are known.

    Raises InvalidValueError that names the axis (counted from the end) and the two inputs that disagree.
    """
    ranked = [(name, sizes) for name, sizes in inputs if sizes is not None]
    if len(ranked) < len(inputs):
        return None
    distinct = {sizes for _, sizes in ranked if sizes}  # scalars change nothing
    if len(distinct) == 1 and _NUMBER.issuperset(map(type, *distinct)):
        return distinct.pop()
    ndim = max((len(sizes) for _, sizes in ranked), default=0)
    return tuple(_broadcast_axis(ranked, axis) for axis in range(-ndim, 0))


def _broadcast_axis(inputs: Sequence[tuple[str, tuple[Size, ...]]], axis: int) -> Size:
    present = [(name, sizes[axis]) for name, sizes in inputs if len(sizes) >= -axis]
    longer = [(name, size) for name, size in present if isinstance(size, int) and size != 1]
    for name, size in longer[1:]:
        if size != longer[0][1]:
            raise InvalidValueError(f"{name} has size {size} on axis {axis}, allowed 1 or {longer[0][1]}, the size of "
                                    f"{longer[0][0]} there")  # fmt: skip
    if longer:
        return longer[0][1]
    unknown = {size for _, size in present if not isinstance(size, int)}
    if not unknown:
        return 1
    return unknown.pop() if len(unknown) == 1 else None  # a name survives beside ones only
