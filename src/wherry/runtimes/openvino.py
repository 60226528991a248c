"""OpenVINO: compiled models on its CPU plugin, on arrays that are passed without copies where possible."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from wherry import dtypes
from wherry.dialects.openvino.packing import pack, unpack
from wherry.errors import UnsupportedError
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, Held, Runtime, Session, Value, memory_at

_EXACT = {"INFERENCE_PRECISION_HINT": "f32"}
"""Floats are not narrowed to bfloat16 where the processor would be faster."""


class OpenVINO(Runtime):
    """OpenVINO's CPU plugin."""

    name = "openvino"
    extra = "openvino-runtime"
    formats = frozenset({"onnx", "openvino"})
    reads_paths = True

    @classmethod
    def imported(cls) -> Any:
        """Return its package, imported without the telemetry that tells of each import from a fork of the process.

        The fork holds the locks and the pipes that it found, and where nothing answers it, it may never end.
        """
        with _lacking("openvino_telemetry"):  # OpenVINO does without where it is not installed
            return super().imported()

    def __init__(self, optimize: bool = True) -> None:
        super().__init__(optimize)
        if not optimize:
            raise UnsupportedError(f"optimize is False, but {self.title} always transforms graphs; leave it out, or "
                                   "run through onnxruntime")  # fmt: skip
        self._core = core()

    def _session(self, part: PartFile) -> Session:
        weights = part.weights.get("")
        if weights is None:
            model = self._core.read_model(part.path or part.content)
        else:
            model = self._core.read_model(part.content, self.package.Tensor(weights, shared_memory=True))
        return _OpenVINOSession(self, self._core.compile_model(model, "CPU", _EXACT), part)

    def tensor(self, array: Array) -> Any:
        """Return a tensor of the runtime over the memory of an array in row-major order, which must outlive it.

        What OpenVINO has no NumPy type for, and what is read-only, is copied.
        """
        dtype = dtypes.of(array.dtype)
        if dtype is None or dtype.openvino is None:
            raise TypeError(f"there is no tensor of {array.dtype}")
        if dtype.is_string:
            return self.package.Tensor(array.astype(str))
        if dtype.bits >= 8 and dtype.numpy.isbuiltin == 1 and array.flags.writeable:
            return self.package.Tensor(array, shared_memory=True)
        made = self.package.Tensor(getattr(self.package.Type, dtype.openvino), self.package.Shape(array.shape))
        made.data.reshape(-1).view(np.uint8)[...] = np.frombuffer(pack(dtype, array), np.uint8)
        return made


@cache
def core() -> Any:
    """Return the one Core of the process.

    The CPU plugin gives the thread that loads it another stack for signals, and gives back the one before when it goes.
    Of two that go in the order in which they came, the second gives back the stack of the first, which is freed: the
    next signal that Python handles, Ctrl-C too, would end the process. Whoever needs one beside wherry takes this one.
    """
    return OpenVINO.imported().Core()


@contextmanager
def _lacking(module: str) -> Iterator[None]:
    """Let a module that is not imported yet look as if it were not installed."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # import raises ModuleNotFoundError, as documented
    try:
        yield
    finally:
        del sys.modules[module]


class _OpenVINOSession(Session):
    def __init__(self, runtime: OpenVINO, compiled: Any, part: PartFile) -> None:
        self._runtime = runtime
        self._compiled = compiled
        self._part = part

    def run(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """See Session."""
        with self._runtime.failing("fails on a part of the model"):
            request = self._compiled.create_infer_request()
            arrays = {name: _plain(name, value) for name, value in inputs.items()}  # alive as long as the request reads
            for name, array in arrays.items():
                request.set_tensor(self._part.name(name), self._runtime.tensor(array))
            request.infer()
            return {name: array_of(request.get_tensor(self._part.name(name)), request) for name in self._part.outputs}


def _plain(name: str, value: Value) -> Array:
    """Return an input as an array in row-major order."""
    if isinstance(value, Held):
        raise UnsupportedError(f"tensor {name!r} is of {value.type}, allowed tensors in OpenVINO")
    return np.ascontiguousarray(value).reshape(value.shape)


def array_of(tensor: Any, owner: object) -> Array:
    """Return a tensor of the runtime as an array over its memory, without a copy where it holds whole bytes."""
    dtype = dtypes.by_spelling("openvino")[tensor.element_type.get_type_name()]
    shape = tuple(tensor.shape)
    if dtype.is_string:
        return np.asarray(tensor.str_data, object)
    memory = memory_at(tensor.data.ctypes.data, tensor.get_byte_size(), (tensor, owner))
    return unpack(dtype, memory, shape) if dtype.bits < 8 else memory.view(dtype.numpy).reshape(shape)


INSTALLED = OpenVINO
