"""What ships is what the installed runtimes do: where a newer one does otherwise, its cells are measured again."""

import platform

import pytest

from wherry.runtimes.conform.answers import specified
from wherry.runtimes.conform.matrix import Cell, Column, Outcome, cells_as_json, key_of, shipped
from wherry.runtimes.conform.measure import measure
from wherry.runtimes.conform.rule import ORDINARY
from wherry.runtimes.conform.rules import RULES
from wherry.runtimes.processor import Processors

BAD = {key_of(one) for one in RULES if isinstance(specified(one), str)}
"""Rules of what must be refused: a runtime that does not may read any memory, with any outcome."""

ELSEWHERE = {
    ("openvino", ("Trilu", "bfloat16")): (Processors(lacking=frozenset({"avx512f"})), Outcome.AGREES),
}
"""Cells with another outcome on some processors than on those that the shipped ones were measured on: without AVX-512
OpenVINO computes bfloat16 as float32, which a Trilu leaves as it is."""


def apart(key: tuple[str, str], measured: Cell, held: Cell) -> bool:
    """Whether two outcomes part; the words of a refusal are not compared."""
    if key in BAD and Outcome.AGREES not in (measured.outcome, held.outcome):
        return False
    if measured.outcome == held.outcome == Outcome.DIFFERS:
        return measured.words != held.words
    return measured.outcome != held.outcome


def test_what_ships_is_of_eight_runtimes_at_least_and_tells_of_all_rules() -> None:
    columns = list(shipped())
    assert len({column.runtime for column in columns}) >= 8
    for column in columns:
        assert list(column.cells) == [key_of(one) for one in RULES], column.title
        # ncnn takes few operators and types; a runtime that is asked wrongly agrees by chance only.
        assert column.count(Outcome.AGREES) > max(60, 3 * column.count(Outcome.DIFFERS)), column.title
    words = [cell.words for column in columns for cell in column.cells.values()]
    assert not [one for one in words if "/home/" in one or "/tmp/" in one or "/root/" in one]
    assert cells_as_json(columns[0])["Gather"][ORDINARY] == "agrees"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the cells were measured on x86-64")
@pytest.mark.parametrize("name", ["onnxruntime", "openvino", "onnx.reference", "numpy"])
def test_the_installed_version_does_what_ships(name: str) -> None:
    found = measure(name, RULES)
    columns = {column.title: column for column in shipped()}
    if name == "numpy" and found.title not in columns:
        pytest.skip(f"{found.title} is no witness of this project's choice")
    assert found.title in columns, f"measure it: wherry conform --runtime {name} --write"
    parted = differing(found, columns[found.title])
    for (runtime, key), (processors, outcome) in ELSEWHERE.items():
        if runtime == name and processors.has_this:
            assert parted.pop(key)[0].outcome == outcome
    assert parted == {}, f"measure it again: wherry conform --runtime {name} --write"
    assert found.count(Outcome.AGREES) > 200


def differing(found: Column, held: Column) -> dict[tuple[str, str], tuple[Cell, Cell]]:
    pairs = {key: (cell, held.cells[key]) for key, cell in found.cells.items()}
    return {key: pair for key, pair in pairs.items() if apart(key, *pair)}


def test_the_comparison_can_fail() -> None:
    legal, bad = ("Gather", "negative index"), ("Gather", "index past the end")
    agrees, one, two = Cell(Outcome.AGREES), Cell(Outcome.DIFFERS, "1"), Cell(Outcome.DIFFERS, "2")
    assert apart(legal, agrees, one)
    assert apart(legal, one, two)
    assert not apart(legal, Cell(Outcome.REFUSES, "no"), Cell(Outcome.REFUSES, "never"))
    assert not apart(bad, one, Cell(Outcome.CRASHES, "SIGSEGV"))
    assert apart(bad, agrees, one)
    assert differing(Column("a", "1", {legal: one}), Column("a", "1", {legal: two})) == {legal: (one, two)}
