"""Hostile DirectML descriptions and bindings: each is refused in words, soon, in little memory; nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.attacks import attack
from wherry.dialects.directml import (
    BufferTensorDesc,
    CastOperatorDesc,
    DepthToSpaceOperatorDesc,
    DiagonalMatrix1OperatorDesc,
    ElementWiseIdentityOperatorDesc,
    FillValueConstantOperatorDesc,
    FillValueSequenceOperatorDesc,
    FoldOperatorDesc,
    GatherNdOperatorDesc,
    GatherOperatorDesc,
    JoinOperatorDesc,
    OneHotOperatorDesc,
    PaddingOperatorDesc,
    ScaleBias,
    ScatterOperatorDesc,
    Slice1OperatorDesc,
    SliceOperatorDesc,
    SplitOperatorDesc,
    TileOperatorDesc,
    UnfoldOperatorDesc,
    execute,
    validate,
)
from wherry.errors import InvalidTypeError, InvalidValueError, ResourceLimitError, SizeOverflowError, WherryError

BIG = 2**32 - 1
"""The largest UINT."""


def t(*sizes: int, kind: str = "FLOAT32", **members: Any) -> BufferTensorDesc:
    return BufferTensorDesc(kind, sizes, **members)


TENSORS: dict[str, tuple[Callable[[], object], type[WherryError], str]] = {
    "a size below 0": (lambda: t(-1), InvalidValueError, "Sizes[0] is -1, allowed 0..4294967295"),
    "a size of 33 bits": (lambda: t(2**32), InvalidValueError, "Sizes[0] is 4294967296"),
    "a size of 70,000 bits": (lambda: t(2**70_000), InvalidValueError, "Sizes[0] is an integer of 70001 bits"),
    "a size of 1.5": (lambda: t(1.5), InvalidTypeError, "Sizes[0] is 1.5, allowed an integer"),
    "a size of None": (lambda: t(None), InvalidTypeError, "Sizes[0] is None, allowed an integer"),
    "sizes of words": (lambda: BufferTensorDesc("FLOAT32", "ab"), InvalidTypeError, "Sizes is 'ab', allowed a seq"),
    "no sizes": (lambda: BufferTensorDesc("FLOAT32", None), InvalidTypeError, "Sizes is None, allowed a sequence"),
    "a million sizes": (lambda: t(*[1] * 10**6), ResourceLimitError, "Sizes has 1000000 axes, allowed up to 64"),
    "a million huge sizes": (lambda: t(*[BIG] * 10**6), ResourceLimitError, "Sizes has 1000000 axes"),
    "sizes past 64 bits": (lambda: t(BIG, BIG, BIG), SizeOverflowError, "have more than 9223372036854775807 elements"),
    "strides past 64 bits": (lambda: t(BIG, BIG, strides=[BIG, BIG]), SizeOverflowError, ""),
    "bytes past 64 bits": (lambda: t(2**31, 2**31, kind="FLOAT64"), SizeOverflowError, "the buffer would have"),
    "a stride below 0": (lambda: t(2, strides=[-1]), InvalidValueError, "Strides[0] is -1"),
    "strides of another count": (lambda: t(2, 2, strides=[1] * 10), InvalidValueError, "Strides is [1, 1, 1"),
    "a total of 2**64": (lambda: t(2, total_tensor_size_in_bytes=2**64), InvalidValueError, "TotalTensorSize"),
    "an alignment of -1": (lambda: t(2, guaranteed_base_offset_alignment=-1), InvalidValueError,
                           "GuaranteedBaseOffsetAlignment is -1"),
    "a type of a megabyte": (lambda: t(2, kind="F" * 2**20), InvalidTypeError, "DataType is 'FFF"),
    "a type of an array": (lambda: t(2, kind=np.zeros(2**20)), InvalidTypeError, "DataType is float64[1048576]"),
    "flags of 2**80": (lambda: t(2, flags=2**80), InvalidValueError, "Flags is 1208925819614629174706176"),
    "flags of an object": (lambda: t(2, flags=object()), InvalidValueError, "Flags is <object object"),
    "seven at once": (lambda: BufferTensorDesc("X", [-1, -2], [1], -1, "Y", -1), InvalidTypeError, "\n  Flags is 'Y'"),
}  # fmt: skip


@pytest.mark.parametrize("name", TENSORS)
def test_tensors(name: str) -> None:
    call, kind, words = TENSORS[name]
    assert words in attack.refused(call, kind)


def windows(kind: type[Any], **given: int) -> Any:
    """FOLD and UNFOLD of one spatial dimension; members that are not given are 1, paddings 0."""
    fields = {"window_sizes": 1, "strides": 1, "dilations": 1, "start_padding": 0, "end_padding": 0, **given}
    return kind(t(1, 1, 4), t(1, 1, 4), *([value] for value in fields.values()))


DESCS: dict[str, tuple[Callable[[], Any], str]] = {
    "no tensors": (lambda: SplitOperatorDesc(t(4), [], 0), "OutputCount is 0, allowed 1 and more"),
    "an empty tensor": (lambda: ElementWiseIdentityOperatorDesc(t(0), t(0)), "InputTensor.Sizes[0] is 0"),
    "2**32 elements": (lambda: ElementWiseIdentityOperatorDesc(t(2**16, 2**16), t(2**16, 2**16)),
                       "InputTensor.Sizes is [65536, 65536], allowed up to 4294967295 elements"),
    "a stride of 2**31": (lambda: ElementWiseIdentityOperatorDesc(t(3, strides=[2**31]), t(3)),
                          "InputTensor.Strides is [2147483648], allowed a reach of up to 4294967295 elements"),
    "strides of 0 in an output": (lambda: ElementWiseIdentityOperatorDesc(t(3), t(3, strides=[0])),
                                  "OutputTensor.Strides is [0], allowed strides that give each element its own place"),
    "strides made for a search": (lambda: ElementWiseIdentityOperatorDesc(
        t(*[30] * 8), t(*[4] * 8, strides=[99991, 99989, 99971, 99961, 99929, 99923, 99907, 99901])), "OutputTensor"),
    "an axis of 2**32 - 1": (lambda: JoinOperatorDesc([t(2)], t(2), BIG), "Axis is 4294967295, allowed 0..0"),
    "index dimensions of all": (lambda: GatherOperatorDesc(t(4), t(3, kind="INT32"), t(3), 0, BIG),
                                "IndexDimensions is 4294967295, allowed 0..1"),
    "counts of all": (lambda: GatherNdOperatorDesc(t(4), t(1, kind="INT32"), t(1), BIG, BIG),
                      "InputDimensionCount is 4294967295, allowed 1..1"),
    "repeats of all": (lambda: TileOperatorDesc(t(4), t(4), [BIG]), "Sizes[0] is 4, allowed 17179869180"),
    "repeats of 0": (lambda: TileOperatorDesc(t(4), t(4), [0]), "Repeats[0] is 0, allowed 1 and more"),
    "paddings of all": (lambda: PaddingOperatorDesc(t(4), t(4), "EDGE", 0, [BIG], [BIG]),
                        "OutputTensor.Sizes[0] is 4, allowed 8589934594"),
    "a padding of infinity": (lambda: PaddingOperatorDesc(t(4, kind="INT32"), t(4, kind="INT32"), "CONSTANT",
                              float("inf"), [0], [0]), "PaddingValue is inf, allowed -2147483648..2147483647"),
    "a block of all": (lambda: DepthToSpaceOperatorDesc(t(1, 4, 1, 1), t(1, 1, 2, 2), BIG), "Tensor.Sizes[1] is 4"),
    "a block of 0": (lambda: DepthToSpaceOperatorDesc(t(1, 4, 1, 1), t(1, 1, 2, 2), 0), "BlockSize is 0"),
    "a slice of all": (lambda: SliceOperatorDesc(t(4), t(2), [BIG], [2], [BIG]), "Offsets[0] + Strides[0]"),
    "a slice that stands": (lambda: SliceOperatorDesc(t(4), t(2), [0], [2], [0]), "Strides[0] is 0"),
    "a window of all": (lambda: Slice1OperatorDesc(t(4), t(2), [BIG], [BIG], [-(2**31)]), "InputWindowSizes[0]"),
    "one value for ONE_HOT": (lambda: OneHotOperatorDesc(t(1, kind="UINT32"), t(1), t(4), 0), "Tensor.Sizes is [1]"),
    "casts to UNKNOWN": (lambda: CastOperatorDesc(t(4), t(4, kind="UNKNOWN")), "OutputTensor.DataType is UNKNOWN"),
    "windows of all": (lambda: windows(UnfoldOperatorDesc, window_sizes=BIG), "WindowSizes[0] is 4294967295"),
    "dilations of all": (lambda: windows(UnfoldOperatorDesc, window_sizes=2, dilations=BIG), "WindowSizes[0] is 2"),
    "strides of windows of 0": (lambda: windows(FoldOperatorDesc, strides=0), "Strides[0] is 0, allowed 1 and more"),
    "paddings of windows of all": (lambda: windows(UnfoldOperatorDesc, start_padding=BIG, end_padding=BIG),
                                   "OutputTensor.Sizes[2] is 4, allowed 8589934594"),
    "5,000 parts of another size": (lambda: JoinOperatorDesc([t(2, 1)] * 5000, t(1, 5000), 1),
                                    "InputTensors[0].Sizes[0] is 2, allowed 1"),
    "a value of another type": (lambda: FillValueConstantOperatorDesc(t(4), "INT32", 1), "ValueDataType is INT32"),
}  # fmt: skip


@pytest.mark.parametrize("name", DESCS)
def test_descriptions(name: str) -> None:
    make, words = DESCS[name]
    told = attack.refused(lambda: validate(make()))
    assert words in told
    assert told.endswith("(DirectML answers E_INVALIDARG)")


MEMBERS: dict[str, tuple[Callable[[], object], str]] = {
    "all of another kind": (lambda: GatherOperatorDesc(1, "x", None, 1.5, "one"), "\n  IndexDimensions is 'one'"),
    "a scale of words": (lambda: ScaleBias("x", None), "Scale is 'x', allowed a number of float32's range\n  Bias"),
    "a scale beyond float32": (lambda: ScaleBias(1e39, -1e39), "Scale is 1e+39"),
    "a value beyond its type": (lambda: FillValueSequenceOperatorDesc(t(4), "UINT8", 256, -1), "ValueDelta is -1"),
    "a value of no type": (lambda: FillValueConstantOperatorDesc(t(4), "UINT4", 1), "has the type UINT4"),
    "tensors that are none": (lambda: JoinOperatorDesc([1, t(2), None], t(2), 0), "InputTensors[2] is None"),
    "an offset of 33 bits": (lambda: DiagonalMatrix1OperatorDesc(None, t(2, 2), "FLOAT32", 1, 2**32, -(2**32)),
                             "DiagonalFillEnd is -4294967296"),
    "numbers of words": (lambda: TileOperatorDesc(t(4), t(4), "12"), "Repeats is '12', allowed a sequence"),
    "a mode of a megabyte": (lambda: PaddingOperatorDesc(t(4), t(4), "E" * 2**20, 0, [0], [0]), "Mode is 'EE"),
}  # fmt: skip


@pytest.mark.parametrize("name", MEMBERS)
def test_members(name: str) -> None:
    call, words = MEMBERS[name]
    assert words in attack.refused(call)


IDENTITY = ElementWiseIdentityOperatorDesc(t(4), t(4))
FOUR = np.arange(4, dtype=np.float32)


def locked() -> np.ndarray[Any, Any]:
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    return array


BINDINGS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "binding input_tensor is missing"),
    "another name": ({"x" * 2**20: FOUR}, "bindings has 'xxx"),
    "both spellings": ({"input_tensor": FOUR, "InputTensor": FOUR}, "in both spellings"),
    "no buffer": ({"input_tensor": 3, "output_tensor": FOUR}, "binding InputTensor is a int, allowed anything with"),
    "objects": ({"input_tensor": np.array([None]), "output_tensor": FOUR}, "holds Python objects"),
    "strided memory": ({"input_tensor": np.zeros(8, np.float32)[::2], "output_tensor": FOUR}, "is a strided array"),
    "too few bytes": ({"input_tensor": b"123", "output_tensor": FOUR}, "size in bytes is 3, allowed 16 and more"),
    "an offset beyond": ({"input_tensor": (FOUR, 2**70), "output_tensor": FOUR}, "offset is 1180591620717411303424"),
    "an offset below 0": ({"input_tensor": (FOUR, -16), "output_tensor": FOUR}, "offset is -16, allowed 0..16"),
    "a size beyond": ({"input_tensor": (FOUR, 0, 2**70), "output_tensor": FOUR}, "size in bytes is 11805916207174"),
    "an offset of words": ({"input_tensor": (FOUR, "x"), "output_tensor": FOUR}, "is placed at ('x',), allowed int"),
    "an odd offset": ({"input_tensor": (np.zeros(9, "f4"), 4), "output_tensor": FOUR}, "allowed multiples of 16"),
    "a read-only output": ({"input_tensor": FOUR, "output_tensor": locked()}, "is read-only, allowed a writable"),
    "a part of the input": ({"input_tensor": (np.zeros(12, "f4"), 0), "output_tensor": b""}, "binding OutputTensor"),
}  # fmt: skip


@pytest.mark.parametrize("name", BINDINGS)
def test_bindings(name: str) -> None:
    bindings, words = BINDINGS[name]
    assert words in attack.refused(lambda: execute(IDENTITY, bindings))


def test_outputs_are_as_they_were_after_a_refusal() -> None:
    out = np.full(4, 7, np.float32)
    for bindings, _ in BINDINGS.values():
        with pytest.raises(WherryError):
            execute(IDENTITY, {**bindings, "OutputTensor": out} if "output_tensor" not in bindings else bindings)
    assert out.tolist() == [7] * 4


@pytest.mark.parametrize("count", [2**31, BIG])
def test_updates_that_share_one_place(count: int) -> None:
    many = {"strides": [0], "total_tensor_size_in_bytes": 4}
    desc = ScatterOperatorDesc(t(4), t(count, kind="INT32", **many), t(count, **many), t(4), 0)
    names = ("input_tensor", "indices_tensor", "updates_tensor", "output_tensor")
    bindings = {name: np.zeros(4, np.int32 if "indices" in name else np.float32) for name in names}
    assert "the elements to write take" in attack.refused(lambda: execute(desc, bindings), ResourceLimitError)


def test_windows_that_reach_over_paddings_only() -> None:
    """Of 2**31 places in the window one lies inside the image: the others are nothing to list."""
    places = 2**31
    columns = t(1, places, 1, strides=[0, 0, 0], total_tensor_size_in_bytes=4)
    desc = FoldOperatorDesc(columns, t(1, 1, 1), [places], [1], [1], [places - 1], [0])
    bindings = {"input_tensor": np.zeros(4, np.float32), "output_tensor": np.zeros(4, np.float32)}
    words = attack.refused(lambda: execute(desc, bindings), ResourceLimitError)
    assert "the places in a window are 2147483648" in words or "take" in words


def test_limits_hold_for_plans_that_are_kept() -> None:
    whole = t(1000, 1000)
    desc = ElementWiseIdentityOperatorDesc(t(1000, 1000, strides=[0, 1], total_tensor_size_in_bytes=4000), whole)
    bindings = {"input_tensor": np.zeros(1000, np.float32), "output_tensor": np.zeros((1000, 1000), np.float32)}
    execute(desc, bindings)
    with wh.limited(wh.Limits(bytes=1000)), pytest.raises(ResourceLimitError):
        execute(desc, bindings)
    execute(desc, bindings)
