"""Each expected difference still is one, and no more than that: its example disagrees, its neighbours agree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import wherry as wh
from tests.differential import expected_differences
from tests.differential.case import Case
from tests.differential.difference import Difference
from tests.differential.expected_differences import ONNXRUNTIME, OPENVINO, expected
from tests.differential.expected_differences.openvino_entries import model
from tests.differential.openvino_runtime import OpenVINORuntime, disagree

_AGREED = "the runtime no longer differs: delete the entry"


def _tries(entry: Difference, usual: int) -> range:
    """What threads leave is right by chance more often than not."""
    return range(40 if entry.of_threads else usual)


def _skip_elsewhere(entry: Difference) -> None:
    if entry.of_threads and wh.get_num_threads() < 2:
        pytest.skip("on one core threads do not meet")
    if entry.holds_on is not None and not entry.holds_on.has_this:
        pytest.skip(f"seen on {entry.holds_on} only")


@pytest.mark.parametrize("entry", ONNXRUNTIME, ids=lambda entry: entry.name)
def test_onnxruntime(entry: Difference) -> None:
    """With constants or without, of sizes known or not: in one of these ways they disagree."""
    pytest.importorskip("onnxruntime")
    _skip_elsewhere(entry)
    from tests.differential.onnxruntime_runtime import disagree, variants

    assert expected(entry.example, "onnxruntime") is entry
    ways = [entry.example] if entry.crashes else [way for way in variants(entry.example) if entry.applies(way)]
    threads = 4 if entry.of_threads else 1
    assert any(disagree(way, crashes=entry.crashes, threads=threads) for _ in _tries(entry, 1) for way in ways), _AGREED


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
    """Foreign memory may look right by chance, so there are several tries, and old values in it."""
    assert expected(entry.example, "openvino") is entry
    _skip_elsewhere(entry)

    def found() -> bool:
        sevens = model("Tile", 1, ("f32", [7.0]), ("i64", [100]))
        openvino.run(*sevens.files(), sevens.given)
        return disagree(entry.example, openvino, tmp_path)

    assert any(found() for _ in _tries(entry, 10)), _AGREED


@pytest.mark.parametrize("case", _neighbours(OPENVINO))
def test_neighbours_of_openvino(case: Case, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    assert expected(case, "openvino") is None
    assert not disagree(case, openvino, tmp_path)


def test_names_are_distinct_and_every_entry_says_why() -> None:
    names = [(entry.runtime, entry.name) for entry in (*ONNXRUNTIME, *OPENVINO)]
    assert len(set(names)) == len(names)
    for entry in (*ONNXRUNTIME, *OPENVINO):
        assert entry.reason
        assert entry.link
        assert entry.version
        assert str(entry.when)


def test_every_entry_has_a_neighbour() -> None:
    assert [entry.name for entry in (*ONNXRUNTIME, *OPENVINO) if not entry.neighbours] == []


def test_entries_never_call_wherry() -> None:
    """A mistake in wherry must not decide which cases are compared."""
    folder = Path(expected_differences.__file__).parent
    for path in [*folder.glob("*.py"), folder.parent / "conditions.py", folder.parent / "case.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [
                name.name for name in getattr(node, "names", ()) if isinstance(node, ast.Import)]  # fmt: skip
            assert not any(name.split(".")[0] == "wherry" for name in names), f"{path.name}, line {node.lineno}"
