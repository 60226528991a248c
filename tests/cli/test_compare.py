"""wherry compare: what it prints, its JSON and its exit status."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.cli.test_cli import call
from tests.portability.conftest import here
from tests.portability.models import INDEXED, model

__all__ = ["here"]

HOSTILE = "take\x1b[31m[bold]"


@pytest.mark.usefixtures("here")
def test_the_command(tmp_path: Path) -> None:
    nodes = [helper.make_node("Transpose", ["x"], ["t"]), helper.make_node("Gather", ["t", "i"], ["y"], HOSTILE)]
    onnx.save(model(nodes, INDEXED), tmp_path / "m.onnx")
    np.save(tmp_path / "x.npy", np.arange(5, dtype=np.float32))
    np.save(tmp_path / "i.npy", np.array([0, 7]))
    np.save(tmp_path / "fine.npy", np.array([0, 4]))
    x, bad, fine = (f"--input={name}={tmp_path / file}.npy" for name, file in (("x", "x"), ("i", "i"), ("i", "fine")))
    path, rules = tmp_path / "m.onnx", ("-r", "rules:directml:6.4", "-r", "rules:openvino:opset8")
    status, out, _ = call("compare", path, x, bad, *rules)
    assert status == 1
    assert "\x1b" not in out
    assert r"part at node 2 of 2: Gather of opset 17 take\x1b[31m[bold]" in out
    assert "y: 1 of 2 elements part by bits, the first at [1]: 4.0 and 0.0" in out
    assert "differs: openvino opset8: out_of_range" in out
    status, out, _ = call("compare", path, x, bad, *rules, "--json")
    told = json.loads(out)
    assert (status, told["parts"], told["node"]["name"], told["differences"][0]["coordinate"]) == (
        1,
        True,
        HOSTILE,
        [1],
    )
    status, out, _ = call("compare", path, x, fine, *rules)
    assert status == 0
    assert out.splitlines()[1] == "  y: the same by bits"
    assert call("compare", path, x, bad, "-r", "wherry", "-r", "rules:onnx")[0] == 2
    assert call("compare", path, x, fine, "-r", "wherry")[0] == 2
    assert call("compare", path, x, fine, "-r", "wherry", "-r", "onyx")[0] == 2
    status, out, err = call("compare", path, *rules, "--json")
    assert (status, json.loads(out)["verdict"]) == (0, "agree")
    assert "made up, seed 0" in err
