"""ONNX Runtime's CPU provider as a witness: one case, or one model, on both sides.

It runs in this process; cases that are known to kill it run in a child (`crashes`).
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import helper

import wherry as wh
from tests.differential.case import Case
from wherry import dtypes
from wherry.dialects.onnx.tensor_data import encode, type_number
from wherry.errors import WherryError

IR_VERSION = 11

FLOAT = 1
UNFED = {
    type_number(dtypes.find(name))
    for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
                 "float4_e2m1fn", "int4", "uint4", "int2", "uint2")
}  # fmt: skip
"""Types that its binding neither takes nor gives: such tensors come from float32, and become it, by a Cast."""

Results = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Refused:
    """A side refused the model or its inputs, with these words."""

    words: str


def model_of(case: Case, constants: frozenset[int] = frozenset(), *, sizes_known: bool = True) -> onnx.ModelProto:
    """Return the one-node model of a case; the inputs at the positions `constants` become initializers."""
    names = [f"x{number}" for number in range(len(case.inputs))]
    outputs = [f"y{number}" for number in range(case.outputs)]
    graph = onnx.GraphProto(name=case.operator)
    read = [f"narrow {name}" if _is_unfed(array) else name for name, array in zip(names, case.inputs, strict=True)]
    written = [f"narrow {name}" if _is_narrow(case, number) else name for number, name in enumerate(outputs)]
    node = helper.make_node(case.operator, read, written)
    for name, value in case.attributes.items():
        empty = onnx.AttributeProto.INTS if isinstance(value, list) and not value else None
        node.attribute.append(helper.make_attribute(name, value, attr_type=empty))
    for name, other, array in zip(names, read, case.inputs, strict=True):
        if name != other:
            graph.node.append(helper.make_node("Cast", [name], [other], to=type_number(dtypes.of(array.dtype))))
    graph.node.append(node)
    for name, other in zip(outputs, written, strict=True):
        if name != other:
            graph.node.append(helper.make_node("Cast", [other], [name], to=FLOAT))
    for number, (name, array) in enumerate(zip(names, case.inputs, strict=True)):
        kind = FLOAT if _is_unfed(array) else type_number(dtypes.of(array.dtype))
        if number in constants:
            graph.initializer.append(encode(array, name))
        else:
            shape = list(array.shape) if sizes_known else [f"{name} {axis}" for axis in range(array.ndim)]
            graph.input.append(helper.make_tensor_value_info(name, kind, shape))
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    imports = [helper.make_opsetid("", case.version)]
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)


def feeds(case: Case, constants: frozenset[int] = frozenset()) -> dict[str, np.ndarray]:
    """Return the inputs of the case's model by name."""
    fed = [array.astype(np.float32) if _is_unfed(array) else array for array in case.inputs]
    return {f"x{number}": array for number, array in enumerate(fed) if number not in constants}


def _is_narrow(case: Case, output: int) -> bool:
    """Whether an output has a type that the binding does not give."""
    if case.operator == "Cast":
        return case.attributes.get("to") in UNFED
    if case.operator in ("Shape", "Size", "NonZero") or (output > 0 and case.operator != "Split"):
        return False
    position = {"Where": 1, "OneHot": 2}.get(case.operator, 0)
    return position < len(case.inputs) and _is_unfed(case.inputs[position])


def _is_unfed(array: np.ndarray) -> bool:
    dtype = dtypes.of(array.dtype)
    return dtype is not None and type_number(dtype) in UNFED


def by_onnxruntime(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> Results | Refused:
    """Run a model on ONNX Runtime."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        packed = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in inputs.items()}
        return tuple(session.run(None, packed))
    except Exception as error:  # its own classes, and those of its binding
        return Refused(str(error))


def by_wherry(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> Results | Refused:
    """Run a model on wherry."""
    try:
        return tuple(wh.onnx.read_proto(model).run(inputs).values())
    except WherryError as error:
        return Refused(str(error))


def same(first: Results | Refused, second: Results | Refused) -> bool:
    """Whether both refuse, or both give the same bits."""
    if isinstance(first, Refused) or isinstance(second, Refused):
        return isinstance(first, Refused) and isinstance(second, Refused)
    return len(first) == len(second) and all(map(_same_bits, first, second))


def _same_bits(first: np.ndarray, second: np.ndarray) -> bool:
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    return first.tolist() == second.tolist() if first.dtype.hasobject else first.tobytes() == second.tobytes()


def disagree(case: Case, *, crashes: bool) -> bool:
    """Whether the two sides still disagree on a case, or ONNX Runtime dies of it.

    Its sizes are known or not, and the inputs after the first are constants or not: they must agree in each way.
    """
    if crashes:
        return not _survives(model_of(case), feeds(case))
    for constants in (frozenset[int](), frozenset(range(1, len(case.inputs)))):
        inputs = feeds(case, constants)
        for known in (True, False):
            model = model_of(case, constants, sizes_known=known)
            if not same(by_onnxruntime(model, inputs), by_wherry(model, inputs)):
                return True
    return False


def _survives(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> bool:
    """Whether ONNX Runtime comes back from a model, run in a child process."""
    code = (
        "import sys, pickle, onnxruntime\n"
        "model, inputs = pickle.load(sys.stdin.buffer)\n"
        "onnxruntime.set_default_logger_severity(4)\n"
        "try: onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider']).run(None, inputs)\n"
        "except Exception: pass\n"
    )
    import pickle

    data = pickle.dumps((model.SerializeToString(), inputs))
    return subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False).returncode == 0
