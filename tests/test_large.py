"""Models of two gigabytes are listed and checked without their weights, which nothing reads before they are needed."""

from pathlib import Path

import onnx
import pytest
from bench.large import FORMS, WEIGHTS, check, info

import wherry as wh


@pytest.mark.parametrize("form", FORMS)
def test_two_gigabytes_are_listed_and_checked_in_little_memory(form: str, tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    FORMS[form](path)
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) > WEIGHTS - 2**20
    for command in (info, check):
        taken = command(path)
        assert taken.status == 0
        assert taken.memory < 150e6


def test_the_forms_are_files_of_onnx(tmp_path: Path) -> None:
    for number, write in enumerate(FORMS.values()):
        path = tmp_path / f"{number}.onnx"
        write(path, 2**23)
        onnx.checker.check_model(str(path))
        graph = wh.load(path).graph
        found = [node.subject.split()[1] for node in graph.nodes[:3]]
        assert found == ["MatMul", "Relu", "Slice-13"], graph
