"""What happens in another thread while a test runs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def meanwhile(action: Callable[[], object]) -> Iterator[None]:
    """Take an action again and again."""
    stop = threading.Event()

    def repeat() -> None:
        while not stop.is_set():
            action()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def tries(seconds: float) -> Iterator[None]:
    """Yield until so much time has gone."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
