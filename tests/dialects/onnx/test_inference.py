"""Shape inference in a process of its own: what it is given, what it answers, and what happens where it cannot."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper, shape_inference

from wherry.dialects.onnx.inference import Inference, skeleton

F32 = TensorProto.FLOAT


def matrix(name: str, rows: int) -> TensorProto:
    return numpy_helper.from_array(np.ones((rows, 4), np.float32), name)


def model() -> ModelProto:
    """Return a model with large and small weights, in the graph, in a Constant, and in the branches of an If."""
    branch = helper.make_graph(
        [helper.make_node("MatMul", ["y", "v"], ["b"])],
        "branch",
        [],
        [helper.make_tensor_value_info("b", F32, None)],
        [matrix("v", 4)],
    )
    nodes = [
        helper.make_node("Constant", [], ["c"], value=matrix("", 1000)),
        helper.make_node("MatMul", ["x", "w"], ["y"]),
        helper.make_node("If", ["k"], ["z"], then_branch=branch, else_branch=branch),
        helper.make_node("Reshape", ["z", "s"], ["r"]),
    ]
    inputs = [helper.make_tensor_value_info("x", F32, ["N", 1000]), helper.make_tensor_value_info("k", 9, [])]
    weights = [matrix("w", 1000), numpy_helper.from_array(np.array([2, -1, 2]), "s")]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("r", F32, None)], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def test_the_skeleton_has_types_and_small_values_only() -> None:
    bare = skeleton(model())
    assert bare.ByteSize() * 20 < model().ByteSize()
    large, small = bare.graph.initializer
    assert (list(large.dims), large.data_type, large.raw_data) == ([1000, 4], F32, b"")
    assert numpy_helper.to_array(small).tolist() == [2, -1, 2]
    assert list(bare.graph.node[0].attribute[0].t.dims) == [1000, 4]
    assert bare.graph.node[2].attribute[0].g.node[0].op_type == "MatMul"


def test_types_are_inferred_in_graphs_of_nodes_too() -> None:
    graph = Inference(model()).graph
    assert graph is not None
    kinds = {info.name: info.type.tensor_type.shape for info in (*graph.value_info, *graph.output)}
    assert [dim.dim_param or dim.dim_value for dim in kinds["y"].dim] == ["N", 4]
    assert [dim.dim_value for dim in kinds["r"].dim][0::2] == [2, 2]
    inner = graph.node[2].attribute[0].g.output[0]
    assert [dim.dim_param or dim.dim_value for dim in inner.type.tensor_type.shape.dim] == ["N", 4]


def test_the_answer_is_that_of_the_package() -> None:
    expected = shape_inference.infer_shapes(skeleton(model()), data_prop=True).graph
    expected.ClearField("initializer")
    assert expected.value_info
    assert Inference(model()).graph == expected


def test_a_package_that_has_its_inference_elsewhere_is_imported_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a package of one module, whose inference names the graph."""
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx/__init__.py").touch()
    (tmp_path / "onnx/shape_inference.py").write_text("""
class infer_shapes:
    def __init__(self, content, data_prop):
        assert data_prop
        self.content = content
    def SerializeToString(self):
        return self.content + bytes([58, 4, 18, 2]) + b"it"  # graph { name: "it" }
""")
    monkeypatch.syspath_prepend(tmp_path)
    graph = Inference(model()).graph
    assert graph is not None
    assert (graph.name, len(graph.node)) == ("it", 4)


def test_a_process_that_dies_gives_nothing() -> None:
    node = helper.make_node("RegexFullMatch", [""], ["y"], pattern="a")
    graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", 9, None)])
    assert Inference(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])).graph is None


@pytest.mark.parametrize("executable", [None, "", os.devnull, "/nowhere/python3"])
def test_no_python_to_start_gives_nothing(executable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert Inference(model()).graph is None


def test_what_takes_quadratic_time_is_not_inferred(monkeypatch: pytest.MonkeyPatch) -> None:
    around = ["x", "k", "w", "s", "c", "y"]  # of each of the two branches
    monkeypatch.setattr("wherry.dialects.onnx.inference._COPIES", 2 * len(around))
    assert Inference(model()).graph is not None
    monkeypatch.setattr("wherry.dialects.onnx.inference._COPIES", 2 * len(around) - 1)
    assert Inference(model()).graph is None
