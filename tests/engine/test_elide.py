"""Forwarding: no temporary is made for what is only copied elsewhere, and results are the same."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, strided
from wherry import reference
from wherry.engine.planner import make_plan
from wherry.graph import Graph, GraphBuilder
from wherry.models.model import GraphModel
from wherry.moves import CheckMove, GatherMove
from wherry.ops import (
    Binary,
    Concat,
    Gather,
    Identity,
    Operator,
    Pad,
    Reshape,
    ScatterUpdate,
    Slice,
    Split,
    Tile,
    Transpose,
)
from wherry.tensors import TensorType

GATHER = Gather(0, out_of_range="zero")
ADD = Binary("add")


@st.composite
def operators(draw: st.DrawFn, sizes: tuple[int, ...]) -> Operator:
    """Return an operator of one input for a tensor of these sizes."""
    axis = draw(st.integers(0, len(sizes) - 1))
    kind = draw(st.sampled_from(["transpose", "slice", "reshape", "pad", "tile", "gather"]))
    if kind == "transpose":
        return Transpose(draw(st.permutations(range(len(sizes)))))
    if kind == "slice":
        step = draw(st.sampled_from([1, 1, 2, 3, -1, -2]))
        ends = sorted(draw(st.tuples(st.integers(0, sizes[axis]), st.integers(0, sizes[axis]))))
        start, end = ends if step > 0 else (ends[1] - 1, ends[0] - 1 - sizes[axis])
        return Slice([start], [end], [axis], [step])
    if kind == "reshape":
        count = int(np.prod(sizes))
        shapes = [(count,), (1, count), *((n, count // n) for n in range(1, count + 1) if count % n == 0)]
        shapes += (
            [(2, *sizes[:axis], sizes[axis] // 2, *sizes[axis + 1 :])] if sizes[axis] % 2 == 0 and axis == 0 else []
        )
        return Reshape(draw(st.sampled_from(shapes)), zero="literal")
    if kind == "pad":
        return Pad([draw(st.integers(0, 2))], [draw(st.integers(0, 2))], axes=[axis])
    if kind == "tile":
        return Tile([2 if each == axis else 1 for each in range(len(sizes))])
    return Gather(axis, out_of_range="zero")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Graph, dict[str, np.ndarray]]:
    """Return a random graph in which most tensors have one reader, with inputs for it."""
    builder = GraphBuilder("random")
    x = draw(strided(distinct((4, 6), np.dtype("int16"))))
    builder.add_input("x", TensorType(x.dtype, (4, 6)))
    builder.add_constant("rows", np.array(draw(st.lists(st.integers(-5, 5), min_size=4, max_size=4))))
    ends = ["x"]
    for number in range(draw(st.integers(2, 7))):
        source, name = draw(st.sampled_from(ends)), f"t{number}"
        sizes = builder.types[source].shape
        if draw(st.integers(0, 4)) == 0:
            others = [end for end in ends if len(builder.types[end].shape) == len(sizes)]
            fitting = [end for end in others if builder.types[end].shape[1:] == sizes[1:]]
            builder.add(Concat(0), [source, draw(st.sampled_from(fitting))], [name], "Concat")
        else:
            operator = draw(operators(sizes)) if 0 not in sizes else Transpose(None)
            reads = [source, "rows"] if isinstance(operator, Gather) else [source]
            builder.add(operator, reads, [name], type(operator).__name__)
        if draw(st.booleans()) and source != "x":
            ends.remove(source)
        ends.append(name)
    return builder.build(ends[-2:]), {"x": x}


@given(graphs())
def test_results_are_those_of_the_reference(case: tuple[Graph, dict[str, np.ndarray]]) -> None:
    graph, inputs = case
    expected = reference.run_graph(graph, inputs)
    results = GraphModel(graph, "test").run(inputs)
    for name in graph.outputs:
        assert_same_bits(results[name], expected[name])


def chain(*operators: Operator, sizes: tuple[int, ...] = (6, 8)) -> Graph:
    """Return the graph of operators one after the other, of which gathers read the input `rows`."""
    builder = GraphBuilder()
    builder.add_input("t0", TensorType("float32", sizes))
    builder.add_input("rows", TensorType("int64", (6,)))
    for number, operator in enumerate(operators):
        reads = [f"t{number}", "rows"] if isinstance(operator, Gather) else [f"t{number}"]
        builder.add(operator, reads, [f"t{number + 1}"], f"node {number}")
    return builder.build([f"t{len(operators)}"])


@pytest.mark.parametrize(
    "behind",
    [
        [Transpose([1, 0])],
        [Slice([1], [5], [0])],
        [Slice([-1], [-99], [1], [-3])],
        [Slice([1], [2], [0]), Reshape([8])],
        [Reshape([6, 2, 4]), Transpose([1, 0, 2])],
        [Reshape([2, 3, 2, 2, 2]), Transpose([4, 2, 0, 3, 1])],
        [Reshape([48])],
        [Reshape([48]), Slice([0], [24], [0])],
        [Transpose([1, 0]), Slice([7], [-99], [0], [-2])],
        [Slice([0], [6], [0], [2]), Transpose([1, 0]), Pad([1], [0], axes=[0])],
    ],
)
def test_a_gather_writes_where_views_of_it_go(behind: list[Operator]) -> None:
    graph = chain(GATHER, *behind)
    inputs = {"t0": np.arange(48, dtype=np.float32).reshape(6, 8), "rows": np.array([5, 3, 0, -1, 1, 9])}
    plan = make_plan(graph, inputs)
    assert not plan.temporaries, plan
    (output,) = plan.run(inputs).values()
    assert plan.bytes_moved == output.nbytes
    assert_same_bits(output, reference.run_graph(graph, inputs)[graph.outputs[0]])


def test_all_indices_are_checked_whatever_is_kept() -> None:
    plan = make_plan(chain(Gather(0), Slice([0], [2], [0])), {"t0": np.zeros((6, 8), "f4"), "rows": np.zeros(6, int)})
    assert [type(move) for move in plan.moves] == [CheckMove, GatherMove]
    with pytest.raises(IndexError, match=r"node 0: indices\[5\] is 6, allowed -6..5"):
        plan.run({"t0": np.zeros((6, 8), "f4"), "rows": np.array([0, 0, 0, 0, 0, 6])})


def test_parts_of_a_temporary_go_each_its_way() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int32", (4, 6)))
    builder.add_constant("rows", np.array([3, 1, 2]))
    builder.add(GATHER, ["x", "rows"], ["g"], "Gather")
    builder.add(Split(1, [1, 5]), ["g"], ["a", "b"], "Split")
    graph = builder.build(["a", "b"])
    x = np.arange(24, dtype=np.int32).reshape(4, 6)
    plan = make_plan(graph, {"x": x})
    assert not plan.temporaries
    assert plan.bytes_moved == 3 * 6 * 4
    assert_same_bits(plan.run({"x": x})["b"], x[[3, 1, 2], 1:])


def test_what_is_read_twice_is_made_once() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int32", (4, 6)))
    builder.add_constant("rows", np.array([3, 1, 2]))
    builder.add(GATHER, ["x", "rows"], ["g"], "Gather")
    builder.add(Transpose([1, 0]), ["g"], ["a"], "Transpose")
    builder.add(Slice([0], [4], [1], [1]), ["g"], ["b"], "Slice")
    plan = make_plan(builder.build(["a", "b"]), {"x": np.zeros((4, 6), np.int32)})
    assert list(plan.temporaries) == ["temporary g"]


def test_what_is_only_reshaped_is_made_in_the_result() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (2, 6)))
    builder.add(ADD, ["x", "x"], ["sum"], "Add")
    builder.add(Identity(), ["sum"], ["same"], "Identity")
    builder.add(Reshape([3, 4]), ["same"], ["y"], "Reshape")
    builder.add(ADD, ["sum", "x"], ["z"], "Add")
    graph, x = builder.build(["y", "z"]), np.arange(12, dtype=np.float32).reshape(2, 6)
    plan = make_plan(graph, {"x": x})
    assert not plan.temporaries
    assert len(plan.moves) == 2
    assert_same_bits(plan.run({"x": x})["y"], (x + x).reshape(3, 4))
    assert_same_bits(plan.run({"x": x})["z"], x + x + x)
    out = {"y": np.zeros((4, 3), np.float32).T, "z": np.zeros_like(x)}
    GraphModel(graph, "test").run({"x": x}, out=out)
    assert_same_bits(out["y"], (x + x).reshape(3, 4))
    assert_same_bits(out["z"], x + x + x)


def test_a_scatter_keeps_its_temporary() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int32", (4, 6)))
    builder.add_constant("rows", np.array([3, 1]))
    builder.add(GATHER, ["x", "rows"], ["g"], "Gather")
    builder.add(ScatterUpdate(0), ["x", "rows", "g"], ["s"], "Scatter")
    builder.add(Transpose([1, 0]), ["s"], ["y"], "Transpose")
    graph, x = builder.build(["y"]), np.arange(24, dtype=np.int32).reshape(4, 6)
    plan = make_plan(graph, {"x": x})
    assert "temporary s" in plan.temporaries
    assert_same_bits(plan.run({"x": x})["y"], np.ascontiguousarray(x.T))


def test_many_temporaries_are_planned_in_no_time() -> None:
    builder = GraphBuilder()
    builder.add_input("t0", TensorType("int32", (2, 2)))
    builder.add_constant("rows", np.array([1, 0]))
    for before, after in pairwise(range(401)):
        builder.add(
            GATHER if after % 2 else Transpose(None), [f"t{before}", "rows"][: 1 + after % 2], [f"t{after}"], ""
        )
    x = np.arange(4, dtype=np.int32).reshape(2, 2)
    plan = make_plan(builder.build(["t400"]), {"t0": x})
    assert len(plan.moves) == 200
    assert_same_bits(plan.run({"t0": x})["t400"], x)


@pytest.mark.parametrize("patience", [0, 3, 1 << 14])
def test_results_are_the_same_when_forwarding_ends_early(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherry.engine.elide._PATIENCE", patience)
    monkeypatch.setattr("wherry.engine.elide._PATIENCE_PER_MOVE", 0)
    builder = GraphBuilder("join and split")
    x = np.arange(24.0).reshape(4, 6)
    builder.add_input("x", TensorType(x.dtype, x.shape))
    builder.add(Transpose((1, 0)), ["x"], ["t"], "transpose")
    builder.add(Concat(0), ["t", "t", "t"], ["j"], "join")
    builder.add(Transpose((1, 0)), ["j"], ["u"], "transpose")
    builder.add(Reshape((-1,)), ["u"], ["r"], "reshape")
    plan = make_plan(builder.build(["r"]), {"x": x})
    assert_same_bits(plan.run({"x": x})["r"], np.concatenate([x.T] * 3).T.ravel())
    assert bool(plan.temporaries) is (patience < 1000)
