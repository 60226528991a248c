"""auto_broadcast of operations on two tensors: the broadcast rules' examples, files, and OpenVINO beside us."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.differential.openvino_runtime import OpenVINORuntime
from tests.support.compare import assert_same_bits
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.graph import GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import Binary, Compare, Elementwise
from wherry.tensors import TensorType

ov = wh.openvino


def numbers(*sizes: int) -> np.ndarray:
    return np.arange(int(np.prod(sizes)), dtype=np.int32).reshape(sizes) - 3


# sizes of a and b, axis, and the sizes of b between axes of size 1: the page's examples, and ends
PDPD = [
    ((2, 3, 4, 5), (3, 4), 1, (1, 3, 4, 1)),
    ((2, 3, 4, 5), (3, 1), 1, (1, 3, 1, 1)),
    ((2, 3, 4, 5), (4, 5), -1, (1, 1, 4, 5)),
    ((2, 3, 4, 5), (1, 3), 0, (1, 3, 1, 1)),
    ((2, 3, 4, 5), (), -1, (1, 1, 1, 1)),
    ((2, 3, 4, 5), (5,), -1, (1, 1, 1, 5)),
    ((2, 3, 4, 5), (2,), 0, (2, 1, 1, 1)),
    ((2, 3), (2, 3), -1, (2, 3)),
    ((2, 3), (1,), 0, (1, 1)),
]


@pytest.mark.parametrize(("first", "second", "axis", "aligned"), PDPD)
def test_pdpd_puts_axes_of_b_at_an_axis_of_a(
    first: tuple[int, ...], second: tuple[int, ...], axis: int, aligned: tuple[int, ...]
) -> None:
    a, b = numbers(*first), numbers(*second)
    assert_same_bits(ov.subtract(a, b, "pdpd", axis), a - b.reshape(aligned))
    assert_same_bits(ov.less(a, b, "PDPD", axis), a < b.reshape(aligned))
    if axis == -1:
        assert_same_bits(ov.maximum(a, b, "pdpd"), np.maximum(a, b.reshape(aligned)))


def test_none_wants_equal_sizes() -> None:
    assert ov.add([1, 2], [3, 4], "none").tolist() == [4, 6]
    with pytest.raises(InvalidValueError, match=r"OpenVINO Add-1: b has sizes \[1\], allowed \[2\], those of a"):
        ov.add([1, 2], [3], "none")


REFUSED = [
    (lambda: ov.add(numbers(2, 3), numbers(2), "pdpd"), "b has size 2 on axis 0, allowed 1 or 3, the size of a on ax"),
    (
        lambda: ov.add(numbers(3), numbers(2, 3), "pdpd"),
        "b has 2 axes from auto_broadcast_axis -1 of a on, allowed those that a has",
    ),
    (
        lambda: ov.add(numbers(2, 3), numbers(3), "pdpd", 2),
        "b has 1 axes from auto_broadcast_axis 2 of a on, allowed those that a has",
    ),
    (
        lambda: ov.add(numbers(2, 3), numbers(3), "pdpd", -2),
        "auto_broadcast_axis is -2, allowed -1, or an integer of 0",
    ),
    (lambda: ov.add(numbers(2), numbers(2), "numpy", 0), "auto_broadcast_axis is 0, allowed 0 and more, where broadca"),
    (lambda: ov.add(numbers(2), numbers(2), "left"), "auto_broadcast is 'left', allowed numpy, none, pdpd"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refusals(call: object, words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        call()
    assert str(caught.value).startswith("OpenVINO Add-1: ")
    assert words in str(caught.value)
    with pytest.raises(UnsupportedError, match="auto_broadcast is 'explicit', which wherry does not have"):
        ov.add([1], [1], "explicit")
    with pytest.raises(InvalidTypeError):
        ov.add([1], [1], "pdpd", 0.5)


@pytest.mark.parametrize(("first", "second", "axis", "aligned"), PDPD)
def test_files_have_the_axis_and_openvino_agrees(
    first: tuple[int, ...], second: tuple[int, ...], axis: int, aligned: tuple[int, ...], tmp_path: Path,
    openvino: OpenVINORuntime,
) -> None:  # fmt: skip
    a, b, place = numbers(*first), numbers(*second), None if axis == -1 else axis
    for operator in (
        Binary("multiply", broadcast="second", axis=place),
        Compare("equal", broadcast="second", axis=place),
    ):
        is_same = place is None or isinstance(operator, Binary)  # openvino 2026.4 puts b of others at the last axes
        path = tmp_path / "m.xml"
        wh.save(GraphModel(graph_of(operator, a, b), "openvino"), path)
        assert f'auto_broadcast="pdpd" auto_broadcast.auto_broadcast_axis="{axis}"' in path.read_text()
        again = wh.load(path)
        (node,) = again.graph.nodes
        assert (node.operator.broadcast, node.operator.axis) == ("second", place)
        (found,) = again.run({"a": a, "b": b}).values()
        expected = a * b.reshape(aligned) if isinstance(operator, Binary) else a == b.reshape(aligned)
        assert_same_bits(found, expected)
        xml, weights = path.read_bytes(), path.with_suffix(".bin").read_bytes()
        if is_same:
            assert_same_bits(openvino.run(xml, weights, [("i32", a), ("i32", b)])[0], expected)


def graph_of(operator: Elementwise, a: np.ndarray, b: np.ndarray) -> object:
    builder = GraphBuilder("pdpd")
    for name, array in (("a", a), ("b", b)):
        builder.add_input(name, TensorType.of(array))
    builder.add(operator, ["a", "b"], ["y"], "test")
    return builder.build(["y"])


def test_a_file_without_the_axis_means_the_last_axes(tmp_path: Path) -> None:
    """As the page has it; openvino 2026.4 reads the first axis there."""
    path = tmp_path / "m.xml"
    operator = Binary("add", broadcast="second")
    wh.save(GraphModel(graph_of(operator, numbers(2, 3), numbers(3)), "openvino"), path)
    path.write_text(path.read_text().replace(' auto_broadcast.auto_broadcast_axis="-1"', ""))
    (node,) = wh.load(path).graph.nodes
    assert node.operator == operator


def test_an_axis_beside_numpys_rule_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    wh.save(GraphModel(graph_of(Binary("add", broadcast="second", axis=0), numbers(2), numbers(2)), "openvino"), path)
    path.write_text(path.read_text().replace('"pdpd"', '"numpy"'))
    with pytest.raises(InvalidValueError, match="auto_broadcast_axis is 0, allowed 0 and more, where"):
        wh.load(path)
    path.write_text(path.read_text().replace('_axis="0"', '_axis="-7"'))
    with pytest.raises(InvalidValueError, match="auto_broadcast_axis is -7, allowed -1, or an integer of 0 and more"):
        wh.load(path)


@pytest.mark.parametrize(
    "operator", [Binary("subtract", broadcast="second", axis=0), Compare("less", broadcast="second", axis=0)]
)
def test_a_converted_model_has_numpys_rule_at_an_axis(
    operator: Elementwise, tmp_path: Path, openvino: OpenVINORuntime
) -> None:
    """With as many places as the first axis has, the runtime would put b at the last one, and say nothing."""
    a, b = numbers(3, 3), numbers(3)
    source = GraphModel(graph_of(operator, a, b), "onnx", {})
    model = wh.convert(source, "openvino")
    path = tmp_path / "m.xml"
    wh.save(model, path)
    xml, weights = path.read_bytes(), path.with_suffix(".bin").read_bytes()
    assert b'auto_broadcast="pdpd' not in xml
    (expected,) = source.run({"a": a, "b": b}).values()
    assert_same_bits(model.run({"a": a, "b": b})["y"], expected)
    assert_same_bits(openvino.run(xml, weights, [("i32", a), ("i32", b)])[0], expected)
