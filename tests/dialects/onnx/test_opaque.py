"""Models with operators that wherry does not have: kept, with what is known of types, and never run."""

from __future__ import annotations

import pickle
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import wherry as wh
from tests.dialects.onnx.models import model, value_info
from tests.support.compare import assert_same_bits
from wherry.dtypes import UNKNOWN
from wherry.errors import FileFormatError, InvalidValueError, ResourceLimitError, UnsupportedError, WherryError
from wherry.graph import Graph, Opaque
from wherry.models.listing import Listing
from wherry.ops import Gather, Reshape, ShapeOf, Slice, Transpose

node = helper.make_node
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def kept(proto: onnx.ModelProto, **more: object) -> Graph:
    return wh.onnx.read_proto(proto, **more).graph


def test_types_come_from_the_file_and_from_shape_inference() -> None:
    nodes = [
        node("Relu", ["x"], ["r"]),
        node("Fused", ["r"], ["f"], domain="com.microsoft"),
        node("Transpose", ["r"], ["t"]),
        node("Reshape", ["f", "s"], ["y"]),
    ]
    proto = model(nodes, {"x": X}, ["t", "y"], constants={"s": np.array([-1, 4])})
    proto.opset_import.add(domain="com.microsoft", version=1)
    graph = kept(proto)
    assert [str(graph.types[name]) for name in "rfty"] == ["float32[2, 3, 4]", "unknown[...]", "float32[4, 3, 2]",
                                                           "unknown[...]"]  # fmt: skip
    assert graph.types["f"].dtype is UNKNOWN
    assert [str(n.operator) for n in graph.nodes if isinstance(n.operator, Opaque)] == [
        "Relu of opset 13", "com.microsoft.Fused of opset 1"
    ]  # fmt: skip
    assert [n.operator for n in graph.nodes[2:]] == [Transpose(), Reshape((-1, 4))]
    proto.graph.value_info.append(value_info("f", "float32", [2, 3, "N"]))
    assert [str(kept(proto).types[name]) for name in "fy"] == ["float32[2, 3, N]", "float32[unk__0, 4]"]


def test_such_a_model_has_no_plan_and_is_written_as_it_was() -> None:
    proto = model([node("Relu", ["x"], ["r"], name="act"), node("Identity", ["r"], ["y"])], {"x": X}, ["y"])
    text = r"Relu of opset 13 \(node 'act'\); model\.run has a runtime run them"
    read = wh.onnx.read_proto(proto)
    with pytest.raises(UnsupportedError, match=text):
        read.plan  # noqa: B018
    written = wh.onnx.to_proto(read, 13)
    assert written.graph.node[0] == proto.graph.node[0]
    assert wh.onnx.read_proto(written).graph.same_as(read.graph)
    with pytest.raises(InvalidValueError, match="opset is 21, allowed 13, that of nodes which are kept"):
        wh.onnx.to_proto(read, 21)


def test_functions_other_domains_and_metadata_are_written_too() -> None:
    proto = model([node("Twice", ["x"], ["r"], domain="own"), node("Identity", ["r"], ["y"])], {"x": X}, ["y"])
    proto.opset_import.add(domain="own", version=1)
    inner = [helper.make_node("Add", ["a", "a"], ["b"])]
    imports = [helper.make_opsetid("", 13)]
    proto.functions.append(helper.make_function("own", "Twice", ["a"], ["b"], inner, imports))
    proto.metadata_props.add(key="author", value="somebody")
    written = wh.onnx.to_proto(wh.onnx.read_proto(proto), 13)
    assert written.functions == proto.functions
    assert written.opset_import == proto.opset_import
    assert written.metadata_props == proto.metadata_props


def test_a_version_that_wherry_refuses_is_kept_with_the_reason() -> None:
    nodes = [node("Scatter", ["x", "i", "x"], ["y"], name="put")]
    graph = kept(model(nodes, {"x": X}, ["y"], constants={"i": np.zeros((1, 1, 1), int)}, opset=11))
    listing = str(Listing.of(graph))
    assert "refused: ONNX Scatter of opset 11 'put': Scatter of opset 11 (Scatter is deprecated" in listing
    graph = kept(model([node("Gather", ["x", "i"], ["z"], flavour=1)], {"x": X, "i": X}, ["z"], opset=99))
    assert "Gather of opset 99 (wherry knows opsets up to 28)" in str(graph)
    proto = model([node("Gather", ["x", "i"], ["z"])], {"x": X, "i": X}, ["z"])
    proto.graph.node[0].overload = "v2"
    assert "Gather with overload 'v2' of opset 13" in str(kept(proto))


