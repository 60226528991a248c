"""Each shipped difference still is one, and no more than that: its example disagrees, its neighbours agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import wherry as wh
from tests.differential import measure
from tests.differential.openvino_runtime import OpenVINORuntime, disagree
from wherry.runtimes.case import Case
from wherry.runtimes.conform.measure import Asked
from wherry.runtimes.differences import Difference, Does, differences, expected

ONNXRUNTIME, OPENVINO = differences("onnxruntime"), differences("openvino")
READER = differences("openvino-onnx")

_AGREED = f"the runtime no longer differs: the entry goes, by `{measure.COMMAND}`"


def _skip_elsewhere(entry: Difference) -> None:
    if entry.does is Does.ORDER and wh.get_num_threads() < 2:
        pytest.skip("on one core threads do not meet")
    if entry.holds_on is not None and not entry.holds_on.has_this:
        pytest.skip(f"seen on {entry.holds_on} only")


def _covering(case: Case, runtime: str) -> list[str]:
    return [entry.name for entry in differences(runtime) if entry.applies(case)]


def _assert_answers(entry: Difference, found: measure.Answers) -> None:
    """Fail unless they are those that ship; what varies, and how a process ends, may be another each time."""
    assert found is not None, _AGREED
    theirs, specified = found
    assert entry.written["answers"]["specification"] == specified
    if entry.does not in measure.VARYING:
        assert entry.written["answers"]["runtime"] == theirs, f"measure again: `{measure.COMMAND}`"


@pytest.mark.parametrize("entry", ONNXRUNTIME, ids=lambda entry: entry.name)
def test_onnxruntime(entry: Difference) -> None:
    pytest.importorskip("onnxruntime")
    _skip_elsewhere(entry)
    assert entry.name in _covering(entry.example, "onnxruntime")
    _assert_answers(entry, measure.answers_of_onnxruntime(entry.example, entry.does))


def _neighbours(entries: tuple[Difference, ...]) -> list[object]:
    return [pytest.param(case, id=entry.name) for entry in entries for case in entry.neighbours]


@pytest.mark.parametrize("case", _neighbours(ONNXRUNTIME))
def test_neighbours_of_onnxruntime(case: Case) -> None:
    """In each way that no entry covers, the two sides give the same bits."""
    pytest.importorskip("onnxruntime")
    from tests.differential.onnxruntime_runtime import (
        Refused,
        by_onnxruntime,
        by_wherry,
        feeds,
        model_of,
        same,
        variants,
    )

    assert expected(case, "onnxruntime") is None
    for way in variants(case):
        if expected(way, "onnxruntime") is None:
            ours = by_wherry(model_of(way), feeds(way))
            assert not isinstance(ours, Refused), ours
            assert same(ours, by_onnxruntime(model_of(way), feeds(way)))


@pytest.mark.parametrize("entry", OPENVINO, ids=lambda entry: entry.name)
def test_openvino(entry: Difference, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    _skip_elsewhere(entry)
    assert entry.name in _covering(entry.example, "openvino")
    _assert_answers(entry, measure.answers_of_openvino(entry.example, entry.does, openvino, tmp_path))


@pytest.fixture(scope="module")
def reader() -> Iterator[Asked]:
    """OpenVINO, given ONNX models."""
    pytest.importorskip("openvino")
    with Asked("openvino") as asked:
        yield asked


@pytest.mark.parametrize("entry", READER, ids=lambda entry: entry.name)
def test_what_openvino_reads_of_onnx(entry: Difference, reader: Asked) -> None:
    assert _covering(entry.example, entry.runtime) == [entry.name]
    _assert_answers(entry, measure.answers_of_reader(entry.example, reader))
    for case in entry.neighbours:
        assert expected(case, entry.runtime) is None
        assert measure.answers_of_reader(case, reader) is None


@pytest.mark.parametrize("case", _neighbours(OPENVINO))
def test_neighbours_of_openvino(case: Case, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    assert expected(case, "openvino") is None
    assert not disagree(case, openvino, tmp_path)


def test_an_entry_alone_excuses_its_example() -> None:
    """Else the example could prove another entry; sums of bf16 are rounded each by itself wherever they are reduced."""
    several = {
        entry.name: names
        for entry in (*ONNXRUNTIME, *OPENVINO)
        if len(names := _covering(entry.example, entry.runtime)) > 1
    }
    both = ["16-bit floats are reduced in another order", "bf16 with an even last bit is cut off"]
    assert several == {both[0]: both}
