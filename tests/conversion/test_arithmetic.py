"""Arithmetic from one dialect to another: the same numbers, or a refusal that names the rule."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import ConversionError, InvalidValueError


def model(nodes: list[onnx.NodeProto], opset: int, kind: int = TensorProto.INT32, made: int = 0) -> onnx.ModelProto:
    """Return a model of two matrices a and b."""
    inputs = [helper.make_tensor_value_info(name, kind, [2, 3]) for name in ("a", "b")]
    outputs = [helper.make_tensor_value_info(nodes[-1].output[0], made or kind, None)]
    graph = helper.make_graph(nodes, "arithmetic", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


A = np.array([[7, -7, 5], [-5, 0, 2]], np.int32)
B = np.array([[2, 2, -3], [3, 1, 2]], np.int32)

SAID = {
    "Add": {}, "Sub": {}, "Mul": {}, "Mod": {}, "Min": {}, "Max": {}, "Div": {}, "BitwiseXor": {},
    "Equal": {}, "Less": {}, "GreaterOrEqual": {},
}  # fmt: skip


@pytest.mark.parametrize("operator", SAID)
def test_there_and_back(operator: str, tmp_path: Path) -> None:
    truth = TensorProto.BOOL if operator in ("Equal", "Less", "GreaterOrEqual") else 0
    proto = model([helper.make_node(operator, ["a", "b"], ["y"])], 18, made=truth)
    own = wh.onnx.read_proto(proto)
    expected = own.run({"a": A, "b": B})["y"]
    wh.save(wh.convert(own, "openvino"), tmp_path / "m.xml")
    there = wh.load(tmp_path / "m.xml")
    assert_same_bits(there.run({"a": A, "b": B})["y"], expected)
    assert_same_bits(wh.convert(there, "onnx").run({"a": A, "b": B})["y"], expected)


def test_quotients_keep_their_rounding(tmp_path: Path) -> None:
    """ONNX rounds toward zero, OpenVINO's m_pythondiv down: ONNX cannot say the latter."""
    wh.save(wh.convert(wh.onnx.read_proto(model([helper.make_node("Div", ["a", "b"], ["y"])], 14)), "openvino"),
            tmp_path / "m.xml")  # fmt: skip
    assert 'm_pythondiv="false"' in (tmp_path / "m.xml").read_text()
    text = (tmp_path / "m.xml").read_text().replace('m_pythondiv="false"', 'm_pythondiv="true"')
    (tmp_path / "m.xml").write_text(text)
    floor = wh.load(tmp_path / "m.xml")
    assert floor.run({"a": A, "b": B})["y"].tolist() == (A // B).tolist()
    with pytest.raises(ConversionError, match="rounding is floor, it has truncate"):
        wh.convert(floor, "onnx")


def test_an_axis_of_version_6_becomes_an_axis_of_size_1() -> None:
    node = helper.make_node("Add", ["a", "c"], ["y"], broadcast=1, axis=0)
    proto = model([node], 6)
    proto.graph.initializer.append(helper.make_tensor("c", TensorProto.INT32, [2], [10, 20]))
    own = wh.onnx.read_proto(proto)
    converted = wh.convert(own, "openvino")
    assert_same_bits(converted.run({"a": A, "b": B})["y"], own.run({"a": A, "b": B})["y"])
    assert own.run({"a": A, "b": B})["y"].tolist() == (A + np.array([[10], [20]])).tolist()


def test_a_divisor_of_zero_is_refused_by_the_one_that_speaks() -> None:
    own = wh.onnx.read_proto(model([helper.make_node("Div", ["a", "b"], ["y"], name="part")], 14))
    with pytest.raises(InvalidValueError, match=r"^ONNX Div-14 'part': b is 0 at \[1, 2\] of the result"):
        own.run({"a": A, "b": np.where(np.arange(6).reshape(2, 3) == 5, np.int32(0), B)})


def test_sizes_that_are_sums_and_products() -> None:
    """Shape, Gather, Mul, Concat, Reshape: a chain that is one graph, with its sizes known when the input is."""
    nodes = [
        helper.make_node("Shape", ["a"], ["s"]),
        helper.make_node("ReduceProd", ["s"], ["n"], keepdims=1),
        helper.make_node("Div", ["n", "two"], ["h"]),
        helper.make_node("Concat", ["two", "h"], ["t"], axis=0),
        helper.make_node("Reshape", ["a", "t"], ["y"]),
    ]
    proto = model(nodes, 13)
    proto.graph.initializer.append(helper.make_tensor("two", TensorProto.INT64, [1], [2]))
    own = wh.onnx.read_proto(proto)
    assert own.run({"a": A, "b": B})["y"].shape == (2, 3)
    assert not own.graph.opaque
