"""Chains: the parts of a model that only move data, as models."""

import importlib.util
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.dialects.onnx.models import model
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.graph import Graph, Node, Opaque
from wherry.models.chains import chains
from wherry.ops import Concat
from wherry.tensors import TensorType

node = onnx.helper.make_node

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def parts_of(nodes: list[onnx.NodeProto], outputs: list[str], **constants: np.ndarray) -> list[wh.Model]:
    return wh.onnx.read_proto(model(nodes, {"x": X}, outputs, constants=constants)).chains()


def test_an_opaque_node_parts_what_moves() -> None:
    nodes = [node("Transpose", ["x"], ["t"]), node("Relu", ["t"], ["r"]), node("Concat", ["r", "t"], ["y"], axis=0)]
    concat, transpose = parts_of(nodes, ["y"])
    assert (list(transpose.inputs), list(transpose.outputs)) == (["x"], ["t"])
    assert (list(concat.inputs), list(concat.outputs)) == (["r", "t"], ["y"])
    assert str(concat.inputs["r"]) == "float32[4, 3, 2]"
    assert_same_bits(transpose.run({"x": X})["t"], X.T)
    moved = X.T.copy()
    assert_same_bits(concat.run({"r": moved, "t": moved})["y"], np.concatenate([moved, moved]))


@pytest.mark.parametrize("claimed", [[], [1], [2, 3], [9, 9, 9, 9], [1, 1, 1, 1, 1]])
def test_what_other_nodes_make_may_come_in_other_sizes_than_the_file_claims(claimed: list[int]) -> None:
    """An If whose branches have other numbers of axes, of which nobody knows more than the file says."""
    branches = {
        f"{name}_branch": onnx.helper.make_graph(
            [node("Softsign", ["x"], [f"{name}s"]), node("Unsqueeze", [f"{name}s", axes], [name])],
            name, [], [onnx.ValueInfoProto(name=name)],
        ) for name, axes in (("then", "one"), ("else", "two"))
    }  # fmt: skip
    nodes = [node("If", ["c"], ["v"], **branches), node("Transpose", ["v"], ["w"]), node("Shape", ["w"], ["y"])]
    constants = {"one": np.array([0]), "two": np.array([0, 1])}
    proto = model(nodes, {"x": X, "c": np.array(True)}, ["y", "w"], constants=constants)
    proto.graph.value_info.append(onnx.helper.make_tensor_value_info("v", onnx.TensorProto.FLOAT, claimed))
    loaded = wh.onnx.read_proto(proto)
    part = next(part for part in loaded.chains() if list(part.inputs) == ["v"])
    assert list(part.inputs["v"].sizes) == claimed
    for made in (X[None], X[None, None]):
        for _ in range(3):
            assert part.run({"v": made})["y"].tolist() == list(made.shape[::-1])
        assert_same_bits(part.run({"v": made})["w"], made.T)
    with pytest.raises(InvalidTypeError, match="input 'v' has dtype float64, allowed float32"):
        part.run({"v": X.astype(float)})
    inside = next(part for part in loaded.chains() if "thens" in part.inputs)
    assert_same_bits(inside.run({"thens": X[0]})["then"], X[0][None])


def test_the_models_own_inputs_keep_their_sizes_in_parts() -> None:
    (part,) = parts_of([node("Transpose", ["x"], ["t"]), node("Softsign", ["t"], ["y"])], ["y"])
    with pytest.raises(InvalidValueError, match=r"input 'x' has sizes \[1, 3, 4\], allowed float32\[2, 3, 4\]"):
        part.run({"x": X[:1]})


def test_what_only_constants_decide_stands_beside_its_reader() -> None:
    nodes = [
        node("Transpose", ["w"], ["v"]),
        node("Relu", ["x"], ["r"]),
        node("Concat", ["r", "v"], ["y"], axis=0),
    ]
    (part,) = parts_of(nodes, ["y"], w=np.ones((4, 3, 1), np.float32))
    assert (list(part.inputs), list(part.outputs)) == (["r"], ["y"])


