"""Bounds by size: whether indices lie inside an axis of unknown size because that size bounds them.

What an element is between is told as `factor * n + more`, where n is the size, of which an axis has one at least.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wherry import ops
from wherry.arguments import normalized_axis
from wherry.graph import Node
from wherry.moves import Negative
from wherry.rewrite.known import fields_of, maker_of
from wherry.tensors import TensorType

Array = NDArray[Any]

_DEEPEST = 16
"""How many operators are followed back."""


class Line(NamedTuple):
    """The number `factor * n + more`."""

    factor: int
    more: int

    def is_most(self, other: Line) -> bool:
        """Whether it is no more than the other one, whatever size n is."""
        return self.factor <= other.factor and sum(self) <= sum(other)

    def plus(self, other: Line) -> Line:
        """Return the sum."""
        return Line(self.factor + other.factor, self.more + other.more)

    @property
    def negative(self) -> Line:
        """The negative number."""
        return Line(-self.factor, -self.more)


class Between(NamedTuple):
    """Between which numbers an element lies; None where it may be any on that side."""

    low: Line | None
    high: Line | None


_ANY = Between(None, None)


class Tensors(Protocol):
    """The interface to the tensors of a graph."""

    types: dict[str, TensorType]

    def value(self, name: str) -> Array | None:
        """Return the value of a tensor that constants decide."""

    def maker(self, name: str) -> Node | None:
        """Return the node that makes a tensor."""


def is_inside(tensors: Tensors, node: Node) -> bool:
    """Whether the indices of a node choose from one axis of unknown size, and are bounded by that size."""
    operator: Any = node.operator
    axis = getattr(operator, "axis", None)
    if axis is None or len(node.inputs) < 2 or "out_of_range" not in fields_of(operator):
        return False
    ndim = tensors.types[node.inputs[0]].ndim
    if ndim is None:
        return False
    sized = _Sized(tensors, *_unknown(tensors, node.inputs[0], normalized_axis(axis, ndim)))
    size = sized.size(node.inputs[0], sized.axis)
    low, high = sized.between(node.inputs[1], {}, 0)
    if size is None or low is None or high is None:
        return False
    least = size.negative if operator.negative is Negative.FROM_END else Line(0, 0)
    return least.is_most(low) and high.is_most(size.plus(Line(0, -1)))


def _unknown(tensors: Tensors, name: str, axis: int) -> tuple[str, int]:
    """Return the tensor whose size n is: the part of unknown size of one that is put together along the axis."""
    node = tensors.maker(name)
    if node is not None and isinstance(node.operator, ops.Concat):
        open_ones = [part for part in node.inputs if not isinstance(_size(tensors, part, axis), int)]
        if len(open_ones) == 1 and normalized_axis(node.operator.axis, tensors.types[name].ndim or 1) == axis:
            return open_ones[0], axis
    return name, axis


def _size(tensors: Tensors, name: str, axis: int) -> int | str | None:
    sizes = tensors.types[name].sizes
    return None if sizes is None else sizes[axis]


@dataclass(frozen=True)
class _Sized:
    """The tensors of a graph, where n is the size of an axis of one of them."""

    tensors: Tensors
    name: str
    axis: int

    def size(self, name: str, axis: int) -> Line | None:
        """Return the size of an axis of a tensor, None where n does not tell it."""
        known = _size(self.tensors, name, axis)
        if isinstance(known, int):
            return Line(0, known)
        if (name, axis) == (self.name, self.axis):
            return Line(1, 0)
        node = self.tensors.maker(name)
        if node is None or not isinstance(node.operator, ops.Concat):
            return None
        parts = [self.size(part, axis) for part in node.inputs]
        return Line(*map(sum, zip(*parts, strict=True))) if None not in parts else None

    def between(self, name: str, assumed: Mapping[str, Between], depth: int) -> Between:
        """Return between which numbers the elements of a tensor lie, where others lie between these."""
        if name in assumed:
            return assumed[name]
        row, value, node = self.tensors.types[name].row, self.tensors.value(name), self.tensors.maker(name)
        if row is None or not row.is_integer or row.bits < 32:
            return _ANY
        if value is not None:
            return Between(Line(0, int(value.min())), Line(0, int(value.max()))) if value.size else _ANY
        rule = None if node is None or depth > _DEEPEST else _RULES.get(maker_of(node.operator))
        return _ANY if rule is None or node is None else rule(_Asked(self, node, assumed, depth))


@dataclass(frozen=True)
class _Asked:
    """The node whose result is bounded."""

    sized: _Sized
    node: Node
    assumed: Mapping[str, Between]
    depth: int

    @property
    def operator(self) -> Any:
        """The operator of the node."""
        return self.node.operator

    def __call__(self, place: int, assumed: Mapping[str, Between] | None = None) -> Between:
        """Return between which numbers the elements of an input lie."""
        name = self.node.inputs[place]
        return self.sized.between(name, {**self.assumed, **(assumed or {})}, self.depth + 1)

    def all(self) -> list[Between]:
        """Return the same of all inputs."""
        return [self(place) for place in range(len(self.node.inputs))]


def _of_first(asked: _Asked) -> Between:
    return asked(0)


def _of_cast(asked: _Asked) -> Between:
    given = asked.sized.tensors.types[asked.node.inputs[0]].row
    return asked(0) if given is not None and given.is_integer else _ANY


def _of_shape(asked: _Asked) -> Between:
    axes = range(asked.sized.tensors.types[asked.node.inputs[0]].ndim or 0)[asked.operator.start : asked.operator.end]
    found = asked.sized.size(asked.node.inputs[0], axes[0]) if len(axes) == 1 else None
    return Between(found, found)


def _of_negative(asked: _Asked) -> Between:
    low, high = asked(0)
    if asked.operator.function != ops.UnaryFunction.NEGATIVE:
        return _ANY
    return Between(high and high.negative, low and low.negative)


def _of_sum(asked: _Asked) -> Between:
    first, second = asked(0), asked(1)
    if asked.operator.function == ops.BinaryFunction.SUBTRACT:
        second = Between(second.high and second.high.negative, second.low and second.low.negative)
    elif asked.operator.function != ops.BinaryFunction.ADD:
        return _ANY
    low, high = (None if a is None or b is None else a.plus(b) for a, b in zip(first, second, strict=True))
    return Between(low, high)


def _of_extreme(asked: _Asked) -> Between:
    given = asked.all()
    lows, highs = [one.low for one in given], [one.high for one in given]
    if asked.operator.function == ops.ExtremeFunction.MINIMUM:
        return Between(_outer(lows, least=True), _inner(highs, least=True))
    return Between(_inner(lows, least=False), _outer(highs, least=False))


def _outer(lines: list[Line | None], least: bool) -> Line | None:
    """Return the line that bounds all: None where one has no bound, or two cannot be told apart."""
    for one in lines:
        if one is not None and all(b is not None and (one.is_most(b) if least else b.is_most(one)) for b in lines):
            return one
    return None


def _inner(lines: list[Line | None], least: bool) -> Line | None:
    """Return the narrowest of some bounds, all of which hold; the first where two cannot be told apart."""
    known = [one for one in lines if one is not None]
    return _outer(list(known), least) or next(iter(known), None)


def _of_choice(asked: _Asked) -> Between:
    """Of Where: each branch, that of a comparison with a constant under what it compares."""
    narrower = _compared(asked)
    first, other = asked(1, narrower[0]), asked(2, narrower[1])
    return Between(_outer([first.low, other.low], least=True), _outer([first.high, other.high], least=False))


def _compared(asked: _Asked) -> tuple[Mapping[str, Between], Mapping[str, Between]]:
    """Return what is known where the condition holds that a tensor is less than a constant, and where it does not."""
    node = asked.sized.tensors.maker(asked.node.inputs[0])
    if node is None or not isinstance(node.operator, ops.Compare) or node.operator.function != ops.Relation.LESS:
        return {}, {}
    name, limit = node.inputs
    value = asked.sized.tensors.value(limit)
    if value is None or value.size != 1 or name == limit:
        return {}, {}
    number = int(np.asarray(value).reshape(-1)[0])
    low, high = asked.sized.between(name, asked.assumed, asked.depth + 1)
    below, above = Line(0, number - 1), Line(0, number)
    if high is not None and high.is_most(below):
        below = high
    if low is not None and above.is_most(low):
        above = low
    return {name: Between(low, below)}, {name: Between(above, high)}


_RULES: Mapping[object, Callable[[_Asked], Between]] = {
    **dict.fromkeys((ops.Identity, ops.Reshape, ops.Squeeze, ops.Unsqueeze, ops.Transpose, ops.Expand), _of_first),
    ops.Cast: _of_cast,
    ops.ShapeOf: _of_shape,
    ops.Unary: _of_negative,
    ops.Binary: _of_sum,
    ops.Extreme: _of_extreme,
    ops.Where: _of_choice,
}
