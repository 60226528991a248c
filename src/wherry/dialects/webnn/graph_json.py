"""WebNN graphs as JSON: operands and calls of MLGraphBuilder's methods under the names that these have in JavaScript.

`{"inputs": {"x": {"dataType": "float32", "shape": [4]}}, "constants": {"i": {"dataType": "int32", "shape": [2], "data":
[0, 3]}}, "operations": [{"method": "gather", "operands": ["x", "i"], "options": {"axis": 0}, "outputs": ["y"]}],
"outputs": ["y"]}`; `data` is a list of numbers, or the bytes, little-endian, as base64.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors
from wherry.dialects.json_text import Document, Path, parse, shown
from wherry.dialects.refusal import Refusal
from wherry.dialects.rows import FilledRow, unsupported
from wherry.dialects.webnn.meaning import check_sizes, meaning
from wherry.dialects.webnn.say import say
from wherry.dialects.webnn.schema import BY_NAME, TYPES, Operation, lacks, one_of, sizes, values_of
from wherry.errors import FileFormatError, InvalidTypeError, cut, short
from wherry.files import beside
from wherry.graph import Graph, GraphBuilder
from wherry.limits import check_bytes
from wherry.models.model import GraphModel, Model
from wherry.tensors import TensorType

Array = NDArray[Any]

_MEMBERS = ("inputs", "constants", "operations", "outputs")
_CALL_MEMBERS = ("method", "operands", "arguments", "options", "outputs", "label")
_DESCRIPTOR = ("dataType", "shape")

_WORDS_OF_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""What JSON has no numbers for, as the strings that JavaScript prints."""


def read(path: str | FilePath) -> GraphModel:
    """Read a WebNN graph.

    Raises FileFormatError with line and column for a file that is no such JSON, InvalidValueError or InvalidTypeError
    for what a method throws, UnsupportedError that lists every method wherry does not have.
    """
    path = FilePath(path)
    with errors.prefixed(path.name):
        return from_json(path.read_bytes(), path.stem, path.name)


def read_bytes(content: bytes) -> GraphModel:
    """Return the model that the bytes of a file hold; see `read`."""
    return from_json(content, "graph")


def from_json(text: bytes, name: str, file: str = "the graph") -> GraphModel:
    """Return the model that the JSON of a file describes; see `read`."""
    return GraphModel(_Reader(parse(text, file)).graph(name), "webnn")


