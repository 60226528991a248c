"""Outcomes, and the files in which they ship."""

import json
from pathlib import Path

import numpy as np
import pytest

from wherry.runtimes.conform import matrix
from wherry.runtimes.conform.matrix import Cell, Column, Outcome, judged, key_of, write
from wherry.runtimes.conform.rule import ORDINARY
from wherry.runtimes.conform.rules import RULES

GATHER = {one.name: one for one in RULES if one.operator == "Gather"}
ROWS = np.array([[7, 8], [1, 2]], np.float32)


def outcome(name: str, reply: tuple[str, object], ordinary: tuple[str, object] = ("answers", [ROWS])) -> Cell:
    found = judged("some", "1", [(GATHER[ORDINARY], ordinary), (GATHER[name], reply)])
    return found.cells["Gather", name]


def test_an_answer_agrees_or_differs() -> None:
    five = np.array([5, 1], np.float32)
    assert outcome("negative index", ("answers", [five])) == Cell(Outcome.AGREES)
    assert outcome("negative index", ("answers", [five * 2])) == Cell(Outcome.DIFFERS, "float32[2] 10.0, 2.0")
    assert outcome("index past the end", ("answers", [five])) == Cell(Outcome.DIFFERS, "float32[2] 5.0, 1.0")


def test_a_refusal_agrees_with_a_refusal_of_what_is_otherwise_answered() -> None:
    reply = ("refuses", "index out of range")
    assert outcome("index past the end", reply) == Cell(Outcome.AGREES)
    assert outcome("index past the end", reply, ("refuses", "no Gather")) == Cell(Outcome.REFUSES, "index out of range")
    assert outcome("negative index", reply) == Cell(Outcome.REFUSES, "index out of range")


def test_other_outcomes_keep_their_words() -> None:
    assert outcome("negative index", ("crashes", "SIGSEGV")) == Cell(Outcome.CRASHES, "SIGSEGV")
    assert outcome("negative index", ("cannot say", "no call")) == Cell(Outcome.CANNOT_SAY, "no call")
    assert outcome("negative index", ("hangs", "more than 60 s")) == Cell(Outcome.HANGS, "more than 60 s")


def test_words_are_without_folders_addresses_and_backtraces() -> None:
    said = "at 0x7ffe1234abcd in /home/someone/src/gather.cc:12\n  src/core/x.cc Stack backtrace: 0: main"
    assert outcome("negative index", ("refuses", said)).words == "at 0x... in gather.cc:12 src/core/x.cc"
    assert len(outcome("negative index", ("refuses", "word " * 100)).words) == 200


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(matrix.resources, "files", lambda package: tmp_path)
    first = [key_of(one) for one in RULES[:3]]
    path = write(Column("some", "1.0", {first[0]: Cell(Outcome.AGREES), first[2]: Cell(Outcome.HANGS, "long")}))
    write(Column("some", "1.0", {first[2]: Cell(Outcome.CRASHES, "SIGSEGV"), first[1]: Cell(Outcome.AGREES)}))
    held = json.loads(path.read_text())
    assert path.name == "some-1.0.json"
    assert held["differences"] == []
    assert held["cells"] == {
        first[0][0]: {first[0][1]: "agrees", first[1][1]: "agrees", first[2][1]: {"crashes": "SIGSEGV"}}
    }
    assert matrix._cells_of(held["cells"]) == {
        first[0]: Cell(Outcome.AGREES), first[1]: Cell(Outcome.AGREES), first[2]: Cell(Outcome.CRASHES, "SIGSEGV")
    }  # fmt: skip
