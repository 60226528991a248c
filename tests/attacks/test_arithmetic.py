"""Arithmetic on sizes that would take all memory, or time without end, is refused while planning."""

from collections.abc import Callable

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

import wherry as wh
from tests.attacks import attack
from wherry.errors import ResourceLimitError


def expanded(*nodes: tuple[str, list[str], dict], size: int = 2**40) -> ModelProto:
    """Return a model that repeats one integer very often, and computes with it."""
    made = [helper.make_node("Expand", ["x", "n"], ["wide"])]
    made += [helper.make_node(name, inputs, ["y"], **attributes) for name, inputs, attributes in nodes]
    graph = helper.make_graph(made, "wide", [helper.make_tensor_value_info("x", TensorProto.INT32, [1])],
                              [helper.make_tensor_value_info("y", 7 if made[-1].op_type == "ArgMax" else 6, None)],
                              [helper.make_tensor("n", TensorProto.INT64, [1], [size])])  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


MODELS = {
    "ReduceSum": (("ReduceSum", ["wide"], {}), "ReduceSum-13 'y': the elements to read take 4398046511104 bytes"),
    "ArgMax": (("ArgMax", ["wide"], {}), "ArgMax-13 'y': the elements to read take 4398046511104 bytes"),
    "Add": (("Add", ["wide", "x"], {}), "Add-13 'y': the results take 4398046511104 bytes"),
}


@pytest.mark.parametrize("name", MODELS)
def test_one_integer_repeated(name: str) -> None:
    node, words = MODELS[name]
    proto = expanded(node)
    found = attack.refused(lambda: wh.onnx.read_proto(proto).run({"x": np.ones(1, np.int32)}), ResourceLimitError)
    assert words in found


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "a sum of a column and a row": (
        lambda: wh.onnx.add(np.zeros((2**20, 1), np.int8), np.zeros((1, 2**20), np.int8)),
        "Add-14: the results take 1099511627776 bytes",
    ),
    "a reduction of one byte": (
        lambda: wh.openvino.reduce_max(np.broadcast_to(np.int8(1), (2**40,)), [0]),
        "ReduceMax-1: the elements to read take 1099511627776 bytes",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    call, words = CALLS[name]
    assert words in attack.refused(call, ResourceLimitError)
