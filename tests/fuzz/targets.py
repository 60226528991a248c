"""The targets: what an input is, what is tried on it, and how it is changed into another."""

from __future__ import annotations

import inspect
import json
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from onnx import ModelProto, TensorProto

import wherry as wh
from tests.fuzz import mutate
from tests.fuzz.use import LIMITS, MOST_ELEMENTS, counts, use
from tests.support.compare import assert_same_bits
from wherry.dialects.directml.descs import DESCS, OperatorDesc, ScaleBias
from wherry.dialects.directml.schema import SCHEMA
from wherry.dialects.onnx import inference, wire
from wherry.dialects.onnx.external import Folder
from wherry.dialects.onnx.reader import check_messages
from wherry.dialects.onnx.table import NAMES as ONNX_NAMES
from wherry.dialects.onnx.tensor_data import Store, decode, encode
from wherry.dialects.openvino.table import operations
from wherry.dialects.webnn.schema import BY_NAME, TYPES
from wherry.errors import WherryError
from wherry.models.listing import Listing


@dataclass(frozen=True)
class Target:
    """`run` tries an input and lets every error out; `mutate` makes another input of one."""

    name: str
    run: Callable[[bytes], None]
    mutate: Callable[[bytes, Random], bytes]
    ending: str


def refusal(target: Target, data: bytes) -> str | None:
    """Try an input: return the words with which it is refused, None for one that runs; raise for a finding."""
    counts["inputs"] += 1
    try:
        target.run(data)
    except (WherryError, OSError) as error:
        counts["refused"] += 1
        return f"{type(error).__name__}: {error}"
    return None


@cache
def _folder() -> Path:
    """A folder in which a model finds what it may refer to."""
    folder = Path(tempfile.mkdtemp(prefix="wherry-fuzz-"))
    np.save(folder / "values.npy", np.arange(12, dtype=np.float32))
    (folder / "data.bin").write_bytes(bytes(range(64)))
    return folder


def _onnx(data: bytes) -> None:
    path = _folder() / "model.onnx"
    path.write_bytes(data)
    with patch.object(inference, "_inferred", return_value=b""):  # it takes a process and 0.5 s a file
        model = wh.load(path, limits=LIMITS)
    if model.graph.opaque:
        counts["listed"] += 1
        assert str(Listing.of(model.graph))
        assert str(model.graph)
        assert model.inputs is not None
        assert model.outputs is not None
    use(model, _folder() / "other.onnx", zlib.crc32(data))


def _openvino(data: bytes) -> None:
    text, _, weights = data.partition(b"\0")
    path = _folder() / "model.xml"
    path.write_bytes(text)
    path.with_suffix(".bin").write_bytes(weights)
    use(wh.load(path, limits=LIMITS), _folder() / "other.xml", zlib.crc32(data))


def _dxdispatch(data: bytes) -> None:
    path = _folder() / "model.json"
    path.write_bytes(data)
    use(wh.load(path, limits=LIMITS), _folder() / "other.json", zlib.crc32(data))


def _webnn(data: bytes) -> None:
    path = _folder() / "model.webnn.json"
    path.write_bytes(data)
    use(wh.load(path, limits=LIMITS), _folder() / "other.webnn.json", zlib.crc32(data))


def _tensor(data: bytes) -> None:
    proto = TensorProto()
    try:
        proto.ParseFromString(data)
    except Exception:  # not protobuf: the onnx target's
        return
    check_messages(proto)
    with wh.limited(LIMITS):
        array = decode(proto, "the tensor", Store(Folder(_folder())))
    counts["read"] += 1
    if array.size <= MOST_ELEMENTS:
        assert_same_bits(decode(encode(array, "again"), "again", Store()), array)
        counts["through a file"] += 1


def _wire(data: bytes) -> None:
    """Take the tensors of 4 bytes and more out of a message, put them back, and compare where nothing stands twice."""
    with patch.object(wire, "LARGE", 4):
        walked = wire.without_weights(memoryview(data), "kept")
    try:
        proto = ModelProto.FromString(data)
    except Exception:  # not protobuf: the walk leaves it as it is, or what it makes of it is read by nobody
        return
    counts["read"] += 1
    slim = ModelProto.FromString(walked)
    for tensor in _tensors(slim):
        place = {entry.key: entry.value for entry in tensor.external_data}
        if place.get("location") == "kept":
            start, length = int(place["offset"]), int(place["length"])
            assert start + length <= len(data)
            tensor.raw_data = data[start : start + length]
            tensor.ClearField("external_data")
            tensor.ClearField("data_location")
    if proto.SerializeToString() == data:
        assert slim.SerializeToString() == data
        counts["put back"] += 1


def _tensors(message: Any) -> Iterator[TensorProto]:
    if isinstance(message, TensorProto):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is not None:
            for entry in value if field.is_repeated else (value,):
                yield from _tensors(entry)


class _NoInput(Exception):
    """JSON that describes no call: what Python itself would refuse, such as an unknown keyword."""


