"""Plans: they agree with the reference on random graphs, move each byte once, and run from many threads."""

import os
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.compare import assert_same_bits
from tests.support.strategies import distinct, strided
from wherry import reference
from wherry.engine.plan import _share_memory
from wherry.engine.planner import make_plan
from wherry.engine.program import _on_a_line
from wherry.errors import IndexOutOfRangeError, InvalidValueError
from wherry.graph import Deferred, Graph, GraphBuilder
from wherry.layout import Layout
from wherry.models.model import GraphModel
from wherry.moves import CheckMove, CopyMove, GatherMove
from wherry.ops import Concat, Gather, Identity, Split
from wherry.tensors import TensorType


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Graph, dict[str, np.ndarray]]:
    """Return a random graph of the four families over a matrix, with inputs for it."""
    builder = GraphBuilder("random")
    x = draw(strided(distinct((4, 6), np.dtype(draw(st.sampled_from(["float32", "uint8", "S3"]))))))
    builder.add_input("x", TensorType(x.dtype, (4, 6)))
    rows = np.array(draw(st.lists(st.integers(-9, 9), min_size=4, max_size=4)), draw(st.sampled_from(["i1", "i8"])))
    builder.add_constant("rows", rows)
    builder.add_constant("c", distinct((4, 6), x.dtype))
    tensors = ["x", "c"]
    for number in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from(["split", "join", "gather", "copy"]))
        source, name = draw(st.sampled_from(tensors)), f"t{number}"
        axis = draw(st.integers(0, 1))
        size = builder.types[source].shape[axis]
        if kind == "split":
            cut = draw(st.integers(0, size))
            builder.add(Split(axis, [cut, size - cut]), [source], [f"{name}a", f"{name}b"], "Split")
            tensors += [f"{name}a", f"{name}b"]
            continue
        if kind == "join":
            other = [t for t in tensors if builder.types[t].shape[1 - axis] == builder.types[source].shape[1 - axis]]
            builder.add(Concat(axis), [source, *draw(st.lists(st.sampled_from(other), max_size=3))], [name], "Concat")
        elif kind == "gather":
            builder.add(Gather(axis, out_of_range="zero"), [source, "rows"], [name], "Gather")
        else:
            builder.add(Identity(), [source], [name], "Identity")
        tensors.append(name)
    outputs = draw(st.lists(st.sampled_from(tensors), min_size=1, max_size=3))
    return builder.build(outputs), {"x": x}


@given(graphs())
def test_plans_agree_with_the_reference(case: tuple[Graph, dict[str, np.ndarray]]) -> None:
    graph, inputs = case
    expected = reference.run_graph(graph, inputs)
    results = GraphModel(graph, "test").run(inputs)
    for name in graph.outputs:
        assert_same_bits(results[name], expected[name])
        assert not np.shares_memory(results[name], inputs["x"])


@given(graphs(), st.data())
def test_outputs_are_written_in_place(case: tuple[Graph, dict[str, np.ndarray]], draw: st.DataObject) -> None:
    graph, inputs = case
    expected = reference.run_graph(graph, inputs)
    outputs = {name: draw.draw(strided(np.zeros_like(expected[name]))) for name in graph.outputs}
    plan = make_plan(graph, inputs, outputs={name: Layout.of(array) for name, array in outputs.items()})
    plan.run(inputs, outputs)
    for name in graph.outputs:
        assert_same_bits(outputs[name].copy(), expected[name])


def chain() -> Graph:
    """Split, gather one part, join it before the other: every byte can move once."""
    builder = GraphBuilder("chain")
    builder.add_input("x", TensorType("float32", (4, 6)))
    builder.add_input("i", TensorType("int64", (3,)))
    builder.add(Split(1, [2, 4]), ["x"], ["a", "b"], "Split")
    builder.add(Gather(1), ["a", "i"], ["g"], "ONNX Gather-13 'pick'")
    builder.add(Concat(1), ["g", "b"], ["y"], "Concat")
    return builder.build(["y"])


def test_each_byte_is_moved_once() -> None:
    x, i = np.arange(24, dtype=np.float32).reshape(4, 6), np.array([1, 0, -1])
    plan = make_plan(chain(), {"x": x, "i": i})
    assert type(plan.moves[0]) is CheckMove
    assert {type(move) for move in plan.moves[1:]} == {GatherMove, CopyMove}
    assert not plan.temporaries
    assert plan.bytes_moved == 4 * 7 * 4
    assert {move.target.buffer for move in plan.moves if move.target} == {"output y"}
    text = str(plan)
    assert "gather  input x[4, 3, 2] strides [6, 0, 1]" in text
    assert "3 moves, 112 bytes written" in text


