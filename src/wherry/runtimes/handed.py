"""Passes arrays between processes in files, which the receiver maps into memory."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

WEIGHTS = ".data"
"""What a file of weights beside a model ends with."""


@dataclass(frozen=True)
class Stored:
    """An array in a file of its own, which holds its elements and nothing else; of strings a pickled list."""

    path: Path
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, array: Array, path: Path) -> Stored:
        """Write an array to a file."""
        if array.dtype.hasobject:
            path.write_bytes(pickle.dumps(array.reshape(-1).tolist()))
        else:
            np.ascontiguousarray(array).tofile(path)
        return cls(path, array.dtype, array.shape)

    def read(self) -> Array:
        """Return the array; writes to it reach no other process."""
        if self.dtype.hasobject:
            values = np.empty(int(np.prod(self.shape, dtype=np.int64)), object)
            values[:] = pickle.loads(self.path.read_bytes())
            return values.reshape(self.shape)
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        memory = np.memmap(self.path, np.uint8, mode="c")
        return np.asarray(memory).view(self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Task:
    """A model to run once, in a file; its results go to files in a folder."""

    model: Path
    inputs: dict[str, Stored]
    outputs: tuple[str, ...]
    folder: Path
    seconds: float
    most_bytes: int
    """The results may have so many bytes together."""
    weights: Path | None = None
    """A file that holds the constants of an IR."""
