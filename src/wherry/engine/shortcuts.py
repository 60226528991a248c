"""Shortcuts: operators on small arrays by NumPy and the core, without a plan; for sizes that change at every run.

A shortcut takes the arrays of a node in the order of its inputs, and returns its output, or a tuple of several; None
where the planner is to decide. It refuses by any error, of which nothing is said: the planner refuses the same, and
says why. What it makes has the bits that the operator's moves make; it is a new array in row-major order where `makes`
says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from wherry.engine.computed import elementwise
from wherry.engine.known import KNOWN
from wherry.engine.shortcut import Call, Shortcut, applied, keep
from wherry.engine.waiting import WAITING
from wherry.graph import Deferred, Node
from wherry.moves.move import Array
from wherry.ops.elementwise import Elementwise
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

_MOST_VALUE_BYTES = 256

Types = Mapping[str, TensorType]


def shortcut_of(node: Node, types: Types) -> Shortcut:
    """Return the shortest way of a node whose tensors have these element types."""
    operator, kinds = node.operator, [types[name] for name in node.inputs]
    if not isinstance(operator, Deferred):
        return _shortcut_of(operator, kinds, len(node.outputs))
    return own_shortcut(operator, kinds) or Shortcut(_resolved(operator, kinds, len(node.outputs)), True)


def call_shortcut(operator: Operator | Deferred, kinds: Sequence[TensorType], subject: str) -> Shortcut:
    """Return the shortest way of an operator that is called by itself, as `subject`; see `own_shortcut`."""
    if not isinstance(operator, Deferred):
        return _shortcut_of(operator, kinds, 1, subject)
    return own_shortcut(operator, kinds) or Shortcut(_resolved(operator, kinds, 1, subject), True)


def own_shortcut(operator: Operator | Deferred, kinds: Sequence[TensorType]) -> Shortcut | None:
    """Return the shortcut of an operator on such element types; None where it has none that is shorter than a plan.

    That of a Deferred takes all inputs of its node.
    """
    if isinstance(operator, Deferred):
        waiting = WAITING.get(operator.build)
        return None if waiting is None else waiting(dict(operator.fields), dict(operator.from_inputs), kinds)
    find: Any = elementwise if isinstance(operator, Elementwise) else KNOWN.get(type(operator))
    if find is not None:
        return find(operator, kinds)  # type: ignore[no-any-return]
    waiting = WAITING.get(type(operator))  # no input is a field
    return (
        None if waiting is None else waiting({f.name: getattr(operator, f.name) for f in fields(operator)}, {}, kinds)
    )


def _shortcut_of(operator: Operator, kinds: Sequence[TensorType], outputs: int, subject: str = "") -> Shortcut:
    return own_shortcut(operator, kinds) or Shortcut(applied(operator, outputs, subject), True)


def _resolved(operator: Deferred, kinds: Sequence[TensorType], outputs: int, subject: str = "") -> Call:
    """Return the way of an operator that is known only with the values of some inputs; those of few bytes are kept."""
    positions = [position for _, position in operator.from_inputs]
    moved = [position for position in range(len(kinds)) if position not in positions]
    moved_kinds = [kinds[position] for position in moved]
    kept: dict[object, Shortcut] = {}

    def call(*arrays: Array) -> Any:
        values = [arrays[position] for position in positions]
        is_small = sum([value.nbytes for value in values]) <= _MOST_VALUE_BYTES
        key = tuple([(value.shape, value.tobytes()) for value in values]) if is_small else None
        found = kept.get(key)
        if found is None:
            now = operator.resolve(dict(zip(positions, values, strict=True)))
            found = _shortcut_of(now, moved_kinds, outputs, subject)
            if is_small:
                keep(kept, key, found)
        made = found.call(*[arrays[position] for position in moved])
        return made if found.makes else _as_new(made)

    return call


def _as_new(made: Array | tuple[Array, ...] | None) -> Any:
    """Return copies of views: what one call makes must not depend on how its operator turned out."""
    if isinstance(made, tuple):
        return tuple(array.copy() for array in made)
    return None if made is None else made.copy()
