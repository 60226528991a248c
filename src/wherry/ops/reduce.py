"""Reduce, Accumulate, ArgExtreme: sums, products and extremes along axes, and the positions of extremes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors, limits
from wherry.arguments import normalized_axis
from wherry.errors import InvalidValueError, invalid
from wherry.moves import AccumulateMove, Move, PlaceMove, ReduceMove
from wherry.moves.move import nbytes
from wherry.ops.elementwise import check_types
from wherry.ops.extremes import ExtremeFunction
from wherry.ops.operator import Operator, set_fields, unknown_sizes, vector_size
from wherry.ops.reshape import Axes
from wherry.tensors import Size, TensorType, View

Array = NDArray[Any]

_INT64 = dtypes.find("int64")
_INTEGERS = ("int", "uint")


class ReduceFunction(StrEnum):
    """A function of all elements along the reduced axes."""

    SUM = "sum"
    """Their sum, which wraps around; 0 of none."""
    PRODUCT = "product"
    """Their product, which wraps around; 1 of none."""
    MINIMUM = "minimum"
    """The least; of bools and. Of none the greatest number, or infinity; -0.0 is less than 0.0; NaN if one is."""
    MAXIMUM = "maximum"
    """The greatest; of bools or. Of none the least number, or -infinity; 0.0 is greater than -0.0; NaN if one is."""


class EmptyAxes(StrEnum):
    """Which axes an empty list of axes names."""

    ALL = "all"
    NONE = "none"


_REDUCED: Mapping[ReduceFunction, tuple[Any, tuple[str, ...]]] = {
    ReduceFunction.SUM: (np.add, _INTEGERS),
    ReduceFunction.PRODUCT: (np.multiply, _INTEGERS),
    ReduceFunction.MINIMUM: (np.minimum, (*_INTEGERS, "float", "bool")),
    ReduceFunction.MAXIMUM: (np.maximum, (*_INTEGERS, "float", "bool")),
}
"""The ufunc of each function, and the kinds of element types that it takes: sums of floats depend on their order."""

REDUCIBLE = {function: kinds for function, (_, kinds) in _REDUCED.items()}
"""The kinds of element types that each function takes."""


@dataclass(frozen=True)
class Reduce(Operator):
    """`out[c] = function of data[c, r] for all r`, where r runs over `axes` and c over the other axes.

    Negative axes count from the end. With `keep_axes` the reduced axes stay, with size 1. `empty_axes` says which
    axes are reduced where `axes` is empty. Sums and products are of integers only.
    """

    function: ReduceFunction
    axes: Axes = ()
    keep_axes: bool = True
    empty_axes: EmptyAxes = EmptyAxes.ALL

    def _check_fields(self) -> None:
        if self.axes:
            set_fields(self, empty_axes=EmptyAxes.ALL)

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result before the axes are known; see Deferred."""
        data = given["data"]
        if data.sizes is None:
            return (data,)
        ndim, count = len(data.sizes), vector_size(given.get("axes"))
        if fields.get("keep_axes", True):
            return (data.with_sizes(unknown_sizes(ndim)),)
        return (data.with_sizes(unknown_sizes(ndim - count) if count and count <= ndim else None),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        (data,) = inputs
        check_types(self.function, REDUCIBLE[self.function], [("data", data)])
        if data.sizes is None:
            return (data,)
        return (data.with_sizes(reduced_sizes(data.sizes, self.reduced(len(data.sizes)), self.keep_axes)),)

    def reduced(self, ndim: int) -> tuple[int, ...]:
        """Return the axes that are reduced of data of so many axes. Raises InvalidValueError for one named twice."""
        if not self.axes:
            return tuple(range(ndim)) if self.empty_axes is EmptyAxes.ALL else ()
        found: dict[int, int] = {}
        for number, axis in enumerate(self.axes):
            normal = normalized_axis(axis, ndim, field=f"axes[{number}]")
            if normal in found:
                raise InvalidValueError(f"axes[{number}] is {axis}, the axis of axes[{found[normal]}]; name each once")
            found[normal] = number
        return tuple(sorted(found))

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        (data,), (out,) = inputs, outputs
        check_read(data, subject)
        axes = self.reduced(data.layout.ndim)
        function = partial(self.reduce_into, axes=axes)
        yield ReduceMove(self.function, function, (data,), out, True, self.function, axes, self.of_none(data.dtype))

    def of_none(self, dtype: np.dtype[Any]) -> bytes:
        """Return the result for no elements, the bytes of one element."""
        return np.array(_of_nothing(self.function, dtype), dtype).tobytes()

    def reduce_into(self, data: Array, out: Array, axes: tuple[int, ...]) -> None:
        """Write the result for an array of any strides."""
        ufunc, _ = _REDUCED[self.function]
        if self.function in (ReduceFunction.SUM, ReduceFunction.PRODUCT):
            ufunc.reduce(data, axes, dtypes.native(data.dtype), out, self.keep_axes)
            return
        first = _of_nothing(self.function, data.dtype)
        if data.dtype.kind in "iub":
            ufunc.reduce(data, axes, None, out, self.keep_axes, first)
            return
        with np.errstate(invalid="ignore"):
            found = np.asarray(ufunc.reduce(data, axes, None, None, self.keep_axes, first))
            _choose_zero(ExtremeFunction(self.function), data, axes, found, self.keep_axes)
        np.copyto(out, found)


def _choose_zero(function: ExtremeFunction, data: Array, axes: tuple[int, ...], found: Array, keep_axes: bool) -> None:
    """Give extremes that are 0 the sign of the lesser, or the greater, zero among the elements."""
    zeros = found == 0
    if np.count_nonzero(zeros):
        wanted = np.signbit(data) == (function is ExtremeFunction.MINIMUM)
        some = np.any((data == 0) & wanted, axes, keepdims=keep_axes)
        zero = np.zeros((), data.dtype)
        lesser = function is ExtremeFunction.MINIMUM
        np.copyto(found, np.where(some == lesser, np.negative(zero), zero), where=zeros)


def _of_nothing(function: ReduceFunction, dtype: np.dtype[Any]) -> Any:
    """Return the sum, product or extreme of no elements."""
    if function in (ReduceFunction.SUM, ReduceFunction.PRODUCT):
        return function is ReduceFunction.PRODUCT
    greatest = function is ReduceFunction.MINIMUM
    if dtype.kind == "b":
        return greatest
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return limits.max if greatest else limits.min
    return np.array(np.inf if greatest else -np.inf, dtype)[()]


def reduced_sizes(sizes: Sequence[Size], axes: Sequence[int], keep_axes: bool) -> list[Size]:
    """Return the sizes that are left, or 1 in place of those of reduced axes."""
    return [1 if axis in axes else size for axis, size in enumerate(sizes) if keep_axes or axis not in axes]


def check_read(data: View, subject: str) -> None:
    """Raise ResourceLimitError for a view that repeats few bytes of memory so often that to read it would never end."""
    with errors.subject(subject):
        limits.check_bytes(nbytes(data), "the elements to read", data.layout.span * data.dtype.itemsize)


class AccumulateFunction(StrEnum):
    """A function of an element and those before it."""

    SUM = "sum"
    PRODUCT = "product"


@dataclass(frozen=True)
class Accumulate(Operator):
    """`out[.., n, ..]` is the sum, or the product, of data[.., 0..n, ..] along `axis`; integers wrap around.

    With `exclusive` element n itself is left out; with `reverse` the sums start at the end of the axis.
    """

    function: AccumulateFunction
    axis: int = 0
    exclusive: bool = False
    reverse: bool = False

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        check_types(self.function, _INTEGERS, [("data", data)])
        if data.sizes is not None:
            normalized_axis(self.axis, len(data.sizes))
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        (data,), (out,) = inputs, outputs
        axis, multiplies = normalized_axis(self.axis, data.layout.ndim), self.function is AccumulateFunction.PRODUCT
        rules = axis, multiplies, self.exclusive, self.reverse
        yield AccumulateMove(f"running {self.function}", self.accumulate_into, (data,), out, True, *rules)

    def accumulate_into(self, data: Array, out: Array) -> None:
        """Write the result for an array of any strides."""
        ufunc = np.add if self.function is AccumulateFunction.SUM else np.multiply
        around: tuple[Any, ...] = (slice(None),) * (self.axis % data.ndim)
        if self.reverse:
            data, out = (array[(*around, slice(None, None, -1))] for array in (data, out))
        if self.exclusive and out.size:
            out[(*around, 0)] = ufunc.identity
            data, out = data[(*around, slice(None, -1))], out[(*around, slice(1, None))]
        ufunc.accumulate(data, self.axis, dtypes.native(data.dtype), out)


_PLACES = ("int64", "int32", "uint64", "uint32")


def _as_place_dtype(field: str, dtype: object) -> dtypes.DType:
    """Return the row of one of the types that places have; raises InvalidValueError for any other type."""
    row = dtypes.find(dtype)
    if row.name not in _PLACES:
        raise invalid(field, str(row), ", ".join(_PLACES))
    return row


PlaceType = Annotated[dtypes.DType, _as_place_dtype]
"""A field that holds the type of places."""


@dataclass(frozen=True)
class ArgExtreme(Operator):
    """The place along `axis` of the least, or the greatest, element: the first of equal ones, or with `last` the last.

    -0.0 equals 0.0; NaN is beyond all numbers, so that the place is that of the first (or last) NaN if there is one.
    An axis of size 0 has no place; it is refused unless the result is empty. `dtype` is that of the places.
    """

    function: ExtremeFunction
    axis: int = 0
    keep_axis: bool = True
    last: bool = False
    dtype: PlaceType = _INT64

    input_names: ClassVar[tuple[str, ...]] = ("data",)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the places; see Operator."""
        (data,) = inputs
        check_types(f"the place of the {self.function}", (*_INTEGERS, "float"), [("data", data)])
        if data.sizes is None:
            return (TensorType(self.dtype, None),)
        axis = normalized_axis(self.axis, len(data.sizes))
        sizes = reduced_sizes(data.sizes, (axis,), self.keep_axis)
        if data.sizes[axis] == 0 and 0 not in sizes:
            raise invalid(f"size of axis {axis}", 0, "1 and more", "no element is the extreme of none")
        return (TensorType(self.dtype, sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        check_read(inputs[0], subject)
        (data,), (out,) = inputs, outputs
        axis = normalized_axis(self.axis, data.layout.ndim)
        greatest = self.function is ExtremeFunction.MAXIMUM
        yield PlaceMove(
            f"place of {self.function}", self.places_into, (data,), out, True, axis, self.keep_axis, greatest, self.last
        )

    @property
    def find(self) -> Callable[..., Array]:
        """NumPy's function for the place of the first."""
        return np.argmin if self.function is ExtremeFunction.MINIMUM else np.argmax

    def places_into(self, data: Array, out: Array) -> None:
        """Write the result for an array of any strides."""
        if out.size == 0:
            return
        if not self.last:
            np.copyto(out, self.find(data, self.axis, keepdims=self.keep_axis), casting="unsafe")
            return
        from_end = self.find(np.flip(data, self.axis), self.axis, keepdims=self.keep_axis)
        np.copyto(out, data.shape[self.axis] - 1 - from_end, casting="unsafe")
