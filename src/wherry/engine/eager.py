"""Eager runs: a graph node by node on arrays, without a plan; for small data whose sizes change at every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from wherry import _core, dtypes
from wherry.dtypes import UNKNOWN
from wherry.engine.plan import Array
from wherry.engine.planner import KEPT_BYTES
from wherry.engine.shortcut import MOST_BYTES
from wherry.engine.shortcuts import shortcut_of
from wherry.graph import Graph
from wherry.limits import LEAST_VALUES
from wherry.tensors import TensorType


def eager_run(
    graph: Graph, defaults: Mapping[str, Array] | None = None, *, runs: int = 0, most_waits: int = 0, seen: int = 1
) -> _core.EagerRun | None:
    """Return the eager run of a graph, or None where its elements are no plain bytes of one known type.

    It gives up for whatever is refused, for arrays that are to be converted first, and where much would be moved. So it
    needs no words, and no limits: what it makes is within the least that planning allows.

    Sizes and values that came more than `runs` times, told apart as far as `seen` places go, are left to a plan; and
    so are up to `most_waits` runs after it gave up again and again. `defaults` are inputs that may be left out.
    """
    if graph.opaque or not all(map(is_plain, graph.types.values())):
        return None
    names = [*graph.constants, *graph.inputs, *(name for node in graph.nodes for name in node.outputs)]
    number = {name: place for place, name in enumerate(names)}
    inputs = [(*_described(name, kind), name in graph.value_tensors) for name, kind in graph.inputs.items()]
    made: set[str] = set()
    steps = []
    for node in graph.nodes:
        call, makes = shortcut_of(node, graph.types)
        if makes:
            made.update(node.outputs)
        decides = any(name in graph.value_tensors for name in node.outputs)
        steps.append((call, [number[n] for n in node.inputs], [number[n] for n in node.outputs], makes, decides))
    counts = Counter(graph.outputs)
    outputs = [(name, number[name], name in made and counts[name] == 1) for name in graph.outputs]
    constants: list[Array] = [np.asarray(value) for value in graph.constants.values()]
    declared = _core.Declared(inputs, KEPT_BYTES, dict(defaults or {}))
    return _core.EagerRun(
        declared, constants, len(names), steps, outputs, MOST_BYTES, LEAST_VALUES, runs, most_waits, seen
    )


def _described(name: str, kind: TensorType) -> tuple[Any, ...]:
    sizes = None if kind.sizes is None else [size if isinstance(size, int) else -1 for size in kind.sizes]
    return (name, kind.numpy, sizes)


def is_plain(kind: TensorType) -> bool:
    """Whether NumPy's type tells all of the element type, and elements are a few bytes of memory."""
    if kind.dtype is UNKNOWN or kind.numpy.hasobject or not 0 < kind.numpy.itemsize <= 16:
        return False
    return kind.numpy.isnative and kind.row is dtypes.of(kind.numpy)