def test_parts_of_branches_are_parts() -> None:
    then = onnx.helper.make_graph([node("Transpose", ["x"], ["t"])], "then", [], [onnx.ValueInfoProto(name="t")])
    other = onnx.helper.make_graph([node("Relu", ["x"], ["u"])], "other", [], [onnx.ValueInfoProto(name="u")])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    (part,) = parts_of(nodes, ["y"], c=np.array(True))
    assert [type(one.operator).__name__ for one in part.graph.nodes] == ["Transpose"]


def test_what_a_branch_reads_from_around_it_is_an_output_of_its_part() -> None:
    """The branch captures t; what the If makes goes on to a node that reads t too."""
    then = onnx.helper.make_graph([node("Relu", ["t"], ["r"])], "then", [], [onnx.ValueInfoProto(name="r")])
    other = onnx.helper.make_graph([node("Sigmoid", ["t"], ["s"])], "other", [], [onnx.ValueInfoProto(name="s")])
    nodes = [node("Transpose", ["x"], ["t"]), node("If", ["c"], ["u"], then_branch=then, else_branch=other),
             node("Concat", ["u", "t"], ["y"], axis=0)]  # fmt: skip
    concat, transpose = parts_of(nodes, ["y"], c=np.array(True))
    assert (list(transpose.inputs), list(transpose.outputs)) == (["x"], ["t"])
    assert (list(concat.inputs), list(concat.outputs)) == (["u", "t"], ["y"])


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of nodes that each read one or two tensors before them."""
    names, nodes = ["x"], []
    for number in range(draw(st.integers(1, 12))):
        read = tuple(draw(st.lists(st.sampled_from(names), min_size=1, max_size=2)))
        opaque = draw(st.booleans())
        operator = Opaque("Relu", (TensorType("int8", (2,)),)) if opaque else Concat()
        nodes.append(Node(operator, read, (f"t{number}",), f"ONNX {'Relu' if opaque else 'Concat'}-13"))
        names.append(f"t{number}")
    return Graph({"x": TensorType("int8", (2,))}, (names[-1],), tuple(nodes))


@given(graphs())
def test_parts_hold_every_moving_node_once_and_can_run_one_after_the_other(graph: Graph) -> None:
    parts = chains(graph)
    moving = [one for one in graph.nodes if not isinstance(one.operator, Opaque)]
    assert sorted(one.outputs for part in parts for one in part.nodes) == sorted(one.outputs for one in moving)
    known = set(graph.inputs)
    left: list[tuple[tuple[str, ...], tuple[str, ...]]] = [(tuple(part.inputs), part.outputs) for part in parts]
    left += [(one.inputs, one.outputs) for one in graph.nodes if isinstance(one.operator, Opaque)]
    while ready := [(reads, makes) for reads, makes in left if known.issuperset(reads)]:
        known.update(name for _, makes in ready for name in makes)
        left = [one for one in left if one not in ready]
    assert left == [], "these wait for each other"
    read = {name for reads, _ in [*((tuple(p.inputs), ()) for p in parts)] for name in reads}
    assert read <= {"x", *(name for one in graph.nodes for name in one.outputs)}


def test_neighbours_with_nothing_between_are_one_part() -> None:
    pair = TensorType("int8", (2,))
    nodes = tuple(Node(Concat(), (source,), (name,), "") for source, name in ("xa", "ab", "xc", "cd"))
    assert [part.outputs for part in chains(Graph({"x": pair}, ("b", "d"), nodes))] == [("b",), ("d",)]


@pytest.mark.parametrize(("package", "path"), [("magika", "models/standard_v3_3/model.onnx"),
                                               ("silero_vad", "data/silero_vad_16k_op15.onnx")])  # fmt: skip
def test_every_moving_node_of_a_real_model_is_in_one_part(package: str, path: str, tmp_path: Path) -> None:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"{package} is not installed")
    loaded = wh.load(Path(found.origin).parent / path)
    parts = loaded.chains()
    listed = wh.models.listing.Listing.of(loaded.graph).movements
    assert sorted(name for part in parts for one in part.graph.nodes for name in one.outputs) == sorted(
        name for movement in listed for name in movement.node.outputs
    )
    for number, part in enumerate(parts):
        wh.save(part, tmp_path / f"{number}.onnx")
        again = wh.load(tmp_path / f"{number}.onnx")
        assert not again.graph.opaque
        assert list(again.outputs) == list(part.outputs)
        assert part.chains()[0].graph.outputs == part.graph.outputs
