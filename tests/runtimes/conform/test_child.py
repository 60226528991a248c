"""Cases in processes of their own: what crashes, blocks or fills one is told, and the next case is answered."""

import faulthandler
import os
import pickle
import select
import signal
import time
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest

from wherry.errors import MissingDependencyError
from wherry.runtimes.conform import child
from wherry.runtimes.conform.child import Trials, apart
from wherry.runtimes.conform.measure import Asked, measure
from wherry.runtimes.conform.pipe import receive, send
from wherry.runtimes.conform.rule import ORDINARY
from wherry.runtimes.conform.rules import RULES

GATHER = [one for one in RULES if one.operator == "Gather"]


def test_an_answer_comes_back() -> None:
    kind, arrays = apart(lambda: ("answers", [np.arange(100_000)]))
    assert kind == "answers"
    assert arrays[0].sum() == 4_999_950_000


def test_a_case_that_ends_its_process_crashes() -> None:
    def die(of: signal.Signals) -> None:
        faulthandler.disable()
        os.kill(os.getpid(), of)

    assert apart(lambda: die(signal.SIGABRT)) == ("crashes", "SIGABRT")
    assert apart(lambda: die(signal.SIGSEGV)) == ("crashes", "SIGSEGV")
    assert apart(lambda: os._exit(3)) == ("crashes", "the process ends with status 3")


def test_a_case_that_does_not_end_hangs_and_is_ended_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "SECONDS", 0.5)
    read, write = os.pipe()

    def block() -> None:
        if os.fork() == 0:
            time.sleep(60)
        time.sleep(60)

    begin = time.monotonic()
    assert apart(block) == ("hangs", "more than 0.5 s")
    os.close(write)
    assert os.read(read, 1) == b""  # nobody has it any more
    os.close(read)
    assert time.monotonic() - begin < 20


def test_a_case_that_takes_memory_gets_no_more_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_BYTES", 512 << 20)

    def fill() -> tuple[str, str]:
        try:
            return "answers", str(np.ones(1 << 30, np.uint8).size)
        except MemoryError:
            return "refuses", "no memory"

    assert apart(fill) == ("refuses", "no memory")


def test_many_cases_are_answered_by_one_process_until_one_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer_one(case: object) -> tuple[str, object]:
        if case == "die":
            os._exit(3)
        if case == "sleep":
            time.sleep(60)
        return "answers", (os.getpid(), case)

    trials = Trials(answer_one)
    (_, (first, _)), (_, (second, long)) = trials.reply("a", False), trials.reply("b" * 100_000, False)
    assert first == second != os.getpid()
    assert long == "b" * 100_000
    assert trials.reply("a", True)[1][0] != first
    assert trials.reply("die", False) == ("crashes", "the process ends with status 3")
    assert trials.reply("b", False)[1][0] != first
    monkeypatch.setattr(child, "SECONDS", 0.2)
    assert trials.reply("sleep", False) == ("hangs", "more than 0.2 s")


def test_a_case_ends_with_the_process_that_tries_it() -> None:
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        apart(lambda: time.sleep(60))
    time.sleep(0.2)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    os.close(write)
    assert select.select([read], [], [], 20)[0], "somebody has the pipe still"
    assert os.read(read, 1) == b""
    os.close(read)


def test_messages_stand_behind_their_length() -> None:
    pipe = BytesIO()
    send({"a": 1}, pipe)
    send("two", pipe)
    pipe.seek(0)
    assert [receive(pipe), receive(pipe)] == [{"a": 1}, "two"]
    with pytest.raises(EOFError):
        receive(pipe)
    with pytest.raises(EOFError):
        receive(BytesIO((8).to_bytes(8, "little")))
    assert pickle.loads(pickle.dumps(GATHER[0].case)).operator == "Gather"


@pytest.fixture
def numpy_child() -> Iterator[Asked]:
    found = Asked("numpy")
    yield found
    found.close()


def test_a_child_answers_refuses_and_cannot_say(numpy_child: Asked) -> None:
    rules = {one.name: one for one in GATHER}
    assert numpy_child.version == np.__version__
    assert numpy_child.ask(rules[ORDINARY])[0] == "answers"
    kind, words = numpy_child.ask(rules["index past the end"])
    assert (kind, words) == ("refuses", "index 5 is out of bounds for axis 0 with size 5")
    assert numpy_child.ask(rules["strings"])[0] == "cannot say"


def test_measuring_tells_of_each_rule() -> None:
    told: list[str] = []
    column = measure("numpy", GATHER[:3], told.append)
    assert told == [f"numpy {np.__version__}"] * 3
    assert list(column.cells) == [("Gather", one.name) for one in GATHER[:3]]


def test_what_is_not_installed_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_PATH", "")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingDependencyError, match="install it with: npm install onnxruntime-web"):
        measure("onnxruntime-web", GATHER[:1])
