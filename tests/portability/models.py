"""Small models, each with one thing in which some runtimes part from what ONNX says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ALL = ("onnxruntime", "openvino", "directml", "webnn")
INT64, FLOAT, INT32 = TensorProto.INT64, TensorProto.FLOAT, TensorProto.INT32

Inputs = Mapping[str, tuple[int, Sequence[int | str]]]


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Inputs,
    constants: Mapping[str, Any] | None = None,
    opset: int = 17,
    outputs: Sequence[str] = ("y",),
) -> onnx.ModelProto:
    """Return a model whose outputs have the types that shape inference finds."""
    graph = helper.make_graph(
        list(nodes),
        "g",
        [helper.make_tensor_value_info(name, kind, sizes) for name, (kind, sizes) in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(proto)


def node(operator: str, inputs: str, outputs: str = "y", **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), outputs.split(), outputs.split(maxsplit=1)[0], **attributes)


@dataclass(frozen=True)
class Trial:
    """A model, what is found of it at which targets (severity and name), and inputs on which runtimes part."""

    build: Callable[[], onnx.ModelProto]
    found: Mapping[str, Mapping[str, str]]
    parts_on: Mapping[str, Any] = field(default_factory=dict)


CORE_ML = {"webnn-coreml": {"negative and bad indices": "maybe"}}
"""Of a gather whose indices may be negative: WebNN counts those from the end, Core ML takes them as they are."""

HALVES = {"onnxruntime": {"int64 are ordered by halves": "maybe"}}
"""Of a Clip of numbers that may be beyond 31 bits."""

FIXED = {name: {"Pad is refused": "refused"} for name in ("directml", "webnn")}
"""Of a Pad whose value is a tensor, where it is a member of the operator."""

DATA: Inputs = {"x": (FLOAT, [5])}
INDEXED: Inputs = {"x": (FLOAT, [5]), "i": (INT64, [2])}
X = np.array([1, 2, 3, 4, 5], np.float32)
BAD = {"x": X, "i": np.array([0, 7])}

TRIALS: Mapping[str, Trial] = {
    "a Gather whose indices may be anything": Trial(
        lambda: model([node("Gather", "x i")], INDEXED),
        {"openvino": {"out_of_range": "maybe", "indices are cut to 32 bits": "narrowed"},
         "directml": {"out_of_range": "maybe"}, "webnn": {"out_of_range": "maybe"}, **CORE_ML}, BAD),
    "a Gather of short vectors of integers": Trial(
        lambda: model([node("Gather", "x i")], {"x": (INT32, [5]), "i": (INT32, [2])}),
        {"openvino": {"out_of_range": "maybe", "short vectors are read without a check": "unsafe"},
         "directml": {"out_of_range": "maybe"}, "webnn": {"out_of_range": "maybe"}, **CORE_ML},
        {"x": X.astype(np.int32), "i": np.array([0, 7], np.int32)}),
    "a Gather of clipped indices": Trial(
        lambda: model([node("Clip", "i low high", "c"), node("Gather", "x c")], INDEXED,
                      {"low": np.int64(-5), "high": np.int64(4)}), {**CORE_ML, **HALVES}),
    "a Pad whose value is known at run, and its pads before": Trial(
        lambda: model([node("Pad", "x p v")], {**DATA, "v": (FLOAT, [])}, {"p": [1, 0]}),
        {"openvino": {"a pad value known at run is taken for zero": "differs"}, **FIXED},
        {"x": X, "v": np.array(7, np.float32)}),
    "a Gather of constants": Trial(lambda: model([node("Gather", "x i")], DATA, {"i": [0, 4]}), {}),
    "a Gather of places of extremes": Trial(
        lambda: model([node("ArgMax", "z", "i", axis=1, keepdims=0), node("Gather", "x i")],
                      {"x": (FLOAT, [5]), "z": (INT32, [3, 5])}), {}),
    "a Gather of remainders": Trial(
        lambda: model([node("Mod", "i n", "m"), node("Cast", "m", "w", to=INT64), node("Gather", "x w")],
                      {"x": (FLOAT, [5]), "i": (TensorProto.INT16, [3])}, {"n": np.int16(5)}),
        {"webnn": {"Mod is refused": "refused"}}),
    "a Gather of numbers in a row": Trial(
        lambda: model([node("Range", "zero n one", "i"), node("Gather", "x i")], DATA,
                      {"zero": np.int64(0), "n": np.int64(5), "one": np.int64(1)}), {}),
    "a Gather of chosen indices": Trial(
        lambda: model([node("Clip", "i low high", "c"), node("Less", "c zero", "l"), node("Add", "c n", "p"),
                       node("Where", "l p c", "w"), node("Gather", "x w")], INDEXED,
                      {"low": np.int64(-5), "high": np.int64(4), "zero": np.int64(0), "n": np.int64(5)}), HALVES),
    "a Split that does not divide": Trial(
        lambda: model([node("Split", "x", "y z", num_outputs=2)], DATA, opset=18, outputs=["y", "z"]), {}),
    "a Trilu of a type without a kernel": Trial(
        lambda: model([node("Trilu", "x")], {"x": (TensorProto.UINT8, [2, 2])}),
        {"onnxruntime": {"no kernel for Trilu of some types": "refused"}},
        {"x": np.ones((2, 2), np.uint8)}),
    "a Unique": Trial(
        lambda: model([node("Unique", "x")], {"x": (TensorProto.INT32, [5])}),
        {"onnxruntime": {"no kernel for Unique of some types": "refused"}},
        {"x": np.arange(5, dtype=np.int32)}),
    "a ScatterElements whose indices may be anything": Trial(
        lambda: model([node("ScatterElements", "x i u")], {**INDEXED, "u": (FLOAT, [2])}),
        {"openvino": {"an index before the axis is written in front of memory": "unsafe",
                      "indices are cut to 32 bits": "narrowed"},
         "directml": {"out_of_range": "maybe", "updates of one element in SCATTER": "maybe"},
         "webnn-coreml": {"updates of one element": "maybe"},
         "webnn-directml": {"bad indices of scatters": "maybe", "updates of one element": "maybe"},
         "webnn-litert": {"elements by indices known at run": "refused", "updates of one element": "maybe"},
         "webnn-onnxruntime": {"bad indices are clamped": "maybe", "updates of one element": "maybe"}},
        {"x": X, "i": np.array([0, -(2**28)]), "u": X[:2]}),
    "a GatherND whose indices may be anything": Trial(
        lambda: model([node("GatherND", "x i")], {"x": (FLOAT, [5]), "i": (INT64, [2, 1])}),
        {"openvino": {"a tuple outside data reads foreign memory": "unsafe", "indices are cut to 32 bits": "narrowed"},
         "directml": {"out_of_range": "maybe"}, "webnn": {"out_of_range": "maybe"}, **CORE_ML},
        {"x": X, "i": np.array([[0], [7]])}),
    "a Max of whole numbers": Trial(
        lambda: model([node("Max", "x zero")], {"x": (INT64, [2])}, {"zero": np.int64(0)}),
        {"onnxruntime": {"int64 are ordered by halves": "maybe"},
         "openvino": {"wide data loses bits": "narrowed"}}),
    "wide numbers that are moved": Trial(
        lambda: model([node("Transpose", "x")], {"x": (INT64, [2, 2])}),
        {"openvino": {"wide data loses bits": "narrowed"}},
        {"x": np.array([[2**40, 1], [2, 3]])}),
    "a sum of a type that WebNN does not have": Trial(
        lambda: model([node("Add", "x x")], {"x": (TensorProto.UINT16, [3])}),
        {"webnn": {"Add is refused": "refused"}}),
    "an ArgMax of the last of equal elements": Trial(
        lambda: model([node("ArgMax", "x", axis=0, select_last_index=1)], {"x": (INT32, [3])}),
        {"webnn": {"ArgMax is refused": "refused"}}),
}  # fmt: skip
"""By what is in them; a target that is not named has no finding."""
