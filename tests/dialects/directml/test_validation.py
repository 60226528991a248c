"""validate: every rule that DirectML answers with E_INVALIDARG, told in words."""

import pytest

from wherry.dialects.directml import (
    BufferTensorDesc,
    ElementWiseIdentityOperatorDesc,
    FeatureLevel,
    GatherOperatorDesc,
    JoinOperatorDesc,
    ScaleBias,
    SplitOperatorDesc,
    validate,
)
from wherry.dialects.directml.schema import SCHEMA
from wherry.errors import InvalidTypeError, InvalidValueError

EIGHT = ["FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"]
SIX = ["FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"]
ALL = [*EIGHT, "FLOAT64", "INT64", "UINT64"]
LEVELS = [str(level) for level in FeatureLevel]


def tensor(*sizes, data_type="FLOAT32", **members):
    return BufferTensorDesc(data_type, sizes, **members)


def gather(data, indices, out, axis, index_dimensions):
    return GatherOperatorDesc(data, indices, out, axis, index_dimensions)


def indices(*sizes, data_type="UINT32", **members):
    return tensor(*sizes, data_type=data_type, **members)


def refused(desc, message, level="6.4", kind=InvalidValueError):
    with pytest.raises(kind) as caught:
        validate(desc, level)
    text = str(caught.value)
    assert text.startswith(f"DirectML {desc.name} (feature level {level}): ")
    assert text.endswith("(DirectML answers E_INVALIDARG)")
    assert message in text


# The dimension counts of JOIN and IDENTITY: GATHER and SPLIT are in tests/spec with their pages
def supported(name, level):
    number = FeatureLevel["LEVEL_" + level.replace(".", "_")]
    if name == "JOIN":
        table = [(0x1000, [4], SIX), (0x2100, [4], EIGHT), (0x3000, [4, 5], EIGHT), (0x3100, range(1, 9), EIGHT),
                 (0x4100, range(1, 9), ALL)]  # fmt: skip
    else:
        table = [(0x1000, [4, 5], ["FLOAT32", "FLOAT16"]), (0x2100, [4, 5], EIGHT), (0x3000, range(1, 9), EIGHT),
                 (0x4100, range(1, 9), ALL)]  # fmt: skip
    _, counts, types = [row for row in table if row[0] <= number][-1]
    return counts, types


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["JOIN", "ELEMENT_WISE_IDENTITY"])
def test_support_by_feature_level(name, level):
    counts, types = supported(name, level)
    for count in range(9):
        for data_type in [*ALL, "UNKNOWN", "INT4", "UINT4"]:
            part = tensor(*[1] * count, data_type=data_type)
            desc = JoinOperatorDesc([part], part, 0) if name == "JOIN" else ElementWiseIdentityOperatorDesc(part, part)
            if count in counts and data_type in types:
                validate(desc, level)
            elif count in counts:
                refused(desc, f".DataType is {data_type}, allowed FLOAT32, ", level, InvalidTypeError)
            else:
                refused(desc, f".DimensionCount is {count}, allowed {counts[0]}", level)


@pytest.mark.parametrize("info", SCHEMA.values(), ids=SCHEMA)
def test_tables_are_whole(info):
    assert info.type.value > 0
    assert [row.since for row in info.rows] == sorted({row.since for row in info.rows})
    groups = {member.group for member in info.tensors}
    for row in info.rows:
        assert set(row.support) == groups
        assert row.source == f"DML_{info.name}_OPERATOR_DESC, Tensor support"
    for member in info.members:
        place = info.members.index(member)
        assert [array in info.members[place:] for array in member.counts] == [True] * len(member.counts)
        assert member.typed_by is None or info.members.index(member.typed_by) < place


def identity(source, target, scale_bias=None):
    return ElementWiseIdentityOperatorDesc(source, target, scale_bias)


