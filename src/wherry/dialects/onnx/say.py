"""say: from an operator to a row of ONNX whose reading gives the same operator, or why no row does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.onnx.as_node import ToNode, Waiting, fields_of
from wherry.dialects.onnx.operators import TO_NODES
from wherry.dialects.onnx.row import OnnxRow, Parameter, arranged, bind, input_names
from wherry.dialects.onnx.table import NEWEST_OPSET, find_row
from wherry.dialects.onnx.types import BOOL
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dtypes import DType
from wherry.errors import UnsupportedError, WherryError
from wherry.graph import Deferred, Node
from wherry.ops import Constant, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]
Types = Sequence[TensorType]


def say(node: Node, types: Types, values: Sequence[Array | None], opset: int) -> FilledRow[OnnxRow] | Refusal:
    """Return how ONNX says a node in an opset, given the types of its inputs: by the first row that means the operator.

    `values` are those of inputs that are constants; no rule of ONNX depends on them.
    """
    lacks = lacking(dict(zip(node.inputs, types, strict=True)))
    if lacks is not None:
        return lacks
    ways = _ways(node)
    if not ways:
        return Refusal((Fault("operator", f"ONNX has no operator that says {node.operator}", node.operator),))
    faults = []
    for name, to_node in ways:
        found = _filled(name, to_node, node, types, opset)
        if isinstance(found, FilledRow):
            return found
        faults.append(found)
    return Refusal(tuple(faults))


def advised(refusal: Refusal, node: Node, types: Types) -> Refusal:
    """Return a refusal with what there is to do: the opsets that say the node, if there are any."""
    opsets = [
        opset
        for opset in range(1, NEWEST_OPSET + 1)
        if any(isinstance(_filled(*way, node, types, opset), FilledRow) for way in _ways(node))
    ]
    return replace(refusal, advice=f"; write opset {opsets[0]}..{opsets[-1]}") if opsets else refusal


def lacking(types: Mapping[str, TensorType]) -> Refusal | None:
    """Return the refusal of the first of some tensors whose element type ONNX does not have, None if it has all."""
    for name, kind in types.items():
        dtype = type_of(name, kind)
        if isinstance(dtype, Fault):
            return Refusal((dtype,))
    return None


def type_of(name: str, tensor_type: TensorType) -> DType | Fault:
    """Return the element type of a tensor, or what there is to say where ONNX does not have it."""
    if isinstance(tensor_type.dtype, DType) and tensor_type.dtype.onnx is not None:
        return tensor_type.dtype
    return Fault("dtype", f"tensor {name!r} has dtype {tensor_type.dtype}, which ONNX does not have", tensor_type.dtype)


def _ways(node: Node) -> tuple[tuple[str, ToNode], ...]:
    operator = node.operator
    made = operator.build if isinstance(operator, Deferred) else type(operator)
    return TO_NODES.get(made) or TO_NODES.get((made, fields_of(operator).get("function")), ())


def _filled(name: str, to_node: ToNode, node: Node, types: Types, opset: int) -> FilledRow[OnnxRow] | Fault:
    """Return the row of an ONNX operator as it says the node, or the field in which the row means anything else."""
    try:
        row = find_row(name, opset)
    except UnsupportedError as error:
        return Fault("opset", error.message, opset)
    try:
        found = _by_row(row, to_node, node, types)
    except WherryError as error:  # the checks of readers
        found = Fault.of(error)
    if isinstance(found, FilledRow):
        return found
    return replace(found, words=f"{row.subject} cannot say it: {found.words}")


def _by_row(row: OnnxRow, to_node: ToNode, node: Node, types: Types) -> FilledRow[OnnxRow] | Fault:
    """Return the row as it says the node, or what it means instead. Raises WherryError where it refuses the node."""
    wanted = node.operator
    written = to_node(fields_of(wanted), row, types)
    attributes: dict[str, Any] = {}
    fixed: dict[str, str | Array | None] = {}
    for name, value in written.values.items():
        if isinstance(value, Waiting) and name in row.parameters:
            fixed[name] = node.inputs[value.position]
        elif isinstance(value, Waiting):
            return Fault(name, f"{name} is the value of {node.inputs[value.position]!r}, and no input of this version")
        elif value is not None and row.has_attribute(name):
            attributes[name] = _as_attribute(value)
        elif value is not None and name in row.parameters:
            fixed[name] = _as_input(row, row.parameters[name], value, types)
    inputs = _placed(row, fixed, node.data_inputs)
    if isinstance(inputs, Fault):
        return inputs
    known = dict(zip(node.inputs, types, strict=True))
    kinds = [None if given is None else known[given] if isinstance(given, str) else TensorType.of(given)
             for given in inputs.values()]  # fmt: skip
    built = bind(row, kinds, attributes, len(node.outputs))
    given = {name: tensor for name, tensor in inputs.items() if tensor is not None}
    moved = [given[name] for name in arranged(row, given)]
    return _difference(written.operator or wanted, built, node.inputs, moved) or FilledRow(row, attributes, inputs)


def _placed(
    row: OnnxRow, fixed: Mapping[str, str | Array | None], moved: Sequence[str]
) -> dict[str, str | Array | None] | Fault:
    """Return what stands at each input: fields where they belong, and what is moved in the places that remain."""
    names = list(row.reads or row.parameters)
    free = [row.parameters[name] for name in names if name not in fixed]
    if free and free[-1].variadic:
        return dict(zip(input_names(row, len(moved)), moved, strict=True))
    while len(free) > len(moved) and any(parameter.optional for parameter in free):
        free.remove([parameter for parameter in free if parameter.optional][-1])
    if len(free) != len(moved):
        wanted = ", ".join(parameter.name for parameter in free) or "none"
        words = f"the node has {len(moved)} tensors to move, allowed {len(free)}: {row.name}-{row.since} moves {wanted}"
        return Fault("inputs", words, len(moved), len(free))
    places = {**fixed, **dict(zip((parameter.name for parameter in free), moved, strict=True))}
    placed = {name: places.get(name) for name in row.parameters}
    while placed and list(placed.values())[-1] is None:
        placed.popitem()
    return placed


def _as_attribute(value: Any) -> Any:
    if isinstance(value, (StrEnum, bool)):
        return str(value) if isinstance(value, StrEnum) else int(value)
    return value.value if isinstance(value, Constant) else value


def _as_input(row: OnnxRow, parameter: Parameter, value: Any, types: Sequence[TensorType]) -> Array:
    """Return a field as the constant that the input takes."""
    if isinstance(value, (np.ndarray, Constant)):
        return value.value if isinstance(value, Constant) else value
    if parameter.types is BOOL:
        return np.array(value, bool)
    if types and parameter.type_name == row.inputs[0].type_name:
        return np.array(value, types[0].numpy)
    return np.array(value, np.int64)


def _difference(
    wanted: Operator | Deferred, built: Any, inputs: Sequence[str], given: Sequence[str | Array]
) -> Fault | None:
    """Return the fields in which a row, read back, is another operator than the one written; None for the same."""
    if isinstance(built, Deferred) and not isinstance(wanted, Deferred):
        constants = {place: value for place, value in enumerate(given) if isinstance(value, np.ndarray)}
        if all(position in constants for _, position in built.from_inputs):
            built = built.resolve(constants)
    built = Constant(built) if isinstance(built, np.ndarray) else built
    if isinstance(wanted, Deferred):
        same = isinstance(built, Deferred) and _meaning(wanted, inputs) == _meaning(built, given)
    else:
        same = built == wanted
    if same:
        return None
    if type(wanted) is not type(built) or not isinstance(wanted, Operator):
        return Fault("operator", f"it means {built} instead of {wanted}", wanted, built)
    pairs = [(name, getattr(wanted, name), getattr(built, name)) for name in fields_of(wanted)]
    others = [(name, first, second) for name, first, second in pairs if _plain(first) != _plain(second)]
    words = ", ".join(f"{name} is {first}, allowed {second}" for name, first, second in others)
    return Fault(", ".join(name for name, *_ in others), words, wanted, built)


def _meaning(operator: Deferred, inputs: Sequence[str | Array]) -> tuple[object, ...]:
    """Return what a deferred operator does with which tensors; a constant counts as a field."""
    fields = _defaults(operator) | {name: _plain(value) for name, value in operator.fields}
    waiting = {}
    for name, position in operator.from_inputs:
        given = inputs[position]
        if isinstance(given, str):
            waiting[name] = given
            fields.pop(name, None)
        else:
            fields[name] = _plain(given)
    positions = dict(operator.from_inputs).values()
    moved = [str(given) for position, given in enumerate(inputs) if position not in positions]
    return operator.build, fields, waiting, moved, operator.output_count


def _defaults(operator: Deferred) -> dict[str, Any]:
    """Return the fields that need not be given of the class that a deferred operator makes."""
    build: Any = operator.makes or operator.build
    given = fields(build) if is_dataclass(build) else ()
    return {one.name: _plain(one.default) for one in given if one.default is not MISSING}


def _plain(value: Any) -> Any:
    listed = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple(listed) if isinstance(listed, list) else listed
