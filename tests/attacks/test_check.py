"""Hostile models for check: names that speak to terminals and pages, and graphs that never end."""

from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper
from typer.testing import CliRunner

import wherry as wh
from tests.attacks import attack
from tests.portability.models import INDEXED, model, node
from wherry.cli.app import app
from wherry.errors import FileFormatError

NAMES = ("\x1b]0;owned\x07\x1b[2J", "</script><script>alert(1)</script>", "<!--<script>", "a\nunsafe: b", "\u202eevil")


def gather_named(name: str) -> onnx.ModelProto:
    proto = model([node("Gather", "x i")], INDEXED)
    proto.graph.node[0].name = name
    return proto


@pytest.mark.parametrize("name", NAMES)
def test_names_neither_steer_a_terminal_nor_leave_their_place_in_a_page(name: str, tmp_path: Path) -> None:
    path, page = tmp_path / "m.onnx", tmp_path / "m.html"
    onnx.save(gather_named(name), path)
    done = CliRunner().invoke(app, ["check", str(path), "--target", "openvino", "--html", str(page)])
    assert done.exit_code == 0, done.output
    assert not set(done.stdout) & {"\x1b", "\x07", "\u202e"}
    assert "\nunsafe: b" not in done.stdout
    written = page.read_text(encoding="utf-8")
    assert "alert(1)</script>" not in written
    assert "<!--<script>" not in written


def test_a_cycle_is_refused() -> None:
    proto = helper.make_model(
        helper.make_graph(
            [helper.make_node("Neg", ["b"], ["a"]), helper.make_node("Neg", ["a"], ["b"])],
            "g", [], [helper.make_tensor_value_info("b", TensorProto.FLOAT, [1])],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
    )  # fmt: skip
    attack.refused(lambda: wh.check(wh.load(proto)), FileFormatError)


def test_branches_within_branches_end() -> None:
    """Deep, but not wide: the other branch is a leaf."""
    result = [helper.make_tensor_value_info("r", TensorProto.FLOAT, [1])]
    leaf = helper.make_graph([helper.make_node("Neg", ["x"], ["r"])], "leaf", [], result)
    inner = leaf
    for depth in range(12):
        choice = helper.make_node("If", ["c"], ["r"], f"if{depth}", then_branch=inner, else_branch=leaf)
        inner = helper.make_graph([choice], f"g{depth}", [], result)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1]),
              helper.make_tensor_value_info("c", TensorProto.BOOL, [])]  # fmt: skip
    whole = helper.make_graph(inner.node, "whole", inputs, result)
    report = wh.check(wh.load(helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)))
    assert (report.judged, report.passed.total()) == (13, 12)