def test_an_initializer_of_an_unknown_element_type_is_a_node_that_reads_nothing() -> None:
    """A segment of a tensor stands here for the types of 6 bits, which older versions of the onnx package lack."""
    proto = model([node("Relu", ["w"], ["y"]), node("Transpose", ["x"], ["z"])], {"x": X}, ["y", "z"])
    proto.graph.initializer.append(onnx.numpy_helper.from_array(X[0], "w"))
    proto.graph.initializer[0].segment.end = 1
    graph = kept(proto)
    assert [str(graph.types[name]) for name in "wz"] == ["unknown[3, 4]", "float32[4, 3, 2]"]
    first = graph.opaque[0]
    assert (str(first.operator), first.inputs, first.outputs) == (
        "initializer of FLOAT (initializer 'w' is one segment of a larger tensor)", (), ("w",)
    )  # fmt: skip
    assert first.operator.source.proto == proto.graph.initializer[0]


def test_an_opaque_node_keeps_what_a_runtime_needs() -> None:
    graph = kept(branches())
    choose = graph.nodes[-1].operator
    assert choose.source.proto == branches().graph.node[1]
    inner = dict(choose.graphs)["then_branch"].nodes[-1].operator
    assert inner.source.header == choose.source.header == onnx.ModelProto(
        ir_version=8, opset_import=[helper.make_opsetid("", 13)])  # fmt: skip
    assert "source" not in repr(choose)
    assert pickle.loads(pickle.dumps(graph)).nodes[-1].operator.source == choose.source


@pytest.mark.parametrize("sizes", [[2, 5], [2, 3, 4, 1], [24]])
def test_sizes_that_an_output_declares_wrongly_are_noted(sizes: list[int]) -> None:
    """Runtimes warn, and give what the nodes make."""
    proto = model([node("Transpose", ["x"], ["y"])], {"x": X}, ["y"])
    proto.graph.output[0].CopyFrom(value_info("y", "float32", sizes))
    read = wh.onnx.read_proto(proto)
    (note,) = read.findings
    assert str(note) == f"note: output 'y': is declared float32{sizes}, but its node makes float32[4, 3, 2]"
    assert str(read.outputs["y"]) == "float32[4, 3, 2]"
    assert read.run([X])["y"].shape == (4, 3, 2)
    proto.graph.node[0].op_type = "Relu"
    assert str(wh.onnx.read_proto(proto).outputs["y"]) in ("float32[2, 3, 4]", f"float32{sizes}")


def test_an_initializer_that_an_old_ir_version_wants_as_an_input_is_a_constant() -> None:
    """Runtimes take it so."""
    proto = model([node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], constants={"w": X}, opset=7, ir_version=3)
    read = wh.onnx.read_proto(proto)
    assert [str(note) for note in read.findings] == [
        "note: initializer 'w': is no input of the graph, which ir_version 3 requires; it is a constant"
    ]
    assert (list(read.inputs), list(read.graph.constants)) == (["x"], ["w"])


def test_a_declared_size_of_minus_one_is_unknown() -> None:
    proto = model([node("Relu", ["x"], ["r"]), node("Transpose", ["r"], ["y"])], {"x": X}, ["y"])
    proto.graph.input[0].CopyFrom(value_info("x", "float32", [-1, 3, 4]))
    read = wh.onnx.read_proto(proto)
    assert (str(read.inputs["x"]), str(read.outputs["y"])) == ("float32[?, 3, 4]", "float32[4, 3, unk__0]")
    assert str(wh.onnx.read_proto(proto, sizes={"x": (2, 3, 4)}).outputs["y"]) == "float32[4, 3, 2]"


