"""Calculations of the core: those that are joined, and those alone, give what NumPy gives for one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from wherry import _core, ops, reference
from wherry.engine.planner import make_plan
from wherry.graph import Graph, GraphBuilder
from wherry.moves.calculate import FUNCTIONS, can_calculate, joined
from wherry.tensors import TensorType

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = [*INTEGERS, "float32", "float64", "bool"]
RELATIONS = ["equal", "not_equal", "less", "less_or_equal", "greater", "greater_or_equal"]
OPERATORS: dict[str, Any] = {
    **{name: ops.Binary(name) for name in ("add", "subtract", "multiply", "and", "or", "xor")},
    **{name: ops.Unary(name) for name in ("negative", "absolute", "sign", "not")},
    **{name: ops.Compare(name) for name in RELATIONS},
    **{name: ops.Extreme(name) for name in ("minimum", "maximum")},
    "divide": ops.Divide(),
}
BOUNDS: list[tuple[float | None, float | None]] = [
    (0.0, 6.0), (-0.0, None), (None, 2.5), (3.0, 1.0), (None, None), (-np.inf, 0.0)
]  # fmt: skip
CLIPS = [ops.Clip(*bounds, crossed=crossed) for bounds in BOUNDS for crossed in ("greatest", "least")]
SPECIAL = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, 1e-310, 3e38]  # of NaN any may come out


def values(rng: np.random.Generator, sizes: tuple[int, ...], dtype: str) -> np.ndarray:
    if dtype == "bool":
        return np.asarray(rng.random(sizes) < 0.5)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        some = rng.integers(limits.min, limits.max, sizes, np.dtype(dtype), endpoint=True)
        return np.where(rng.random(sizes) < 0.4, rng.integers(0, 3, sizes).astype(dtype), some)
    with np.errstate(over="ignore"):
        special = rng.choice(np.array(SPECIAL), sizes).astype(dtype)
    return np.where(rng.random(sizes) < 0.5, special, rng.standard_normal(sizes).astype(dtype))


def check(graph: Graph, inputs: dict[str, np.ndarray]) -> str:
    """Compare the program of a plan with its moves, one by one; return how it is described."""
    plan = make_plan(graph, inputs)
    assert plan.program is not None
    found, expected = plan.program.run(inputs), plan.run_moves(inputs)
    assert found is not None
    for name, array in expected.items():
        if array.dtype.kind == "f":
            assert np.array_equal(np.isnan(found[name]), np.isnan(array))
            found[name][np.isnan(array)] = array[np.isnan(array)] = 0
        assert_same_bits(found[name], array)
    return str(plan)


@pytest.mark.parametrize("count", [1, 7, 64, 700])
@pytest.mark.parametrize("name", OPERATORS)
def test_every_function_of_every_type(name: str, count: int) -> None:
    rng, seen = np.random.default_rng(count), 0
    for dtype in DTYPES:
        operator = OPERATORS[name]
        row = TensorType(np.dtype(dtype), ()).row
        if row is None or row.kind not in operator.kinds or not can_calculate(name, np.dtype(dtype)):
            continue
        unary = isinstance(operator, ops.Unary)
        builder = GraphBuilder("one")
        inputs = {n: values(rng, (count,), dtype) for n in ("a" if unary else "ab")}
        for n, array in inputs.items():
            builder.add_input(n, TensorType.of(array))
        builder.add(operator, list(inputs), ["out"], name)
        check(builder.build(["out"]), inputs)
        seen += 1
    assert seen >= (2 if name == "divide" else 6)


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64"])
@pytest.mark.parametrize("clip", CLIPS)
def test_numbers_within_bounds(clip: ops.Clip, dtype: str) -> None:
    inputs = {"a": values(np.random.default_rng(1), (300,), dtype)}
    if dtype.startswith("float"):
        inputs["a"][:3] = [np.nan, -0.0, 0.0]
    builder = GraphBuilder("clip")
    builder.add_input("a", TensorType.of(inputs["a"]))
    builder.add(clip, ["a"], ["out"], "Clip")
    graph = builder.build(["out"])
    check(graph, inputs)
    assert_same_bits(make_plan(graph, inputs).run(inputs)["out"], reference.run_graph(graph, inputs)["out"])


@st.composite
def chains(draw: st.DrawFn) -> tuple[Graph, dict[str, np.ndarray]]:
    """Graphs of calculations whose inputs have any strides, and repeat along some axes; some results are outputs."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 5, 40, 600]), max_size=3).filter(lambda s: np.prod(s) < 5e4)))
    dtype = draw(st.sampled_from(DTYPES))
    builder, inputs, known = GraphBuilder("chain"), {}, {}
    for n in range(draw(st.integers(1, 4))):
        own = tuple(1 if draw(st.integers(0, 4)) == 0 else size for size in sizes)[draw(st.integers(0, len(sizes))) :]
        array = values(rng, (*own[:-1], 2 * own[-1])[: len(own)] if own else (), dtype)
        steps = tuple(slice(None, None, draw(st.sampled_from([1, -1]))) for _ in own)
        array = array[(*steps[:-1], slice(None, None, draw(st.sampled_from([2, -2]))))] if own else array
        inputs[f"x{n}"] = array
        known[f"x{n}"] = TensorType.of(array)
        builder.add_input(f"x{n}", known[f"x{n}"])
    for n in range(draw(st.integers(1, 24))):
        named = sorted(known)
        first = named[-1] if draw(st.booleans()) else draw(st.sampled_from(named))
        kind = known[first]
        assert kind.row is not None
        able = [name for name, operator in OPERATORS.items()
                if kind.row.kind in operator.kinds and can_calculate(name, kind.numpy)]  # fmt: skip
        operator = OPERATORS[draw(st.sampled_from(able))]
        others = [name for name in named if known[name].dtype == kind.dtype]
        if kind.row.kind != "bool" and draw(st.integers(0, 5)) == 0:
            operator = draw(st.sampled_from(CLIPS))
        if draw(st.integers(0, 4)) == 0:
            operator = ops.Cast(draw(st.sampled_from(DTYPES)))
        has_one = isinstance(operator, (ops.Unary, ops.Clip, ops.Cast))
        read = [first] if has_one else [first, draw(st.sampled_from(others))]
        try:
            made = operator.infer([known[name] for name in read])[0]
        except ValueError:  # sizes that do not fit
            continue
        builder.add(operator, read, [f"y{n:02}"], f"Node {n}")
        known[f"y{n:02}"] = made
    results = [name for name in known if name.startswith("y")]
    if not results:
        builder.add(ops.Identity(), ["x0"], ["y00"], "Identity")
        results = ["y00"]
    chosen = draw(st.sets(st.sampled_from(results), min_size=1))
    return builder.build(sorted(chosen | {results[-1]})), inputs


