"""NonZero and NonZeroCoordinates: the coordinates of the elements that are not zero."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import _core, dtypes
from wherry.errors import InvalidTypeError, SizeOverflowError, invalid
from wherry.moves import ComputeMove, Move
from wherry.ops.operator import Operator, at_least
from wherry.ops.shape_of import IndexType
from wherry.ops.values import Data, ValuesOperator
from wherry.tensors import Size, TensorType, View

Array = NDArray[Any]

_INT64 = dtypes.find("int64")
_UINT32 = dtypes.find("uint32")


class ScalarCoordinates(StrEnum):
    """How many coordinates an element of a tensor without axes has."""

    NONE = "none"
    """None: the result has no rows."""
    ONE = "one"
    """One, as if the scalar were a vector of one element."""


@dataclass(frozen=True, eq=False)
class NonZero(ValuesOperator):
    """`out[axis, n]` = the coordinate on `axis` of the n-th element of data, in row-major order, that is not zero.

    Zero is 0, -0.0, False and the empty string; NaN is not zero. There is no input: `data` is a field, because its
    values decide the sizes.
    """

    data: Data
    scalar: ScalarCoordinates = ScalarCoordinates.NONE
    dtype: IndexType = _INT64

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result before data is known; see Deferred."""
        ndim, scalar = given["data"].ndim, fields.get("scalar", ScalarCoordinates.NONE)
        rows = 1 if ndim == 0 and scalar == ScalarCoordinates.ONE else ndim
        return (TensorType(fields.get("dtype", _INT64), (rows, None)),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        rows = 1 if self.data.ndim == 0 and self.scalar is ScalarCoordinates.ONE else self.data.ndim
        return (TensorType(self.dtype, (rows, self._search.count)),)

    def fold(self, inputs: Sequence[TensorType]) -> tuple[Array, ...]:
        """Return the coordinates."""
        out = np.empty(self.infer(inputs)[0].shape, self.dtype.numpy)
        self._write(out)
        return (out,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the one move that writes the coordinates where they go."""
        yield ComputeMove("coordinates", self._write, (), outputs[0], writes=True)

    def maker(self) -> Callable[[Array], tuple[Array, ...]] | None:
        """Return what makes the coordinates in other data; see Operator."""
        if self.data.ndim == 0:
            return None
        dtype, bits = self.dtype.numpy, nonzero_bits(self.data.dtype)
        if bits is None:
            return lambda data: (_coordinates(data, dtype),)
        return lambda data: (_core.nonzero(data, bits, dtype),)

    @cached_property
    def _search(self) -> _core.NonZero:
        return search(self.data)

    def _write(self, out: Array) -> None:
        if self.data.ndim == 0:
            out[...] = 0
        else:
            self._search.coordinates(out)


@dataclass(frozen=True)
class NonZeroCoordinates(Operator):
    """`coordinates[.., n, k]` = coordinate `ndim - columns + k` of the n-th element, in row-major order, not zero.

    Outputs of uint32: count (one element, `count_ndim` axes) and coordinates of sizes [1.., elements of data, columns]
    with `coordinates_ndim` axes; rows from count on are zero. `columns` leaves out leading axes of size 1 only.
    """

    columns: Annotated[int, at_least(0)]
    count_ndim: Annotated[int, at_least(0)] = 1
    coordinates_ndim: Annotated[int, at_least(2)] = 2

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the types of count and coordinates; see Operator."""
        (data,) = inputs
        size: Size = None
        if data.sizes is not None:
            ndim = len(data.sizes)
            least = next((ndim - axis for axis, n in enumerate(data.sizes) if isinstance(n, int) and n != 1), 0)
            if not least <= self.columns <= ndim:
                raise invalid(
                    "columns", self.columns, f"{least}..{ndim}", "only leading axes of size 1 may be left out"
                )
        if data.is_known:
            size = math.prod(data.shape)
            if size >= 2**32:
                raise SizeOverflowError(f"data has {size} elements, allowed up to {2**32 - 1}: uint32 counts them")
        leading = (1,) * (self.coordinates_ndim - 2)
        return (TensorType(_UINT32, (1,) * self.count_ndim), TensorType(_UINT32, (*leading, size, self.columns)))

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the computation of the count and of the coordinates."""
        count, coordinates = outputs

        def counted(data: Array) -> Array:
            return np.full(count.layout.sizes, search(data).count, np.uint32)

        def listed(data: Array, out: Array) -> None:
            found = search(data.squeeze(tuple(range(data.ndim - self.columns))))
            rows = out[(0,) * (out.ndim - 2)]
            found.coordinates(rows[: found.count].T)
            rows[found.count :] = 0

        yield ComputeMove("nonzero_count", counted, tuple(inputs), count)
        yield ComputeMove("nonzero_coordinates", listed, tuple(inputs), coordinates, writes=True)


def _coordinates(data: Array, dtype: np.dtype[Any]) -> Array:
    found = search(data)
    out = np.empty((data.ndim, found.count), dtype)
    found.coordinates(out)
    return out


def search(data: Array) -> _core.NonZero:
    """Return how many elements are not zero, and where: by their bits where these tell, else by their values."""
    bits = nonzero_bits(data.dtype)
    return _core.NonZero(is_nonzero(data), 255) if bits is None else _core.NonZero(data, bits)


def nonzero_bits(dtype: np.dtype[Any]) -> int | None:
    """Return the bits of which an element that is not zero has one; None for a type whose bits do not tell."""
    row = dtypes.of(dtype)
    if row is None or row.bits not in (8, 16, 32, 64) or not dtype.isnative:
        return None
    if dtype.kind in "biu":
        return int(2**row.bits - 1)
    if dtype.kind == "f" or row.name == "bfloat16":
        return int(2 ** (row.bits - 1) - 1)  # all but the sign
    return None


def is_nonzero(data: Array) -> NDArray[np.bool_]:
    """Return where elements are not zero: NaN is not, -0.0 and the empty string are."""
    if data.dtype.kind in "OUS":
        return np.asarray(data != (b"" if data.dtype.kind == "S" else ""))
    if dtypes.of(data.dtype) is None:
        raise InvalidTypeError(f"data has dtype {data.dtype}, allowed numbers, bool and strings")
    with np.errstate(invalid="ignore"):  # a signalling NaN
        return np.asarray((data.astype(np.float32) if data.dtype.kind == "V" else data) != 0)
