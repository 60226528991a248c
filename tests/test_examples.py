"""The examples: the files are what their script writes, the demo runs, and the README's code is true."""

import doctest
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wherry as wh

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def script(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_the_script_writes(tmp_path: Path) -> None:
    script(EXAMPLES / "make_examples.py").write_all(tmp_path)
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(p.name for p in EXAMPLES.iterdir() if p.suffix != ".py" and p.is_file())
    for name in written:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


def test_the_demo_shows_three_answers() -> None:
    result = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"], capture_output=True, text=True, check=False, cwd=EXAMPLES
    )
    assert result.returncode == 0, result.stderr
    for words in ("refused: ONNX Gather-13", "[40.0, 0.0, 40.0, 0.0]", "[40.0, 50.0, 40.0, 10.0]", "the same bytes"):
        assert words in result.stdout


def test_the_picture_is_transposed() -> None:
    rgb = np.load(EXAMPLES / "picture.npy")
    results = wh.load(EXAMPLES / "picture.json").run({})
    assert np.array_equal(results["nchw"].reshape(3, *rgb.shape[:2]), rgb.transpose(2, 0, 1))
    assert np.array_equal(results["green"].reshape(rgb.shape[:2]), rgb[..., 1])


@pytest.mark.parametrize(("page", "least"), [("README.md", 6), ("docs/running.md", 6)])
def test_the_examples_of_a_page_are_true(page: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.attempted >= least
    assert found.failed == 0
