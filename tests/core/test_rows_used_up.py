"""Gathers whose indices name most lines of each row of data: row by row, and turned where rows become columns."""

from __future__ import annotations

import os
import sys

import pytest

from tests.core.rows_used_up import CASES
from tests.core.tuned import run_tuned

TUNE = "second=16K,last=64K,cores=3"
"""Tables of more than 16 KB are then larger than the second cache."""

COMPARED = {"bad_indices": 6}


@pytest.mark.parametrize("case", CASES)
def test_rows_that_are_used_up(case: str) -> None:
    if case == "little_memory" and (sys.platform != "linux" or "LD_PRELOAD" in os.environ):
        pytest.skip("Linux tells how much memory is used, and a sanitizer ends a process that gets no more")
    done = run_tuned(TUNE, "-m", "tests.core.rows_used_up", case)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= COMPARED.get(case, 100_000)


def test_streamed_columns() -> None:
    """The same around the caches."""
    done = run_tuned(f"{TUNE},stream=64K,stream-far=64K", "-m", "tests.core.rows_used_up", "widths")
    assert done.returncode == 0, done.stderr
