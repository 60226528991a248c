"""Every rule on sizes, numbers and values of the family that DirectML answers with E_INVALIDARG, told in words."""

import math

import numpy as np
import pytest

from wherry.dialects import directml as dml
from wherry.errors import InvalidTypeError, InvalidValueError


def t(*sizes, data_type="FLOAT32", **members):
    return dml.BufferTensorDesc(data_type, sizes, **members)


def i(*sizes, data_type="UINT32"):
    return t(*sizes, data_type=data_type)


def elements(data, indices, out, axis=0):
    return dml.GatherElementsOperatorDesc(data, indices, out, axis)


def nd(data, indices, out, p, q, batch=None):
    if batch is None:
        return dml.GatherNdOperatorDesc(data, indices, out, p, q)
    return dml.GatherNd1OperatorDesc(data, indices, out, p, q, batch)


def scatter(data, indices, updates, out, axis=0):
    return dml.ScatterOperatorDesc(data, indices, updates, out, axis)


def scatter_nd(data, indices, updates, out, p, q):
    return dml.ScatterNdOperatorDesc(data, indices, updates, out, p, q)


def slice_(data, out, *fields, **named):
    return dml.SliceOperatorDesc(data, out, *fields, **named)


def window(data, out, *fields):
    return dml.Slice1OperatorDesc(data, out, *fields)


def tile(data, out, repeats, count=None):
    return dml.TileOperatorDesc(data, out, repeats, count)


def pad(data, out, mode, value, begins, ends):
    return dml.PaddingOperatorDesc(data, out, mode, value, begins, ends)


def pad1(data, out, data_type, value, begins, ends):
    return dml.Padding1OperatorDesc(data, out, "CONSTANT", data_type, value, begins, ends)


def reverse(data, lengths, out, axis):
    return dml.ReverseSubsequencesOperatorDesc(data, lengths, out, axis)


def hot(indices, values, out, axis):
    return dml.OneHotOperatorDesc(indices, values, out, axis)


def nonzero(data, count, coordinates):
    return dml.NonzeroCoordinatesOperatorDesc(data, count, coordinates)


