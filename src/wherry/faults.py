"""Faults: every error of one description or file, raised as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from wherry.errors import WherryError

_LISTED = 20
"""How many faults one error lists; with so many, nothing further is looked at."""

P = ParamSpec("P")
Value = TypeVar("Value")


class Faults:
    """Collects errors, so that all that is wrong is told at once; `check` raises the first with the others behind it.

    >>> faults = Faults()
    >>> with faults.collected():
    ...     raise WherryError("Axis is 4, allowed 0..1")
    >>> with faults.collected():
    ...     raise WherryError("BlockSize is 0, allowed 1 and more")
    >>> faults.check()
    Traceback (most recent call last):
    ...
    wherry.errors.WherryError: Axis is 4, allowed 0..1
      BlockSize is 0, allowed 1 and more
    """

    def __init__(self) -> None:
        self._first: WherryError | None = None
        self._more: list[str] = []

    def __bool__(self) -> bool:
        return self._first is not None

    def add(self, error: WherryError) -> None:
        """Keep an error with all that it tells; raise what was kept as soon as that fills a list.

        The error that `check` raises is not kept twice.
        """
        if error is self._first:
            return
        if self._first is None:
            self._first = error
            self._more += error.more
        else:
            own = error.subject if error.subject != self._first.subject else None
            self._more += [f"{own}: {words}" if own else words for words in error.faults]
        if len(self._more) >= _LISTED:
            self._more[_LISTED - 1 :] = ["... and there may be more"]
            self.check()

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Keep the error that is raised inside, if there is one, and go on."""
        try:
            yield
        except WherryError as error:
            self.add(error)

    def of(self, make: Callable[P, Value], /, *arguments: P.args, **options: P.kwargs) -> Value | None:
        """Return what `make` returns, or keep its error and return None."""
        try:
            return make(*arguments, **options)
        except WherryError as error:
            self.add(error)
            return None

    def check(self) -> None:
        """Raise what was kept, if anything was."""
        if self._first is not None:
            self._first.more = tuple(self._more)
            raise self._first from None
