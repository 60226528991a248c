"""Parts of each second row and column: one of several copies that go together, moved in the order of their source."""

from __future__ import annotations

import pytest

from tests.core.tuned import run_tuned
from tests.core.turned_parts import CASES, part_and_join


@pytest.mark.parametrize("case", CASES)
def test_parts_of_rows_and_columns(case: tuple[tuple[int, ...], str, int, int, bool]) -> None:
    part_and_join(case)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_where_everything_is_large(threads: int) -> None:
    """A process whose last cache is said to be small takes the ways of large arrays."""
    done = run_tuned("last=4K,second=2K,group=1K", "-m", "tests.core.turned_parts", str(threads))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(len(CASES))]
