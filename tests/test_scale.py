"""Models of four times as many nodes take about four times as long, at every stage."""

import gc
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from bench.scale import FORMS, LISTED, Subject, timed
from onnx import ModelProto

pytestmark = pytest.mark.usefixtures("no_collection")

SMALL = 0.02
"""Seconds that count as nothing: what takes no longer at the larger size cannot be told from noise."""
ATTEMPTS = 4
FACTOR = 8  # linear is 4, quadratic 16


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Keep the collector of cycles, which looks at all that other tests left, out of what is timed."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("form", [*FORMS, *LISTED])
def test_time_grows_with_the_nodes(form: str, tmp_path: Path) -> None:
    assert grows_linearly({**FORMS, **LISTED}[form], 400, tmp_path, converts=False) == (2 if form in LISTED else 4)


@pytest.mark.parametrize("form", ["fan_out", "fan_in", "inputs"])
def test_time_to_convert_grows_with_the_nodes(form: str, tmp_path: Path) -> None:
    assert grows_linearly(FORMS[form], 100, tmp_path, converts=True) == 6


def grows_linearly(make: Callable[[int], ModelProto], count: int, folder: Path, converts: bool) -> int:
    """Return how many stages were compared at `count` and four times as many nodes, the least of some attempts each."""
    few, many = make(count), make(4 * count)
    least: dict[str, tuple[float, float]] = {}
    for _ in range(ATTEMPTS):
        for (name, short), (_, long) in zip(timed(few, folder, converts), timed(many, folder, converts), strict=True):
            before = least.get(name, (short, long))
            least[name] = min(before[0], short), min(before[1], long)
        slow = {name: times for name, times in least.items() if times[1] > max(SMALL, FACTOR * times[0])}
        if not slow:
            return len(least)
    raise AssertionError(f"more than {FACTOR} times as long at 4 times the nodes: {slow}")


@pytest.mark.parametrize(("power", "is_seen"), [(1, False), (2, True)])
def test_what_is_quadratic_is_seen(
    power: int, is_seen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # by a clock of its own: on a machine that does other work too, 4 and 16 times as long meet at 8
    now = 0.0

    def stage(subject: Subject) -> None:
        nonlocal now
        now += (subject.path.stat().st_size / 10_000) ** power

    monkeypatch.setattr("bench.scale.STAGES", (("load", stage),))
    monkeypatch.setattr("bench.scale.time.process_time", lambda: now)
    with pytest.raises(AssertionError, match="more than 8 times as long") if is_seen else nullcontext():
        assert grows_linearly(FORMS["chain"], 400, tmp_path, converts=False) == 1
