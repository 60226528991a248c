"""The nodes of an ONNX model as models of one node each, to ask of each whether ONNX Runtime is known to differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from tests.differential.onnxruntime_runtime import Refused, by_wherry
from wherry.dialects.onnx.tensor_data import encode
from wherry.runtimes.case import Case
from wherry.runtimes.differences import Difference, expected


def known_difference(proto: onnx.ModelProto, given: Mapping[str, np.ndarray]) -> Difference | None:
    """Return the entry of a node of a model, if ONNX Runtime is known to differ there."""
    return next((entry for case in cases_of(proto, given) if (entry := expected(case, "onnxruntime"))), None)


def cases_of(proto: onnx.ModelProto, given: Mapping[str, np.ndarray]) -> Iterator[Case]:
    """Yield each node with the values that come to it where the model is run on `given`."""
    graph = proto.graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    values = {**given, **constants}
    dims = [dim for one in graph.input for dim in one.type.tensor_type.shape.dim]
    (opset,) = (one.version for one in proto.opset_import if not one.domain)
    for node in graph.node:
        names = list(takewhile(bool, node.input))  # of what stands behind an input that is left out no entry tells
        yield Case(
            node.op_type,
            opset,
            tuple(values[name] for name in names),
            {one.name: _value(one) for one in node.attribute},
            len(node.output),
            frozenset(number for number, name in enumerate(names) if name in constants),
            is_dynamic=any(not dim.HasField("dim_value") for dim in dims),
        )
        results = by_wherry(_alone(node, values, proto), {})
        assert not isinstance(results, Refused), results
        values.update(zip((name for name in node.output if name), results, strict=True))


def _value(attribute: onnx.AttributeProto) -> Any:
    value = helper.get_attribute_value(attribute)
    return value.decode() if isinstance(value, bytes) else value


def _alone(node: onnx.NodeProto, values: Mapping[str, np.ndarray], proto: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model of one node of another model, its inputs as initializers."""
    inputs = [encode(values[name], name) for name in dict.fromkeys(node.input) if name]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
    graph = onnx.GraphProto(name=node.op_type, node=[node], initializer=inputs, output=outputs)
    return helper.make_model(graph, opset_imports=proto.opset_import, ir_version=proto.ir_version)
