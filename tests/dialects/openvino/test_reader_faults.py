"""Reading an IR tells every fault at once, and nothing of what merely depends on what is wrong."""

from pathlib import Path

import pytest

import wherry as wh
from tests.dialects.openvino import ir
from wherry.errors import FileFormatError, InvalidValueError


def test_every_fault_of_a_document_is_told_at_once(tmp_path: Path) -> None:
    layers, edges = ir.gather_layers()
    layers = layers.replace('id="0" name="n0"', 'id="0"').replace('precision="I64"', 'precision="I63"')
    edges = edges.replace('from-layer="3"', 'from-layer="8"').replace('from-layer="0"', 'from-layer="x"')
    with pytest.raises(FileFormatError) as caught:
        wh.load(ir.write(tmp_path, ir.net(layers, edges)))
    assert str(caught.value).split("\n  ") == [
        "OpenVINO IR m.xml: layer 0 (Parameter) has no attribute 'name'",
        "output port 0 of layer 1 (Const 'n1') has precision 'I63', which is no element type",
        "output port 0 of layer 2 (Const 'n2') has precision 'I63', which is no element type",
        "edge x.0 to 3.0 has from-layer 'x', allowed an integer of 0 and more",
        "edge 8.3 to 4.0 has from-layer 8, which is no layer",
    ]


def test_faults_of_the_document_and_of_its_layers_are_told_at_once(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "x")  # a layer's rule
        + ir.layer(1, "Identity", "", [0], [ir.port(1)], version="opset16", name="i").replace('name="i"', "")
        + ir.layer(2, "Relu", "", [0], [ir.port(1)], name="r")  # read by a layer that is wrong
        + ir.layer(3, "Identity", 'colour="red"', [0], [ir.port(1)], version="opset16", name="c")  # its edge is wrong
        + ir.layer(4, "Identity", 'colour="red"', [0], [ir.port(1)], version="opset16", name="d")
        + ir.parameter(5, "6")
        + "".join(ir.result(number) for number in (10, 11, 12))
    )
    edges = (
        ir.edge(5, 0, 2, 0) + ir.edge(2, 1, 1, 0) + ir.edge(1, 1, 10, 0)
        + ir.edge(9, 0, 3, 0) + ir.edge(3, 1, 11, 0)
        + ir.edge(5, 0, 4, 0) + ir.edge(4, 1, 12, 0)
    )  # fmt: skip
    with pytest.raises(FileFormatError) as caught:
        wh.load(ir.write(tmp_path, ir.net(layers, edges)))
    assert [words.split(", allowed")[0] for words in caught.value.faults] == [
        "layer 1 (Identity) has no attribute 'name'",
        "edge 9.0 to 3.0 has from-layer 9, which is no layer",
        "OpenVINO Parameter-1 'n0' (layer 0): attribute shape is 'x'",
        "OpenVINO Identity-16 'd' (layer 4): attribute 'colour' is unknown",
    ]


def test_every_fault_of_the_layers_is_told_at_once(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "x")
        + ir.const(1, "i64", "3", 99, 4)
        + ir.layer(2, "Gather", 'batch_dims="y" axis="1"', [0, 1, 2], [ir.port(3)], version="opset8", name="g")
        + ir.layer(3, "Relu", "", [0], [ir.port(3)], name="r")
        + ir.parameter(4, "6", "f99")
        + ir.parameter(5, "6")
        + ir.layer(6, "Split", 'num_splits="z" colour="red"', [0, 1], [ir.port(2)], name="s")
        + ir.const(7, "i64", "2", 0, 16)
        + "".join(ir.result(number) for number in range(10, 13))
    )
    edges = (
        ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(1, 0, 2, 2)  # reads broken layers: nothing is told of it
        + ir.edge(5, 0, 6, 0) + ir.edge(7, 0, 6, 1) + ir.edge(4, 0, 3, 0)
        + ir.edge(2, 3, 10, 0) + ir.edge(3, 3, 11, 0) + ir.edge(6, 2, 12, 0)
    )  # fmt: skip
    with pytest.raises(InvalidValueError) as caught:
        wh.load(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    assert [words.split(", allowed")[0] for words in caught.value.faults] == [
        "attribute shape is 'x'",
        "OpenVINO Parameter-1 'n4' (layer 4): element type is 'f99'",
        "OpenVINO Const-1 'n1' (layer 1): size is 4",
        "OpenVINO Split-1 's' (layer 6): attribute 'colour' is unknown",
        "OpenVINO Split-1 's' (layer 6): attribute num_splits is 'z'",
        "OpenVINO Split-1 's' (layer 6): axis has 1 axis",
    ]
