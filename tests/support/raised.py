"""Whether a call raises, for programs that tests start: to import pytest takes longer than most of them."""

from __future__ import annotations

from collections.abc import Callable


def raises(error: type[Exception], call: Callable[[], object]) -> bool:
    """Return whether a call raises this error; any other comes out."""
    try:
        call()
    except error:
        return True
    return False
