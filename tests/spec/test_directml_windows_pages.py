"""The pages of the structs of FOLD, UNFOLD, ELEMENT_WISE_IF and ACTIVATION_IDENTITY: examples and rules."""

import numpy as np
import pytest

from tests.dialects.directml.running import run
from wherry.dialects import directml as dml
from wherry.errors import InvalidValueError

IMAGE = np.arange(25, dtype="float32").reshape(1, 1, 5, 5)
ONES = ([3, 3], [1, 1], [1, 1])
SUMMED = [[26, 70, 102, 60], [78, 183, 231, 129], [84, 195, 243, 135], [82, 182, 214, 116]]
SECOND = [[170, 358, 390, 204], [294, 615, 663, 345], [300, 627, 675, 351], [226, 470, 502, 260]]


def unfold(data, sizes, *fields):
    return run(dml.UnfoldOperatorDesc, {"input_tensor": data}, {"output_tensor": ("float32", sizes)}, *fields)


def fold(sizes_in, sizes_out, *fields):
    data = np.arange(np.prod(sizes_in), dtype="float32").reshape(sizes_in)
    return run(dml.FoldOperatorDesc, {"input_tensor": data}, {"output_tensor": ("float32", sizes_out)}, *fields)


def test_unfold():
    out = unfold(IMAGE, (1, 9, 9), *ONES, [0, 0], [0, 0])
    assert out[0, 0].tolist() == [0, 1, 2, 5, 6, 7, 10, 11, 12]
    assert out[0, 1].tolist() == [1, 2, 3, 6, 7, 8, 11, 12, 13]
    assert out[0, 3].tolist() == [5, 6, 7, 10, 11, 12, 15, 16, 17]
    assert out[0, 8].tolist() == [12, 13, 14, 17, 18, 19, 22, 23, 24]


def test_unfold_with_padding():
    """The first dimension has a row of zeros before and behind, as StartPadding {1, 0} says."""
    out = unfold(IMAGE, (1, 9, 15), *ONES, [1, 0], [1, 0])
    assert out[0, 0].tolist() == [0, 0, 0, 0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17]
    assert out[0, 5].tolist() == [2, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24]
    assert out[0, 6].tolist() == [5, 6, 7, 10, 11, 12, 15, 16, 17, 20, 21, 22, 0, 0, 0]
    assert out[0, 8].tolist() == [7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24, 0, 0, 0]


def test_fold():
    assert fold((1, 9, 4), (1, 1, 4, 4), *ONES, [0, 0], [0, 0])[0, 0].tolist() == [
        [0, 5, 13, 9], [14, 38, 54, 32], [38, 86, 102, 56], [26, 57, 65, 35]]  # fmt: skip


def test_fold_with_padding():
    assert fold((1, 9, 8), (1, 1, 4, 4), *ONES, [1, 0], [1, 0])[0].tolist() == [SUMMED]


def test_fold_of_two_channels():
    assert fold((1, 18, 8), (1, 2, 4, 4), *ONES, [1, 0], [1, 0])[0].tolist() == [SUMMED, SECOND]


def test_one_dimension_count_by_the_constraint():
    """The page wants one DimensionCount, its examples have two; leading ones are taken either way."""
    out = unfold(IMAGE, (1, 1, 9, 9), *ONES, [0, 0], [0, 0])
    assert out[0].tobytes() == unfold(IMAGE, (1, 9, 9), *ONES, [0, 0], [0, 0]).tobytes()
    six = unfold(IMAGE.reshape(1, 1, 1, 1, 5, 5), (1, 9, 9), *ONES, [0, 0], [0, 0])
    assert six.tobytes() == out.tobytes()


def test_strides_and_dilations_follow_the_formula():
    """BlocksPerDimension = (size + paddings - dilation * (window - 1) - 1) / stride + 1, the quotient cut."""
    data = np.arange(14, dtype="float32").reshape(1, 2, 7)
    out = unfold(data, (1, 4, 4), [2], [2], [3], [1], [2])
    assert out[0].tolist() == [[0, 1, 3, 5], [2, 4, 6, 0], [0, 8, 10, 12], [9, 11, 13, 0]]
    assert fold((1, 4, 4), (1, 2, 7), [2], [2], [3], [1], [2])[0].tolist() == [
        [0, 1, 4, 2, 5, 3, 6], [0, 9, 12, 10, 13, 11, 14]]  # fmt: skip


T = dml.BufferTensorDesc
NONE = ([0, 0], [0, 0])


