"""The bytes of an ONNX file as protobuf lays them out: a copy without the weights, which stay where they are.

Protobuf copies every tensor of a message that it reads. A walk over the message, as far as large tensors lie in it,
finds their `raw_data`, and puts references to these ranges of the file in their places, as external data has them.
"""

from __future__ import annotations

from collections.abc import Iterator

LARGE = 4096
"""Bytes of `raw_data` from which on a tensor stays in the file; messages of fewer bytes are not looked into."""

_MOST_FIELDS = 2**21
"""How many fields are looked at; all behind them is read by protobuf as it stands."""

_MOST_NESTED = 100
"""How deep messages may lie in each other; protobuf refuses deeper ones."""

# The fields of each message that hold messages in which tensors may lie (onnx.proto).
_INSIDE: dict[str, dict[int, str]] = {
    "ModelProto": {7: "GraphProto", 25: "FunctionProto"},
    "GraphProto": {1: "NodeProto", 5: "TensorProto", 15: "SparseTensorProto"},
    "NodeProto": {5: "AttributeProto"},
    "AttributeProto": {5: "TensorProto", 6: "GraphProto", 10: "TensorProto", 11: "GraphProto",
                       22: "SparseTensorProto", 23: "SparseTensorProto"},
    "SparseTensorProto": {1: "TensorProto", 2: "TensorProto"},
    "FunctionProto": {7: "NodeProto", 11: "AttributeProto"},
}  # fmt: skip

# The fields of TensorProto that matter here; one that holds values in another way too is left to the reader.
_RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 9, 13, 14
_OTHER_DATA = frozenset({4, 5, 6, 7, 10, 11, _EXTERNAL_DATA, _DATA_LOCATION})
_EXTERNAL = 1

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Malformed(Exception):
    """The bytes are no protobuf message, or have groups, which no writer of ONNX writes."""


def without_weights(content: memoryview, location: str) -> bytes | memoryview:
    """Return a model's message whose large tensors refer to ranges of the file called `location`, which holds it.

    What is no message that this walk understands is returned as it is.
    """
    try:
        pieces = _Walk(content, location).message("ModelProto", 0, len(content), 1)
    except Malformed:
        return content
    return content if pieces is None else b"".join(pieces)


class _Walk:
    """One walk over a message; every range that it reads lies inside the message around it."""

    def __init__(self, content: memoryview, location: str) -> None:
        self.content = content
        self.location = location.encode()
        self.fields = 0

    def message(self, kind: str, start: int, end: int, depth: int) -> list[bytes | memoryview] | None:
        """Return the pieces of a message without its large tensors, or None where it has none."""
        inside = _INSIDE[kind]
        pieces: list[bytes | memoryview] = []
        done = start
        for place, number, wire, first, last in self._fields_of(start, end):
            inner = inside.get(number)
            if inner is None or wire != _BYTES or last - first < LARGE or depth >= _MOST_NESTED:
                continue
            is_tensor = inner == "TensorProto"
            found = self._tensor(first, last) if is_tensor else self.message(inner, first, last, depth + 1)
            if found is not None:
                head = _varint(number << 3 | _BYTES) + _varint(sum(map(len, found)))
                pieces += [self.content[done:place], head, *found]
                done = last
        return [*pieces, self.content[done:end]] if pieces else None

    def _tensor(self, start: int, end: int) -> list[bytes | memoryview] | None:
        """Return the pieces of a tensor whose bytes stay in the file, or None where they cannot."""
        raw: tuple[int, int, int] | None = None
        for place, number, wire, first, last in self._fields_of(start, end):
            if number in _OTHER_DATA or (number == _RAW_DATA and (raw is not None or wire != _BYTES)):
                return None
            if number == _RAW_DATA:
                raw = place, first, last
        if raw is None or raw[2] - raw[1] < LARGE:
            return None
        place, first, last = raw
        entries = {b"location": self.location, b"offset": b"%d" % first, b"length": b"%d" % (last - first)}
        reference = [
            _bytes_field(_EXTERNAL_DATA, _bytes_field(1, key) + _bytes_field(2, value))
            for key, value in entries.items()
        ]
        reference.append(_varint(_DATA_LOCATION << 3 | _VARINT) + _varint(_EXTERNAL))
        return [self.content[start:place], self.content[last:end], *reference]

    def _fields_of(self, start: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield each field: where it begins, its number and wire type, and the range of its value."""
        content = self.content
        at = start
        while at < end and self.fields < _MOST_FIELDS:
            self.fields += 1
            place = at
            key = content[at]
            at += 1
            if key > 127:
                key, at = self._varint_at(place, end)
            wire = key & 7
            if wire == _BYTES:
                if at >= end:
                    raise Malformed
                length = content[at]
                at += 1
                if length > 127:
                    length, at = self._varint_at(at - 1, end)
                first, at = at, at + length
            elif wire == _VARINT:
                first, at = at, self._varint_at(at, end)[1]
            elif wire in (_FIXED32, _FIXED64):
                first, at = at, at + (4 if wire == _FIXED32 else 8)
            else:
                raise Malformed
            if at > end:
                raise Malformed
            yield place, key >> 3, wire, first, at

    def _varint_at(self, at: int, end: int) -> tuple[int, int]:
        """Return the number that begins at a place, and the place behind it."""
        number = 0
        for shift in range(0, 70, 7):
            if at >= end:
                break
            byte = self.content[at]
            at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number, at
        raise Malformed


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)


def _bytes_field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value
