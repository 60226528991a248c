"""Reductions of few elements by the core give what NumPy gives, and what the formulas give."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.core.test_calculate import DTYPES, values
from tests.support.compare import assert_same_bits
from wherry import _core, ops, reference
from wherry.engine.planner import make_plan
from wherry.graph import Graph, GraphBuilder
from wherry.tensors import TensorType

SIZES = [(), (1,), (7,), (600,), (3, 4), (3, 1, 5), (2, 700), (700, 2), (2, 3, 4), (0, 3), (3, 0)]


def graph_of(operator: Any, array: np.ndarray) -> Graph:
    builder = GraphBuilder("reduce")
    builder.add_input("x", TensorType.of(array))
    builder.add(operator, ["x"], ["out"], "Reduce")
    return builder.build(["out"])


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("function", ["sum", "product", "minimum", "maximum"])
def test_every_axis_of_every_type(function: str, sizes: tuple[int, ...]) -> None:
    rng, compared = np.random.default_rng(5), 0
    for dtype in DTYPES:
        if (dtype in ("float32", "float64", "bool")) and function in ("sum", "product"):
            continue
        array = values(rng, sizes, dtype)
        for view in (array, array.T[::-1].T if array.ndim else array):
            for count in range(len(sizes) + 1):
                for axes in combinations(range(len(sizes)), count):
                    operator = ops.Reduce(function, axes, keep_axes=bool(count % 2), empty_axes="none")
                    graph = graph_of(operator, view)
                    plan = make_plan(graph, {"x": view})
                    assert plan.program is not None
                    found = plan.program.run({"x": view})["out"]
                    assert_same_bits(found, plan.run_moves({"x": view})["out"])
                    assert_same_bits(found, reference.run_graph(graph, {"x": view})["out"])
                    compared += 1
    assert compared >= 16


def test_a_nan_is_the_extreme() -> None:
    array = np.array([1.0, np.nan, -np.inf, 5.0], "f4")
    for function in ("minimum", "maximum"):
        graph = graph_of(ops.Reduce(function), array)
        found = make_plan(graph, {"x": array}).program.run({"x": array})
        assert np.isnan(found["out"]).all()


@pytest.mark.parametrize("count", [1, 5, 63, 64, 130, 1000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zeros_keep_their_signs_and_nan_are_seen_anywhere(dtype: str, count: int) -> None:
    rng = np.random.default_rng(count)
    rows = np.zeros((8, count), dtype)
    rows[0], rows[1] = -0.0, np.where(np.arange(count) == count // 2, -0.0, 0.0)
    rows[2] = np.where(np.arange(count) == count - 1, 0.0, -0.0)
    rows[3], rows[4] = -np.abs(rng.standard_normal(count)), np.abs(rng.standard_normal(count))
    rows[3, count // 3] = rows[4, count // 3] = -0.0
    rows[5], rows[6] = rng.standard_normal(count), rng.standard_normal(count)
    rows[5, -1] = rows[6, 0] = np.nan
    rows[7] = -np.inf
    for function in ("minimum", "maximum"):
        graph = graph_of(ops.Reduce(function, (1,)), rows)
        program = make_plan(graph, {"x": rows}).program
        assert program is not None
        found, expected = program.run({"x": rows})["out"], reference.run_graph(graph, {"x": rows})["out"]
        assert np.isnan(found.reshape(8)).tolist() == [False] * 5 + [True, True, False]
        assert_same_bits(np.where(np.isnan(found), 0, found), np.where(np.isnan(expected), 0, expected))


def test_many_elements() -> None:
    array = np.ones((200, 200), "i8")
    plan = make_plan(graph_of(ops.Reduce("sum"), array), {"x": array})
    assert plan.program is not None
    assert plan.run({"x": array})["out"].item() == 40_000


X, Y = ("x", np.dtype("i4"), [4], [4], 0, 16), ("y", np.dtype("i4"), [1], [4], 0, 4)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (("reduce", (1, 0, [4], [0]), (0, 0, [4], [4]), 1, 2), "no such reduction"),
        (("reduce", (1, 0, [4], [0]), (0, 0, [4], [4]), 0, 8), "no such reduction"),
        (("reduce", (1, 0, [4], [4]), (0, 0, [4], [4]), 0, 2), "leaves its buffer"),
        (("reduce", (1, 0, [4], [0]), (0, 0, [5], [4]), 0, 2), "leaves its buffer"),
        (("reduce", (1, 0, [4], [0]), (0, 0, [3], [4]), 0, 2), "differ in sizes"),
    ],
)
def test_a_step_that_cannot_run_is_refused(step: tuple[Any, ...], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        _core.Program([X], [Y], [], [], [step])
