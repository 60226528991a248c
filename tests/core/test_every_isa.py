"""The core's and the operators' tests once more on each lower instruction set that the machine has."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wherry import _core

TESTS = Path(__file__).parents[1]
ISAS = ["scalar", "avx2", "avx512", "avx512vbmi"]


@pytest.mark.parametrize("isa", ISAS[: ISAS.index(_core.isa())])
def test_all_is_the_same(isa):
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            f"--ignore={__file__}",
            TESTS / "core",
            TESTS / "ops",
        ],
        env={**os.environ, "WHERRY_ISA": isa},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:]
