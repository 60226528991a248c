"""Each expected difference still is one: its example falls under it, and the two sides disagree on it."""

from __future__ import annotations

from pathlib import Path

import pytest

import wherry as wh
from tests.differential.difference import Difference
from tests.differential.expected_differences import ONNXRUNTIME, OPENVINO, expected
from tests.differential.expected_differences.openvino_entries import model
from tests.differential.openvino_runtime import OpenVINORuntime, disagree

_AGREED = "agreed at last: delete the entry"


def _tries(entry: Difference, usual: int) -> range:
    """What threads leave is right by chance more often than not."""
    return range(40 if entry.of_threads else usual)


def _skip_without_threads(entry: Difference) -> None:
    if entry.of_threads and wh.get_num_threads() < 2:
        pytest.skip("on one core threads do not meet")


@pytest.mark.parametrize("entry", ONNXRUNTIME, ids=lambda entry: entry.name)
def test_onnxruntime(entry: Difference) -> None:
    pytest.importorskip("onnxruntime")
    _skip_without_threads(entry)
    from tests.differential import onnxruntime_runtime

    assert expected(entry.example, "onnxruntime") is entry
    found = (onnxruntime_runtime.disagree(entry.example, crashes=entry.crashes) for _ in _tries(entry, 1))
    assert any(found), _AGREED


@pytest.mark.parametrize("entry", OPENVINO, ids=lambda entry: entry.name)
def test_openvino(entry: Difference, openvino: OpenVINORuntime, tmp_path: Path) -> None:
    """Foreign memory may look right by chance, so there are several tries, and old values in it."""
    assert entry.applies(entry.example)
    _skip_without_threads(entry)

    def found() -> bool:
        sevens = model("Tile", 1, ("f32", [7.0]), ("i64", [100]))
        openvino.run(*sevens.files(), sevens.given)
        return disagree(entry.example, openvino, tmp_path)

    assert any(found() for _ in _tries(entry, 10)), _AGREED


def test_names_are_distinct_and_every_entry_says_why() -> None:
    names = [(entry.runtime, entry.name) for entry in (*ONNXRUNTIME, *OPENVINO)]
    assert len(set(names)) == len(names)
    assert all(entry.reason and entry.link and entry.version for entry in (*ONNXRUNTIME, *OPENVINO))
