"""A Python process of its own, whose core is told by WHERRY_TUNE what its machine is like."""

import os
import subprocess
import sys
from collections.abc import Callable, Collection
from typing import Any

import pytest

from tests.support.thinning import PROFILE
from wherry import _core


def on_each_isa(test: Callable[..., Any]) -> Any:
    """Run a test that starts processes of its own once for each instruction set of this machine, which is its `isa`."""
    return pytest.mark.chooses_isa(pytest.mark.parametrize("isa", _core.isas())(test))


def on_each_isa_with(name: str, values: Collection[str]) -> Callable[[Callable[..., Any]], Any]:
    """Run such a test with one of these values as `name` on each instruction set, in turn.

    On the machine's own it is run with all of them but under the profile brief, and under explore on each.
    """
    whole = {"brief": (), "explore": _core.isas()}.get(PROFILE, (_core.isa(),))
    cases = [
        (isa, value)
        for row, isa in enumerate(_core.isas())
        for column, value in enumerate(values)
        if isa in whole or column == row % len(values)
    ]

    def marked(test: Callable[..., Any]) -> Any:
        return pytest.mark.chooses_isa(pytest.mark.parametrize(("isa", name), cases)(test))

    return marked


def run_tuned(tune: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments; `more` are further variables of its environment."""
    environment = {**os.environ, "WHERRY_TUNE": tune, **more}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
