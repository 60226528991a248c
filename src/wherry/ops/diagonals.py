"""Trilu, Eye and EyeLike: the diagonals of matrices over data or zeros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from numpy.typing import NDArray

from wherry import dtypes
from wherry.arguments import as_int, as_ints
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import Layout
from wherry.moves import ComputeMove, CopyMove, DiagonalsMove, Move
from wherry.ops.fill import one_of
from wherry.ops.operator import Operator, unknown_sizes, vector_size
from wherry.ops.values import Scalar, Sizes, ValuesOperator, bits_of, fill, zero_of
from wherry.tensors import TensorType, View

_FEW_DIAGONALS = 8
"""Up to this many diagonals are filled one by one; more are chosen element by element."""


@dataclass(frozen=True, eq=False)
class Trilu(ValuesOperator):
    """`out[.., y, x] = value if begin <= x - y < end else data[.., y, x]`; with `inverted`, the other way round.

    Data is a batch of matrices: 2 axes and more. `begin=None` and `end=None` have no limit on that side;
    `value=None` is the zero of data's type. An end that is not beyond begin is an empty band.
    """

    value: Scalar | None = None
    begin: int | None = None
    end: int | None = None
    inverted: bool = False

    @classmethod
    def triangle(cls, upper: bool, k: Any = 0) -> Trilu:
        """Return the operator that keeps `x - y >= k` (upper) or `x - y <= k` (lower) and zeroes the rest.

        >>> print(Trilu.triangle(upper=True, k=1))
        Trilu(value=None, begin=None, end=1, inverted=False)
        """
        diagonal = as_int("k", k)
        return cls(end=diagonal) if upper else cls(begin=diagonal + 1)

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return data's type, which the result has; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        _check_matrix("data", data.sizes)
        if self.value is not None and self.value.dtype != data.numpy:
            raise InvalidTypeError(
                f"value has dtype {self.value.dtype}, allowed {data.dtype}, that of data; convert it"
            )
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield a copy and the fills of a narrow band, or one selection."""
        (data,), (out,) = inputs, outputs
        value = zero_of(data.dtype) if self.value is None else self.value
        rows, columns = data.layout.sizes[-2:]
        begin, end = clamped(self.begin, self.end, rows, columns)
        if not self.inverted and end - begin <= _FEW_DIAGONALS:
            yield CopyMove(data, out)
            yield from fill_diagonals(value, out, begin, end)
            return
        if not data.dtype.hasobject and _goes_along(data.layout, out.layout):
            yield DiagonalsMove(value.tobytes(), data, out, begin, end, self.inverted)
            return
        yield CopyMove(data, out)
        yield _band(value, out, begin, end, self.inverted)


@dataclass(frozen=True, eq=False)
class Eye(ValuesOperator):
    """`out[.., y, x] = value if begin <= x - y < end else 0`; with `inverted`, the other way round. No input.

    The type of `value` (a NumPy scalar or an array of one element) is that of the result.
    """

    value: Scalar
    sizes: Sizes
    begin: int | None = None
    end: int | None = None
    inverted: bool = False

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    def _check_fields(self) -> None:
        _check_matrix("sizes", self.sizes)

    @classmethod
    def eye(cls, rows: Any, columns: Any, k: Any, dtype: object, batch: Any = ()) -> Eye:
        """Return the operator that makes a batch of matrices of type `dtype` with ones where `x - y == k`.

        Raises InvalidValueError for negative sizes, InvalidTypeError for a type without a zero and a one.

        >>> print(Eye.eye(2, 3, 1, "int8"))
        Eye(value=1, sizes=(2, 3), begin=1, end=2, inverted=False)
        """
        row, diagonal = dtypes.find(dtype), as_int("k", k)
        _check_has_one(row)
        shape = (*as_ints("batch", batch), as_int("rows", rows), as_int("columns", columns))
        names = (*(f"batch[{number}]" for number in range(len(shape) - 2)), "rows", "columns")
        for name, size in zip(names, shape, strict=True):
            if size < 0:
                raise invalid(name, size, "0 and more")
        return cls(one_of(row.numpy), shape, diagonal, diagonal + 1)

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result of `eye` before its sizes are known; see Deferred."""
        if "batch" in given:
            length = vector_size(given["batch"])
            batch = None if length is None else tuple(unknown_sizes(length))
        else:
            batch = tuple(fields.get("batch", ()))
        sizes = None if batch is None else (*batch, fields.get("rows"), fields.get("columns"))
        return (TensorType(fields["dtype"], sizes),)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        return (TensorType(self.value.dtype, self.sizes),)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield the fills of a narrow band, or one selection."""
        (out,) = outputs
        zero, (begin, end) = zero_of(self.value.dtype), clamped(self.begin, self.end, *self.sizes[-2:])
        if not self.inverted and end - begin <= _FEW_DIAGONALS:
            yield fill(zero, out)
            yield from fill_diagonals(self.value, out, begin, end)
            return
        yield fill(zero, out)
        yield _band(self.value, out, begin, end, self.inverted)


