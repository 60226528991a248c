"""Eager runs: a graph node by node on arrays, without a plan; for small data whose sizes change at every run."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import Any

import numpy as np
from numpy import ndarray

from wherry import _core, dtypes
from wherry.dtypes import UNKNOWN
from wherry.engine.plan import Array
from wherry.engine.planner import KEPT_BYTES
from wherry.engine.shortcut import MOST_BYTES
from wherry.engine.shortcuts import shortcut_of
from wherry.errors import WherryError
from wherry.graph import Graph
from wherry.limits import LEAST_VALUES
from wherry.tensors import TensorType

_BY_CORE = 2048  # bytes from which on the core copies faster than NumPy


class Eager:
    """Runs a graph on arrays at once, each node by its shortcut; gives up where the planner is to decide.

    It gives up for whatever is refused, for arrays that are to be converted first, and where much would be moved. So it
    needs no words, and no limits: what it makes is within the least that planning allows.
    """

    def __init__(self, graph: Graph) -> None:
        names = [*graph.constants, *graph.inputs, *(name for node in graph.nodes for name in node.outputs)]
        number = {name: place for place, name in enumerate(names)}
        self._constants: list[Any] = [np.asarray(value) for value in graph.constants.values()]
        self._slots = len(names) - len(self._constants)
        inputs = [(*_described(name, kind), name in graph.value_tensors) for name, kind in graph.inputs.items()]
        self._declared = _core.Declared(inputs, KEPT_BYTES)
        made: set[str] = set()
        self._steps: list[tuple[Any, Any, list[int], Any, bool, bool]] = []
        for node in graph.nodes:
            call, makes = shortcut_of(node, graph.types)
            if makes:
                made.update(node.outputs)
            values = any(name in graph.value_tensors for name in node.outputs)
            read, written = [number[name] for name in node.inputs], [number[name] for name in node.outputs]
            pick = itemgetter(*read) if len(read) > 1 else None
            self._steps.append((call, pick, read, written[0] if len(written) == 1 else written, makes, values))
        counts = Counter(graph.outputs)
        self._outputs = [(name, number[name], name in made and counts[name] == 1) for name in graph.outputs]

    @staticmethod
    def of(graph: Graph) -> Eager | None:
        """Return the eager run of a graph, or None where its elements are no plain bytes of one known type."""
        return Eager(graph) if not graph.opaque and all(map(is_plain, graph.types.values())) else None

    def take(self, arrays: object) -> tuple[list[Array], int | None] | None:
        """Return the arrays in order, and a number that tells their sizes and values from others.

        None for arrays that do not fit as they are. No number where values are too many to compare, or scattered.
        """
        return self._declared.take(arrays)

    def run(self, taken: list[Array]) -> dict[str, Array] | None:
        """Run on arrays in order; None where it gives up."""
        try:
            return self._run(taken)
        except (WherryError, ValueError, TypeError, IndexError, ArithmeticError, MemoryError):
            return None  # the planner refuses it too, or knows better

    def _run(self, taken: list[Array]) -> dict[str, Array] | None:
        tensors: list[Any] = [*self._constants, *taken, *([None] * (self._slots - len(taken)))]
        bytes_left, values_left = MOST_BYTES, LEAST_VALUES
        for call, pick, read, written, makes, decides in self._steps:
            made = call(*pick(tensors)) if pick is not None else call(*[tensors[place] for place in read])
            if type(written) is int:
                if type(made) is not ndarray:
                    return None
                tensors[written] = made
                if makes:
                    bytes_left -= made.nbytes
                if decides:
                    values_left -= made.size
            elif type(made) is not tuple or len(made) != len(written):
                return None
            else:
                for place, part in zip(written, made, strict=True):
                    tensors[place] = part
                bytes_left -= sum([part.nbytes for part in made]) if makes else 0
                values_left -= sum([part.size for part in made]) if decides else 0
            if bytes_left < 0 or values_left < 0:
                return None
        results = {}
        for name, place, is_new in self._outputs:
            array = tensors[place]
            if not is_new:
                bytes_left -= array.nbytes
                if bytes_left < 0:
                    return None
                array = _copied(array)
            results[name] = array
        return results


def _described(name: str, kind: TensorType) -> tuple[Any, ...]:
    sizes = None if kind.sizes is None else [size if isinstance(size, int) else -1 for size in kind.sizes]
    return (name, kind.numpy, sizes)


def _copied(array: Array) -> Array:
    """Return a new array in row-major order with the same elements."""
    if array.nbytes < _BY_CORE:
        return array.copy()
    out = np.empty(array.shape, array.dtype)
    _core.copy(array, out)
    return out


def is_plain(kind: TensorType) -> bool:
    """Whether NumPy's type tells all of the element type, and elements are a few bytes of memory."""
    if kind.dtype is UNKNOWN or kind.numpy.hasobject or not 0 < kind.numpy.itemsize <= 16:
        return False
    return kind.numpy.isnative and kind.row is dtypes.of(kind.numpy)