RULES = [
    (elements(t(3, 2), i(3, 2), t(3, 2), 2), "Axis is 2, allowed 0..1; the tensors have 2 dimensions"),
    (elements(t(3, 2), i(3, 3), t(3, 3)), "IndicesTensor.Sizes[1] is 3, allowed 2; IndicesTensor.Sizes are [3, 2]"),
    (elements(t(3, 2), i(3, 1), t(3, 1)), "IndicesTensor.Sizes[1] is 1, allowed 2"),
    (elements(t(3, 2), i(5, 2), t(3, 2)), "OutputTensor.Sizes[0] is 3, allowed 5; OutputTensor.Sizes are [5, 2]:"),
    (elements(t(3, 2), i(5), t(5)), "IndicesTensor.DimensionCount is 1, allowed 2, InputTensor.DimensionCount"),
    (nd(t(2, 2), i(2, 1), t(2, 2), 0, 2), "InputDimensionCount is 0, allowed 1..2; InputTensor has 2 dimensions"),
    (nd(t(2, 2), i(2, 1), t(2, 2), 3, 2), "InputDimensionCount is 3, allowed 1..2"),
    (nd(t(2, 2), i(2, 1), t(2, 2), 2, 3), "IndicesDimensionCount is 3, allowed 1..2; IndicesTensor has 2 dimensio"),
    (nd(t(2, 2), i(2, 1), t(2, 2), 1, 2), "InputTensor.Sizes[0] is 2, allowed 1; InputDimensionCount is 1, so onl"),
    (nd(t(2, 2), i(2, 1), t(2, 2), 2, 1), "IndicesTensor.Sizes[0] is 2, allowed 1; IndicesDimensionCount is 1"),
    (nd(t(2, 2), i(1, 3), t(1, 1), 2, 1), "IndicesTensor.Sizes[1] is 3, allowed 1..2; InputDimensionCount is 2: t"),
    (nd(t(1, 2), i(2, 2), t(1, 2), 1, 2), "IndicesTensor.Sizes[1] is 2, allowed 1..1"),
    (nd(t(2, 2, 2), i(1, 2, 1), t(1, 2, 2), 3, 3), "IndicesDimensionCount is 3, allowed 1..2; the output would ne"),
    (nd(t(2, 2), i(2, 1), t(2, 1), 2, 2), "OutputTensor.Sizes[1] is 1, allowed 2; OutputTensor.Sizes are [2, 2]:"),
    (nd(t(2, 2), i(2, 1), t(1, 2), 2, 2, 2), "BatchDimensionCount is 2, allowed 0..1; below InputDimensionCount a"),
    (nd(t(2, 2), i(3, 1), t(1, 3), 2, 2, 1), "size of batch dimension 0 of IndicesTensor is 3, allowed 2; that of"),
    (nd(t(2, 2), i(2, 2), t(1, 2), 2, 2, 1), "IndicesTensor.Sizes[1] is 2, allowed 1..1; InputDimensionCount is 2"),
    (nd(t(2, 2), i(2, 2), t(1, 2), 2, 2, 1), "coordinates behind 1 batch dimensions"),
    (scatter(t(3), i(2), t(2), t(3), 1), "Axis is 1, allowed 0..0"),
    (scatter(t(3, 2), i(2, 3), t(2, 3), t(3, 2)), "IndicesTensor.Sizes[1] is 3, allowed 1..2, InputTensor.Sizes[1"),
    (scatter(t(3), i(2), t(3), t(3)), "UpdatesTensor.Sizes[0] is 3, allowed 2; UpdatesTensor.Sizes are [2]: those"),
    (scatter(t(3), i(2), t(2), t(4)), "OutputTensor.Sizes[0] is 4, allowed 3; OutputTensor.Sizes are [3]: those o"),
    (scatter_nd(t(1, 8), i(4, 1), t(1, 3), t(1, 8), 1, 2), "UpdatesTensor.Sizes[1] is 3, allowed 4; UpdatesTensor"),
    (scatter_nd(t(1, 8), i(4, 1), t(1, 4), t(1, 4), 1, 2), "OutputTensor.Sizes[1] is 4, allowed 8; OutputTensor.S"),
    (scatter_nd(t(2, 8), i(4, 1), t(1, 4), t(2, 8), 1, 2), "InputTensor.Sizes[0] is 2, allowed 1; InputDimensionC"),
    (slice_(t(5), t(2), [0], [2], [0]), "Strides[0] is 0, allowed 1 and more; a stride of 0 never moves on"),
    (slice_(t(5), t(3), [0], [2], [1]), "OutputTensor.Sizes[0] is 3, allowed 2; OutputTensor.Sizes are [2]: Sizes"),
    (slice_(t(5), t(3), [1], [3], [2]), "Offsets[0] + Strides[0] * (Sizes[0] - 1) is 5, allowed 0..4; InputTensor"),
    (slice_(t(5), t(1), [5], [1], [1]), "Offsets[0] + Strides[0] * (Sizes[0] - 1) is 5, allowed 0..4"),
    (slice_(t(5), t(2), [2**32 - 1], [2], [2**32 - 1]), "Sizes[0] - 1) is 8589934590, allowed 0..4"),
    (slice_(t(5), t(2), [0], [2], [1, 1]), "DimensionCount is 1, allowed 2; Strides has that many entries"),
    (slice_(t(5), t(2), [0], [2], [1], dimension_count=2), "DimensionCount is 2, allowed 1; Offsets has that many"),
    (slice_(t(5), t(2), [0, 0], [1, 2], [1, 1]), "DimensionCount is 2, allowed 1, InputTensor.DimensionCount; one"),
    (slice_(t(5), t(2), [], [], []), "DimensionCount is 0, allowed 1, InputTensor.DimensionCount"),
    (window(t(5), t(1), [0], [0], [1]), "InputWindowSizes[0] is 0, allowed 1..5; InputTensor.Sizes[0]"),
    (window(t(5), t(1), [0], [6], [1]), "InputWindowSizes[0] is 6, allowed 1..5"),
    (window(t(5), t(1), [3], [3], [1]), "InputWindowOffsets[0] is 3, allowed 0..2; the window of 3 positions lies"),
    (window(t(5), t(1), [0], [5], [0]), "InputWindowStrides[0] is 0, allowed any number but 0"),
    (window(t(5), t(4), [0], [5], [-2]), "OutputTensor.Sizes[0] is 4, allowed 1..3; a window of 5 holds no more w"),
    (tile(t(2, 3), t(2, 6), [1, 0]), "Repeats[1] is 0, allowed 1 and more; DirectML has no empty tensors"),
    (tile(t(2, 3), t(2, 6), [2, 2]), "OutputTensor.Sizes[0] is 2, allowed 4; OutputTensor.Sizes are [4, 6]: Input"),
    (tile(t(2, 3), t(2, 6), [2]), "RepeatsCount is 1, allowed 2, InputTensor.DimensionCount; one entry for each d"),
    (tile(t(2, 3), t(2, 6), [1, 2], 3), "RepeatsCount is 3, allowed 2; Repeats has that many entries"),
    (pad(t(4), t(6), "EDGE", 0, [1], [2]), "OutputTensor.Sizes[0] is 6, allowed 7; OutputTensor.Sizes are [7]: In"),
    (pad(t(4), t(7), "EDGE", 0, [1], [2, 0]), "DimensionCount is 1, allowed 2; EndPadding has that many entries"),
    (pad(i(4), i(7), "CONSTANT", -1, [1], [2]), "PaddingValue is -1.0, allowed 0..4294967295; it is cut toward ze"),
    (pad(i(4), i(7), "CONSTANT", math.nan, [1], [2]), "PaddingValue is nan, allowed 0..4294967295"),
    (pad(i(4), i(7), "CONSTANT", math.inf, [1], [2]), "PaddingValue is inf, allowed 0..4294967295"),
    (pad(i(4), i(7), "CONSTANT", 2.0**32, [1], [2]), "PaddingValue is 4294967296.0, allowed 0..4294967295"),
    (pad1(t(4), t(6), "FLOAT32", 0, [1], [2]), "OutputTensor.Sizes[0] is 6, allowed 7"),
    (dml.DepthToSpaceOperatorDesc(t(1, 4, 2, 2), t(1, 1, 4, 4), 0), "BlockSize is 0, allowed 1 and more"),
    (dml.DepthToSpaceOperatorDesc(t(1, 6, 2, 2), t(1, 1, 4, 4), 2), "InputTensor.Sizes[1] is 6, allowed multiples"),
    (dml.DepthToSpace1OperatorDesc(t(1, 4, 2, 2), t(1, 4, 4, 4), 2, 0), "OutputTensor.Sizes[1] is 4, allowed 1; O"),
    (dml.SpaceToDepthOperatorDesc(t(1, 1, 3, 4), t(1, 4, 2, 2), 2), "InputTensor.Sizes[2] is 3, allowed multiples"),
    (dml.SpaceToDepthOperatorDesc(t(1, 1, 4, 3), t(1, 4, 2, 2), 2), "InputTensor.Sizes[3] is 3, allowed multiples"),
    (dml.SpaceToDepth1OperatorDesc(t(1, 1, 4, 4), t(1, 1, 8, 8), 2, 1), "OutputTensor.Sizes[1] is 1, allowed 4; O"),
    (reverse(t(3, 4), i(3, 1), t(3, 4), 2), "Axis is 2, allowed 0..1"),
    (reverse(t(3, 4), i(1, 4), t(3, 4), 1), "SequenceLengthsTensor.Sizes[0] is 1, allowed 3; SequenceLengthsTenso"),
    (reverse(t(3, 4), i(3, 4), t(3, 4), 1), "SequenceLengthsTensor.Sizes[1] is 4, allowed 1"),
    (reverse(t(3, 4), i(3, 1), t(3, 5), 1), "OutputTensor.Sizes[1] is 5, allowed 4"),
    (dml.DiagonalMatrixOperatorDesc(i(3, 3), 0, -1), "Value is -1.0, allowed 0..4294967295; it is cut toward zero"),
    (dml.DiagonalMatrix1OperatorDesc(t(2, 3), t(3, 3), "FLOAT32", 0, 0, 1), "OutputTensor.Sizes[0] is 3, allowed"),
    (hot(i(3, 1), t(1, 2), t(3, 4), 2), "Axis is 2, allowed 0..1"),
    (hot(i(3, 2), t(1, 2), t(3, 4), 1), "IndicesTensor.Sizes[1] is 2, allowed 1; IndicesTensor.Sizes are [3, 1]:"),
    (hot(i(2, 1), t(1, 2), t(3, 4), 1), "IndicesTensor.Sizes[0] is 2, allowed 3"),
    (hot(i(3, 1), t(1, 1), t(3, 4), 1), "ValuesTensor.Sizes is [1, 1], allowed 2 elements and more; the first is"),
    (nonzero(t(2, 4), i(1, 2), i(8, 2)), "OutputCountTensor.Sizes[1] is 2, allowed 1; OutputCountTensor.Sizes are"),
    (nonzero(t(2, 4), i(1, 1), i(8, 1)), "OutputCoordinatesTensor.Sizes[1] is 1, allowed 2..2; from the input's r"),
    (nonzero(t(1, 2, 4), i(1, 1, 1), i(1, 8, 4)), "OutputCoordinatesTensor.Sizes[2] is 4, allowed 2..3"),
    (nonzero(t(1, 2, 4), i(1, 1, 1), i(1, 7, 2)), "OutputCoordinatesTensor.Sizes[1] is 7, allowed 8; OutputCoordi"),
    (nonzero(t(4), i(1), i(1, 4, 1)), "OutputCoordinatesTensor.DimensionCount is 3, allowed 1, InputTensor.Dimens"),
    (dml.CastOperatorDesc(t(3), i(4)), "OutputTensor.Sizes[0] is 4, allowed 3; OutputTensor.Sizes are [3]: those"),
]  # fmt: skip

