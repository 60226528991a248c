"""Which cases a difference covers, as data: built from the classes here, printed in words, decided with NumPy alone.

An entry's condition never calls wherry, so that a mistake there cannot hide behind the entry that it would excuse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from tests.differential.case import Case


class Condition:
    """What holds for a case or not. What is said of an input that is not there does not hold."""

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        raise NotImplementedError


@dataclass(frozen=True)
class Of(Condition):
    """The operator is one of these."""

    operators: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        return case.operator in self.operators

    def __str__(self) -> str:
        return _one_of(self.operators)


@dataclass(frozen=True)
class Versions(Condition):
    """The version lies between these, both included."""

    first: int = 1
    last: int | None = None

    def holds(self, case: Case) -> bool:
        return self.first <= case.version and (self.last is None or case.version <= self.last)

    def __str__(self) -> str:
        if self.last is None:
            return f"version {self.first} and later"
        return f"version {self.last} and earlier" if self.first == 1 else f"versions {self.first} to {self.last}"


@dataclass(frozen=True)
class Types(Condition):
    """The element type of an input is one of these; without a position, that of any input."""

    position: int | None
    names: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        return any(case.kind(number) in self.names for number in _positions(self.position, case))

    def __str__(self) -> str:
        return f"{_input(self.position)} is {_one_of(self.names)}"


@dataclass(frozen=True)
class Attribute(Condition):
    """An attribute has one of these values; where it is left out, that is its default."""

    name: str
    values: tuple[Any, ...]
    default: Any = None

    def holds(self, case: Case) -> bool:
        return case.attributes.get(self.name, self.default) in self.values

    def __str__(self) -> str:
        named = [str(value) for value in self.values if value is not None]
        return f"{self.name} is {_one_of([*named, *(['left out'] if self.default in self.values else [])])}"


@dataclass(frozen=True)
class HasAttribute(Condition):
    """An attribute is there, with any value."""

    name: str

    def holds(self, case: Case) -> bool:
        return self.name in case.attributes

    def __str__(self) -> str:
        return f"{self.name} is given"


@dataclass(frozen=True)
class HasInput(Condition):
    """An input is there: a model may leave out the last ones."""

    position: int

    def holds(self, case: Case) -> bool:
        return self.position < len(case.inputs)

    def __str__(self) -> str:
        return f"{_input(self.position)} is given"


@dataclass(frozen=True)
class Constant(Condition):
    """All of these inputs are constants of the model."""

    positions: tuple[int, ...]

    def holds(self, case: Case) -> bool:
        return case.constants.issuperset(self.positions)

    def __str__(self) -> str:
        return f"constants: {', '.join(map(_input, self.positions))}"


@dataclass(frozen=True)
class Dynamic(Condition):
    """Sizes of the inputs are not known while the model is loaded."""

    def holds(self, case: Case) -> bool:
        return case.is_dynamic

    def __str__(self) -> str:
        return "sizes are known at run only"


@dataclass(frozen=True)
class Has(Condition):
    """An input, or without a position any input, has something that VALUES names."""

    position: int | None
    what: str

    def __post_init__(self) -> None:
        if self.what not in VALUES:
            raise KeyError(f"{self.what!r} is not in VALUES")

    def holds(self, case: Case) -> bool:
        return any(VALUES[self.what](case.inputs[number]) for number in _positions(self.position, case))

    def __str__(self) -> str:
        return f"{_input(self.position)} has {self.what}"


@dataclass(frozen=True)
class Outside(Condition):
    """A number of an input is below `least` or above `most`; of a fraction the whole part counts. NaN is outside."""

    position: int
    least: float
    most: float

    def holds(self, case: Case) -> bool:
        if self.position >= len(case.inputs):
            return False
        whole = np.trunc(as_numbers(case.inputs[self.position]))
        return not bool(((whole >= self.least) & (whole <= self.most)).all())

    def __str__(self) -> str:
        return f"{_input(self.position)} has a number outside {self.least} .. {self.most}"


_LACKING = (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError)
"""What a function of PROPERTIES raises for a case without the inputs, axes or attributes that it is about."""


@dataclass(frozen=True)
class Property(Condition):
    """A relation of sizes, values and attributes that no other class here says; PROPERTIES has its function.

    It does not hold for a malformed case. A function that always raises is seen by the example of its entry.
    """

    words: str

    def holds(self, case: Case) -> bool:
        try:
            with np.errstate(all="ignore"):
                return PROPERTIES[self.words](case)
        except _LACKING:
            return False

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class AllOf(Condition):
    """All of these hold."""

    conditions: tuple[Condition, ...]

    def holds(self, case: Case) -> bool:
        return all(one.holds(case) for one in self.conditions)

    def __str__(self) -> str:
        return "; ".join(f"({one})" if isinstance(one, AnyOf) else str(one) for one in self.conditions)


@dataclass(frozen=True)
class AnyOf(Condition):
    """One of these holds, or several do."""

    conditions: tuple[Condition, ...]

    def holds(self, case: Case) -> bool:
        return any(one.holds(case) for one in self.conditions)

    def __str__(self) -> str:
        return " or ".join(f"({one})" if isinstance(one, AllOf) else str(one) for one in self.conditions)


@dataclass(frozen=True)
class Not(Condition):
    """It does not hold."""

    condition: Condition

    def holds(self, case: Case) -> bool:
        return not self.condition.holds(case)

    def __str__(self) -> str:
        return f"not ({self.condition})"


def _positions(position: int | None, case: Case) -> range:
    count = len(case.inputs)
    return range(count) if position is None else range(position, min(position + 1, count))


def _one_of(words: Sequence[str]) -> str:
    return " or ".join([*([", ".join(words[:-1])] if len(words) > 1 else []), words[-1]])


def _input(position: int | None) -> str:
    return "an input" if position is None else f"input {position}"


def of(*operators: str) -> Of:
    return Of(operators)


def before(version: int) -> Versions:
    return Versions(1, version - 1)


def since(version: int) -> Versions:
    return Versions(version)


def typed(position: int | None, *names: str) -> Types:
    return Types(position, names)


def attribute(name: str, *values: Any, default: Any = None) -> Attribute:
    return Attribute(name, values, default)


def constant(*positions: int) -> Constant:
    return Constant(positions)


def all_of(*conditions: Condition) -> AllOf:
    return AllOf(conditions)


def any_of(*conditions: Condition) -> AnyOf:
    return AnyOf(conditions)


def not_(condition: Condition) -> Not:
    return Not(condition)


PROPERTIES: dict[str, Callable[[Any], bool]] = {}
"""The words of each Property, and what decides it: over the arrays and attributes of a case, with NumPy alone."""


def named(words: str) -> Callable[[Callable[[Any], bool]], Property]:
    """Put a function into PROPERTIES; what is left under its name is the Property."""

    def put(decides: Callable[[Any], bool]) -> Property:
        if words in PROPERTIES:
            raise KeyError(f"two properties are called {words!r}")
        PROPERTIES[words] = decides
        return Property(words)

    return put


def as_numbers(array: np.ndarray) -> np.ndarray:
    """The elements as float64, each NaN a quiet one; text has no numbers."""
    if array.dtype.hasobject:
        return np.zeros(0)
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float64)
        return np.where(np.isnan(numbers), np.nan, numbers)


_FLOATS = {"float16", "float32", "float64"}


def _is_float(array: np.ndarray) -> bool:
    return array.dtype.name in _FLOATS or array.dtype.name.startswith(("bfloat", "float"))


def _subnormal(array: np.ndarray) -> bool:
    if not _is_float(array):
        return False
    numbers = np.abs(as_numbers(array))
    return bool(((numbers > 0) & (numbers < float(ml_dtypes.finfo(array.dtype).smallest_normal))).any())


def _subnormal_as_float32(array: np.ndarray) -> bool:
    numbers = np.abs(as_numbers(array))
    return bool(((numbers > 0) & (numbers < float(np.finfo(np.float32).smallest_normal))).any())


_QUIET = {"float16": 0x0200, "bfloat16": 0x0040, "float32": 0x00400000, "float64": 0x0008000000000000}
"""The bit that a signalling NaN lacks."""


def bits_of(array: np.ndarray) -> np.ndarray:
    """The elements as unsigned integers of the same width."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def _signalling(array: np.ndarray) -> bool:
    if array.dtype.name not in _QUIET:
        return False
    bits = bits_of(array)
    return bool((np.isnan(as_numbers(array)) & (bits & np.array(_QUIET[array.dtype.name], bits.dtype) == 0)).any())


def _negative_zero(array: np.ndarray) -> bool:
    numbers = as_numbers(array)
    return bool(((numbers == 0) & np.signbit(numbers)).any())


VALUES: dict[str, Callable[[np.ndarray], bool]] = {
    "a NaN": lambda array: bool(np.isnan(as_numbers(array)).any()),
    "a signalling NaN": _signalling,
    "an infinity": lambda array: bool(np.isinf(as_numbers(array)).any()),
    "a negative zero": _negative_zero,
    "a subnormal number": _subnormal,
    "a number that is subnormal as float32": _subnormal_as_float32,
    "a negative number": lambda array: bool((as_numbers(array) < 0).any()),
    "a fraction": lambda array: bool((np.trunc(n := as_numbers(array)) != n)[np.isfinite(n)].any()),
    "no element": lambda array: array.size == 0,
    "no axis": lambda array: array.ndim == 0,
}
"""What an array can have."""
