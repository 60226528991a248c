"""onnxruntime, openvino and torch as contenders.

All write to memory that is there before the clock starts: io_binding, shared tensors, out=. All use the same number of
threads.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .case import Array, Contender, Maker

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it forks the process while others are timed

OPTIONAL = ("torch", "onnxruntime", "openvino")


def missing() -> list[str]:
    """The libraries that are not installed."""
    return [name for name in OPTIONAL if importlib.util.find_spec(name) is None]


def tensor(array: Array) -> Any:
    """The torch tensor over an array of any strides but negative ones."""
    import warnings

    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of read-only memory, which nobody here writes to
        return torch.from_numpy(array)


def torch_into(write: Callable[..., Any], *arrays: Array) -> Maker:
    """torch writing to the output: `write(torch, out, *tensors)`, over the arrays."""

    def make(outputs: list[Array], threads: int) -> Contender:
        import torch

        (out,), tensors = [tensor(array) for array in outputs], [tensor(array) for array in arrays]
        return Contender(lambda: write(torch, out, *tensors), lambda _: outputs)

    return make


def torch_anew(call: Callable[..., Any], *arrays: Array) -> Maker:
    """torch making a new tensor each time: `call(torch, *tensors)`, over the arrays."""

    def make(outputs: list[Array], threads: int) -> Contender:
        import torch

        tensors = [tensor(array) for array in arrays]
        return Contender(lambda: call(torch, *tensors), lambda made: [made.numpy()])

    return make


def narrowed(data: Array) -> bool:
    """Whether openvino's CPU plugin computes with narrower elements, and so does not move all bits."""
    return data.dtype.kind in "if" and data.dtype.itemsize == 8


def onnx_model(
    nodes: Callable[[Any], Sequence[Any]], inputs: Mapping[str, Array], outputs: Mapping[str, Array], opset: int = 18
) -> Any:
    """The ONNX model of nodes that `nodes` makes with onnx.helper.make_node; constants are inputs by the name `const`.

    Inputs that are given as a list become initializers.
    """
    from onnx import helper, numpy_helper

    def info(name: str, array: Array) -> Any:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    given = {name: array for name, array in inputs.items() if isinstance(array, np.ndarray)}
    constants = [
        numpy_helper.from_array(np.array(value, np.int64), name)
        for name, value in inputs.items()
        if not isinstance(value, np.ndarray)
    ]
    graph = helper.make_graph(
        list(nodes(helper.make_node)),
        "row",
        [info(name, array) for name, array in given.items()],
        [info(name, array) for name, array in outputs.items()],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def session_of(model: str | bytes, threads: int, *, optimized: bool = True) -> Any:
    """ONNX Runtime's session of a model: its file, or its bytes; with every tensor there unless `optimized`."""
    import onnxruntime as ort

    ort.set_default_logger_severity(3)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    if not optimized:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(model, options, ["CPUExecutionProvider"])


def onnxruntime(
    nodes: Callable[[Any], Sequence[Any]] | Path, inputs: Mapping[str, Any], *, opset: int = 18, names: str = "out"
) -> Maker:
    """ONNX Runtime on nodes, or on a file; its outputs are called `out`, or out0, out1 ... if there are several."""

    def make(outputs: list[Array], threads: int) -> Contender:
        import onnxruntime as ort

        labels = [names] if len(outputs) == 1 else [f"{names}{number}" for number in range(len(outputs))]
        arrays = [np.ascontiguousarray(array) for array in outputs]
        model = (
            str(nodes)
            if isinstance(nodes, Path)
            else onnx_model(nodes, inputs, dict(zip(labels, arrays, strict=True)), opset).SerializeToString()
        )
        session = session_of(model, threads)
        binding = session.io_binding()
        for name, array in inputs.items():
            if isinstance(array, np.ndarray):
                binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(array))
        made = [ort.OrtValue.ortvalue_from_numpy(array) for array in arrays]
        for name, value in zip(labels, made, strict=True):
            binding.bind_ortvalue_output(name, value)
        run = session.run_with_iobinding
        return Contender(lambda: run(binding), lambda _: [value.numpy() for value in made])

    return make


def openvino(build: Callable[[Any, Any], Any] | Path, inputs: Mapping[str, Array]) -> Maker:
    """OpenVINO on what `build` makes of its opset and the parameters: one node or several; or on a file."""

    def make(outputs: list[Array], threads: int) -> Contender:
        import openvino as ov

        from wherry.runtimes.openvino import core  # a second one would leave the process without a stack for signals

        hints = {
            "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "LATENCY",
        }
        model = core().read_model(build) if isinstance(build, Path) else openvino_model(build, inputs)
        request = core().compile_model(model, "CPU", hints).create_infer_request()
        for number, array in enumerate(inputs.values()):
            request.set_input_tensor(number, ov.Tensor(array, shared_memory=True))
        arrays = [np.ascontiguousarray(array) for array in outputs]
        for number, array in enumerate(arrays):
            request.set_output_tensor(number, ov.Tensor(array, shared_memory=True))
        return Contender(request.infer, lambda _: arrays)

    return make


def openvino_model(build: Callable[[Any, Any], Any], inputs: Mapping[str, Array]) -> Any:
    """The OpenVINO model of `build`."""
    import openvino as ov
    from openvino import opset13 as ops

    parameters = [ops.parameter(array.shape, array.dtype, name=name) for name, array in inputs.items()]
    nodes = build(ops, parameters)
    return ov.Model(nodes if isinstance(nodes, list) else [nodes], parameters)
