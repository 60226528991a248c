"""Writing an IR: what it says, that reading it gives the same graph, and what is refused."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wherry as wh
from tests.dialects.openvino import ir
from tests.support.compare import assert_same_bits
from wherry.dialects.openvino.writer import write
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.graph import Deferred, Graph, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Concat, Constant, Gather, Identity, Split
from wherry.tensors import TensorType

FLOATS = TensorType("float32", (2, 6))


def assert_same_graph(actual: Graph, expected: Graph) -> None:
    """Fail unless the graphs say the same; a deferred operator's fields have any order, and may leave out defaults."""
    assert _ordered(actual).same_as(_ordered(expected)), f"{actual}\nexpected\n{expected}"
    assert _ordered(actual).types == _ordered(expected).types
    assert actual.name == expected.name


def _ordered(graph: Graph) -> Graph:
    nodes = []
    for node in graph.nodes:
        operator = node.operator
        if isinstance(operator, Deferred):
            defaults = {one.name: one.default for one in fields(operator.makes or operator.build)}
            given = [(name, value) for name, value in operator.fields if value != defaults.get(name, MISSING)]
            operator = replace(operator, fields=tuple(sorted(given)))
        nodes.append(replace(node, operator=operator))
    return replace(graph, nodes=tuple(nodes))


def round_trip(graph: Graph, folder: Path) -> Graph:
    write(graph, folder / "m.xml")
    return wh.load(folder / "m.xml").graph


def zero_gather(axis: int = 0, batch_dims: int = 0, negative: str = "from_end") -> Gather:
    return Gather(axis, batch_dims, "zero", negative)


def everything() -> Graph:
    builder = GraphBuilder("all, of it")
    builder.add_input("x", FLOATS)
    builder.add_input("unused", TensorType("string", None))
    builder.add_input("lengths", TensorType("int64", (2,)))
    builder.add_input("axis", TensorType("uint8", ()))
    builder.add_input("i", TensorType("int32", ("N", None)))
    builder.add_constant("k", np.array([[0, -1, 9]], np.int16))
    builder.add_constant("codes", np.array([1, 2, 3], np.uint8), TensorType("nf4", (3,)))
    builder.add(zero_gather(-1), ["x", "k"], ["a"], "s", "named")
    builder.add(zero_gather(1, 1), ["x", "i"], ["b"], "s")
    builder.add(zero_gather(1, -1, "invalid"), ["x", "i"], ["c"], "s")
    builder.add(zero_gather(1, 0, "invalid"), ["x", "k"], ["d"], "s")
    builder.add(Split(1, sections=3), ["x"], ["e0", "e1", "e2"], "s")
    builder.add(Split(-1, sizes=(1, -1)), ["x"], ["f0", "comma,name"], "s", "two")
    builder.add(Deferred(Split, (("axis", 1),), (("sizes", 1),), 2), ["x", "lengths"], ["g0", "g1"], "s")
    fixed = (("out_of_range", "zero"), ("negative", "from_end"), ("batch_dims", 0))
    builder.add(Deferred(Gather, fixed, (("axis", 2),)), ["x", "k", "axis"], ["h"], "s")
    builder.add(Concat(1), ["e0", "x", "e2"], ["j"], "s")
    builder.add(Identity(), ["j"], ["copied"], "s")
    return builder.build(["a", "b", "c", "d", "e1", "comma,name", "g0", "g1", "h", "copied", "codes", "x"])


def test_a_graph_there_and_back(tmp_path: Path) -> None:
    graph = everything()
    again = round_trip(graph, tmp_path)
    nameless = dict(graph.inputs) | {"i": TensorType("int32", (None, None))}
    assert_same_graph(again, replace(graph, inputs=nameless))
    assert_same_graph(round_trip(again, tmp_path), again)


