"""The contenders: each takes a row and gives a call without arguments, and the array that it fills.

A contender that keeps its own output gives None instead; then the call returns the result. Outputs are made
beforehand wherever the peer lets us. All use the same number of threads.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from .rows import Gather, Row

Call = Callable[[], Any]
Contender = Callable[[Row, int], tuple[Call, np.ndarray | None]]


def _out(row: Row) -> np.ndarray:
    if isinstance(row, Gather):
        shape = row.data.shape[: row.axis] + row.indices.shape + row.data.shape[row.axis + 1 :]
    else:
        shape = tuple(row.data.shape[a] for a in row.order)
    # Touched before the clock starts: page faults are not what is measured.
    return np.full(shape, -1, row.data.dtype)


def wherry(row: Row, threads: int) -> tuple[Call, np.ndarray | None]:
    from wherry import _core

    _core.set_num_threads(threads)
    if isinstance(row, Gather):
        gather, data, indices, axis = _core.gather, row.data, row.indices, row.axis
        if row.calls > 1:
            return (lambda: gather(data, indices, axis)), None
        out = _out(row)
        return (lambda: gather(data, indices, axis, out=out)), out
    out = _out(row)
    src = row.data.transpose(row.order)
    return (lambda: _core.copy(src, out)), out


def numpy(row: Row, threads: int) -> tuple[Call, np.ndarray | None]:
    """numpy.take without out, which is faster than with out= and mode="raise"; numpy.copyto."""
    if isinstance(row, Gather):
        take, data, indices, axis = np.take, row.data, row.indices, row.axis
        return (lambda: take(data, indices, axis)), None
    out, src = _out(row), row.data.transpose(row.order)
    return (lambda: np.copyto(out, src)), out


def numpy_out(row: Row, threads: int) -> tuple[Call, np.ndarray | None] | None:
    """numpy.take into out=; mode "clip" is the one that does not go through a buffer."""
    if not isinstance(row, Gather) or row.calls > 1:
        return None
    out = _out(row)
    return (lambda: np.take(row.data, row.indices, row.axis, out=out, mode="clip")), out


def torch(row: Row, threads: int) -> tuple[Call, np.ndarray | None]:
    import torch as t

    t.set_num_threads(threads)
    data = t.from_numpy(row.data)
    out = _out(row)
    into = t.from_numpy(out)
    if isinstance(row, Gather):
        indices, axis, select = t.from_numpy(row.indices), row.axis, t.index_select
        if row.calls > 1:
            return (lambda: select(data, axis, indices)), None
        return (lambda: select(data, axis, indices, out=into)), out
    src = data.permute(row.order)
    return (lambda: into.copy_(src)), out


def onnxruntime(row: Row, threads: int) -> tuple[Call, np.ndarray | None]:
    import onnxruntime as ort
    from onnx import TensorProto, helper

    ort.set_default_logger_severity(3)
    out = _out(row)
    tensors = {"data": row.data}
    inputs = [helper.make_tensor_value_info("data", TensorProto.FLOAT, row.data.shape)]
    if isinstance(row, Gather):
        tensors["indices"] = row.indices
        inputs.append(helper.make_tensor_value_info("indices", TensorProto.INT64, row.indices.shape))
        node = helper.make_node("Gather", ["data", "indices"], ["out"], axis=row.axis)
    else:
        node = helper.make_node("Transpose", ["data"], ["out"], perm=row.order)
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, out.shape)]
    graph = helper.make_graph([node], "row", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, array in tensors.items():
        binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(array))
    result = ort.OrtValue.ortvalue_from_numpy(out)
    binding.bind_ortvalue_output("out", result)
    run = session.run_with_iobinding

    def call() -> Call:
        run(binding)
        return result.numpy  # the value owns its memory: only the check asks for a copy

    return call, None


def openvino(row: Row, threads: int) -> tuple[Call, np.ndarray | None]:
    import openvino as ov
    from openvino import opset8 as ops

    data = ops.parameter(row.data.shape, np.float32, name="data")
    if isinstance(row, Gather):
        indices = ops.parameter(row.indices.shape, np.int64, name="indices")
        node = ops.gather(data, indices, ops.constant(np.int64(row.axis)))
        parameters, arrays = [data, indices], [row.data, row.indices]
    else:
        node = ops.transpose(data, ops.constant(np.array(row.order, np.int64)))
        parameters, arrays = [data], [row.data]
    hints = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    compiled = ov.Core().compile_model(ov.Model([node], parameters), "CPU", hints)
    request = compiled.create_infer_request()
    for i, array in enumerate(arrays):
        request.set_input_tensor(i, ov.Tensor(array, shared_memory=True))
    out = _out(row)
    request.set_output_tensor(0, ov.Tensor(out, shared_memory=True))
    return request.infer, out


def memcpy(row: Row, threads: int) -> tuple[Call, np.ndarray | None] | None:
    """The measure of all: as many bytes as the output has, from one packed buffer to another."""
    if row.calls > 1:
        return None
    out = _out(row).reshape(-1)
    src = np.ones_like(out)
    cuts = [out.size * k // threads for k in range(threads + 1)]
    parts = [(out[a:b], src[a:b]) for a, b in pairwise(cuts)]
    pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def call() -> None:
        others = [pool.submit(np.copyto, *part) for part in parts[1:]] if pool else []
        np.copyto(*parts[0])
        for other in others:
            other.result()

    return call, out


CONTENDERS: dict[str, Callable[[Row, int], tuple[Call, np.ndarray | None] | None]] = {
    "wherry": wherry,
    "numpy": numpy,
    "numpy out": numpy_out,
    "torch": torch,
    "onnxruntime": onnxruntime,
    "openvino": openvino,
    "memcpy": memcpy,
}


def available() -> tuple[dict[str, Any], list[str]]:
    """The contenders that are installed, and the names of those that are not."""
    missing = [n for n in ("torch", "onnxruntime", "openvino") if importlib.util.find_spec(n) is None]
    return {n: c for n, c in CONTENDERS.items() if n not in missing}, missing