def calling(*calls: onnx.NodeProto, functions: list[onnx.FunctionProto]) -> onnx.ModelProto:
    """Return a model whose nodes call its functions."""
    proto = model(list(calls), {"x": X}, [calls[-1].output[0]], constants={"i": np.array([0, 2])})
    proto.opset_import.add(domain="own", version=1)
    proto.functions.extend(functions)
    return proto


def function(name: str, inputs: list[str], nodes: list[onnx.NodeProto], attributes: tuple[str, ...] = ()) -> object:
    imports = [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)]
    return helper.make_function("own", name, inputs, [nodes[-1].output[0]], nodes, imports, attributes)


def taking() -> onnx.FunctionProto:
    """Return a function that takes entries along an axis that its calls name."""
    gather = node("Gather", ["data", "at"], ["g"], name="inside")
    gather.attribute.add(name="axis", ref_attr_name="which", type=onnx.AttributeProto.INT)
    return function("Take", ["data", "at", "bias"], [gather, node("Sum", ["g", "bias"], ["out"])], ("which",))


def test_a_function_is_opened_at_its_first_call() -> None:
    calls = [
        node("Take", ["x", "i"], ["a"], name="first", domain="own", which=2),
        node("Take", ["a", "i"], ["y"], name="second", domain="own", which=0),
    ]
    graph = kept(calling(*calls, functions=[taking()]))
    first, second = (opaque.operator for opaque in graph.opaque)
    ((name, inner),) = first.graphs
    assert (name, second.graphs) == ("function", ())
    assert inner.nodes[0].operator == Gather(2)
    assert str(inner.types["g"]) == "float32[2, 3, 2]"
    assert inner.constants["at"].tolist() == [0, 2]
    assert inner.nodes[1].inputs == ("g",)
    listing = Listing.of(graph)
    assert [movement.place for movement in listing.movements] == [("first function",)]
    assert listing.opaque == {"own.Take of opset 1": 2, "Sum of opset 13": 1}
    assert first.captures == ()


def test_functions_tell_two_models_apart() -> None:
    call = node("Take", ["x", "i"], ["y"], domain="own", which=2)
    other = taking()
    other.node[1].op_type = "Max"
    assert kept(calling(call, functions=[taking()])).same_as(kept(calling(call, functions=[taking()])))
    assert not kept(calling(call, functions=[taking()])).same_as(kept(calling(call, functions=[other])))


def test_functions_that_call_themselves_and_each_other() -> None:
    """Opened at each call, these would make 2^40 nodes."""
    functions = [
        function(f"F{n}", ["p"], [node(f"F{(n + 1) % 40}", ["p"], ["q"], domain="own"),
                                  node(f"F{(n + 1) % 40}", ["q"], ["r"], domain="own")]) for n in range(40)
    ]  # fmt: skip
    listing = Listing.of(kept(calling(node("F0", ["x"], ["y"], domain="own"), functions=functions)))
    assert sum(listing.opaque.values()) == 81
    functions += [function(f"G{n}", ["p"], [node(f"G{n + 1}", ["p"], ["r"], domain="own")]) for n in range(70)]
    with pytest.raises(ResourceLimitError, match=r"lies in 65 graphs, allowed up to 64"):
        kept(calling(node("G0", ["x"], ["y"], domain="own"), functions=functions))


def test_what_movement_nodes_tell_goes_back_to_shape_inference() -> None:
    """The onnx package does not compute this shape; wherry does, so that the sizes behind the Relu are known."""
    nodes = [
        node("Shape", ["x"], ["s"]), node("Cast", ["s"], ["f"], to=onnx.TensorProto.INT32),
        node("Gather", ["f", "i"], ["p"]), node("Cast", ["p"], ["c"], to=onnx.TensorProto.INT64),
        node("Concat", ["c", "m"], ["k"], axis=0), node("Tile", ["h", "k"], ["t"]), node("Relu", ["t"], ["r"]),
        node("Transpose", ["r"], ["y"]),
    ]  # fmt: skip
    constants = {"i": np.array([1, 0]), "m": np.array([2]), "h": np.ones((2, 1, 1), np.float32)}
    graph = kept(model(nodes, {"x": X}, ["y"], constants=constants))
    assert str(graph.types["r"]) == "float32[6, 2, 2]"
    assert str(graph.types["y"]) == "float32[2, 2, 6]"