def test_what_is_written(tmp_path: Path) -> None:
    write(everything(), tmp_path / "m.xml")
    net = ElementTree.parse(tmp_path / "m.xml").getroot()
    assert (tmp_path / "m.xml").read_text().startswith('<?xml version="1.0"?>\n<net name="all, of it" version="11">')
    layers = net.findall("layers/layer")
    assert [int(layer.get("id")) for layer in layers] == list(range(len(layers)))
    written = {(layer.get("type"), layer.get("version")) for layer in layers}
    assert written == {
        ("Parameter", "opset1"), ("Const", "opset1"), ("Result", "opset1"), ("Gather", "opset7"),
        ("Gather", "opset8"), ("Split", "opset1"), ("VariadicSplit", "opset1"), ("Concat", "opset1"),
        ("Identity", "opset16"),
    }  # fmt: skip
    for edge in net.findall("edges/edge"):
        assert int(edge.get("from-layer")) < int(edge.get("to-layer"))
    by_name = {layer.get("name"): layer for layer in layers}
    gather = by_name["b"]
    assert gather.find("data").attrib == {"batch_dims": "1"}
    assert [port.get("id") for port in gather.iter("port")] == ["0", "1", "2", "3"]
    assert [port.get("precision") for port in gather.iter("port")] == ["FP32", "I32", "I64", "FP32"]
    assert [dim.text for dim in gather.findall("input/port")[1]] == ["-1", "-1"]
    assert gather.find("output/port").get("names") == "b"
    assert by_name["two"].findall("output/port")[1].get("names") == "comma\\,name"
    assert by_name["axis"].find("data").attrib == {"shape": "", "element_type": "u8"}
    assert by_name["unused"].find("data").attrib == {"shape": "...", "element_type": "string"}
    assert by_name["i"].find("data").get("shape") == "?,?"


def test_equal_constants_are_stored_once(tmp_path: Path) -> None:
    builder = GraphBuilder()
    for name in "ab":
        builder.add_constant(name, np.arange(4, dtype=np.int64))
    builder.add_constant("c", np.zeros((0, 2), np.float32))
    builder.add(Constant(np.arange(4, dtype=np.int64)), [], ["d"], "s")
    builder.add(Split(0, sizes=(0, 1, 2, 1)), ["a"], ["p", "q", "r", "s"], "s")
    graph = builder.build(["a", "b", "c", "d", "q"])
    write(graph, tmp_path / "m.xml")
    assert (tmp_path / "m.bin").stat().st_size == 32 + 1 + 8 + 32  # a, b and d; c; the axis; the lengths
    values = wh.load(tmp_path / "m.xml").run([])
    for name, value in GraphModel(graph, "openvino").run([]).items():
        assert_same_bits(values[name], value)


def test_ranges_of_a_model_survive(tmp_path: Path) -> None:
    layers = ir.parameter(0, "1..3,..4,2..,?", names="x") + ir.result(1)
    model = wh.load(ir.write(tmp_path, ir.net(layers, ir.edge(0, 0, 1, 0))))
    write(model, tmp_path / "n.xml")
    assert (
        wh.load(tmp_path / "n.xml").partial_shapes
        == model.partial_shapes
        == {"x": ((1, 3), (0, 4), (2, None), (0, None))}
    )


def gather_graph(rule: Gather, indices: list[int] | None, size: object = 5) -> Graph:
    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (size,)))
    if indices is None:
        builder.add_input("i", TensorType("int64", (2,)))
    else:
        builder.add_constant("i", np.array(indices, np.int64))
    builder.add(rule, ["x", "i"], ["y"], "ONNX Gather-13 'take'")
    return builder.build(["y"])


@pytest.mark.parametrize("rule", ["raise", "clamp", "wrap"])
def test_any_rule_is_written_where_indices_are_inside(tmp_path: Path, rule: str) -> None:
    graph = round_trip(gather_graph(Gather(0, 0, rule), [4, -5]), tmp_path)
    assert graph.nodes[0].operator == zero_gather()
    assert round_trip(gather_graph(Gather(0, 0, rule), []), tmp_path).nodes[0].operator == zero_gather()


