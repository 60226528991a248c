"""Divisors: whether a number between a tensor's bounds is known to be none of its elements."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wherry import ops
from wherry.graph import Node

Array = NDArray[Any]

_DEEPEST = 8
"""How many operators are followed back."""

_MOVES = (ops.Identity, ops.Reshape, ops.Squeeze, ops.Unsqueeze, ops.Transpose, ops.Expand, ops.Flatten)


class Tensors(Protocol):
    """The interface to the tensors of a graph."""

    def value(self, name: str) -> Array | None:
        """Return the value of a tensor that constants decide."""

    def range(self, name: str) -> tuple[float, float] | None:
        """Return between which numbers the elements of a tensor lie."""

    def maker(self, name: str) -> Node | None:
        """Return the node that makes a tensor."""


def is_never(tensors: Tensors, name: str, number: int, depth: int = 0) -> bool:
    """Whether a number is no element of a tensor: it is out of range, or a Where replaces it."""
    found, value, node = tensors.range(name), tensors.value(name), tensors.maker(name)
    if found is None or depth > _DEEPEST:
        return False
    if not found[0] <= number <= found[1]:
        return True
    if value is not None or node is None:
        return value is not None and not bool((value == number).any())
    if isinstance(node.operator, _MOVES):
        return is_never(tensors, node.data_inputs[0], number, depth + 1)
    if not isinstance(node.operator, ops.Where):
        return False
    condition, first, other = node.inputs
    is_chosen = is_never(tensors, first, number, depth + 1)
    return is_chosen and (
        _tells(tensors, condition, (other, number), depth) or is_never(tensors, other, number, depth + 1)
    )


def _tells(tensors: Tensors, condition: str, what: tuple[str, int], depth: int) -> bool:
    """Whether a condition is true wherever an element of a tensor is a number."""
    node = tensors.maker(condition)
    if node is None or depth > _DEEPEST or getattr(node.operator, "broadcast", "") != ops.Broadcast.BOTH:
        return False
    if isinstance(node.operator, ops.Binary) and node.operator.function == ops.BinaryFunction.OR:
        return any(_tells(tensors, one, what, depth + 1) for one in node.inputs)
    if not isinstance(node.operator, ops.Compare) or node.operator.function != ops.Relation.EQUAL:
        return False
    name, number = what
    others = [one for one in node.inputs if one != name]
    value = tensors.value(others[0]) if len(others) == 1 else None
    return value is not None and value.size > 0 and bool(np.all(value == number))