TYPE_RULES = [
    (elements(t(3), i(3), t(3, data_type="INT32")), "OutputTensor.DataType is INT32, allowed FLOAT32, InputTensor"),
    (scatter(t(3), i(2), t(2, data_type="INT8"), t(3)), "UpdatesTensor.DataType is INT8, allowed FLOAT32, InputTe"),
    (pad1(t(4), t(7), "INT32", 0, [1], [2]), "PaddingValueDataType is INT32, allowed FLOAT32, OutputTensor.DataTy"),
    (dml.FillValueConstantOperatorDesc(t(4), "INT32", 0), "ValueDataType is INT32, allowed FLOAT32, OutputTensor."),
    (dml.FillValueSequenceOperatorDesc(t(4), "FLOAT16", 0, 1), "ValueDataType is FLOAT16, allowed FLOAT32, Output"),
    (dml.DiagonalMatrix1OperatorDesc(None, t(2, 2), "INT8", 0, 0, 1), "ValueDataType is INT8, allowed FLOAT32"),
    (dml.DiagonalMatrix1OperatorDesc(i(2, 2), t(2, 2), "FLOAT32", 0, 0, 1), "OutputTensor.DataType is FLOAT32, al"),
    (hot(i(3, 1), t(1, 2), t(3, 4, data_type="INT8"), 1), "OutputTensor.DataType is INT8, allowed FLOAT32, Values"),
    (hot(t(3, 1), t(1, 2), t(3, 4), 1), "IndicesTensor.DataType is FLOAT32, allowed INT64, INT32, UINT64, UINT32"),
    (nonzero(t(2, 4), i(1, 1), t(8, 2)), "OutputCoordinatesTensor.DataType is FLOAT32, allowed UINT32"),
    (reverse(t(3, 4), i(3, 1, data_type="INT32"), t(3, 4), 1), "SequenceLengthsTensor.DataType is INT32, allowed"),
    (dml.TileOperatorDesc(*[t(3, data_type="FLOAT64")] * 2, [1]), "InputTensor.DataType is FLOAT64, allowed FLOAT"),
]  # fmt: skip