@pytest.mark.parametrize(
    ("sizes_in", "sizes_out", "fields", "message"),
    [
        ((1, 1, 5, 5), (1, 9, 8), (*ONES, *NONE),
         r"OutputTensor\.Sizes\[2\] is 8, allowed 9; .*the product of windows \[3, 3\]"),
        ((1, 2, 5, 5), (1, 9, 9), (*ONES, *NONE), r"OutputTensor\.Sizes\[1\] is 9, allowed 18"),
        ((1, 5, 5), (1, 9, 9), (*ONES, *NONE), r"InputTensor\.DimensionCount is 3, allowed 4 and more; batch"),
        ((2, 1, 1, 5, 5), (1, 9, 9), (*ONES, *NONE), r"InputTensor\.Sizes\[0\] is 2, allowed 1; only the last 4"),
        ((1, 1, 2, 5), (1, 9, 9), (*ONES, *NONE), r"WindowSizes\[0\] is 3, allowed windows that reach over up to 2"),
        ((1, 1, 5, 5), (1, 9, 9), ([3, 3], [0, 1], [1, 1], *NONE), r"Strides\[0\] is 0, allowed 1 and more"),
        ((1, 1, 5, 5), (1, 9, 9), ([3, 3], [1, 1], [1, 0], *NONE), r"Dilations\[1\] is 0, allowed 1 and more"),
        ((1, 1, 5, 5), (1, 9, 9), ([3, 3], [1], [1, 1], *NONE), r"DimensionCount is 2, allowed 1; Strides has that"),
        ((1, 1, 5, 5), (1, 9, 9), ([], [], [], [], []), r"DimensionCount is 0, allowed 1\.\.6; WindowSizes"),
        ((1,) * 8, (1, 1, 1), ([1] * 7, [1] * 7, [1] * 7, [0] * 7, [0] * 7), r"DimensionCount is 7, allowed 1\.\.6"),
    ],
)  # fmt: skip
def test_refusals(sizes_in, sizes_out, fields, message):
    with pytest.raises(InvalidValueError, match=message):
        dml.validate(dml.UnfoldOperatorDesc(T("FLOAT32", sizes_in), T("FLOAT32", sizes_out), *fields))
    mirrored = message.replace("OutputTensor", "?").replace("InputTensor", "OutputTensor").replace("?", "InputTensor")
    with pytest.raises(InvalidValueError, match=mirrored):
        dml.validate(dml.FoldOperatorDesc(T("FLOAT32", sizes_out), T("FLOAT32", sizes_in), *fields))


def test_activation_identity_copies_and_may_be_in_place():
    bits = np.array([0x7F800001, 0x80000000, 0xFFFFFFFF, 1], "uint32")
    memory = bits.copy()
    turned, packed = T("FLOAT32", [2, 2], strides=[1, 2]), T("FLOAT32", [2, 2])
    desc = dml.ActivationIdentityOperatorDesc(turned, packed)
    dml.execute(desc, {"input_tensor": memory, "output_tensor": memory})
    assert memory.tolist() == [0x7F800001, 0xFFFFFFFF, 0x80000000, 1]
    with pytest.raises(InvalidValueError, match=r"OutputTensor\.Sizes\[1\] is 3, allowed 2"):
        dml.validate(dml.ActivationIdentityOperatorDesc(packed, T("FLOAT32", [2, 3])))


def test_if():
    inputs = {
        "condition_tensor": np.array([[1, 0], [1, 1]], "uint8"),
        "a_tensor": np.float32([[1, 2], [3, 4]]),
        "b_tensor": np.float32([[9, 8], [7, 6]]),
    }
    assert run(dml.ElementWiseIfOperatorDesc, inputs, {"output_tensor": ("float32", (2, 2))}).tolist() == [
        [1, 8],
        [3, 4],
    ]


def test_if_takes_every_number_but_zero_for_true_and_keeps_bits():
    bits = np.array([0x7F800001, 0x80000000, 1, 0xFFFFFFFF], "uint32").view("float32")
    inputs = {"condition_tensor": np.uint8([255, 0, 2, 128]), "a_tensor": bits, "b_tensor": bits[::-1]}
    out = run(dml.ElementWiseIfOperatorDesc, inputs, {"output_tensor": ("float32", (4,))})
    assert out.view("uint32").tolist() == [0x7F800001, 1, 1, 0xFFFFFFFF]


def test_if_broadcasts_by_strides_only():
    column = T("UINT8", [2, 3], strides=[1, 0])
    row, out = T("INT16", [2, 3], strides=[0, 1]), T("INT16", [2, 3])
    desc = dml.ElementWiseIfOperatorDesc(column, row, T("INT16", [2, 3], strides=[0, 0]), out)
    result = np.zeros((2, 3), "int16")
    dml.execute(desc, {"condition_tensor": np.uint8([0, 3]), "a_tensor": np.int16([5, 6, 7]),
                       "b_tensor": np.int16([-1]), "output_tensor": result})  # fmt: skip
    assert result.tolist() == [[-1, -1, -1], [5, 6, 7]]
    with pytest.raises(InvalidValueError, match=r"BTensor\.Sizes\[1\] is 1, allowed 3; .*full size and stride 0"):
        dml.validate(dml.ElementWiseIfOperatorDesc(column, row, T("INT16", [2, 1]), out))
