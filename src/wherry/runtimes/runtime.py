"""Runtime: the interface by which an installed runtime runs parts of a model."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes
from wherry.errors import UnsupportedError, invalid, short
from wherry.models.parts import PartFile
from wherry.runtimes.installed import Installed

Array = NDArray[Any]


@dataclass(frozen=True)
class Held:
    """A runtime's value that is no tensor, a sequence or a map; passed to its next part unchanged."""

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


class Runtime(Installed):
    """An installed runtime that reads models.

    `optimize=False` lets it run each node as the file has it; one that cannot raises UnsupportedError.
    """

    formats: ClassVar[frozenset[str]] = frozenset({"onnx"})
    """The formats of parts that it reads."""

    takes_weights: ClassVar[bool] = False
    """Whether it takes constants beside the file, so that they are not copied."""

    reads_paths: ClassVar[bool] = False
    """Whether it reads a file by its path, and so the constants that lie in a file beside it."""

    def __init__(self, optimize: bool = True) -> None:
        super().__init__()
        self.optimize = optimize

    def session(self, part: PartFile) -> Session:
        """Return a part of a model, ready to run.

        Raises UnsupportedError for a format that the runtime does not read, or constants beside the file that it does
        not find, OtherRuntimeError if it refuses the part.
        """
        if part.format not in self.formats:
            raise UnsupportedError(f"{self.title} does not read the parts of this model, which are of {part.format}")
        if part.path is not None and not self.reads_paths:
            raise UnsupportedError(
                f"{self.title} reads no constants beside a file, as of 2 GiB and more must lie there"
            )
        with self.failing("refuses to load a part of the model"):
            return self._session(part)

    @abstractmethod
    def _session(self, part: PartFile) -> Session:
        """Return a part, ready to run; exceptions become errors of the runtime."""


Call = Callable[[Mapping[str, Array]], Sequence[Any]]
"""Returns the outputs in order, of arrays by name; what NumPy takes for an array, or arrays."""


class CalledSession(Session):
    """A session that is one call."""

    def __init__(self, runtime: Installed, part: PartFile, call: Call) -> None:
        self._runtime = runtime
        self._part = part
        self._call = call

    def run(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """See Session."""
        with self._runtime.failing("fails on a part of the model"):
            found = map(np.asarray, self._call({name: _tensor(name, value) for name, value in inputs.items()}))
            plain = (one.astype(object) if one.dtype.kind in "SU" else one for one in found)
            return dict(zip(self._part.outputs, plain, strict=True))


def _tensor(name: str, value: Value) -> Array:
    if isinstance(value, Held):
        raise UnsupportedError(f"tensor {name!r} is of {value.type}, allowed tensors")
    return np.ascontiguousarray(value).reshape(value.shape)


def of_numpy(array: Array, package: str) -> Array:
    """Return an array that a package takes. Raises UnsupportedError for types that are not NumPy's own, and strings."""
    dtype = dtypes.of(array.dtype)  # of an array that was unpickled `isbuiltin` does not tell
    if dtype is None or dtype.is_string or dtype.numpy.isbuiltin != 1:
        raise UnsupportedError(f"{package}'s Python package takes no {array.dtype}")
    return array


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
