"""Initial values of DxDispatch models: every kind, and hostile ones."""

import json
import os
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.directml.dispatch_models import (
    resource,
    zeros,
)
from tests.support.compare import assert_same_bits
from wherry.dialects.directml import read
from wherry.dialects.directml.dxdispatch.values import BadValue, _as_elements, as_element
from wherry.dialects.directml.enums import DataType
from wherry.errors import FileFormatError, ResourceLimitError
from wherry.limits import Limits


def values_of(load, given):
    """The bytes of a resource, by an otherwise empty model."""
    model = load({"resources": {"R": given}, "dispatchables": {}, "commands": []})
    return model.run_commands().buffers["R"], model.inputs["R"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (resource([1, 2.5, "nan", "-INF", "Inf"]), np.float32([1, 2.5, np.nan, -np.inf, np.inf])),
        (resource([1, 0.1, 65504], "FLOAT16"), np.float16([1, 0.1, 65504])),
        (resource([-128, 127], "INT8"), np.int8([-128, 127])),
        (resource([2**64 - 1], "UINT64"), np.uint64([2**64 - 1])),
        (resource([-(2**63)], "DML_TENSOR_DATA_TYPE_INT64"), np.int64([-(2**63)])),
        (resource([0.1], "FLOAT64"), np.float64([0.1])),
        (resource([-0.0, 5e-324], "FLOAT64"), np.float64([-0.0, 5e-324])),
        (resource({"valueCount": 3, "value": 7}, "UINT16"), np.uint16([7, 7, 7])),
        (resource({"valueCount": 4, "valueStart": 250, "valueDelta": 3}, "UINT8"), np.uint8([250, 253, 0, 3])),
        (resource({"valueCount": 3, "valueStart": 10, "valueDelta": -2}, "INT32"), np.int32([10, 8, 6])),
    ],
)  # fmt: skip
def test_typed_initial_values(load, given, expected):
    memory, kind = values_of(load, given)
    assert_same_bits(memory[: expected.nbytes].view(expected.dtype), expected)
    assert memory.size == -(-expected.nbytes // 4) * 4
    assert not memory[expected.nbytes :].any()
    assert kind.shape == expected.shape


NUMBERS = (
    st.integers(-(2**70), 2**70)
    | st.integers(-130, 260)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(width=16, allow_nan=False, allow_infinity=False)
    | st.sampled_from(["nan", "-Inf", "INF", "x", True, None, 10**400, 65504.0, 65520.0, 2.0**127, 2.0**1023])
)


@given(st.lists(NUMBERS, max_size=4), st.sampled_from(["FLOAT16", "FLOAT32", "FLOAT64", "INT8", "UINT64"]))
def test_values_read_at_once_are_those_read_one_by_one(numbers, name):
    data_type = DataType[name]
    try:
        expected = [as_element(number, data_type) for number in numbers]
    except BadValue:
        assert _as_elements(numbers, data_type) is None
    else:
        assert_same_bits(_as_elements(numbers, data_type), np.array(expected, data_type.dtype.numpy))


@pytest.mark.parametrize("wrong", [0, 1023, 1024, 5000])
def test_the_wrong_values_among_many_are_found(load, wrong):
    numbers = [0.5] * 5001
    numbers[wrong] = None
    with pytest.raises(FileFormatError) as caught:
        values_of(load, resource(numbers))
    assert len(caught.value.faults) == 1
    assert f"initialValues[{wrong}] (line {6 + wrong}, column 5): is null" in str(caught.value)


@pytest.mark.parametrize("data_type", ["FLOAT16", "FLOAT32", "FLOAT64"])
def test_sequences_add_in_their_own_type(load, data_type):
    memory, _ = values_of(load, resource({"valueCount": 200, "valueStart": 3.2, "valueDelta": 0.1}, data_type))
    kind = np.dtype(data_type.lower())
    value, delta = kind.type(np.float32(3.2) if kind.itemsize == 2 else 3.2), kind.type(0.1)
    expected = []
    for _ in range(200):
        expected.append(value)
        value = kind.type(value + delta)
    assert_same_bits(memory[: 200 * kind.itemsize].view(kind), np.array(expected, kind))


def test_lists_of_typed_values(load):
    entries = [
        {"name": "n", "type": "UINT32", "value": 6},
        {"type": "FLOAT32", "value": 1.5},
        {"type": "UINT8", "value": 3},
    ]
    memory, kind = values_of(load, {"initialValues": entries})
    assert memory.tobytes() == struct.pack("<IfB", 6, 1.5, 3) + b"\0\0\0"
    assert str(kind) == "uint8[9]"


def test_files(load, tmp_path):
    np.save(tmp_path / "a.npy", np.float32([[1, 2], [3, 4]]))
    np.save(tmp_path / "big.NPY.npy", np.array([1, 2], ">f4"))
    (tmp_path / "raw.bin").write_bytes(struct.pack("<2h", -1, 2))
    (tmp_path / "sub").mkdir()
    np.save(tmp_path / "sub" / "b.npy", np.int64([5]))
    assert values_of(load, {"initialValues": {"sourcePath": "a.npy"}})[0].view("f4").tolist() == [1, 2, 3, 4]
    assert values_of(load, resource({"sourcePath": "a.npy"}))[0].view("f4").tolist() == [1, 2, 3, 4]
    assert values_of(load, resource({"sourcePath": "big.NPY.npy"}))[0].view("f4").tolist() == [1, 2]
    assert values_of(load, resource({"sourcePath": "raw.bin"}, "INT16"))[0].view("i2").tolist() == [-1, 2]
    assert values_of(load, {"initialValues": {"sourcePath": "sub\\b.npy"}})[0].view("i8").tolist() == [5]
    assert values_of(load, {"initialValues": {"sourcePath": "sub/../a.npy"}})[0].size == 16


def test_sizes_and_offsets(load):
    memory, _ = values_of(load, resource([1, 2], sizeInBytes=32, initialValuesOffsetInBytes=8))
    assert memory.view("f4").tolist() == [0, 0, 1, 2, 0, 0, 0, 0]
    assert values_of(load, resource([1], "UINT8", sizeInBytes=1))[0].size == 1
    for wrong in (
        {"sizeInBytes": 7},
        {"initialValuesOffsetInBytes": 1},
        {"sizeInBytes": 8, "initialValuesOffsetInBytes": 4},
    ):
        with pytest.raises(FileFormatError, match=r"resources\.R .*sizeInBytes is \d+, allowed \d+ and more"):
            values_of(load, resource([1, 2], **wrong))


BAD_VALUES = [
    ([], "holds no values, allowed one and more"),
    ({"valueCount": 0, "value": 0}, "holds no values"),
    ({"valueCount": 0, "valueStart": 0, "valueDelta": 1}, "holds no values"),
    ({"valueCount": 2, "value": 0, "valueStart": 1}, "has value and valueStart, allowed exactly one of"),
    ({"valueCount": 2}, "has none of its kinds, allowed exactly one of value, valueStart, sourcePath"),
    ({"valueCount": 2, "value": 0, "extra": 1}, "extra (line 8, column 14): is not a member here, allowed valueCount"),
    ({"value": 0}, "initialValues.valueCount (line 5, column 21): is missing"),
    ({"valueCount": 2, "valueStart": 0}, "valueDelta"),
    ({"valueCount": -1, "value": 0}, "valueCount"),
    ({"valueCount": 2.0, "value": 0}, "valueCount"),
    ({"valueCount": True, "value": 0}, "valueCount"),
    ([True], "is true, allowed a number"),
    (["1"], "initialValues[0] (line 6, column 5): is '1', allowed a number, or one of 'nan', 'inf', '-inf'"),
    ([None], "is null, allowed a number"),
    ([1e39], "is 1e+39, beyond the range of FLOAT32"),
    ([2**53 + 1], "which no double holds without loss"),
    ([10**300], "which no double holds without loss"),
    ([{"type": "UINT8", "value": 1}], "is a list of typed values, allowed initialValuesDataType UNKNOWN"),
    ("deferred", "is 'deferred', allowed an array or an object; 'deferred' is an output of ONNX"),
    ({"sourcePath": "image.png"}, "is 'image.png', and there is no such file"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "message"), BAD_VALUES)
def test_bad_initial_values(load, values, message):
    with pytest.raises(FileFormatError) as caught:
        values_of(load, resource(values))
    assert str(caught.value).startswith("model.json: resources.R.initialValues")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (resource([256], "UINT8"), "is 256, allowed 0..255 for UINT8"),
        (resource([-1], "UINT32"), "is -1, allowed 0..4294967295"),
        (resource([1.0], "INT32"), "is 1.0, allowed a whole number for INT32"),
        (resource(["nan"], "INT32"), "is 'nan', allowed a whole number"),
        (resource([70000], "FLOAT16"), "beyond the range of FLOAT16"),
        (resource([1e300], "FLOAT16"), "beyond the range of FLOAT16"),
        (resource([1], "UINT4"), "has the type UINT4, allowed a type of 8 bits and more"),
        (resource([1], "float32"), "is 'float32', allowed UNKNOWN, FLOAT32"),
        (resource([1], "UNKNOWN"), "initialValuesDataType is missing or UNKNOWN, allowed FLOAT32"),
        ({"initialValues": [1]}, "initialValuesDataType is missing or UNKNOWN"),
        ({"initialValuesDataType": "FLOAT32"}, "initialValues (line 3, column 8): is missing; it has no default"),
        ({"initialValues": [{"type": "FLOAT16", "value": 1}]}, "is FLOAT16, which DxDispatch lacks in lists"),
        ({"initialValues": [{"type": "UINT8", "value": 300}]}, "initialValues[0].value (line 7, column 15): is 300"),
        ({"initialValues": [{"type": "UINT8"}]}, "is missing"),
        (resource([1], color="red"), "color (line 8, column 13): is not a member here, allowed initialValues"),
        (resource([1], type="texture"), "is 'texture', allowed 'buffer'"),
        (resource([1], resampleSize=[1, 3, 8, 8]), "only images are resampled"),
        (resource([1], sizeInBytes=-4), "sizeInBytes"),
        (resource([1], sizeInBytes=2**64), "sizeInBytes"),
        (resource([1], sizeInBytes="4"), "sizeInBytes (line 8, column 19): is '4': input should be a valid integer"),
    ],
)  # fmt: skip
def test_bad_resources(load, given, message):
    with pytest.raises(FileFormatError) as caught:
        values_of(load, given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (resource({"valueCount": 2**62, "value": 0}), "initialValues (line 5, column 21): the initial values and the "
         "resources before them take 18446744073709551616 bytes, allowed 2147483647"),
        (resource({"valueCount": 2**40, "valueStart": 0, "valueDelta": 1}), "take 4398046511104 bytes"),
        (resource([1], sizeInBytes=2**63), "resources.R (line 3, column 8): the resource and those before it take"),
    ],
)  # fmt: skip
def test_resources_that_take_too_much(load, given, message):
    with pytest.raises(ResourceLimitError) as caught:
        values_of(load, given)
    assert message in str(caught.value)


