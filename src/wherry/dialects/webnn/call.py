"""Calling a method of WebNN on arrays: operands and members are checked by its row, the operator runs now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from wherry import errors
from wherry.arrays.anywhere import as_array, as_indices
from wherry.dialects.webnn.meaning import meaning
from wherry.dialects.webnn.schema import BY_NAME, INDEX_TYPES, Operation, values_of
from wherry.engine.call import apply
from wherry.ops import Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


def call(method: str, operands: Sequence[Any], *, out: Array | None = None, **members: Any) -> Array:
    """Return the result of a method, written to `out` if that is given; members by their names in JavaScript."""
    operation = BY_NAME[method]
    operator, arrays = made(operation, operands, members)
    return apply(operator, arrays, operation.subject, out)[0]


def made(operation: Operation, operands: Sequence[Any], members: Mapping[str, Any]) -> tuple[Operator, list[Array]]:
    """Return the operator that a method means for these arguments, and its operands as arrays."""
    with errors.subject(operation.subject):
        declared = operation.operands * (len(operands) if operation.operands[-1].variadic else 1)
        names = operation.operand_names(len(operands))
        arrays = [
            (as_indices if operand.types is INDEX_TYPES else as_array)(value, name)
            for name, operand, value in zip(names, declared, operands, strict=True)
        ]
        values = values_of(operation, members)
        return meaning(operation, [TensorType.of(array) for array in arrays], values), arrays
