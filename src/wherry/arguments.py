"""Arguments: what callers pass as integers, flags and words, or an error that names the field."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Set, Sized
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError, invalid, short
from wherry.limits import LEAST_VALUES, check_values, current

if TYPE_CHECKING:
    from pathlib import Path

Word = TypeVar("Word", bound=StrEnum)

_FAR = 2**127
"""Integers beyond are no field's: refused here, so that no message has to print them."""

_FEW = 64

_NO_SEQUENCES = (str, bytes, bytearray, memoryview, Mapping, Set)
"""What can be iterated, and is no sequence of numbers."""


def as_int(field: str, value: Any, allowed: str = "one integer") -> int:
    """Return the integer that `value` is; a tensor of one integer counts. Raises InvalidTypeError for anything else."""
    if type(value) is int and -_FAR < value < _FAR:
        return value
    if isinstance(value, np.ndarray) and value.size == 1 and value.ndim <= 1:
        value = value.reshape(()).item()
    try:
        number = operator.index(value)
    except Exception:  # the code of a caller's class may raise anything
        raise InvalidTypeError(f"{field} is {short(value)}, allowed {allowed}") from None
    if not -_FAR < number < _FAR:
        raise InvalidValueError(f"{field} is {short(number)}, allowed {allowed} of 64 bits")
    return number


def as_float(field: str, value: Any) -> float:
    """Return the number that `value` is. Raises InvalidTypeError for anything else."""
    try:
        return float(value)
    except Exception:  # the code of a caller's class may raise anything
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a number") from None


def as_ints(field: str, value: Any) -> tuple[int, ...]:
    """Return the integers that `value`, a sequence or a vector of them, holds.

    Raises InvalidTypeError for anything else, ResourceLimitError for more entries than the limits allow.
    """
    if type(value) in (tuple, list) and len(value) <= _FEW:
        for entry in value:
            if type(entry) is not int or not -_FAR < entry < _FAR:
                break
        else:
            return tuple(value)
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise InvalidValueError(f"{field} has {value.ndim} axes, allowed 1; pass a vector")
        check_values(value.size, f"the entries of {field}")
        value = value.tolist()
    for number, entry in enumerate(entries := as_entries(field, value, "a sequence of integers")):
        try:
            entries[number] = operator.index(entry)
        except Exception:
            raise InvalidTypeError(f"{field} is {short(value)}, allowed a sequence of integers") from None
        if not -_FAR < entries[number] < _FAR:
            raise InvalidValueError(f"{field}[{number}] is {short(entry)}, allowed integers of 64 bits")
    return tuple(entries)


def as_entries(field: str, value: Any, allowed: str) -> list[Any]:
    """Return the entries of a sequence, or of anything else that can be iterated and is not text, a mapping or a set.

    Raises InvalidTypeError for anything else, ResourceLimitError for more entries than the limits allow.
    """
    if type(value) is list or type(value) is tuple:  # runs no code of the caller's, nothing of which is to be caught
        check_values(len(value), f"the entries of {field}")
        return list(value)
    try:
        if isinstance(value, _NO_SEQUENCES) or not isinstance(value, Iterable):
            raise TypeError
        count = len(value) if isinstance(value, Sized) else 0
    except Exception:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed {allowed}") from None
    check_values(count, f"the entries of {field}")
    most = current().values
    try:
        entries = list(islice(value, (LEAST_VALUES if most is None else most) + 1))
    except Exception:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed {allowed}") from None
    check_values(len(entries), f"the entries of {field}")
    return entries


def as_path(field: str, value: Any) -> Path:
    """Return the path that a string or a path-like object is. Raises InvalidTypeError or InvalidValueError else."""
    try:
        text = os.fspath(value)
        if not isinstance(text, str):
            raise TypeError
    except Exception:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a string or a pathlib.Path") from None
    try:
        if "\0" in text or not os.fsencode(text):
            raise ValueError
    except ValueError:
        raise invalid(field, short(text), "the path of a file") from None
    from pathlib import Path  # which most programs that import wherry do not need

    return Path(text)


def ending_of(path: Path, endings: Iterable[str]) -> str:
    """Return the longest of some endings that a path has, in any case. Raises FileFormatError where it has none.

    >>> from pathlib import Path
    >>> ending_of(Path("Model.WEBNN.json"), [".json", ".webnn.json"])
    '.webnn.json'
    """
    known = sorted(endings, key=len, reverse=True)
    found = next((one for one in known if path.name.lower().endswith(one)), None)
    if found is None:
        raise FileFormatError(f"the file {path.name} ends in {path.suffix!r}, allowed {', '.join(sorted(known))}")
    return found


def as_mapping(field: str, value: Any) -> dict[Any, Any]:
    """Return the entries of a mapping, none for None. Raises InvalidTypeError for anything else."""
    if value is None:
        return {}
    if type(value) is dict:
        return dict(value)
    try:
        if not isinstance(value, Mapping):
            raise TypeError
        return dict(value)
    except Exception:
        raise InvalidTypeError(f"{field} is {short(value)}, allowed a mapping by name") from None


def as_names(field: str, value: Any) -> list[str]:
    """Return a collection of strings as a list. Raises InvalidTypeError for anything else."""
    entries = list(value) if isinstance(value, (set, frozenset)) else as_entries(field, value, "a sequence of names")
    for number, name in enumerate(entries):
        if not isinstance(name, str):
            raise InvalidTypeError(f"{field}[{number}] is {short(name)}, allowed a name")
    return entries


def check_is(field: str, value: object, kind: Any, allowed: str) -> None:
    """Raise InvalidTypeError unless `value` is of a class, or of one of several."""
    if not isinstance(value, kind):
        raise InvalidTypeError(f"{field} is {short(value)}, allowed {allowed}")


def as_flag(field: str, value: Any) -> bool:
    """Return the truth that `value` is: a bool, or one of NumPy's. Raises InvalidTypeError for anything else."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(()).item()
    if isinstance(value, (bool, np.bool)):
        return bool(value)
    raise InvalidTypeError(f"{field} is {short(value)}, allowed True or False")


def as_word(field: str, value: object, words: type[Word]) -> Word:
    """Return the member of `words` that `value` spells. Raises InvalidValueError that lists the words."""
    if type(value) is words:
        return value
    if isinstance(value, str) and value in words.__members__.values():
        return words(value)
    raise invalid(field, short(value), ", ".join(repr(word.value) for word in words))


def normalized_axis(axis: int, ndim: int, what: str = "data", field: str = "axis") -> int:
    """Return `axis` counted from the front. Raises InvalidValueError outside -ndim..ndim-1."""
    if ndim == 0:
        raise InvalidValueError(f"{field} is {axis}, but {what} is a scalar and has no axis; give it one")
    if not -ndim <= axis < ndim:
        raise invalid(field, axis, f"{-ndim}..{ndim - 1}", f"{what} has {ndim} axes")
    return axis % ndim
