"""Nodes of a converted model that OpenVINO's CPU plugin narrows or does not compile.

docs/differences.md has the cases, measured. What other operations can say is written by these; of what is left, a
converted model has notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.conversion.findings import Effect, Finding
from wherry.dialects.refusal import Fault, Refusal
from wherry.graph import Deferred, Graph, Node
from wherry.ops import Binary, Cast, Constant, Divide, NonZero, NonZeroCoordinates, OneHot, ShapeOf, SizeOf, Unique
from wherry.ops.elementwise import Elementwise
from wherry.rewrite.known import KnownNode, fields_of, maker_of
from wherry.tensors import TensorType

Array = NDArray[Any]

_NAMES_TOLD = 3

WIDE = "wide data loses bits"
"""The known difference that `narrowed` reports."""

_NOT_MOVED = ("indices", "condition", "parent_idx", "max_seq_len", "begins", "ends")
"""Inputs, by name, whose elements are indices or sizes and are not moved."""

_COUNTS = (NonZero, NonZeroCoordinates, ShapeOf, SizeOf)
"""Operators whose results are positions and sizes."""

_VALUE_FIELDS = ("value", "off", "on", "start", "delta")
"""Fields that become elements of results."""


def _beyond_int32(values: Array) -> Array:
    return np.asarray((values > 2**31 - 1) | (values < -(2**31)) if values.dtype.kind == "i" else values > 2**31 - 1)


def _beyond_float32(values: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(np.isinf(values) | ((values.astype(np.float32) != values) & ~np.isnan(values)))


@dataclass(frozen=True)
class _Narrow:
    """A type that the plugin uses for others: the elements that change, in words, and the types held as it."""

    held_as: str
    words: str
    changes: Callable[[Array], Array]
    holds: frozenset[str]
    inputs_too: bool = True
    """Whether elements that come in at run are changed as well as constants."""


_INTEGERS = frozenset({"bool", "int8", "int16", "int32", "uint8", "uint16", "int4", "uint4", "int2", "uint2"})
_FLOATS = _INTEGERS - {"int32"} | {"float32", "float16", "bfloat16"}
_BELOW = "elements outside -2^31..2^31-1 change"
_ABOVE = "elements above 2^31-1 change"

NARROW: Mapping[str, _Narrow] = {
    "int64": _Narrow("int32", _BELOW, _beyond_int32, _INTEGERS),
    "uint64": _Narrow("int32", _ABOVE, _beyond_int32, _INTEGERS),
    "uint32": _Narrow("int32 where it is a constant", _ABOVE, _beyond_int32, _INTEGERS, inputs_too=False),
    "float64": _Narrow("float32", "elements are rounded, and infinities become finite", _beyond_float32, _FLOATS),
}
"""The types that OpenVINO's CPU plugin narrows."""


def narrowed(graph: Graph) -> Iterator[Finding]:
    """Yield one note for each type of which elements may change; none for tensors that are only indices or sizes."""
    moved = set(graph.outputs).union(*map(_moved, graph.nodes))
    told: dict[str, list[str]] = {}
    for what, kind, values in _sources(graph, moved):
        narrow = NARROW.get(_name(kind))
        if narrow is None:
            continue
        count = 0 if values is None else int(np.count_nonzero(narrow.changes(values)))
        if count:
            told.setdefault(_name(kind), []).append(f"{what} has {count} of them")
        elif values is None and narrow.inputs_too:
            told.setdefault(_name(kind), []).append(f"{what} may have some")
    for name, where in told.items():
        narrow = NARROW[name]
        more = f", and {len(where) - _NAMES_TOLD} tensors more" if len(where) > _NAMES_TOLD else ""
        text = f"OpenVINO's CPU plugin holds it as {narrow.held_as}, so that {narrow.words}: "
        yield Finding(Effect.NOTE, f"element type {name}", WIDE, text + ", ".join(where[:_NAMES_TOLD]) + more)


def without_rank(graph: Graph) -> Iterator[Finding]:
    """Yield a note if tensors have no known number of axes, which the plugin does not compile."""
    names = [name for name, kind in graph.types.items() if kind.sizes is None]
    if names:
        more = f", and {len(names) - _NAMES_TOLD} tensors more" if len(names) > _NAMES_TOLD else ""
        text = "has no known number of axes, and OpenVINO's plugins compile none such; give sizes here, or there"
        told = f"tensor {', '.join(map(repr, names[:_NAMES_TOLD]))}{more}"
        yield Finding(Effect.NOTE, told, "sizes", text)


