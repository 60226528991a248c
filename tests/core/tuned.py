"""A Python process of its own, whose core is told by WHERRY_TUNE what its machine is like."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from wherry import _core


def on_each_isa(test: Callable[..., Any]) -> Any:
    """Run a test that starts processes of its own once for each instruction set of this machine, which is its `isa`."""
    return pytest.mark.chooses_isa(pytest.mark.parametrize("isa", _core.isas())(test))


def run_tuned(tune: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments; `more` are further variables of its environment."""
    environment = {**os.environ, "WHERRY_TUNE": tune, **more}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
