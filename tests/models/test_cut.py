"""A graph with opaque nodes is cut into parts that run in order, and into as few as there can be."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wherry.graph import Graph, Node, Opaque
from wherry.models.cut import Cut, Side, cut, movement_inside
from wherry.ops import Identity, Where
from wherry.tensors import TensorType

F = TensorType("float32", (3,))


def ours(inputs: list[str], output: str) -> Node:
    return Node(Identity() if len(inputs) == 1 else Where(), tuple(inputs), (output,), f"ours {output}")


def theirs(inputs: list[str], output: str, captures: tuple[str, ...] = ()) -> Node:
    return Node(Opaque("Conv", (F,), captures=captures), tuple(inputs), (output,), f"theirs {output}")


def either(inputs: list[str], output: str) -> Node:
    return Node(Where(), tuple(inputs), (output,), f"either {output}")


def side_of(node: Node) -> Side:
    return {"ours": Side.OURS, "either": Side.EITHER, "theirs": Side.THEIRS}[node.subject.split()[0]]


def graph(*nodes: Node, outputs: tuple[str, ...], constants: tuple[str, ...] = ()) -> Graph:
    return Graph({"x": F}, outputs, nodes, {name: np.zeros(3, np.float32) for name in constants})


def shape_of(found: Cut) -> list[str]:
    return [f"{part.side}: {' '.join(node.outputs[0] for node in part.nodes)}" for part in found.parts]


def test_alternations_are_as_few_as_can_be() -> None:
    nodes = [theirs(["x"], "a"), ours(["a"], "b"), ours(["x"], "c"), theirs(["c"], "d"), theirs(["b"], "e")]
    found = cut(graph(*nodes, outputs=("d", "e")))
    assert shape_of(found) == ["runtime: a", "wherry: b c", "runtime: d e"]
    assert [part.inputs for part in found.parts] == [("x",), ("a", "x"), ("c", "b")]
    assert [part.outputs for part in found.parts] == [("a",), ("b", "c"), ("d", "e")]
    assert [set(part.last) for part in found.parts] == [set(), {"a", "x"}, {"b", "c"}]


def test_what_constants_decide_is_folded_and_what_nothing_needs_is_left_out() -> None:
    nodes = [ours(["w"], "v"), theirs(["x", "v"], "y"), ours(["y"], "unused")]
    found = cut(graph(*nodes, outputs=("y", "v"), constants=("w", "other")))
    assert shape_of(found) == ["runtime: y"]
    assert found.folded is not None
    assert [node.outputs for node in found.folded.nodes] == [("v",)]
    assert found.folded.constants == ("w",)
    assert found.parts[0].inputs == ("x", "v")
    assert found.parts[0].last == ("x",)  # the folded one stays for the next run


def test_what_a_body_captures_is_read_too() -> None:
    nodes = [ours(["x"], "a"), theirs(["x"], "y", captures=("a", "w"))]
    found = cut(graph(*nodes, outputs=("y",), constants=("w",)))
    assert shape_of(found) == ["wherry: a", "runtime: y"]
    assert found.parts[1].inputs == ("x", "a")
    assert found.parts[1].constants == ("w",)


def test_what_the_runtime_makes_of_constants_stands_beside_its_readers() -> None:
    nodes = [theirs(["w"], "a"), theirs(["a"], "b"), theirs(["w"], "c"), theirs(["w"], "d"), theirs(["w"], "e"),
             theirs(["x", "c"], "f"), ours(["f"], "g"), theirs(["g", "b"], "h"), theirs(["h", "c"], "i"),
             ours(["d", "i"], "j")]  # fmt: skip
    found = cut(graph(*nodes, outputs=("j", "e"), constants=("w",)))
    assert shape_of(found) == ["runtime: c d e f", "wherry: g", "runtime: a b h i", "wherry: j"]
    assert found.parts[2].inputs == ("g", "c")
    assert found.parts[2].constants == ("w",)


def test_choices_wait_until_nothing_else_is_ready() -> None:
    nodes = [theirs(["x"], "if"), theirs(["x"], "a"), ours(["a"], "b"), theirs(["if"], "c")]
    found = cut(
        graph(*nodes, outputs=("b", "c")),
        lambda node: Side.CHOICE if node.outputs == ("if",) else Side.OURS if "ours" in node.subject else Side.THEIRS,
    )
    assert shape_of(found) == ["runtime: a", "wherry: b", "choice: if", "runtime: c"]


def test_what_both_run_goes_with_its_neighbours_and_rather_with_the_runtime() -> None:
    nodes = [either(["x"], "a"), theirs(["a"], "b"), either(["b"], "c"), ours(["c"], "d"), either(["d"], "e")]
    nodes += [either(["e"], "f"), theirs(["f"], "g"), ours(["g"], "h"), either(["h"], "i"), ours(["i"], "j")]
    found = cut(graph(*nodes, outputs=("j",)), side_of)
    assert shape_of(found) == ["runtime: a b c", "wherry: d", "runtime: e f g", "wherry: h i j"]
    assert [part.outputs for part in found.parts] == [("c",), ("d",), ("g",), ("j",)]


def test_a_choice_is_not_followed_by_a_part_that_is_empty() -> None:
    nodes = [Node(Where(), ("x",), ("if",), "choice"), either(["if"], "a"), theirs(["a"], "b")]
    found = cut(graph(*nodes, outputs=("b",)),
                lambda node: Side.CHOICE if node.subject == "choice" else side_of(node))  # fmt: skip
    assert shape_of(found) == ["choice: if", "runtime: a b"]


def test_nodes_that_move_data_inside_others_are_counted() -> None:
    inner = Graph({"x": F}, ("b",), (ours(["x"], "a"), theirs(["a"], "b")))
    middle = Node(Opaque("Loop", (F,), graphs=(("body", inner),)), ("x",), ("c",), "Loop")
    outer = Graph({"x": F}, ("d",), (middle, ours(["c"], "d")))
    assert (
        movement_inside(Node(Opaque("If", (F,), graphs=(("then", outer), ("else", inner))), ("x",), ("y",), "If")) == 3
    )
    assert movement_inside(ours(["x"], "y")) == 0


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    nodes: list[Node] = []
    names = ["x", "w"]
    for number in range(draw(st.integers(1, 8))):
        reads = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3))
        nodes.append(draw(st.sampled_from([ours, theirs, either]))(reads, f"t{number}"))
        names.append(f"t{number}")
    outputs = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    return graph(*nodes, outputs=tuple(outputs), constants=("w",))


def fewest(whole: Graph, found: Cut) -> int:
    """Return the fewest parts, found by trying every order of sides: a part takes what is ready, or may wait."""
    left = {node.outputs[0]: node for part in found.parts for node in part.nodes}
    for count in range(len(left) + 1):
        for sides in product([Side.OURS, Side.THEIRS], repeat=count):
            made = {*whole.inputs, *whole.constants}
            if found.folded:
                made.update(name for node in found.folded.nodes for name in node.outputs)
            for side in sides:
                for name, node in left.items():  # in the order of the graph, so that one pass takes chains
                    if side_of(node) in (Side.EITHER, side) and made.issuperset(node.inputs):
                        made.add(name)
            if made.issuperset(left):
                return count
    raise AssertionError("no order runs")


@given(graphs())
def test_every_cut_runs_in_order_keeps_what_is_needed_and_is_the_smallest(whole: Graph) -> None:
    found = cut(whole, side_of)
    present = {*whole.inputs, *whole.constants}
    for part in ([found.folded] if found.folded else []) + list(found.parts):
        assert part.nodes
        assert present.issuperset((*part.inputs, *part.constants))
        made = {*part.inputs, *part.constants}
        for node in part.nodes:
            assert side_of(node) in (Side.EITHER, part.side)
            assert made.issuperset(node.inputs)
            made.update(node.outputs)
        assert made.issuperset(part.outputs)
        present = (present | set(part.outputs)) - set(part.last)
    assert present.issuperset(whole.outputs)
    assert all(a.side is not b.side for a, b in zip(found.parts, found.parts[1:], strict=False))
    assert len(found.parts) == fewest(whole, found)