def _desc(data: bytes) -> None:
    try:
        given = json.loads(data)
        parts = [_part(given, name, kind) for name, kind in (("type", str), ("desc", dict), ("buffers", dict))]
        desc = _described(*parts[:2])
        memory = {name: _buffers(sizes) for name, sizes in parts[2].items()}
        level = given.get("level")
    except (_NoInput, ValueError, RecursionError) as error:
        if isinstance(error, WherryError):
            raise
        return
    counts["read"] += 1
    with wh.limited(LIMITS):
        wh.directml.execute(desc, memory, feature_level=level)
    counts["run"] += 1


def _part(given: Any, name: str, kind: type) -> Any:
    if not isinstance(given, dict) or not isinstance(given.get(name), kind):
        raise _NoInput
    return given[name]


_DESCS = {desc.name: desc for desc in DESCS.values()}


def _described(name: str, members: dict[str, Any]) -> OperatorDesc:
    if name not in _DESCS:
        raise _NoInput
    kind = _DESCS[name]
    values = {field: _member(value) for field, value in members.items()}
    _fits(kind, values)
    return kind(**values)


def _fits(kind: Callable[..., Any], members: dict[str, Any]) -> None:
    try:
        inspect.signature(kind).bind(**members)
    except TypeError:
        raise _NoInput from None


def _member(value: Any) -> Any:
    """Return a member of a description: objects with sizes are tensors, those with a scale are ScaleBias."""
    if isinstance(value, list):
        return [_member(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    kind = ScaleBias if "scale" in value else wh.directml.BufferTensorDesc
    _fits(kind, value)
    return kind(**value)


def _buffers(sizes: Any) -> Any:
    """Return bytes for one binding, or for each of several; anything that is no number of bytes as it is."""
    if isinstance(sizes, list):
        return [_buffers(size) for size in sizes[:64]]
    if type(sizes) is not int:
        return sizes
    return np.random.default_rng(1).integers(0, 4, min(max(sizes, 0), 2**16), np.uint8)


def _onnx_words(model: Any) -> list[str]:
    tensors = [name for node in model.graph.node for name in (*node.input, *node.output)]
    words = ("axis", "axes", "value", "perm", "mode", "reduction", "to", "data.bin")
    return [*sorted(ONNX_NAMES), *tensors, *tensors, *words]


def _mutate_onnx(data: bytes, rng: Random) -> bytes:
    return mutate.message_file(data, rng, ModelProto, _onnx_words)


def _mutate_tensor(data: bytes, rng: Random) -> bytes:
    return mutate.message_file(data, rng, TensorProto, lambda _: ["location", "offset", "length", "data.bin"])


_XML_WORDS = [
    *sorted(operations()),
    *("i64", "i32", "f32", "f16", "u1", "boolean", "string", "dynamic", "u4", "opset1", "opset8", "opset15"),
    *("Parameter", "Const", "Result", "numpy", "true", "-1", "2,3"),
]


def _mutate_openvino(data: bytes, rng: Random) -> bytes:
    if rng.random() < 0.05:
        return mutate.some_bytes(data, rng)
    text, zero, weights = data.partition(b"\0")
    if weights and rng.random() < 0.2:
        return text + zero + mutate.some_bytes(weights, rng)
    changed = mutate.xml_text(text.decode("utf-8", "replace"), rng, _XML_WORDS)
    return changed.encode("utf-8", "replace") + zero + weights


_MEMBERS = sorted({member.name for info in SCHEMA.values() for member in info.members})
_TYPES = ("FLOAT32", "INT64", "UINT4", "FLOAT16", "UINT8")
_JSON_WORDS = [
    *(*SCHEMA, *_MEMBERS, *_TYPES),
    *("values.npy", "Sizes", "Strides", "value", "valueCount", "valueStart", "valueDelta", "sourcePath", "dispatch"),
    *("print", "writeFile", "DataType"),
    *(f"DML_OPERATOR_{name}" for name in SCHEMA),
]
_OPTIONS = sorted({member.name for row in BY_NAME.values() for member in row.members})
_WEBNN_WORDS = [
    *(*BY_NAME, *_OPTIONS, *TYPES),
    *("inputs", "constants", "operations", "outputs", "dataType", "shape", "data", "options", "arguments", "operands"),
    *("NaN", "AAAAAA==", "constant", "edge", "reflection"),
]
_FIELDS = sorted({member.field for info in SCHEMA.values() for member in info.members})
_DESC_WORDS = [
    *(*SCHEMA, *_FIELDS, *_TYPES),
    *("sizes", "strides", "flags", "1.0", "2.1", "6.4", "total_tensor_size_in_bytes", "data_type", "OWNED_BY_DML"),
]


TARGETS = {
    target.name: target
    for target in (
        Target("onnx", _onnx, _mutate_onnx, ".onnx"),
        Target("openvino", _openvino, _mutate_openvino, ".xml"),
        Target("dxdispatch", _dxdispatch, lambda data, rng: mutate.json_file(data, rng, _JSON_WORDS), ".json"),
        Target("webnn", _webnn, lambda data, rng: mutate.json_file(data, rng, _WEBNN_WORDS), ".json"),
        Target("wire", _wire, _mutate_onnx, ".onnx"),
        Target("tensor", _tensor, _mutate_tensor, ".pb"),
        Target("desc", _desc, lambda data, rng: mutate.json_file(data, rng, _DESC_WORDS), ".json"),
    )
}
