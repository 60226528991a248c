"""What calls of all dialects share: arguments become arrays, and an operator that splits returns views of its input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry import _core, errors
from wherry.arrays.anywhere import as_array, as_indices
from wherry.engine.any_sizes import Bind, keep_for_any_sizes
from wherry.functions import split_bounds
from wherry.graph import Deferred
from wherry.ops import Operator, Split

Array = NDArray[Any]


def operands(names: Iterable[str], values: Iterable[Any], are_indices: Iterable[bool]) -> list[Array]:
    """Return arguments as arrays; lists of Python integers that are indices get an integer type, empty ones too."""
    given = zip(names, values, are_indices, strict=True)
    return [(as_indices if is_index else as_array)(value, name) for name, value, is_index in given]


def views_again(
    calls: _core.RecentCalls,
    arguments: object,
    operator: Operator | Deferred,
    arrays: Sequence[Array],
    subject: str,
    bind: Bind | None = None,
) -> list[Array]:
    """Return the parts of the one input of a Split as views, which `calls` cuts next time.

    See `apply_again`, and `keep_for_any_sizes` for `bind`.
    """
    if not isinstance(operator, Split) or len(arrays) != 1:
        raise TypeError(f"unreachable: {operator} does not split one array")
    with errors.subject(subject):
        bounds = split_bounds(operator, arrays[0])
    axis = operator.axis % arrays[0].ndim

    if bind is not None:
        keep_for_any_sizes(calls, arguments, operator, arrays, subject, bind, as_views=True)
    calls.keep(arguments, lambda given: _core.parts(given["in0"], axis, bounds), list(arrays))
    return _core.parts(arrays[0], axis, bounds)
