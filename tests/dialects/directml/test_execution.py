"""execute: bindings, ranges, overlap, in place, ScaleBias; and that what is refused changes nothing."""

import array
import ctypes
import mmap

import numpy as np
import pytest

from tests.support.compare import assert_same_bits
from wherry import reference
from wherry.dialects.directml import (
    BufferTensorDesc,
    DiagonalMatrix1OperatorDesc,
    ElementWiseIdentityOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    ReverseSubsequencesOperatorDesc,
    ScaleBias,
    ScatterOperatorDesc,
    SplitOperatorDesc,
    TileOperatorDesc,
    execute,
)
from wherry.errors import InvalidTypeError, InvalidValueError
from wherry.ops import ScaleBias as ScaleBiasOperator


def tensor(*sizes, data_type="FLOAT32", **members):
    return BufferTensorDesc(data_type, sizes, **members)


COPY = ElementWiseIdentityOperatorDesc(tensor(4), tensor(4))
SPLIT = SplitOperatorDesc(tensor(4), [tensor(2), tensor(2)], 0)
JOIN = JoinOperatorDesc([tensor(2), tensor(2)], tensor(4), 0)


def fresh():
    return np.arange(4, dtype="float32"), np.full(4, 9, "float32")


def refused(desc, bindings, message, kind=InvalidValueError):
    before = {id(memory): bytes(memory) for memory in buffers_of(bindings)}
    with pytest.raises(kind) as caught:
        execute(desc, bindings)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"DirectML {desc.name} (feature level 6.4): ")
    assert {id(memory): bytes(memory) for memory in buffers_of(bindings)} == before


def buffers_of(bindings):
    for value in bindings.values():
        for source in value if isinstance(value, list) else [value]:
            memory = source[0] if isinstance(source, tuple) else source
            if isinstance(memory, (np.ndarray, bytearray)):
                yield memory


def test_names_in_both_spellings():
    for names in (("input_tensor", "output_tensor"), ("InputTensor", "output_tensor")):
        data, out = fresh()
        execute(COPY, dict(zip(names, (data, out), strict=True)))
        assert_same_bits(out, data)


def test_wrong_bindings():
    data, out = fresh()
    refused(COPY, {"input_tensor": data}, "binding output_tensor is missing")
    refused(
        COPY, {"input_tensor": data, "output_tensor": out, "extra": out}, "bindings has 'extra', allowed input_tensor"
    )
    refused(COPY, {"input_tensor": data, "InputTensor": data, "output_tensor": out}, "input_tensor in both spellings")
    refused(COPY, {"input_tensor": [data], "output_tensor": out}, "is a list, allowed anything with the buffer",
            InvalidTypeError)  # fmt: skip
    refused(COPY, {"input_tensor": "abc", "output_tensor": out}, "InputTensor is a str", InvalidTypeError)
    refused(COPY, {"input_tensor": None, "output_tensor": out}, "InputTensor is a NoneType", InvalidTypeError)
    refused(COPY, {"input_tensor": np.array([1, 2], object), "output_tensor": out}, "Python objects", InvalidTypeError)
    refused(SPLIT, {"input_tensor": data, "output_tensors": [out[:2]]}, "output_tensors has 1 buffers, allowed 2")
    refused(SPLIT, {"input_tensor": data, "output_tensors": out}, "is a ndarray, allowed a list", InvalidTypeError)


def test_lengths_and_places():
    data, out = fresh()
    refused(
        COPY, {"input_tensor": data[:3], "output_tensor": out}, "InputTensor size in bytes is 12, allowed 16 and more"
    )
    refused(COPY, {"input_tensor": data, "output_tensor": out[:3]}, "OutputTensor size in bytes is 12, allowed 16")
    refused(COPY, {"input_tensor": data, "output_tensor": np.zeros((4, 2), "f4")[:, 0]}, "strided array")
    refused(COPY, {"input_tensor": memoryview(bytearray(32))[::2], "output_tensor": out}, "strided memory")
    refused(COPY, {"input_tensor": data, "output_tensor": bytes(16)}, "OutputTensor is read-only")
    big = np.zeros(64, "uint8")
    refused(COPY, {"input_tensor": (big, 8), "output_tensor": out}, "offset is 8, allowed multiples of 16 bytes")
    refused(COPY, {"input_tensor": (big, -16), "output_tensor": out}, "offset is -16, allowed 0..64")
    refused(COPY, {"input_tensor": (big, 80), "output_tensor": out}, "offset is 80, allowed 0..64")
    refused(COPY, {"input_tensor": (big, 64), "output_tensor": out}, "size in bytes is 16, allowed 0..0")
    refused(COPY, {"input_tensor": (big, 16, 12), "output_tensor": out}, "size in bytes is 12, allowed 16 and more")
    refused(COPY, {"input_tensor": (big, 16, 64), "output_tensor": out}, "size in bytes is 64, allowed 0..48")
    refused(COPY, {"input_tensor": (big, 2**70), "output_tensor": out}, "allowed 0..64")
    refused(COPY, {"input_tensor": (big, "x"), "output_tensor": out}, "allowed integers", InvalidTypeError)
    refused(COPY, {"input_tensor": (big, 0, 16, 1), "output_tensor": out}, "has 4 entries")
    aligned = ElementWiseIdentityOperatorDesc(tensor(4, guaranteed_base_offset_alignment=32), tensor(4))
    refused(aligned, {"input_tensor": (big, 16), "output_tensor": out}, "offset is 16, allowed multiples of 32 bytes")


