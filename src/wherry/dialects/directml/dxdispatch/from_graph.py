"""From a graph of operators to a DispatchModel: what DirectML can express, and why it cannot where it cannot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.directml.descs import (
    ElementWiseIdentityOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    OperatorDesc,
    SplitOperatorDesc,
)
from wherry.dialects.directml.descs import ScaleBias as ScaleBiasStruct
from wherry.dialects.directml.dxdispatch.model import (
    Command,
    Dispatch,
    Dispatchable,
    DispatchModel,
    Print,
    Resource,
    Source,
)
from wherry.dialects.directml.enums import DataType, as_data_type
from wherry.dialects.directml.members import Kind
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError, invalid
from wherry.graph import Graph, Node
from wherry.moves import Negative, OutOfRange
from wherry.ops import Copy, Gather, Join, Operator, ScaleBias, Split
from wherry.tensors import TensorType

Array = NDArray[Any]
Kinds = Sequence[TensorType]

DIMENSION_LIMIT = 8
"""DML_TENSOR_DIMENSION_COUNT_MAX1."""

_INDEX_TYPES = ("INT64", "INT32", "UINT64", "UINT32")


def from_graph(graph: Graph, feature_level: object = "6.4") -> DispatchModel:
    """Return the model of a graph: a buffer for each tensor, a dispatch for each node, a print for each result.

    Inputs start as zero. Raises UnsupportedError, InvalidTypeError or InvalidValueError that names the node and the
    rule which DirectML cannot express.
    """
    constants = _constants(graph)
    for name in graph.outputs:
        if name in graph.inputs or name in constants:
            raise UnsupportedError(f"output {name!r} is an input or a constant; a DxDispatch output is a buffer that a "
                                   "dispatch writes, so put a copy between")  # fmt: skip
    resources = [_resource(name, kind, constants.get(name)) for name, kind in graph.types.items()]
    dispatchables, commands = [], list[Command]()
    for number, node in enumerate(graph.nodes):
        if all(name in constants for name in node.outputs):
            continue
        desc = _desc(node, graph, constants)
        dispatchables.append(Dispatchable(f"{desc.name.lower()}_{number}", desc))
        commands.append(Dispatch(dispatchables[-1].name, _bindings(desc, node)))
    commands += [Print(name) for name in graph.outputs]
    return DispatchModel(resources, dispatchables, commands, feature_level)


def _constants(graph: Graph) -> dict[str, Array]:
    """Return the constants of a graph, and what its nodes make of types alone."""
    constants = dict(graph.constants)
    for node in graph.nodes:
        if isinstance(node.operator, Operator):
            made = node.operator.literals([graph.types[name] for name in node.inputs])
            constants.update(zip(node.outputs, made or (), strict=made is not None))
    return constants


def _desc(node: Node, graph: Graph, values: Mapping[str, Array]) -> OperatorDesc:
    express = _EXPRESSIONS.get(type(node.operator))  # type: ignore[arg-type]
    if express is None:
        allowed = ", ".join(kind.__name__ for kind in _EXPRESSIONS)
        raise UnsupportedError(f"operator is {node.operator}, allowed {allowed} with known fields", node.subject)
    inputs, outputs = ([graph.types[name] for name in names] for names in (node.inputs, node.outputs))
    constants = [values.get(name) for name in node.inputs]
    try:
        return express(node.operator, inputs, outputs, constants)
    except (UnsupportedError, InvalidTypeError, InvalidValueError) as error:
        error.subject = f"{node.subject} as DirectML"
        raise


def _gather(operator: Gather, inputs: Kinds, outputs: Kinds, constants: Sequence[Array | None]) -> OperatorDesc:
    """Fill all tensors with leading ones to one DimensionCount, and move Axis by as many."""
    data, indices = inputs
    axis, batch_dims = operator.resolve(len(data.shape), len(indices.shape))
    if batch_dims:
        raise UnsupportedError(f"batch_dims is {batch_dims}, allowed 0: GATHER has none")
    if _data_type(indices).name not in _INDEX_TYPES:
        raise InvalidTypeError(
            f"indices has dtype {indices.dtype}, allowed {', '.join(_INDEX_TYPES)}; convert it first"
        )
    _check_rules(operator, data.shape[axis], indices, constants[1])
    count = max(len(data.shape), len(indices.shape), len(outputs[0].shape))
    return GatherOperatorDesc(
        _tensor(data, count),
        _tensor(indices, count),
        _tensor(outputs[0], count),
        axis + count - len(data.shape),
        len(indices.shape),
    )


def _check_rules(operator: Gather, size: int, indices: TensorType, constant: Array | None) -> None:
    """GATHER clamps, and counts negative indices from the end; other rules fit where no index can need them."""
    signed = indices.numpy.kind == "i"
    clamps = operator.out_of_range is OutOfRange.CLAMP
    if clamps and (operator.negative is Negative.FROM_END or not signed):
        return
    wraps = operator.negative is Negative.FROM_END or operator.out_of_range is OutOfRange.WRAP
    lowest = -size if wraps else 0
    if constant is not None and constant.min() >= lowest and constant.max() < size:
        return
    field, value, only = ("negative", operator.negative, "from_end") if clamps else (
        "out_of_range", operator.out_of_range, "clamp")  # fmt: skip
    raise UnsupportedError(
        f"{field} is {str(value)!r}, allowed {only!r}: GATHER knows no other rule; indices that are constants from "
        f"{lowest} to {size - 1} would do as well"
    )


def _split(operator: Split, inputs: Kinds, outputs: Kinds, constants: object) -> OperatorDesc:
    axis = operator.axis % len(inputs[0].shape)
    return SplitOperatorDesc(_tensor(inputs[0]), [_tensor(kind) for kind in outputs], axis)


def _join(operator: Join, inputs: Kinds, outputs: Kinds, constants: object) -> OperatorDesc:
    axis = operator.axis % len(outputs[0].shape)
    return JoinOperatorDesc([_tensor(kind) for kind in inputs], _tensor(outputs[0]), axis)


def _copy(operator: Copy, inputs: Kinds, outputs: Kinds, constants: object) -> OperatorDesc:
    return ElementWiseIdentityOperatorDesc(_tensor(inputs[0]), _tensor(outputs[0]))


def _scale_bias(operator: ScaleBias, inputs: Kinds, outputs: Kinds, constants: object) -> OperatorDesc:
    struct = ScaleBiasStruct(operator.scale, operator.bias)
    for field in ("scale", "bias"):
        given, held = getattr(operator, field), getattr(struct, field)
        if given != held and not math.isnan(given):
            raise invalid(field, given, f"a float32, the nearest is {held}")
    return ElementWiseIdentityOperatorDesc(_tensor(inputs[0]), _tensor(outputs[0]), struct)


_EXPRESSIONS: Mapping[type[Operator], Callable[..., OperatorDesc]] = {
    Copy: _copy,
    Gather: _gather,
    Join: _join,
    ScaleBias: _scale_bias,
    Split: _split,
}


def _bindings(desc: OperatorDesc, node: Node) -> dict[str, tuple[Source, ...]]:
    """Inputs and outputs of the node, in the order of the tensor members."""
    inputs, outputs = iter(node.inputs), iter(node.outputs)
    bindings = {}
    for member in desc.info.tensors:
        names = outputs if member.is_output else inputs
        count = len(getattr(desc, member.field)) if member.kind is Kind.TENSORS else 1
        bindings[member.name] = tuple(map(Source, islice(names, count)))
    return bindings


def _tensor(kind: TensorType, count: int = 1) -> BufferTensorDesc:
    """Return a packed tensor, with leading dimensions of 1 up to `count`."""
    sizes = kind.shape
    if 0 in sizes:
        raise UnsupportedError(
            f"a tensor has sizes {list(sizes)}, allowed sizes from 1 on: DirectML has no empty tensors"
        )
    if max(count, len(sizes)) > DIMENSION_LIMIT:
        raise UnsupportedError(f"it needs {max(count, len(sizes))} dimensions, allowed 1..{DIMENSION_LIMIT}")
    return BufferTensorDesc(_data_type(kind), (1,) * (count - len(sizes)) + sizes)


def _data_type(kind: TensorType) -> DataType:
    row = kind.dtype
    if not isinstance(row, DType) or row.directml is None or row.bits < 8:
        raise InvalidTypeError(f"a tensor has dtype {row}, allowed the types of DirectML; convert it first")
    return as_data_type(row)


def _resource(name: str, kind: TensorType, constant: Array | None) -> Resource:
    try:
        data_type = _data_type(kind)
        count = math.prod(_tensor(kind).sizes)
    except (UnsupportedError, InvalidTypeError, InvalidValueError) as error:
        error.subject = f"tensor {name!r} as DirectML"
        raise
    values = np.broadcast_to(np.zeros((), kind.numpy), (count,)) if constant is None else constant.ravel()
    return Resource(name, data_type, values, -(-values.nbytes // 4) * 4)
