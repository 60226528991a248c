"""Divide and Remainder of integers and floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.errors import InvalidValueError
from wherry.moves import ComputeMove, DivideMove
from wherry.ops.elementwise import Elementwise, quietly
from wherry.tensors import View

Array = NDArray[Any]


class Quotient(StrEnum):
    """How the quotient of integers is rounded."""

    TRUNCATE = "truncate"
    """Toward zero: -7 / 2 is -3, and the remainder -1 has the sign of the dividend."""
    FLOOR = "floor"
    """Down: -7 / 2 is -4, and the remainder 1 has the sign of the divisor."""


class ByZero(StrEnum):
    """What becomes of an integer divided by 0."""

    RAISE = "raise"
    """Refuse, and name the place; nothing is written by this operator."""
    ZERO = "zero"
    """The quotient is 0, as AArch64's instruction gives it, and the remainder the dividend."""


class Division(NamedTuple):
    """The core's function on two integers: see DivideMove."""

    is_remainder: bool
    floors: bool
    takes_zero: bool
    wraps: bool


class QuotientOverflow(StrEnum):
    """What becomes of the least integer divided by -1, whose quotient no integer of its type holds."""

    RAISE = "raise"
    """Refuse, and name the place; nothing is written by this operator."""
    WRAP = "wrap"
    """The least integer again."""


@dataclass(frozen=True)
class Divide(Elementwise):
    """`out[c] = a[c] / b[c]`: of floats the nearest one to the quotient, of integers as the fields say."""

    rounding: Quotient = Quotient.TRUNCATE
    by_zero: ByZero = ByZero.RAISE
    overflow: QuotientOverflow = QuotientOverflow.RAISE

    @property
    def calculation(self) -> str:
        """The core's name of a quotient of floats."""
        return "divide"

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        if dtype.kind not in "iu":
            return quietly(np.divide, dtype), True
        return partial(self._quotients, subject=subject), False

    def by_core(self, dtype: np.dtype[Any]) -> bool:
        """Return whether the core computes the function of arrays of a type; of integers it does."""
        return dtype.kind in "iu" or super().by_core(dtype)

    def _computation(
        self, function: Callable[..., Any], sources: tuple[View, ...], target: View, writes: bool
    ) -> ComputeMove:
        if writes:
            return super()._computation(function, sources, target, writes)
        return DivideMove(self.words, function, sources, target, False, *self.division)

    @property
    def division(self) -> Division:
        """How the core divides integers."""
        wraps = self.overflow is QuotientOverflow.WRAP
        return Division(False, self.rounding is Quotient.FLOOR, self.by_zero is ByZero.ZERO, wraps)

    def _quotients(self, a: Array, b: Array, subject: str) -> Array:
        try:
            with np.errstate(divide=_numpys(self.by_zero), over=_numpys(self.overflow)):
                if self.rounding is Quotient.TRUNCATE and a.dtype.kind == "i":
                    a = np.subtract(a, np.fmod(a, b))
                return np.asarray(np.floor_divide(a, b))
        except FloatingPointError:
            with errors.subject(subject):
                raise _undefined(a, b) from None


def _numpys(rule: ByZero | QuotientOverflow) -> Literal["raise", "ignore"]:
    """Return what NumPy calls a rule; a quotient by 0 that it does not tell of is 0."""
    return "raise" if rule in (ByZero.RAISE, QuotientOverflow.RAISE) else "ignore"


def _undefined(a: Array, b: Array) -> InvalidValueError:
    """Return the error for the first quotient that there is not."""
    a, b = np.broadcast_arrays(a, b)
    if (b == 0).any():
        place = _first(b == 0)
        return InvalidValueError(
            f"b is 0 at {place} of the result, allowed any number but 0; no integer is the quotient"
        )
    place = _first((b == -1) & (a == np.iinfo(a.dtype).min))
    return InvalidValueError(
        f"a is {np.iinfo(a.dtype).min} and b is -1 at {place} of the result, allowed quotients that {a.dtype} holds; "
        "use a wider type"
    )


def _first(mask: Array) -> list[int]:
    return [int(coord) for coord in np.unravel_index(int(mask.argmax()), mask.shape)]


@dataclass(frozen=True)
class Remainder(Elementwise):
    """`out[c] = a[c] - b[c] * q`, where q is the exact quotient rounded as `rounding` says.

    With `truncate` the result has the sign of a (C's fmod), with `floor` that of b (Python's %). Floats are rounded
    once; by 0, and of infinity, the remainder is NaN. By infinity it is a, or with `floor` and another sign b. The
    remainder of the least integer by -1 is 0.
    """

    rounding: Quotient = Quotient.TRUNCATE
    by_zero: ByZero = ByZero.RAISE

    def function_of(self, dtype: np.dtype[Any], subject: str) -> tuple[Callable[..., Any], bool]:
        """Return what computes the result; see Elementwise."""
        function = np.fmod if self.rounding is Quotient.TRUNCATE else np.remainder
        if dtype.kind not in "iu":
            return quietly(function, dtype), True
        return partial(self._remainders, function, subject=subject), False

    def by_core(self, dtype: np.dtype[Any]) -> bool:
        """Return whether the core computes the function of arrays of a type; of integers it does."""
        return dtype.kind in "iu" or super().by_core(dtype)

    def _computation(
        self, function: Callable[..., Any], sources: tuple[View, ...], target: View, writes: bool
    ) -> ComputeMove:
        if writes:
            return super()._computation(function, sources, target, writes)
        return DivideMove(self.words, function, sources, target, False, *self.division)

    @property
    def division(self) -> Division:
        """How the core divides integers."""
        return Division(True, self.rounding is Quotient.FLOOR, self.by_zero is ByZero.ZERO, True)

    def _remainders(self, function: Callable[..., Array], a: Array, b: Array, subject: str) -> Array:
        try:
            with np.errstate(divide=_numpys(self.by_zero), over="ignore"):
                found = np.asarray(function(a, b))
        except FloatingPointError:
            with errors.subject(subject):
                raise _undefined(a, b) from None
        return np.where(b == 0, a, found) if self.by_zero is ByZero.ZERO else found
