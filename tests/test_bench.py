"""The benchmark: every row gives the expected results, its reports say what was measured."""

import itertools
import json
from pathlib import Path
from typing import Any

import bench.scaling
import numpy as np
import pytest
from bench import elements, every, shapes
from bench.case import ROWS
from bench.cores import CORES, makespan, scaling
from bench.draws import MOVES
from bench.limit import copies, loops, ordered
from bench.machine import file_name
from bench.measure import beside, check, measure, spread
from bench.report import Finding, line, slower, summary
from bench.rows import declare

from wherry import _core

pytestmark = pytest.mark.usefixtures("number_of_threads")

declare()
ORDERED_ROWS = [
    "gather/rows", "gather/rows-narrow", "gather/palette", "elements/uint8-10M", "elements/float64-4M", "axis/middle",
    "axis/last", "axis/batch", "policy/clamp", "strided/column-major", "strided/table-padded",
    "elements/along-rows", "elements/along-vector", "gather/tuples", "compress", "strided/out-padded",
    "copy/rows-padded", "reverse-sequence", "pad/constant", "pad/reflect", "scatter/rows",
]  # fmt: skip


@pytest.mark.parametrize("key", ROWS)
def test_wherry_and_numpy_agree(key: str) -> None:
    case = ROWS[key].make(8)
    for name, make in case.contenders.items():
        if name.split()[0] in ("wherry", "numpy"):
            outputs = case.new_outputs()
            check(ROWS[key], name, make(outputs, 2), case.expected)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("key", ORDERED_ROWS)
def test_bare_loops_in_the_order_of_a_row_give_its_result(key: str, threads: int) -> None:
    case = ROWS[key].make(8)
    assert case.parts is not None
    (like,) = case.new_outputs()
    targets = [0] if case.parts.targets is None else case.parts.targets
    size = case.parts.extent if case.parts.targets is None else case.parts.size
    names = []
    for name, call in ordered(case.parts, threads):
        whole = np.zeros(like.strides[0] * len(like), np.uint8)
        result = np.ndarray(like.shape, like.dtype, whole, strides=like.strides)
        result[...] = case.expected[0]
        call.target[...] = whole[: len(call.target)]
        for place in targets:  # what is of no part is not the loop's work
            call.target[place : place + size] = 0
        call()
        whole[: len(call.target)] = call.target
        assert result.tobytes() == case.expected[0].tobytes(), name
        names.append(name)
    assert len(names) in (3, 6)


def test_another_result_is_noticed() -> None:
    row = ROWS["small/gather-2-of-4"]
    case = row.make(8)
    with pytest.raises(SystemExit, match="another than NumPy's"):
        check(row, "wherry", case.contenders["wherry"](case.new_outputs(), 1), [case.expected[0] + 1])


def test_a_row_measured() -> None:
    found = measure(ROWS["axis/batch"], threads=2, rounds=1, seconds=0, quick=True)
    assert {"wherry", "memcpy"} <= set(found["seconds"])
    assert found["extra_memory"] is None or found["extra_memory"] <= 16 * 2**20
    assert {"wherry", "numpy"} <= set(found["bursts"])
    assert all(name.split()[0] != "memcpy" for name in (*found["bursts"], *found["beside"]))
    assert json.loads(json.dumps(found)) == found


def test_beside_others_each_comes_first_as_often_as_last() -> None:
    came: list[str] = []
    names = ("wherry", "numpy", "torch", "onnxruntime")
    found = beside({name: lambda name=name: came.append(name) for name in names}, 1, 2)
    measured = came[2::3]  # each warms up, lets a library's threads spin, and is measured
    assert came[1::3] == ["onnxruntime"] * 3 + ["torch"] * 2 + ["onnxruntime"] * 3
    assert measured == [*names, *reversed(names)]
    assert {name: len(rounds) for name, rounds in found.items()} == dict.fromkeys(names, 2)


def test_ranges_go_to_the_thread_that_is_free_first() -> None:
    assert makespan([3, 1, 1, 1], 1) == 6
    assert makespan([3, 1, 1, 1], 2) == 3
    assert makespan([2, 2, 2], 2) == 4
    assert makespan([], 4) == 0


def test_what_more_cores_would_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = _core.range_times

    def in_one_second(call: Any) -> Any:
        """The ranges of a call as they are, with a second for all of a job, and a quarter beside them."""
        whole, jobs = measured(call)
        assert whole > sum(shared for _, shared, _ in jobs) >= 0
        ranges = [(threads, 1.0, [1 / len(seconds)] * len(seconds)) for threads, _, seconds in jobs]
        return 1.25, ranges or [(1, 1.0, [1.0])]

    monkeypatch.setattr(_core, "range_times", in_one_second)
    gains, whole, alone = scaling(ROWS["gather/rows"], divide=8, rounds=1)
    assert list(gains) == list(CORES)
    assert gains[2] == pytest.approx(1.25 / 0.75)
    assert gains[8] == pytest.approx(1.25 / 0.375)
    assert gains[8] < gains[64] < 1.25 / 0.25
    assert (whole, alone) == (1.25, 0.25)


def test_what_more_threads_gain_here() -> None:
    assert bench.scaling.counts(1) == [1]
    assert bench.scaling.counts(16) == [1, 2, 4, 8, 16]
    times = bench.scaling.measured(ROWS["gather/rows"], [1, 2], divide=8, rounds=1, seconds=0)
    assert times is not None
    assert {name for name, _ in times} >= {"wherry", "memcpy"}
    assert {number for _, number in times} == {1, 2}
    assert bench.scaling.measured(ROWS["small/split"], [1, 2], divide=8, rounds=1, seconds=0) is None
    found = {("wherry", 1): [4.0], ("wherry", 2): [2.0], ("memcpy", 1): [3.0], ("memcpy", 2): [1.5], ("copy", 2): [1.0]}
    assert bench.scaling.line("a", found, [1, 2]) == "| a | 4000.00 | 2.0 / 2.0 | 0.75 | 0.50 |"


@pytest.mark.parametrize("threads", [1, 3])
def test_every_copy_copies(threads: int) -> None:
    assert set(loops()) >= {"vectors", "read"}
    names = []
    for name, call in copies(1_000_003, 1_500_000, threads):
        call.memory.source[...] = len(names) + 2
        call()
        assert (call.memory.kept == len(names) + 2).all(), name
        names.append(name)
    assert names[0] == "memcpy"
    assert len(names) == len(loops())


def _finding(**medians: float) -> Finding:
    seconds = {name.replace("_", " "): spread([[median]]) for name, median in medians.items()}
    return Finding({"row": "a", "title": "b", "bandwidth": True, "bytes": 1, "extra_memory": 0, "seconds": seconds})


def test_what_a_report_says() -> None:
    fast = _finding(wherry=1e-3, numpy=9e-3, torch=8e-3, torch_out=4e-3, memcpy=0.9e-3)
    slow = _finding(wherry=2e-3, numpy=2e-3, memcpy=1e-3)
    assert (fast.best_peer, fast.ratio, fast.share) == ("torch out", 4, pytest.approx(0.9))
    found = summary([fast, slow])
    assert found["least_ratio"] == 1
    assert found["mean_ratio"] == pytest.approx(2)
    assert found["least_memcpy"] == pytest.approx(0.5)
    assert line(fast).startswith("| a: b | 1.00 ±0% | 9.00 | 4.00 |")


def test_a_ratio_is_that_of_the_times_of_one_round() -> None:
    seconds = {
        "wherry": spread([[1, 1], [2, 2], [2, 2]]),  # memory was twice as fast in the first round,
        "torch": spread([[3, 3], [6, 6], [3, 9]]),
        "copy streaming": spread([[0.9], [1.8], [0.9]]),  # and for the copy again in the last
    }
    found = Finding({"row": "a", "bandwidth": True, "seconds": seconds, "bursts": seconds})
    assert (found.ratio, found.ratio_in("bursts"), found.share) == (3, 3, pytest.approx(0.9))
    assert (found.ours, found.fastest_copy) == (2, 0.9)
    assert found.ratio_in("beside") is None


def test_what_became_slower_is_told_by_the_copies_of_each_run() -> None:
    before = [_finding(wherry=1e-3, numpy=2e-3, memcpy=1e-3, copy_streaming=0.5e-3)]
    as_fast_on_a_slow_machine = [_finding(wherry=3e-3, numpy=6e-3, memcpy=3e-3, copy_streaming=1.5e-3)]
    slow = [_finding(wherry=2e-3, numpy=6e-3, memcpy=1e-3, copy_streaming=0.5e-3)]
    assert before[0].share == pytest.approx(0.5)
    assert slower(as_fast_on_a_slow_machine, before) == []
    assert slower(slow, before) == ["a: 2.00 times as long as before, by the same run's copy"]
    assert slower(slow, []) == []


def test_a_file_is_called_by_its_processor() -> None:
    where = {"processor": "Intel(R) Xeon(R) Processor (family 6, model 207)", "threads": 2}
    assert file_name(where) == "intel-xeon-processor-family-6-model-207-2-threads.json"


def test_the_page_says_what_limits_every_row() -> None:
    page = (Path(__file__).parents[1] / "docs" / "benchmark.md").read_text(encoding="utf-8")
    _, _, explained = page.partition("## Where the time goes")
    assert not [key for key in ROWS if f"`{key}`" not in explained]


def test_elements_that_are_no_numbers() -> None:
    found = list(elements.lines("", sizes=[100]))
    assert len(found) == 2 + len(elements.KINDS) + 2
    assert found[-1].startswith(f"{len(elements.KINDS) * len(elements.MOVES) - len(_without_order())} figures")


@pytest.mark.parametrize("operator", MOVES)
def test_moves_of_random_shapes_give_the_expected_bits(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "ROUNDS", 1)
    monkeypatch.setattr(shapes, "TIMES", 1)
    texts = set()
    for name, move in itertools.islice(shapes.drawn(operator, seed=7), 6):
        found = shapes.measure(name, move)
        assert found.ratio > 0
        assert found.bytes_written > 0
        assert {"numpy"} <= set(found.peers)
        texts.add(found.text)
    assert len(texts) == 6


def test_a_seed_gives_the_same_moves() -> None:
    one, other, another = (
        [move.text for _, move in itertools.islice(shapes.drawn("Trans", seed), 5)] for seed in (3, 3, 4)
    )
    assert one == other != another


def test_another_result_of_a_random_shape_is_noticed() -> None:
    name, move = next(shapes.drawn("Concat", 0))
    move.expected[0].reshape(-1)[-1] += 1
    with pytest.raises(SystemExit, match="another than NumPy's"):
        shapes.measure(name, move)


def test_the_table_of_random_shapes() -> None:
    found = list(shapes.lines("Scatter", seed=1, seconds=0.0, threads=1))
    assert found[2].startswith("| ScatterElements | 1 |")
    assert found[3].startswith("| all | 1 |")
    assert next(shapes.lines("Nothing", 1, 0.0, 1)).startswith("no operator has 'Nothing' in its name")


def _without_order() -> list[str]:
    return [kind for kind in elements.KINDS if kind.startswith(("record", "object")) and "strings" not in kind]


def test_every_public_function_has_a_small_call() -> None:
    calls = dict(every.calls())
    assert len(calls) > 380
    assert all(call is not None for call in calls.values())
    for call in calls.values():
        call()
    assert every.example("wh.onnx.nothing", lambda: None) is None
