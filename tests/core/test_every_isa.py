"""The tests of the core on each lower instruction set that the machine has, with fewer examples.

Signals, threads, calls and programs are the same on all of them, and stay out. So do those of the operators but for
the edges of Cast: measured by gcov, line by line and branch by branch of each kernel, they reach nothing on scalar and
avx2 that neither the tests of the core nor the C++ tests reach, and the other tests of Cast nothing that its edges do
not. Those whose own processes choose instruction sets run on all of them anyway. Destinations go around caches of two
megabytes, so that those which do are small; on the machine's own instruction set these alone are run.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wherry import _core

TESTS = Path(__file__).parents[1]
ISAS = _core.isas()
LOWER, OWN = ISAS[: ISAS.index(_core.isa())], _core.isa()
CASTING = ISAS[:2]
"""Those that Cast runs on, too."""
ALIKE = [
    "test_answering.py", "test_calls.py", "test_calls_into.py", "test_divide.py", "test_every_isa.py",
    "test_integers.py", "test_interrupt.py", "test_last_call.py", "test_memory.py", "test_method.py",
    "test_next_rows.py", "test_packed_strings.py", "test_partition.py", "test_program.py", "test_races.py",
    "test_references.py", "test_resident.py", "test_rows_together.py", "test_stub.py", "test_threads.py",
]  # fmt: skip
"""Those that reach no line or branch of a kernel on scalar or avx2 that no other test of the core does."""
OF_BYTES = {"avx512": ["test_copy.py", "test_core.py", "test_permutations.py", "test_short_rows.py"]}
"""Those that alone are run on avx512, which differs from avx512vbmi in the moves of bytes alone."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """All at once, since each keeps one processor busy: the processes, and the files that they print to."""
    folder = tmp_path_factory.mktemp("runs")
    options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not chooses_isa"]
    started = {}
    for isa in (*LOWER, OWN):
        ignored = [f"--ignore={TESTS / 'core' / name}" for name in ALIKE]
        names = ["test_alignment.py"] if isa == OWN else OF_BYTES.get(isa, [""])
        tests = [TESTS / "core" / name for name in names]
        with (folder / isa).open("w") as printed:
            started[isa] = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    *options,
                    *tests,
                    *ignored,
                    *(["-k", "around_the_caches"] if isa == OWN else []),
                    *([f"{TESTS / 'ops/test_cast.py'}::test_edges_agree"] if isa in CASTING and isa != OWN else []),
                ],
                env={**os.environ, "WHERRY_ISA": isa, "WHERRY_TUNE": "last=2M", "HYPOTHESIS_PROFILE": "brief"},
                cwd=TESTS.parent,
                stdout=printed,
                stderr=subprocess.STDOUT,
            )
    yield {isa: (process, folder / isa) for isa, process in started.items()}
    for process in started.values():
        process.kill()


@pytest.mark.parametrize("isa", [*LOWER, OWN])
def test_all_is_the_same(isa, runs):
    process, printed = runs[isa]
    assert process.wait() == 0, printed.read_text()[-4000:]
