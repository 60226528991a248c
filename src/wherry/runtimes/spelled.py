"""Speller: an array library that reads no models, but has calls that correspond to operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from numpy.typing import NDArray

from wherry.errors import UnsupportedError
from wherry.runtimes.case import Case
from wherry.runtimes.installed import Installed

Array = NDArray[Any]

Spelling = Callable[[Any, Case, Sequence[Any]], Any]
"""Runs a case: the package, the case, its inputs as the library has them; an array of the library or several."""


class Speller(Installed):
    """An array library; `spellings` has the calls by ONNX's operators."""

    spellings: ClassVar[Mapping[str, Spelling]]

    def answer(self, case: Case) -> list[Array]:
        """Return what the library makes of a case.

        Raises UnsupportedError for what it cannot say, OtherRuntimeError if it refuses.
        """
        spelling = self.spellings.get(case.operator)
        if spelling is None:
            raise UnsupportedError(f"{self.title} has no call for {case.operator}")
        with self.failing("fails"):
            inputs = [self.taken(array) for array in case.inputs]
            made = spelling(self.package, case, inputs)
            return [self.given(one) for one in (made if isinstance(made, (tuple, list)) else [made])]

    def taken(self, array: Array) -> Any:
        """Return an array as the library has it."""
        return array

    def given(self, made: Any) -> Array:
        """Return an array of the library as NumPy has it."""
        found: Array = made
        return found


def options(case: Case, **defaults: Any) -> dict[str, Any]:
    """Return attributes of a case, or their defaults."""
    return {name: case.attributes.get(name, default) for name, default in defaults.items()}


def wanted(case: Case, **only: Any) -> None:
    """Raise UnsupportedError where an attribute is not the only value that a call has."""
    for name, value in options(case, **only).items():
        if value != only[name]:
            raise UnsupportedError(f"no call for {case.operator} where {name} is {value!r}")


def listed(array: Any) -> list[int]:
    """Return a vector of numbers as a list; a library may want its sizes and axes so."""
    found: list[int] = array.reshape(-1).tolist()
    return found


def sizes_of_parts(case: Case, x: Sequence[Any]) -> list[int] | int:
    """Return the sizes that a Split names, or how many parts it makes."""
    return listed(x[1]) if len(x) > 1 else case.outputs
