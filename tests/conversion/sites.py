"""One operator with its inputs, as a graph; the material of every test of conversions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from wherry.graph import Deferred, Graph, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Operator
from wherry.tensors import TensorType


@dataclass(frozen=True, eq=False)
class Use:
    """An operator and its inputs; those at the positions `constants` are constants of the graph.

    With `is_open`, the sizes of the others are known only at run.
    """

    operator: Operator | Deferred
    arrays: tuple[np.ndarray, ...]
    constants: frozenset[int] = frozenset()
    is_open: bool = False

    @property
    def given(self) -> dict[str, np.ndarray]:
        return {f"x{n}": array for n, array in enumerate(self.arrays) if n not in self.constants}

    def graph(self) -> Graph:
        builder = GraphBuilder("one")
        names = [f"x{number}" for number in range(len(self.arrays))]
        for number, (name, array) in enumerate(zip(names, self.arrays, strict=True)):
            if number in self.constants:
                builder.add_constant(name, array)
            else:
                kind = TensorType.of(array)
                builder.add_input(name, kind.with_sizes([None] * array.ndim) if self.is_open else kind)
        kinds = self.operator.infer([builder.types[name] for name in names])
        outputs = [f"y{number}" for number in range(len(kinds))]
        builder.add(self.operator, names, outputs, f"test {type(self.operator).__name__}", "node")
        return builder.build(outputs)

    def model(self, dialect: str = "onnx") -> GraphModel:
        return GraphModel(self.graph(), dialect)


def use(operator: Operator | Deferred, *arrays: object, constants: Collection[int] = (), is_open: bool = False) -> Use:
    """Return a use of an operator on arrays, or what NumPy makes of them."""
    return Use(operator, tuple(np.asarray(array) for array in arrays), frozenset(constants), is_open)


def data(*sizes: int, dtype: object = np.float32) -> np.ndarray:
    """Return an array whose elements are all different."""
    count = int(np.prod(sizes))
    if np.dtype(dtype) == object:
        return np.array([f"s{n}" for n in range(count)], object).reshape(sizes)
    if np.dtype(dtype) == bool:
        return (np.arange(count) % 3 == 1).reshape(sizes)
    return np.arange(1, count + 1).astype(dtype).reshape(sizes)