def test_the_limit_counts_all_resources(load):
    model = {"resources": {name: zeros(100) for name in "ABC"}, "dispatchables": {}, "commands": []}
    assert len(load(model, limits=Limits(1200)).inputs) == 3
    with pytest.raises(ResourceLimitError, match=r"resources\.C.* take 1200 bytes, allowed 1199; raise Limits.bytes"):
        load(model, limits=Limits(1199))


def test_many_values_are_read_as_few_are(load):
    numbers = [*range(-300, 300), 0.1, 1e-45, -0.0, 65504, 2**53]
    for data_type, kind in (("FLOAT64", "f8"), ("FLOAT32", "f4"), ("INT64", "i8")):
        given = numbers if kind != "i8" else [*range(300), 2**63 - 1, -(2**63)]
        together, one = values_of(load, resource(given, data_type))[0], []
        for number in given:
            one.append(values_of(load, resource([number], data_type))[0].view(kind)[:1])
        assert_same_bits(together.view(kind)[: len(given)], np.concatenate(one))
    given = [0.1, 1.0006, 65504, 3, -0.0]
    one = [values_of(load, resource([number], "FLOAT16"))[0].view("f2")[:1] for number in given]
    assert_same_bits(values_of(load, resource(given, "FLOAT16"))[0].view("f2")[: len(given)], np.concatenate(one))


