"""External data: tensors kept in files beside a model, read without ever leaving the model's folder."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arrays.mapped import map_file
from wherry.errors import FileFormatError
from wherry.layout import LIMIT
from wherry.limits import check_bytes

Bytes = NDArray[np.uint8]

_MOST_MAPPED = 64
"""How many files a model maps: each takes one of the process's file descriptors, of which systems allow some 1,000."""

_RANGE = ("offset", "length")
_KEYS = ("location", *_RANGE, "checksum")


@dataclass(frozen=True)
class Place:
    """Where a tensor's bytes lie: a file named relative to the model's folder, and a range of it."""

    location: str
    offset: int
    length: int | None
    checksum: str | None

    @classmethod
    def of(cls, entries: Iterable[Any], where: str) -> Place:
        """Return the place that the key-value entries of TensorProto.external_data give."""
        given: dict[str, str] = {}
        for entry in entries:
            if entry.key not in _KEYS:
                raise FileFormatError(f"{where} has the external data key {entry.key!r}, allowed {', '.join(_KEYS)}")
            if entry.key in given:
                raise FileFormatError(f"{where} has the external data key {entry.key!r} twice")
            given[entry.key] = entry.value
        if not given.get("location"):
            raise FileFormatError(f"{where} has external data without a location")
        length = _number(given["length"], "length", where) if "length" in given else None
        offset = _number(given.get("offset", "0"), "offset", where)
        return cls(given["location"], offset, length, given.get("checksum"))


def _number(text: str, key: str, where: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text, re.ASCII) or int(text) > LIMIT:
        raise FileFormatError(f"{where} has external data with {key} {text[:40]!r}, allowed 0..{LIMIT}")
    return int(text)


class Folder:
    """The folder of a model; `read` gives bytes of files inside it, and of no other.

    `own` is what the model's file itself holds, with the location by which tensors that stay in it refer to it.
    """

    def __init__(self, path: Path, own: tuple[str, Bytes] | None = None) -> None:
        try:
            self._root = path.resolve()
        except (OSError, RuntimeError) as error:
            raise FileFormatError(f"the folder {str(path)!r} of external data cannot be followed: {error}") from None
        self._digest = cache(_sha1)
        self._own = own
        self._mapped: dict[tuple[int, int], Bytes] = {}
        self._files: set[object] = set()
        self._held = self._read = 0

    def read(self, place: Place, needed: int, where: str) -> Bytes:
        """Return the `needed` bytes of a tensor, which lie in the file until they are read; read-only.

        Raises FileFormatError for a location outside the folder (absolute, `..`, or through a symbolic link), one that
        is no regular file, a range beyond the file's end, a length that is not the tensor's, or a wrong checksum;
        ResourceLimitError where the tensors read so far take far more than the files hold.
        """
        if self._own is not None and (place.location, place.checksum) == (self._own[0], None):
            return self._read_own(self._own[1], place, needed, where)
        path = self._inside(place.location, where)
        if place.length is not None and place.length != needed:
            raise FileFormatError(
                f"{where} has external data of {place.length} bytes, its type and sizes need {needed}"
            )
        with open(_descriptor(path, place.location, where), "rb") as file:
            status = os.fstat(file.fileno())
            size = status.st_size
            if place.offset + needed > size:
                raise FileFormatError(f"{where} needs bytes {place.offset}..{place.offset + needed} of "
                                      f"{place.location!r}, which has {size}")  # fmt: skip
            if place.checksum is not None and place.checksum.lower() != self._digest(path):
                raise FileFormatError(
                    f"{where}: {place.location!r} does not have the SHA1 checksum that the model gives"
                )
            blocks = getattr(status, "st_blocks", None)  # of 512 bytes; fewer than st_size says: the file has holes
            stored = size if blocks is None else min(size, blocks * 512)
            identity = status.st_dev, status.st_ino
            self._count(needed, identity, stored)
            if identity not in self._mapped and len(self._mapped) < _MOST_MAPPED:
                self._mapped[identity] = map_file(file, size)
            if identity in self._mapped and place.offset + needed <= len(self._mapped[identity]):
                return self._mapped[identity][place.offset : place.offset + needed]
            file.seek(place.offset)
            data = np.fromfile(file, np.uint8, needed)
            if len(data) != needed:
                raise FileFormatError(f"{where}: {place.location!r} became shorter while it was read")
        return data

    def own_bytes(self, entries: Iterable[Any]) -> Bytes | None:
        """Return the range of the model's own file that the entries of external data name, if they name one."""
        given = {entry.key: entry.value for entry in entries}
        if self._own is None or given.get("location") != self._own[0] or given.keys() != {"location", *_RANGE}:
            return None
        offset, length = (_number(given[key], key, "a tensor") for key in _RANGE)
        return self._own[1][offset : offset + length]

    def _read_own(self, own: Bytes, place: Place, needed: int, where: str) -> Bytes:
        """Return the bytes of a tensor that stays in the model's file."""
        if place.length != needed:
            raise FileFormatError(f"{where} has {place.length} bytes of raw data, its type and sizes need {needed}")
        if place.offset + needed > len(own):
            raise FileFormatError(f"{where} needs bytes {place.offset}..{place.offset + needed} of the file, which has "
                                  f"{len(own)}")  # fmt: skip
        self._count(needed, None, len(own))
        return own[place.offset : place.offset + needed]

    def _count(self, needed: int, file: object, stored: int) -> None:
        """Raise ResourceLimitError if tensors that share bytes, or lie in holes of files, take too much in all."""
        if file not in self._files:
            self._files.add(file)
            self._held += stored
        self._read += needed
        check_bytes(self._read - self._held, "tensors beyond what the files of external data hold", self._held)

    def _inside(self, location: str, where: str) -> Path:
        """Return the real path of a location. Raises FileFormatError if it lies outside the folder."""
        posix, windows = PurePosixPath(location), PureWindowsPath(location)
        if posix.is_absolute() or windows.drive or windows.root or "\0" in location:
            raise FileFormatError(
                f"{where} has its data at {location!r}, allowed a path relative to the model's folder"
            )
        if ".." in posix.parts or ".." in windows.parts:
            raise FileFormatError(f"{where} has its data at {location!r}, allowed a path without '..'")
        try:
            path = (self._root / posix).resolve()
        except (OSError, RuntimeError) as error:
            raise FileFormatError(f"{where} has its data at {location!r}, which cannot be followed: {error}") from None
        if not path.is_relative_to(self._root):
            raise FileFormatError(f"{where} has its data at {location!r}, which links to outside the model's folder")
        return path


def _descriptor(path: Path, location: str, where: str) -> int:
    """Open a regular file, not through a link that appeared meanwhile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                             | getattr(os, "O_BINARY", 0))  # fmt: skip
    except OSError as error:
        raise FileFormatError(f"{where} has its data at {location!r}, which cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileFormatError(f"{where} has its data at {location!r}, which is no regular file")
    return descriptor


def _sha1(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()
