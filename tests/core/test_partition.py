"""Scattered elements that are parted by where they go, against NumPy, where caches are said to be small."""

from __future__ import annotations

import pytest

from tests.core.parted_elements import CASES
from tests.core.tuned import run_tuned

TUNE = "second=32K,last=8K,partition=8K,partition-few=8K,partition-one=8K,far=4K,wake=1K"


@pytest.mark.parametrize("case", CASES)
def test_elements_that_are_parted(case: str) -> None:
    done = run_tuned(TUNE, "-m", "tests.core.parted_elements", case)
    assert done.returncode == 0, done.stderr