@pytest.mark.parametrize(
    "buffer",
    [bytearray(16), array.array("f", [0] * 4), memoryview(bytearray(16)), (ctypes.c_float * 4)(), mmap.mmap(-1, 16),
     np.zeros((2, 2), "f4", order="F"), np.zeros(17, "u1")[1:]],
    ids=lambda buffer: type(buffer).__name__,
)  # fmt: skip
def test_any_buffer(buffer):
    data, _ = fresh()
    execute(COPY, {"input_tensor": data.tobytes(), "output_tensor": buffer})
    written = buffer.tobytes(order="A") if isinstance(buffer, np.ndarray) else bytes(buffer)
    assert written == data.tobytes()


def test_ranges_of_one_buffer():
    arena = np.zeros(24, "float32")
    arena[:4] = [1, 2, 3, 4]
    execute(SPLIT, {"input_tensor": (arena, 0), "output_tensors": [(arena, 32), (arena, 48)]})
    assert arena[8:10].tolist() == [1, 2]
    assert arena[12:14].tolist() == [3, 4]
    assert arena[[4, 5, 6, 7, 10, 11, 14, 15]].sum() == 0


def test_inputs_may_overlap():
    data = np.arange(8, dtype="float32")
    out = np.zeros(4, "float32")
    execute(JOIN, {"input_tensors": [(data, 0), (data, 0)], "output_tensor": out})
    assert out.tolist() == [0, 1, 0, 1]


def test_outputs_never_overlap():
    data, out = fresh()
    refused(SPLIT, {"input_tensor": data, "output_tensors": [out[:2], out[:2]]}, "OutputTensors[1] shares 8 bytes with "
            "OutputTensors[0], allowed none")  # fmt: skip
    refused(SPLIT, {"input_tensor": data, "output_tensors": [out[1:3], out[:2]]}, "shares 4 bytes")
    execute(SPLIT, {"input_tensor": data, "output_tensors": [out[2:], out[:2]]})
    assert out.tolist() == [2, 3, 0, 1]


def test_inputs_and_outputs_do_not_overlap():
    memory = np.arange(8, dtype="float32")
    refused(
        SPLIT, {"input_tensor": memory[:4], "output_tensors": [memory[:2], memory[6:]]}, "SPLIT does not run in place"
    )
    refused(
        SPLIT,
        {"input_tensor": memory[:4], "output_tensors": [memory[6:], memory[3:5]]},
        "OutputTensors[1] shares bytes",
    )
    gather = GatherOperatorDesc(tensor(4), tensor(4, data_type="UINT32"), tensor(4), 0, 1)
    refused(gather, {"input_tensor": memory[:4], "indices_tensor": np.zeros(4, "u4"), "output_tensor": memory[:4]},
            "GATHER does not run in place")  # fmt: skip
    refused(gather, {"input_tensor": np.zeros(4, "f4"), "indices_tensor": memory[:4], "output_tensor": memory[:4]},
            "OutputTensor shares bytes with IndicesTensor")  # fmt: skip
    refused(COPY, {"input_tensor": memory[:4], "output_tensor": memory[2:6]},
            "OutputTensor covers bytes 8..23 counted from the start of InputTensor, allowed exactly 0..15")  # fmt: skip
    refused(COPY, {"input_tensor": memory[:5], "output_tensor": memory[:4]}, "allowed exactly 0..19")


def test_identity_in_place():
    data = np.arange(6, dtype="float32")
    execute(ElementWiseIdentityOperatorDesc(tensor(6), tensor(6)), {"input_tensor": data, "output_tensor": data})
    assert data.tolist() == [0, 1, 2, 3, 4, 5]
    execute(ElementWiseIdentityOperatorDesc(tensor(6), tensor(6), ScaleBias(2, 1)),
            {"input_tensor": data, "output_tensor": data})  # fmt: skip
    assert data.tolist() == [1, 3, 5, 7, 9, 11]


