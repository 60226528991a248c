"""What each ONNX operator refuses, in its words; as functions, which say version, field, value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto

import wherry as wh
from tests.dialects.onnx import test_arithmetic_refusals as arithmetic
from wherry import dtypes
from wherry.dialects.onnx.types import by_number, number_of
from wherry.errors import IndexOutOfRangeError, InvalidTypeError, InvalidValueError, UnsupportedError

F = np.arange(6, dtype=np.float32).reshape(2, 3)
I = np.array([[0, 1, 0]])  # noqa: E741
INDEX, VALUE, TYPE, LACKS = IndexOutOfRangeError, InvalidValueError, InvalidTypeError, UnsupportedError
o = wh.onnx

REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "gather_elements index": (lambda: o.gather_elements(F, [[2, 0, 0]]), INDEX,
                              r"GatherElements-13: indices\[0, 0\] is 2, allowed -2\.\.1"),
    "gather_elements rank": (lambda: o.gather_elements(F, [0]), VALUE,
                             "indices has 1 axes, allowed 2, as many as data"),
    "gather_elements off axis": (lambda: o.gather_elements(F, [[0, 0, 0, 0]]), VALUE,
                                 "size of axis 1 of indices is 4, allowed up to 3"),
    "gather_elements axis": (lambda: o.gather_elements(F, I, 2), VALUE, r"axis is 2, allowed -2\.\.1"),
    "gather_elements type": (lambda: o.gather_elements(F, I.astype(np.int8)), TYPE,
                             "indices has dtype int8, allowed int32"),
    "gather_elements opset": (lambda: o.gather_elements(F, I, opset=10), LACKS,
                              "GatherElements: version of GatherElements is 10, allowed 11 and newer"),
    "gather_nd index": (lambda: o.gather_nd(F, [[0, -4]]), INDEX,
                        r"GatherND-13: indices\[0, 1\] is -4, allowed -3\.\.2"),
    "gather_nd none": (lambda: o.gather_nd(F, np.zeros((1, 0), int)), VALUE,
                       "last axis of indices is 0, allowed 1 and more"),
    "gather_nd long": (lambda: o.gather_nd(F, [[0, 0, 0]]), VALUE, "size of axis 1 of indices is 3, allowed 0"),
    "gather_nd batch": (lambda: o.gather_nd(F, [[0]], 1), VALUE, "indices has size 1 on axis 0, allowed 2"),
    "gather_nd many batches": (lambda: o.gather_nd(F, [[0]], 2), VALUE, r"batch_dims is 2, allowed 0\.\.1"),
    "gather_nd negative batch": (lambda: o.gather_nd(F, [[0]], -1), VALUE, "batch_dims is -1, allowed 0 and more"),
    "gather_nd batch at 11": (lambda: o.gather_nd(F, [[0]], 1, opset=11), VALUE,
                              "GatherND-11: batch_dims is given, allowed data, indices; this version does not have it"),
    "gather_nd int32": (lambda: o.gather_nd(F, np.zeros((1, 1), np.int32)), TYPE,
                        "indices has dtype int32, allowed int64"),
    "scatter": (lambda: o.scatter(F, I, I * 1.0, opset=11), LACKS,
                "Scatter-11: Scatter is deprecated from version 11 on; use ScatterElements"),
    "scatter negative": (lambda: o.scatter(F[0], [-1], F[0, :1]), INDEX,
                         r"Scatter-9: indices\[0\] is -1, allowed 0\.\.2"),
    "scatter_elements updates": (lambda: o.scatter_elements(F, I, F), VALUE,
                                 r"updates has sizes \[2, 3\], allowed \[1, 3\]"),
    "scatter_elements word": (lambda: o.scatter_elements(F, I, F[:1], 0, "max", opset=16), VALUE,
                              "ScatterElements-16: reduction is 'max', allowed 'none', 'add', 'mul'"),
    "scatter_elements word at 13": (lambda: o.scatter_elements(F, I, F[:1], 0, "add", opset=13), VALUE,
                                    "ScatterElements-13: reduction is given, allowed data, indices, updates, axis"),
    "scatter_elements strings": (lambda: o.scatter_elements(["a"], [0], ["b"], reduction="add"), TYPE,
                                 "data has dtype .*, allowed int8, .* for the reduction add"),
    "scatter_elements types": (lambda: o.scatter_elements(F, I, I), TYPE,
                               "updates has dtype int64, allowed float32 as data"),
    "scatter_nd index": (lambda: o.scatter_nd(F, [[2]], F[:1]), INDEX,
                         r"ScatterND-18: indices\[0, 0\] is 2, allowed -2\.\.1"),
    "scatter_nd updates": (lambda: o.scatter_nd(F, [[1]], F), VALUE, r"updates has sizes \[2, 3\], allowed \[1, 3\]"),
    "scatter_nd sub": (lambda: o.scatter_nd(F, [[1]], F[:1], "sub"), VALUE,
                       "reduction is 'sub', allowed 'none', 'add'"),
    "tensor_scatter batch axis": (lambda: o.tensor_scatter(F, F, [0, 0], 0), VALUE,
                                  "axis is 0, allowed any axis but 0"),
    "tensor_scatter first axis": (lambda: o.tensor_scatter(F, F, [0, 0], -2), VALUE, "batch_dims is 1, allowed up to"),
    "tensor_scatter mode": (lambda: o.tensor_scatter(F, F, [0, 0], 1, "round"), VALUE,
                            "mode is 'round', allowed 'linear'"),
    "tensor_scatter beyond": (lambda: o.tensor_scatter(F, F[:, :2], [0, 2], 1), INDEX,
                              r"write_indices\[1\] is 2, allowed 0\.\.1 \(axis 1 of past_cache has size 3, updates 2"),
    "tensor_scatter negative": (lambda: o.tensor_scatter(F, F[:, :2], [0, -1], 1, "circular"), INDEX,
                                r"indices\[1\] is -1"),
    "tensor_scatter large": (lambda: o.tensor_scatter(F[:, :2], F, [0, 0], 1), VALUE,
                             r"size of axis 1 of update is 3"),
    "slice step": (lambda: o.slice(F, [0], [1], [0], [0]), VALUE,
                   r"Slice-13: steps\[0\] is 0, allowed any number but 0"),
    "slice axes": (lambda: o.slice(F, [0, 0], [1, 1], [0, -2]), VALUE, r"axes is \[0, -2\], allowed each axis once"),
    "slice axis": (lambda: o.slice(F, [0], [1], [2]), VALUE, r"axes\[0\] is 2, allowed -2\.\.1"),
    "slice lengths": (lambda: o.slice(F, [0], [1, 2]), VALUE, "ends has 2 entries, allowed 1 as starts"),
    "slice many": (lambda: o.slice(F, [0] * 3, [1] * 3), VALUE, "starts has 3 entries, allowed up to 2"),
    "slice steps at 1": (lambda: o.slice(F, [0], [1], [0], [1], opset=1), VALUE,
                         "Slice-1: steps is given, allowed data"),
    "slice negative axis at 10": (lambda: o.slice(F, [0], [1], [-1], opset=10), VALUE,
                                  r"Slice-10: axes\[0\] is -1, allowed 0 and more; a negative axis counts"),
    "slice types": (lambda: o.slice(F, np.array([0], np.int32), [1]), TYPE,
                    "ends has dtype int64, allowed int32 as starts"),
    "compress longer": (lambda: o.compress(F, [False, False, True], 0), VALUE,
                        r"condition\[2\] is True, allowed False"),
    "compress type": (lambda: o.compress(F, [0, 1], 0), TYPE, "condition has dtype int64, allowed bool"),
    "compress axis at 9": (lambda: o.compress(F, [True], -1, opset=9), VALUE,
                           "Compress-9: axis is -1, allowed 0 and more"),
    "where sizes": (lambda: o.where([True], F, F[:, :2]), VALUE, "y has size 2 on axis -1, allowed 1 or 3"),
    "where types": (lambda: o.where([True], F, I), TYPE, "Y has dtype int64, allowed float32 as X"),
    "where number": (lambda: o.where([True], I, 0.5), VALUE, r"Y is 0\.5, allowed a value of int64"),
    "tile": (lambda: o.tile(F, [2]), VALUE, "repeats has 1 entries, allowed 2"),
    "tile negative": (lambda: o.tile(F, [2, -1]), VALUE, r"repeats\[1\] is -1, allowed 0 and more"),
    "tile of halves": (lambda: o.tile(F, np.float32(1.5), np.float32(0), opset=1), VALUE,
                       "tiles is 1.5, allowed a whole"),
    "tile without axis": (lambda: o.tile(F, np.float32(1), opset=1), VALUE, "Tile-1: input axis is missing"),
    "pad mode": (lambda: o.pad(F, [0] * 4, mode="wrap", opset=18), VALUE, "Pad-18: mode is 'wrap', allowed 'constant'"),
    "pad symmetric": (lambda: o.pad(F, [0] * 4, mode="symmetric"), VALUE, "mode is 'symmetric', allowed .*, 'wrap'"),
    "pad count": (lambda: o.pad(F, [0, 1]), VALUE, "pads has 1 entries, allowed 2"),
    "pad odd": (lambda: o.pad(F, [0, 1, 2]), VALUE, "pads has 3 entries, allowed an even number"),
    "pad too much": (lambda: o.pad(F, [-2, 0, -1, 0]), VALUE,
                     "pads of axis 0 is -2 and -1, allowed a sum of -2 and more"),
    "pad nothing": (lambda: o.pad(F[:, :0], [0, 1, 0, 0], mode="edge"), VALUE,
                    "size of axis 1 of data is 0, allowed 1"),
    "pad value": (lambda: o.pad(F, [0, 1, 0, 0], [1.0, 2.0]), TYPE,
                  "constant_value has dtype float64, allowed float32"),
    "pad values": (lambda: o.pad(F, [0, 1, 0, 0], F[0]), VALUE, r"value has sizes \[3\], allowed \[\] or \[1\]"),
    "pad axes": (lambda: o.pad(F, [1, 1, 0, 0], 0.0, [1, -1]), VALUE, r"axes is \[1, -1\], allowed each axis once"),
    "pad axes at 13": (lambda: o.pad(F, [1, 1], 0.0, [1], opset=13), VALUE,
                       "Pad-13: axes is given, allowed data, pads"),
    "pad crop at 1": (lambda: o.pad(F, [0, 0, 0, -1], opset=1), VALUE,
                      r"Pad-1: paddings\[3\] is -1, allowed 0 and more"),
    "pad int at 2": (lambda: o.pad(I, [0] * 4, opset=2), TYPE, "Pad-2: data has dtype int64, allowed float16, float32"),
    "transpose negative": (lambda: o.transpose(F, [0, -1]), VALUE, r"perm\[1\] is -1, allowed 0\.\.1"),
    "transpose twice": (lambda: o.transpose(F, [0, 0]), VALUE, r"perm is \[0, 0\], allowed each of 0\.\.1 once"),
    "expand": (lambda: o.expand(F, [4]), VALUE, r"size of axis 1 of input is 3, allowed 1 or 4"),
    "expand negative": (lambda: o.expand(F, [-1, 3]), VALUE, r"shape\[0\] is -1, allowed 0 and more"),
    "reshape": (lambda: o.reshape(F, [4]), VALUE, r"shape is \[4\], allowed sizes of 6 elements in all"),
    "reshape two": (lambda: o.reshape(F, [-1, -1]), VALUE, "allowed at most one -1"),
    "reshape low": (lambda: o.reshape(F, [-2, 3]), VALUE, r"shape\[0\] is -2, allowed -1"),
    "reshape zero": (lambda: o.reshape(F, [2, 3, 0]), VALUE, r"shape\[2\] is 0, allowed 0 at positions below 2"),
    "reshape 0 and -1": (lambda: o.reshape(F[:0], [0, -1], 1), VALUE, "-1 is what remains, and any number would do"),
    "reshape flag": (lambda: o.reshape(F, [6], 2), VALUE, "allowzero is 2, allowed 0, 1"),
    "reshape flag at 13": (lambda: o.reshape(F, [6], 1, opset=13), VALUE, "allowzero is given, allowed data, shape"),
    "squeeze": (lambda: o.squeeze(F, [0]), VALUE, "size of axis 0 of data is 2, allowed 1"),
    "squeeze twice": (lambda: o.squeeze(F[:1], [0, -2]), VALUE, r"axes is \[0, -2\], allowed each axis once"),
    "squeeze negative at 1": (lambda: o.squeeze(F[:1], [-2], opset=1), VALUE, r"Squeeze-1: axes\[0\] is -2, allowed 0"),
    "unsqueeze twice": (lambda: o.unsqueeze(F, [0, -4]), VALUE, r"axes is \[0, -4\], allowed each axis once"),
    "unsqueeze far": (lambda: o.unsqueeze(F, [3]), VALUE, r"axes\[0\] is 3, allowed -3\.\.2; the output has 3 axes"),
    "flatten": (lambda: o.flatten(F, 3), VALUE, r"axis is 3, allowed -2\.\.2"),
    "flatten scalar": (lambda: o.flatten(np.float32(1)), VALUE, r"axis is 1, allowed 0\.\.0"),
    "flatten negative at 9": (lambda: o.flatten(F, -1, opset=9), VALUE, "Flatten-9: axis is -1, allowed 0 and more"),
    "constant_of_shape size": (lambda: o.constant_of_shape([2, -1]), VALUE, r"sizes\[1\] is -1"),
    "constant_of_shape value": (lambda: o.constant_of_shape([2], [1, 2]), VALUE, "value has 2 elements, allowed 1"),
    "constant_of_shape type": (lambda: o.constant_of_shape([2], np.array(1, ml_dtypes.bfloat16), opset=9), TYPE,
                               "ConstantOfShape-9: dtype of value is bfloat16, allowed bool, int8"),
    "range delta": (lambda: o.range(0, 5, 0), VALUE, "Range-27: delta is 0, allowed any number but 0"),
    "range NaN": (lambda: o.range(0.0, np.nan, 1.0), VALUE, "limit is NaN, allowed numbers"),
    "range type": (lambda: o.range(np.float16(0), np.float16(1), np.float16(1), opset=11), TYPE,
                   "Range-11: start has dtype float16, allowed int16"),
    "range stash": (lambda: o.range(0, 1, 1, "int64"), VALUE, "stash_type is 7, allowed 1, 10, 11, 16"),
    "eye_like rank": (lambda: o.eye_like(F[0]), VALUE, "input has 1 axes, allowed 2"),
    "eye_like type": (lambda: o.eye_like(F, "bfloat16", opset=9), TYPE, "EyeLike-9: dtype is bfloat16, allowed bool"),
    "trilu rank": (lambda: o.trilu(F[0]), VALUE, "input has 1 axes, allowed 2 and more"),
    "trilu k": (lambda: o.trilu(F, [1, 2]), TYPE, "k is .*, allowed one integer"),
    "trilu upper": (lambda: o.trilu(F, upper=2), VALUE, "upper is 2, allowed 0, 1"),
    "shape start": (lambda: o.shape(F, 1, opset=13), VALUE, "Shape-13: start is given, allowed data"),
    "cast complex": (lambda: o.cast(F, "complex64"), TYPE, "Cast-25: to is complex64, allowed bool, int8"),
    "cast text": (lambda: o.cast(np.array(["1", "x"], object), "int64"), VALUE, r"Cast-25: input\[1\] is 'x'"),
    "cast string at 6": (lambda: o.cast(["1"], "int64", opset=6), TYPE, "Cast-6: input has dtype string"),
    "cast saturate": (lambda: o.cast(F, "float8_e5m2", 2), VALUE, "saturate is 2, allowed 0, 1"),
    "cast round": (lambda: o.cast(F, "float8_e8m0fnu", 1, "sideways"), VALUE, "round_mode is 'sideways', allowed 'up'"),
    "cast nf4": (lambda: o.cast(F, "nf4"), LACKS, "Cast-25: to is nf4, which ONNX does not have"),
    "depth_to_space rank": (lambda: o.depth_to_space(F, 2), VALUE, "input has 2 axes, allowed 4"),
    "depth_to_space five": (lambda: o.depth_to_space(np.zeros((1, 8, 1, 1, 1)), 2), VALUE,
                            "input has 5 axes, allowed 4"),
    "depth_to_space block": (lambda: o.depth_to_space(np.zeros((1, 4, 1, 1)), 0), VALUE,
                             "blocksize is 0, allowed 1 and more"),
    "depth_to_space channels": (lambda: o.depth_to_space(np.zeros((1, 5, 1, 1)), 2), VALUE, "multiples of 4"),
    "depth_to_space mode": (lambda: o.depth_to_space(np.zeros((1, 4, 1, 1)), 2, "RCD"), VALUE,
                            "mode is 'RCD', allowed 'DCR'"),
    "space_to_depth mode": (lambda: o.space_to_depth(np.zeros((1, 1, 2, 2)), 2, "CRD"), VALUE,
                            "mode is given, allowed input"),
    "reverse_sequence length": (lambda: o.reverse_sequence(F, [1, 3, 0]), VALUE,
                            r"sequence_lens\[1\] is 3, allowed 0\.\.2"),
    "reverse_sequence negative": (lambda: o.reverse_sequence(F, [1, -1, 0]), VALUE,
                            r"sequence_lens\[1\] is -1, allowed 0"),
    "reverse_sequence sizes": (lambda: o.reverse_sequence(F, [1]), VALUE,
                            "sequence_lens has size 1 on axis 0, allowed 3"),
    "reverse_sequence axis": (lambda: o.reverse_sequence(F, [1], 2), VALUE, "batch_axis is 2, allowed 0, 1"),
    "reverse_sequence axes": (lambda: o.reverse_sequence(F, [1, 1], 0, 0), VALUE,
                              "allowed different axes other than 0"),
    "one_hot depth": (lambda: o.one_hot([0], 0, [0, 1]), VALUE, "depth is 0, allowed 1 and more"),
    "one_hot values": (lambda: o.one_hot([0], 2, [0, 1, 2]), VALUE,
                       r"values has sizes \[3\], allowed \[2\]: off and on"),
    "one_hot axis": (lambda: o.one_hot([0], 2, [0, 1], 2), VALUE, r"axis is 2, allowed -2\.\.1"),
    "unique axis": (lambda: o.unique(F, 2), VALUE, r"axis is 2, allowed -2\.\.1"),
    "unique sorted": (lambda: o.unique(F, sorted=2), VALUE, "sorted is 2, allowed 0, 1"),
    "col2im one axis": (lambda: o.col2im(np.ones((1, 1, 1)), [1], [1]), VALUE, "image_shape has 1 entries, allowed 2"),
    "col2im pads": (lambda: o.col2im(np.ones((1, 1, 1)), [1, 1], [1, 1], pads=[0]), VALUE,
                    "pads has 1 entries, allowed 4"),
    "col2im windows": (lambda: o.col2im(np.ones((1, 1, 2)), [1, 1], [1, 1]), VALUE,
                       "size of axis 2 of input is 2, allowed 1"),
    "col2im strings": (lambda: o.col2im(np.array([[["a"]]], object), [1, 1], [1, 1]), TYPE, "elements are added"),
    "attribute": (lambda: o.flatten(F, "1"), TYPE, "axis is '1', allowed one integer"),
    "word": (lambda: o.pad(F, [0] * 4, mode=1), TYPE, "mode is 1, allowed a string"),
    "objects": (lambda: o.transpose(np.array([[None]])), TYPE, r"data\[0, 0\] is a .*NoneType.*, allowed str"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    call, error, text = REFUSALS[name]
    with pytest.raises(error, match=f"^ONNX .*{text}"):
        call()


def test_every_function_has_refusals() -> None:
    functions = {name for name in o.__all__ if name[0].islower()}
    functions -= {"read", "read_proto", "to_proto", "write", "gather", "split", "concat", "identity"}
    functions -= arithmetic.FUNCTIONS
    functions -= {"non_zero", "size", "cast_like"}  # they take all that their types allow
    assert functions == {name.split(" ")[0] for name in REFUSALS} - {"attribute", "word", "objects"}


def test_strings_of_several_widths() -> None:
    assert list(o.where([True, False], ["a", "b"], ["long", "longer"])) == ["a", "longer"]
    assert list(o.pad(np.array(["a"]), [1, 0], "fill")) == ["fill", "a"]


def test_numbers_of_element_types_are_those_of_onnx() -> None:
    for name, number in TensorProto.DataType.items():
        dtype = dtypes.by_spelling("onnx").get(name.lower())
        if dtype is not None:
            assert number_of(dtype) == number
            assert by_number("to", number) is dtype
    with pytest.raises(UnsupportedError, match="ONNX has no element type nf4"):
        number_of(dtypes.find("nf4"))
    with pytest.raises(InvalidValueError, match=r"to is 27, allowed numbers of TensorProto.DataType, 1\.\.26"):
        by_number("to", 27)
