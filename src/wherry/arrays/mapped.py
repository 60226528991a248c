"""Files mapped into memory as read-only arrays."""

from __future__ import annotations

import mmap
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray


def map_file(file: BinaryIO, size: int) -> NDArray[np.uint8]:
    """Return the first `size` bytes of an open file, read-only.

    The array lies on disk, and is read where its elements are. A file that is cut short while the array lives ends a
    process that reads past its new end; see SECURITY.md.
    """
    if not size:
        return np.empty(0, np.uint8)
    try:
        return np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ), np.uint8)
    except (OSError, ValueError):  # a file system, or a kind of file, that cannot be mapped
        file.seek(0)
        read = np.fromfile(file, np.uint8, size)
        read.flags.writeable = False
        return read