@given(chains())
def test_joined_calculations_are_those_of_one_after_the_other(case: tuple[Graph, dict[str, np.ndarray]]) -> None:
    check(*case)


def test_results_between_are_held_nowhere() -> None:
    builder = GraphBuilder("sum")
    for name in "ab":
        builder.add_input(name, TensorType("float32", (3, 4000)))
    builder.add(ops.Binary("add"), ["a", "b"], ["s"], "Add")
    builder.add(ops.Unary("absolute"), ["s"], ["t"], "Abs")
    builder.add(ops.Binary("multiply"), ["t", "s"], ["u"], "Mul")
    graph = builder.build(["u"])
    inputs = {name: values(np.random.default_rng(3), (3, 4000), "float32") for name in "ab"}
    check(graph, inputs)
    inputs["b"] = inputs["b"][:1].T[::-1].T
    inputs = {"a": inputs["a"][:, ::-1], "b": np.broadcast_to(inputs["b"], (3, 4000))}
    check(graph, inputs)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
@pytest.mark.parametrize("strides", [1, -2])
def test_casts_are_joined_with_what_is_calculated(dtype: str, strides: int) -> None:
    """Numbers beyond the range and NaN are cast as by a Cast alone, and what lies between is written nowhere."""
    source = values(np.random.default_rng(4), (3, 1400), "float64")[:, ::strides]
    source[0, :3] = [np.nan, np.inf, -1e300]
    with np.errstate(all="ignore"):
        given = {"a": source.astype(dtype), "b": values(np.random.default_rng(5), source.shape, "int32")}
    builder = GraphBuilder("casts")
    for name, array in given.items():
        builder.add_input(name, TensorType.of(array))
    builder.add(ops.Cast("int32"), ["a"], ["whole"], "Cast")
    builder.add(ops.Binary("add"), ["whole", "b"], ["sum"], "Add")
    builder.add(ops.Cast("float32"), ["sum"], ["float"], "Cast")
    builder.add(ops.Binary("multiply"), ["float", "float"], ["square"], "Mul")
    builder.add(ops.Cast("uint32"), ["sum"], ["bits"], "Cast")
    graph = builder.build(["square", "bits"])
    check(graph, given)
    moves = list(joined(make_plan(graph, given).moves, make_plan(graph, given).temporaries))
    assert len(moves) == (2 if dtype == "int32" else 1)  # a Cast to the same type is a copy
    assert {"temporary sum", "temporary float"} <= moves[-1][1]


