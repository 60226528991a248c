"""ONNX Runtime's CPU provider as a witness: one case, or one model, on both sides.

It runs in this process; cases that are known to kill it run in a child (`crashes`).
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import onnx
from onnx import helper

import wherry as wh
from tests.differential.onnxruntime_refusals import reason_of_onnxruntime, reason_of_wherry
from tests.differential.onnxruntime_types import ARITHMETIC
from tests.support.own import own
from wherry import dtypes, reference
from wherry.dialects.onnx.tensor_data import encode, type_number
from wherry.errors import WherryError
from wherry.runtimes.case import Case

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
    """A side refused the model or its inputs, with these words; `reason` is one that both sides may have, or empty."""

    words: str
    reason: str = ""


def model_of(case: Case) -> onnx.ModelProto:
    """Return the one-node model of a case; its constants become initializers."""
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
        if number in case.constants:
            graph.initializer.append(encode(array, name))
        else:
            shape = [f"{name} {axis}" for axis in range(array.ndim)] if case.is_dynamic else list(array.shape)
            graph.input.append(helper.make_tensor_value_info(name, kind, shape))
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    imports = [helper.make_opsetid("", case.version)]
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)


def feeds(case: Case) -> dict[str, np.ndarray]:
    """Return the inputs of the case's model by name."""
    fed = [array.astype(np.float32) if _is_unfed(array) else array for array in case.inputs]
    return {f"x{number}": array for number, array in enumerate(fed) if number not in case.constants}


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


def by_onnxruntime(model: onnx.ModelProto, inputs: dict[str, np.ndarray], threads: int = 1) -> Results | Refused:
    """Run a model on ONNX Runtime, by default on one thread: many take longer to start than a small model runs."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        packed = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in inputs.items()}
        return _settled(model, session.run(None, packed))
    except Exception as error:  # its own classes, and those of its binding
        return Refused(str(error), reason_of_onnxruntime(str(error)))


def _settled(model: onnx.ModelProto, results: Iterable[np.ndarray]) -> Results:
    """Return results in which all NaN are one, where an operator computes floats: which NaN it makes is open."""
    if not ARITHMETIC.keys() & {node.op_type for node in model.graph.node}:
        return tuple(results)
    return tuple(np.where(np.isnan(one), one.dtype.type(np.nan), one) if one.dtype.kind == "f" else one
                 for one in results)  # fmt: skip


def by_wherry(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> Results | Refused:
    """Run a model on wherry."""
    try:
        return _settled(model, own(wh.onnx.read_proto(model)).run(inputs).values())
    except WherryError as error:
        return Refused(str(error), reason_of_wherry(error))


def by_reference(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> Results | Refused:
    """Run a model by the formulas of its operators."""
    try:
        return _settled(model, reference.run_graph(wh.onnx.read_proto(model).graph, inputs).values())
    except WherryError as error:
        return Refused(str(error), reason_of_wherry(error))
    except IndexError as error:  # of a formula, which has no words for it
        return Refused(str(error), "index")


def same(first: Results | Refused, second: Results | Refused) -> bool:
    """Whether both give the same bits, or both refuse for the same reason, which each must tell."""
    if isinstance(first, Refused) and isinstance(second, Refused):
        return first.reason == second.reason != ""
    if isinstance(first, Refused) or isinstance(second, Refused):
        return False
    return len(first) == len(second) and all(map(_same_bits, first, second))


def _same_bits(first: np.ndarray, second: np.ndarray) -> bool:
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    return first.tolist() == second.tolist() if first.dtype.hasobject else first.tobytes() == second.tobytes()


def disagree(case: Case, *, crashes: bool = False, threads: int = 1) -> bool:
    """Whether the two sides disagree on a case, or ONNX Runtime dies of it."""
    model, inputs = model_of(case), feeds(case)
    if crashes:
        return ended_with(model, inputs) != ""
    return not same(by_onnxruntime(model, inputs, threads), by_wherry(model, inputs))


def variants(case: Case) -> Iterator[Case]:
    """Yield a case with the sizes known while loading and not, with the inputs after the first constant and not."""
    yield case
    behind = frozenset(range(1, len(case.inputs)))
    for constants, is_dynamic in product((frozenset[int](), behind), (False, True)):
        if (constants, is_dynamic) != (case.constants, case.is_dynamic):
            yield replace(case, constants=constants, is_dynamic=is_dynamic)


def ended_with(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> str:
    """Return the signal, or the status, with which a child process ends that runs a model; nothing if it comes back."""
    code = (
        "import sys, pickle, onnxruntime\n"
        "model, inputs = pickle.load(sys.stdin.buffer)\n"
        "onnxruntime.set_default_logger_severity(4)\n"
        "try: onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider']).run(None, inputs)\n"
        "except Exception: pass\n"
    )
    import pickle

    data = pickle.dumps((model.SerializeToString(), inputs))
    status = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False).returncode
    return "" if status == 0 else signal.Signals(-status).name if status < 0 else f"status {status}"