def test_nodes_that_no_result_needs_do_not_run() -> None:
    builder = GraphBuilder("unread")
    builder.add_input("x", TensorType("float32", (2,)))
    builder.add_input("i", TensorType("int64", (1,)))
    builder.add(Gather(0), ["x", "i"], ["unread"], "Gather")
    builder.add(Identity(), ["unread"], ["unread too"], "Identity")
    builder.add(Identity(), ["x"], ["y"], "Identity")
    inputs = {"x": np.array([1, 2], np.float32), "i": np.array([7])}
    graph = builder.build(["y"])
    assert_same_bits(GraphModel(graph, "test").run(inputs)["y"], inputs["x"])
    assert_same_bits(reference.run_graph(graph, inputs)["y"], inputs["x"])
    read = builder.build(["unread too"])
    for run in (GraphModel(read, "test").run, lambda given: reference.run_graph(read, given)):
        with pytest.raises(IndexError):
            run(inputs)


def of_constants(index: int) -> Graph:
    """Return a graph that picks a row of a constant table twice, and adds the input to it."""
    builder = GraphBuilder("constants")
    builder.add_input("x", TensorType("float32", (1, 3)))
    builder.add_constant("table", np.arange(6, dtype=np.float32).reshape(2, 3))
    builder.add_constant("i", np.array([index]))
    builder.add(Gather(), ["table", "i"], ["row"], "ONNX Gather-13 'pick'")
    builder.add(Concat(0), ["row", "row"], ["rows"], "ONNX Concat-13 'twice'")
    builder.add(Concat(0), ["x", "rows"], ["y"], "ONNX Concat-13 'y'")
    return builder.build(["y"])


def test_what_constants_make_is_computed_once() -> None:
    x = np.full((1, 3), 9, np.float32)
    plan = make_plan(of_constants(1), {"x": x})
    assert [type(move) for move in plan.moves] == [CopyMove, CopyMove]
    assert plan.run({"x": x})["y"].tolist() == [[9, 9, 9], [3, 4, 5], [3, 4, 5]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wherry.engine.planner.RESULT_BYTES", 0)
        plan = make_plan(of_constants(1), {"x": x})
    assert GatherMove in {type(move) for move in plan.moves}
    assert plan.run({"x": x})["y"].tolist() == [[9, 9, 9], [3, 4, 5], [3, 4, 5]]


def test_what_constants_refuse_is_refused_by_the_run() -> None:
    x = np.zeros((1, 3), np.float32)
    plan = make_plan(of_constants(2), {"x": x})
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX Gather-13 'pick': indices\[0\] is 2, allowed -2..1"):
        plan.run({"x": x})


def test_a_bad_index_leaves_given_outputs_alone() -> None:
    x, i = np.zeros((4, 6), np.float32), np.array([1, 0, 2])
    plan = make_plan(chain(), {"x": x, "i": i})
    y = np.full((4, 7), 5, np.float32)
    with pytest.raises(IndexOutOfRangeError, match=r"ONNX Gather-13 'pick': indices\[2\] is 2, allowed -2..1"):
        plan.run({"x": x, "i": i}, {"y": y})
    assert (y == 5).all()


def test_results_made_aside_lie_as_planned() -> None:
    """New results of a plan for column-major ones, and those of inputs that lie where they go."""
    memory, i = np.arange(28, dtype=np.float32), np.array([1, 0, 1])
    x, y = memory[:24].reshape(4, 6), memory.reshape(7, 4).T
    expected = np.hstack([x[:, i], x[:, 2:]])
    plan = make_plan(chain(), {"x": x, "i": i}, outputs={"y": Layout.of(y)})
    assert_same_bits(np.ascontiguousarray(plan.run({"x": x, "i": i})["y"]), expected)
    assert_same_bits(np.ascontiguousarray(plan.run_moves({"x": x, "i": i})["y"]), expected)
    assert plan.run({"x": x, "i": i}, {"y": y})["y"] is y
    assert_same_bits(np.ascontiguousarray(y), expected)


def test_another_layout_needs_another_plan() -> None:
    x, i = np.zeros((4, 6), np.float32), np.array([1, 0, 1])
    plan = make_plan(chain(), {"x": x, "i": i})
    with pytest.raises(InvalidValueError, match="make a plan for it"):
        plan.run({"x": np.asfortranarray(x), "i": i})
    with pytest.raises(InvalidValueError, match="make a plan for it"):
        plan.run({"x": x.astype("f8"), "i": i})
    model = GraphModel(chain(), "test")
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    assert_same_bits(model.run([x, i])["y"], model.run([np.asfortranarray(x), i.astype("i8")])["y"])


def test_eight_threads_on_one_plan() -> None:
    plan = make_plan(chain(), {"x": np.zeros((4, 6), np.float32), "i": np.zeros(3, int)})
    failures = []

    def work(number: int) -> None:
        x = np.arange(24, dtype=np.float32).reshape(4, 6) + 100 * number
        for step in range(50):
            i = np.array([step % 2, 1, 0])
            if not np.array_equal(plan.run({"x": x, "i": i})["y"], np.hstack([x[:, i], x[:, 2:]])):
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_forked_child_runs_plans() -> None:
    x, i = np.ones((4, 6), np.float32), np.zeros(3, int)
    plan = make_plan(chain(), {"x": x, "i": i})
    plan.run({"x": x, "i": i})
    child = os.fork()
    if child == 0:
        os._exit(0 if plan.run({"x": x, "i": i})["y"].sum() == 28 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def deferred() -> Graph:
    """The sizes of a split come from an input, by way of a gather."""
    builder = GraphBuilder("deferred")
    builder.add_input("x", TensorType("int32", ("N",)))
    builder.add_input("sizes", TensorType("int64", (2,)))
    builder.add_constant("order", np.array([1, 0]))
    builder.add(Gather(0), ["sizes", "order"], ["turned"], "Gather")
    split = Deferred(Split, (("axis", 0),), (("sizes", 1),), output_count=2)
    builder.add(split, ["x", "turned"], ["a", "b"], "ONNX Split-13")
    return builder.build(["a", "b"])


def test_values_decide_the_plan() -> None:
    model = GraphModel(deferred(), "test")
    assert model.outputs["a"].sizes == (None,)
    for sizes in ([2, 3], [0, 5], [2, 3]):
        results = model.run({"x": np.arange(5, dtype="i4"), "sizes": np.array(sizes)})
        assert (len(results["a"]), len(results["b"])) == (sizes[1], sizes[0])
    with pytest.raises(InvalidValueError, match=r"ONNX Split-13: sizes is \[1, 2\], allowed a sum of 5"):
        model.run([np.arange(5, dtype="i4"), np.array([2, 1])])


def test_the_plan_of_a_model_that_needs_values() -> None:
    with pytest.raises(InvalidValueError, match="run the model once first"):
        _ = GraphModel(deferred(), "test").plan
    assert "output y" in str(GraphModel(chain(), "test").plan)


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"x": np.zeros((4, 6), "f4")}, "input 'i' is missing, allowed int64"),
        ({"x": np.zeros((4, 6), "f4"), "j": [1]}, "inputs has 'j', allowed 'x', 'i'"),
        ({"x": np.zeros((4, 6)), "i": [0, 0, 0]}, "input 'x' has dtype float64, allowed float32"),
        ({"x": np.zeros((4, 5), "f4"), "i": [0, 0, 0]}, r"input 'x' has sizes \[4, 5\], allowed float32\[4, 6\]"),
        ([1, 2, 3], "inputs has 3 arrays, allowed 2"),
    ],
)
def test_inputs_that_do_not_fit(inputs: object, text: str) -> None:
    with pytest.raises((ValueError, TypeError), match=text):
        GraphModel(chain(), "test").run(inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "is_copied"), [(4, False), (1000, True), (2**18 + 1, False)])
