"""The examples in docs/operators run."""

import doctest
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "operators").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0


def test_there_are_pages() -> None:
    assert PAGES


def test_operators_of_docstrings_run() -> None:
    from wherry.ops import diagonals

    assert doctest.testmod(diagonals).failed == 0
