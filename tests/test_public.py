"""The public face: its names, what importing it loads, and that every docstring's example runs."""

import doctest
import importlib
import linecache
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import wherry as wh


def modules() -> list[str]:
    return [name for _, name, _ in pkgutil.walk_packages(wh.__path__, "wherry.") if "_core" not in name]


def test_public_names_are_there_and_documented() -> None:
    for name in wh.__all__:
        assert getattr(wh, name).__doc__, name


def test_no_private_module_leaks() -> None:
    public = {name for name in dir(wh) if not name.startswith("_")}
    allowed = {name.split(".")[1] for name in modules()} | {"annotations", "importlib", "Any", "TYPE_CHECKING"}
    assert public - set(wh.__all__) <= allowed


def test_import_loads_numpy_and_ml_dtypes_only() -> None:
    code = "import sys, numpy, ml_dtypes; before = set(sys.modules); import wherry; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    foreign = {name.split(".")[0] for name in loaded} - {"wherry", "numpy"} - sys.stdlib_module_names
    assert foreign == set()
    assert "wherry.dialects.onnx" not in loaded


def test_dialects_load_without_their_packages() -> None:
    code = (
        "import sys\n"
        "for name in ('onnx', 'openvino', 'defusedxml', 'pydantic', 'typer', 'rich'): sys.modules[name] = None\n"
        "import wherry as wh\n"
        "print(wh.onnx.gather([1, 2], [1]), wh.openvino.gather([1, 2], [5], 0), wh.directml.BufferTensorDesc)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("[2] [0] ")


@pytest.mark.parametrize("name", ["wherry", *modules()])
def test_examples_in_docstrings_run(name: str) -> None:
    # Not by testmod, which runs docstrings without examples too. Before each, all sources that are kept are looked at.
    linecache.clearcache()
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name), name, extraglobs={"np": np, "wh": wh}):
        assert runner.run(test).failed == 0


def test_gather_documents_itself() -> None:
    examples = doctest.DocTestFinder().find(wh.gather, "gather", globs={"np": np, "wh": wh}, module=False)
    assert sum(len(test.examples) for test in examples) > 0
    for test in examples:
        assert doctest.DocTestRunner().run(test).failed == 0
    assert "batch_dims" in str(wh.gather.__text_signature__)


def test_threads() -> None:
    before = wh.get_num_threads()
    wh.set_num_threads(1)
    assert wh.get_num_threads() == 1
    wh.set_num_threads(before)
    assert wh.get_num_threads() == before


def test_version_is_the_distributions() -> None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        assert version("wherry") == wh.__version__
    except PackageNotFoundError:
        pytest.skip("wherry runs from its sources, not installed")
