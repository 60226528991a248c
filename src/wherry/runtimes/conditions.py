"""Conditions of known differences as data: built from the classes here, printed as text, evaluated by NumPy alone.

A condition never calls the rest of wherry, so that a mistake there cannot hide behind the entry that it would excuse.
Each is decided of a model and its inputs (`holds`), and as far as can be of a model before a run (`decided`), in which
`Unseen` stands for inputs whose elements are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wherry.runtimes.case import Case
from wherry.runtimes.unseen import NotKnownError, Unseen
from wherry.runtimes.values import VALUES, any_whole_outside


class Condition:
    """A condition that holds for a case or not. Conditions on an input that the case lacks do not hold."""

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case. Raises NotKnownError if that depends on what is not known of it."""
        raise NotImplementedError

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        try:
            return self.holds(case)
        except NotKnownError:
            return None


@dataclass(frozen=True)
class Of(Condition):
    """The operator is one of these."""

    operators: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return case.operator in self.operators

    def __str__(self) -> str:
        return one_of(self.operators)


@dataclass(frozen=True)
class Versions(Condition):
    """The version lies between these, both included."""

    first: int = 1
    last: int | None = None

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return self.first <= case.version and (self.last is None or case.version <= self.last)

    def __str__(self) -> str:
        if self.last is None:
            return f"version {self.first} and later"
        return f"version {self.last} and earlier" if self.first == 1 else f"versions {self.first} to {self.last}"


@dataclass(frozen=True)
class Levels(Condition):
    """The feature level of DirectML lies between these, both included: `2.1`."""

    first: str = "1.0"
    last: str | None = None

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case, whose version is a level as DirectML numbers it: 0x2100."""
        return level(self.first) <= case.version and (self.last is None or case.version <= level(self.last))

    def __str__(self) -> str:
        if self.last is None:
            return f"feature level {self.first} and later"
        if self.first == "1.0":
            return f"feature level {self.last} and earlier"
        return f"feature levels {self.first} to {self.last}"


def level(spelled: str) -> int:
    """Return the number that DirectML gives to a feature level."""
    major, minor = spelled.split(".")
    return int(major) * 0x1000 + int(minor) * 0x100


def level_name(number: int) -> str:
    """Return how a feature level is spelled: `2.1`."""
    return f"{number >> 12}.{number >> 8 & 15}"


@dataclass(frozen=True)
class Types(Condition):
    """The element type of an input is one of these; without a position, that of any input."""

    position: int | None
    names: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return any(case.kind(number) in self.names for number in _positions(self.position, case))

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        return any_decided(case, self.position, lambda number: case.kind(number) in self.names)

    def __str__(self) -> str:
        return f"{_input(self.position)} is {one_of(self.names)}"


@dataclass(frozen=True)
class Attribute(Condition):
    """An attribute has one of these values; where it is left out, that is its default."""

    name: str
    values: tuple[Any, ...]
    default: Any = None

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return case.attributes.get(self.name, self.default) in self.values

    def __str__(self) -> str:
        named = [str(value) for value in self.values if value is not None]
        return f"{self.name} is {one_of([*named, *(['left out'] if self.default in self.values else [])])}"


@dataclass(frozen=True)
class HasAttribute(Condition):
    """An attribute is there, with any value."""

    name: str

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return self.name in case.attributes

    def __str__(self) -> str:
        return f"{self.name} is given"


@dataclass(frozen=True)
class HasInput(Condition):
    """An input is there: a model may leave out the last ones."""

    position: int

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return self.position < len(case.inputs)

    def __str__(self) -> str:
        return f"{_input(self.position)} is given"


@dataclass(frozen=True)
class Constant(Condition):
    """All of these inputs are constants of the model."""

    positions: tuple[int, ...]

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return case.constants.issuperset(self.positions)

    def __str__(self) -> str:
        return f"constants: {', '.join(map(_input, self.positions))}"


@dataclass(frozen=True)
class Dynamic(Condition):
    """Sizes of the inputs are not known while the model is loaded."""

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
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
        """Whether it holds for a case."""
        return any(VALUES[self.what].of(case.inputs[number]) for number in _positions(self.position, case))

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        return any_decided(case, self.position, lambda number: VALUES[self.what].of(case.inputs[number]))

    def __str__(self) -> str:
        return f"{_input(self.position)} has {self.what}"


@dataclass(frozen=True)
class Outside(Condition):
    """A number of an input is below `least` or above `most`; of a fraction the whole part counts. NaN is outside."""

    position: int
    least: int
    most: int

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case. Before a run a range that is within the two decides, or one that is beyond."""
        return self.position < len(case.inputs) and any_whole_outside(case.inputs[self.position], self.least, self.most)

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
        """Whether it holds for a case. Raises NotKnownError if that depends on what is not known of it."""
        try:
            with np.errstate(all="ignore"):
                return PROPERTIES[self.words](case)
        except _LACKING as error:
            # An input or attribute that is not there is lacking in every case; the rest may come from what stands in.
            if not isinstance(error, LookupError) and any(isinstance(one, Unseen) for one in case.inputs):
                raise NotKnownError("elements") from error
            return False

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class AllOf(Condition):
    """All of these hold."""

    conditions: tuple[Condition, ...]

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return all(one.holds(case) for one in self.conditions)

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        return _all_of(one.decided(case) for one in self.conditions)

    def __str__(self) -> str:
        return "; ".join(f"({one})" if isinstance(one, AnyOf) else str(one) for one in self.conditions)


