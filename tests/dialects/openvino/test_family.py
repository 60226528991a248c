"""The rows of the family: beside the runtime's own tables, what they refuse, and graphs that compute shapes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.dialects.openvino import ir
from tests.dialects.openvino.test_writer import assert_same_graph, round_trip
from tests.support.compare import assert_same_bits
from wherry.dialects.openvino.table import NEWEST_OPSET, ROWS, in_opset
from wherry.errors import (
    IndexOutOfRangeError,
    InvalidTypeError,
    InvalidValueError,
    SizeOverflowError,
    UnsupportedError,
    WherryError,
)
from wherry.graph import Deferred, GraphBuilder
from wherry.models.model import GraphModel
from wherry.ops import (
    Cast,
    Expand,
    Eye,
    Flatten,
    GatherElements,
    GatherND,
    NonZero,
    OneHot,
    Operator,
    Pad,
    Range,
    Reshape,
    ScatterElements,
    ScatterND,
    Slice,
    Squeeze,
    Tile,
    Transpose,
    Unsqueeze,
)
from wherry.tensors import TensorType

ov = wh.openvino
THREE = np.float32([1, 2, 3])


def runtime_table(opset: int) -> dict[str, str]:
    """The operations of an opset in the headers of the installed openvino, with the version of their class."""
    openvino = pytest.importorskip("openvino")
    path = Path(openvino.__file__).parent / "include" / "openvino" / "opsets" / f"opset{opset}_tbl.hpp"
    if not path.is_file():
        pytest.skip("the installed openvino has no headers")
    found = re.findall(r"^_OPENVINO_OP_REG\((\w+),\s*ov::op::v(\d+)\)", path.read_text(), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("opset", range(1, NEWEST_OPSET + 1))
def test_opsets_hold_what_the_runtimes_do(opset: int) -> None:
    theirs = runtime_table(opset)
    names = {row.name for row in ROWS} - {"Const", "Parameter", "Result"}  # these are read with any opset
    for name in names:
        try:
            in_opset(name, opset)
        except UnsupportedError:
            assert name not in theirs
        else:
            assert name in theirs


@pytest.mark.parametrize("name", sorted({row.name for row in ROWS} - {"Const", "Parameter", "Result"}))
def test_versions_change_where_the_runtimes_do(name: str) -> None:
    changes: list[int] = []
    version = None
    for opset in range(1, NEWEST_OPSET + 1):
        other = runtime_table(opset).get(name)
        if other not in (None, version):
            changes.append(opset)
            version = other
    assert changes == sorted(row.since for row in ROWS if row.name == name)


def test_every_row_says_what_it_does() -> None:
    for row in ROWS:
        assert row.rule
        assert row.source == f"Operation specifications, {row.title}".replace("Const-", "Constant-")


REFUSALS: list[tuple[Any, tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (ov.gather_elements, (THREE, [3], 0), {}, IndexOutOfRangeError,
     "GatherElements-6: indices[0] is 3, allowed -3..2 (axis 0 of data has size 3); correct the index, "
     "or choose a rule that does not raise"),
    (ov.gather_elements, (THREE, np.uint8([0]), 0), {}, InvalidTypeError,
     "GatherElements-6: indices has dtype uint8, allowed int32, int64; convert it first"),
    (ov.gather_elements, (np.ones((2, 3)), [[0]], 0), {}, InvalidValueError, "GatherElements-6: "),
    (ov.gather_elements, (np.float32(1), [0], 0), {}, InvalidValueError,
     "GatherElements-6: data is a scalar, allowed 1 axis and more; reshape it"),
    (ov.gather_nd, (THREE, [[3]]), {}, IndexOutOfRangeError, "GatherND-8: indices[0, 0] is 3, allowed -3..2"),
    (ov.gather_nd, (THREE, [[0, 0]]), {}, InvalidValueError, "GatherND-8: "),
    (ov.gather_nd, (THREE, [[0]]), {"batch_dims": 1}, InvalidValueError, "GatherND-8: batch_dims is 1, allowed 0..0"),
    (ov.gather_tree, (np.ones((1, 1, 1)), np.zeros((1, 1, 1)), [1.0], [0.0]), {}, InvalidValueError,
     "GatherTree-1: end_token has 1 axis, allowed a scalar; reshape it"),
    (ov.scatter_update, (THREE, [-1], np.float32([9]), 0), {}, IndexOutOfRangeError,
     "ScatterUpdate-3: indices[0] is -1, allowed 0..2"),
    (ov.scatter_update, (THREE, [0], np.int32([9]), 0), {}, InvalidTypeError,
     "ScatterUpdate-3: updates has dtype int32, allowed float32, that of data"),
    (ov.scatter_elements_update, (THREE, [-4], np.float32([9]), 0), {}, IndexOutOfRangeError,
     "ScatterElementsUpdate-12: indices[0] is -4, allowed -3..2"),
    (ov.scatter_elements_update, (THREE, [0], np.float32([9]), 0), {"opset": 11, "reduction": "sum"}, InvalidValueError,
     "ScatterElementsUpdate-3: reduction is sum, allowed none: ScatterElementsUpdate-3 has no reduction; "
     "use opset 12 or newer"),
    (ov.scatter_elements_update, (THREE, [0], np.float32([9]), 0), {"reduction": "add"}, InvalidValueError,
     "ScatterElementsUpdate-12: reduction is 'add', allowed none, sum, prod, min, max, mean"),
    (ov.scatter_elements_update, ([True], [0], [True], 0), {"reduction": "mean"}, InvalidTypeError,
     "ScatterElementsUpdate-12: data has dtype bool"),
    (ov.scatter_nd_update, (THREE, [[3]], np.float32([9])), {}, IndexOutOfRangeError,
     "ScatterNDUpdate-15: indices[0, 0] is 3, allowed -3..2"),
    (ov.scatter_nd_update, (THREE, [[0]], np.float32([9])), {"opset": 3}, UnsupportedError,
     "ScatterNDUpdate: version of ScatterNDUpdate is opset3, allowed opset4 and newer"),
    (ov.scatter_nd_update, (THREE, np.uint8([[0]]), np.float32([9])), {"opset": 4}, InvalidTypeError,
     "ScatterNDUpdate-3: indices has dtype uint8, allowed int32, int64; convert it first"),
    (ov.slice_scatter, (THREE, np.float32([1]), [0], [2], [1]), {}, InvalidValueError,
     "SliceScatter-15: updates has sizes [1], allowed [2], those of the slice"),
    (ov.slice, (THREE, [0], [1], [0]), {}, InvalidValueError, "Slice-8: step[0] is 0"),
    (ov.slice, (THREE, [0, 0], [1, 1], [1, 1], [0, -1]), {}, InvalidValueError, "Slice-8: axes is [0, -1]"),
    (ov.slice, (THREE, 0, [1], [1]), {}, InvalidValueError, "Slice-8: start is a scalar, allowed 1 axis; reshape it"),
    (ov.slice, (THREE, [0, 0], [1], [1]), {}, InvalidValueError, "Slice-8: stop has 1 entries, allowed 2 as start"),
    (ov.strided_slice, (THREE, [3], [0]), {"begin_mask": [0], "end_mask": [0], "shrink_axis_mask": [1]},
     InvalidValueError, "StridedSlice-1: begin[0] is 3, allowed -3..2"),
    (ov.strided_slice, (THREE, [0], [0]), {"begin_mask": [2], "end_mask": [0]}, InvalidValueError,
     "StridedSlice-1: begin_mask[0] is 2, allowed 0 or 1"),
    (ov.strided_slice, (THREE, [0, 0], [0, 0]), {"begin_mask": [0], "end_mask": [0], "ellipsis_mask": [1, 1]},
     InvalidValueError, "StridedSlice-1: ellipsis_mask is [1, 1], allowed at most one 1"),
    (ov.pad, (THREE, [3], [0], "reflect"), {}, InvalidValueError, "Pad-12: pads of axis 0 is 3 and 0, allowed up to 2"),
    (ov.pad, (THREE, [0], [0], "wrap"), {}, InvalidValueError,
     "Pad-12: pad_mode is 'wrap', allowed constant, edge, reflect, symmetric"),
    (ov.pad, (THREE, [1], [0], "constant", np.float32([1])), {}, InvalidValueError,
     "Pad-12: pad_value has 1 axis, allowed a scalar; reshape it"),
    (ov.pad, (THREE, [1], [0], "constant", np.int32(1)), {"opset": 1}, InvalidTypeError,
     "Pad-1: pad_value has dtype int32, allowed float32, that of data"),
    (ov.tile, (THREE, 2), {}, InvalidValueError, "Tile-1: repeats is a scalar, allowed 1 axis; reshape it"),
    (ov.broadcast, (THREE, [1]), {}, InvalidValueError, "Broadcast-3: size of axis 0 of data is 3, allowed 1"),
    (ov.broadcast, (THREE, [3], [1]), {"mode": "explicit"}, InvalidValueError,
     "Broadcast-3: axes_mapping is [1], allowed ascending axes in 0..0"),
    (ov.broadcast, (THREE, [3]), {"mode": "bidirectional", "opset": 1}, InvalidValueError,
     "Broadcast-1: mode is 'bidirectional', allowed numpy, explicit, none"),
    (ov.transpose, (THREE, [-1]), {}, InvalidValueError, "Transpose-1: input_order[0] is -1, allowed 0..0"),
    (ov.transpose, (THREE, [0, 0]), {}, InvalidValueError, "Transpose-1: input_order is [0, 0]"),
    (ov.reshape, (THREE, [-1, -1], True), {}, InvalidValueError,
     "Reshape-1: shape is [-1, -1], allowed at most one -1"),
    (ov.reshape, (THREE, [3, 0], True), {}, InvalidValueError,
     "Reshape-1: shape[1] is 0, allowed 0 at positions below 1"),
    (ov.reshape, (THREE, [0, -1], False), {}, InvalidValueError, "Reshape-1: shape is [0, -1]"),
    (ov.squeeze, (THREE, [1]), {}, InvalidValueError, "Squeeze-15: axes[0] is 1, allowed -1..0"),
    (ov.squeeze, (THREE,), {"opset": 14, "allow_axis_skip": True}, InvalidValueError,
     "Squeeze-1: allow_axis_skip is True, allowed false: Squeeze-1 has no allow_axis_skip; use opset 15 or newer"),
    (ov.unsqueeze, (THREE, []), {}, InvalidValueError, "Unsqueeze-1: axes has 0 elements, allowed 1 and more"),
    (ov.unsqueeze, (THREE, [2]), {}, InvalidValueError, "Unsqueeze-1: axes[0] is 2, allowed -2..1"),
    (ov.depth_to_space, (np.ones((1, 3, 1)), "blocks_first", 2), {}, InvalidValueError,
     "DepthToSpace-1: size of axis 1 of data is 3, allowed multiples of 2"),
    (ov.depth_to_space, (np.ones((1, 3)), "blocks_first"), {}, InvalidValueError,
     "DepthToSpace-1: data has 2 axes, allowed 3 axes and more; reshape it"),
    (ov.space_to_depth, (np.ones((1, 1, 3)), "blocks_first", 0), {}, InvalidValueError,
     "SpaceToDepth-1: block_size is 0, allowed 1 and more"),
    (ov.batch_to_space, (np.ones((2, 1)), [2, 1], [0, 0], [0, 0]), {}, InvalidValueError,
     "BatchToSpace-2: block_shape[0] is 2, allowed 1: the batch has no blocks"),
    (ov.batch_to_space, (np.ones((2, 1)), [1, 2], [0, 2], [0, 1]), {}, InvalidValueError, "BatchToSpace-2: "),
    (ov.space_to_batch, (np.ones((1, 3)), [1, 2], [0, -1], [0, 0]), {}, InvalidValueError,
     "SpaceToBatch-2: pads_begin[1] is -1, allowed 0 and more"),
    (ov.space_to_batch, (np.ones((1, 3)), [1, 3], np.int32([0, 0]), [0, 0]), {}, InvalidTypeError,
     "SpaceToBatch-2: pads_begin has dtype int32, allowed int64, that of block_shape"),
    (ov.shuffle_channels, (THREE, 0, 2), {}, InvalidValueError, "ShuffleChannels-1: size of axis 0 of data is 3"),
    (ov.shuffle_channels, (THREE, 0, 3), {"opset": 2}, UnsupportedError,
     "ShuffleChannels: ShuffleChannels is not in opset2, allowed opset1..opset16 without opset2"),
    (ov.extract_image_patches, (np.ones((1, 1, 2, 2)), [1, 1], [0, 1], [1, 1], "valid"), {}, InvalidValueError,
     "ExtractImagePatches-3: strides[0] is 0, allowed 1 and more"),
    (ov.col2im, (np.ones((1, 2)), [1, 2, 3], [1, 1]), {}, InvalidValueError,
     "Col2Im-15: output_size has 3 elements, allowed 2"),
    (ov.reverse, (THREE, [True], "index"), {}, InvalidTypeError,
     "Reverse-1: reversed_axes has dtype bool, allowed integers in mode index; convert it"),
    (ov.reverse, (THREE, [0], "index"), {"opset": 2}, UnsupportedError,
     "Reverse: Reverse is not in opset2, allowed opset1"),
    (ov.reverse_sequence, (np.ones((1, 2)), [3]), {}, InvalidValueError,
     "ReverseSequence-1: seq_lengths[0] is 3, allowed 0..2"),
    (ov.reverse_sequence, (np.ones((1, 2)), [1], 1, 1), {}, InvalidValueError, "ReverseSequence-1: "),
    (ov.roll, (THREE, np.uint8(1), 0), {}, InvalidTypeError, "Roll-7: shift has dtype uint8, allowed int32, int64"),
    (ov.roll, (THREE, [1, 2], [0]), {}, InvalidValueError, "Roll-7: shift has 2 entries, allowed 1 as axes"),
    (ov.unique, (THREE, 1), {}, InvalidValueError, "Unique-10: axis is 1, allowed -1..0"),
    (ov.unique, (THREE,), {"index_element_type": "i8"}, InvalidValueError,
     "Unique-10: index_element_type is int8, allowed int32, int64"),
    (ov.one_hot, ([0], 0, 1, 0, -1), {}, InvalidValueError, "OneHot-16: depth is 0, allowed 1 and more"),
    (ov.one_hot, ([0], 1, 1.0, 0, -1), {}, InvalidTypeError,
     "OneHot-16: off_value has dtype int64, allowed float64, that of on_value"),
    (ov.one_hot, ([0], 1, 1, 0, -1, "normalize"), {"opset": 15}, InvalidValueError,
     "OneHot-1: negative_indices_mode is normalize, allowed ignore_negative: OneHot-1 has no negative_indices_mode; "
     "use opset 16 or newer"),
    (ov.range, (0, 1, 0, "i32"), {}, InvalidValueError, "Range-4: step is 0, allowed any number but 0"),
    (ov.range, (0, 1, 1), {}, InvalidValueError, "Range-4: output_type is missing, and has no default"),
    (ov.eye, (-1, 1, 0, "i32"), {}, InvalidValueError, "Eye-9: num_rows is -1, allowed 0 and more"),
    (ov.eye, (1, -1, 0, "i32"), {}, InvalidValueError, "Eye-9: num_columns is -1, allowed 0 and more"),
    (ov.eye, (1, 1, 0, "i32", [2, -1]), {}, InvalidValueError, "Eye-9: batch_shape[1] is -1, allowed 0 and more"),
    (ov.eye, (1, 1, 0, "i32", 2), {}, InvalidValueError, "Eye-9: batch_shape is a scalar, allowed 1 axis; reshape it"),
    (ov.eye, (1, 1, [0, 1], "i32"), {}, InvalidValueError, "Eye-9: diagonal_index has 2 elements, allowed 1"),
    (ov.eye, (np.uint8(1), 1, 0, "i32"), {}, InvalidTypeError,
     "Eye-9: num_rows has dtype uint8, allowed int32, int64; convert it first"),
    (ov.eye, (1, 1, 0, "f8e8m0"), {}, InvalidTypeError,
     "Eye-9: output_type is float8_e8m0fnu, allowed bool, integers and floats; they have a zero and a one"),
    (ov.eye, (1, 1, 0, "i32"), {"opset": 8}, UnsupportedError,
     "Eye: version of Eye is opset8, allowed opset9 and newer"),
    (ov.eye, (2**40, 2**40, 0, "i32"), {}, SizeOverflowError, "Eye-9: "),
    (ov.select, ([1], [1], [1]), {}, InvalidTypeError,
     "Select-1: cond has dtype int64, allowed bool; convert it first"),
    (ov.select, ([True], [1], [1], "pdpd"), {}, UnsupportedError,
     "Select-1: auto_broadcast is 'pdpd', which wherry does not have; it has numpy"),
    (ov.convert, (THREE, "complex"), {}, InvalidTypeError,
     "Convert-1: destination_type is 'complex', allowed boolean, "),
    (ov.string_tensor_pack, ([0], [4], np.uint8([65])), {}, IndexOutOfRangeError,
     "StringTensorPack-15: the run at [0] is 0..4"),
    (ov.string_tensor_unpack, ([1],), {}, InvalidTypeError,
     "StringTensorUnpack-15: data has dtype int64, allowed string"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "options", "kind", "words"), REFUSALS)
def test_refusals(function: Any, arguments: Any, options: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(WherryError) as caught:
        function(*arguments, **options)
    assert isinstance(caught.value, kind)
    assert str(caught.value).startswith(f"OpenVINO {words}")


def test_an_axis_of_unique_must_be_a_constant(tmp_path: Path) -> None:
    layers = (
        ir.parameter(0) + ir.parameter(1, "", "i64")
        + ir.layer(2, "Unique", "", [0, 1], [ir.port(2 + part, "FP32") for part in range(4)], version="opset10")
        + ir.result(3)
    )  # fmt: skip
    edges = ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0)
    with pytest.raises(
        InvalidValueError, match=r"'n2' \(layer 2\): axis is known only at run, allowed a constant; make it a Const"
    ):
        wh.load(ir.write(tmp_path, ir.net(layers, edges)))


def test_shapes_computed_in_the_graph(tmp_path: Path) -> None:
    """ShapeOf -> Gather -> Concat -> Reshape of an input of unknown sizes, there and back."""
    weights = np.array([1, 0, -1], np.int64).tobytes()
    layers = (
        ir.parameter(0, "?,?", names="x")
        + ir.const(1, "i64", "1", 0, 8) + ir.const(2, "i64", "", 8, 8) + ir.const(3, "i64", "1", 16, 8)
        + ir.layer(4, "ShapeOf", 'output_type="i64"', [0], [ir.port(1, "I64")], version="opset3")
        + ir.layer(5, "Gather", "", [0, 1, 2], [ir.port(3, "I64")], version="opset8")
        + ir.layer(6, "Concat", 'axis="0"', [0, 1], [ir.port(2, "I64")])
        + ir.layer(7, "Reshape", 'special_zero="false"', [0, 1], [ir.port(2, "FP32", "y")])
        + ir.result(8)
    )  # fmt: skip
    ends = [(0, 0, 4, 0), (4, 1, 5, 0), (1, 0, 5, 1), (2, 0, 5, 2), (5, 3, 6, 0), (3, 0, 6, 1), (0, 0, 7, 0),
            (6, 2, 7, 1), (7, 2, 8, 0)]  # fmt: skip
    path = ir.write(tmp_path, ir.net(layers, "".join(ir.edge(*end) for end in ends)), weights)
    model = wh.load(path)
    assert str(model.outputs["y"]) == "float32[?, ?]"
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert_same_bits(model.run([x])["y"], x.reshape(3, 2))
    again = round_trip(model.graph, tmp_path)
    assert_same_graph(again, model.graph)


F = TensorType("float32", (2, 1, 3))
I = TensorType("int64", (2, 1, 3))  # noqa: E741


@pytest.mark.parametrize(
    ("operator", "kinds", "kind"),
    [
        (Slice((0,), (2,)), [F], "Slice"),
        (Slice((1, 2), axes=(0, 2), steps=(-1, -2), sizes=(2, 2)), [F], "Slice"),
        (Squeeze((1,)), [F], "Squeeze"),
        (Squeeze((), "none"), [F], "Identity"),
        (Squeeze(), [F], "Squeeze"),
        (Flatten(2), [F], "Reshape"),
        (Cast("float16"), [F], "Convert"),
        (Eye(np.float16(1), (2, 3), -1, 0), [], "Eye"),
        (Eye.eye(2, 3, 1, "int64", (0, 2)), [], "Eye"),
        (Cast("bool", integer_overflow="saturate"), [I], "Convert"),
        (Range(np.int32(9), np.int32(-2), np.int32(0)), [], "Range"),
        (Unsqueeze((0, -1)), [F], "Unsqueeze"),
        (Reshape((0, -1)), [F], "Reshape"),
        (Transpose(), [F], "Transpose"),
        (Transpose((2, 0, 1)), [F], "Transpose"),
        (Expand((4, 2, 2, 3)), [F], "Broadcast"),
        (Tile((1, 2, 1)), [F], "Tile"),
        (Tile((3,), axis=1), [F], "Tile"),
        (Pad((1,), (2,), "edge", axes=(2,)), [F], "Pad"),
        (Pad((1, 0, -1), (0, 0, 0), value=1.5), [F], "Pad"),
        (GatherElements(2, off_axis="at_most"), [F, I], "GatherElements"),
        (GatherND(1, least_indices=1), [F, TensorType("int64", (2, 2))], "GatherND"),
        (ScatterElements(axis=1, reduction="add", nan="update"), [F, I, F], "ScatterElementsUpdate"),
        (ScatterND(use_init_val=False), [F, TensorType("int64", (1, 3)), TensorType("float32", (1,))],
         "ScatterNDUpdate"),
    ],
    ids=str,
)  # fmt: skip
def test_operators_of_other_dialects_are_written(
    tmp_path: Path, operator: Operator, kinds: list[TensorType], kind: str
) -> None:
    """Rules that do not matter on these inputs do not stand in the way; results stay what they were."""
    builder = GraphBuilder()
    for number, each in enumerate(kinds):
        builder.add_input(f"x{number}", each)
    builder.add(operator, list(builder.types), ["y"], "ONNX")
    graph = builder.build(["y"])
    again = round_trip(graph, tmp_path)
    assert f'type="{kind}"' in (tmp_path / "m.xml").read_text()
    assert_same_graph(round_trip(again, tmp_path), again)
    random = np.random.default_rng(0)
    arrays = [np.zeros(each.shape, int) if each.row.is_integer else random.random(each.shape).astype(np.float32)
              for each in kinds]  # fmt: skip
    expected = GraphModel(graph, "onnx").run(arrays)["y"]
    assert_same_bits(GraphModel(again, "openvino").run(arrays)["y"], expected)


@pytest.mark.parametrize(
    ("operator", "words"),
    [
        (Pad((1, 0, 0), (0, 0, 0), "wrap"), "Pad-1 has no mode wrap; Pad-12 has no mode wrap"),
        (Pad((-1, 0, 0), (1, 0, 0), "edge"), "Pad-1 has mixed_signs original; Pad-12 has mixed_signs original"),
        (
            Expand((2, 2, 1, 3), "start", start=1),
            "Broadcast-1 has no alignment start; Broadcast-3 has no alignment start",
        ),
        (NonZero(np.array(1)), "NonZero-3 has scalar one"),
        (
            Range(np.float32(0), np.float32(1), np.float32(3)),
            "Range-4 has steps accumulate: each element is the one before plus delta",
        ),
        (Eye(np.float32(1), (2, 2), 0, 2), "Eye-9 has one diagonal"),
        (Eye(np.float32(2), (2, 2), 0, 1), "Eye-9 has ones"),
        (Cast("int8"), "Convert-1 has float_to_integer indefinite"),
        (Range(np.int64(0), np.int64(1), sizes=(3,)), "Range-4 needs a limit"),
    ],
    ids=str,
)
def test_what_openvino_cannot_express(tmp_path: Path, operator: Operator, words: str) -> None:
    builder = GraphBuilder()
    builder.add_input("x", F)
    builder.add(operator, ["x"] if operator.input_names else [], ["y"], "ONNX 'n'")
    with pytest.raises(UnsupportedError) as caught:
        wh.openvino.write(builder.build(["y"]), tmp_path / "m.xml")
    assert str(caught.value) == f"ONNX 'n': OpenVINO cannot express {operator}: {words}"
    assert not (tmp_path / "m.xml").exists()


def test_one_hot_with_off_and_on_in_one_vector(tmp_path: Path) -> None:
    builder = GraphBuilder()
    builder.add_input("x", I)
    builder.add_constant("values", np.float32([0, 1]))
    builder.add(OneHot(3), ["x", "values"], ["y"], "ONNX OneHot-11")
    with pytest.raises(UnsupportedError, match="OneHot-16 takes indices, on_value, off_value"):
        wh.openvino.write(builder.build(["y"]), tmp_path / "m.xml")


def test_deferred_operators_of_other_dialects_are_written(tmp_path: Path) -> None:
    builder = GraphBuilder()
    builder.add_input("x", F)
    builder.add_input("shape", TensorType("int32", (2,)))
    fixed = (("alignment", "two_way"),)
    builder.add(Deferred(Expand, fixed, (("shape", 1),)), ["x", "shape"], ["y"], "ONNX")
    again = round_trip(builder.build(["y"]), tmp_path)
    x = np.ones((2, 1, 3), np.float32)
    assert_same_bits(GraphModel(again, "openvino").run([x, np.int32([4, 3])])["y"], np.ones((2, 4, 3), np.float32))


def test_an_eye_of_sizes_known_at_run(tmp_path: Path) -> None:
    builder = GraphBuilder()
    for name, kind in {"rows": TensorType("int64", ()), "k": TensorType("int32", (1,)),
                       "batch": TensorType("int32", (2,))}.items():  # fmt: skip
        builder.add_input(name, kind)
    builder.add(Deferred(Eye.eye, (("columns", 3), ("dtype", "uint8")), (("rows", 0), ("k", 1), ("batch", 2)),
                         makes=Eye), ["rows", "k", "batch"], ["y"], "OpenVINO Eye-9")  # fmt: skip
    graph = builder.build(["y"])
    assert str(graph.types["y"]) == "uint8[?, ?, ?, 3]"
    again = round_trip(graph, tmp_path)
    given = [np.int64(2), np.int32([-1]), np.int32([1, 2])]
    expected = np.broadcast_to(np.eye(2, 3, -1, np.uint8), (1, 2, 2, 3))
    assert_same_bits(GraphModel(graph, "openvino").run(given)["y"], expected)
    assert_same_bits(GraphModel(again, "openvino").run(given)["y"], expected)
    with pytest.raises(InvalidValueError, match="rows is -1, allowed 0 and more"):
        GraphModel(again, "openvino").run([np.int64(-1), *given[1:]])


def test_the_page_has_every_row() -> None:
    page = (Path(__file__).parents[3] / "docs" / "openvino.md").read_text()
    for row in ROWS:
        if row.build is not None:
            assert f"| {row.title} | " in page
            assert f" | {row.rule} |" in page
