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


def test_one_function_has_two_names_by_the_element_type() -> None:
    """LogicalAnd and BitwiseAnd, ReduceLogicalOr and ReduceMax are one operator each, of other types."""
    for operator, kind, wanted in (
        ("And", TensorProto.BOOL, "LogicalAnd-1"), ("Or", TensorProto.BOOL, "LogicalOr-1"),
        ("BitwiseAnd", TensorProto.INT32, "BitwiseAnd-13"),
    ):  # fmt: skip
        own = wh.onnx.read_proto(model([helper.make_node(operator, ["a", "b"], ["y"])], 18, kind))
        assert f"OpenVINO {wanted} " in str(wh.convert(own, "openvino").graph)
    for kind in (TensorProto.INT32, TensorProto.FLOAT):
        reduced = helper.make_node("ReduceMax", ["a"], ["y"], axes=[1])
        own = wh.onnx.read_proto(model([reduced], 13, kind))
        assert "OpenVINO ReduceMax-1 " in str(wh.convert(own, "openvino").graph)


def test_quotients_keep_their_rounding(tmp_path: Path) -> None:
    """ONNX rounds toward zero, OpenVINO's m_pythondiv down: ONNX says the latter by more operators."""
    wh.save(wh.convert(wh.onnx.read_proto(model([helper.make_node("Div", ["a", "b"], ["y"])], 14)), "openvino"),
            tmp_path / "m.xml")  # fmt: skip
    assert 'm_pythondiv="false"' in (tmp_path / "m.xml").read_text()
    text = (tmp_path / "m.xml").read_text().replace('m_pythondiv="false"', 'm_pythondiv="true"')
    (tmp_path / "m.xml").write_text(text)
    floor = wh.load(tmp_path / "m.xml")
    assert floor.run({"a": A, "b": B})["y"].tolist() == (A // B).tolist()
    back = wh.convert(floor, "onnx")
    assert_same_bits(back.run({"a": A, "b": B})["y"], A // B)
    assert back.graph.nodes[0].subject.startswith("ONNX Div-14")
    assert back.graph.nodes[-1].subject.startswith("ONNX Where-16")


@pytest.mark.parametrize("dialect", ["directml", "webnn"])
def test_logic_of_bools_is_logic_of_bytes(dialect: str) -> None:
    """Less, Equal, Or, Not, Where, to dialects without bool, and back."""
    nodes = [
        helper.make_node("Less", ["a", "b"], ["l"]),
        helper.make_node("Equal", ["a", "b"], ["e"]),
        helper.make_node("Or", ["l", "e"], ["o"]),
        helper.make_node("Not", ["o"], ["n"]),
        helper.make_node("Where", ["n", "a", "b"], ["y"]),
    ]
    own = wh.onnx.read_proto(model(nodes, 18))
    there = wh.convert(own, dialect)
    flat = {"a": A.reshape(there.inputs["a"].shape), "b": B.reshape(there.inputs["b"].shape)}
    assert_same_bits(there.run(flat)["y"].reshape(A.shape), np.maximum(A, B))
    for target in ("onnx", "openvino"):
        back = wh.convert(there, target, inputs=["a", "b"])
        shaped = {name: array.reshape(back.inputs[name].shape) for name, array in flat.items()}
        assert_same_bits(back.run(shaped)["y"].reshape(A.shape), np.maximum(A, B))


@pytest.mark.parametrize("dialect", ["directml", "webnn"])
def test_bits_alone_do_not_compute(dialect: str) -> None:
    """A type that a dialect lacks is carried as its bits, of which sums are not sums."""
    own = wh.onnx.read_proto(model([helper.make_node("Add", ["a", "b"], ["y"])], 18, TensorProto.BFLOAT16))
    with pytest.raises(ConversionError, match=r"computes with bfloat16|dtype bfloat16"):
        wh.convert(own, dialect)


def test_bools_of_no_elements_have_an_extreme_that_bytes_have_not() -> None:
    from wherry.graph import GraphBuilder
    from wherry.models.model import GraphModel
    from wherry.ops import Reduce
    from wherry.tensors import TensorType

    def reduced(*sizes: int | None) -> GraphModel:
        builder = GraphBuilder("all")
        builder.add_input("a", TensorType(np.dtype(bool), sizes))
        builder.add(Reduce("minimum", (0,)), ["a"], ["y"], "All")
        return GraphModel(builder.build(["y"]), "onnx", {})

    there = wh.convert(reduced(3), "directml")
    given = np.array([1, 1, 0], np.uint8).reshape(there.inputs["a"].shape)
    assert there.run({"a": given})["y"].tolist() == [0]
    with pytest.raises(ConversionError, match="of no bools it gives true or false"):
        wh.convert(reduced(0), "directml")


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
