"""Element: a value with or without a type, as a field of operators, and the moves that write it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arrays.anywhere import as_array
from wherry.dtypes import native
from wherry.errors import InvalidTypeError, InvalidValueError, invalid, short
from wherry.moves import ComputeMove, FillMove, Move
from wherry.ops.constant import Constant
from wherry.tensors import TensorType, View, zero_object

Element = Constant | bool | int | float | complex | str | None
"""A value with a type (a Constant of one element), a Python scalar that takes the data's type, or None for zero."""


def as_element(field: str, value: Any) -> Element:
    """Return the canonical form of one value. Raises InvalidTypeError or InvalidValueError for anything else."""
    if value is None or (isinstance(value, (bool, int, float, complex, str)) and not isinstance(value, np.generic)):
        return value
    array = value.value if isinstance(value, Constant) else value
    if not isinstance(array, (np.ndarray, np.generic)):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a scalar or an array of one element")
    if array.size != 1 or array.ndim > 1:
        raise InvalidValueError(f"{field} has sizes {list(array.shape)}, allowed [] or [1]: one element")
    single = np.empty((), array.dtype)
    single[()] = as_array(array, field).reshape(())[()]
    return Constant(single)


def check_element(field: str, value: Element, tensor_type: TensorType) -> None:
    """Refuse a value that is not one of the element type of `tensor_type`; nothing is cast but Python's own numbers."""
    typed_as(field, value, tensor_type.numpy)


def typed_as(field: str, value: Element, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the value as an array without axes of `dtype`. Raises like check_element."""
    if value is None:
        return np.zeros((), dtype)
    if isinstance(value, Constant):
        return _of_literal(field, value.value, dtype)
    if isinstance(value, str) != (dtype.kind in "USTO"):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a value of {dtype}; give it the type of the data")
    if isinstance(value, str):
        text: NDArray[Any] = np.array(value if dtype.kind != "S" else value.encode(), dtype)
        kept = text.item()
        if (kept.decode() if isinstance(kept, bytes) else kept) != value:
            raise invalid(field, short(value), f"a value of {dtype}", "nothing is cut; use strings of any width")
        return text
    try:
        with np.errstate(all="ignore"):
            given: NDArray[Any] = np.array(value)
            cast = given.astype(dtype)
            exact = bool((cast if dtype.kind == "c" else cast.astype(given.dtype)) == given)
    except (OverflowError, TypeError):  # beyond 64 bits, or beyond all floats; a record has no numbers
        raise invalid(field, short(value), f"a value of {dtype}") from None
    integral = np.issubdtype(dtype, np.integer) or "int" in dtype.name
    fits = exact if integral or dtype.kind == "b" or isinstance(value, int) else True
    overflow = isinstance(value, (float, complex)) and bool(np.isfinite(given)) and not np.isfinite(cast)
    if not fits or overflow or isinstance(value, bool) != (dtype.kind == "b"):
        raise invalid(field, short(value), f"a value of {dtype}", "nothing is rounded or cut; give the value meant")
    return cast


def _of_literal(field: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if array.dtype == dtype:
        return array
    if native(array.dtype) != native(dtype) and not (dtype.hasobject and array.dtype.kind in "UT"):
        raise InvalidTypeError(f"{field} has dtype {array.dtype}, allowed {dtype}, that of the data; convert it first")
    return array.astype(dtype)


def fill(field: str, value: Element, data: View, target: View) -> Move:
    """Return the move that writes `value` to every coordinate of `target`; `data` gives the zero of objects."""
    dtype = target.dtype
    if not dtype.hasobject:
        return FillMove(typed_as(field, value, dtype).tobytes(), target)
    if value is None:
        return ComputeMove("zero", lambda array: _object(zero_object(array)), (data,), target)
    element = typed_as(field, value, dtype)
    return ComputeMove("fill", lambda: element, (), target)


def _object(value: object) -> NDArray[Any]:
    array = np.empty((), object)
    array[()] = value
    return array
