"""load: files by their endings, bytes by how they begin, and messages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError

EXAMPLES = Path(__file__).parents[1] / "examples"
WEBNN = b"""{"inputs": {"x": {"dataType": "float32", "shape": [2, 3]}}, "constants": {}, "outputs": ["y"],
  "operations": [{"method": "transpose", "operands": ["x"], "outputs": ["y"]}]}"""


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_an_onnx_file(kind: type) -> None:
    content = (EXAMPLES / "table.onnx").read_bytes()
    assert wh.load(kind(content)).graph.same_as(wh.load(EXAMPLES / "table.onnx").graph)
    assert wh.load(content).about["bytes"] == len(content)


def test_a_model_proto() -> None:
    onnx = pytest.importorskip("onnx")
    proto = onnx.load(EXAMPLES / "table.onnx")
    model = wh.load(proto, sizes={})
    assert model.graph.same_as(wh.load(EXAMPLES / "table.onnx").graph)
    proto.graph.initializer[0].data_location = onnx.TensorProto.EXTERNAL
    proto.graph.initializer[0].ClearField("raw_data")
    proto.graph.initializer[0].external_data.add(key="location", value="w.bin")
    for source in (proto, proto.SerializeToString()):
        with pytest.raises(FileFormatError, match="has no folder; load its file, or pass base_dir to read_proto"):
            wh.load(source)


def test_bytes_of_an_ir() -> None:
    layers = ir.parameter(0, "2,3", names="x") + ir.layer(1, "Identity", "", [0], [ir.port(1)], version="opset16")
    text = ir.net(layers + ir.result(2), ir.edge(0, 0, 1, 0) + ir.edge(1, 1, 2, 0))
    for content in (text.encode(), b"\xef\xbb\xbf \n" + text.removeprefix('<?xml version="1.0"?>').encode()):
        (result,) = wh.load(content).run([np.ones((2, 3), np.float32)]).values()
        assert result.shape == (2, 3)
    constants = (EXAMPLES / "table.xml").read_bytes()
    with pytest.raises(
        FileFormatError, match=r"no \.bin file beside them; give them as wherry\.openvino\.read\(xml, we"
    ):
        wh.load(constants)
    read = wh.openvino.read(constants, (EXAMPLES / "table.bin").read_bytes())
    assert read.graph.same_as(wh.load(EXAMPLES / "table.xml").graph)


def test_bytes_of_json() -> None:
    content = (EXAMPLES / "table.json").read_bytes()
    assert wh.load(content).run({}).keys() == wh.load(EXAMPLES / "table.json").run({}).keys()
    assert wh.load(b"// a comment\n" + content).dialect == "directml"
    assert wh.load(WEBNN).dialect == "webnn"
    named = json.loads(content)
    named["resources"]["table"]["initialValues"] = {"sourcePath": "picture.npy"}
    with pytest.raises(FileFormatError, match="the model was given as bytes, which have no folder; load its file"):
        wh.load(json.dumps(named).encode())


@pytest.mark.parametrize("content", [b"", b"table.onnx", b"\x08", b"<", b"{", b"\0" * 100])
def test_bytes_that_are_no_model(content: bytes) -> None:
    with pytest.raises(FileFormatError):
        wh.load(content)


def test_other_sources() -> None:
    for source in (None, 3, type("ModelProto", (), {})()):
        with pytest.raises(InvalidTypeError):
            wh.load(source)
    with pytest.raises(InvalidValueError, match=r"sizes is given, allowed for \.onnx; the model declares its own"):
        wh.load(WEBNN, sizes={"x": (2, 3)})
    with pytest.raises(FileNotFoundError):
        wh.load("none.onnx")
