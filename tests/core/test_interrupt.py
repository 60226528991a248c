"""Ctrl-C during a long move: it ends within a tenth of a second, and the process goes on."""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import wherry as wh
from wherry import _core
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Gather, Transpose
from wherry.tensors import TensorType

MILLION = 2**20
SECONDS = 0.1


class Stopped(Exception):
    """What the handler raises."""


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    """Python drops what a handler raises while its collector of cycles calls back, as Hypothesis has it do."""
    gc.disable()
    yield
    gc.enable()


def for_ever(move: Callable[[], object]) -> None:
    while True:
        move()


def interrupted(move: Callable[[], object]) -> float:
    """Return the processor time, in seconds, from a signal during a move that is repeated to the error that ends it.

    On a machine that is busy with something else, the time on the clock says nothing.
    """
    sent: list[float] = []
    main = threading.get_ident()

    def handler(number: int, frame: object) -> None:
        raise Stopped

    def send() -> None:
        time.sleep(0.3)
        sent.append(time.process_time())
        signal.pthread_kill(main, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        sender = threading.Thread(target=send)
        sender.start()
        with pytest.raises(Stopped):
            for_ever(move)
        return time.process_time() - sent[-1]
    finally:
        sender.join()
        signal.signal(signal.SIGUSR1, before)


def long_gather() -> Callable[[], object]:
    """Long rows of a small table: 512 MiB of results."""
    table = np.zeros((64, 256 * 1024), np.uint8)
    indices = np.zeros(2048, np.int64)
    out = np.empty((2048, 256 * 1024), np.uint8)
    return lambda: wh.gather(table, indices, out=out)


def long_copy() -> Callable[[], object]:
    source = np.broadcast_to(np.zeros((256, 1, 1), np.float32), (256, 2048, 512))
    out = np.empty((512, 2048, 256), np.float32)
    return lambda: _core.copy(source, out.T)


def long_model() -> Callable[[], object]:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (64, 256, 1024)))
    builder.add_input("i", TensorType("int64", (1024,)))
    builder.add(Transpose((2, 1, 0)), ["x"], ["t"], "turn")
    builder.add(Gather(), ["t", "i"], ["y"], "take")
    model = GraphModel(builder.build(["y", "t"]), "onnx")
    arrays = [np.zeros((64, 256, 1024), np.float32), np.zeros(1024, np.int64)]
    return lambda: model.run(arrays)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to threads")
@pytest.mark.parametrize("threads", [1, 2, 0])
@pytest.mark.parametrize("make", [long_gather, long_copy, long_model])
def test_a_signal_ends_a_long_move(make: Callable[[], Callable[[], object]], threads: int) -> None:
    move = make()
    wh.set_num_threads(threads)
    try:
        assert any(interrupted(move) < SECONDS * wh.get_num_threads() for _ in range(3))
    finally:
        wh.set_num_threads(0)
    small = wh.gather(np.arange(5), [3, 1])
    assert small.tolist() == [3, 1]
    move()  # nothing is left of the one that was given up


@pytest.mark.parametrize("inputs", [list, tuple, dict])
def test_what_a_handler_raises_is_not_taken_for_a_fault_of_the_arguments(inputs: type) -> None:
    """Lists and dicts run no code of the caller's, whose errors are worded as ours: what comes up there is a signal."""
    builder = GraphBuilder()
    for name in "xi":
        builder.add_input(name, TensorType("int64", (4,)))
    builder.add(Gather(), ["x", "i"], ["y"], "take")
    model = GraphModel(builder.build(["y"]), "onnx")
    named = {"x": np.arange(4), "i": np.arange(4)}
    given = named if inputs is dict else inputs(named.values())

    raised, rounds = [0], 200

    def handler(number: int, frame: object) -> None:
        raised[0] += 1
        raise Stopped

    before = signal.signal(signal.SIGALRM, handler)

    def run_until_it_comes() -> None:
        # Again after a second: Python drops what a handler raises while a finalizer runs, of whatever else is loaded.
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 1)
        for_ever(lambda: model.run(given))

    try:
        for _ in range(rounds):
            with pytest.raises(Stopped):
                run_until_it_comes()
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert raised[0] <= rounds + 1  # one may be dropped


def test_moves_of_other_threads_go_on() -> None:
    """A signal is the main thread's; what others move is moved whole."""
    source = np.arange(16 * MILLION, dtype=np.int32).reshape(4096, 4096)
    wrong: list[str] = []
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            out = np.zeros((4096, 4096), np.int32)
            _core.copy(source.T, out)
            if not np.array_equal(out, source.T):
                wrong.append("a copy is not whole")

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert any(interrupted(long_gather()) < SECONDS * (wh.get_num_threads() + 1) for _ in range(3))
    finally:
        stop.set()
        worker.join()
    assert wrong == []


def test_what_is_not_interrupted_is_moved_whole_though_signals_come() -> None:
    """A handler that returns ends nothing."""
    seen: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    source = np.arange(32 * MILLION, dtype=np.int32).reshape(4096, 8192)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        for _ in range(3):
            out = np.zeros((8192, 4096), np.int32)
            _core.copy(source.T, out)
            assert np.array_equal(out, source.T)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen
