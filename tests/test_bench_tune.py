"""The benchmark's other tables: permutations beside a copy, casts beside each other, and limits that are measured."""

import math

import pytest
from bench import casts
from bench.permutations import PERMUTATIONS, Measured, chosen, measure
from bench.tune import LIMITS, best_limit

from wherry import _core, dtypes
from wherry.dtypes import DType

pytestmark = pytest.mark.usefixtures("number_of_threads")


def test_the_permutations_are_those_of_the_literature() -> None:
    assert len(PERMUTATIONS) == 57
    assert {len(order) for _, order in PERMUTATIONS} == {2, 3, 4, 5, 6}
    for sizes, order in PERMUTATIONS:
        assert sorted(order) == list(range(len(sizes)))
        assert 180e6 < 4 * math.prod(sizes) < 260e6


def test_a_pattern_chooses_by_sizes_and_order() -> None:
    assert chosen("") == PERMUTATIONS
    assert len(chosen("5,4,3,2,1,0")) == 3
    assert chosen("7264x7264 1,0") == [((7264, 7264), (1, 0))]
    assert chosen("none") == []


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_a_permutation_measured(dtype: str) -> None:
    found = measure((5, 6, 7), (2, 0, 1), dtype, None, threads=1, rounds=2)
    assert found.wrong == []
    assert {"wherry", "copy by wherry", "copy by numpy"} <= set(found.seconds)
    assert {len(times) for times in found.seconds.values()} == {2}


def test_a_share_is_that_of_the_faster_copy_turn_by_turn() -> None:
    seconds = {"copy by wherry": [1.0, 4.0, 1.0], "copy by numpy": [2.0, 2.0, 2.0], "wherry": [2.0, 4.0, 1.0]}
    found = Measured((1,), (0,), "float32", seconds, [])
    assert found.copies == [1.0, 2.0, 1.0]
    assert found.share("wherry") == 0.5
    assert found.share("hptt") is None


def test_the_limit_is_where_passing_it_begins_to_pay() -> None:
    assert best_limit((1, 2, 4), [2.0, 1.0, 1.0], [1.0, 2.0, 2.0]) == 2
    assert best_limit((1, 2, 4), [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]) == 8
    assert best_limit((1, 2, 4), [1.0, 1.0, 2.1], [2.0, 2.0, 2.0]) == 1


def test_every_limit_is_a_setting() -> None:
    assert {limit.name for limit in LIMITS} < set(_core.machine())


def test_casts_are_measured_beside_who_has_them() -> None:
    found = casts.measure(dtypes.find("int4"), dtypes.find("float16"), 100, threads=1, rounds=1)
    assert set(found.seconds) >= {"wherry", "numpy"}
    assert found.best_peer in found.seconds
    assert len(list(casts.pairs(""))) == len(casts.NAMES) * (len(casts.NAMES) - 1)
    assert [(str(source), str(to)) for source, to in casts.pairs("float64-to-int4")] == [("float64", "int4")]


def test_casts_that_are_behind_are_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(source: DType, to: DType, count: int, threads: int, rounds: int) -> casts.Measured:
        ours = 2.0 if (count, rounds) == (casts.COUNTS[0], 3) else 0.5
        return casts.Measured(source.name, to.name, count, {"wherry": [ours], "torch": [1.0]})

    monkeypatch.setattr(casts, "measure", measured)
    found = list(casts.lines("float64-to-int4", 1, 3))
    summary = "1 casts of 500000 elements; times faster than the best peer: least {0}, geometric mean {0}, behind in "
    assert found[4:] == [
        "",
        summary.format("0.50") + "1",
        summary.format("2.00").replace("500000", "8000000") + "0",
        f"\nThose behind, {casts.AGAIN} times as many rounds:\n",
        *casts.HEAD,
        "| 500000 | float64-to-int4 | 500000.0 | 1000000.0 | torch | 2.00 |",
        "",
        summary.format("2.00") + "0",
    ]


@pytest.mark.parametrize("name", casts.NAMES)
def test_every_cast_that_is_measured_has_values_that_both_types_hold(name: str) -> None:
    given = casts.values(dtypes.find(name), 50)
    assert given.dtype == dtypes.find(name).numpy
    assert len({str(each) for each in given}) >= 2