def test_identity_in_place_with_other_strides():
    data = np.arange(6, dtype="float32")
    transpose = ElementWiseIdentityOperatorDesc(tensor(3, 2, strides=[1, 3]), tensor(3, 2))
    execute(transpose, {"input_tensor": data, "output_tensor": data})
    assert data.tolist() == [0, 3, 1, 4, 2, 5]
    spread = np.arange(8, dtype="float32")
    repeat = ElementWiseIdentityOperatorDesc(tensor(2, 3, strides=[0, 1]), tensor(2, 3, strides=[5, 1]))
    execute(repeat, {"input_tensor": spread, "output_tensor": spread})
    assert spread.tolist() == [0, 1, 2, 3, 4, 0, 1, 2]


def test_transpose_of_the_identity_page():
    out = np.zeros((3, 2), "float32")
    desc = ElementWiseIdentityOperatorDesc(tensor(3, 2, strides=[1, 3]), tensor(3, 2))
    execute(desc, {"input_tensor": np.arange(1, 7, dtype="float32"), "output_tensor": out})
    assert out.ravel().tolist() == [1, 4, 2, 5, 3, 6]


def test_join_of_the_join_page():
    out = np.zeros((1, 1, 2, 7), "float32")
    first, second = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[7, 8, 9, 10], [11, 12, 13, 14]])
    desc = JoinOperatorDesc([tensor(1, 1, 2, 3), tensor(1, 1, 2, 4)], tensor(1, 1, 2, 7), 3)
    execute(desc, {"input_tensors": [first, second], "output_tensor": out}, feature_level="1.0")
    assert out.tolist() == [[[[1, 2, 3, 7, 8, 9, 10], [4, 5, 6, 11, 12, 13, 14]]]]


def test_bits_survive():
    data = np.array([0x7FA00001, 0xFFC12345, 0x80000000, 1], "uint32")
    out = np.zeros(4, "uint32")
    execute(COPY, {"input_tensor": data, "output_tensor": out})
    assert_same_bits(out, data)


