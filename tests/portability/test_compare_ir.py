"""wherry.compare of an OpenVINO IR: the same search over its layers, whose constants stay where they are."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from tests.portability.test_compare import ROOT, TAKE, X, compare, graph
from wherry.errors import FileFormatError, UnsupportedError
from wherry.portability.comparison import Verdict
from wherry.portability.openvino_submodels import OpenVINOSubmodels

BAD = {"x": X, "i": np.array([0, 7])}


def written(folder: Path, proto: Any) -> Path:
    path = folder / "m.xml"
    wh.save(wh.convert(wh.load(proto), "openvino", allow_loss=True), path)
    return path


@pytest.mark.usefixtures("here")
def test_the_layer_at_which_two_rules_part(tmp_path: Path) -> None:
    path = written(tmp_path, TAKE)
    found = compare(path, BAD, "rules:directml:6.4", "rules:openvino:opset8")
    assert (found.verdict, found.node.name, found.node.operator) == (Verdict.BY_ITSELF, "y", "Gather of opset8")
    (difference,) = found.differences
    assert (difference.how, difference.coordinate, difference.values) == ("bits", (1,), (-4, 0))
    assert [(one.target, one.name) for one in found.findings] == [("directml", "out_of_range")]
    assert compare(wh.load(path), BAD, "rules:directml:6.4", "rules:openvino:opset8").as_json() == found.as_json()
    assert compare(path, BAD, "wherry", "rules:openvino:opset8").verdict is Verdict.AGREE


def test_openvino_reads_all_that_is_cut(tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    text = "m (float[5] x, int64[2] i) => (float[2] z) { a = Neg(x) y = Gather(a, i) p = Reshape(y, s) z = Neg(p) }"
    proto = graph(text)
    proto.graph.initializer.append(onnx.numpy_helper.from_array(np.array([2]), "s"))
    found = compare(written(tmp_path, proto), BAD, "openvino", "rules:onnx:17")
    assert (found.verdict, found.node.name) == (Verdict.BY_ITSELF, "y")
    assert [one.does for one in found.runtimes] == ["answers", "refuses"]


def test_variables_and_what_is_open_in_the_file(tmp_path: Path) -> None:
    """A part that reads a variable holds all that OpenVINO wants of it; each run begins anew."""
    ov = pytest.importorskip("openvino")
    op = ov.opset13
    x, i = op.parameter([-1, 4], np.float32, name="x"), op.parameter([2], np.int64, name="i")
    start = op.constant(np.zeros((1, 4), np.float32))
    state = op.read_value(start, "v", ov.Type.f32, ov.PartialShape([-1, 4]))
    joined = op.concat([state, x], 0)
    taken = op.gather(joined, i, op.constant(0, dtype=np.int64))
    model = ov.Model([op.result(op.relu(taken))], [op.assign(joined, "v")], [x, i], "m")
    ov.save_model(model, tmp_path / "m.xml", compress_to_fp16=False)
    inputs = {"x": np.ones((2, 4), np.float32), "i": np.array([1, 9])}
    found = compare(tmp_path / "m.xml", inputs, "openvino", "rules:directml")
    assert (found.verdict, found.node.operator, found.node.number) == (Verdict.BY_ITSELF, "Gather of opset8", 3)
    assert found.differences[0].values == (0, 1)
    inputs["i"][1] = 0
    (first,), (second,) = (wh.load(tmp_path / "m.xml").run(inputs).values() for _ in range(2))
    assert first.tolist() == second.tolist() == [[1] * 4, [0] * 4]


def test_parts_hold_what_they_need(tmp_path: Path) -> None:
    layers, edges = ir.gather_layers()
    parts = OpenVINOSubmodels(ir.write(tmp_path, ir.net(layers, edges), ir.WEIGHTS))
    assert (len(parts), parts.fed(0), parts.reads(0)[0]) == (1, parts.part(1).inputs, parts.part(1).inputs[0])
    assert parts.part(1).weights == tmp_path / "m.bin"
    model = parts.alone(0, {}).load()
    assert (list(model.inputs), list(model.outputs)) == (list(parts.fed(0)), list(parts.makes(0)))


@pytest.mark.usefixtures("here")
def test_runtimes_that_read_no_ir() -> None:
    path = ROOT / "examples" / "table.xml"
    with pytest.raises(UnsupportedError, match="onnxruntime does not read models of the dialect openvino"):
        compare(path, {}, "wherry", "onnxruntime")
    with pytest.raises(UnsupportedError, match="dialect directml, allowed onnx or openvino"):
        compare(ROOT / "examples" / "table.json", {}, "wherry", "wherry")
    with pytest.raises(FileFormatError, match=r"have no \.bin file"):
        compare(path.read_bytes(), {}, "wherry", "wherry")
