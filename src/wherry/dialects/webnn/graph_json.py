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
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry import dtypes, errors
from wherry.dialects.refusal import Refusal
from wherry.dialects.rows import FilledRow, unsupported
from wherry.dialects.webnn.meaning import as_double, check_sizes, meaning
from wherry.dialects.webnn.say import say
from wherry.dialects.webnn.schema import BY_NAME, TYPES, Operation, one_of, values_of
from wherry.dialects.webnn.schema import sizes as as_sizes
from wherry.errors import FileFormatError, InvalidTypeError, short
from wherry.files import beside
from wherry.graph import Graph, GraphBuilder
from wherry.limits import MAX_DIGITS, check_bytes
from wherry.model import GraphModel, Model
from wherry.tensors import TensorType

Array = NDArray[Any]

_MEMBERS = ("inputs", "constants", "operations", "outputs")
_CALL_MEMBERS = ("method", "operands", "arguments", "options", "outputs", "label")
_DESCRIPTOR = ("dataType", "shape")

_WORDS_OF_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""What JSON has no numbers for, as the strings that JavaScript prints."""


def read(path: str | Path) -> GraphModel:
    """Read a WebNN graph.

    Raises FileFormatError for a file that is no such JSON, InvalidValueError or InvalidTypeError for what a method
    throws, UnsupportedError that lists every method wherry does not have.
    """
    path = Path(path)
    with errors.subject(path.name):
        return from_json(path.read_bytes(), path.stem)


def from_json(text: bytes, name: str = "") -> GraphModel:
    """Return the model that JSON tells; see `read`."""
    return GraphModel(_graph(_parsed(text), name), "webnn")


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_number, parse_int=_integer)
    except FileFormatError:
        raise
    except RecursionError:
        raise FileFormatError("the JSON is nested too deeply, allowed a graph: four objects deep") from None
    except UnicodeDecodeError as error:
        raise FileFormatError(f"the file is no text in UTF-8: {error.reason} at byte {error.start}") from None
    except ValueError as error:
        raise FileFormatError(f"the file is no JSON: {short(str(error))}") from None
    return _object("the file", found, _MEMBERS)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise FileFormatError(f"the member {short(twice)} is there twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise FileFormatError(f"a number has {len(digits)} characters, allowed up to {MAX_DIGITS}")
    return int(digits)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON; give such data as base64")


def _object(what: str, found: Any, allowed: Sequence[str], required: Sequence[str] = ()) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise FileFormatError(f"{what} is {short(found)}, allowed an object with {', '.join(allowed)}")
    for name in found:
        if name not in allowed:
            raise FileFormatError(f"{what} has the member {short(name)}, allowed {', '.join(allowed)}")
    for name in required:
        if name not in found:
            raise FileFormatError(f"{what} lacks the member {name!r}")
    return found


def _names(what: str, found: Any) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise FileFormatError(f"{what} is {short(found)}, allowed a list of names")
    return found


def _mapping(what: str, found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise FileFormatError(f"{what} is {short(found)}, allowed an object by name")
    return found


def _graph(found: dict[str, Any], name: str) -> Graph:
    builder = GraphBuilder(name)
    for operand, given in _mapping("inputs", found.get("inputs", {})).items():
        builder.add_input(operand, _type_of(f"input {operand!r}", _object(f"input {operand!r}", given, _DESCRIPTOR)))
    for operand, given in _mapping("constants", found.get("constants", {})).items():
        what = f"constant {operand!r}"
        members = _object(what, given, (*_DESCRIPTOR, "data"), (*_DESCRIPTOR, "data"))
        builder.add_constant(operand, _data(what, _type_of(what, members), members["data"]))
    calls = found.get("operations", [])
    if not isinstance(calls, list):
        raise FileFormatError(f"operations is {short(calls)}, allowed a list of calls")
    checked = [
        _object(f"operations[{number}]", call, _CALL_MEMBERS, ("method", "outputs"))
        for number, call in enumerate(calls)
    ]
    for number, one in enumerate(checked):
        if not isinstance(one["method"], str):
            raise FileFormatError(f"method of operations[{number}] is {short(one['method'])}, allowed a method's name")
    missing = [(one["method"], str(number)) for number, one in enumerate(checked) if one["method"] not in BY_NAME]
    if missing:
        raise unsupported(missing, "WebNN", BY_NAME)
    for number, call in enumerate(checked):
        _add(builder, f"operations[{number}]", call)
    return builder.build(_names("outputs", found.get("outputs", [])))


def _add(builder: GraphBuilder, what: str, call: dict[str, Any]) -> None:
    operation = BY_NAME[call["method"]]
    label = call.get("label", "")
    if not isinstance(label, str):
        raise FileFormatError(f"label of {what} is {short(label)}, allowed text")
    operands = _names(f"operands of {what}", call.get("operands", []))
    outputs = _names(f"outputs of {what}", call["outputs"])
    subject = f"{operation.subject} {label or next(iter(outputs), '')!r}"
    for name in operands:
        if name not in builder.types:
            raise FileFormatError(f"operands of {what} name {short(name)}, allowed operands that come before")
    given = {
        **_mapping(f"arguments of {what}", call.get("arguments", {})),
        **_mapping(f"options of {what}", call.get("options", {})),
    }
    if isinstance(given.get("value"), str):
        given["value"] = _WORDS_OF_NUMBERS.get(given["value"], given["value"])
    with errors.subject(subject):
        operator = meaning(operation, [builder.types[name] for name in operands], values_of(operation, given))
        builder.add(operator, operands, outputs, subject, label)


def _type_of(what: str, found: dict[str, Any]) -> TensorType:
    for name in _DESCRIPTOR:
        if name not in found:
            raise FileFormatError(f"{what} lacks the member {name!r}")
    dtype = one_of(*TYPES)(f"dataType of {what}", found["dataType"])
    made = TensorType(dtype, as_sizes(f"shape of {what}", found["shape"]))
    check_sizes(what, made)
    return made


def _data(what: str, declared: TensorType, found: Any) -> Array:
    """Return a constant's elements."""
    count = math.prod(declared.shape)
    check_bytes(count * declared.numpy.itemsize, f"the elements of {what}")
    little = declared.numpy.newbyteorder("<")
    if isinstance(found, str):
        try:
            raw = base64.b64decode(found, validate=True)
        except (binascii.Error, ValueError):
            raise FileFormatError(f"data of {what} is {short(found)}, allowed base64") from None
        if len(raw) != count * little.itemsize:
            raise FileFormatError(f"data of {what} has {len(raw)} bytes, allowed {count * little.itemsize}")
        return np.frombuffer(raw, little).astype(declared.numpy).reshape(declared.shape)
    if not isinstance(found, list) or len(found) != count:
        have = f"{len(found)} entries" if isinstance(found, list) else short(found)
        raise FileFormatError(f"data of {what} is {have}, allowed a list of {count} numbers, or base64")
    for place, one in enumerate(found):
        if isinstance(one, bool) or not isinstance(one, (int, float)):
            raise FileFormatError(f"data[{place}] of {what} is {short(one)}, allowed a number")
    row = dtypes.find(declared.numpy.name)
    if row.is_integer:
        bounds = np.iinfo(declared.numpy)
        for place, one in enumerate(found):
            if not isinstance(one, int) or not bounds.min <= one <= bounds.max:
                raise FileFormatError(f"data[{place}] of {what} is {one}, allowed {bounds.min}..{bounds.max}")
        return np.array(found, declared.numpy).reshape(declared.shape)
    with np.errstate(over="ignore"):
        return np.array([as_double(one) for one in found]).astype(declared.numpy).reshape(declared.shape)


def calls_of(graph: Graph) -> list[tuple[FilledRow[Operation], tuple[str, ...], str]]:
    """Return a graph as calls in order: each with the names of its results, and its label.

    Raises WherryError for inputs, constants or nodes that WebNN cannot say, and for a result that no call makes.
    """
    graph.refuse_foreign()
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
    if given.row is None or given.row.name not in TYPES:
        raise InvalidTypeError(f"the element type is {given.dtype}, allowed {', '.join(TYPES)}")
    check_sizes("the tensor", given)
    return {"dataType": given.row.name, "shape": list(given.shape)}


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


def write(model: Model, path: str | Path) -> None:
    """Write a model of one graph as JSON. Raises WherryError for what WebNN cannot say; no file is written then."""
    text = to_json(graph_of(model))
    with beside(Path(path)) as part:
        part.write_text(text)
