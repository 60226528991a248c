"""Results, writes and values beyond every memory: each function and each kind of model refuses them while planning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper

import wherry as wh
from tests.attacks import attack
from tests.dialects.onnx.models import model as onnx_model
from tests.dialects.openvino import ir
from wherry.errors import ResourceLimitError, SizeOverflowError

MANY = 2**40
ONE = np.float32([1])


def repeated(value: Any, *sizes: int) -> np.ndarray:
    """Return an array of these sizes over one element of memory."""
    return np.broadcast_to(value, sizes)


NUMBER, PLACE, CHOSEN = np.float32(1), np.int64(0), np.bool_(True)
LINE, PLANE = repeated(NUMBER, MANY), repeated(NUMBER, 2**20, 2**20)
INDICES = repeated(PLACE, MANY)

CALLS: dict[str, Callable[[], object]] = {
    "gather": lambda: wh.gather(ONE, INDICES),
    "gather into strides of 0": lambda: wh.gather(LINE, repeated(PLACE, 2**45)),
    "join": lambda: wh.concat([LINE, LINE]),
    "onnx expand": lambda: wh.onnx.expand(ONE, [MANY]),
    "onnx expand to 2**62": lambda: wh.onnx.expand(ONE, [2**31, 2**31]),
    "onnx tile": lambda: wh.onnx.tile(ONE, [2**62]),
    "onnx pad": lambda: wh.onnx.pad(np.float32([1, 2]), [0, MANY]),
    "onnx pad reflect": lambda: wh.onnx.pad(np.float32([1, 2]), [0, MANY], mode="reflect"),
    "onnx pad edge": lambda: wh.onnx.pad(np.float32([1, 2]), [MANY, 0], mode="edge"),
    "onnx pad wrap": lambda: wh.onnx.pad(np.float32([1, 2]), [MANY, 0], mode="wrap"),
    "onnx range": lambda: wh.onnx.range(0, 2**62, 1),
    "onnx range of floats": lambda: wh.onnx.range(0.0, 1e18, 1.0),
    "onnx one_hot": lambda: wh.onnx.one_hot([1, 2], 2**50, [0, 1]),
    "onnx constant_of_shape": lambda: wh.onnx.constant_of_shape([2**20] * 3),
    "onnx gather": lambda: wh.onnx.gather(ONE, INDICES),
    "onnx gather_elements": lambda: wh.onnx.gather_elements(LINE, INDICES),
    "onnx gather_nd": lambda: wh.onnx.gather_nd(ONE, repeated(PLACE, MANY, 1)),
    "onnx non_zero": lambda: wh.onnx.non_zero(LINE),
    "onnx unique": lambda: wh.onnx.unique(LINE),
    "onnx compress": lambda: wh.onnx.compress(ONE, repeated(CHOSEN, MANY)),
    "onnx where": lambda: wh.onnx.where(repeated(CHOSEN, MANY), NUMBER, NUMBER),
    "onnx cast": lambda: wh.onnx.cast(LINE, to="float64"),
    "onnx transpose": lambda: wh.onnx.transpose(repeated(NUMBER, MANY, 2)),
    "onnx scatter_elements of many data": lambda: wh.onnx.scatter_elements(LINE, [0], ONE),
    "onnx scatter_elements of many updates": lambda: wh.onnx.scatter_elements(ONE, INDICES, LINE),
    "onnx scatter_nd of many data": lambda: wh.onnx.scatter_nd(LINE, [[0]], ONE),
    "onnx scatter_nd of many updates": lambda: wh.onnx.scatter_nd(ONE, repeated(PLACE, MANY, 1), LINE),
    "onnx concat": lambda: wh.onnx.concat([LINE, LINE], 0),
    "onnx depth_to_space": lambda: wh.onnx.depth_to_space(repeated(NUMBER, 1, 4, 2**20, 2**20), 2),
    "onnx space_to_depth": lambda: wh.onnx.space_to_depth(repeated(NUMBER, 1, 4, 2**20, 2**20), 2),
    "onnx col2im": lambda: wh.onnx.col2im(repeated(NUMBER, 1, 1, MANY), [2**20, 2**20], [1, 1]),
    "onnx trilu": lambda: wh.onnx.trilu(PLANE),
    "onnx eye_like": lambda: wh.onnx.eye_like(PLANE),
    "onnx reverse_sequence": lambda: wh.onnx.reverse_sequence(
        repeated(NUMBER, MANY, 2), [1, 1], batch_axis=1, time_axis=0
    ),
    "onnx reshape": lambda: wh.onnx.reshape(LINE, [-1]),
    "onnx slice": lambda: wh.onnx.slice(LINE, [0], [MANY]),
    "onnx identity": lambda: wh.onnx.identity(LINE),
    "openvino broadcast": lambda: wh.openvino.broadcast(1, [MANY]),
    "openvino tile": lambda: wh.openvino.tile(ONE, [MANY]),
    "openvino range": lambda: wh.openvino.range(0, 2**62, 1, "i64"),
    "openvino eye": lambda: wh.openvino.eye(2**31, 2**31, 0, "f32"),
    "openvino one_hot": lambda: wh.openvino.one_hot([1], 2**50, 1, 0, axis=0),
    "openvino select": lambda: wh.openvino.select(repeated(CHOSEN, MANY), NUMBER, NUMBER),
    "openvino unique": lambda: wh.openvino.unique(LINE),
    "openvino non_zero": lambda: wh.openvino.non_zero(LINE),
    "openvino roll": lambda: wh.openvino.roll(LINE, [1], [0]),
    "openvino scatter_update": lambda: wh.openvino.scatter_update(LINE, [0], ONE, 0),
    "openvino slice_scatter": lambda: wh.openvino.slice_scatter(LINE, ONE, [0], [1], [1]),
    "openvino extract_image_patches": lambda: wh.openvino.extract_image_patches(
        repeated(NUMBER, 1, 1, 2**20, 2**20), [3, 3], [1, 1], [1, 1], "valid"
    ),
    "openvino space_to_batch": lambda: wh.openvino.space_to_batch(ONE.reshape(1, 1), [1, 1], [0, 0], [0, MANY]),
    "openvino batch_to_space": lambda: wh.openvino.batch_to_space(repeated(NUMBER, 4, MANY), [1, 4], [0, 0], [0, 0]),
    "openvino shuffle_channels": lambda: wh.openvino.shuffle_channels(repeated(NUMBER, 1, 4, MANY), 1, 2),
    "openvino col2im": lambda: wh.openvino.col2im(repeated(NUMBER, 1, MANY), [2**20, 2**20], [1, 1]),
    "openvino string_tensor_pack": lambda: wh.openvino.string_tensor_pack(
        repeated(np.int32(0), MANY), repeated(np.int32(1), MANY), np.uint8([65])
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function(name: str) -> None:
    """Twice in one process: a call that comes again takes another way."""

    def twice() -> None:
        for _ in range(2):
            try:
                CALLS[name]()
            except ResourceLimitError:
                continue
            raise AssertionError("nothing was refused")
        CALLS[name]()

    assert "take" in attack.refused(twice, ResourceLimitError)


def test_few_elements_of_a_large_view_are_no_attack() -> None:
    assert wh.onnx.slice(LINE, [0], [MANY], [0], [2**38]).size == 4
    assert wh.onnx.shape(LINE) == [MANY]
    assert [part.size for part in wh.onnx.split(LINE, num_outputs=2)] == [2**39, 2**39]
    assert wh.gather(LINE, [5, 7]).tolist() == [1, 1]


NODES: dict[str, tuple[str, dict[str, Any], dict[str, object]]] = {
    "Expand": ("Expand", {"shape": [2**31]}, {}),
    "Expand to 2**62": ("Expand", {"shape": [2**31, 2**31]}, {}),
    "Tile": ("Tile", {"repeats": [2**61]}, {}),
    "Pad": ("Pad", {"pads": [0, MANY]}, {}),
    "Pad reflect": ("Pad", {"pads": [0, MANY]}, {"mode": "reflect"}),
    "Pad edge": ("Pad", {"pads": [MANY, MANY]}, {"mode": "edge"}),
}


@pytest.mark.parametrize("name", NODES)
def test_a_model_that_makes_much_of_little(name: str) -> None:
    operator, constants, attributes = NODES[name]
    node = helper.make_node(operator, ["x", *constants], ["y"], **attributes)
    arrays = {key: np.array(value, np.int64) for key, value in constants.items()}
    model = onnx_model([node], {"x": np.float32([1, 2][: 1 if operator == "Expand" else 2])}, ["y"], constants=arrays)
    given = {"x": np.float32([1, 2][: 1 if operator == "Expand" else 2])}
    words = attack.refused(lambda: wh.onnx.read_proto(model).run(given), ResourceLimitError)
    assert words.startswith(f"ONNX {operator}-13")
    assert f"allowed {2**31 - 1}; raise Limits.bytes" in words


MADE: dict[str, tuple[str, list[Any]]] = {
    "Range": ("Range", [np.int64(0), np.int64(2**61), np.int64(1)]),
    "OneHot": ("OneHot", [np.int64([1]), np.int64(2**50), np.int64([0, 1])]),
    "ConstantOfShape": ("ConstantOfShape", [np.int64([2**20, 2**20])]),
}


@pytest.mark.parametrize("known", ["constants", "inputs"])
@pytest.mark.parametrize("name", MADE)
def test_a_model_that_makes_much_of_values(name: str, known: str) -> None:
    operator, arrays = MADE[name]
    named = {f"x{number}": np.asarray(array) for number, array in enumerate(arrays)}
    inputs, constants = ({}, named) if known == "constants" else (named, {})
    model = onnx_model([helper.make_node(operator, list(named), ["y"])], inputs, ["y"], constants=constants)
    words = attack.refused(lambda: wh.onnx.read_proto(model).run(inputs), (ResourceLimitError, SizeOverflowError))
    assert words.startswith(f"ONNX {operator}-")


def test_sizes_that_a_range_decides() -> None:
    """100,000,000 values that planning would take out of a tensor one by one."""
    nodes = [
        helper.make_node("Range", ["zero", "limit", "one"], ["sizes"]),
        helper.make_node("Reshape", ["x", "sizes"], ["y"]),
    ]
    constants = {"zero": np.int64(0), "limit": np.int64(10**8), "one": np.int64(1)}
    model = onnx_model(nodes, {"x": np.zeros(3)}, ["y"], constants={k: np.asarray(v) for k, v in constants.items()})
    attack.refused(lambda: wh.onnx.read_proto(model).run({"x": np.zeros(3)}), ResourceLimitError)


def test_values_that_a_range_makes_while_planning() -> None:
    """They are known at run only, when they are computed to know the sizes."""
    nodes = [
        helper.make_node("Range", ["zero", "limit", "one"], ["numbers"], name="count"),
        helper.make_node("Slice", ["numbers", "zeros", "ones"], ["sizes"]),
        helper.make_node("Expand", ["x", "sizes"], ["y"]),
    ]
    constants = {"zero": np.int64(0), "one": np.int64(1), "zeros": np.int64([0]), "ones": np.int64([1])}
    arrays = {"x": np.zeros(1), "limit": np.array(10**8)}
    model = onnx_model(nodes, arrays, ["y"], constants={k: np.asarray(v) for k, v in constants.items()})
    words = attack.refused(lambda: wh.onnx.read_proto(model).run(arrays), ResourceLimitError)
    assert words == (
        "ONNX Range-11 'count': the values that planning computes are 100000000, allowed 1048576; raise Limits.values"
    )


def test_temporaries_sum_up() -> None:
    """Each of the results is allowed, all together are not."""
    nodes = [helper.make_node("Tile", ["x", "repeats"], [f"y{n}"], name=f"part {n}") for n in range(300)]
    constants = {"repeats": np.array([2**21])}
    names = [f"y{n}" for n in range(300)]
    model = onnx_model(nodes, {"x": np.zeros(1, np.float64)}, names, constants=constants)
    words = attack.refused(lambda: wh.onnx.read_proto(model).run({"x": np.zeros(1)}), ResourceLimitError)
    assert words.startswith(
        "ONNX Tile-13 'part 0': all results and temporaries, the largest of this node, take 5033164800 bytes"
    )


def test_an_ir_that_makes_much_of_little(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0, "1", "f32", "x")
        + ir.const(1, "i64", "1", 0, 8)
        + ir.layer(2, "Broadcast", 'mode="numpy"', [0, 1], [ir.port(2, "FP32", "y")], version="opset3")
        + ir.result(3)
    )
    edges = ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0)
    path = tmp_path / "broadcast.xml"
    path.write_text(ir.net(layers, edges))
    path.with_suffix(".bin").write_bytes(np.array([2**31], "<i8").tobytes())
    words = attack.refused(lambda: wh.load(path).run([np.float32([1])]), ResourceLimitError)
    assert f"the results take {2**33} bytes, allowed {2**31 - 1}" in words
    assert words.startswith("OpenVINO Broadcast-3")


def test_more_axes_than_an_array_has() -> None:
    words = attack.refused(lambda: wh.onnx.expand(ONE, [1] * 65), ResourceLimitError)
    assert words == "ONNX Expand-13: the tensor has 65 axes, allowed up to 64, as many as NumPy's arrays"