TENSOR_RULES = [
    (
        identity(tensor(2, 0), tensor(2, 0)),
        "InputTensor.Sizes[1] is 0, allowed 1 and more; DirectML has no empty tensors",
    ),
    (
        identity(tensor(2, 3), tensor(2, 3, strides=[0, 1])),
        "OutputTensor.Strides is [0, 1], allowed strides that give each",
    ),
    (
        identity(tensor(3, 3), tensor(3, 3, strides=[2, 1])),
        "OutputTensor.Strides is [2, 1], allowed strides that give each",
    ),
    (
        identity(tensor(5, total_tensor_size_in_bytes=16), tensor(5)),
        "InputTensor.TotalTensorSizeInBytes is 16, allowed 20 and more",
    ),
    (
        identity(tensor(5, data_type="FLOAT16", total_tensor_size_in_bytes=10), tensor(5, data_type="FLOAT16")),
        "InputTensor.TotalTensorSizeInBytes is 10, allowed 12 and more; as DMLCalcBufferTensorSize says",
    ),
    (
        identity(tensor(5), tensor(5, guaranteed_base_offset_alignment=24)),
        "OutputTensor.GuaranteedBaseOffsetAlignment is 24, allowed 0, or a power of two from 4 on",
    ),
    (
        identity(tensor(5, guaranteed_base_offset_alignment=2), tensor(5)),
        "InputTensor.GuaranteedBaseOffsetAlignment is 2, allowed 0, or a power of two from 4 on; an element",
    ),
    (identity(tensor(5), tensor(5, flags="OWNED_BY_DML")), "OutputTensor.Flags is OWNED_BY_DML, allowed NONE"),
    (
        identity(tensor(2**16, 2**16), tensor(2**16, 2**16)),
        "InputTensor.Sizes is [65536, 65536], allowed up to 4294967295 elements; it has 4294967296",
    ),
    (
        identity(tensor(2, strides=[2**32 - 1]), tensor(2)),
        "InputTensor.Strides is [4294967295], allowed a reach of up to 4294967295 elements; they reach over 4294967296",
    ),
    (identity(tensor(2, 3), tensor(2, 4)), "OutputTensor.Sizes[1] is 4, allowed 3; OutputTensor.Sizes are [2, 3]"),
    (
        identity(tensor(2, 3), tensor(1, 2, 3)),
        "OutputTensor.DimensionCount is 3, allowed 2, InputTensor.DimensionCount",
    ),
]

