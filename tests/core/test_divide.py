"""Quotients and remainders of integers by the core give what NumPy gives, and refuse what the rules refuse."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.support.compare import assert_same_bits
from wherry import _core, ops
from wherry.engine.planner import make_plan
from wherry.errors import InvalidValueError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.tensors import TensorType

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def model_of(operator: Any, inputs: dict[str, np.ndarray]) -> GraphModel:
    builder = GraphBuilder("division")
    for name, array in inputs.items():
        builder.add_input(name, TensorType.of(array))
    builder.add(operator, list(inputs), ["out"], "Div")
    return GraphModel(builder.build(["out"]), "test")


def operands(dtype: str) -> dict[str, np.ndarray]:
    """Return every number near the ends of the range, and near 0, beside every other."""
    limits = np.iinfo(dtype)
    around = {limits.min, limits.min + 1, limits.max - 1, limits.max, *range(-3 if limits.min else 0, 8)}
    pairs = np.array(list(product(sorted(around), repeat=2)), dtype=dtype)
    return {"a": np.ascontiguousarray(pairs[:, 0]), "b": np.ascontiguousarray(pairs[:, 1])}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("rounding", ["truncate", "floor"])
@pytest.mark.parametrize("operator", [ops.Divide, ops.Remainder])
def test_every_pair_near_the_ends_of_a_type(operator: Any, rounding: str, dtype: str) -> None:
    inputs = operands(dtype)
    fields = {"overflow": "wrap"} if operator is ops.Divide else {}
    plan = make_plan(model_of(operator(rounding=rounding, by_zero="zero", **fields), inputs).graph, inputs)
    assert plan.program is not None
    assert_same_bits(plan.program.run(inputs)["out"], plan.run_moves(inputs)["out"])
    fine = (inputs["b"] != 0) & (inputs["b"].astype("f8") != -1)
    inputs = {name: array[fine] for name, array in inputs.items()}
    plan = make_plan(model_of(operator(rounding=rounding), inputs).graph, inputs)
    assert plan.program is not None
    assert_same_bits(plan.program.run(inputs)["out"], plan.run_moves(inputs)["out"])


@pytest.mark.parametrize("count", [1, 5, 40_000])
def test_operands_of_any_strides(count: int) -> None:
    a = np.arange(-count, 2 * count, dtype="i4").reshape(3, count)[::-1, ::-1]
    b = np.array([[3], [-2], [7]], "i4")
    inputs = {"a": a, "b": b}
    model = model_of(ops.Divide(), inputs)
    for _ in range(2):
        assert_same_bits(model.run(inputs)["out"], np.trunc(a / b).astype("i4"))
    assert model.plan.program is not None


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([1, 2], [3, 0], r"b is 0 at \[1\] of the result"),
        ([1, -128], [3, -1], r"a is -128 and b is -1 at \[1\] of the result"),
    ],
)
def test_what_is_refused_leaves_out_as_it_was(a: list[int], b: list[int], words: str) -> None:
    fine = {"a": np.array([6, 7], "i1"), "b": np.array([3, 2], "i1")}
    wrong = {"a": np.array(a, "i1"), "b": np.array(b, "i1")}
    model = model_of(ops.Divide(), fine)
    out = np.array([5, 5], "i1")
    for _ in range(3):
        assert model.run(fine)["out"].tolist() == [2, 3]
        with pytest.raises(InvalidValueError, match=words):
            model.run(wrong)
        with pytest.raises(InvalidValueError, match=words):
            model.run(wrong, out={"out": out})
        assert out.tolist() == [5, 5]
    assert model.run(fine, out={"out": out})["out"] is out
    assert out.tolist() == [2, 3]


X, Y = ("x", np.dtype("i4"), [4], [4], 0, 16), ("y", np.dtype("i4"), [4], [4], 0, 16)
IN, OUT = (0, 0, [4], [4]), (1, 0, [4], [4])


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (("divide", OUT, IN, IN, 8, 0), "one of the integers"),
        (("divide", OUT, IN, IN, 2, 4), "must be 0..3"),
        (("divide", OUT, IN, (0, 0, [3], [4]), 2, 0), "differ in sizes"),
        (("divide", OUT, IN, IN, 3, 0), "leaves its buffer"),
        (("divisible", IN, IN, 10, 0, 0), "one of the integers"),
        (("divisible", IN, IN, 2, 2, 0), "must be 0 or 1"),
        (("divisible", IN, (0, 4, [4], [4]), 2, 0, 0), "leaves its buffer"),
    ],
)
def test_a_step_that_cannot_run_is_refused(step: tuple[Any, ...], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        _core.Program([X], [Y], [], [], [step])
