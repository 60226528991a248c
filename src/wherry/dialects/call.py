"""What calls of all dialects share: arguments become arrays, and an operator that splits returns views of its input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry import errors
from wherry.arrays.anywhere import as_array, as_indices
from wherry.functions import split_views
from wherry.ops import Operator, Split

Array = NDArray[Any]


def operands(names: Iterable[str], values: Iterable[Any], are_indices: Iterable[bool]) -> list[Array]:
    """Return arguments as arrays; lists of Python integers that are indices get an integer type, empty ones too."""
    given = zip(names, values, are_indices, strict=True)
    return [(as_indices if is_index else as_array)(value, name) for name, value, is_index in given]


def views(operator: Operator, arrays: Sequence[Array], subject: str) -> list[Array]:
    """Return the parts of the one input of a Split as views."""
    if not isinstance(operator, Split) or len(arrays) != 1:
        raise TypeError(f"unreachable: {operator} does not split one array")
    with errors.subject(subject):
        return split_views(operator, arrays[0])
