"""Bounds: least and greatest possible elements of small integer tensors, for all inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherry.engine.call import apply
from wherry.errors import WherryError
from wherry.layout import LIMIT
from wherry.ops import (
    Cast,
    Concat,
    Expand,
    Flatten,
    Gather,
    Identity,
    Operator,
    Reshape,
    Reverse,
    ShapeOf,
    Slice,
    Split,
    Squeeze,
    Tile,
    Transpose,
    Unsqueeze,
    Where,
)
from wherry.ops.conversion import integer_range
from wherry.tensors import TensorType

Array = NDArray[Any]

MOVES = (Concat, Expand, Flatten, Identity, Reshape, Reverse, Slice, Split, Squeeze, Tile, Transpose, Unsqueeze)
"""Operators whose output elements are input elements, at positions that do not depend on values."""


class Bounds(NamedTuple):
    """The least and the greatest value of each element; both arrays have the sizes of the tensor."""

    low: Array
    high: Array

    def may_be(self, value: int) -> Array:
        """Return where an element may have this value."""
        return (self.low <= value) & (value <= self.high)


def of_value(value: Array) -> Bounds:
    """Return the bounds of a known tensor."""
    return Bounds(value, value)


def of_type(tensor_type: TensorType) -> Bounds:
    """Return the bounds that the element type alone gives to a tensor of known sizes."""
    row = tensor_type.row
    assert row is not None
    least, most = integer_range(row)
    shape, dtype = tensor_type.shape, tensor_type.numpy
    return Bounds(np.full(shape, least, dtype), np.full(shape, most, dtype))


def of_result(
    operator: Operator,
    types: Sequence[TensorType],
    bounds: Callable[[int], Bounds | None],
    value: Callable[[int], Array | None],
    result: tuple[int, TensorType],
) -> Bounds | None:
    """Return the bounds of a result, its number and type given; None where the type alone gives them.

    `bounds` and `value` tell those of an input by its number.
    """
    number, made = result
    if isinstance(operator, ShapeOf):
        return _of_sizes(operator, types[0], made)
    if isinstance(operator, Cast):
        return _cast(operator, bounds(0), made)
    if isinstance(operator, MOVES):
        given = [bounds(place) for place in range(len(types))]
        return _applied(operator, given, number)
    if isinstance(operator, Gather):
        indices = value(1)
        return None if indices is None else _applied(operator, [bounds(0), of_value(indices)], number)
    if isinstance(operator, Where):
        return _either(operator, types, bounds(1), bounds(2))
    return None


def _of_sizes(operator: ShapeOf, data: TensorType, made: TensorType) -> Bounds | None:
    if data.sizes is None or made.row is None:
        return None
    sizes = data.sizes[operator.start : operator.end]
    _, most = integer_range(made.row)
    if most < LIMIT and not all(isinstance(size, int) and size <= most for size in sizes):
        return None
    low = [size if isinstance(size, int) else 0 for size in sizes]
    high = [size if isinstance(size, int) else LIMIT for size in sizes]
    return Bounds(np.array(low, made.numpy), np.array(high, made.numpy))


def _cast(operator: Cast, given: Bounds | None, made: TensorType) -> Bounds | None:
    """Return bounds of the integers that fit the new type; of others that type's own."""
    if given is None or made.row is None or given.low.dtype.kind not in "iub":
        return None
    own = of_type(made)
    least, most = integer_range(made.row)
    fits = (given.low >= least) & (given.high <= most)
    low, high = (np.where(fits, side, 0).astype(made.numpy) for side in given)
    return Bounds(np.where(fits, low, own.low), np.where(fits, high, own.high))


def _applied(operator: Operator, given: Sequence[Bounds | None], number: int) -> Bounds | None:
    sides = [side for side in given if side is not None]
    if len(sides) < len(given):
        return None
    try:
        low, high = (apply(operator, [side[end] for side in sides], "bounds")[number] for end in (0, 1))
    except WherryError:
        return None
    return Bounds(low, high)


def _either(operator: Where, types: Sequence[TensorType], first: Bounds | None, other: Bounds | None) -> Bounds | None:
    if first is None or other is None or not types[0].is_known:
        return None
    sizes = np.broadcast_shapes(types[0].shape, first.low.shape, other.low.shape)
    ends = (np.minimum(first.low, other.low), np.maximum(first.high, other.high))
    return Bounds(*(np.broadcast_to(end, sizes) for end in ends))
