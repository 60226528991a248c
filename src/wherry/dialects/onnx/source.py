"""What an opaque node of an ONNX file keeps, so that a runtime, or a writer, can be given a part of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from google.protobuf.message import Message  # type: ignore[import-untyped]
from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto

from wherry.dialects.onnx.tensor_data import Store, decode, encode

_Message = TypeVar("_Message", bound=Message)

_HOLDERS = (AttributeProto, FunctionProto, GraphProto, NodeProto, SparseTensorProto, TensorProto)
"""The messages that tensors lie in."""


@dataclass(frozen=True)
class Source:
    """A node as its file has it, and what holds for all of the model: `header` is the model without its graph.

    The header has the IR version, the imported opsets, the functions, and what the model tells of itself. `proto` is a
    NodeProto, or a TensorProto for an initializer of an element type that wherry does not have. In both, large tensors
    stay in the file, where `store` finds them.
    """

    proto: NodeProto | TensorProto
    header: ModelProto
    store: Store | None = field(default=None, compare=False, repr=False)

    @property
    def whole_proto(self) -> NodeProto | TensorProto:
        """The node, or tensor, with all that it holds."""
        return whole(self.proto, self.store)

    @property
    def whole_header(self) -> ModelProto:
        """The header with all that it holds."""
        return whole(self.header, self.store)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a pickle holds: all of it, as the file may not be where it is read."""
        return Source, (self.whole_proto, self.whole_header)


def header_of(proto: ModelProto) -> ModelProto:
    """Return a model without its graph."""
    header = ModelProto(ir_version=proto.ir_version)
    header.opset_import.extend(proto.opset_import)
    header.functions.extend(proto.functions)
    header.metadata_props.extend(proto.metadata_props)
    for name in ("domain", "model_version", "doc_string"):
        if proto.HasField(name):
            setattr(header, name, getattr(proto, name))
    return header


def whole(message: _Message, store: Store | None) -> _Message:
    """Return a message whose tensors hold their elements; the message itself where they do."""
    if store is None or all(tensor.data_location != TensorProto.EXTERNAL for tensor in _tensors(message)):
        return message
    made: _Message = type(message)()
    made.CopyFrom(message)
    for tensor in _tensors(made):
        if tensor.data_location == TensorProto.EXTERNAL:
            _fill(tensor, store)
    return made


def _tensors(message: Message) -> Iterator[TensorProto]:
    """Yield the tensors that lie in a message, however deep."""
    if isinstance(message, TensorProto):
        yield message
        return
    for found, value in message.ListFields():
        if found.message_type is None:
            continue
        for inner in [value] if isinstance(value, Message) else value:
            if isinstance(inner, _HOLDERS):
                yield from _tensors(inner)


def _fill(tensor: TensorProto, store: Store) -> None:
    """Put the elements of a tensor that lie in a file into it."""
    kept = store.kept_bytes(tensor)
    if kept is None:
        tensor.CopyFrom(encode(decode(tensor, f"tensor {tensor.name!r}", store), tensor.name))
        return
    tensor.ClearField("external_data")
    tensor.ClearField("data_location")
    tensor.raw_data = kept.tobytes()
