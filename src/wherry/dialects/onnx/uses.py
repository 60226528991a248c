"""What the nodes of a model mean, found once for nodes that say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from onnx import NodeProto

from wherry.dialects.onnx.attributes import attributes_of
from wherry.dialects.onnx.row import Kind, OnnxRow, arranged, bind, input_names
from wherry.dialects.onnx.tensor_data import Store
from wherry.graph import Deferred
from wherry.ops import Operator
from wherry.tensors import TensorType

_MOST_KEPT = 4096
"""Models of very many nodes repeat a few layers; what else they have is found anew."""

_WHOLE = frozenset({Kind.TENSOR, Kind.SPARSE_TENSOR})


@dataclass
class Meant:
    """What a node means: an operator, or the value of a constant, and which of the node's inputs it reads, in order.

    `made` are the types of what it makes, once they were inferred.
    """

    operator: Operator | Deferred | NDArray[Any]
    reads: tuple[int, ...]
    made: tuple[TensorType, ...] | None = None


class Uses:
    """The meanings of nodes by operator, types of inputs, attributes and number of outputs."""

    def __init__(self) -> None:
        self._known: dict[object, Meant] = {}

    def of(
        self, row: OnnxRow, node: NodeProto, inputs: Sequence[TensorType | None], output_count: int, store: Store
    ) -> Meant:
        """Return what a node means whose inputs have these types. Raises what `attributes_of` and `bind` raise."""
        if any(attribute.kind in _WHOLE for attribute in row.attributes):
            return _meant(row, node, inputs, output_count, store)
        attributes = tuple([attribute.SerializeToString() for attribute in node.attribute])
        key = row.name, row.since, output_count, attributes, *inputs
        found = self._known.get(key)
        if found is None:
            found = _meant(row, node, inputs, output_count, store)
            if len(self._known) < _MOST_KEPT:
                self._known[key] = found
        return found


def _meant(
    row: OnnxRow, node: NodeProto, inputs: Sequence[TensorType | None], output_count: int, store: Store
) -> Meant:
    operator = bind(row, inputs, dict(attributes_of(node, row, store)), output_count)
    names = input_names(row, len(inputs))
    places = {name: place for place, (name, kind) in enumerate(zip(names, inputs, strict=True)) if kind is not None}
    return Meant(operator, tuple(places[name] for name in arranged(row, places)))
