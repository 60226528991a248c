"""Extreme and Clip: the least or greatest of several elements, and elements clipped to a range."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry.errors import InvalidTypeError, InvalidValueError, invalid
from wherry.moves import CalculateMove, ComputeMove, CopyMove, Move
from wherry.moves.calculate import can_calculate
from wherry.ops.elementwise import Elementwise, bits_dtype, check_types
from wherry.ops.values import ValuesOperator, as_scalar
from wherry.tensors import TensorType, View

Array = NDArray[Any]


class ExtremeFunction(StrEnum):
    """Which of two elements is taken."""

    MINIMUM = "minimum"
    """The lesser; of bools and. -0.0 is less than 0.0."""
    MAXIMUM = "maximum"
    """The greater; of bools or. 0.0 is greater than -0.0."""


class NanOperand(StrEnum):
    """The result where an element is NaN."""

    PROPAGATE = "propagate"
    """NaN."""
    NUMBER = "number"
    """The other element; NaN only where both are."""


_UFUNCS: Mapping[tuple[ExtremeFunction, NanOperand], Callable[..., Array]] = {
    (ExtremeFunction.MINIMUM, NanOperand.PROPAGATE): np.minimum,
    (ExtremeFunction.MAXIMUM, NanOperand.PROPAGATE): np.maximum,
    (ExtremeFunction.MINIMUM, NanOperand.NUMBER): np.fmin,
    (ExtremeFunction.MAXIMUM, NanOperand.NUMBER): np.fmax,
}


@dataclass(frozen=True)
class Extreme(Elementwise):
    """`out[c]` is the least, or the greatest, of the elements at c of all inputs; `nan` says what NaN does.

    Bits are kept, but for NaN, of which any may come out. Inputs: one or more.
    """

    function: ExtremeFunction
    nan: NanOperand = NanOperand.PROPAGATE

    @property
    def calculation(self) -> str:
        """The core's name of the function, which propagates NaN."""
        return self.function if self.nan is NanOperand.PROPAGATE else ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of element types that the operator takes."""
        return ("int", "uint", "float", "bool")

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        ufunc = _UFUNCS[self.function, self.nan]
        one = ufunc if dtype.kind in "iub" else partial(extreme_of_floats, self.function, ufunc)
        return partial(_all_into, one), True

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield one computation."""
        if not inputs:
            raise InvalidValueError("inputs has 0 entries, allowed 1 and more")
        yield from super().lower(inputs, outputs, subject)


def _all_into(function: Callable[..., Array], first: Array, *others: Array) -> None:
    """Write the extreme of all arrays but the last, which is the target."""
    *operands, target = others
    if not operands:
        np.copyto(target, first)
        return
    for operand in operands[:-1]:
        first = function(first, operand)
    function(first, operands[-1], out=target)


def extreme_of_floats(
    function: ExtremeFunction, ufunc: Callable[..., Array], a: Array, b: Array, out: Array | None = None
) -> Array:
    """Return the extremes of floats; of two zeros the negative one is the lesser, which NumPy leaves to the machine."""
    bits = bits_dtype(a.dtype)
    joined = np.bitwise_or if function is ExtremeFunction.MINIMUM else np.bitwise_and
    with np.errstate(invalid="ignore"):
        result = np.asarray(ufunc(a, b))
        same = np.equal(a, b)  # equal numbers have equal bits, but for zeros
    np.copyto(result.view(bits), joined(a.view(bits), b.view(bits)), where=same)
    if out is None:
        return result
    np.copyto(out, result)
    return out


class Crossed(StrEnum):
    """What becomes of a range whose least number is above its greatest."""

    GREATEST = "greatest"
    """Every element becomes the greatest number."""
    LEAST = "least"
    """Every element becomes the least number."""
    RAISE = "raise"
    """Refuse."""


def _as_bound(field: str, value: Any) -> Array | float:
    if isinstance(value, float) and not isinstance(value, np.generic):
        if math.isnan(value):
            raise invalid(field, value, "numbers")
        return value
    return as_scalar(field, value)


Bound = Annotated[Array | float, _as_bound]
"""A field that holds one element of the type of the data, or a number of no type."""