# hostile files


class Bomb:
    def __reduce__(self):
        return os.abort, ()


@pytest.mark.parametrize(
    "source",
    ["../secret.bin", "/etc/passwd", "C:\\secret.bin", "\\secret.bin", "\\\\host\\share", "sub/../../secret.bin",
     "link.bin", "linked/secret.bin", "", ".", "sub", "nothing.bin", "a\0b", "..\\secret.bin"],
)  # fmt: skip
def test_paths_stay_beside_the_model(tmp_path, source):
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.bin").write_bytes(b"1234")
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "linked").symlink_to(tmp_path)
    model = {"resources": {"R": resource({"sourcePath": source})}, "dispatchables": {}, "commands": []}
    (folder / "model.json").write_text(json.dumps(model))
    with pytest.raises(FileFormatError, match=r"resources\.R\.initialValues\.sourcePath"):
        read(folder / "model.json")


def npy(header, data=b"", magic=b"\x93NUMPY\x01\x00"):
    text = header.encode().ljust(117) + b"\n"
    return magic + struct.pack("<H", len(text)) + text + data


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no .npy file"),
        (b"\x93NUM", "is no .npy file"),
        (pickle.dumps(Bomb()), "is no .npy file"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", pickle.dumps([Bomb()])), "allowed the types of"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000000,)}"), "holds 0 bytes of data"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2**62, 8)}"), "is no .npy file"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8)}"), "holds 0 bytes of data"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "sizes from 0 on"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", b"1234"), "holds 4 bytes of data, allowed 8"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", b"12345"), "holds 5 bytes of data, allowed 4"),
        (npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", bytes(16)), "is in Fortran order"),
        (npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", b"1"), "holds bool, allowed the types"),
        (npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}", bytes(16)), "allowed the types of DirectML"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", bytes(8)), "holds FLOAT64, allowed FLOAT32"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", b"1234", b"\x93NUMPY\x03\x00"), "(3, 0)"),
        (npy("__import__('os').abort()"), "is no .npy file"),
    ],
)  # fmt: skip
def test_hostile_npy(load, tmp_path, content, message):
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        values_of(load, resource({"sourcePath": "a.npy"}))
    assert message in str(caught.value)


def test_other_files(load, tmp_path):
    (tmp_path / "raw.bin").write_bytes(b"123")
    (tmp_path / "image.jpg").write_bytes(b"123")
    (tmp_path / "empty.bin").write_bytes(b"")
    for name, message in [("raw.bin", "has 3 bytes, allowed a multiple of 4"), ("image.jpg", "is an image"),
                          ("empty.bin", "holds no values")]:  # fmt: skip
        with pytest.raises(FileFormatError, match=message):
            values_of(load, resource({"sourcePath": name}))
    with pytest.raises(ResourceLimitError, match="the file and the resources before it take 3 bytes, allowed 2"):
        read_with_limit(load, "raw.bin")


def read_with_limit(load, name):
    model = {"resources": {"R": resource({"sourcePath": name}, "UINT8")}, "dispatchables": {}, "commands": []}
    return load(model, limits=Limits(2))