def scaled(data, scale, bias):
    data = np.asarray(data)
    kind = str(data.dtype)
    out = np.zeros(-(-data.nbytes // 4) * 4, "uint8")
    source = np.frombuffer(data.tobytes().ljust(out.size, b"\0"), "uint8")
    desc = ElementWiseIdentityOperatorDesc(BufferTensorDesc(kind, data.shape), BufferTensorDesc(kind, data.shape),
                                           ScaleBias(scale, bias))  # fmt: skip
    execute(desc, {"input_tensor": source, "output_tensor": out})
    return out[: data.nbytes].view(data.dtype).reshape(data.shape)


@pytest.mark.parametrize(
    "kind", ["float16", "float32", "float64", "int8", "uint8", "int16", "uint32", "int64", "uint64"]
)
@pytest.mark.parametrize(("scale", "bias"), [(2, 10), (1, 0), (-1, 100), (0, -0.0), (9, -3)])
def test_scale_bias_follows_its_formula(kind, scale, bias):
    data = np.array([1, 2, 3, 7, 11], kind)
    expected = reference.run(ScaleBiasOperator(scale, bias), [data])[0]
    assert_same_bits(scaled(data, scale, bias), expected)


def test_scale_bias_float_arithmetic():
    odd = np.float32([np.nan, np.inf, -0.0, 1e-45, 3.4e38, 1 / 3])
    with np.errstate(over="ignore"):
        expected = odd * np.float32(1.5) + np.float32(0.1)
    assert_same_bits(scaled(odd, 1.5, 0.1), expected)
    half = np.float16([1 / 3, 50000, -0.0])
    assert_same_bits(scaled(half, 1.1, 0.1), (half.astype("f4") * np.float32(1.1) + np.float32(0.1)).astype("f2"))
    double = np.array([1 / 3, 1e300])
    assert_same_bits(scaled(double, 0.1, 0.2), double * float(np.float32(0.1)) + float(np.float32(0.2)))


def test_scale_bias_keeps_the_sign_of_a_zero():
    assert not np.signbit(scaled(np.float32([-0.0]), 1, 0.0))[0]
    assert np.signbit(scaled(np.float32([-0.0]), 1, -0.0))[0]


def test_scale_bias_on_integers_is_exact_or_refused():
    assert scaled(np.uint64([2**63 - 1]), 2, 1).tolist() == [2**64 - 1]
    assert scaled(np.int64([-(2**62)]), 2, 0).tolist() == [-(2**63)]
    assert scaled(np.uint8([0, 0]), 300, 7).tolist() == [7, 7]
    with pytest.raises(
        InvalidValueError, match=r"data\[1\] is 100, and 100 \* 3 \+ 0 = 300, allowed 0\.\.255 \(uint8\)"
    ):
        scaled(np.uint8([1, 100]), 3, 0)
    with pytest.raises(InvalidValueError, match=r"scale is 0\.5, allowed whole numbers with int32 data"):
        scaled(np.int32([2]), 0.5, 0)
    with pytest.raises(InvalidValueError, match="bias is nan, allowed whole numbers"):
        scaled(np.int32([2]), 1, np.nan)


def test_refused_arithmetic_writes_nothing():
    out = np.full(4, 9, "uint8")
    desc = ElementWiseIdentityOperatorDesc(tensor(4, data_type="UINT8"), tensor(4, data_type="UINT8"), ScaleBias(3, 0))
    refused(desc, {"input_tensor": np.uint8([1, 2, 200, 1]), "output_tensor": out}, "data[2] is 200")


def test_desc_is_a_description():
    with pytest.raises(InvalidTypeError, match="DirectML execute: desc is a str"):
        execute("GATHER", {})


def test_an_array_without_the_bytes_that_rounding_adds_may_be_bound() -> None:
    tensor = BufferTensorDesc("FLOAT16", [5])
    assert tensor.total_tensor_size_in_bytes == 12
    out = np.zeros(5, np.float16)
    desc = ElementWiseIdentityOperatorDesc(tensor, tensor)
    execute(desc, {"input_tensor": np.arange(5, dtype=np.float16), "output_tensor": out})
    assert out.tolist() == [0, 1, 2, 3, 4]
    larger = BufferTensorDesc("FLOAT16", [5], total_tensor_size_in_bytes=14)
    with pytest.raises(ValueError, match="binding OutputTensor size in bytes is 10, allowed 14 and more"):
        execute(
            ElementWiseIdentityOperatorDesc(tensor, larger),
            {"input_tensor": np.arange(5, dtype=np.float16), "output_tensor": out},
        )


def test_the_family_does_not_run_in_place():
    """Only ELEMENT_WISE_IDENTITY has the flag; a scatter into its own input must copy first."""
    data, indices = np.arange(4, dtype="float32"), np.array([1], "uint32")
    scatter = ScatterOperatorDesc(tensor(4), tensor(1, data_type="UINT32"), tensor(1), tensor(4), 0)
    bindings = {"input_tensor": data, "indices_tensor": indices, "updates_tensor": np.ones(1, "float32")}
    refused(
        scatter, {**bindings, "output_tensor": data}, "shares bytes with InputTensor, allowed none: SCATTER does not"
    )
    tile = TileOperatorDesc(tensor(4), tensor(4), [1])
    refused(tile, {"input_tensor": data, "output_tensor": data}, "TILE does not run in place; bind another buffer")


def test_an_optional_input():
    data, out = np.arange(4, dtype="float32").reshape(2, 2), np.full((2, 2), 9, "float32")
    without = DiagonalMatrix1OperatorDesc(None, tensor(2, 2), "FLOAT32", 5, 0, 1)
    refused(without, {"input_tensor": data, "output_tensor": out}, "bindings has 'input_tensor', allowed output_tensor")
    execute(without, {"output_tensor": out})
    assert out.tolist() == [[5, 0], [0, 5]]
    over = DiagonalMatrix1OperatorDesc(tensor(2, 2), tensor(2, 2), "FLOAT32", 5, 0, 1)
    refused(over, {"output_tensor": out}, "binding input_tensor is missing, allowed a buffer")
    execute(over, {"input_tensor": data, "output_tensor": out})
    assert out.tolist() == [[5, 1], [2, 5]]


def test_lengths_are_read_by_each_run():
    """One description, other lengths: the plan is that of the values."""
    rows, out = np.arange(1, 7, dtype="float32").reshape(2, 3), np.zeros((2, 3), "float32")
    desc = ReverseSubsequencesOperatorDesc(tensor(2, 3), tensor(2, 1, data_type="UINT64"), tensor(2, 3), 1)
    for lengths, expected in (([2, 3], [[2, 1, 3], [6, 5, 4]]), ([0, 2**64 - 1], [[1, 2, 3], [6, 5, 4]])):
        execute(desc, {"input_tensor": rows, "sequence_lengths_tensor": np.array(lengths, "uint64"),
                       "output_tensor": out})  # fmt: skip
        assert out.tolist() == expected
