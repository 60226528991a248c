"""Shortcut: one operator on small arrays, without a plan; what all of them have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from wherry.engine.call import Calls, apply
from wherry.engine.recent import Recent
from wherry.moves.move import Array
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

MOST_BYTES = 2**20
"""Of what one run may make: where more bytes move, a plan, which moves each but once, is worth its making."""

_MOST_KEPT = 256
_CALLS_KEPT = 16

Call = Callable[..., Any]


class Shortcut(NamedTuple):
    """A call on the arrays of a node's inputs; whether it makes new arrays, or views of what it gets and keeps."""

    call: Call
    makes: bool


def keep(kept: dict[Any, Any], key: object, value: object) -> None:
    """Keep a value by its key, among a bounded number of others."""
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value


def applied(operator: Operator, count: int = 1, subject: str = "") -> Call:
    """Return the operator's own way: the one of `count` outputs by itself; None where they are large.

    `subject` is who calls, to those who are warned.
    """
    calls: Calls = Recent(_CALLS_KEPT)
    fits: dict[object, bool] = {}

    def call(*arrays: Array) -> Any:
        sizes = tuple([array.shape for array in arrays])
        if sizes not in fits:
            types = operator.infer([TensorType.of(array) for array in arrays])
            keep(fits, sizes, sum(one.nbytes for one in types) <= MOST_BYTES)
        if not fits[sizes]:
            return None
        made = apply(operator, arrays, subject, calls=calls)
        return made[0] if len(made) == count == 1 else made

    return call
