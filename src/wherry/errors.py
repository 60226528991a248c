"""The public errors: each names its subject (operator, dialect, version) and is also a built-in error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class WherryError(Exception):
    """Base of every error that wherry raises on purpose.

    `subject` says who refuses (`"ONNX Gather-13"`), the message says what: field, value, allowed range, and what to do.
    """

    def __init__(self, message: str, subject: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject

    def __str__(self) -> str:
        return f"{self.subject}: {self.message}" if self.subject else self.message


class InvalidValueError(WherryError, ValueError):
    """A field, size, stride or attribute is outside what its specification allows."""


class InvalidTypeError(WherryError, TypeError):
    """An element type or a Python type is not one that the operator takes."""


class IndexOutOfRangeError(WherryError, IndexError):
    """An index points outside its axis, and the rule in force is to raise."""


class IndexOutOfRangeWarning(UserWarning):
    """An update was left out because its index points outside its axis, and the rule in force is to say so."""


class SizeOverflowError(WherryError, OverflowError):
    """Sizes, strides or an offset reach outside 64-bit arithmetic."""


class ResourceLimitError(WherryError, MemoryError):
    """Running would allocate, or planning would compute, more than the limits in force allow (`wherry.Limits`)."""


class UnsupportedError(WherryError, NotImplementedError):
    """A legal operator, version or type that wherry does not run."""


class ConversionError(UnsupportedError):
    """A model cannot be said in another dialect; `findings` holds every reason, and the message lists them."""

    def __init__(self, message: str, subject: str | None = None, findings: Sequence[object] = ()) -> None:
        super().__init__(message, subject)
        self.findings = tuple(findings)


class FileFormatError(WherryError, ValueError):
    """A model file is damaged, hostile, or not of its format."""


class MissingDependencyError(WherryError, ImportError):
    """An optional package is needed; the message names the extra that installs it."""


@contextmanager
def subject(name: str) -> Iterator[None]:
    """Give every error raised inside that has no subject yet the subject `name`.

    >>> with subject("ONNX Gather-13"):
    ...     raise InvalidValueError("axis is 4, allowed -2..1")
    Traceback (most recent call last):
    ...
    wherry.errors.InvalidValueError: ONNX Gather-13: axis is 4, allowed -2..1
    """
    try:
        yield
    except WherryError as error:
        if error.subject is None:
            error.subject = name
        raise


def invalid(field: str, value: object, allowed: str, advice: str = "") -> InvalidValueError:
    """Return the error for `field` having `value` where only `allowed` is legal, with advice on what to do.

    >>> str(invalid("axis", 4, "-2..1"))
    'axis is 4, allowed -2..1'
    """
    tail = f"; {advice}" if advice else ""
    return InvalidValueError(f"{field} is {value}, allowed {allowed}{tail}")


def missing(package: str, extra: str, purpose: str) -> MissingDependencyError:
    """Return the error that tells which extra brings `package`."""
    return MissingDependencyError(
        f"{purpose} needs the package {package}; install it with: pip install 'wherry[{extra}]'"
    )