@dataclass(frozen=True, eq=False)
class Clip(ValuesOperator):
    """`out[c]` is data[c], or `least` where that is less, or `greatest` where that is more; None has no bound.

    A Python float bounds data of any type: of integers those that are not beyond it are kept, of floats the nearest
    one is the bound. A zero in data stays where the bound is the other zero, and so does NaN; a bound of NaN is none.
    """

    least: Bound | None = None
    greatest: Bound | None = None
    crossed: Crossed = Crossed.GREATEST

    input_names: ClassVar[tuple[str, ...]] = ("data",)

    def _check_fields(self) -> None:
        least, greatest = self.least, self.greatest
        if self.crossed is Crossed.RAISE and least is not None and greatest is not None and least > greatest:
            raise InvalidValueError(f"least is {least}, allowed up to {greatest}, the greatest number")

    @staticmethod
    def expect(fields: Mapping[str, Any], given: Mapping[str, TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Deferred."""
        return (given["data"],)

    def infer(self, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
        """Return the type of data; see Operator."""
        (data,) = inputs
        check_types("clip", ("int", "uint", "float"), [("data", data)])
        for name in ("least", "greatest"):
            bound = getattr(self, name)
            if isinstance(bound, np.ndarray) and TensorType.of(bound).row != data.row:
                raise InvalidTypeError(
                    f"{name} has dtype {bound.dtype}, allowed {data.dtype}, that of data; convert it first"
                )
        return (data,)

    def lower(self, inputs: Sequence[View], outputs: Sequence[View], subject: str) -> Iterator[Move]:
        """Yield a computation for each bound, or one where the core does not compute it."""
        (data,), (target,) = inputs, outputs
        if not can_calculate("raise_to", data.dtype):
            least, greatest = (self.bound(name, data.dtype) for name in ("least", "greatest"))
            yield ComputeMove("clip", partial(self.clip_into, least, greatest), (data,), target, writes=True)
            return
        for name, outside, bound in self.bounds(data.dtype):
            yield CalculateMove("clip", partial(_bounded, outside, bound), (data,), target, True, name, bound.tobytes())
            data = target
        if data != target:
            yield CopyMove(data, target)

    def bounds(self, dtype: np.dtype[Any]) -> Iterator[tuple[str, Callable[..., Array], Array]]:
        """Yield the bounds of data in order: the core's name, a comparison for numbers outside, and an element."""
        each = [("raise_to", np.less, "least"), ("lower_to", np.greater, "greatest")]
        for function, outside, name in each if self.crossed is not Crossed.LEAST else each[::-1]:
            bound = self.bound(name, dtype)
            if bound is not None and bound == bound:  # noqa: PLR0124  # NaN bounds nothing
                yield function, outside, bound.astype(dtype)

    def bound(self, name: str, dtype: np.dtype[Any]) -> Array | None:
        """Return a bound as an element of data's type: of integers the last one that is not beyond it."""
        value = getattr(self, name)
        if not isinstance(value, float):
            return value  # type: ignore[no-any-return]
        if dtype.kind not in "iu":
            with np.errstate(over="ignore"):
                return np.array(value).astype(dtype)
        limits = np.iinfo(dtype)
        if math.isinf(value):
            return np.array(limits.min if value < 0 else limits.max, dtype)
        whole = math.ceil(value) if name == "least" else math.floor(value)
        return np.array(min(max(whole, limits.min), limits.max), dtype)

    def clip_into(self, least: Array | None, greatest: Array | None, data: Array, target: Array) -> None:
        """Write data within bounds of its type."""
        np.copyto(target, data)
        bounds = [(np.less, least), (np.greater, greatest)]
        with np.errstate(invalid="ignore"):
            for outside, bound in bounds if self.crossed is not Crossed.LEAST else bounds[::-1]:
                if bound is not None:
                    np.copyto(target, bound, where=outside(target, bound))


def _bounded(outside: Callable[..., Array], bound: Array, data: Array, target: Array) -> None:
    """Write data, and the bound where it is outside."""
    with np.errstate(invalid="ignore"):
        chosen = outside(data, bound)
    np.copyto(target, data)
    np.copyto(target, bound, where=chosen)
