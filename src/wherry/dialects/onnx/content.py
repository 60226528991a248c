"""What tells two nodes apart: a digest of all that they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from google.protobuf.message import Message  # type: ignore[import-untyped]
from onnx import AttributeProto, GraphProto, NodeProto


@dataclass(frozen=True)
class Content:
    """The digest of a node, and the contents of the nodes of each graph that it holds, in order."""

    digest: str
    graphs: tuple[tuple[Content, ...], ...] = ()


def content_of(node: NodeProto) -> Content:
    """Return the content of a node; each byte is read once, however deep the graph lies that holds it."""
    if not any(map(graphs_of, node.attribute)):
        return Content(hashlib.sha256(_bytes(node)).hexdigest())
    graphs = [
        [content_of(inner) for inner in graph.node] for attribute in node.attribute for graph in graphs_of(attribute)
    ]
    digests = chain.from_iterable(graphs)
    return Content(_digest(_parts(node), [inner.digest for inner in digests]), tuple(map(tuple, graphs)))


def graphs_of(attribute: AttributeProto) -> Sequence[GraphProto]:
    """Return the graphs that an attribute holds."""
    return [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs


def _digest(parts: Iterator[bytes], inner: Sequence[str]) -> str:
    found = hashlib.sha256()
    for part in chain(parts, (digest.encode() for digest in inner)):
        found.update(len(part).to_bytes(8))
        found.update(part)
    return found.hexdigest()


def _parts(message: Any) -> Iterator[bytes]:
    """Yield what a message holds, field by field, but for the nodes of graphs."""
    for field, value in message.ListFields():
        entries = [value] if isinstance(value, str | bytes | int | float | Message) else list(value)
        yield f"{field.name} {len(entries)}".encode()
        if isinstance(message, GraphProto) and field.name == "node":
            continue
        if field.message_type is None:
            yield repr(entries).encode()
            continue
        for entry in entries:
            if isinstance(entry, AttributeProto | GraphProto):
                yield from _parts(entry)
            else:
                yield _bytes(entry)


def _bytes(message: Any) -> bytes:
    found: bytes = message.SerializeToString(deterministic=True)
    return found
