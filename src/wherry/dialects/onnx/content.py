"""What tells two nodes apart: a digest of all that they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any

from google.protobuf.message import Message  # type: ignore[import-untyped]
from onnx import AttributeProto, GraphProto, NodeProto, SparseTensorProto, TensorProto

from wherry.dialects.onnx.tensor_data import Store

_PARTED = frozenset({AttributeProto.GRAPH, AttributeProto.GRAPHS, AttributeProto.TENSOR, AttributeProto.TENSORS,
                     AttributeProto.SPARSE_TENSOR, AttributeProto.SPARSE_TENSORS})  # fmt: skip
"""The kinds of attributes that are read part by part."""

_TYPE = attrgetter("type")

_OF_BYTES = ("raw_data", "external_data", "data_location")


@dataclass(frozen=True)
class Content:
    """The digest of a node, and the contents of the nodes of each graph that it holds, in order."""

    digest: str
    graphs: tuple[tuple[Content, ...], ...] = ()


def content_of(node: NodeProto, store: Store) -> Content:
    """Return the content of a node; each byte is read once, however deep the graph lies that holds it."""
    if _PARTED.isdisjoint(map(_TYPE, node.attribute)):
        return Content(hashlib.sha256(_bytes(node)).hexdigest())
    graphs = [
        [content_of(inner, store) for inner in graph.node]
        for attribute in node.attribute
        for graph in graphs_of(attribute)
    ]
    digests = chain.from_iterable(graphs)
    return Content(_digest(_parts(node, store), [inner.digest for inner in digests]), tuple(map(tuple, graphs)))


def tensor_content(tensor: TensorProto, store: Store) -> str:
    """Return the digest of a tensor."""
    return _digest(_parts(tensor, store), ())


def graphs_of(attribute: AttributeProto) -> Sequence[GraphProto]:
    """Return the graphs that an attribute holds."""
    return [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs


def _digest(parts: Iterator[bytes | memoryview], inner: Sequence[str]) -> str:
    found = hashlib.sha256()
    for part in chain(parts, (digest.encode() for digest in inner)):
        found.update(len(part).to_bytes(8))
        found.update(part)
    return found.hexdigest()


def _parts(message: Any, store: Store) -> Iterator[bytes | memoryview]:
    """Yield what a message holds, field by field, but for the nodes of graphs.

    A tensor whose bytes stay in the model's file is as one that holds them.
    """
    kept = store.kept_bytes(message) if isinstance(message, TensorProto) else None
    apart = _OF_BYTES if kept is not None else _OF_BYTES[:1]
    for field, value in message.ListFields():
        if isinstance(message, TensorProto) and field.name in apart:
            continue
        entries = [value] if isinstance(value, str | bytes | int | float | Message) else list(value)
        yield f"{field.name} {len(entries)}".encode()
        if isinstance(message, GraphProto) and field.name == "node":
            continue
        if field.message_type is None:
            yield repr(entries).encode()
            continue
        for entry in entries:
            if isinstance(entry, AttributeProto | GraphProto | TensorProto | SparseTensorProto):
                yield from _parts(entry, store)
            else:
                yield _bytes(entry)
    if isinstance(message, TensorProto):
        yield message.raw_data if kept is None else kept.data


def _bytes(message: Any) -> bytes:
    found: bytes = message.SerializeToString(deterministic=True)
    return found
