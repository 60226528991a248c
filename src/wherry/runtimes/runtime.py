"""Runtime: the small interface behind which an installed runtime runs parts of a model."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.errors import OtherRuntimeError, UnsupportedError, cut, invalid, short
from wherry.models.parts import PartFile

Array = NDArray[Any]


@dataclass(frozen=True)
class Held:
    """A value that is no tensor, as a runtime holds it: a sequence, a map; handed on to its next part as it is."""

    value: Any
    type: str
    """In the runtime's words: `seq(tensor(float))`."""

    plain: Callable[[], Any]
    """Returns it as Python has it: a list of arrays, a mapping."""


Value = NDArray[Any] | Held


class Session(ABC):
    """A part of a model, ready to run any number of times, from several threads at once."""

    @abstractmethod
    def run(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """Return the outputs by name; the arrays are nobody else's. Raises OtherRuntimeError if the runtime fails."""


class Runtime(ABC):
    """An installed runtime, whose package is imported when one is made.

    Raises MissingDependencyError that tells how to install it.
    """

    name: ClassVar[str]
    """What `through` calls it: the name of its package."""

    extra: ClassVar[str]
    """The extra of wherry that installs it."""

    formats: ClassVar[frozenset[str]]
    """The formats of parts that it reads."""

    takes_weights: ClassVar[bool]
    """Whether it takes constants beside the file, so that they are not copied."""

    def __init__(self, optimize: bool = True) -> None:
        try:
            self.package = importlib.import_module(self.name)
        except ImportError as error:
            if error.name != self.name:
                raise
            raise errors.missing(self.name, self.extra, f"running a model through {self.name}") from None
        self.optimize = optimize

    @property
    def title(self) -> str:
        """The runtime with its version, for messages."""
        return f"{self.name} {self.package.__version__.partition('-')[0]}"

    def session(self, part: PartFile) -> Session:
        """Return a part of a model, ready to run.

        Raises UnsupportedError for a format that the runtime does not read, OtherRuntimeError if it refuses the part.
        """
        if part.format not in self.formats:
            raise UnsupportedError(f"{self.title} does not read the parts of this model, which are of {part.format}")
        with self.failing("refuses to load a part of the model"):
            return self._session(part)

    @abstractmethod
    def _session(self, part: PartFile) -> Session:
        """Return a part, ready to run; whatever is raised is told as the runtime's."""

    @contextmanager
    def failing(self, what: str) -> Iterator[None]:
        """Tell what the runtime raises in one error, in its own words."""
        try:
            yield
        except errors.WherryError:
            raise
        except Exception as error:
            raise OtherRuntimeError(f"{self.title} {what}: {cut(' '.join(str(error).split()))}") from None


class _Memory:
    """Bytes at an address, which their owner keeps alive, as NumPy takes them."""

    def __init__(self, address: int, nbytes: int, owner: object) -> None:
        self.owner = owner
        self.__array_interface__ = {"shape": (nbytes,), "typestr": "|u1", "data": (address, False), "version": 3}


def memory_at(address: int, nbytes: int, owner: object) -> NDArray[np.uint8]:
    """Return bytes of a runtime's memory as an array that keeps their owner alive."""
    return np.asarray(_Memory(address, nbytes, owner)) if nbytes else np.empty(0, np.uint8)


_RUNTIMES = ("onnxruntime", "openvino")


def runtime_of(name: object, *, optimize: bool = True) -> Runtime:
    """Return an installed runtime by its name; `optimize=False` lets it run each node as the file has it.

    Raises InvalidValueError for another name, MissingDependencyError where the package is not installed,
    UnsupportedError for `optimize=False` where the runtime cannot do without.
    """
    if not isinstance(name, str) or name not in _RUNTIMES:
        raise invalid("through", short(name), ", ".join(map(repr, _RUNTIMES)))
    found: Runtime = importlib.import_module(f"wherry.runtimes.{name}").INSTALLED(optimize)
    return found
