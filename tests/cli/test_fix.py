"""wherry fix: what it writes and prints, and its exit status."""

import json
from pathlib import Path

import numpy as np
import onnx

import wherry as wh
from tests.cli.test_cli import call
from tests.portability.models import TRIALS, X


def stored(path: Path, name: str) -> Path:
    onnx.save(TRIALS[name].build(), path)
    return path


def test_the_command_writes_a_model_and_tells_what_was_guarded(tmp_path: Path) -> None:
    path = stored(tmp_path / "m.onnx", "a Gather whose indices may be anything")
    status, out, _ = call("fix", path, tmp_path / "fixed.onnx", "--target", "openvino:2026.4.1")
    assert status == 0
    assert out.splitlines() == [
        "m.onnx: 1 node guarded, 0 findings left for openvino 2026.4.1",
        "",
        "guarded: Gather-13 y",
        "  by       Cast-13, Clip-13",
        "  gone     openvino 2026.4.1: indices are cut to 32 bits",
        "  gone     openvino 2026.4.1: out_of_range",
        "",
        "now: a bad index reads the nearest end of its axis; a scatter leaves a bad update out",
        f"{tmp_path / 'fixed.onnx'}: written",
    ]
    assert call("check", tmp_path / "fixed.onnx", "--target", "openvino", "--fail-on", "maybe")[0] == 0
    assert wh.load(tmp_path / "fixed.onnx").run([X, np.array([7, 0])])["y"].tolist() == [5, 1]


def test_each_kind_of_guard_tells_what_holds_behind_it(tmp_path: Path) -> None:
    inputs = [onnx.helper.make_tensor_value_info(name, kind, [3]) for name, kind in (("x", 1), ("a", 6), ("b", 6))]
    outputs = [onnx.helper.make_tensor_value_info(name, 6, [3]) for name in ("c", "q", "r")]
    nodes = [
        onnx.helper.make_node("Cast", ["x"], ["c"], to=6),
        onnx.helper.make_node("Div", ["a", "b"], ["q"]),
        onnx.helper.make_node("Mod", ["a", "b"], ["r"]),
    ]
    graph = onnx.helper.make_graph(nodes, "g", inputs, outputs)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    targets = ["--target", "onnxruntime", "--target", "openvino", "--target", "directml"]
    _, out, _ = call("fix", tmp_path / "m.onnx", tmp_path / "fixed.onnx", *targets)
    assert [line for line in out.splitlines() if line.startswith("now: ")] == [
        "now: a float that an integer type does not have becomes the nearest number that it has, and NaN 0",
        "now: what is divided by 0 stays as it is",
        "now: the remainder of what is divided by 0 is 0",
    ]


def test_what_is_left_makes_the_status_1(tmp_path: Path) -> None:
    path = stored(tmp_path / "m.onnx", "wide numbers that are moved")
    status, out, _ = call("fix", path, tmp_path / "fixed.onnx", "--target", "openvino")
    assert status == 1
    assert out.splitlines()[1:5] == [
        "",
        "left: narrowed: Transpose-13 y",
        "  openvino 2026.4.1: wide data loses bits",
        "  because  the target holds the numbers in a type that has fewer before any node sees them",
    ]
    assert (tmp_path / "fixed.onnx").is_file()
    status, out, _ = call("fix", path, tmp_path / "fixed.onnx", "--target", "openvino", "--json")
    found = json.loads(out)
    assert status == 1
    assert (found["guards"], found["bad_index"]) == ([], "clamp")
    assert [(one["name"], one["why_left"]) for one in found["left"]] == [
        ("wide data loses bits", "the target holds the numbers in a type that has fewer before any node sees them")
    ]


def test_zeros_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    path = stored(tmp_path / "m.onnx", "a Gather whose indices may be anything")
    status, out, _ = call("fix", path, tmp_path / "f.onnx", "--target", "openvino", "--bad-index", "zero", "--json")
    assert status == 0
    assert json.loads(out)["guards"][0]["written"] == [
        "Cast-13",
        "Clip-13",
        "Add-14",
        "Less-13",
        "Where-16",
        "Concat-13",
    ]
    assert wh.load(tmp_path / "f.onnx").run([X, np.array([7, 0])])["y"].tolist() == [0, 1]


def test_arguments_that_cannot_be(tmp_path: Path) -> None:
    path = stored(tmp_path / "m.onnx", "a Gather whose indices may be anything")
    assert call("fix", path, tmp_path / "f.onnx", "--bad-index", "wrap")[0] == 2
    assert call("fix", path, tmp_path / "f.onnx", "--target", "onyx")[0] == 2
    status, _, err = call("fix", path, tmp_path / "f.xml", "--target", "openvino")
    assert (status, "convert it first" in err) == (2, True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["m.onnx"]
