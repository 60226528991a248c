"""Properties of an array, decided from its elements or, before a run, from its type and range."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.runtimes.unseen import NotKnownError, Unseen

Array = NDArray[Any]

_TINY = float(np.finfo(np.float32).smallest_normal)
_QUIET = {"float16": 0x0200, "bfloat16": 0x0040, "float32": 0x00400000, "float64": 0x0008000000000000}
"""The bit that a signalling NaN lacks."""


def as_numbers(array: Array) -> Array:
    """The elements as float64, each NaN a quiet one; text has no numbers."""
    if array.dtype.hasobject:
        return np.zeros(0)
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float64)
        return np.where(np.isnan(numbers), np.nan, numbers)


def bits_of(array: Array) -> Array:
    """The elements as unsigned integers of the same width."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether a type is one of floats, the narrow ones included."""
    return dtype.name.startswith(("float", "bfloat"))


def range_of(array: Unseen) -> tuple[float | None, float | None]:
    """The least and greatest number that an array may have, None for one that is not known."""
    least, most = array.least, array.most
    if array.type is not None and array.type.kind in "iu":
        ends = np.iinfo(array.type)
        least, most = ends.min if least is None else least, ends.max if most is None else most
    return least, most


def any_outside(array: Array | Unseen, least: float, most: float) -> bool:
    """Whether an element is below `least` or above `most`; NaN is neither.

    Of elements that are not known the range decides. Raises NotKnownError where that does not tell.
    """
    if not isinstance(array, Unseen):
        if array.dtype.kind in "iu":  # exactly: float64 does not hold all of them
            return bool(array.size) and not (least <= int(array.min()) and int(array.max()) <= most)
        numbers = as_numbers(array)
        return bool(((numbers < least) | (numbers > most)).any())
    lowest, highest = range_of(array)
    if _is_empty(array) or (lowest is not None and highest is not None and least <= lowest and highest <= most):
        return False
    if array.has_elements and not _spans(array, least, most):
        return True
    raise NotKnownError("elements")


def any_equal(array: Array | Unseen, number: float) -> bool:
    """Whether an element is a number. Raises NotKnownError where elements are not known, and may be it."""
    if not isinstance(array, Unseen):
        return bool((array == number).any())
    if _is_empty(array) or number in array.never or not _spans(array, number, number):
        return False
    if range_of(array) == (number, number) and array.has_elements:
        return True
    raise NotKnownError("elements")


def may_meet(array: Array | Unseen, number: float, other: Array | Unseen, other_number: float) -> bool:
    """Whether both arrays may have their number: not where one of them is known to lack it."""
    for one, value in ((array, number), (other, other_number)):
        with suppress(NotKnownError):
            if not any_equal(one, value):
                return False
    return True


def _is_empty(array: Unseen) -> bool:
    return array.sizes is not None and 0 in array.sizes


def _spans(array: Unseen, least: float, most: float) -> bool:
    """Whether numbers between these may be there."""
    lowest, highest = range_of(array)
    return not ((lowest is not None and lowest > most) or (highest is not None and highest < least))


def any_whole_outside(array: Array | Unseen, least: int, most: int) -> bool:
    """Whether the whole part of an element is below `least` or above `most`, or an element is NaN.

    Raises NotKnownError where that is not known.
    """
    if isinstance(array, Unseen):
        if VALUES["a NaN"].of(array):
            return True
        lowest, highest = (None if end is None or not np.isfinite(end) else int(end) for end in range_of(array))
        return any_outside(replace(array, least=lowest, most=highest), least, most)
    if array.dtype.kind in "iu":
        return any_outside(array, least, most)
    whole = np.trunc(as_numbers(array))
    return not bool(((whole >= least) & (whole < most + 1)).all())


@dataclass(frozen=True)
class Value:
    """Something that an array can have: found among its elements, or never there, as its type and range tell."""

    found: Callable[[Array], bool]
    never: Callable[[Unseen], bool]
    always: Callable[[Unseen], bool] = lambda _: False

    def of(self, array: Array | Unseen) -> bool:
        """Whether an array has it. Raises NotKnownError where that is not known."""
        if not isinstance(array, Unseen):
            return self.found(array)
        if _is_empty(array) or self.never(array):
            return False
        if self.always(array):
            return True
        raise NotKnownError("elements")


@dataclass(frozen=True)
class Form:
    """Something that sizes alone decide."""

    of: Callable[[Array | Unseen], bool]


def _subnormal(array: Array) -> bool:
    if not is_float(array.dtype):
        return False
    numbers = np.abs(as_numbers(array))
    return bool(((numbers > 0) & (numbers < _smallest_normal(array.dtype))).any())


def _smallest_normal(dtype: np.dtype[Any]) -> float:
    import ml_dtypes

    return float(ml_dtypes.finfo(dtype).smallest_normal)  # type: ignore[no-untyped-call]


def _subnormal_as_float32(array: Array) -> bool:
    numbers = np.abs(as_numbers(array))
    return bool(((numbers > 0) & (numbers < _TINY)).any())


def _signalling(array: Array) -> bool:
    if array.dtype.name not in _QUIET:
        return False
    bits = bits_of(array)
    return bool((np.isnan(as_numbers(array)) & (bits & np.array(_QUIET[array.dtype.name], bits.dtype) == 0)).any())


def _negative_zero(array: Array) -> bool:
    numbers = as_numbers(array)
    return bool(((numbers == 0) & np.signbit(numbers)).any())


def _fraction(array: Array) -> bool:
    numbers = as_numbers(array)
    return bool((np.trunc(numbers) != numbers)[np.isfinite(numbers)].any())


def _no_float(array: Unseen) -> bool:
    return array.type is not None and not is_float(array.type) and array.type.kind != "c"


def _no_nan(array: Unseen) -> bool:
    return _no_float(array) or (array.least is not None and array.most is not None)


def _finite(array: Unseen) -> bool:
    ends = (array.least, array.most)
    return _no_float(array) or all(end is not None and bool(np.isfinite(end)) for end in ends)


def _no_zero(array: Unseen) -> bool:
    return _no_float(array) or not _spans(array, 0, 0)


def _no_subnormal(array: Unseen) -> bool:
    if _no_float(array):
        return True
    if array.type is None:
        return False
    tiny = _smallest_normal(array.type)
    return not _spans(array, -tiny, tiny)


def _no_negative(array: Unseen) -> bool:
    if array.type is not None and array.type.kind in "bOU":
        return True
    least, _ = range_of(array)
    return least is not None and least >= 0


def _all_negative(array: Unseen) -> bool:
    _, most = range_of(array)
    return most is not None and most < 0 and array.has_elements


VALUES: dict[str, Value | Form] = {
    "a NaN": Value(lambda array: bool(np.isnan(as_numbers(array)).any()), _no_nan),
    "a signalling NaN": Value(_signalling, _no_nan),
    "an infinity": Value(lambda array: bool(np.isinf(as_numbers(array)).any()), _finite),
    "a negative zero": Value(_negative_zero, _no_zero),
    "a subnormal number": Value(_subnormal, _no_subnormal),
    "a number that is subnormal as float32": Value(
        _subnormal_as_float32, lambda array: _no_float(array) or not _spans(array, -_TINY, _TINY)
    ),
    "a negative number": Value(lambda array: bool((as_numbers(array) < 0).any()), _no_negative, _all_negative),
    "a fraction": Value(_fraction, _no_float),
    "no element": Form(lambda array: array.size == 0),
    "no axis": Form(lambda array: array.ndim == 0),
}
"""What an array can have, in the words of conditions."""
