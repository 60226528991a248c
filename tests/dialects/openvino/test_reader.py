"""Reading an IR: what a file may say, and everything that is refused, in words."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from tests.support.compare import assert_same_bits
from wherry.dialects.openvino.reader import read
from wherry.errors import (
    FileFormatError,
    InvalidTypeError,
    InvalidValueError,
    MissingDependencyError,
    SizeOverflowError,
    UnsupportedError,
    WherryError,
)
from wherry.ops import Gather, Split

FIVE = np.array([1, 2, 3, 4, 5], np.float32)


def gather_model(folder: Path, **options: str) -> Path:
    return ir.write(folder, ir.net(*ir.gather_layers(**options)), ir.WEIGHTS)


def refusal(folder: Path, text: str, weights: bytes | None = ir.WEIGHTS, kind: type[Exception] = WherryError) -> str:
    path = ir.write(folder, text, weights)
    with pytest.raises(kind) as caught:
        wh.load(path).graph.refuse_opaque()
    return str(caught.value)


# What a file may say


def test_a_model(tmp_path: Path) -> None:
    model = wh.load(gather_model(tmp_path))
    assert model.dialect == "openvino"
    assert {name: str(kind) for name, kind in model.inputs.items()} == {"x": "float32[5]"}
    assert {name: str(kind) for name, kind in model.outputs.items()} == {"y": "float32[3]"}
    assert_same_bits(model.run({"x": FIVE})["y"], np.array([1, 4, 0], np.float32))
    assert model.graph.nodes[0].subject == "OpenVINO Gather-8 'g'"
    assert model.graph.nodes[0].operator == Gather(0, 0, "zero", "from_end")


@pytest.mark.parametrize(
    ("version", "negative"),
    [
        ("opset1", "invalid"),
        ("opset6", "invalid"),
        ("opset7", "invalid"),
        ("opset8", "from_end"),
        ("opset16", "from_end"),
    ],
)
def test_an_opset_holds_the_newest_version_up_to_it(tmp_path: Path, version: str, negative: str) -> None:
    data = "" if version in ("opset1", "opset6") else 'batch_dims="0"'
    model = wh.load(gather_model(tmp_path, version=version, data=data))
    assert model.graph.nodes[0].operator == Gather(0, 0, "zero", negative)


@pytest.mark.parametrize("version", [10, 11])
def test_both_versions_of_the_format(tmp_path: Path, version: int) -> None:
    model = read(ir.write(tmp_path, ir.net(*ir.gather_layers(), version=version), ir.WEIGHTS))
    assert_same_bits(model.run([FIVE])["y"], np.array([1, 4, 0], np.float32))


def test_weights_from_elsewhere(tmp_path: Path) -> None:
    path = ir.write(tmp_path, ir.net(*ir.gather_layers()))
    (tmp_path / "other").write_bytes(ir.WEIGHTS)
    for weights in (ir.WEIGHTS, tmp_path / "other", str(tmp_path / "other")):
        assert_same_bits(read(path, weights).run([FIVE])["y"], np.array([1, 4, 0], np.float32))


def test_layers_in_any_order_with_gaps_and_any_port_ids(tmp_path: Path) -> None:
    layers = (
        ir.result(700)
        + ir.layer(9, "SPLIT", 'num_splits="2"', [31, 7], [ir.port(31, "fp32"), ir.port(2, "f32", "late")])
        + ir.const(5, "i64", "", 12, 8)
        + ir.parameter(300, "4", names="b")
        + ir.parameter(40, "4", names="a")
        + ir.layer(2, "Foo", version="extension")  # nothing reads it
        + ir.result(8)
    )
    edges = ir.edge(9, 2, 700, 0) + ir.edge(5, 0, 9, 7) + ir.edge(40, 0, 9, 31) + ir.edge(9, 31, 8, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    assert list(model.inputs) == ["b", "a"]
    assert list(model.outputs) == ["late", "n9.0"]
    values = model.run({"a": FIVE[:4], "b": FIVE[:4]})
    assert [value.tolist() for value in values.values()] == [[3, 4], [1, 2]]


def test_names(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, names="first\\,one,second")
        + ir.parameter(1, name="twin")
        + ir.parameter(2, name="twin")
        + ir.result(3)
        + ir.result(4, extra='output_names="own,other"')
        + ir.result(5, name="again")
        + ir.result(6)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(0, 0, 4, 0) + ir.edge(0, 0, 5, 0) + ir.edge(2, 0, 6, 0)
    path = ir.write(tmp_path, ir.net(layers, edges))
    model = wh.load(path)
    assert list(model.inputs) == ["first,one", "twin", "twin_1"]
    assert list(model.outputs) == ["first,one", "own", "again", "twin_1"]
    values = model.run([FIVE, FIVE * 2, FIVE * 3])
    assert [value[0] for value in values.values()] == [1, 1, 1, 3]
    path.write_text(ir.net(layers, edges, 10))
    assert list(wh.load(path).outputs) == ["first,one", "n4", "again", "twin_1"]


def test_a_result_names_a_tensor_that_has_no_other_reader(tmp_path: Path) -> None:
    layers, edges = ir.gather_layers()
    layers = layers.replace('name="n4"', 'name="n4" output_names="answer"')
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    assert list(model.outputs) == ["answer"]
    assert len(model.graph.nodes) == 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", "float32[]"),
        ("5", "float32[5]"),
        (" [1, 3,?] ", "float32[1, 3, ?]"),
        ("-1,0", "float32[?, 0]"),
        ("1..5,2.., ..4,..,3..3", "float32[?, ?, ?, ?, 3]"),
        ("...", "float32[...]"),
    ],
)
def test_shapes_of_a_parameter(tmp_path: Path, text: str, title: str) -> None:
    path = ir.write(tmp_path, ir.net(ir.parameter(0, text, names="x") + ir.result(1), ir.edge(0, 0, 1, 0)))
    assert str(wh.load(path).inputs["x"]) == title


def test_a_range_binds_the_sizes_of_an_input(tmp_path: Path) -> None:
    path = ir.write(tmp_path, ir.net(ir.parameter(0, "1..3,2..", names="x") + ir.result(1), ir.edge(0, 0, 1, 0)))
    model = wh.load(path)
    assert model.run([np.ones((3, 9), np.float32)])["x"].shape == (3, 9)
    for shape, words in {(4, 2): "size 4 on axis 0, allowed 1..3", (1, 1): "size 1 on axis 1, allowed 2.."}.items():
        with pytest.raises(InvalidValueError) as caught:
            model.run({"x": np.ones(shape, np.float32)})
        assert str(caught.value) == f"input 'x' has {words}"
    with pytest.raises(InvalidValueError, match=r"input 'x' has sizes \[4\], allowed float32\[\?, \?\]"):
        model.run({"x": np.ones(4, np.float32)})


@pytest.mark.parametrize("value", ["F32", "f32"])
def test_element_types_in_any_case(tmp_path: Path, value: str) -> None:
    path = ir.write(tmp_path, ir.net(ir.parameter(0, kind=value) + ir.result(1), ir.edge(0, 0, 1, 0)))
    assert str(wh.load(path).inputs["n0"]) == "float32[5]"


def test_constants_of_types_that_numpy_lacks(tmp_path: Path) -> None:
    layers = (
        ir.const(0, "nf4", "3", 0, 2)
        + ir.parameter(1, "2", "nf4", names="x")
        + ir.layer(2, "Concat", 'axis="0"', [0, 1], [ir.port(2, "NF4", "y")])
        + ir.result(3)
    )
    edges = ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), bytes.fromhex("2103")))
    assert str(model.outputs["y"]) == "nf4[5]"
    assert_same_bits(model.run([np.array([9, 15], np.uint8)])["y"], np.array([1, 2, 3, 9, 15], np.uint8))


def test_constants_may_share_bytes_lie_unaligned_and_have_bytes_to_spare(tmp_path: Path) -> None:
    weights = b"\7" + np.array([1, 2, 3], "<f4").tobytes() + b"\0\0"
    layers = (
        ir.const(0, "f32", "3", 1, 14)
        + ir.const(1, "f32", "2", 5, 8)
        + ir.const(2, "f32", "0,7", 14, 1)
        + ir.layer(3, "Concat", 'axis="-1"', [0, 1], [ir.port(2, "FP32", "y")])
        + ir.result(4)
        + ir.result(5)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(1, 0, 3, 1) + ir.edge(3, 2, 4, 0) + ir.edge(2, 0, 5, 0)
    values = wh.load(ir.write(tmp_path, ir.net(layers, edges), weights)).run([])
    assert_same_bits(values["y"], np.array([1, 2, 3, 2, 3], np.float32))
    assert values["n2"].shape == (0, 7)


def runtime_axis_model(folder: Path, shape: str = "", kind: str = "i32") -> Path:
    layers = (
        ir.parameter(0, "2,3", names="data")
        + ir.parameter(1, "2", "i64", names="indices")
        + ir.parameter(2, shape, kind, names="axis")
        + ir.layer(3, "Gather", "", [0, 1, 2], [ir.port(3, "FP32", "y")], version="opset8", name="g")
        + ir.result(4)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(1, 0, 3, 1) + ir.edge(2, 0, 3, 2) + ir.edge(3, 3, 4, 0)
    return ir.write(folder, ir.net(layers, edges))


@pytest.mark.parametrize("shape", ["", "1", "?", "..."])
def test_an_axis_known_at_run(tmp_path: Path, shape: str) -> None:
    model = wh.load(runtime_axis_model(tmp_path, shape))
    assert str(model.outputs["y"]) == "float32[?, ?]"
    data = np.arange(6, dtype=np.float32).reshape(2, 3)
    given = np.array(1, np.int32) if shape in ("", "...") else np.array([1], np.int32)
    for axis in (given, given - 2):
        expected = np.take(data, np.array([2, -1]), 1 if axis.max() == 1 else -1)
        assert_same_bits(model.run([data, np.array([2, -1]), axis])["y"], expected)
    with pytest.raises(InvalidValueError) as caught:
        model.run([data, np.array([2, -1]), given + 1])
    assert str(caught.value) == "OpenVINO Gather-8 'g': axis is 2, allowed -2..1; data has 2 axes"


def test_split_lengths_and_axis_known_at_run(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "?", names="data")
        + ir.const(1, "i64", "1", 12, 8)
        + ir.parameter(2, "2", "i64", names="lengths")
        + ir.layer(3, "VariadicSplit", "", [0, 1, 2], [ir.port(3, "FP32", "a"), ir.port(4, "FP32", "b")], name="v")
        + ir.result(4)
        + ir.result(5)
        + ir.parameter(6, "", "u8", names="axis")
        + ir.layer(7, "Split", 'num_splits="2"', [0, 1], [ir.port(3, "FP32", "c"), ir.port(4, "FP32", "d")])
        + ir.result(8)
    )
    edges = ir.edge(0, 0, 3, 0) + ir.edge(1, 0, 3, 1) + ir.edge(2, 0, 3, 2) + ir.edge(3, 3, 4, 0) + ir.edge(3, 4, 5, 0)
    edges += ir.edge(0, 0, 7, 0) + ir.edge(6, 0, 7, 1) + ir.edge(7, 4, 8, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    node = next(node for node in model.graph.nodes if "a" in node.outputs)
    assert node.operator.build is Split
    assert dict(node.operator.fields) == {"axis": 0}
    values = model.run([FIVE[:4], np.array([-1, 1]), np.uint8(0)])
    assert [value.tolist() for value in values.values()] == [[1, 2, 3], [4], [3, 4]]
    with pytest.raises(
        InvalidValueError, match=r"^OpenVINO VariadicSplit-1 'v': sizes is \[-1, 7\], allowed a sum of 4"
    ):
        model.run([FIVE[:4], np.array([-1, 7]), np.uint8(0)])


def test_a_layer_may_leave_out_ports_that_nothing_reads(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "6")
        + ir.const(1, "i64", "", 12, 8)
        + ir.layer(2, "Split", 'num_splits="3"', [0, 1], [ir.port(2, "FP32", "y")])
        + ir.result(3)
    )
    edges = ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    assert model.run([np.arange(6, dtype=np.float32)])["y"].tolist() == [0, 1]


def test_hints_and_information_are_no_attributes_of_the_operation(tmp_path: Path) -> None:
    layers, edges = ir.gather_layers(data='batch_dims="0" PrimitivesPriority="cpu:ref" alt_width="8"')
    text = ir.net(layers, edges, more="<meta_data/><rt_info><info/></rt_info>")
    text = text.replace("</layer>", '<rt_info><attribute name="a"/></rt_info></layer>')
    assert list(wh.load(ir.write(tmp_path, text, ir.WEIGHTS)).outputs) == ["y"]


def test_weights_that_are_links_inside_one_folder(tmp_path: Path) -> None:
    store, folder = tmp_path / "blobs", tmp_path / "snapshot"
    store.mkdir(), folder.mkdir()
    (store / "a").write_text(ir.net(*ir.gather_layers()))
    (store / "b").write_bytes(ir.WEIGHTS)
    os.symlink(store / "a", folder / "m.xml")
    os.symlink(store / "b", folder / "m.bin")
    assert_same_bits(wh.load(folder / "m.xml").run([FIVE])["y"], np.array([1, 4, 0], np.float32))


def test_a_long_chain_does_not_exhaust_the_stack(tmp_path: Path) -> None:
    count = 2000
    layers = ir.parameter(0, "1") + ir.result(count)
    edges = ir.edge(count - 1, 1, count, 0)
    for number in range(1, count):
        layers += ir.layer(number, "Identity", "", [0], [ir.port(1, "FP32")], version="opset16")
        edges += ir.edge(number - 1, min(number - 1, 1), number, 0)
    model = wh.load(ir.write(tmp_path, ir.net(layers, edges)))
    assert len(model.graph.nodes) == count - 1 > sys.getrecursionlimit()


# What is refused


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE net [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE net [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE net SYSTEM "http://localhost/net.dtd">',
        '<!DOCTYPE net [<!ATTLIST data batch_dims CDATA "1">]>',
        "<!DOCTYPE net>",
    ],
)
def test_documents_that_declare_entities(tmp_path: Path, head: str) -> None:
    words = refusal(tmp_path, ir.net(*ir.gather_layers(), head=head), kind=FileFormatError)
    assert words == (
        "OpenVINO IR m.xml: the file declares a document type or entities, allowed neither: an IR has none, and "
        "entities can grow without bound or read other files"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "<net",
        ir.net(*ir.gather_layers())[:-20],
        "<net>&nothing;</net>",
        '<?xml version="1.0" encoding="no"?><net/>',
    ],
)
def test_what_is_no_xml(tmp_path: Path, text: str) -> None:
    assert "OpenVINO IR m.xml: the file is no readable XML: " in refusal(tmp_path, text, kind=FileFormatError)


@pytest.mark.parametrize("bad", [b"\xff\xfe\x00<", b"\x00\x01\x02", bytes(100)])
def test_what_is_no_text(tmp_path: Path, bad: bytes) -> None:
    (tmp_path / "m.xml").write_bytes(bad)
    with pytest.raises(FileFormatError, match="the file is no readable XML"):
        wh.load(tmp_path / "m.xml")


@pytest.mark.parametrize("version", ["9", "12", "", "11.0", "x"])
def test_other_versions_of_the_format(tmp_path: Path, version: str) -> None:
    words = refusal(tmp_path, ir.net(*ir.gather_layers(), version=version), kind=FileFormatError)
    assert words == f"OpenVINO IR m.xml: version of the net is {version!r}, allowed 10, 11; convert the model anew"


G = "layer 3 (Gather 'g')"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (' version="11"', "", "the net has no attribute 'version'"),
        ("layers>", "lairs>", "the net has a part 'lairs', which wherry does not read; convert the "
         "model anew\n  the net has no part 'layers'"),
        ('<layer id="3"', "<layer", "a layer has no attribute 'id'"),
        ('<layer id="3"', '<layer id="-3"', "a layer has id '-3', allowed an integer of 0 and more"),
        ('<layer id="3"', '<layer id="9999999999999999999"', "a layer has id '9999999999999999999', allowed an integer "
         "of 0 and more"),
        ('<layer id="1"', '<layer id="0"', "layer 0 (Const 'n1') has the id of layer 0 (Parameter 'n0'); ids are "
         "unique"),
        (' name="g"', "", "layer 3 (Gather) has no attribute 'name'"),
        (' type="Gather"', "", "layer 3 ('g') has no attribute 'type'"),
        (' version="opset8"', "", f"{G} has no attribute 'version'"),
        (' name="g"', ' name="g" precision="FP32"', f"{G} has an unknown attribute 'precision'"),
        ('<port id="2"></port>', "", f"edge 2.0 to 3.2 has to-port 2, which is no input port of {G}"),
        ('<port id="2"></port>', '<port id="1"></port>', f"{G} has two input ports with the id 1"),
        ('<port id="2"></port>', '<port id="2"></port><port id="9"></port>', f"input port 9 of {G} has no edge; every "
         "input has a source"),
        ('from-port="3"', 'from-port="0"', f"edge 3.0 to 4.0 has from-port 0, which is no output port of {G}"),
        ('from-layer="2"', 'from-layer="77"', "edge 77.0 to 3.2 has from-layer 77, which is no layer"),
        ('to-layer="4"', 'to-layer="x"', "edge 3.3 to x.0 has to-layer 'x', allowed an integer of 0 and more"),
        (' to-layer="4"', "", "edge 3.3 to ?.0 has no attribute 'to-layer'"),
        ('to-port="2"', 'to-port="1"', f"edge 2.0 to 3.1 is the second that leads to input 1 of {G}; "
         "an input has one source"),
        (ir.edge(2, 0, 3, 2), "", f"input port 2 of {G} has no edge; every input has a source"),
        ('from-layer="1"', 'from-layer="3"', f"edge 3.0 to 3.1 has from-port 0, which is no output port of {G}"),
        ('from-layer="1" from-port="0"', 'from-layer="3" from-port="3"', "layers read each other in a circle: 3"),
        ('precision="FP32" names="y"', 'precision="FP31" names="y"', f"output port 3 of {G} has precision 'FP31', "
         "which is no element type"),
        ('<port id="2"></port>', '<port id="2"><dim>-2</dim></port>', f"input port 2 of {G} has a dim '-2', allowed "
         "-1 (unknown), 0 and more"),
        ("<layers>", "<layers><lair/>", "layers has a part 'lair', allowed 'layer'"),
        ('type="Result"', 'type="Foo"', "the model has no Result, so it computes nothing"),
        ("</edges>", "</edges><edges/>", "the net has two parts 'edges'"),
        ("</layers>", "</layers><layers/>", "the net has two parts 'layers'"),
        ('<data batch_dims="0"/>', '<data batch_dims="0"/><data/>', f"{G} has two parts 'data'"),
        (' name="g"', ' name="g" output_names="h"', f"{G} has an unknown attribute 'output_names'"),
        ("</edges>", "</edges><pre-process/>", "the net has a part 'pre-process', which wherry does not read; convert "
         "the model anew"),
        ('<data batch_dims="0"/>', "<body/>", f"{G} has parts beside data, input, output and rt_info"),
    ],
)  # fmt: skip
def test_documents_that_contradict_themselves(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = ir.net(*ir.gather_layers())
    assert old in text
    assert refusal(tmp_path, text.replace(old, new)) == f"OpenVINO IR m.xml: {words}"


def test_another_root(tmp_path: Path) -> None:
    assert refusal(tmp_path, "<html/>") == "OpenVINO IR m.xml: the root element is 'html', allowed 'net'"
    assert refusal(tmp_path, '<net version="11"/>') == "OpenVINO IR m.xml: the net has no part 'layers'"


def test_circles_are_told(tmp_path: Path) -> None:
    def identity(number: int) -> str:
        return ir.layer(number, "Identity", "", [0], [ir.port(1, "FP32")], version="opset16")

    layers = identity(1) + identity(2) + identity(3) + ir.result(4)
    edges = ir.edge(1, 1, 2, 0) + ir.edge(2, 1, 1, 0) + ir.edge(2, 1, 3, 0) + ir.edge(3, 1, 4, 0)
    words = refusal(tmp_path, ir.net(layers, edges), kind=FileFormatError)
    assert words == "OpenVINO IR m.xml: layers read each other in a circle: 1, 2"


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (ir.layer(3, "Gather", "", [0, 1, 2], [ir.port(3)], version="opset17", name="g"),
         "Gather of opset17 (only opset1..opset16 have it) (node 'g')"),
        (ir.layer(3, "Identity", "", [0, 1, 2], [ir.port(3)], version="opset15", name="g"),
         "Identity of opset15 (only opset16 have it) (node 'g')"),
        (ir.layer(3, "Gather", "", [0, 1, 2], [ir.port(3)], version="opset99", name="g"),
         "Gather of opset99 (which is no opset: there are opset1..opset17) (node 'g')"),
        (ir.layer(3, "Gather", "", [0, 1, 2], [ir.port(3)], version="opset0", name="g"),
         "Gather of opset0 (which is no opset: there are opset1..opset17) (node 'g')"),
        (ir.layer(3, "Relu", "", [0, 1, 2], [ir.port(3)], name="g"), "Relu of opset1 (node 'g')"),
        (ir.layer(3, "Constant", "", [0, 1, 2], [ir.port(3)], name="g"), "Constant of opset1 (node 'g')"),
    ],
)  # fmt: skip
def test_operations_and_opsets_that_are_not_there(tmp_path: Path, layer: str, words: str) -> None:
    layers, edges = ir.gather_layers()
    text = ir.net(layers.replace(layers[layers.index('<layer id="3"') : layers.index('<layer id="4"')], layer), edges)
    told = refusal(tmp_path, text, kind=UnsupportedError)
    assert told == f"operators that wherry does not have: {words}; model.run has a runtime run them"


def test_all_unknown_operations_are_told_at_once(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0)
        + ir.layer(1, "Relu", "", [0], [ir.port(1)], name="first")
        + ir.layer(
            2, "If", "", [0], [ir.port(1)], version="opset8", name="second", more="<then_body><layers/></then_body>"
        )
        + ir.result(3)
        + ir.layer(4, "Assign", 'variable_id="v"', [0], version="opset6", name="state")
    )
    edges = ir.edge(0, 0, 1, 0) + ir.edge(1, 1, 2, 0) + ir.edge(2, 1, 3, 0) + ir.edge(0, 0, 4, 0)
    words = refusal(tmp_path, ir.net(layers, edges), kind=UnsupportedError)
    assert (
        "Relu of opset1 (node 'first'); If of opset8 (node 'second'); Assign of opset6 (node 'state'); model.run"
        in words
    )


OUT_OF_BATCH = "batch_dims is 1, allowed up to the axis, 0; batch axes lie before the axis"


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"data": 'batch_dim="0"'}, InvalidValueError, "attribute 'batch_dim' is unknown, allowed batch_dims"),
        ({"data": 'batch_dims="0"', "version": "opset1"}, InvalidValueError,
         "attribute 'batch_dims' is unknown, allowed none"),
        ({"data": 'batch_dims="abc"'}, InvalidValueError, "attribute batch_dims is 'abc', allowed an integer"),
        ({"data": 'batch_dims="1.5"'}, InvalidValueError, "attribute batch_dims is '1.5', allowed an integer"),
        ({"data": 'batch_dims="1_0"'}, InvalidValueError, "attribute batch_dims is '1_0', allowed an integer"),
        ({"data": f'batch_dims="{2**63}"'}, SizeOverflowError,
         f"the number {2**63} does not fit in 64 bits, allowed {1 - 2**63}..{2**63 - 1}"),
        ({"data": 'batch_dims="1"'}, InvalidValueError, OUT_OF_BATCH),
        ({"indices": "f32"}, InvalidTypeError, "indices has dtype float32, allowed int8, int16, int32, int64, uint8, "
         "uint16, uint32, uint64; convert it first"),
        ({"axis": "1,1"}, InvalidValueError, "axis has 2 axes, allowed a scalar or 1 axis; reshape it"),
        ({"axis": "0"}, InvalidValueError, "axis has 0 elements, allowed 1"),
    ],
)  # fmt: skip
def test_gathers_that_are_refused(tmp_path: Path, options: dict, kind: type[Exception], words: str) -> None:
    told = refusal(tmp_path, ir.net(*ir.gather_layers(**options)), kind=kind)
    assert told == f"OpenVINO Gather-{options.get('version', 'opset8')[5:]} 'g' (layer 3): {words}"


def test_decimal_integers(tmp_path: Path) -> None:
    assert wh.load(gather_model(tmp_path, data='batch_dims=" 0.0 "')).graph.nodes[0].operator.batch_dims == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('shape="1" element_type="f32" offset="17" size="4"', "offset 17 and size 4 reach past the end of the weights, "
         "20 bytes"),
        ('shape="1" element_type="f32" offset="9223372036854775807" size="9223372036854775807"',
         "offset 9223372036854775807 and size 9223372036854775807 reach past the end of the weights, 20 bytes"),
        ('shape="2" element_type="f32" offset="0" size="7"', "size is 7, allowed 8 and more for float32[2]"),
        ('shape="9" element_type="u4" offset="0" size="4"', "size is 4, allowed 5 and more for uint4[9]"),
        ('shape="3" element_type="string" offset="0" size="19"', "size is 19, allowed 20 and more for string[3]"),
        ('shape="2" element_type="string" offset="0" size="20"', "the constant holds 0 strings, needed 2"),
        ('shape="4611686018427387904,2" element_type="f32" offset="0" size="20"',
         "a constant of float32[4611686018427387904, 2] does not fit in 64 bits of address"),
        ('shape="99999999999999999999" element_type="f32" offset="0" size="20"',
         f"the number 99999999999999999999 does not fit in 64 bits, allowed {1 - 2**63}..{2**63 - 1}"),
        ('shape="?" element_type="f32" offset="0" size="4"', "attribute shape is '?', allowed sizes of 0 and more "
         "separated by commas"),
        ('shape="1," element_type="f32" offset="0" size="4"', "attribute shape is '1,', allowed sizes of 0 and more "
         "separated by commas"),
        ('shape="1" element_type="f32" offset="-1" size="4"', "attribute offset is '-1', allowed an integer of 0 and "
         "more"),
        ('shape="1" element_type="f32" offset="0"', "attribute 'size' is missing, allowed an integer of 0 and more"),
        ('shape="1" element_type="f32" offset="0" size="4" layout="N"',
         "attribute 'layout' is unknown, allowed element_type, shape, offset, size"),
        ('shape="1" element_type="dynamic" offset="0" size="4"', "element type is 'dynamic': unknown until run, which "
         "wherry does not take; fix it in the model"),
    ],
)  # fmt: skip
def test_constants_that_are_refused(tmp_path: Path, data: str, words: str) -> None:
    text = ir.net(ir.layer(1, "Const", data, (), [ir.port(0)], name="c") + ir.result(2), ir.edge(1, 0, 2, 0))
    assert refusal(tmp_path, text) == f"OpenVINO Const-1 'c' (layer 1): {words}"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('shape="5"', "attribute 'element_type' is missing, allowed an element type"),
        ('element_type="f32"', "attribute 'shape' is missing, allowed "),
        ('shape="5" element_type="FP32"', "element type is 'FP32', allowed boolean, i8, i16, "),
        (
            'shape="5" element_type="undefined"',
            "element type is 'undefined': unknown until run, which wherry does not ",
        ),
        (
            'shape="5..2" element_type="f32"',
            "attribute shape is '5..2', allowed sizes separated by commas, each 0 and ",
        ),
        ('shape="-2" element_type="f32"', "attribute shape is '-2', allowed sizes separated by commas"),
        ('shape="1,..." element_type="f32"', "attribute shape is '1,...', allowed sizes separated by commas"),
        ('shape="2,x" element_type="f32"', "attribute shape is '2,x', allowed sizes separated by commas"),
    ],
)
def test_parameters_that_are_refused(tmp_path: Path, data: str, words: str) -> None:
    text = ir.net(ir.layer(1, "Parameter", data, (), [ir.port(0)], name="p") + ir.result(2), ir.edge(1, 0, 2, 0))
    assert refusal(tmp_path, text).startswith(f"OpenVINO Parameter-1 'p' (layer 1): {words}")


def test_weights_that_are_not_there(tmp_path: Path) -> None:
    words = refusal(tmp_path, ir.net(*ir.gather_layers()), None, FileFormatError)
    assert words == ("OpenVINO IR m.xml: the model has constants, but there is no file m.bin beside it; give weights")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "m.xml", tmp_path / "missing.bin")
    with pytest.raises(FileNotFoundError):
        wh.load(tmp_path / "missing.xml")


def test_weights_that_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(ir.WEIGHTS)
    os.symlink(tmp_path / "secret", folder / "m.bin")
    words = refusal(folder, ir.net(*ir.gather_layers()), None, FileFormatError)
    assert words.endswith("m.bin leads out of the folder of the model; give weights to read it anyway")
    assert list(read(folder / "m.xml", tmp_path / "secret").outputs) == ["y"]


def split_model(data: str, outputs: int, kind: str = "Split", shape: str = "6") -> str:
    ports = [ir.port(2 + number, "FP32") for number in range(outputs)]
    layers = (
        ir.parameter(0, shape)
        + ir.const(1, "i64", "", 12, 8)
        + ir.layer(2, kind, data, [0, 1], ports, name="s")
        + ir.result(3)
    )
    return ir.net(layers, ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (split_model("", 2), "Split-1: attribute 'num_splits' is missing, allowed an integer"),
        (split_model('num_splits="0"', 2), "Split-1: num_splits is 0, allowed 1 and more"),
        (split_model('num_splits="4"', 4), "Split-1: num_splits is 4, allowed a divisor of 6; the axis has that "
         "size; give the sizes of the parts"),
        (split_model('num_splits="2"', 3), "Split-1: outputs has 3 ports, allowed 2"),
        (split_model('num_splits="1"', 1, shape=""), "Split-1: data is a scalar, allowed 1 axis and more; "
         "reshape it"),
        (split_model("", 2, "VariadicSplit"), "VariadicSplit-1: inputs has 2 entries, allowed 3: data, axis, "
         "split_lengths"),
        (split_model("", 1, "Concat"), "Concat-1: attribute 'axis' is missing, allowed an integer\n  "
         "inputs[1] is a scalar, allowed 1 axis and more; reshape it"),
        (split_model('axis="0"', 1, "Concat"), "Concat-1: inputs[1] is a scalar, allowed 1 axis and more; "
         "reshape it"),
    ],
)  # fmt: skip
def test_splits_and_concats_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    operation, _, told = words.partition(": ")
    assert refusal(tmp_path, text) == f"OpenVINO {operation} 's' (layer 2): {told}"


@pytest.mark.parametrize(("shape", "words"), [("2", "axis has 2 elements, allowed 1"), ("1,1", "axis has 2 axes")])
def test_a_run_time_axis_of_wrong_sizes(tmp_path: Path, shape: str, words: str) -> None:
    with pytest.raises(InvalidValueError, match=rf"^OpenVINO Gather-8 'g' \(layer 3\): {words}"):
        wh.load(runtime_axis_model(tmp_path, shape))


def test_without_defusedxml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "defusedxml", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'wherry\[openvino\]'"):
        wh.load(gather_model(tmp_path))