X, Y = ("x", np.dtype("f4"), [4], [4], 0, 16), ("y", np.dtype("f4"), [4], [4], 0, 16)
IN, OUT = (0, 0, [4], [4]), (1, 0, [4], [4])
ADD, FLOAT, CONVERT = 0, 10, len(FUNCTIONS)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (("calculate", 0), "count of functions"),
        (("calculate", 1, ADD, FLOAT), "too few parts"),
        (("calculate", 1, ADD, FLOAT, None, 0, IN, 0, IN, 0), "must write to a tensor"),
        (("calculate", 1, CONVERT + 1, FLOAT, OUT, 0, IN, 0, IN, 0), "no such function"),
        (("calculate", 1, CONVERT, FLOAT, OUT, 0, IN, 0, FLOAT, 0), "no such conversion"),
        (("calculate", 1, CONVERT, FLOAT, OUT, 0, IN, 0, 2, 2), "must be 0 or 1"),
        (("calculate", 1, CONVERT, FLOAT, OUT, 0, IN, 0, 99, 0), "element must be"),
        (("calculate", 1, CONVERT, FLOAT, None, 0, IN, 0, 2, 0), "must write to a tensor"),
        (("calculate", 1, -1, FLOAT, OUT, 0, IN, 0, IN, 0), "no such function"),
        (("calculate", 1, ADD, 8, OUT, 0, IN, 0, IN, 0), "no such calculation"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, None, 0, IN, 0), "before it is written"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, None, 8, IN, 0), "no such slot"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, IN, 0, (0, 0, [3], [4]), 0), "differ in sizes"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, IN, 0, (0, 0, [4, 1], [4, 4]), 0), "differ in rank"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, IN, 0, (0, 4, [4], [4]), 0), "leaves its buffer"),
        (("calculate", 2, ADD, FLOAT, None, 9, IN, 0, IN, 0, ADD, FLOAT, OUT, 0, IN, 0, IN, 0), "no such slot"),
        (("calculate", 2, 9, FLOAT, None, 1, IN, 0, IN, 0, ADD, FLOAT, OUT, 0, IN, 0, None, 1), "another width"),
        (("calculate", 3, *(ADD, FLOAT, OUT, 0, IN, 0, IN, 0) * 3), "too many tensors"),
        (("calculate", 1, ADD, FLOAT, OUT, 0, IN, 0, b"ab", -1), "value has another width"),
        (
            ("calculate", 5, *(ADD, FLOAT, None, 0, b"abcd", -1, b"abcd", -1) * 4, ADD, FLOAT, OUT, 0, IN, 0, IN, 0),
            "too many values",
        ),
        (("calculate", 1, ADD, FLOAT, OUT, 0, None, -1, IN, 0), "must be a NumPy array"),
    ],
)
def test_a_step_that_cannot_run_is_refused(step: tuple[Any, ...], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        _core.Program([X], [Y], [], [], [step])
