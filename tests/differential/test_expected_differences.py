"""Each expected difference still is one: its example falls under it, and the two sides disagree on it."""

import importlib

import pytest

from tests.differential.expected_differences import Difference
from tests.differential.onnxruntime_differences import DIFFERENCES, expected


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: f"{d.runtime}: {d.name}")
def test_the_example_still_disagrees(difference: Difference) -> None:
    pytest.importorskip(difference.runtime)
    runtime = importlib.import_module(f"tests.differential.{difference.runtime}_runtime")
    assert expected(difference.example) is difference
    assert runtime.disagree(difference.example, crashes=difference.crashes), "agreed at last: delete the entry"


def test_names_are_distinct_and_every_entry_says_why() -> None:
    names = [(difference.runtime, difference.name) for difference in DIFFERENCES]
    assert len(set(names)) == len(names)
    assert all(difference.reason and difference.link and difference.version for difference in DIFFERENCES)
