"""What the core computes one element after another gives what NumPy gives: running sums, windows, walks; and truth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.support.compare import assert_same_bits
from wherry import _core, ops
from wherry.engine.plan import Plan
from wherry.engine.planner import make_plan
from wherry.errors import IndexOutOfRangeError, InvalidValueError
from wherry.graph import GraphBuilder
from wherry.ops.elementwise import BinaryFunction, UnaryFunction
from wherry.tensors import TensorType

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
RNG = np.random.default_rng(5)


def bits(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    width = np.dtype(dtype).itemsize
    return np.frombuffer(RNG.bytes(int(np.prod(shape)) * width), dtype).reshape(shape)


def plan_of(operator: Any, inputs: Sequence[np.ndarray]) -> Plan:
    """The plan of one operator on inputs in0, in1 .. with the output out0."""
    given = {f"in{number}": array for number, array in enumerate(inputs)}
    builder = GraphBuilder()
    for name, array in given.items():
        builder.add_input(name, TensorType.of(array))
    builder.add(operator, list(given), ["out0"], "test")
    return make_plan(builder.build(["out0"]), given)


def assert_as_numpy(operator: Any, *inputs: np.ndarray) -> None:
    """Both ways of the plan give the same bits, and the core has one."""
    given = {f"in{number}": array for number, array in enumerate(inputs)}
    plan = plan_of(operator, inputs)
    assert plan.program is not None
    found = plan.program.run(given)
    assert found is not None
    assert_same_bits(found["out0"], plan.run_moves(given)["out0"])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_running_sums_of_any_strides(dtype: str) -> None:
    data = bits((3, 4, 5), dtype)
    views = [data, data[::-1, :, ::2], data.T, np.broadcast_to(data[:, :1], (3, 4, 5)), data[:, :0], data[:, :1]]
    rules = product(ops.AccumulateFunction, range(3), (False, True), (False, True))
    for (function, axis, exclusive, reverse), view in product(rules, views):
        assert_as_numpy(ops.Accumulate(function, axis, exclusive, reverse), view)


def test_many_elements_are_numpys_unless_they_lie_side_by_side() -> None:
    data = bits((200, 100), "int32")
    assert plan_of(ops.Accumulate("sum", 0), [data]).program is None
    assert_as_numpy(ops.Accumulate("sum", 1), data)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_truth_of_integers(dtype: str) -> None:
    pairs = np.array(list(product([0, 1, 2, np.iinfo(dtype).max, np.iinfo(dtype).min], repeat=2)), dtype)
    a, b = np.repeat(pairs[:, 0], 7), np.repeat(pairs[:, 1], 7)
    for function in (BinaryFunction.LOGICAL_AND, BinaryFunction.LOGICAL_OR, BinaryFunction.LOGICAL_XOR):
        assert_as_numpy(ops.Binary(function), a, b)
        assert_as_numpy(ops.Binary(function), pairs[:, :1], pairs[:, 1])
    assert_as_numpy(ops.Unary(UnaryFunction.LOGICAL_NOT), a[::-2])


@pytest.mark.parametrize("index", ["int8", "uint16", "int64", "uint64"])
@pytest.mark.parametrize("dtype", ["u1", "f8", "V3"])
def test_windows_that_go_round_an_axis(dtype: str, index: str) -> None:
    window = {"window": "circular", "negative": "invalid"}
    last = min(np.iinfo(index).max, 2**62)
    for axis, count in product((1, 2), range(6)):
        data = bits((4, 5, 5, 2), dtype)
        sizes = [4, 5, 5, 2]
        sizes[axis] = count
        updates = bits((*sizes[:-1], 4), dtype)[..., ::2]
        starts = np.array([0, 4, 7, last], index)
        assert_as_numpy(ops.ScatterUpdate(axis=axis, batch_dims=1, **window), data, starts, updates)
        assert_as_numpy(ops.ScatterUpdate(axis=axis, batch_dims=1, **window), data[::-1], starts[::-1], updates[::-1])


def test_a_window_of_references() -> None:
    data, updates = np.array([["a", "b", "c"]], object), np.array([["d", "e"]], object)
    operator = ops.ScatterUpdate(axis=1, batch_dims=1, window="circular", negative="invalid")
    plan = plan_of(operator, [data, np.array([2]), updates])
    made = plan.run({"in0": data, "in1": np.array([2]), "in2": updates})["out0"]
    assert made.tolist() == [["e", "b", "d"]]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float16", "float32", "float64", ml_dtypes.bfloat16])
def test_walks(dtype: Any) -> None:
    for steps, batch, beams in [(6, 3, 4), (0, 2, 2), (1, 1, 1), (130, 2, 3), (3, 0, 2)]:
        ids = RNG.integers(0, 9, (steps, batch, beams)).astype(dtype)
        parents = RNG.integers(0, beams, (steps, batch, beams)).astype(dtype)
        lengths = RNG.integers(0, min(steps + 3, 127), batch).astype(dtype)
        end = np.array(3).astype(dtype)
        assert_as_numpy(ops.GatherTree(), ids, parents, lengths, end)
        assert_as_numpy(ops.GatherTree(), ids[::-1], parents[:, ::-1], lengths[::-1], end)


def test_numbers_at_the_edges_of_what_a_walk_takes() -> None:
    ids = np.array([[[0.0, np.nan]], [[-0.0, 1.5]], [[2.0, 5.0]]])
    parents = np.array([[[9.0, 9.0]], [[-0.9, 1.9]], [[1.1, 0.0]]])
    for length, end in product([-np.inf, -1.0, 0.5, 2.9, np.inf], [np.nan, 0.0, -0.0, 5.0]):
        assert_as_numpy(ops.GatherTree(), ids, parents, np.array([length]), np.array(end))


def test_what_a_walk_refuses_is_worded() -> None:
    ids = np.zeros((2, 1, 2))
    given = {"in0": ids, "in1": np.array([[[0.0, 0.0]], [[0.0, 2.0]]]), "in2": np.array([2.0]), "in3": np.array(1.0)}
    plan, out = plan_of(ops.GatherTree(), list(given.values())), np.full((2, 1, 2), 7.0)
    with pytest.raises(IndexOutOfRangeError, match=r"parent_idx is 2.0 on the walk of batch 0, beam 1, allowed 0..1"):
        plan.run(given, {"out0": out})
    with pytest.raises(InvalidValueError, match="max_seq_len is NaN"):
        plan.run(given | {"in2": np.array([np.nan])}, {"out0": out})
    assert (out == 7).all()


@pytest.mark.parametrize(
    ("src", "sizes"), [((3,), (2, 3)), ((1, 3), (2, 3)), ((), (2, 0)), ((2, 1), (4, 2, 3)), ((0,), (2, 0))]
)
def test_an_array_in_other_sizes(src: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    array = bits(src, "f4")[..., :: -1 if src else None] if src else np.array(3.0)
    found = _core.broadcast(array, sizes)
    assert found is not None
    assert_same_bits(found, np.broadcast_to(array, sizes))


@pytest.mark.parametrize("sizes", [(3,), (2, 2), (1, 3), (3, 2), (2, -3), (1,) * 65])
def test_sizes_that_an_array_cannot_take(sizes: tuple[int, ...]) -> None:
    assert _core.broadcast(np.zeros((2, 3)), sizes) is None
