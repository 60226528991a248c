"""Observe: runs a model on given inputs, and keeps the values that reach its nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_entries, as_mapping
from wherry.arrays.anywhere import as_array
from wherry.errors import IndexOutOfRangeError, InvalidValueError, short
from wherry.graph import Node, Opaque
from wherry.limits import check_bytes
from wherry.models.model import GraphModel, Model
from wherry.rewrite.known import KnownNode
from wherry.runtimes.properties.places import ascending

Array = NDArray[Any]


def observed(model: Model, inputs: Any) -> dict[str, Array]:
    """Return the tensors of the model's own graph that nodes which move data read, where it is run on these inputs.

    Of a model that refuses an index they are those up to that node. Raises InvalidValueError for a model of dispatches,
    ResourceLimitError for tensors that do not fit into the limits, and what a run raises but for indices.
    """
    if not isinstance(model, GraphModel):
        raise InvalidValueError("inputs are given, allowed none for a model of dispatches, which brings its own")
    if isinstance(inputs, Mapping):
        given = as_mapping("inputs", inputs)
    else:
        allowed = "a mapping by name, or a sequence of arrays"
        given = dict(zip(model.inputs, as_entries("inputs", inputs, allowed), strict=False))
    unknown = [name for name in given if name not in model.inputs]
    if unknown:
        raise InvalidValueError(f"inputs has {short(unknown[0])}, allowed {', '.join(model.inputs) or 'none'}")
    given = {name: as_array(value, f"input {short(name)}") for name, value in given.items()}
    nodes = model.graph.nodes
    try:
        found = _run(model, nodes, len(nodes), given)
    except IndexOutOfRangeError as error:
        subjects = [node.subject for node in nodes]
        if error.subject not in subjects:
            raise
        end = subjects.index(error.subject)
        found = _run(model, nodes[:end], end + 1, given)
    check_bytes(sum(array.nbytes for array in found.values()), "the tensors that reach its nodes")
    return {**model.defaults, **given, **found}


def _run(model: GraphModel, nodes: Sequence[Node], end: int, inputs: Any) -> dict[str, Array]:
    """Return the outputs of the nodes on which nodes that move data depend."""
    graph = model.graph
    made = {name for node in nodes for name in node.outputs}
    reads = [name for node in graph.nodes[:end] if not isinstance(node.operator, Opaque) for name in node.inputs]
    wanted = tuple(dict.fromkeys(name for name in reads if name in made))
    return model.over(replace(graph, nodes=tuple(nodes), outputs=wanted)).run(inputs) if wanted else {}


def reached(node: Node, known: KnownNode, place: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the indices that reached a node: their range, and those outside their axis with the first position."""
    indices, sizes = known.indices_value, known.positions()
    if indices is None or sizes is None or not indices.size:
        return
    flat = indices.reshape(-1, sizes.size)
    outside = np.any((flat < -sizes) | (flat >= sizes), axis=1)
    front = np.where(flat < 0, flat + sizes, flat)
    first = np.unravel_index(int(np.argmax(outside)) * sizes.size, indices.shape) if outside.any() else ()
    yield {
        "node": node.label,
        "place": list(place),
        "indices": len(flat),
        "least": int(indices.min()),
        "most": int(indices.max()),
        "outside": int(outside.sum()),
        "first_outside": [int(one) for one in first],
        "negative": int((flat < 0).any(axis=1).sum()),
        "duplicates": len(front) - _distinct(front),
    }


def _distinct(rows: Array) -> int:
    """Return how many rows of integers differ, by way of numbers where those hold them."""
    least = rows.min(axis=0)
    spans = [int(most) - int(below) + 1 for below, most in zip(least, rows.max(axis=0), strict=True)]
    if math.prod(spans) > 2**62:
        return len(np.unique(rows, axis=0))
    numbers = ascending((rows - least).astype(np.int64), spans)
    return 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
