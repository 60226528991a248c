"""Calls of one operator on small arrays of sizes that did not come before: by its shortcut, without a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from wherry import _core
from wherry.engine.eager import is_plain
from wherry.engine.shortcut import Shortcut
from wherry.engine.shortcuts import call_shortcut, own_shortcut
from wherry.errors import WherryError
from wherry.graph import Deferred
from wherry.ops.constant import Constant
from wherry.ops.operator import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

MOST_INPUTS = 64
"""Inputs of a call that is kept: it takes time for each, and calls of more are hardly made again."""

Bind = Callable[[], object]
"""Returns the operator of a call whose sizes are not known."""


def open_type_of(array: Array) -> TensorType:
    """Return the type of an array as if its sizes were not known."""
    return TensorType.of(array).with_sizes([None] * array.ndim)


def with_known(
    operator: Operator | Deferred, inputs: Sequence[Array], given: Sequence[object]
) -> tuple[Operator | Deferred, list[Array]]:
    """Return an operator, and its inputs. To a Deferred those values are known that are none of the arrays `given`.

    They were made of lists, which are arguments with all their entries.
    """
    if not isinstance(operator, Deferred):
        return operator, list(inputs)
    own = {id(one) for one in given}
    known = {name: place for name, place in operator.from_inputs if id(inputs[place]) not in own}
    kept = [place for place in range(len(inputs)) if place not in known.values()]
    if len(known) == len(operator.from_inputs):
        return operator.resolve(dict(enumerate(inputs))), [inputs[place] for place in kept]
    fields = (*operator.fields, *((name, Constant(inputs[place])) for name, place in known.items()))
    waiting = tuple((name, kept.index(place)) for name, place in operator.from_inputs if name not in known)
    return replace(operator, fields=fields, from_inputs=waiting), [inputs[place] for place in kept]


def keep_for_any_sizes(
    calls: _core.RecentCalls,
    arguments: object,
    operator: Operator | Deferred,
    inputs: Sequence[Array],
    subject: str,
    bind: Bind,
    *,
    as_views: bool = False,
    refuses_empty: bool = False,
    fits: Callable[..., bool] | None = None,
) -> bool:
    """Let `calls` answer calls of these arguments but with inputs of other sizes, of which `operator` ran now.

    Those of a Deferred are all inputs of a node, whose values may be others, too. False, and nothing is kept, where
    the operator depends on sizes: where `bind` makes another one, or none, when they are unknown. What views an input
    is copied, if not wanted `as_views`. Arrays without elements have a plan, which may refuse them, if it
    `refuses_empty`, and so have those that do not fit.
    """
    if not 0 < len(inputs) <= MOST_INPUTS or not calls.lacks_for_any_sizes(arguments):
        return False
    kinds = [TensorType.of(array) for array in inputs]
    if not all(map(is_plain, kinds)):
        return False
    try:
        if bind() != operator:
            return False
    except WherryError:
        return False
    shortcut = own_shortcut(operator, kinds) if as_views else call_shortcut(operator, kinds, subject)
    if shortcut is not None and fits is not None:
        own = shortcut.call
        shortcut = Shortcut(lambda *arrays: own(*arrays) if fits(*arrays) else None, shortcut.makes)
    values = [place for _, place in operator.from_inputs] if isinstance(operator, Deferred) else []
    return shortcut is not None and calls.keep_for_any_sizes(
        arguments, shortcut.call, list(inputs), not (shortcut.makes or as_views), refuses_empty, values
    )