class _Reader:
    """Makes a graph of a document; an error tells the place of what is wrong."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def graph(self, name: str) -> Graph:
        found = self._object(self.document.value, (), _MEMBERS)
        builder = GraphBuilder(name)
        for operand, given in self._mapping(found, (), "inputs").items():
            path: Path = ("inputs", operand)
            declared = self._type(self._object(given, path, _DESCRIPTOR, _DESCRIPTOR), path)
            with self.document.at(path):
                builder.add_input(operand, declared)
        for operand, given in self._mapping(found, (), "constants").items():
            path = ("constants", operand)
            members = self._object(given, path, (*_DESCRIPTOR, "data"), (*_DESCRIPTOR, "data"))
            value = self._data(self._type(members, path), members["data"], (*path, "data"))
            with self.document.at(path):
                builder.add_constant(operand, value)
        calls = self._calls(found.get("operations", []))
        for number, call in enumerate(calls):
            self._add(builder, call, ("operations", number))
        outputs = self._names(found, (), "outputs")
        with self.document.at(("outputs",)):
            return builder.build(outputs)

    def _calls(self, found: Any) -> list[dict[str, Any]]:
        """Return the calls, of methods that there are."""
        if not isinstance(found, list):
            raise self.document.error(("operations",), f"is {shown(found)}, allowed an array of calls")
        calls = [self._object(call, ("operations", number), _CALL_MEMBERS, ("method", "outputs"))
                 for number, call in enumerate(found)]  # fmt: skip
        for number, call in enumerate(calls):
            if not isinstance(call["method"], str):
                raise self.document.error(("operations", number, "method"), f"is {shown(call['method'])}, allowed text")
        missing = [
            (cut(one["method"]), str(number)) for number, one in enumerate(calls) if one["method"] not in BY_NAME
        ]
        if missing:
            raise unsupported(missing, "WebNN", BY_NAME)
        return calls

    def _add(self, builder: GraphBuilder, call: dict[str, Any], path: Path) -> None:
        operation = BY_NAME[call["method"]]
        label = call.get("label", "")
        if not isinstance(label, str):
            raise self.document.error((*path, "label"), f"is {shown(label)}, allowed text")
        operands, outputs = self._names(call, path, "operands"), self._names(call, path, "outputs")
        for number, name in enumerate(operands):
            if name not in builder.types:
                raise self.document.error((*path, "operands", number), f"is {short(name)}, allowed operands that come "
                                          "before")  # fmt: skip
        given = {**self._mapping(call, path, "arguments"), **self._mapping(call, path, "options")}
        if isinstance(given.get("value"), str):
            given["value"] = _WORDS_OF_NUMBERS.get(given["value"], given["value"])
        subject = f"{operation.subject} {label or next(iter(outputs), '')!r}"
        with self.document.subject_at(path, subject), errors.renamed(operation.names):
            operator = meaning(operation, [builder.types[name] for name in operands], values_of(operation, given))
            builder.add(operator, operands, outputs, subject, label)

    def _type(self, found: dict[str, Any], path: Path) -> TensorType:
        with self.document.at(path):
            dtype = one_of(*TYPES)("dataType", found["dataType"])
            made = TensorType(dtype, sizes("shape", found["shape"]))
            check_sizes("the tensor", made)
        return made

    def _data(self, declared: TensorType, found: Any, path: Path) -> Array:
        """Return a constant's elements."""
        count = math.prod(declared.shape)
        with self.document.at(path):
            check_bytes(count * declared.numpy.itemsize, "the elements")
        if isinstance(found, str):
            return self._bytes(declared, found, path)
        if not isinstance(found, list) or len(found) != count:
            have = f"has {len(found)} entries" if isinstance(found, list) else f"is {shown(found)}"
            raise self.document.error(path, f"{have}, allowed an array of {count} numbers, or base64")
        is_integer = dtypes.find(declared.numpy.name).is_integer
        bounds = np.iinfo(declared.numpy) if is_integer else None
        for number, one in enumerate(found):
            if isinstance(one, bool) or not isinstance(one, (int, float)):
                raise self.document.error((*path, number), f"is {shown(one)}, allowed a number")
            if bounds and not (isinstance(one, int) and bounds.min <= one <= bounds.max):
                raise self.document.error((*path, number), f"is {shown(one)}, allowed {bounds.min}..{bounds.max}")
        with np.errstate(over="ignore"):  # beyond the type's greatest number is infinite
            return (
                np.array(found, declared.numpy if is_integer else np.float64)
                .astype(declared.numpy, copy=False)
                .reshape(declared.shape)
            )

    def _bytes(self, declared: TensorType, found: str, path: Path) -> Array:
        little = declared.numpy.newbyteorder("<")
        try:
            raw = base64.b64decode(found, validate=True)
        except (binascii.Error, ValueError):
            raise self.document.error(path, f"is {short(found)}, allowed base64") from None
        count = math.prod(declared.shape) * little.itemsize
        if len(raw) != count:
            raise self.document.error(path, f"has {len(raw)} bytes, allowed {count}")
        return np.frombuffer(raw, little).astype(declared.numpy).reshape(declared.shape)

    def _object(self, found: Any, path: Path, allowed: Sequence[str], required: Sequence[str] = ()) -> dict[str, Any]:
        """Return an object that has no members but those allowed, and all that are required."""
        if not isinstance(found, dict):
            raise self.document.error(path, f"is {shown(found)}, allowed an object with {', '.join(allowed)}")
        for name in found:
            if name not in allowed:
                raise self.document.error((*path, name), f"is not a member here, allowed {', '.join(allowed)}")
        for name in required:
            if name not in found:
                raise self.document.error((*path, name), "is missing; it has no default")
        return found

    def _mapping(self, found: dict[str, Any], path: Path, member: str) -> dict[str, Any]:
        """Return a member that is an object of any names; empty where it is missing."""
        value = found.get(member, {})
        if not isinstance(value, dict):
            raise self.document.error((*path, member), f"is {shown(value)}, allowed an object by name")
        return value

    def _names(self, found: dict[str, Any], path: Path, member: str) -> list[str]:
        """Return a member that is an array of names; empty where it is missing."""
        value = found.get(member, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.document.error((*path, member), f"is {shown(value)}, allowed an array of names")
        return value


def calls_of(graph: Graph) -> list[tuple[FilledRow[Operation], tuple[str, ...], str]]:
    """Return a graph as calls in order: each with the names of its results, and its label.

    Raises WherryError for inputs, constants or nodes that WebNN cannot say, and for a result that no call makes.
    """
    graph.refuse_opaque()
    for name, given in graph.types.items():
        if name in graph.inputs or name in graph.constants:
            with errors.subject(f"tensor {name!r}"):
                _descriptor(given)
    calls = []
    for node in graph.nodes:
        found = say(node, [graph.types[name] for name in node.inputs])
        if isinstance(found, Refusal):
            with errors.subject(node.subject):
                raise found.error()
        calls.append((found, node.outputs, node.name))
    for name in graph.outputs:
        if name in graph.inputs or name in graph.constants:
            raise FileFormatError(f"output {name!r} is an input or a constant, which WebNN does not return; put an "
                                  "identity between")  # fmt: skip
    return calls


def _descriptor(given: TensorType) -> dict[str, Any]:
    if lacks(given):
        raise InvalidTypeError(f"the element type is {given.dtype}, allowed {', '.join(TYPES)}")
    check_sizes("the tensor", given)
    return {"dataType": str(given.dtype), "shape": list(given.shape)}


def to_json(graph: Graph) -> str:
    """Return a graph as JSON. Raises WherryError for what WebNN cannot say."""
    calls = calls_of(graph)
    found = {
        "inputs": {name: _descriptor(given) for name, given in graph.inputs.items()},
        "constants": {
            name: {**_descriptor(graph.types[name]), "data": base64.b64encode(little_endian(value)).decode()}
            for name, value in graph.constants.items()
        },
        "operations": [_call(*call) for call in calls],
        "outputs": list(graph.outputs),
    }
    return json.dumps(found, indent=1, allow_nan=False)


def little_endian(value: Array) -> bytes:
    """Return the elements of a constant in row-major order, as typed arrays of JavaScript hold them."""
    return np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()


def _call(row: FilledRow[Operation], outputs: Sequence[str], label: str) -> dict[str, Any]:
    def of(is_option: bool) -> dict[str, Any]:
        given = {one.name: row.attributes[one.name] for one in row.row.members if one.is_option == is_option}
        return {name: _number_or_word(value) for name, value in given.items() if value is not None}

    made = {"method": row.row.name, "operands": list(row.inputs.values()), "arguments": of(False), "options": of(True),
            "outputs": list(outputs)}  # fmt: skip
    return {**made, "label": label} if label else made


def _number_or_word(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def graph_of(model: Model) -> Graph:
    """Return the graph of a model; InvalidTypeError for a model of several."""
    if not isinstance(model, GraphModel):
        raise InvalidTypeError(f"model is a {type(model).__name__}, allowed a model of one graph; convert it first")
    return model.graph


def write(model: Model, path: str | FilePath) -> None:
    """Write a model of one graph as JSON. Raises WherryError for what WebNN cannot say; no file is written then."""
    text = to_json(graph_of(model))
    with beside(FilePath(path)) as part:
        part.write_text(text)
