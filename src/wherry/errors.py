"""The public errors: each names its subject (operator, dialect, version) and is also a built-in error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

SHORT = 200
"""The most characters of one value in a message."""

SCREEN = 4000
"""The most characters of a message: about a screen."""


class WherryError(Exception):
    """Base of every error that wherry raises on purpose.

    `subject` names the operator that raises (`"ONNX Gather-13"`); the message names field, value, allowed range, and
    what to do. `str` cuts it to a screen; `message` holds all of it. `more` holds the further faults of a description
    or a file that has several; each is printed on its own line.
    """

    more: tuple[str, ...] = ()

    def __init__(self, message: str, subject: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject

    @property
    def faults(self) -> tuple[str, ...]:
        """Every fault: the message, and `more`."""
        return (self.message, *self.more)

    def append(self, words: str) -> None:
        """Append words to the last fault."""
        *before, last = self.faults
        self.message, *behind = (*before, last + words)
        self.more = tuple(behind)

    def __str__(self) -> str:
        text = "\n  ".join(self.faults)
        return screen(f"{self.subject}: {text}" if self.subject else text)


class InvalidValueError(WherryError, ValueError):
    """A field, size, stride or attribute is outside what its specification allows."""


class InvalidTypeError(WherryError, TypeError):
    """The operator does not allow this element type or Python type."""


class IndexOutOfRangeError(WherryError, IndexError):
    """An index is outside its axis, and `out_of_range` is `raise`."""


class IndexOutOfRangeWarning(UserWarning):
    """A scatter skipped an update whose index is outside its axis, and `out_of_range` is `report`."""


class SizeOverflowError(WherryError, OverflowError):
    """Sizes, strides or an offset exceed 64-bit arithmetic."""


class ResourceLimitError(WherryError, MemoryError):
    """Running would allocate, or planning would compute, more than the limits in force allow (`wherry.Limits`)."""


class UnsupportedError(WherryError, NotImplementedError):
    """A legal operator, version or type that wherry does not run."""


class ConversionError(UnsupportedError):
    """A model cannot be expressed in another dialect; `findings` holds every reason, and the message lists them."""

    def __init__(self, message: str, subject: str | None = None, findings: Sequence[object] = ()) -> None:
        super().__init__(message, subject)
        self.findings = tuple(findings)


class OtherRuntimeError(WherryError, RuntimeError):
    """An installed runtime, which runs operators that wherry lacks, refuses its part of a model or fails on it."""


class FileFormatError(WherryError, ValueError):
    """A model file is damaged, hostile, or not of its format."""


class MissingDependencyError(WherryError, ImportError):
    """An optional package is needed; the message names the extra that installs it."""


_MENTIONED = re.compile(r"(?P<before>(?:^|[;:] )(?:(?:as|from|of) )?|\b(?:as|from|of) )(?P<field>[A-Za-z_]\w*)")
"""Where a message may mention a field: at the beginning of a clause, and in phrases such as `axis 0 of data`."""

NOTHING_RENAMED: Mapping[str, str] = {}


def with_names(message: str, names: Mapping[str, str]) -> str:
    """Return a message with the fields that it mentions renamed.

    >>> with_names("size of axis 0 of data is 2, allowed 1; data is a matrix", {"data": "input"})
    'size of axis 0 of input is 2, allowed 1; input is a matrix'
    """
    if not names:
        return message
    return _MENTIONED.sub(lambda found: found["before"] + names.get(found["field"], found["field"]), message)


class subject:
    """Set the subject `name` on errors raised inside the `with` that have none, and rename the fields they mention.

    >>> with subject("ONNX Gather-13"):
    ...     raise InvalidValueError("axis is 4, allowed -2..1")
    Traceback (most recent call last):
    ...
    wherry.errors.InvalidValueError: ONNX Gather-13: axis is 4, allowed -2..1
    """

    # A class, since readers enter one for each node, several times: a generator takes three times as long.
    __slots__ = ("_fields", "_name")

    def __init__(self, name: str, fields: Mapping[str, str] = NOTHING_RENAMED) -> None:
        self._name = name
        self._fields = fields

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, WherryError):
            error.message = with_names(error.message, self._fields)
            if error.subject is None:
                error.subject = self._name


@contextmanager
def prefixed(name: str) -> Iterator[None]:
    """Put `name`, such as that of a file, before the subject of every error raised inside.

    >>> with prefixed("model.json"), subject("DirectML GATHER"):
    ...     raise InvalidValueError("Axis is 4, allowed 0..1")
    Traceback (most recent call last):
    ...
    wherry.errors.InvalidValueError: model.json: DirectML GATHER: Axis is 4, allowed 0..1
    """
    try:
        yield
    except WherryError as error:
        if error.subject != name:
            error.subject = f"{name}: {error.subject}" if error.subject else name
        raise


@contextmanager
def renamed(names: Mapping[str, str]) -> Iterator[None]:
    """Rename the fields that errors raised inside mention to the names of a dialect.

    >>> with renamed({"data": "input", "shape": "newShape"}):
    ...     raise invalid("size of axis 0 of data", 2, "1 or 4", "shape is [4, 3]")
    Traceback (most recent call last):
    ...
    wherry.errors.InvalidValueError: size of axis 0 of input is 2, allowed 1 or 4; newShape is [4, 3]
    """
    try:
        yield
    except WherryError as error:
        error.message = with_names(error.message, names)
        raise


def invalid(field: str, value: object, allowed: str, advice: str = "") -> InvalidValueError:
    """Return the error for a `field` whose `value` is not in the range `allowed`, with advice on what to do.

    >>> str(invalid("axis", 4, "-2..1"))
    'axis is 4, allowed -2..1'
    """
    tail = f"; {advice}" if advice else ""
    shown = cut(value) if isinstance(value, str) else short(value)
    return InvalidValueError(f"{field} is {shown}, allowed {allowed}{tail}")


def short(value: object) -> str:
    """Return `value` for a message: its repr in one line of about 200 characters, and how much was cut.

    An array is shown by its type, and a value whose repr raises by its class. Never raises.

    >>> short("ab"), short(np.zeros((2, 3))), short(2**70000), short(range(10**9))
    ("'ab'", 'float64[2, 3]', 'an integer of 70001 bits', 'range(0, 1000000000)')
    >>> short([1, 2, [3.5]] + [None] * 1000)[-27:]
    ', None, None, ... 972 more]'
    """
    if type(value) is str and len(value) <= SHORT:  # names, which readers show for each node
        return repr(value)
    return cut(_shown(value, depth=4))


def cut(text: str) -> str:
    """Return `text` if it is short, else its beginning and how many characters were cut.

    >>> cut("x" * 1000)[-30:]
    'xxxxx... (800 characters more)'
    """
    return text if len(text) <= SHORT + 40 else f"{text[:SHORT]}... ({len(text) - SHORT} characters more)"


def _shown(value: object, depth: int) -> str:
    try:
        for kinds, show in _SHOWN:
            if isinstance(value, kinds):
                return show(value, depth)
        return " ".join(repr(value).split())
    except Exception as error:  # whatever code of the caller's raises, the message is about its value
        return f"a {type(value).__name__} whose repr raises {type(error).__name__}"


def _shown_integer(value: int, depth: int) -> str:
    bits = int.bit_length(value)
    return repr(value) if bits <= 2 * SHORT else f"an integer of {bits} bits"


def _shown_text(value: Any, depth: int) -> str:
    return repr(value) if len(value) <= SHORT else f"{value[:SHORT]!r}... ({len(value) - SHORT} more)"


def _shown_scalar(value: np.generic, depth: int) -> str:
    if isinstance(value, np.character):
        return _shown_text(value.item(), depth)
    return str(value) if value.nbytes <= SHORT else f"a scalar of {value.dtype}"


def _shown_entries(value: Any, depth: int) -> str:
    """Show a list, tuple, set or dict; `depth` counts the levels that are still shown, for one that holds itself."""
    if not value:
        return repr(value)
    brackets = _BRACKETS[next(kind for kind in _BRACKETS if isinstance(value, kind))]
    parts: list[str] = []
    for entry in islice(value, SHORT if depth else 0):
        if sum(len(part) + 2 for part in parts) > SHORT - 20:  # leaves room for the last words
            break
        parts.append(_shown(entry, depth - 1))
        if isinstance(value, dict):
            parts[-1] += f": {_shown(value[entry], depth - 1)}"
    if len(value) > len(parts):
        parts.append(f"... {len(value) - len(parts)} more")
    comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
    return f"{brackets[0]}{', '.join(parts)}{comma}{brackets[1]}"


_BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: "{}"}

_SHOWN: tuple[tuple[Any, Callable[[Any, int], str]], ...] = (
    (np.ndarray, lambda array, depth: f"{array.dtype}{list(array.shape)}"),
    (np.generic, _shown_scalar),
    (int, _shown_integer),
    ((str, bytes, bytearray), _shown_text),
    (tuple(_BRACKETS), _shown_entries),
)
"""The function that shows values of each class; the first matching row counts."""


_LISTED = 20
"""The most things that one error lists."""


def listed(parts: Sequence[str]) -> str:
    """Return the first of many things, and how many more there are.

    >>> listed([f"layer {number}" for number in range(5000)])[-27:]
    'layer 19; ... and 4980 more'
    """
    more = [f"... and {len(parts) - _LISTED} more"] if len(parts) > _LISTED else []
    return "; ".join([*parts[:_LISTED], *more])


def screen(text: str) -> str:
    """Return a text cut to a screen: whole lines if it has several, else its beginning and end."""
    if len(text) <= SCREEN:
        return text
    lines = text[:SCREEN].rfind("\n")
    if lines > 0:
        return f"{text[:lines]}\n... and {text[lines + 1 :].count(chr(10)) + 1} lines more"
    part = SCREEN // 2
    return f"{text[:part]} ... ({len(text) - 2 * part} characters) ... {text[-part:]}"


def changed_indices() -> IndexOutOfRangeError:
    """Return the error for indices that were in range when they were checked, but not when they were used."""
    return IndexOutOfRangeError(
        "indices were changed by another thread between their check and their use, and the result is written in part; "
        "change no array while a call reads it"
    )


def missing(package: str, extra: str, purpose: str) -> MissingDependencyError:
    """Return the error that names the extra which installs `package`."""
    return MissingDependencyError(
        f"{purpose} needs the package {package}; install it with: pip install 'wherry[{extra}]'"
    )