@dataclass(frozen=True)
class AnyOf(Condition):
    """One of these holds, or several do."""

    conditions: tuple[Condition, ...]

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return any(one.holds(case) for one in self.conditions)

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        return _any_of(one.decided(case) for one in self.conditions)

    def __str__(self) -> str:
        return " or ".join(f"({one})" if isinstance(one, AllOf) else str(one) for one in self.conditions)


@dataclass(frozen=True)
class Not(Condition):
    """It does not hold."""

    condition: Condition

    def holds(self, case: Case) -> bool:
        """Whether it holds for a case."""
        return not self.condition.holds(case)

    def decided(self, case: Case) -> bool | None:
        """Whether it holds for every case that this may be, for none (False), or for some (None)."""
        found = self.condition.decided(case)
        return None if found is None else not found

    def __str__(self) -> str:
        return f"not ({self.condition})"


def left_open(condition: Condition, case: Case) -> Condition:
    """Return the part of a condition that a case leaves open."""
    if isinstance(condition, Not):
        return Not(left_open(condition.condition, case))
    if not isinstance(condition, (AllOf, AnyOf)):
        return condition
    settled = isinstance(condition, AllOf)
    parts = [left_open(one, case) for one in condition.conditions if one.decided(case) is not settled]
    return parts[0] if len(parts) == 1 else type(condition)(tuple(parts or condition.conditions))


def _all_of(found: Iterable[bool | None]) -> bool | None:
    """False if one is, else None if one is, else True; what stands behind a False is not asked for."""
    is_open = False
    for one in found:
        if one is False:
            return False
        is_open |= one is None
    return None if is_open else True


def _any_of(found: Iterable[bool | None]) -> bool | None:
    opposite = _all_of(None if one is None else not one for one in found)
    return None if opposite is None else not opposite


def any_decided(case: Case, position: int | None, holds: Callable[[int], bool]) -> bool | None:
    """Whether it is decided of an input, or of any; each may be one of which it is not known."""

    def decided(number: int) -> bool | None:
        try:
            return holds(number)
        except NotKnownError:
            return None

    return _any_of(map(decided, _positions(position, case)))


def _positions(position: int | None, case: Case) -> range:
    count = len(case.inputs)
    return range(count) if position is None else range(position, min(position + 1, count))


def one_of(words: Sequence[str]) -> str:
    """Return `a, b or c`."""
    return " or ".join([*([", ".join(words[:-1])] if len(words) > 1 else []), words[-1]])


def _input(position: int | None) -> str:
    return "an input" if position is None else f"input {position}"


PROPERTIES: dict[str, Callable[[Case], bool]] = {}
"""The words of each Property, and what decides it: over the arrays and attributes of a case, with NumPy alone.

A function asks for what it needs, sizes before elements, and its answer is the same whatever it did not ask for: so an
`Unseen` among the inputs leaves it undecided only if it matters.
"""


def named(words: str) -> Callable[[Callable[[Case], bool]], Property]:
    """Put a function into PROPERTIES; what is left under its name is the Property."""

    def put(decides: Callable[[Case], bool]) -> Property:
        if words in PROPERTIES:
            raise KeyError(f"two properties are called {words!r}")
        PROPERTIES[words] = decides
        return Property(words)

    return put
