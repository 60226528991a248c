"""The measure of attacks fails for what dies, hangs, takes long, takes much memory, or raises another error."""

import os
import signal
import time
from collections.abc import Callable

import pytest

from tests.attacks import attack
from wherry.errors import InvalidValueError


def refuse() -> None:
    raise InvalidValueError("no")


def test_a_refusal_gives_its_words() -> None:
    assert attack.refused(refuse, InvalidValueError) == "no"


def test_a_call_that_returns_is_not_refused() -> None:
    with pytest.raises(AssertionError, match="nothing was refused; the result is 3"):
        attack.refused(lambda: 3)


def test_another_error_is_no_refusal() -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        attack.refused(lambda: 1 // 0)


def test_a_process_that_dies_is_seen() -> None:
    with pytest.raises(AssertionError, match="died"):
        attack.run(lambda: os.kill(os.getpid(), signal.SIGSEGV))


def test_a_call_that_never_ends_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "_PATIENCE", 0.3)
    with pytest.raises(AssertionError, match="not come to an end"):
        attack.run(lambda: time.sleep(60))


def spin() -> None:
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass
    refuse()


def test_processor_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "slowness", lambda: 1.0)
    assert attack.refused(spin) == "no"
    with pytest.raises(AssertionError, match=r"s of processor time, allowed 0\.1"):
        attack.refused(spin, seconds=0.1)


def test_bounds_of_time_grow_on_a_slower_machine_and_never_shrink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "_PACE", attack._PACE / 1000)
    assert attack.slowness() > 100
    assert attack.refused(spin, seconds=0.01) == "no"
    monkeypatch.setattr(attack, "_PACE", attack._PACE * 1_000_000)
    assert attack.slowness() == 1
    assert attack.refused(spin, seconds=5) == "no"
    with pytest.raises(AssertionError, match=r"s of processor time, allowed 0\.20"):
        attack.refused(spin, seconds=0.2)


def test_memory_is_measured() -> None:
    def take() -> None:
        bytearray(b"x" * (100 << 20))
        refuse()

    with pytest.raises(AssertionError, match="MB, allowed 64"):
        attack.refused(take)
    attack.refused(take, megabytes=250)


def test_time_that_grows_with_the_square_is_seen() -> None:
    def quadratic(count: int) -> Callable[[], object]:
        return lambda: [sum(range(count)) for _ in range(count)]

    with pytest.raises(AssertionError, match="for five times as many"):
        attack.check_linear(quadratic, 400)
    attack.check_linear(lambda count: lambda: sum(range(100 * count)), 10_000)
