"""How many threads large moves may use."""

from __future__ import annotations

from wherry import _core
from wherry.arguments import as_int
from wherry.errors import InvalidTypeError, invalid

MOST = 1024
"""As many as the core keeps."""


def set_num_threads(n: int) -> None:
    """Let large moves use up to `n` threads; 0 goes back to the default (OMP_NUM_THREADS, or the cores).

    Raises InvalidTypeError for what is no integer, InvalidValueError outside 0..1024.
    """
    if isinstance(n, bool):
        raise InvalidTypeError(f"n is {n}, allowed a number of threads")
    number = as_int("n", n)
    if not 0 <= number <= MOST:
        raise invalid("n", number, f"0..{MOST}", "0 means as many as there are cores")
    _core.set_num_threads(number)


def get_num_threads() -> int:
    """Return how many threads a large move may use."""
    return _core.get_num_threads()
