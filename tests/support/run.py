"""Running one operator three ways: now, as a plan into strided memory, and by its formula; all must agree."""

from __future__ import annotations

import numpy as np

from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.engine.call import apply
from wherry.engine.planner import make_plan
from wherry.graph import GraphBuilder
from wherry.layout import Layout
from wherry.ops import Operator
from wherry.tensors import TensorType


def agreed(operator: Operator, *inputs: object, subject: str = "test") -> list[np.ndarray]:
    """Return the outputs of an operator, after checking that its moves, its plan and its formula give the same bits."""
    arrays = [np.asarray(value) for value in inputs]
    expected = reference.run(operator, arrays)
    moved = apply(operator, arrays, subject)
    planned = _planned(operator, arrays)
    for result, plan, formula in zip(moved, planned, expected, strict=True):
        assert_same_bits(result, formula)
        assert_same_bits(plan, formula)
    return list(moved)


def one(operator: Operator, *inputs: object) -> np.ndarray:
    """Return the only output of an operator that the three ways agree on."""
    (result,) = agreed(operator, *inputs)
    return result


def _planned(operator: Operator, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The outputs of a plan that writes them into memory with gaps."""
    builder = GraphBuilder()
    names = [f"x{number}" for number in range(len(arrays))]
    for name, array in zip(names, arrays, strict=True):
        builder.add_input(name, TensorType.of(array))
    kinds = operator.infer([TensorType.of(array) for array in arrays])
    results = [f"y{number}" for number in range(len(kinds))]
    builder.add(operator, names, results, "test")
    inputs = dict(zip(names, arrays, strict=True))
    outputs = {name: _with_gaps(kind) for name, kind in zip(results, kinds, strict=True)}
    plan = make_plan(builder.build(results), inputs, outputs={name: Layout.of(a) for name, a in outputs.items()})
    plan.run(inputs, outputs)
    return [outputs[name].copy() for name in results]


def _with_gaps(kind: TensorType) -> np.ndarray:
    memory = np.zeros([2 * size for size in kind.shape], kind.numpy)
    return memory[(..., *(slice(None, None, 2),) * memory.ndim)]
