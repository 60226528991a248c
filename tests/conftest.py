"""Settings of all tests: the same examples every time; HYPOTHESIS_PROFILE=explore finds new ones, brief takes few."""

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import wherry as wh
from tests.differential.openvino_runtime import OpenVINORuntime, is_witness

sys.modules["openvino_telemetry"] = None  # it forks the process at the import of OpenVINO, with threads and pipes

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("wherry", max_examples=24, derandomize=True, **COMMON)
settings.register_profile("brief", max_examples=8, derandomize=True, **COMMON)
settings.register_profile("explore", max_examples=1000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "wherry"))

LONGEST = (
    "tests/core/test_every_isa.py",
    "tests/runtimes/conform/test_shipped.py",
    "tests/differential/",
    "tests/core/test_alignment.py",
    "tests/conversion/test_pairs.py",
    "tests/attacks/",
    "tests/conversion/",
    "tests/portability/",
    "tests/cli/",
    "tests/test_scale.py",
)
"""Where the files are that take longest: those that come last must be short, or one processor waits for the other."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the files that take longest begin first; pytest-xdist hands out whole files, in this order."""

    def place(item: pytest.Item) -> int:
        return next((number for number, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Keep what was collected, and the modules, out of garbage collections: they stay, and are most of all objects."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def number_of_threads() -> Iterator[None]:
    """For tests of what sets the number of threads, such as the benchmark: those behind them find all cores."""
    yield
    wh.set_num_threads(0)


@pytest.fixture(scope="module")
def openvino() -> Iterator[OpenVINORuntime]:
    """OpenVINO in a child process, which starts with the first model."""
    pytest.importorskip("openvino")
    if not is_witness():
        pytest.skip("OpenVINO has other kernels on this processor, which were not compared")
    runtime = OpenVINORuntime()
    yield runtime
    runtime.close()
