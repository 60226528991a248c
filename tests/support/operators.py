"""Running one operator in every way there is, beside its formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import sizes, strided
from wherry import reference
from wherry.engine.call import apply
from wherry.engine.plan import Plan
from wherry.engine.planner import make_plan
from wherry.graph import GraphBuilder
from wherry.ops import Concat, Identity, Operator
from wherry.tensors import TensorType


def mostly_full(max_ndim: int, max_size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Return sizes of which few are 0: an empty tensor hides what its operator does."""
    full = st.lists(st.integers(1, max_size), max_size=max_ndim).map(tuple)
    return st.integers(0, 5).flatmap(lambda pick: sizes(max_ndim, max_size) if pick == 0 else full)


def assert_agrees(operator: Operator, inputs: Sequence[np.ndarray], draw: st.DataObject | None = None) -> np.ndarray:
    """Compare the formula with the moves into packed memory, into odd strides, and into a part of a Concat."""
    (expected,) = reference.run(operator, inputs)
    (moved,) = apply(operator, inputs, "test")
    assert_same_bits(moved, expected)
    assert not any(np.shares_memory(moved, array) for array in inputs)
    rubbish = unlike(expected)
    outs = [rubbish] if draw is None else [rubbish, draw.draw(strided(unlike(expected)))]
    for out in outs:
        apply(operator, inputs, "test", out)
        assert_same_bits(out.copy(), expected)
    if expected.ndim:
        plan = planned([operator], inputs, join=expected.ndim - 1)
        written = {move.target.buffer for move in plan.moves}
        assert not written & {view.buffer for view in plan.inputs.values()}
        twice = plan.run({f"x{number}": array for number, array in enumerate(inputs)})["y"]
        assert_same_bits(twice, np.concatenate([expected, expected], expected.ndim - 1, dtype=expected.dtype))
    return expected


def unlike(expected: np.ndarray) -> np.ndarray:
    """Return an array that differs from `expected` everywhere, so that a position nobody writes is always seen."""
    if expected.dtype.hasobject:
        return np.full(expected.shape, "nobody wrote this", object)
    if expected.dtype == bool:
        return np.array(~expected)
    flipped = ~np.frombuffer(expected.tobytes(), np.uint8)
    return flipped.view(expected.dtype).reshape(expected.shape)


def planned(operators: Sequence[Operator], inputs: Sequence[np.ndarray], join: int | None = None) -> Plan:
    """Return the plan of a chain of operators; with `join`, of its result beside a copy of it along that axis."""
    builder = GraphBuilder("chain")
    names = [f"x{number}" for number in range(len(inputs))]
    for name, array in zip(names, inputs, strict=True):
        builder.add_input(name, TensorType.of(array))
    current = names
    for number, operator in enumerate(operators):
        builder.add(operator, current, [f"t{number}"], type(operator).__name__)
        current = [f"t{number}"]
    if join is None:
        builder.add(Identity(), current, ["y"], "Identity")
    else:
        builder.add(operators[-1], names, ["again"], "again")
        builder.add(Concat(join), [*current, "again"], ["y"], "Concat")
    return make_plan(builder.build(["y"]), dict(zip(names, inputs, strict=True)))


def infer(operator: Operator, *sizes: Sequence[int | str | None] | None, dtype: str = "float32") -> object:
    """Return the sizes that an operator infers from sizes."""
    (kind,) = operator.infer([TensorType(dtype, each) for each in sizes])
    return kind.sizes