def rounded(graph: Graph) -> Iterator[Finding]:
    """Yield a note if floats are divided, or computed from results of arithmetic: the plugin rounds both otherwise."""
    computed: set[str] = set()
    first, count = "", 0
    for node in graph.nodes:
        follows = not computed.isdisjoint(node.inputs)
        row = graph.types[node.outputs[0]].row
        if isinstance(node.operator, (Binary, Divide)) and row is not None and row.kind == "float":
            if follows or isinstance(node.operator, Divide):
                first, count = first or node.subject, count + 1
            follows = True
        if follows:
            computed.update(node.outputs)  # moved, they are joined all the same
    if count:
        more = f", and {count - 1} more" if count > 1 else ""
        text = "OpenVINO's CPU plugin takes quotients as products, and joins the constants of sums and products that "
        text += "follow each other: floats may differ in their last bits"
        yield Finding(Effect.NOTE, f"{first}{more}", "rounding", text)


def not_compiled(node: KnownNode) -> Refusal | None:
    """Return why the plugin refuses or miscomputes a legal node that others can replace, or None."""
    if isinstance(node.operator, Elementwise) and node.operator.axis is not None:
        words = (
            "auto_broadcast is pdpd at an axis, where OpenVINO's CPU plugin puts b at the last axes of many operations"
        )
        return Refusal((Fault("auto_broadcast", words, "pdpd", "numpy"),))
    if node.maker is not OneHot or any(one.row is None or one.row.is_string for one in node.types[1:]):
        return None
    row = node.types[0].row
    if row is not None and row.bits < 16:
        words = f"indices are {row}, OpenVINO's CPU plugin takes 16 bits and more"
        return Refusal((Fault("indices", words, row, "16 bits and more"),))
    if any(node.values[number] is None for number in node.moved[1:]):
        words = "off and on are computed, OpenVINO's CPU plugin takes constants"
        return Refusal((Fault("off, on", words, "computed", "constants"),))
    return None


def _sources(graph: Graph, moved: set[str]) -> Iterator[tuple[str, TensorType, Array | None]]:
    """Yield what elements come from, how it is called, and its values if they are known: those that are moved."""
    for name, kind in graph.inputs.items():
        if name in moved:
            yield f"input {name!r}", kind, None
    for name, value in graph.constants.items():
        if name in moved:
            yield f"constant {name!r}", graph.types[name], value
    for node in graph.nodes:
        if not node.outputs or node.outputs[0] not in moved:
            continue
        kind = graph.types[node.outputs[0]]
        if isinstance(node.operator, Cast):
            narrow, source = NARROW.get(_name(kind)), _name(graph.types[node.inputs[0]])
            if narrow is not None and source not in narrow.holds and source != _name(kind):
                yield f"what {node.subject} makes", kind, None
        for value in _values(node, kind):
            yield f"a field of {node.subject}", kind, value


def _values(node: Node, tensor_type: TensorType) -> Iterator[Array]:
    """Yield the values that an operator has for its results."""
    if _name(tensor_type) not in NARROW:
        return
    known = fields_of(node.operator) if is_dataclass(maker_of(node.operator)) else {}
    for name in _VALUE_FIELDS:
        value: Any = known.get(name)
        value = value.value if isinstance(value, Constant) else value
        if isinstance(value, np.ndarray) and value.dtype == tensor_type.numpy:
            yield value
        elif isinstance(value, (int, float)):
            yield np.asarray(value, tensor_type.numpy)


def _moved(node: Node) -> list[str]:
    """Return the inputs of a node whose elements may become elements of its outputs."""
    operator, kind = node.operator, maker_of(node.operator)
    if kind in _COUNTS:
        return []
    waiting = operator.from_inputs if isinstance(operator, Deferred) else ()
    values = [node.inputs[position] for name, position in waiting if name in _VALUE_FIELDS or kind is Unique]
    names: tuple[str, ...] = getattr(kind, "input_names", ())[: len(node.data_inputs)]
    pairs = zip_longest(node.data_inputs, names, fillvalue="data")
    return values + [tensor for tensor, name in pairs if name not in _NOT_MOVED]


def _name(tensor_type: TensorType) -> str:
    return "" if tensor_type.row is None else tensor_type.row.name
