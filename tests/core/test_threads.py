"""The core's threads: no state is shared, children of a fork work, and what changes meanwhile does no harm."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import wherry as wh
from tests.core.meanwhile import meanwhile, tries
from tests.core.naive import FROM_END, RAISE, ZERO, gather_into, same
from wherry import _core


def test_threads_share_no_state():
    data = np.arange(200_000.0)
    failures = []

    def work(seed):
        indices = np.random.default_rng(seed).integers(-200_000, 200_000, 100_000)
        for _ in range(5):
            if not np.array_equal(_core.gather(data, indices), data[indices]):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def test_number_of_threads():
    before = _core.get_num_threads()
    data, indices = np.arange(1000.0), np.random.default_rng(0).integers(0, 1000, 300_000)
    try:
        for n in (1, 2, 3, 7):
            _core.set_num_threads(n)
            assert _core.get_num_threads() == n
            same(_core.gather(data, indices), data[indices])
    finally:
        _core.set_num_threads(0)
    assert _core.get_num_threads() == before


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_helpers_go_back_to_all_other_cores_when_others_took_theirs():
    busy = "import time\nend = time.monotonic() + 30\nwhile time.monotonic() < end: pass"
    cores = os.sched_getaffinity(0)
    others = [subprocess.Popen([sys.executable, "-c", busy]) for _ in cores]
    source = np.arange(1_500_000.0).reshape(1500, 1000)
    out = np.empty((1000, 1500))
    try:
        for number, _ in enumerate(tries(1)):
            source[0, 0] = number
            _core.copy(source.T, out)
            assert np.array_equal(out, source.T)
    finally:
        for process in others:
            process.kill()
            process.wait()
    # A helper that was fetched is on one core only while the call lasts.
    allowed = [os.sched_getaffinity(int(thread)) for thread in os.listdir("/proc/self/task")]
    assert all(len(each) >= len(cores) - 1 for each in allowed)
    assert set().union(*allowed) == cores


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_forked_child_still_works():
    script = """
import os, numpy as np
from wherry import _core
data, i = np.arange(1e6), np.random.default_rng(0).integers(0, 10**6, 10**6)
_core.set_num_threads(3)
threads = _core.get_num_threads()
_core.gather(data, i)
pid = os.fork()
if pid == 0:
    ok = np.array_equal(_core.gather(data, i), data[i]) and _core.get_num_threads() == threads
    os._exit(0 if ok else 3)
