"""Arrays from .npy files: nothing is unpickled, and a header is checked against the size of the file."""

from __future__ import annotations

import math
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherry.errors import FileFormatError, ResourceLimitError, cut
from wherry.limits import check_bytes

_READ_HEADER = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


class Header(NamedTuple):
    """The header of an .npy file."""

    shape: tuple[int, ...]
    fortran_order: bool
    dtype: np.dtype[Any]


def read(path: Path) -> NDArray[Any]:
    """Return the array that an .npy file holds.

    Raises FileFormatError for what is no regular file, no .npy file, holds objects, or other bytes than its header
    tells; ResourceLimitError for one that the machine does not hold; OSError.
    """
    with open_file(path) as file:
        header = read_header(file)
        if header.dtype.hasobject:
            raise FileFormatError(
                f"{path.name} holds {header.dtype}, allowed elements of fixed width: nothing is unpickled"
            )
        data = read_data(file, header)
    return data.reshape(header.shape, order="F" if header.fortran_order else "C")


def open_file(path: Path) -> BinaryIO:
    """Open a regular file: one that ends, and that opening does not wait for. Raises FileFormatError, OSError."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileFormatError(f"{path.name} is no regular file")
    return path.open("rb")


def read_header(file: BinaryIO) -> Header:
    """Return the header that stands at the beginning of a file. Raises FileFormatError."""
    try:
        version = np.lib.format.read_magic(file)
        if version in _READ_HEADER:
            return Header(*_READ_HEADER[version](file))
    except Exception as error:  # the header is Python source, and NumPy raises whatever its parsers do
        raise FileFormatError(f"is no .npy file: {cut(str(error) or type(error).__name__)}") from None
    raise FileFormatError(f"is of .npy version {version}, allowed 1.0 and 2.0")


def read_data(file: BinaryIO, header: Header) -> NDArray[Any]:
    """Return the elements behind a header, in the order of the file. Raises FileFormatError, ResourceLimitError."""
    if any(size < 0 for size in header.shape):
        raise FileFormatError(f"has the shape {header.shape}, allowed sizes from 0 on")
    count, rest = math.prod(header.shape), os.fstat(file.fileno()).st_size - file.tell()
    if count * header.dtype.itemsize != rest:
        raise FileFormatError(
            f"holds {rest} bytes of data, allowed {count * header.dtype.itemsize} for {header.shape} of {header.dtype}"
        )
    check_bytes(rest, "the elements", rest)
    try:
        return np.fromfile(file, header.dtype, count)
    except MemoryError:
        raise ResourceLimitError(f"the elements take {rest} bytes, more than the machine has left") from None
