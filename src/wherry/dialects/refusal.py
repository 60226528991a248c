"""Refusal: why a dialect cannot say a node, as data; an error is made of it only where one is raised."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wherry.errors import UnsupportedError, WherryError

_FIELD = re.compile(r"[\w.]+")


@dataclass(frozen=True)
class Fault:
    """One field that a dialect cannot say: its value, what the dialect has instead, and both in words."""

    field: str
    words: str
    value: object = None
    allowed: object = None

    @classmethod
    def of(cls, error: WherryError) -> Fault:
        """Return the fault that an error of a check tells; readers use the same checks."""
        word = _FIELD.match(error.message)
        return cls(word[0] if word else "", error.message)


@dataclass(frozen=True)
class Refusal:
    """Why a dialect cannot say a node: a fault for each row that was tried, or one for all.

    `subject` is the subject of the error, where that is not the dialect's writer; `advice` tells what to do instead.
    """

    faults: tuple[Fault, ...]
    introduction: str = ""
    advice: str = ""
    subject: str | None = None
    error_class: type[WherryError] = UnsupportedError

    @classmethod
    def of(cls, error: WherryError) -> Refusal:
        """Return the refusal that an error tells."""
        return cls((Fault.of(error),), subject=error.subject, error_class=type(error))

    @property
    def message(self) -> str:
        """What is in the way, in words."""
        return self.introduction + "; ".join(fault.words for fault in self.faults) + self.advice

    def error(self) -> WherryError:
        """Return the error to raise."""
        return self.error_class(self.message, self.subject)
