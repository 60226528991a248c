"""Range: equidistant numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.layout import LIMIT
from wherry.moves import ComputeMove, Move, RangeMove
from wherry.ops.conversion import integer_range, to_float
from wherry.ops.operator import set_fields
from wherry.ops.values import Sizes, ValuesOperator, as_scalar, flat
from wherry.tensors import TensorType, View

Array = NDArray[Any]


class Steps(StrEnum):
    """How an element is computed; floats differ in the last bits."""

    MULTIPLY = "multiply"
    """`start + n * delta`: a product, then a sum."""
    ACCUMULATE = "accumulate"
    """The element before plus delta."""


def as_given(field: str, value: Any) -> Any:
    """Return the value as it is: the type that Range casts it to is known only with the other fields."""
    return value


@dataclass(frozen=True, eq=False)
class Range(ValuesOperator):
    """`out[n] = start + n * delta`; the n-th element in row-major order where `sizes` are given. There is no input.

    Either `sizes`, or a `limit` that is not reached: then the result is a vector of
    `max(ceil((limit - start) / delta), 0)` elements. `start`, `limit` and `delta` are cast to `compute` (toward zero
    where that is an integer type), all arithmetic is done there, and the results are cast to `dtype`. `dtype=None` is
    the type of start, `compute=None` is dtype. Integers wrap. The number of elements is exact for integers; for
    floats the difference is taken in `compute` and divided in float64. NaN, a delta of 0 and a limit without end are
    refused; with `sizes`, which nothing has to reach, a delta of 0 is fine, and so is NaN in a float.
    """

    start: Annotated[Array, as_given]
    delta: Annotated[Array, as_given]
    limit: Annotated[Array, as_given] | None = None
    sizes: Sizes | None = None
    dtype: DType | None = None
    compute: DType | None = None
    steps: Steps = Steps.MULTIPLY

    input_names: ClassVar[tuple[str, ...]] = ()
    reads_values: ClassVar[bool] = False

    def _check_fields(self) -> None:
        if (self.limit is None) == (self.sizes is None):
            raise InvalidValueError("limit and sizes are both given or both missing, allowed exactly one of them")
        dtype = dtypes.find(np.asarray(self.start).dtype) if self.dtype is None else self.dtype
        compute = dtype if self.compute is None else self.compute
        for name, row in (("dtype", dtype), ("compute", compute)):
            if not (row.is_integer or row.kind == "float") or row.bits < 8:
                raise InvalidTypeError(f"{name} is {row}, allowed integers and floats of 8 bits and more")
        if dtype.is_integer != compute.is_integer:
            raise InvalidTypeError(f"compute is {compute}, allowed a type of the kind of {dtype}, that of the result")
        ends = self.sizes is None
        set_fields(
            self,
            start=_cast("start", self.start, compute, ends),
            delta=_cast("delta", self.delta, compute, ends),
            limit=None if self.limit is None else _cast("limit", self.limit, compute, ends),
            dtype=dtype,
            compute=compute,
        )
        if self.sizes is None and self._count > LIMIT:
            raise invalid("limit", self.limit[()], f"one that is reached in {LIMIT} steps",  # type: ignore[index]
                          f"start is {self.start[()]}, delta {self.delta[()]}")  # fmt: skip

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result before the values are known; see Deferred."""
        dtype = fields.get("dtype")
        if dtype is None:
            dtype = given["start"].dtype if "start" in given else np.asarray(fields["start"]).dtype
        return (TensorType(dtype, fields.get("sizes", (None,))),)

    @cached_property
    def _count(self) -> int:
        """The number of elements before the limit; beyond LIMIT where it is never reached."""
        assert self.limit is not None
        if self.delta == 0:
            raise invalid("delta", 0, "any number but 0", "the limit is never reached")
        if self.limit.dtype.kind in "iu":
            return max(0, -((int(self.start) - int(self.limit)) // int(self.delta)))
        with np.errstate(over="ignore", invalid="ignore"):
            count = float(self.limit - self.start) / float(self.delta)
        if math.isnan(count) or math.isinf(count):
            return 0 if count < 0 else LIMIT + 1
        return max(0, math.ceil(count))

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of the result; see Operator."""
        return (TensorType(self.dtype, self._sizes),)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return (self._count,) if self.sizes is None else self.sizes

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one sequence of the core, or one computation."""
        (out,) = outputs
        line, numbers = flat(out.layout), self._for_core
        if line is None or numbers is None:
            yield ComputeMove("range", self._values, (), out)
        else:
            yield RangeMove(*numbers, out.over(line))

    @property
    def _for_core(self) -> tuple[bytes, bytes] | None:
        """Start and delta as bytes of the result's type, where the core's arithmetic is the same; None otherwise.

        Integers that are computed in more bits than the result has are the same modulo its own. NaN may have any bits.
        """
        assert self.compute is not None
        assert self.dtype is not None
        if self.dtype.is_integer:
            modulus, width = 2**self.dtype.bits, self.dtype.numpy.itemsize
            start, delta = ((int(n) % modulus).to_bytes(width, sys.byteorder) for n in (self.start, self.delta))
            return (start, delta) if self.dtype.bits <= self.compute.bits else None
        same = self.compute == self.dtype and self.dtype.bits >= 32 and self.steps is Steps.MULTIPLY
        finite = np.isfinite(self.start) and np.isfinite(self.delta)
        return (self.start.tobytes(), self.delta.tobytes()) if same and finite else None

    def _values(self) -> Array:
        assert self.compute is not None
        assert self.dtype is not None
        count = math.prod(self._sizes)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.compute.is_integer:
                modulus = np.array([int(self.start) % 2**64, int(self.delta) % 2**64], np.uint64)
                values = modulus[0] + np.arange(count, dtype=np.uint64) * modulus[1]
                values = values.astype(self.compute.numpy)
            elif self.steps is Steps.MULTIPLY:
                values = self.start + np.arange(count).astype(self.compute.numpy) * self.delta
            else:
                values = np.full(count, self.delta)
                values[:1] = self.start
                values = np.add.accumulate(values)
            results = np.asarray(values, self.compute.numpy)
            if not self.dtype.is_integer:
                return to_float(results, self.dtype).reshape(self._sizes)
            return results.astype(self.dtype.numpy).reshape(self._sizes)


def _cast(field: str, value: Any, compute: DType, ends: bool) -> Array:
    """Return one number as `compute`: toward zero from a float to an integer, which must be in range.

    NaN is none where the sequence `ends` at a limit, or where an integer is wanted.
    """
    scalar = as_scalar(field, value, compute)
    row = dtypes.of(scalar.dtype)
    if row is None or not (row.is_integer or row.kind == "float"):
        raise InvalidTypeError(f"{field} has dtype {scalar.dtype}, allowed integers and floats")
    if row.kind == "float" and math.isnan(float(scalar)) and (ends or compute.is_integer):
        raise invalid(field, "NaN", "numbers")
    if row.kind == "float" and compute.is_integer:
        (least, most), number = integer_range(compute), float(scalar)
        if math.isinf(number) or not least <= math.trunc(number) <= most:
            raise invalid(field, number, f"{least}..{most}", f"it is cast to {compute}")
        return as_scalar(field, np.array(math.trunc(number), compute.numpy))
    with np.errstate(over="ignore"):
        return as_scalar(field, np.asarray(scalar.astype(compute.numpy)))


def accumulation_type(dtype: DType) -> DType:
    """Return a type that holds any sum of numbers of a type, negative steps included."""
    if not dtype.is_integer:
        return dtypes.find("float64")
    return dtype if dtype.name == "uint64" else dtypes.find("int64")


def count(start: Any, limit: Any, delta: Any, dtype: DType) -> Range:
    """Return the Range of a type that adds: start, and as often as limit is not reached, delta more."""
    return Range(
        start, delta, limit, dtype=dtype, compute=accumulation_type(dtypes.find(dtype)), steps=Steps.ACCUMULATE
    )