@pytest.mark.parametrize(("desc", "message", "kind"), [(*rule, InvalidValueError) for rule in RULES]
                         + [(*rule, InvalidTypeError) for rule in TYPE_RULES])  # fmt: skip
def test_rules(desc, message, kind):
    with pytest.raises(kind) as caught:
        dml.validate(desc)
    text = str(caught.value)
    assert text.startswith(f"DirectML {desc.name} (feature level 6.4): ")
    assert text.endswith("(DirectML answers E_INVALIDARG)")
    assert message in text


LEGAL = [
    nd(t(2, 2), i(2, 2), t(1, 2), 2, 2),  # counts may equal DimensionCount, against one of the pages
    scatter_nd(t(2, 2), i(2, 2), t(1, 2), t(2, 2), 2, 2),
    nd(t(1, 3), i(1, 1), t(1, 1), 1, 1),  # one tuple, one element
    scatter(t(3, 2), i(5, 1), t(5, 1), t(3, 2)),
    slice_(t(5), t(1), [4], [1], [9]),
    window(t(5), t(1), [4], [1], [-9]),
    pad(i(4), i(7), "REFLECTION", math.nan, [1], [2]),  # the value is read in the mode CONSTANT only
    pad(i(4), i(7), "CONSTANT", -0.9, [1], [2]),
    pad(t(4), t(7), "CONSTANT", math.nan, [1], [2]),
    pad(t(4, data_type="FLOAT16"), t(7, data_type="FLOAT16"), "CONSTANT", 1e38, [1], [2]),
    dml.DepthToSpaceOperatorDesc(t(1, 3, 2, 2), t(1, 3, 2, 2), 1),
    hot(i(3, 1), t(2, 2), t(3, 1), 1),
    nonzero(t(1, 1), i(1, 1), i(1, 1)),
    nonzero(t(1, 1, 4), i(1, 1, 1), i(1, 4, 3)),
    dml.CastOperatorDesc(t(3, strides=[0]), i(3)),
]


@pytest.mark.parametrize("desc", LEGAL)
def test_legal_oddities(desc):
    dml.validate(desc)


