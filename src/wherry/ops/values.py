"""Shared by operators whose fields hold values of tensors: fields that are arrays, and elements as bits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from wherry import limits
from wherry.arguments import as_ints
from wherry.arrays.anywhere import as_array, plain
from wherry.dtypes import numpy_of
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.layout import Layout
from wherry.moves import ComputeMove, FillMove, Move
from wherry.ops.constant import Constant
from wherry.ops.operator import Operator
from wherry.tensors import TensorType, View

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ValuesOperator(Operator):
    """An operator some of whose fields are arrays: two are equal if the types, sizes and bits of these are."""

    @property
    def equal_is_same(self) -> bool:
        """See Operator."""
        return False

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The fields that are arrays."""
        return tuple(value for f in fields(self) if isinstance(value := getattr(self, f.name), np.ndarray))

    def _key(self) -> tuple[object, ...]:
        return (type(self), *(_content(getattr(self, f.name)) for f in fields(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValuesOperator) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        rules = ", ".join(f"{f.name}={_short(getattr(self, f.name))}" for f in fields(self))
        return f"{type(self).__name__}({rules})"


def _content(value: object) -> object:
    if not isinstance(value, np.ndarray):
        return value
    bits = tuple(value.ravel().tolist()) if value.dtype.hasobject else value.tobytes()
    return (value.dtype, value.shape, bits)


def _short(value: object) -> str:
    if isinstance(value, np.ndarray):
        return str(value[()]) if value.ndim == 0 else str(TensorType.of(value))
    return str(value)


def frozen(value: Any) -> Array:
    """Return a read-only copy of an array, or of an object that NumPy converts to one; `borrowed` lists the errors."""
    if isinstance(value, np.ndarray):
        _check_size(value)
    if type(value) is str:
        value = np.array(value, dtype=object)
    array: Array = np.array(as_array(value, "value"))
    if array.dtype.kind == "U" and not isinstance(value, (np.ndarray, np.generic)):
        array = np.array(value, dtype=object)  # Python strings have no width
    array.flags.writeable = False
    return array


def _check_size(value: Array) -> None:
    if value.nbytes >= limits.ALWAYS_ALLOWED:
        limits.check_bytes(value.nbytes, "the values to read", limits.memory_nbytes(value), of_function=True)


def borrowed(value: Any) -> Array:
    """Return an array as a read-only view, or what NumPy makes of anything else: for data too large to be copied.

    Whoever keeps the operator keeps the array as it is. Raises ResourceLimitError for an array that repeats few bytes
    of memory so often that to read it would never end.
    """
    if not isinstance(value, np.ndarray):
        return frozen(value)
    _check_size(value)
    view = plain(value, "data").view()
    view.flags.writeable = False
    return view


def as_sizes(field: str, value: Any) -> tuple[int, ...]:
    """Return the sizes of a tensor. Raises InvalidValueError for negative ones, SizeOverflowError for too many."""
    return Layout(as_ints(field, value)).sizes


def as_scalar(field: str, value: Any, dtype: object = None) -> Array:
    """Return the one element that `value` holds as a read-only array without axes; a tensor of one element counts.

    `dtype` is what a Python number becomes; an array keeps its own. Raises InvalidValueError for more elements or
    none, InvalidTypeError for what is no element.
    """
    if isinstance(value, Constant):
        value = value.value
    if dtype is None or isinstance(value, (np.ndarray, np.generic)):
        array = frozen(value)
    else:
        try:
            array = np.array(value, numpy_of(dtype))
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidTypeError(f"{field} is {short(value)}, allowed a value of {dtype} ({error})") from None
    if array.size != 1:
        raise InvalidValueError(f"{field} has {array.size} elements, allowed 1; pass a scalar")
    return frozen(array.reshape(()))


Data = Annotated[Array, lambda field, value: borrowed(value)]
"""A field that holds the values of a tensor, which may be too large to be copied."""

Scalar = Annotated[Array, as_scalar]
"""A field that holds one element."""

Sizes = Annotated[tuple[int, ...], as_sizes]
"""A field that holds the sizes of a tensor."""


def zero_of(dtype: np.dtype[Any]) -> Array:
    """Return the zero of an element type: 0, False, or an empty string."""
    return frozen(np.array("", object) if dtype.hasobject else np.zeros((), dtype))


def bits_of(array: Array) -> Array:
    """Return the same elements as plain bits of their width, so that NumPy moves and never converts them."""
    width = array.dtype.itemsize
    if array.dtype.hasobject or width == 0:
        return array
    return array.view(f"u{width}" if width in (1, 2, 4, 8) else f"V{width}")


def fill(value: Array, target: View) -> Move:
    """Return the move that writes one element to all of `target`."""
    if value.dtype != target.dtype:
        raise InvalidTypeError(f"value has dtype {value.dtype}, allowed {target.dtype}, that of the data; convert it")
    if target.dtype.hasobject:
        return ComputeMove("fill", lambda: np.broadcast_to(value, target.layout.sizes), (), target)
    return FillMove(value.tobytes(), target)


def filled(value: Array, sizes: tuple[int, ...]) -> Array:
    """Return a new array of `sizes`, each element the bits of `value`."""
    result = np.empty(sizes, value.dtype)
    bits_of(result)[...] = bits_of(value)
    return result


def flat(layout: Layout) -> Layout | None:
    """Return the row-major elements as one axis over the same buffer, or None where no one stride reaches them."""
    if layout.size == 0:
        return Layout((0,), None, layout.offset)
    pairs = [(n, s) for n, s in zip(layout.sizes, layout.strides, strict=True) if n > 1]
    for (_, outer), (n, inner) in pairwise(pairs):
        if outer != n * inner:
            return None
    return Layout((layout.size,), (pairs[-1][1] if pairs else 1,), layout.offset)
