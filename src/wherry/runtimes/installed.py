"""Installed: a package installed beside wherry, by name and version, and its failures as one error."""

from __future__ import annotations

import importlib
import importlib.metadata
from abc import ABC
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from wherry import errors
from wherry.errors import OtherRuntimeError, cut


class Installed(ABC):
    """Something installed whose package is imported when one is made.

    Raises MissingDependencyError that tells how to install it.
    """

    name: ClassVar[str]
    """What wherry calls it."""

    extra: ClassVar[str]
    """The extra of wherry that installs it."""

    module: ClassVar[str] = ""
    """What is imported, where it is not called as the runtime is."""

    distribution: ClassVar[str] = ""
    """What is installed, where it is not called as the runtime is."""

    def __init__(self) -> None:
        self.package: Any = self.imported()

    @classmethod
    def imported(cls) -> Any:
        """Return its package."""
        module = cls.module or cls.name
        try:
            return importlib.import_module(module)
        except ImportError as error:
            if error.name not in (module, module.partition(".")[0]):
                raise
            raise errors.missing(cls.distribution or cls.name, cls.extra, f"running through {cls.name}") from None

    @property
    def version(self) -> str:
        """Its version, without what the build adds to it."""
        found = getattr(self.package, "__version__", None) or importlib.metadata.version(self.distribution or self.name)
        return str(found).partition("+")[0].partition("-")[0]

    @property
    def title(self) -> str:
        """The runtime with its version, for messages."""
        return f"{self.name} {self.version}"

    @contextmanager
    def failing(self, what: str) -> Iterator[None]:
        """Tell what is raised in one error, in the words of what raises it."""
        try:
            yield
        except Exception as error:
            raise self.failure(what, error) from None

    def failure(self, what: str, error: Exception) -> errors.WherryError:
        """Return the error that tells what is raised; wherry's own as they are."""
        if isinstance(error, errors.WherryError):
            return error
        words = " ".join(str(error).split()) or type(error).__name__
        return OtherRuntimeError(f"{self.title} {what}: {cut(words)}")