STRUCTS = [
    (lambda: tile(t(2), t(2), 1), InvalidTypeError, "DirectML TILE: Repeats is 1, allowed a sequence of integers"),
    (lambda: tile(t(2), t(2), "1"), InvalidTypeError, "DirectML TILE: Repeats is '1', allowed a sequence of integ"),
    (lambda: tile(t(2), t(2), [1.5]), InvalidTypeError, "Repeats[0] is 1.5, allowed an integer"),
    (lambda: tile(t(2), t(2), [-1]), InvalidValueError, "Repeats[0] is -1, allowed 0..4294967295"),
    (lambda: window(t(2), t(2), [0], [2], [2**31]), InvalidValueError, "InputWindowStrides[0] is 2147483648, allo"),
    (lambda: pad(t(2), t(2), "MIRROR", 0, [0], [0]), InvalidValueError, "PaddingMode is 'MIRROR', allowed CONSTAN"),
    (lambda: pad(t(2), t(2), 5, 0, [0], [0]), InvalidValueError, "PaddingMode is 5, allowed CONSTANT"),
    (lambda: pad(t(2), t(2), 0, "x", [0], [0]), InvalidTypeError, "PaddingValue is 'x', allowed a number of float"),
    (lambda: pad(t(2), t(2), 0, 1e39, [0], [0]), InvalidValueError, "PaddingValue is 1e+39, allowed numbers of fl"),
    (lambda: pad1(t(2), t(2), "FLOAT8", 0, [0], [0]), InvalidTypeError, "PaddingValueDataType is 'FLOAT8', allowe"),
    (lambda: pad1(t(2), t(2), "INT8", 128, [0], [0]), InvalidValueError, "DirectML PADDING1: PaddingValue is 128,"),
    (lambda: pad1(t(2), t(2), "INT8", 1.5, [0], [0]), InvalidTypeError, "PaddingValue is 1.5, allowed an integer,"),
    (lambda: pad1(t(2), t(2), "FLOAT16", 1e5, [0], [0]), InvalidValueError, "PaddingValue is 100000.0, allowed nu"),
    (lambda: pad1(t(2), t(2), "INT4", 1, [0], [0]), InvalidTypeError, "PaddingValue has the type INT4, allowed a"),
    (lambda: dml.FillValueConstantOperatorDesc(t(2), "FLOAT32", None), InvalidTypeError, "Value is None, allowed"),
    (lambda: dml.DiagonalMatrixOperatorDesc(t(2, 2), 2**31, 0), InvalidValueError, "Offset is 2147483648, allowed"),
    (lambda: dml.DiagonalMatrix1OperatorDesc("x", t(2, 2), 1, 0, 0, 0), InvalidTypeError, "InputTensor is 'x', al"),
    (lambda: dml.CastOperatorDesc(None, t(2)), InvalidTypeError, "InputTensor is None, allowed a BufferTensorDesc"),
    (lambda: dml.ScalarUnion(b"123"), InvalidTypeError, "DirectML ScalarUnion: content is b'123', allowed 8 bytes"),
    (lambda: dml.ScalarUnion.of(1, "UNKNOWN"), InvalidTypeError, "DirectML ScalarUnion: value has the type UNKNOW"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "message"), STRUCTS)
def test_what_no_struct_holds(make, kind, message):
    with pytest.raises(kind) as caught:
        make()
    assert message in str(caught.value)


def test_descriptions_that_differ_in_the_sign_of_a_zero():
    """They are equal in Python, and yet not one plan."""
    for value in (0.0, -0.0, 0.0):
        desc = dml.PaddingOperatorDesc(t(1), t(2), "CONSTANT", value, [1], [0])
        out = np.ones(2, "float32")
        dml.execute(desc, {"input_tensor": np.float32([5]), "output_tensor": out})
        assert out.tolist() == [0, 5]
        assert np.signbit(out[0]) == np.signbit(value)


def test_scalar_unions():
    payload = dml.ScalarUnion((0x7FC00001).to_bytes(4, "little") + bytes(4))
    assert payload.element("FLOAT32").tobytes() == payload.content[:4]
    assert dml.ScalarUnion.of(payload.element("FLOAT32"), "FLOAT32") == payload
    assert dml.ScalarUnion.of(1.0, "FLOAT16").element("UINT16") == 0x3C00
    assert dml.ScalarUnion.of(2**64 - 1, "UINT64").element("INT64") == -1
    assert dml.ScalarUnion.of(math.inf, "FLOAT16").element("FLOAT16") == math.inf
    assert dml.ScalarUnion.of(-1, "INT8").content == b"\xff" + bytes(7)
