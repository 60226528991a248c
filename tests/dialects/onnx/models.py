"""Small ONNX models for the tests."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper

from wherry import dtypes
from wherry.dialects.onnx.tensor_data import encode, type_number


def value_info(name: str, array_or_type: object, shape: object = "own") -> onnx.ValueInfoProto:
    """Declare a tensor: by an array, or by a type with a shape (None: unknown)."""
    if isinstance(array_or_type, np.ndarray):
        number = type_number(dtypes.of(array_or_type.dtype))
        shape = list(array_or_type.shape) if isinstance(shape, str) else shape
    else:
        number = type_number(dtypes.find(array_or_type))
    return helper.make_tensor_value_info(name, number, shape)


def model(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, np.ndarray],
    outputs: list[str],
    *,
    opset: int = 13,
    ir_version: int = 8,
    constants: dict[str, np.ndarray] | None = None,
) -> onnx.ModelProto:
    """Return a model; outputs are declared without a type."""
    graph = onnx.GraphProto(name="g", node=nodes)
    graph.input.extend(value_info(name, array) for name, array in inputs.items())
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    graph.initializer.extend(encode(value, name) for name, value in (constants or {}).items())
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)


def tensor(kind: int, dims: list[int], **fields: object) -> TensorProto:
    """Return a TensorProto with exactly these fields."""
    return TensorProto(name="t", data_type=kind, dims=dims, **fields)
