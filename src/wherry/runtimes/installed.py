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
    """Its name in wherry."""

    extra: ClassVar[str]
    """The extra of wherry that installs it."""

    module: ClassVar[str] = ""
    """The module to import, if its name is not the runtime's."""

    distribution: ClassVar[str] = ""
    """The package to install, if its name is not the runtime's."""

    late: ClassVar[tuple[str, ...]] = ()
    """Modules that its first run imports."""

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
        """Its version, without the suffix of the build."""
        found = getattr(self.package, "__version__", None) or importlib.metadata.version(self.distribution or self.name)
        return str(found).partition("+")[0].partition("-")[0]

    @property
    def title(self) -> str:
        """The runtime with its version, for messages."""
        return f"{self.name} {self.version}"

    @contextmanager
    def failing(self, what: str) -> Iterator[None]:
        """Turn exceptions of the package into one error with their text."""
        try:
            yield
        except Exception as error:
            raise self.failure(what, error) from None

    def failure(self, what: str, error: Exception) -> errors.WherryError:
        """Return the error for an exception; wherry's own errors are unchanged."""
        if isinstance(error, errors.WherryError):
            return error
        words = " ".join(str(error).split()) or type(error).__name__
        return OtherRuntimeError(f"{self.title} {what}: {cut(words)}")