@pytest.mark.parametrize(
    ("rule", "indices", "size"),
    [
        (Gather(0, 0, "raise"), None, 5),
        (Gather(0, 0, "clamp"), [0, 5], 5),
        (Gather(0, 0, "wrap"), [-6], 5),
        (Gather(0, 0, "raise", "invalid"), [-1], 5),
        (Gather(0, 0, "raise"), [0], None),
    ],
)
def test_rules_that_openvino_cannot_express(
    tmp_path: Path, rule: Gather, indices: list[int] | None, size: object
) -> None:
    with pytest.raises(UnsupportedError) as caught:
        write(gather_graph(rule, indices, size), tmp_path / "m.xml")
    assert str(caught.value) == (
        f"ONNX Gather-13 'take': OpenVINO cannot express {rule}: Gather-1 has out_of_range zero; "
        "Gather-7 has out_of_range zero; Gather-8 has out_of_range zero"
    )
    assert list(tmp_path.iterdir()) == []


def test_uneven_sections_become_lengths(tmp_path: Path) -> None:
    def graph(size: object) -> Graph:
        builder = GraphBuilder()
        builder.add_input("x", TensorType("float32", (size,)))
        builder.add(Split(0, sections=3, uneven="smaller_last"), ["x"], ["a", "b", "c"], "ONNX Split-18 's'")
        return builder.build(["a", "b", "c"])

    assert round_trip(graph(7), tmp_path).nodes[0].operator == Split(0, sizes=(3, 3, 1))
    with pytest.raises(UnsupportedError) as caught:
        write(graph(None), tmp_path / "m.xml")
    assert str(caught.value) == (
        "ONNX Split-18 's': OpenVINO cannot express Split(axis=0, sizes=None, sections=3, uneven=smaller_last): "
        "Split-1 has uneven refuse; VariadicSplit-1 needs sizes"
    )


def test_operators_made_at_run_in_another_way(tmp_path: Path) -> None:
    def reversed_split(sizes: np.ndarray) -> Split:
        return Split(0, sizes=sizes[::-1])

    builder = GraphBuilder()
    builder.add_input("x", TensorType("float32", (5,)))
    builder.add_input("n", TensorType("int64", (2,)))
    builder.add(Deferred(reversed_split, (), (("sizes", 1),), 2), ["x", "n"], ["a", "b"], "S")
    with pytest.raises(
        UnsupportedError,
        match=r"^S: operator is reversed_split with sizes known only at run, which no OpenVINO",
    ):
        write(builder.build(["a"]), tmp_path / "m.xml")


@pytest.mark.parametrize("dtype", ["complex64", "int2", "float8_e4m3fnuz", "M8[s]"])
def test_types_that_openvino_lacks(tmp_path: Path, dtype: str) -> None:
    builder = GraphBuilder()
    kind = TensorType(dtype if "[" not in dtype else np.dtype(dtype), (5,))
    builder.add_input("x", kind)
    with pytest.raises(UnsupportedError) as caught:
        write(builder.build(["x"]), tmp_path / "m.xml")
    assert str(caught.value) == (
        f"OpenVINO IR: tensor 'x' has dtype {kind.dtype}, which OpenVINO does not have; convert it first"
    )


def test_a_failure_leaves_the_files_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text("mine"), (tmp_path / "m.bin").write_text("too")
    with pytest.raises(UnsupportedError):
        write(gather_graph(Gather(0), None), tmp_path / "m.xml")
    (tmp_path / "d.xml").mkdir()
    with pytest.raises(InvalidValueError, match=r"d\.xml is a folder, allowed a file"):
        write(gather_graph(Gather(0), [0]), tmp_path / "d.xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.xml", "m.bin", "m.xml"]
    assert (tmp_path / "m.xml").read_text() == "mine"
    assert (tmp_path / "m.bin").read_text() == "too"