_, status = os.waitpid(pid, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


def test_indices_changed_meanwhile_stay_harmless():
    data = np.arange(1000, dtype="i4")
    indices = np.zeros(200_000, "i8")

    def disturb():
        indices[::7] = 2**62
        indices[::7] = 0

    with meanwhile(disturb):
        for _ in tries(1):
            got = _core.gather(data, indices, out_of_range="zero")
            assert not got.any()
            out = np.empty(200_000, "i4")
            try:
                gather_into(data, indices, out, 0, 0, RAISE, FROM_END)
            except IndexError as error:
                if "changed" not in str(error):
                    raise


def test_gil_is_released():
    data, indices = np.zeros((4, 1 << 20)), np.zeros(40, "i8")
    ticks = []

    def tick():
        ticks.append(time.perf_counter())
        time.sleep(0.0005)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(10)
    try:
        with meanwhile(tick):
            time.sleep(0.01)
            start = time.perf_counter()
            _core.gather(data, indices)
            end = time.perf_counter()
    finally:
        sys.setswitchinterval(switch)
    assert sum(start < t < end for t in ticks) > 3


MEMORY = np.random.default_rng(5).integers(0, 99, (320, 16, 33))

# Target and updates, the indexed axis, and whether an index is for one element: which axis threads share differs.
SHARED_SCATTERS = {
    "batches, joined": (MEMORY[:160].reshape(32, 5, 528), MEMORY[160:].reshape(32, 5, 528), 1, False),
    "batches": (MEMORY[:160].reshape(32, 5, 528), MEMORY[160:].reshape(32, 5, 528)[:, :4], 1, False),
    "elements": (MEMORY[:160].reshape(40, 2112), MEMORY[160:300].reshape(35, 2112), 0, True),
    "runs": (MEMORY[:160], MEMORY[160:300], 0, False),
    "runs backwards": (MEMORY[:160, :, ::-1], MEMORY[160:300], 0, False),
    "rows of runs": (MEMORY[:160, :, 1:], MEMORY[160:300, ::-1, :32], 0, False),
    "elements apart": (MEMORY[:160, :, ::2], MEMORY[160:300, :, 1::2][..., :1].repeat(17, 2), 0, False),
    "rows of elements apart": (MEMORY[:160, ::-1, 1:20:2], MEMORY[160:300, :, :10], 0, False),
}


@pytest.mark.parametrize("reduction", [0, 1])
@pytest.mark.parametrize("case", SHARED_SCATTERS)
def test_threads_share_a_scatter(case, reduction):
    target, updates, axis, for_elements = SHARED_SCATTERS[case]
    names = updates.shape if for_elements else updates.shape[: axis + 1] + (1,) * (updates.ndim - axis - 1)
    indices = np.random.default_rng(1).integers(-target.shape[axis], target.shape[axis], names)
    expected = target.copy()
    for i in range(updates.shape[axis]):
        one = [slice(None)] * updates.ndim
        one[axis] = slice(i, i + 1)
        picked = indices[tuple(one)] % target.shape[axis]
        now = np.take_along_axis(expected, np.broadcast_to(picked, updates[tuple(one)].shape), axis)
        np.put_along_axis(expected, picked, updates[tuple(one)] + reduction * now, axis)
    steps = [0 if a == axis else step for a, step in enumerate(target.strides)]
    try:
        for threads in (1, 2, 3, 5):
            memory = MEMORY.copy()
            written = np.ndarray(
                target.shape, target.dtype, memory, target.ctypes.data - MEMORY.ctypes.data, target.strides
            )
            view = np.lib.stride_tricks.as_strided(
                written, (*updates.shape, target.shape[axis]), (*steps, target.strides[axis])
            )
            _core.set_num_threads(threads)
            _core.scatter_into(
                view, np.broadcast_to(indices, updates.shape)[..., None], updates, reduction, RAISE, FROM_END, 3, 0
            )
            same(written, expected)
            written[...] = target
            same(memory, MEMORY)
    finally:
        _core.set_num_threads(0)


def test_scatter_with_indices_changed_meanwhile_stays_in_its_target():
    memory = np.zeros(3000)
    target = np.lib.stride_tricks.as_strided(memory[1000:2000], (200_000, 1000), (0, 8))
    indices, updates = np.zeros((200_000, 1), "i8"), np.ones(200_000)

    def disturb():
        indices[::7] = 1500
        indices[::7] = -1500
        indices[::7] = 0

    with meanwhile(disturb):
        for _ in tries(0.7):
            _core.scatter_into(target, indices, updates, 0, ZERO, FROM_END, -1, 0)
    assert not memory[:1000].any()
    assert not memory[2000:].any()


def test_ranges_are_timed_one_by_one() -> None:
    source = np.arange(1 << 21, dtype=np.float32).reshape(1 << 11, 1 << 10)
    target = np.zeros_like(source.T)
    _core.set_num_threads(8)
    try:
        whole, jobs = _core.range_times(lambda: wh.copy(source.T, target))
    finally:
        _core.set_num_threads(0)
    assert np.array_equal(target, source.T)
    ((threads, shared, seconds),) = jobs
    assert threads == 8
    assert len(seconds) > 8
    assert all(each > 0 for each in seconds)
    assert sum(seconds) <= shared <= whole
    assert _core.range_times(lambda: wh.copy(source[:1, :4], target[:1, :4]))[1] == []
