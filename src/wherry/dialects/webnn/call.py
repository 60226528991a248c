"""Calling a method of WebNN on arrays: operands and members are checked by its row, the operator runs now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arguments import as_entries
from wherry.arrays.anywhere import INTEGERS
from wherry.dialects.call import answers, operands, views_again
from wherry.dialects.webnn.meaning import BY_SIZES, meaning
from wherry.dialects.webnn.schema import BY_NAME, INDEX_TYPES, Operation, values_of
from wherry.engine.any_sizes import keep_for_any_sizes
from wherry.engine.call import CALLS_KEPT, apply_again
from wherry.engine.out import into
from wherry.ops import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]

_CALLS = _core.RecentCalls(CALLS_KEPT)
"""What runs the calls that came last, by their arguments."""

answered = answers(_CALLS)
"""A decorator of the dialect's functions; see `answers`."""


@_CALLS.answers
def call(method: str, inputs: Sequence[Any], *, out: Array | None = None, **members: Any) -> Array:
    """Return the result of a method, written to `out` if that is given; members by their names in JavaScript."""
    given = (method, inputs, members)
    operation = BY_NAME[method]
    with errors.renamed(operation.names):
        operator, arrays = _made(operation, inputs, members)
        made = apply_again(_CALLS, given, operator, arrays, operation.subject, out)[0]
        keep_for_any_sizes(  # no operand's size may be 0
            _CALLS, given, operator, arrays, operation.subject, lambda: operator,
            refuses_empty=True, fits=_fits(operation, operator, members) if method in BY_SIZES else None,
        )  # fmt: skip
        return made


def call_views(
    method: str, inputs: Sequence[Any], *, out: Sequence[Array] | None = None, **members: Any
) -> list[Array]:
    """Return the parts that a method cuts its operand into, as views, or copied to the arrays of `out`."""
    given = (method, inputs, members)
    parts = _CALLS.run(given)
    if parts is not None and out is None:
        return list(parts)
    operation = BY_NAME[method]
    with errors.renamed(operation.names):
        if parts is None:
            operator, arrays = _made(operation, inputs, members)
            fits = _fits(operation, operator, members)
            parts = views_again(_CALLS, given, operator, arrays, operation.subject, lambda: operator, fits)
        return into(parts, out, operation.subject)


def _fits(operation: Operation, operator: Operator, members: Mapping[str, Any]) -> Callable[..., bool]:
    """Return what tells whether a method means this operator for operands of other sizes, too."""
    values = values_of(operation, members)

    def fits(*arrays: Array) -> bool:
        return meaning(operation, list(map(TensorType.of, arrays)), values) == operator

    return fits


def _made(
    operation: Operation,
    inputs: Sequence[Any],
    members: Mapping[str, Any],
) -> tuple[Operator, list[Array]]:
    """Return the operator that a method means for these arguments, and its operands."""
    with errors.subject(operation.subject):
        variadic = operation.operands[-1].variadic
        given = as_entries(operation.operands[-1].name, inputs, "a sequence of arrays") if variadic else inputs
        declared = operation.operands * (len(given) if variadic else 1)
        allowed = [INTEGERS if one.types is INDEX_TYPES else None for one in declared]
        arrays = operands(operation.operand_names(len(given)), given, allowed)
        values = values_of(operation, members)
        return meaning(operation, list(map(TensorType.of, arrays)), values), arrays