SHAPE_RULES = [
    (gather(tensor(4), indices(3), tensor(3), 1, 1), "Axis is 1, allowed 0..0; the tensors have 1 dimensions"),
    (
        gather(tensor(4), indices(3), tensor(3), 0, 2),
        "IndexDimensions is 2, allowed 0..1; IndicesTensor has 1 dimensions",
    ),
    (
        gather(tensor(1, 4), indices(2, 3), tensor(2, 3), 0, 2),
        "IndexDimensions is 2, allowed 0..1, up to Axis + 1; the output would need 3 dimensions and has 2",
    ),
    (
        gather(tensor(3, 2), indices(2, 4), tensor(4, 2), 0, 1),
        "IndicesTensor.Sizes[0] is 2, allowed 1; IndexDimensions is 1, so only the last 1 dimensions hold indices",
    ),
    (
        gather(tensor(3, 2), indices(1, 4), tensor(1, 2), 0, 0),
        "IndicesTensor.Sizes[1] is 4, allowed 1; IndexDimensions is 0",
    ),
    (
        gather(tensor(2, 3, 2), indices(1, 2, 2), tensor(2, 2, 2), 1, 2),
        "InputTensor.Sizes[0] is 2, allowed 1; the 2 index dimensions take the place of 1 leading dimensions",
    ),
    (
        gather(tensor(3, 2), indices(1, 4), tensor(4, 3), 0, 1),
        "OutputTensor.Sizes[1] is 3, allowed 2; OutputTensor.Sizes are [4, 2]: the input",
    ),
    (
        gather(tensor(3, 2), indices(1, 1), tensor(3, 2), 0, 0),
        "OutputTensor.Sizes[0] is 3, allowed 1; OutputTensor.Sizes are [1, 2]",
    ),
    (gather(tensor(3, 2), indices(4), tensor(4, 2), 0, 1), "IndicesTensor.DimensionCount is 1, allowed 2, InputTensor"),
    (
        gather(tensor(1, 1, 3, 2), indices(4), tensor(1, 1, 4, 2), 2, 1),
        "all tensors have one; add leading dimensions of size 1",
    ),
    (
        SplitOperatorDesc(tensor(6), [], 0),
        "OutputCount is 0, allowed 1 and more; give at least one tensor in OutputTensors",
    ),
    (
        SplitOperatorDesc(tensor(6), [tensor(6)], 0, 2),
        "OutputCount is 2, allowed 1; OutputTensors has that many entries",
    ),
    (SplitOperatorDesc(tensor(6), [tensor(3), tensor(3)], 1), "Axis is 1, allowed 0..0"),
    (
        SplitOperatorDesc(tensor(6), [tensor(4), tensor(3)], 0),
        "OutputTensors[*].Sizes[0] is [4, 3], allowed a sum of 6",
    ),
    (
        SplitOperatorDesc(tensor(6, 2), [tensor(3, 2), tensor(3, 1)], 0),
        "OutputTensors[1].Sizes[1] is 1, allowed 2, InputTensor.Sizes[1]; only dimension 0, the Axis, may differ",
    ),
    (SplitOperatorDesc(tensor(6), [tensor(6), tensor(0)], 0), "OutputTensors[1].Sizes[0] is 0, allowed 1 and more"),
    (JoinOperatorDesc([], tensor(6), 0), "InputCount is 0, allowed 1 and more"),
    (JoinOperatorDesc([tensor(3)], tensor(3), 0, 2), "InputCount is 2, allowed 1"),
    (
        JoinOperatorDesc([tensor(3), tensor(2)], tensor(6), 0),
        "InputTensors[*].Sizes[0] is [3, 2], allowed a sum of 6, OutputTensor",
    ),
    (
        JoinOperatorDesc([tensor(3, 1), tensor(3, 2)], tensor(6, 1), 0),
        "InputTensors[1].Sizes[1] is 2, allowed 1, OutputTensor",
    ),
]

TYPE_RULES = [
    (
        identity(tensor(2), tensor(2, data_type="INT32")),
        "OutputTensor.DataType is INT32, allowed FLOAT32, InputTensor.DataType",
    ),
    (
        gather(tensor(2), indices(2), tensor(2, data_type="INT32"), 0, 1),
        "OutputTensor.DataType is INT32, allowed FLOAT32",
    ),
    (
        gather(tensor(2), indices(2, data_type="INT8"), tensor(2), 0, 1),
        "IndicesTensor.DataType is INT8, allowed INT64, INT32, UINT64, UINT32 at feature level 6.4",
    ),
    (SplitOperatorDesc(tensor(2), [tensor(1), tensor(1, data_type="UINT8")], 0), "OutputTensors[1].DataType is UINT8"),
    (
        JoinOperatorDesc([tensor(1), tensor(1, data_type="UINT8")], tensor(2), 0),
        "InputTensors[1].DataType is UINT8, allowed FLOAT32, InputTensors[0].DataType; nothing is cast",
    ),
]


@pytest.mark.parametrize(("desc", "message"), TENSOR_RULES + SHAPE_RULES)
def test_rules(desc, message):
    refused(desc, message)


@pytest.mark.parametrize(("desc", "message"), TYPE_RULES)
def test_type_rules(desc, message):
    refused(desc, message, kind=InvalidTypeError)