@dataclass(frozen=True)
class EyeLike(Operator):
    """`out[y, x] = 1 if x - y == k else 0`, of the sizes of data and the type `dtype` (None: that of data).

    Data is one matrix; its values are not read.
    """

    k: int = 0
    dtype: dtypes.DType | None = None

    reads_values: ClassVar[bool] = False

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        (data,) = inputs
        if data.sizes is not None and len(data.sizes) != 2:
            raise InvalidValueError(f"data has {len(data.sizes)} axes, allowed 2; give it one matrix")
        result = TensorType(self.dtype or data.dtype, data.sizes if data.sizes is not None else (None, None))
        _check_has_one(result.row)
        return (result,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield two fills: zeros, and ones on the diagonal."""
        (out,) = outputs
        yield fill(zero_of(out.dtype), out)
        yield from fill_diagonals(one_of(out.dtype), out, *clamped(self.k, self.k + 1, *out.layout.sizes))


def _check_has_one(row: dtypes.DType | None) -> None:
    if row is None or row.kind not in ("bool", "int", "uint", "float") or row.name == "float8_e8m0fnu":
        raise InvalidTypeError(f"dtype is {row}, allowed bool, integers and floats; they have a zero and a one")


def _check_matrix(what: str, sizes: Sequence[object] | None) -> None:
    if sizes is not None and len(sizes) < 2:
        raise InvalidValueError(f"{what} has {len(sizes)} axes, allowed 2 and more: rows and columns come last")


def clamped(begin: int | None, end: int | None, rows: int, columns: int) -> tuple[int, int]:
    """Return begin and end cut to the diagonals that a matrix has, with begin <= end."""
    low = -rows if begin is None else min(max(begin, -rows), columns)
    high = columns if end is None else min(max(end, -rows), columns)
    return low, max(low, high)


def fill_diagonals(value: NDArray[Any], out: View, begin: int, end: int) -> Iterator[Move]:
    """Yield the fill of each diagonal `x - y == k` for k in begin..end-1, in every matrix of `out`."""
    *batch, rows, columns = out.layout.sizes
    *batch_strides, down, right = out.layout.strides
    for k in range(begin, end):
        y, x = max(0, -k), max(0, k)
        length = min(rows - y, columns - x)
        if length > 0 and 0 not in batch:
            offset = out.layout.offset + y * down + x * right
            yield fill(value, out.over(Layout((*batch, length), (*batch_strides, down + right), offset)))


def _goes_along(data: Layout, out: Layout) -> bool:
    """Whether both step more finely along rows, or both along columns."""
    finer = [abs(layout.strides[-1]) <= abs(layout.strides[-2]) for layout in (data, out)]
    return finer[0] == finer[1]


def _band(value: NDArray[Any], out: View, begin: int, end: int, inverted: bool) -> Move:
    """Return the move that fills the band, or what lies outside it, and leaves the rest."""
    if not out.dtype.hasobject:
        return DiagonalsMove(value.tobytes(), None, out, begin, end, inverted)
    band = partial(_write_band, value=value, begin=begin, end=end, inverted=inverted)
    return ComputeMove("band", band, (), out, writes=True)


def _write_band(target: NDArray[Any], value: NDArray[Any], begin: int, end: int, inverted: bool) -> None:
    """Write the value inside the band, or outside it, line by line of the shorter axis."""
    bits, element = bits_of(target), bits_of(value)
    if bits.shape[-1] < bits.shape[-2]:
        bits, begin, end = bits.swapaxes(-1, -2), 1 - end, 1 - begin
    rows, columns = bits.shape[-2:]
    for y in range(rows):
        first = min(max(y + begin, 0), columns)
        last = min(max(y + end, first), columns)
        for low, high in ((0, first), (last, columns)) if inverted else ((first, last),):
            bits[..., y, low:high] = element