WRONG = {
    "axes[0] is -1": node("Slice", ["x", "a", "b", "c"], ["y"], name="cut"),
    "updates has sizes [2": node("Scatter", ["x", "i", "x"], ["y"], name="cut"),
    "attribute 'flavour' is not one that this version has": node("Gather", ["x", "i"], ["y"], flavour=1, name="cut"),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_wrong_node_is_refused_but_in_a_branch_kept(why: str) -> None:
    """A branch that is never taken need not fit."""
    constants = {"a": np.array([0]), "b": np.array([1]), "c": np.array([-1]), "i": np.array([0])}
    with pytest.raises(WherryError, match=re.escape(why)):
        kept(model([WRONG[why]], {"x": X}, ["y"], constants=constants, opset=10, ir_version=5))
    branch = helper.make_graph([WRONG[why]], "branch", [], [onnx.ValueInfoProto(name="y")])
    nodes = [node("If", ["t"], ["r"], name="choose", then_branch=branch, else_branch=branch)]
    graph = kept(model(nodes, {"x": X, "t": np.array(True)}, ["r"], constants=constants, opset=10, ir_version=5))
    listing = Listing.of(graph)
    assert [(place, refused.operator.why.split(",")[0]) for place, refused in listing.refused] == [
        (("choose else_branch",), why), (("choose then_branch",), why)
    ]  # fmt: skip
    assert f"'cut': {WRONG[why].op_type} of opset 10 ({why}" in str(listing)


def branches(*, opset: int = 13) -> onnx.ModelProto:
    """An If whose branches read tensors around it, one of them in an If of its own."""
    out = [onnx.ValueInfoProto(name="t")]
    inner = helper.make_graph(
        [node("Gather", ["x", "i"], ["deep"], axis=1)], "inner", [], [value_info("deep", "float32")]
    )
    plain = helper.make_graph([node("Identity", ["s"], ["t2"])], "plain", [], [onnx.ValueInfoProto(name="t2")])
    then = helper.make_graph(
        [node("Shape", ["x"], ["n"]), node("If", ["c"], ["t"], name="deeper", then_branch=inner, else_branch=plain)],
        "then", [], out,
    )  # fmt: skip
    other = helper.make_graph([], "other", [], [onnx.ValueInfoProto(name="x")])
    nodes = [
        node("Sigmoid", ["x"], ["s"]),
        node("If", ["c"], ["y"], name="choose", then_branch=then, else_branch=other),
    ]
    return model(nodes, {"x": X, "c": np.array(True)}, ["y"], constants={"i": np.array([0, 2])}, opset=opset)


def test_graphs_inside_nodes_are_read_with_what_they_capture() -> None:
    graph = kept(branches())
    (choose,) = [n.operator for n in graph.nodes if n.name == "choose"]
    then, other = (dict(choose.graphs)[f"{which}_branch"] for which in ("then", "else"))
    assert then.nodes[0].operator == ShapeOf()
    assert other.outputs == ("x",)
    assert str(other.types["x"]) == "float32[2, 3, 4]"
    deep = dict(then.nodes[1].operator.graphs)["then_branch"]
    assert [n.operator for n in deep.nodes] == [Gather(1)]
    assert deep.constants["i"].tolist() == [0, 2]
    assert str(deep.types["deep"]) == "float32[2, 2, 4]"
    listing = Listing.of(graph)
    assert [movement.place for movement in listing.movements] == [
        ("choose then_branch",),
        ("choose then_branch", "deeper else_branch"),
        ("choose then_branch", "deeper then_branch"),
    ]
    assert listing.opaque == {"If of opset 13": 2, "Sigmoid of opset 13": 1}
    text = str(listing)
    assert "  in choose then_branch / deeper then_branch\n  deep = Gather(axis=1" in text
    assert "float32[2, 3, 4], int64[2] -> float32[2, 2, 4], 64 bytes" in text
    assert text.endswith("other operators: 2 If of opset 13, 1 Sigmoid of opset 13")


def test_loops_have_inputs_of_their_own() -> None:
    body = helper.make_graph(
        [node("Identity", ["cond"], ["going"]), node("Slice", ["carried", "a", "b"], ["next"])],
        "body",
        [
            onnx.ValueInfoProto(name="count"),
            onnx.ValueInfoProto(name="cond"),
            value_info("carried", "float32", [None, 4]),
        ],
        [onnx.ValueInfoProto(name="going"), onnx.ValueInfoProto(name="next")],
    )
    constants = {"a": np.array([1]), "b": np.array([9])}
    graph = kept(model([node("Loop", ["", "c", "x"], ["y"], body=body)], {"x": X[0], "c": np.array(True)}, ["y"],
                       constants=constants))  # fmt: skip
    ((_, inner),) = graph.nodes[0].operator.graphs
    assert inner.nodes[1].operator == Slice((1,), (9,))
    assert inner.types["count"].ndim in (0, None)
    assert graph.nodes[0].inputs == ("c", "x")


def test_values_that_are_sequences_are_of_unknown_type() -> None:
    info = helper.make_tensor_sequence_value_info("q", onnx.TensorProto.FLOAT, None)
    proto = model([node("SequenceLength", ["q"], ["n"]), node("Reshape", ["x", "n"], ["y"])], {"x": X}, ["y"])
    proto.graph.input.append(info)
    graph = kept(proto)
    assert graph.types["q"].dtype is UNKNOWN
    assert str(graph.types["n"]) == "int64[]"
    with pytest.raises(UnsupportedError, match="SequenceLength of opset 13"):
        wh.onnx.read_proto(proto).plan  # noqa: B018


def test_damage_is_refused_also_beside_opaque_nodes() -> None:
    proto = model([node("Relu", ["nothing"], ["y"])], {"x": X}, ["y"])
    with pytest.raises(
        FileFormatError, match="node 0 with output 'y' reads 'nothing', which nothing in the graph defines"
    ):
        kept(proto)
    with pytest.raises(FileFormatError, match="tensor 'y' is defined twice"):
        kept(model([node("Relu", ["x"], ["y"]), node("Relu", ["x"], ["y"])], {"x": X}, ["y"]))


def open_model() -> onnx.ModelProto:
    nodes = [node("Shape", ["x"], ["n"]), node("Relu", ["x"], ["r"]), node("Concat", ["z", "r"], ["w"], axis=0),
             node("Reshape", ["w", "k"], ["y"]), node("Gather", ["n", "i"], ["m"]),
             node("Concat", ["m", "rest"], ["k"], axis=0)]  # fmt: skip
    nodes = [nodes[0], nodes[4], nodes[5], *nodes[1:4]]
    proto = model(nodes, {}, ["y"], constants={"i": np.array([1]), "rest": np.array([-1])})
    proto.graph.input.extend([value_info("x", "float32", ["N", "M"]), value_info("z", "float32", [1, "M"])])
    proto.graph.value_info.append(value_info("r", "float32", ["N", "M"]))
    return proto


def test_open_sizes_can_be_given() -> None:
    assert [m.nbytes for m in Listing.of(kept(open_model())).movements] == [16, 8, 16, None, None]
    graph = kept(open_model(), sizes={"x": (3, 4), "z": (1, 4)})
    listing = Listing.of(graph)
    assert [m.nbytes for m in listing.movements] == [16, 8, 16, 64, 64]
    assert [m.is_view for m in listing.movements] == [False, False, False, False, True]
    assert str(listing.movements[-1].node.operator).startswith("Reshape(shape=(4, -1)")
    assert str(graph.types["r"]) == "float32[3, 4]"


SIZES = {
    "names": ({"q": (1,)}, "sizes is 'q', allowed 'x', 'z'"),
    "rank": ({"x": (3,)}, r"sizes of input 'x' is \[3\], allowed float32\[N, M\]"),
    "contradiction": ({"z": (2, 4)}, r"sizes of input 'z' is \[2, 4\], allowed float32\[1, M\]"),
    "symbols": ({"x": (3, 4), "z": (1, 5)}, r"sizes of input 'z' is \[1, 5\], allowed M = 4; as for another input"),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_contradict_the_file(name: str) -> None:
    sizes, text = SIZES[name]
    with pytest.raises(InvalidValueError, match=text):
        kept(open_model(), sizes=sizes)


def test_two_opaque_nodes_are_the_same_if_their_content_is() -> None:
    def softmax(axis: int) -> Graph:
        return kept(model([node("Softmax", ["x"], ["y"], axis=axis)], {"x": X}, ["y"]))

    assert softmax(1).same_as(softmax(1))
    assert not softmax(1).same_as(softmax(2))


def branching(depth: int, innermost: int = 1) -> onnx.ModelProto:
    """An If in an If, so many deep; in the last a node with an attribute of many bytes."""
    nodes = [node("Softmax", ["x"], ["y"], axis=innermost, note="n" * 10_000)]
    for _ in range(depth):
        branch = helper.make_graph(nodes, "branch", [], [value_info("y", X)])
        nodes = [node("If", ["c"], ["y"], then_branch=branch, else_branch=helper.make_graph(
            [node("Identity", ["x"], ["y"])], "branch", [], [value_info("y", X)]))]  # fmt: skip
    return model(nodes, {"x": X, "c": np.array(True)}, ["y"])


def test_nodes_are_told_apart_by_what_lies_deep_in_their_graphs() -> None:
    assert kept(branching(5)).same_as(kept(branching(5)))
    assert not kept(branching(5)).same_as(kept(branching(5, innermost=2)))
    assert not kept(branching(5)).same_as(kept(branching(4)))
    outer = branching(2)
    outer.graph.node[0].attribute[0].g.name = "another"
    assert not kept(outer).same_as(kept(branching(2)))


def test_the_content_of_nested_graphs_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    class Counting:
        def __init__(self, data: bytes = b"") -> None:
            self.found = sha256()
            self.update(data)

        def update(self, data: bytes) -> None:
            nonlocal read
            read += len(data)
            self.found.update(data)

        def hexdigest(self) -> str:
            return self.found.hexdigest()

    monkeypatch.setattr("wherry.dialects.onnx.content.hashlib.sha256", Counting)
    proto = branching(30)
    kept(proto)
    assert 10_000 < read < 4 * proto.ByteSize()


def test_weights_of_a_model_beyond_one_message_lie_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, small = np.arange(1024, dtype=np.float32), np.arange(4, dtype=np.float32)
    nodes = [
        node("Add", ["x", "table"], ["a"]),
        node("Relu", ["a"], ["r"]),
        node("Concat", ["r", "small"], ["y"], axis=0),
    ]
    proto = model(nodes, {"x": table}, ["y"], constants={"table": table, "small": small})
    monkeypatch.setattr("wherry.dialects.onnx.writer._FILE_LIMIT", 3000)
    wh.save(wh.load(proto), tmp_path / "big.onnx")
    stored = onnx.load(tmp_path / "big.onnx", load_external_data=False)
    places = {one.name: one.data_location for one in stored.graph.initializer}
    assert places == {"table": TensorProto.EXTERNAL, "small": TensorProto.DEFAULT}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.onnx", "big.onnx.data"]
    assert_same_bits(wh.load(tmp_path / "big.onnx").graph.constants["table"], table)
    session = onnxruntime.InferenceSession(tmp_path / "big.onnx")
    assert_same_bits(session.run(None, {"x": table})[0], np.concatenate([table * 2, small]))


def test_large_tensors_inside_a_node_are_written_and_pickled_with_it(tmp_path: Path) -> None:
    table = np.arange(5000, dtype=np.float32)
    proto = branches()
    inner = proto.graph.node[1].attribute[0].g
    inner.node.add(op_type="Constant", output=["table"]).attribute.append(
        helper.make_attribute("value", numpy_helper.from_array(table))
    )
    onnx.save(proto, tmp_path / "a.onnx")
    read = wh.load(tmp_path / "a.onnx")
    wh.save(read, tmp_path / "b.onnx")
    wh.save(pickle.loads(pickle.dumps(read)), tmp_path / "c.onnx")
    (tmp_path / "a.onnx").unlink()
    for name in ("b.onnx", "c.onnx"):
        written = onnx.load(tmp_path / name).graph.node[-1].attribute[0].g
        assert written == inner