def test_constants_that_begin_anywhere_are_copied_to_a_line_unless_they_are_large(count: int, is_copied: bool) -> None:
    memory = np.zeros(4 * count + 64, np.uint8)
    start = -memory.ctypes.data % 64 + 1  # as initializers of files lie
    vector = memory[start : start + 4 * count].view(np.float32)
    vector[:] = np.arange(count)
    found = _on_a_line(vector)
    assert np.shares_memory(found, vector) is not is_copied
    assert found.ctypes.data % 64 == (0 if is_copied else 1)
    assert_same_bits(found, vector)


def test_results_that_are_inputs_or_constants_or_twice() -> None:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("int8", (2,)))
    builder.add_constant("c", np.array([5, 6], np.int8))
    builder.add(Concat(0), ["x", "x", "c"], ["y"], "Concat")
    model = GraphModel(builder.build(["x", "c", "y"]), "test")
    x = np.array([1, 2], np.int8)
    results = model.run([x])
    assert [results[name].tolist() for name in ("x", "c", "y")] == [[1, 2], [5, 6], [1, 2, 1, 2, 5, 6]]
    results["c"][0] = 9
    assert model.run([x])["c"].tolist() == [5, 6]


def test_strings_in_a_graph() -> None:
    builder = GraphBuilder()
    builder.add_input("words", TensorType("string", ("N",)))
    builder.add(Split(0, [1, -1]), ["words"], ["a", "b"], "Split")
    builder.add(Concat(0), ["b", "a"], ["y"], "Concat")
    model = GraphModel(builder.build(["y"]), "test")
    for words in (np.array(["a", "bc", "d"]), np.array(["a", "bc", "d"], object)):
        assert model.run([words])["y"].tolist() == ["bc", "d", "a"]


@pytest.mark.parametrize(
    ("first", "second", "given", "shares"),
    [
        (slice(0, 4), slice(4, 8), slice(8, 12), False),
        (slice(0, 4), slice(3, 8), slice(8, 12), True),
        (slice(0, 4), slice(4, 8), slice(2, 3), True),
        (slice(4, 8), slice(8, 12), slice(0, 5), True),
        (slice(0, 12), slice(12, 13), slice(6, 6), False),
        (slice(0, 1), slice(9, 12), slice(0, 10), True),
    ],
)
def test_outputs_that_share_memory(first: slice, second: slice, given: slice, shares: bool) -> None:
    memory = np.zeros(16)
    outputs = {"a": memory[first], "b": memory[second]}
    assert _share_memory(outputs, {"x": memory[given], "z": memory[given]}) is shares