def test_arguments_that_are_refused(tmp_path: Path) -> None:
    graph = gather_graph(zero_gather(), [0])
    with pytest.raises(InvalidValueError, match=r"path ends in '\.bin', allowed '\.xml'"):
        write(graph, tmp_path / "m.bin")
    with pytest.raises(InvalidTypeError, match="graph_or_model is a str, allowed a Graph or a model that is one"):
        write("m.onnx", tmp_path / "m.xml")
    with pytest.raises(UnsupportedError, match="inputs x have values where none is given"):
        write(GraphModel(graph, "onnx", {"x": np.zeros(5, np.float32)}), tmp_path / "m.xml")
    with pytest.raises(InvalidValueError, match=r"the name 'a\\x00' has characters that XML cannot hold"):
        write(replace(graph, name="a\0"), tmp_path / "m.xml")
    assert list(tmp_path.iterdir()) == []


@given(name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_name_there_and_back(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    name = "".join(letter for letter in name if letter not in "\ufffe\uffff") or "x"
    builder = GraphBuilder(name)
    builder.add_input(name, FLOATS)
    graph = builder.build([name])
    assert_same_graph(round_trip(graph, tmp_path_factory.getbasetemp()), graph)


@st.composite
def graphs(draw: st.DrawFn, *, is_tame: bool = False) -> Graph:
    """Graphs of gathers, splits, joins and copies of anything made so far; tame ones have no empty tensors."""
    builder = GraphBuilder("g")
    builder.add_input("x", TensorType("float32", (2, 4)))
    builder.add_constant("k", np.arange(8, dtype=np.float32).reshape(2, 4))
    tensors = ["x", "k"]
    for number in range(draw(st.integers(1, 5))):
        data = draw(st.sampled_from(tensors))
        kind = builder.types[data]
        axis = draw(st.integers(-kind.ndim, kind.ndim - 1))
        size = kind.shape[axis]
        names = [f"t{number}"]
        match draw(st.sampled_from(["gather", "split", "sizes", "join", "copy"])):
            case "gather":
                negative = draw(st.sampled_from(["from_end", "invalid"]))
                least = -size if negative == "from_end" else 0
                allowed = st.integers(least, size - 1) if is_tame else st.integers(-6, 6)
                values = draw(st.lists(allowed, min_size=int(is_tame), max_size=3))
                builder.add_constant(f"i{number}", np.array(values, np.int32))
                builder.add(zero_gather(axis, 0, negative), [data, f"i{number}"], names, "s")
            case "split":
                sections = draw(st.sampled_from([n for n in (1, 2, 4) if size % n == 0 and n <= max(size, 1)]))
                names = [f"t{number}.{part}" for part in range(sections)]
                builder.add(Split(axis, sections=sections), [data], names, "s")
            case "sizes":
                first = draw(st.integers(int(is_tame), max(size - is_tame, int(is_tame))))
                lengths = (first,) if is_tame and first == size else (first, -1)
                names = [f"t{number}.{part}" for part in range(len(lengths))]
                builder.add(Split(axis, sizes=lengths), [data], names, "s")
            case "join":
                builder.add(Concat(axis), [data] * draw(st.integers(1, 3)), names, "s")
            case "copy":
                builder.add(Identity(), [data], names, "s")
        tensors += names
    return builder.build(tensors[2:])


@given(graph=graphs())
def test_any_graph_there_and_back(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> None:
    again = round_trip(graph, tmp_path_factory.getbasetemp())
    assert_same_graph(again, graph)
    x = np.random.default_rng(0).random((2, 4)).astype(np.float32)
    expected = GraphModel(graph, "openvino").run([x])
    for name, value in GraphModel(again, "openvino").run([x]).items():
        assert_same_bits(value, expected[name])