def test_legal_oddities():
    validate(gather(tensor(4), indices(5), tensor(5), 0, 1))  # IndexDimensions equal to DimensionCount
    validate(gather(tensor(4), indices(1), tensor(1), 0, 0))
    validate(identity(tensor(2, 3, strides=[0, 0]), tensor(2, 3)))
    validate(identity(tensor(5, 5, strides=[9, 1]), tensor(5, 5, strides=[1, 5])))
    validate(identity(tensor(5, 5, strides=[2, 1]), tensor(5, 5)))  # an input may overlap itself
    validate(identity(tensor(2, flags="OWNED_BY_DML"), tensor(2, total_tensor_size_in_bytes=9)))
    validate(identity(tensor(2, guaranteed_base_offset_alignment=4096), tensor(2, guaranteed_base_offset_alignment=4)))
    validate(identity(tensor(2), tensor(2), ScaleBias(2, 10)))


def test_the_struct_itself():
    with pytest.raises(InvalidTypeError, match="DirectML GATHER: InputTensor is 'x', allowed a BufferTensorDesc"):
        gather("x", indices(2), tensor(2), 0, 1)
    with pytest.raises(InvalidTypeError, match=r"DirectML SPLIT: OutputTensors\[1\] is None"):
        SplitOperatorDesc(tensor(2), [tensor(1), None], 0)
    with pytest.raises(InvalidTypeError, match="DirectML SPLIT: OutputTensors is BufferTensorDesc"):
        SplitOperatorDesc(tensor(2), tensor(2), 0)
    with pytest.raises(InvalidValueError, match=r"DirectML SPLIT: Axis is -1, allowed 0\.\.4294967295"):
        SplitOperatorDesc(tensor(2), [tensor(2)], -1)
    with pytest.raises(InvalidTypeError, match="ELEMENT_WISE_IDENTITY: ScaleBias is 2, allowed a ScaleBias or None"):
        identity(tensor(2), tensor(2), 2)
    with pytest.raises(InvalidValueError, match="Scale is 1e\\+40, allowed numbers of float32's range"):
        ScaleBias(1e40, 0)
    with pytest.raises(InvalidTypeError, match="desc is a str, allowed an operator description"):
        validate("GATHER")


def test_every_fault_is_told_at_once():
    desc = gather(tensor(4), indices(0), tensor(3, 3, data_type="INT32"), 7, 9)
    with pytest.raises(InvalidValueError) as caught:
        validate(desc)
    first, *others = str(caught.value).split("\n  ")
    assert first.startswith("DirectML GATHER (feature level 6.4): IndicesTensor.Sizes[0] is 0, allowed 1 and more")
    assert others[0].startswith("OutputTensor.DimensionCount is 2, allowed 1, InputTensor.DimensionCount")
    assert others[1].startswith("OutputTensor.DataType is INT32, allowed FLOAT32, InputTensor.DataType")
    assert len(others) == 2
    assert caught.value.faults == (first.partition(": ")[2], *others)


def test_shape_rules_tell_every_fault():
    desc = GatherOperatorDesc(tensor(1, 4), indices(2, 2), tensor(7, 7), 5, 1)
    with pytest.raises(InvalidValueError) as caught:
        validate(desc)
    assert [words.split(",")[0] for words in caught.value.faults] == ["Axis is 5", "IndicesTensor.Sizes[0] is 2"]
    parts = [tensor(1), tensor(2)]
    with pytest.raises(InvalidValueError) as caught:
        validate(JoinOperatorDesc([tensor(2, 1) for _ in parts], tensor(3, 5), 1))
    assert [words.split(",")[0] for words in caught.value.faults] == [
        "InputTensors[0].Sizes[0] is 2", "InputTensors[1].Sizes[0] is 2", "InputTensors[*].Sizes[1] is [1"
    ]  # fmt: skip


def test_of_many_faults_the_first_are_told():
    whole, parts = tensor(1, 100), [tensor(2, 1) for _ in range(100)]
    with pytest.raises(InvalidValueError) as caught:
        validate(JoinOperatorDesc(parts, whole, 1))
    assert len(caught.value.faults) == 20 + 1
    assert caught.value.faults[-1] == "... and there may be more (DirectML answers E_INVALIDARG)"
