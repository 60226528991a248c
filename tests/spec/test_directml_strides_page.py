"""Using strides to express padding and memory layout (the Turkish page): every table, picture and formula."""

import numpy as np
import pytest

import wherry as wh
from wherry.dialects.directml import (
    BufferTensorDesc,
    ElementWiseIdentityOperatorDesc,
    calc_buffer_tensor_size,
    execute,
)


def packed(data_type, sizes, memory, strides=None):
    """Read a tensor by an identity into packed memory."""
    source = BufferTensorDesc(data_type, sizes, strides)
    target = BufferTensorDesc(data_type, sizes)
    out = np.zeros(target.total_tensor_size_in_bytes, "uint8")
    execute(ElementWiseIdentityOperatorDesc(source, target), {"input_tensor": memory, "output_tensor": out})
    return target.layout.view(out, memory.dtype)


def letters(text):
    """Characters as bytes, filled up to a multiple of 4 as DMLCalcBufferTensorSize does."""
    data = text.encode()
    return np.frombuffer(data + b"?" * (-len(data) % 4), "uint8")


def rows(array):
    return ["".join(map(chr, row)) for row in array.reshape(-1, array.shape[-1])]


def test_two_dimensional_row_major():
    layout = BufferTensorDesc("UINT8", (2, 3)).layout
    assert layout.strides == (3, 1)
    assert layout.diagram() == (
        "Offset: | 0 | 1 | 2 | 3 | 4 | 5\nValue:  | A | B | C | D | E | F\n\nA B C\nD E F"
    )  # fmt: skip
    assert rows(packed("UINT8", (2, 3), letters("ABCDEF"))) == ["ABC", "DEF"]


def test_two_dimensional_column_major():
    desc = BufferTensorDesc("UINT8", (2, 3), (1, 2))
    assert desc.layout == wh.Layout.ordered((2, 3), "WH")
    assert desc.layout.diagram() == (
        "Offset: | 0 | 1 | 2 | 3 | 4 | 5\nValue:  | A | D | B | E | C | F\n\nA B C\nD E F"
    )  # fmt: skip
    assert rows(packed("UINT8", (2, 3), letters("ADBECF"), (1, 2))) == ["ABC", "DEF"]


def test_three_dimensional_dhw():
    layout = BufferTensorDesc("UINT8", (2, 2, 3)).layout
    assert layout.strides == (6, 3, 1)
    assert layout == wh.Layout.ordered((2, 2, 3), "DHW")
    assert layout.diagram().splitlines()[1] == "Value:  | A | B | C | D | E | F | G | H | I | J |  K |  L"
    assert layout.diagram().split("\n\n", 1)[1] == "A B C\nD E F\n\nG H I\nJ K L"


def test_offset_of_h_is_7():
    """{1, 0, 1} . {6, 3, 1} = 7."""
    assert BufferTensorDesc("UINT8", (2, 2, 3)).layout.offset_of((1, 0, 1)) == 7


def test_packed_means_one_place_for_each_element():
    assert BufferTensorDesc("UINT8", (2, 2, 3)).layout.is_packed
    assert BufferTensorDesc("UINT8", (2, 3), (1, 2)).layout.is_packed
    assert not BufferTensorDesc("UINT8", (2, 3), (5, 1)).layout.is_packed


def test_broadcast_by_stride_0():
    desc = BufferTensorDesc("FLOAT32", (2, 3), (0, 1))
    assert (desc.layout.size, desc.layout.extent) == (6, 3)
    assert desc.layout.is_broadcast
    assert desc.total_tensor_size_in_bytes == 12
    assert packed("FLOAT32", (2, 3), np.float32([1, 2, 3]), (0, 1)).tolist() == [[1, 2, 3], [1, 2, 3]]


def test_broadcast_channels_have_the_same_values():
    """NCHW with C-stride 0: each channel holds the same H x W."""
    out = packed("FLOAT32", (1, 3, 2, 2), np.arange(4, dtype="float32"), (4, 0, 2, 1))
    assert (out == np.arange(4).reshape(1, 1, 2, 2)).all()


def test_padding_by_strides():
    desc = BufferTensorDesc("UINT8", (2, 3), (5, 1))
    assert desc.layout.is_padded
    assert desc.layout.diagram().splitlines()[1] == "Value:  | A | B | C | x | x | D | E | F"
    assert rows(packed("UINT8", (2, 3), letters("ABCxxDEFxx"), (5, 1))) == ["ABC", "DEF"]
    assert calc_buffer_tensor_size("FLOAT32", (2, 3), (5, 1)) == 32


@pytest.mark.parametrize(
    ("order", "strides"),
    [
        ("NCHW", (15, 15, 5, 1)),  # C*H*W, H*W, W, 1
        ("NHWC", (15, 1, 5, 1)),  # H*W*C, 1, W*C, C
    ],
)
def test_strides_of_1_1_3_5(order, strides):
    assert wh.Layout.ordered((1, 1, 3, 5), order).strides == strides
    data = np.arange(15, dtype="float32")
    assert packed("FLOAT32", (1, 1, 3, 5), data, strides).tolist() == data.reshape(1, 1, 3, 5).tolist()


def test_implicit_strides_are_nchw():
    assert BufferTensorDesc("FLOAT32", (1, 1, 3, 5)).layout.strides == (15, 15, 5, 1)


def test_leading_ones_fill_a_smaller_rank():
    assert BufferTensorDesc("FLOAT32", (3, 5)).layout.with_ndim(4) == BufferTensorDesc("FLOAT32", (1, 1, 3, 5)).layout


def test_nhwc_to_nchw_and_back():
    nchw = np.arange(2 * 3 * 4 * 5, dtype="int32").reshape(2, 3, 4, 5)
    nhwc = np.ascontiguousarray(nchw.transpose(0, 2, 3, 1))
    strides = wh.Layout.ordered(nchw.shape, "NHWC").strides
    assert strides == (60, 1, 15, 3)
    assert (packed("INT32", nchw.shape, nhwc, strides) == nchw).all()
    back = np.zeros_like(nhwc)
    execute(
        ElementWiseIdentityOperatorDesc(
            BufferTensorDesc("INT32", nchw.shape), BufferTensorDesc("INT32", nchw.shape, strides)
        ),
        {"input_tensor": nchw, "output_tensor": back},
    )
    assert (back == nhwc).all()
