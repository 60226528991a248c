"""The specification's answer to a case, and answers as text that shows every bit."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, ValueInfoProto, helper

from wherry import dtypes, reference
from wherry.dialects.onnx.reader import read_proto
from wherry.dialects.onnx.tensor_data import encode, type_number
from wherry.errors import WherryError
from wherry.models.parts import PartFile
from wherry.runtimes.case import Case
from wherry.runtimes.conform.rule import Rule
from wherry.tensors import TensorType

Array = NDArray[Any]

_IR_VERSION = 8
"""The newest that all runtimes read; models of opset 19 and later need 9."""

_SHOWN = 24
"""So many elements of an array are spelt out."""


def model_of(case: Case) -> ModelProto:
    """Return the model of a case: inputs x0, x1 ..., of which the constants are initializers, outputs y0, y1 ..."""
    names = [f"x{number}" for number in range(len(case.inputs))]
    graph = GraphProto(name=case.operator)
    node = NodeProto(op_type=case.operator, name=case.operator, input=names, output=_outputs(case))
    for name, value in case.attributes.items():
        is_empty = isinstance(value, list) and not value
        node.attribute.append(helper.make_attribute(name, value, attr_type=AttributeProto.INTS if is_empty else None))
    graph.node.append(node)
    for number, (name, array) in enumerate(zip(names, case.inputs, strict=True)):
        if number in case.constants:
            graph.initializer.append(encode(array, name))
        else:
            dtype = dtypes.of(array.dtype)
            assert dtype is not None
            graph.input.append(helper.make_tensor_value_info(name, type_number(dtype), array.shape))
    graph.output.extend(ValueInfoProto(name=name) for name in node.output)
    model = ModelProto(ir_version=_IR_VERSION + (case.version > 18), graph=graph)
    model.opset_import.add(version=case.version)
    return _with_types(model)


def _outputs(case: Case) -> tuple[str, ...]:
    return tuple(f"y{number}" for number in range(case.outputs))


def _with_types(model: ModelProto) -> ModelProto:
    """Return a model with the types of its outputs, which some runtimes need, so far as they can be inferred."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model)
    except onnx.shape_inference.InferenceError:
        return model
    return inferred


def part_of(case: Case) -> PartFile:
    """Return the model of a case as runtimes take it."""
    given = tuple(f"x{number}" for number in range(len(case.inputs)) if number not in case.constants)
    return PartFile("onnx", model_of(case).SerializeToString(), given, _outputs(case), {})


def given(case: Case) -> dict[str, Array]:
    """Return the inputs of the case's model by name."""
    return {f"x{number}": array for number, array in enumerate(case.inputs) if number not in case.constants}


def specified(rule: Rule) -> list[Array] | str:
    """Return the answer that the specification gives, by the formulas of `wherry.reference`, or wherry's refusal."""
    inputs = given(rule.case)
    try:
        model = read_proto(model_of(rule.case))
        model.run(inputs)
    except WherryError as error:
        return " ".join(str(error).split())
    return list(reference.run_graph(model.graph, inputs).values())


def is_same(rule: Rule, answer: Sequence[Array], expected: Sequence[Array]) -> bool:
    """Whether an answer has the types, the sizes and the bits of the one that is expected."""
    if len(answer) != len(expected):
        return False
    return all(_is_same(rule, *pair) for pair in zip(answer, expected, strict=True))


def _is_same(rule: Rule, one: Array, other: Array) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.hasobject:
        return bool(one.tolist() == other.tolist())
    if rule.any_nan:
        one, other = (np.where(np.isnan(array), array.dtype.type(np.nan), array) for array in (one, other))
    return one.tobytes() == other.tobytes()


def spelled(arrays: Sequence[Array]) -> str:
    """Return arrays in words: type and sizes, then the elements; what prints alike but is not has its bits behind it.

    >>> spelled([np.array([1.5, -0.0], np.float32)])
    'float32[2] 1.5, -0.0'
    """
    return "; ".join(map(_spelled, arrays))


def _spelled(array: Array) -> str:
    if array.ndim == 0:
        return f"{_type(array)} {_element(array[()])}"
    shown = [_element(one) for one in array.reshape(-1)[:_SHOWN]]
    more = [f"and {array.size - _SHOWN} more"] if array.size > _SHOWN else []
    return f"{_type(array)} {', '.join(shown + more)}".rstrip()


def _type(array: Array) -> str:
    return str(TensorType.of(array)) if dtypes.of(array.dtype) is not None else f"{array.dtype}{list(array.shape)}"


def _element(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, np.generic):
        return ascii(str(value))
    if isinstance(value, (np.bool_, np.integer)):
        return str(value).lower()
    number = float(value)
    if isnan(number):
        return f"NaN 0x{np.asarray(value).view(f'u{value.itemsize}'):0{2 * value.itemsize}x}"
    return repr(number) if value.dtype.itemsize == 8 else str(value)
