"""Messages between wherry conform and the processes that try cases."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

LENGTH = struct.Struct("<q")
"""What stands before a message."""

Reply = tuple[str, Any]
"""What became of a case (answers, refuses, cannot say, crashes, hangs), and the arrays or the words."""


def send(message: object, to: IO[bytes]) -> None:
    """Write a message behind its length."""
    data = pickle.dumps(message)
    to.write(LENGTH.pack(len(data)) + data)
    to.flush()


def receive(source: IO[bytes]) -> Any:
    """Return the next message. Raises EOFError where the other side has ended."""
    head = source.read(LENGTH.size)
    data = source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""
    if not data:
        raise EOFError("the other side has ended")
    return pickle.loads(data)
