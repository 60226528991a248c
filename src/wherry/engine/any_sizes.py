"""Calls of one operator on small arrays of sizes that did not come before: by its shortcut, without a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry import _core
from wherry.engine.eager import is_plain
from wherry.engine.shortcuts import own_shortcut
from wherry.errors import WherryError
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

Bind = Callable[[], object]
"""Returns the operator of a call whose sizes are not known."""


def open_type_of(array: Array) -> TensorType:
    """Return the type of an array as if its sizes were not known."""
    return TensorType.of(array).with_sizes([None] * array.ndim)


def keep_for_any_sizes(
    calls: _core.RecentCalls, arguments: object, operator: Operator, inputs: Sequence[Array], bind: Bind
) -> None:
    """Let `calls` answer calls of these arguments but with inputs of other sizes, of which `operator` ran now.

    Nothing is kept where the operator depends on sizes: where `bind` makes another one, or none, when they are unknown.
    """
    if not inputs or not operator.equal_is_same or calls.has_for_any_sizes(arguments):
        return
    kinds = [TensorType.of(array) for array in inputs]
    shortcut = own_shortcut(operator, kinds) if all(map(is_plain, kinds)) else None
    if shortcut is None:
        return
    try:
        is_open = bind() == operator
    except WherryError:
        return
    if is_open:
        calls.keep_for_any_sizes(arguments, shortcut.call, list(inputs), not shortcut.makes)
