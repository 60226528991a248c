"""BufferTensorDesc, DMLCalcBufferTensorSize and the enumerations."""

import subprocess
import sys

import numpy as np
import pytest

from wherry.dialects.directml import (
    BufferTensorDesc,
    DataType,
    FeatureLevel,
    OperatorType,
    TensorFlags,
    calc_buffer_tensor_size,
)
from wherry.dialects.directml.enums import ExecutionFlags, as_feature_level, as_flags
from wherry.errors import InvalidTypeError, InvalidValueError, SizeOverflowError


@pytest.mark.parametrize(
    ("data_type", "sizes", "strides", "nbytes"),
    [
        ("FLOAT32", (2, 3), None, 24),
        ("FLOAT32", (2, 3), (0, 1), 12),
        ("FLOAT32", (2, 3), (5, 1), 32),
        ("FLOAT16", (5,), None, 12),
        ("UINT8", (1, 1, 1, 3), None, 4),
        ("INT4", (5,), None, 4),
        ("UINT4", (9,), None, 8),
        ("UNKNOWN", (5,), None, 0),
    ],
)
def test_calc_buffer_tensor_size(data_type, sizes, strides, nbytes):
    assert calc_buffer_tensor_size(data_type, sizes, strides) == nbytes


def test_size_does_not_wrap_at_32_bits():
    assert calc_buffer_tensor_size("UINT8", (2, 3), (2**32 - 1, 2**31)) == (2**32 - 1) + 2 * 2**31 + 1
    with pytest.raises(SizeOverflowError):
        calc_buffer_tensor_size("FLOAT64", (2**31, 2**31))


@pytest.mark.parametrize(
    "spelling", ["FLOAT16", "DML_TENSOR_DATA_TYPE_FLOAT16", 2, DataType.FLOAT16, "float16", np.float16]
)
def test_spellings_of_a_data_type(spelling):
    assert BufferTensorDesc(spelling, [5]).data_type is DataType.FLOAT16


@pytest.mark.parametrize("spelling", ["FLOAT128", "bfloat16", "bool", 14, -1, True, None, object()])
def test_types_that_directml_lacks(spelling):
    with pytest.raises(InvalidTypeError, match=r"DirectML BufferTensorDesc: DataType is .*, allowed UNKNOWN, FLOAT32"):
        BufferTensorDesc(spelling, [5])


def test_values_of_the_enumerations():
    names = ["UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8"]
    names += ["FLOAT64", "UINT64", "INT64", "UINT4", "INT4"]
    assert [member.name for member in DataType] == names
    assert [member.value for member in DataType] == list(range(14))
    assert [level.value for level in FeatureLevel] == [
        0x1000, 0x2000, 0x2100, 0x3000, 0x3100, 0x4000, 0x4100, 0x5000, 0x5100, 0x5200,
        0x6000, 0x6100, 0x6200, 0x6300, 0x6400]  # fmt: skip
    values = {"ELEMENT_WISE_IDENTITY": 1, "SPLIT": 62, "JOIN": 63, "GATHER": 67}
    assert {name: OperatorType[name].value for name in values} == values


@pytest.mark.parametrize("spelling", ["3.0", "3_0", "DML_FEATURE_LEVEL_3_0", 0x3000, FeatureLevel.LEVEL_3_0])
def test_spellings_of_a_feature_level(spelling):
    assert as_feature_level(spelling) is FeatureLevel.LEVEL_3_0


@pytest.mark.parametrize("spelling", ["3", "7.0", 3, 3.0, None, "LEVEL_3_0", 0x3001])
def test_unknown_feature_levels(spelling):
    with pytest.raises(InvalidValueError, match=r"feature_level is .*, allowed 1\.0, 2\.0, 2\.1, .* 6\.4"):
        as_feature_level(spelling)


def test_flags():
    assert as_flags("Flags", "DML_TENSOR_FLAG_OWNED_BY_DML", TensorFlags) is TensorFlags.OWNED_BY_DML
    assert as_flags("executionFlags", ["DISABLE_META_COMMANDS", "DESCRIPTORS_VOLATILE"], ExecutionFlags).value == 6
    for bad in ("owned", 2, None):
        with pytest.raises(InvalidValueError, match=r"Flags is .*, allowed NONE, OWNED_BY_DML"):
            as_flags("Flags", bad, TensorFlags)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": [2, -1]}, r"Sizes\[1\] is -1, allowed 0\.\.4294967295"),
        ({"sizes": [2**32]}, r"Sizes\[0\] is 4294967296"),
        ({"sizes": [2, 3], "strides": [3]}, r"Strides is \[3\], allowed 2 entries"),
        (
            {"sizes": [2], "strides": [-1]},
            r"Strides\[0\] is -1, allowed 0\.\.4294967295, an unsigned integer of 32 bits",
        ),
        ({"sizes": [2], "total_tensor_size_in_bytes": -1}, "TotalTensorSizeInBytes is -1"),
        ({"sizes": [2], "guaranteed_base_offset_alignment": 2**32}, "GuaranteedBaseOffsetAlignment is 4294967296"),
    ],
)
def test_what_the_struct_cannot_hold(arguments, message):
    with pytest.raises(InvalidValueError, match=message):
        BufferTensorDesc("FLOAT32", **arguments)


def test_sizes_are_integers():
    with pytest.raises(InvalidTypeError, match=r"Sizes\[0\] is 2\.0"):
        BufferTensorDesc("FLOAT32", [2.0])
    with pytest.raises(InvalidTypeError, match="Sizes is 2, allowed a sequence"):
        BufferTensorDesc("FLOAT32", 2)


def test_descriptions_rebuild_from_their_fields_and_are_hashable():
    desc = BufferTensorDesc("FLOAT32", [2, 3], [5, 1], 64, "OWNED_BY_DML", 32)
    fields = (desc.data_type, desc.sizes, desc.strides, desc.total_tensor_size_in_bytes, desc.flags,
              desc.guaranteed_base_offset_alignment)  # fmt: skip
    assert BufferTensorDesc(*fields) == desc
    assert hash(BufferTensorDesc(*fields)) == hash(desc)
    assert desc.dimension_count == 2
    assert desc.layout.strides == (5, 1)


def test_importing_the_dialect_loads_no_optional_package():
    code = "import sys, wherry; wherry.directml.execute; print('pydantic' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_a_missing_pydantic_is_told():
    code = (
        "import sys; sys.modules['pydantic'] = None; import wherry\n"
        "try: wherry.directml.read('model.json')\n"
        "except wherry.errors.MissingDependencyError as error: print(error)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "reading a DxDispatch model needs the package pydantic; install it with" in result.stdout
    assert "wherry[directml]" in result.stdout


def test_every_member_that_is_wrong_is_told():
    with pytest.raises(InvalidTypeError) as caught:
        BufferTensorDesc("FLOAT99", [1, -1, 2**32], [1], -5, "X", -1)
    assert [words.split(" is ")[0] for words in caught.value.faults] == [
        "DataType", "Sizes[1]", "Sizes[2]", "TotalTensorSizeInBytes", "Flags", "GuaranteedBaseOffsetAlignment"
    ]  # fmt: skip
