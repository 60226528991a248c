"""What DxDispatch's print and writeFile commands say and write."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.errors import FileFormatError, InvalidValueError, UnsupportedError, cut, invalid, short
from wherry.files import beside

_IMAGES = (".jpg", ".jpeg", ".png")


def printed(name: str, values: NDArray[Any], verbose: bool) -> Iterator[str]:
    """Yield the lines of a print command.

    Floats have 6 significant digits, as C++ streams print them; 8-bit integers are printed as numbers, where DxDispatch
    prints the character of that code.

    >>> list(printed("Out", np.float32([1, 0.1, 1e10]), False))
    ["Resource 'Out': 1, 0.1, 1e+10"]
    """
    if not verbose:
        yield f"Resource {_quoted(name)}: {', '.join(_texts(values))}"
        return
    yield f"Resource {_quoted(name)}:"
    width = values.dtype.itemsize
    numbers = len(str(len(values)))
    codes = chain.from_iterable(part.tolist() for part in _parts(values.view(f"u{width}")))
    for number, (text, code) in enumerate(zip(_texts(values), codes, strict=True)):
        yield f"[{number:{numbers}}] {text} (0x{code:{2 * width}X})"


def _texts(values: NDArray[Any]) -> Iterator[str]:
    for part in _parts(values):
        for value in part.tolist():
            yield f"{value:g}" if isinstance(value, float) else str(value)


def _parts(values: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield the values a few at a time: as Python numbers all of them would take many times their memory."""
    return (values[start : start + _PART] for start in range(0, len(values), _PART))


_PART = 4096


def check_target(target: str, size_in_bytes: int, width: int, dimensions: Sequence[int]) -> None:
    """Refuse a writeFile command that would leave its folder, needs an image, or has dimensions that do not fit."""
    relative_target(target)
    ending = PureWindowsPath(target).suffix.lower()
    if ending in _IMAGES:
        raise UnsupportedError(f"targetPath is {short(target)}, an image, which wherry does not encode; write .npy")
    if ending != ".npy":
        return
    if not width:
        raise InvalidValueError(f"targetPath is {short(target)}, but the resource has mixed types; write raw bytes")
    count = math.prod(dimensions) if dimensions else size_in_bytes // width
    if count * width > size_in_bytes:
        raise invalid("dimensions", list(dimensions), f"up to {size_in_bytes // width} elements",
                      "the resource has no more")  # fmt: skip


def file_nbytes(target: str, size_in_bytes: int, width: int, dimensions: Sequence[int]) -> int:
    """Return how many bytes a writeFile command writes, but for the header of an .npy file."""
    if PureWindowsPath(target).suffix.lower() != ".npy" or not dimensions:
        return size_in_bytes
    return math.prod(dimensions) * width


def file_content(target: str, memory: NDArray[np.uint8], dtype: np.dtype[Any], dimensions: Sequence[int]) -> bytes:
    """Return what a writeFile command writes: an .npy file, or the bytes of the whole buffer."""
    if PureWindowsPath(target).suffix.lower() != ".npy":
        return memory.tobytes()
    sizes = tuple(dimensions) or (memory.nbytes // dtype.itemsize,)
    array = memory[: math.prod(sizes) * dtype.itemsize].view(dtype).reshape(sizes)
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def relative_target(target: str) -> Path:
    """Return a target path as one of this machine. Raises FileFormatError for one that is not below its folder."""
    parts = PureWindowsPath(target)
    if not parts.name or "\0" in target or parts.drive or parts.root or ".." in parts.parts:
        raise FileFormatError(f"targetPath is {short(target)}, allowed a path below the output folder")
    return Path(*parts.parts)


class Files:
    """The files of a run, kept until it has succeeded; without a folder nothing is written."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._contents: dict[Path, bytes] = {}

    def add(self, name: str, target: str, content: Callable[[], bytes]) -> Iterator[str]:
        """Keep a file, and yield the line that DxDispatch prints; nothing without a folder."""
        if self.folder is None:
            return
        self._contents[self._inside(self.folder, relative_target(target))] = content()
        yield f"Resource {_quoted(name)} written to {_quoted(target)}"

    def write(self) -> None:
        """Write the files. Raises FileFormatError where one would have to be the folder of another; OSError."""
        for path in self._contents:
            if above := next((folder for folder in path.parents if folder in self._contents), None):
                raise FileFormatError(f"targetPath is {short(path.name)} inside {short(above.name)}, another target")
        for path, data in self._contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside(path) as aside:
                aside.write_bytes(data)

    @staticmethod
    def _inside(folder: Path, target: Path) -> Path:
        try:
            root = folder.resolve()
            path = (root / target).resolve()
            is_free = path.is_file() or not path.exists()
        except (OSError, RuntimeError) as error:  # links in a circle, a name that is too long
            raise FileFormatError(
                f"targetPath is {short(str(target))}, which leads nowhere: {cut(str(error))}"
            ) from None
        if not path.is_relative_to(root):
            raise FileFormatError(f"targetPath is {short(str(target))}, which a link leads out of the output folder")
        if not is_free:
            raise FileFormatError(f"targetPath is {short(str(target))}, where something stands that is no regular file")
        return path


def _quoted(name: str) -> str:
    return f"'{name}'"
