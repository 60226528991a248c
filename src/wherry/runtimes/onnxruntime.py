"""ONNX Runtime: sessions on arrays, which are passed without copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto

from wherry import dtypes
from wherry.dialects.elements import codes
from wherry.dialects.onnx.tensor_data import encode, packed, type_number, unpacked
from wherry.models.parts import PartFile
from wherry.runtimes.runtime import Array, Held, Runtime, Session, Value, memory_at

_FATAL = 4

_COPIED_BYTES = 128 * 1024
"""Results of a part that are copied: in the time that it takes to leave some tensors where they are."""

_NUMPYS = frozenset(
    f"tensor({spelling})"
    for spelling, row in dtypes.by_spelling("onnx").items()
    if row.bits >= 8 and not row.is_string and row.numpy.isbuiltin == 1
)
"""The types, in the runtime's words, of tensors that it takes and gives as NumPy has them."""

_IR_VERSION, _OPSET = 8, 13
"""Of a model that holds strings; every version of the runtime reads it."""


class OnnxRuntime(Runtime):
    """ONNX Runtime on the CPU, with its graph optimizations or without."""

    name = extra = "onnxruntime"
    takes_weights = reads_paths = True

    def _session(self, part: PartFile) -> Session:
        given = {name: self.ort_value(value) for name, value in part.weights.items()}
        options = self.package.SessionOptions()
        levels = self.package.GraphOptimizationLevel
        options.graph_optimization_level = levels.ORT_ENABLE_ALL if self.optimize else levels.ORT_DISABLE_ALL
        options.log_severity_level = _FATAL  # what fails is raised
        # Sessions take turns, and threads that spin for the next node would take the processors from the other parts.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if given:  # by both ways at once: the first lets optimizations read them, the second shares their memory
            options.add_external_initializers(list(given), list(given.values()))
            for name, value in given.items():
                options.add_initializer(name, value)
        session = self.package.InferenceSession(part.path or part.content, options, providers=["CPUExecutionProvider"])
        return _OnnxRuntimeSession(self, session, part, given)

    def ort_value(self, array: Array) -> Any:
        """Return a tensor of the runtime over the memory of an array; a copy of types under a byte, and of strings."""
        array = np.ascontiguousarray(array).reshape(array.shape)
        dtype = dtypes.of(array.dtype)
        if dtype is None or dtype.onnx is None:
            raise TypeError(f"there is no tensor of {array.dtype}")
        make = self.package.OrtValue
        if dtype.is_string:
            return self._strings(array)
        if dtype.bits < 8:
            value = make.ortvalue_from_shape_and_type(array.shape, type_number(dtype))
            content = packed(codes(array, dtype, "a tensor"), dtype)
            memory_at(value.data_ptr(), content.nbytes, value)[...] = content
            return value
        if dtype.numpy.isbuiltin == 1:
            return make.ortvalue_from_numpy(array)
        bits = array.view(f"u{array.itemsize}")  # a type of ml_dtypes
        return make.ortvalue_from_numpy_with_onnx_type(bits, type_number(dtype))

    def _strings(self, array: Array) -> Any:
        """Return a tensor of strings, which the runtime makes of nothing but what a model holds."""
        model = ModelProto(ir_version=_IR_VERSION)
        model.opset_import.add(version=_OPSET)
        model.graph.name = "strings"
        model.graph.initializer.append(encode(array, "x"))
        model.graph.node.add(op_type="Identity", input=["x"], output=["y"])
        model.graph.output.add(name="y").type.tensor_type.elem_type = TensorProto.STRING
        session = self.package.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        binding.bind_output("y")
        session.run_with_iobinding(binding)
        return binding.get_outputs()[0]


class _OnnxRuntimeSession(Session):
    """A session, which is handed arrays in one of two ways.

    Small tensors of NumPy's own types are given, and copied out, by one call. Larger results stay where the runtime
    made them, which takes several calls for each tensor. Which way is taken depends on the results of the last run.
    """

    def __init__(self, runtime: OnnxRuntime, session: Any, part: PartFile, given: Mapping[str, Any]) -> None:
        self._runtime = runtime
        self._session = session
        self._outputs = list(part.outputs)
        self._given = given  # the session reads their memory
        ends = [*session.get_inputs(), *session.get_outputs()]
        self._may_copy = all(end.type in _NUMPYS for end in ends)
        self._copies = self._may_copy

    def run(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """See Session."""
        try:
            found = self._copied(inputs) if self._copies else self._bound(inputs)
        except Exception as error:
            raise self._runtime.failure("fails on a part of the model", error) from None
        if self._may_copy:
            self._copies = (
                sum(value.nbytes for value in found.values() if isinstance(value, np.ndarray)) <= _COPIED_BYTES
            )
        return found

    def _copied(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        return dict(zip(self._outputs, self._session.run(self._outputs, inputs), strict=True))

    def _bound(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        binding = self._session.io_binding()
        made = {  # alive as long as the session reads
            name: value.value if isinstance(value, Held) else self._runtime.ort_value(value)
            for name, value in inputs.items()
        }
        for name, value in made.items():
            binding.bind_ortvalue_input(name, value)
        for name in self._outputs:
            binding.bind_output(name)
        self._session.run_with_iobinding(binding)
        found = binding.get_outputs()
        return {name: _value(binding, number, found[number]) for number, name in enumerate(self._outputs)}


def _value(binding: Any, number: int, found: Any) -> Value:
    """Return an output: a tensor as an array, anything else as the runtime holds it."""
    if found.is_tensor():
        return _array(found)
    return Held(found, found.data_type(), lambda: binding.copy_outputs_to_cpu()[number])


def _array(found: Any) -> Array:
    """Return a tensor that a session made as an array over its memory, without a copy."""
    dtype = dtypes.by_spelling("onnx")[found.data_type().removeprefix("tensor(").removesuffix(")")]
    if dtype.is_string:
        return np.asarray(found.numpy(), object)
    memory = memory_at(found.data_ptr(), found.tensor_size_in_bytes(), found)
    if dtype.bits < 8:
        return unpacked(memory, dtype, int(np.prod(found.shape(), dtype=np.int64))).reshape(found.shape())
    return memory.view(dtype.numpy).reshape(found.shape())


INSTALLED = OnnxRuntime
