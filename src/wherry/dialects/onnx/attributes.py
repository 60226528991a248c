"""Attributes of ONNX nodes: from AttributeProto to values, each of the kind that the row says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from onnx import AttributeProto, NodeProto, TensorProto

from wherry.dialects.onnx.row import Kind, OnnxRow
from wherry.dialects.onnx.tensor_data import Store, decode, decode_sparse
from wherry.errors import FileFormatError

_READ: dict[Kind, Callable[[AttributeProto], Any]] = {
    Kind.INT: lambda attribute: attribute.i,
    Kind.INTS: lambda attribute: tuple(attribute.ints),
    Kind.FLOAT: lambda attribute: attribute.f,
    Kind.FLOATS: lambda attribute: tuple(attribute.floats),
    Kind.STRING: lambda attribute: attribute.s.decode("utf-8"),
    Kind.STRINGS: lambda attribute: [entry.decode("utf-8") for entry in attribute.strings],
}


def attributes_of(node: NodeProto, row: OnnxRow, store: Store) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of a node with their values. Raises FileFormatError for one of another kind, or repeated."""
    kinds = {attribute.name: attribute.kind for attribute in row.attributes}
    seen: set[str] = set()
    for attribute in node.attribute:
        name = attribute.name
        if name in seen:
            raise FileFormatError(f"attribute {name!r} is given twice")
        seen.add(name)
        if attribute.ref_attr_name:
            raise FileFormatError(
                f"attribute {name!r} refers to {attribute.ref_attr_name!r} of a function, outside one"
            )
        kind = kinds.get(name)
        if kind is None:
            yield name, attribute  # bind refuses it by name
            continue
        if attribute.type != AttributeProto.AttributeType.Value(kind):
            given = AttributeProto.AttributeType.Name(attribute.type)
            raise FileFormatError(f"attribute {name!r} is of kind {given}, allowed {kind}")
        yield name, _attribute_value(attribute, kind, store)


def _attribute_value(attribute: AttributeProto, kind: Kind, store: Store) -> Any:
    where = f"attribute {attribute.name!r}"
    if kind is Kind.TENSOR:
        tensor: TensorProto = attribute.t
        return decode(tensor, where, store)
    if kind is Kind.SPARSE_TENSOR:
        return decode_sparse(attribute.sparse_tensor, where, store)
    try:
        return _READ[kind](attribute)
    except UnicodeDecodeError:
        raise FileFormatError(f"{where} has a string that is not UTF-8") from None
