"""The family in DxDispatch models: samples, forms of scalar unions, enumerations, arrays; round trips; refusals."""

import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects.directml.dispatch_models import changed, desc, dispatch, resource, show, zeros
from tests.dialects.directml.test_family_properties import CASES, Cases
from wherry.dialects import directml as dml
from wherry.dialects.directml import read, write
from wherry.dialects.directml.dxdispatch.model import Dispatch, Dispatchable, DispatchModel, Resource, Source
from wherry.errors import FileFormatError, InvalidValueError, UnsupportedError, WherryError


def model(kind, members, resources, **bindings):
    """A model of one operator whose last resource is printed."""
    return {
        "resources": resources,
        "dispatchables": {"it": {"type": kind, "desc": members}},
        "commands": [dispatch("it", **bindings), show(list(resources)[-1])],
    }


SLICE = model(
    "DML_OPERATOR_SLICE",
    {
        "InputTensor": desc(1, 1, 5, 5),
        "OutputTensor": desc(1, 1, 3, 2),
        "DimensionCount": 4,
        "Offsets": [0, 0, 1, 1],
        "Sizes": [1, 1, 3, 2],
        "Strides": [1, 1, 1, 2],
    },
    {"grid": resource({"valueCount": 25, "valueStart": 1, "valueDelta": 1}), "part": zeros(6)},
    InputTensor="grid",
    OutputTensor="part",
)

FILL = model(
    "FILL_VALUE_SEQUENCE",
    {"OutputTensor": desc(1, 1, 1, 5), "ValueDataType": "FLOAT32", "ValueStart": 3.2, "ValueDelta": 1.5},
    {"numbers": zeros(5)},
    OutputTensor="numbers",
)

PADDING = model(
    "PADDING1",
    {
        "InputTensor": desc(2, data_type="INT8"),
        "OutputTensor": desc(5, data_type="INT8"),
        "PaddingMode": "CONSTANT",
        "PaddingValueDataType": "INT8",
        "PaddingValue": -7,
        "DimensionCount": 1,
        "StartPadding": [1],
        "EndPadding": [2],
    },
    {"data": resource([5, 6], "INT8"), "out": zeros(5, "INT8")},
    InputTensor="data",
    OutputTensor="out",
)

REVERSE = model(
    "REVERSE_SUBSEQUENCES",
    {
        "InputTensor": desc(2, 4),
        "SequenceLengthsTensor": desc(2, 1, data_type="UINT32"),
        "OutputTensor": desc(2, 4),
        "Axis": 1,
    },
    {
        "rows": resource({"valueCount": 8, "valueStart": 1, "valueDelta": 1}),
        "lengths": resource([2, 9], "UINT32"),
        "turned": zeros(8),
    },
    InputTensor="rows",
    SequenceLengthsTensor="lengths",
    OutputTensor="turned",
)

BAND = model(
    "DIAGONAL_MATRIX1",
    {
        "OutputTensor": desc(2, 3),
        "ValueDataType": "DML_TENSOR_DATA_TYPE_FLOAT32",
        "Value": 7,
        "DiagonalFillBegin": -1,
        "DiagonalFillEnd": 1,
    },
    {"matrix": zeros(6)},
    OutputTensor="matrix",
)


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (SLICE, "Resource 'part': 7, 9, 12, 14, 17, 19"),
        (FILL, "Resource 'numbers': 3.2, 4.7, 6.2, 7.7, 9.2"),
        (PADDING, "Resource 'out': -7, 5, 6, -7, -7"),
        (REVERSE, "Resource 'turned': 2, 1, 3, 4, 8, 7, 6, 5"),
        (BAND, "Resource 'matrix': 7, 0, 0, 7, 7, 0"),
    ],
    ids=["slice", "fill_value_sequence", "padding1", "reverse_subsequences", "diagonal_matrix1"],
)
def test_models_print(load, written, line):
    loaded = load(written)
    assert loaded.run_commands().lines == [line]
    assert load(to_text(loaded)).run_commands().lines == [line]


def to_text(loaded):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written.json"
        write(loaded, path)
        assert [file.name for file in Path(folder).iterdir()] == ["written.json"]
        return path.read_text()


def padded_with(load, value, data_type="FLOAT32", mode="CONSTANT"):
    """The bytes of the first element that PADDING1 writes."""
    width = np.dtype(data_type.lower()).itemsize
    members = {
        "InputTensor": desc(1, data_type=data_type),
        "OutputTensor": desc(2, data_type=data_type),
        "PaddingMode": mode,
        "PaddingValueDataType": data_type,
        "PaddingValue": value,
        "DimensionCount": 1,
        "StartPadding": [1],
        "EndPadding": [0],
    }
    resources = {"data": resource([1], data_type), "out": zeros(2, data_type)}
    loaded = load(model("PADDING1", members, resources, InputTensor="data", OutputTensor="out"))
    return loaded.run_commands().buffers["out"].tobytes()[:width]


UNIONS = [
    ("FLOAT32", 0.1, np.float32(0.1)),
    ("FLOAT32", {"Float32": 0.1}, np.float32(0.1)),
    ("FLOAT32", {"Float32": "-INF"}, np.float32(-math.inf)),
    ("FLOAT64", {"Float64": "nan"}, np.float64(math.nan)),
    ("FLOAT64", -0.0, np.float64(-0.0)),
    ("FLOAT16", 1.5, np.float16(1.5)),
    ("FLOAT16", {"UInt16": 0x3E00}, np.float16(1.5)),
    ("FLOAT16", {"UInt16": 0x7C01}, np.uint16(0x7C01)),
    ("INT8", -7, np.int8(-7)),
    ("INT8", {"Int8": -7}, np.int8(-7)),
    ("UINT64", 2**64 - 1, np.uint64(2**64 - 1)),
    ("UINT64", {"UInt64": 2**64 - 1}, np.uint64(2**64 - 1)),
    ("INT64", {"Int64": -(2**53) - 1}, np.int64(-(2**53) - 1)),
]


@pytest.mark.parametrize(("data_type", "value", "expected"), UNIONS)
def test_scalar_unions(load, data_type, value, expected):
    assert padded_with(load, value, data_type) == expected.tobytes()


BAD_UNIONS = [
    ("FLOAT32", "inf", "PaddingValue"),
    ("FLOAT32", {"Float64": 1}, "has 'Float64', allowed 'Float32' alone, the member of the union for FLOAT32"),
    ("FLOAT16", {"Float32": 1}, "has 'Float32', allowed 'UInt16' alone"),
    ("FLOAT32", {}, "has no member, allowed 'Float32' alone"),
    ("INT8", {"Int8": 1, "UInt8": 1}, "has 'Int8', 'UInt8', allowed 'Int8' alone"),
    ("INT8", 128, "is 128, allowed -128..127 for INT8"),
    ("INT8", 1.0, "is 1.0, allowed a whole number for INT8"),
    ("INT8", {"Int8": "1"}, "is '1', allowed a whole number for INT8"),
    ("UINT8", -1, "is -1, allowed 0..255 for UINT8"),
    ("FLOAT16", 1e6, "is 1000000.0, beyond the range of FLOAT16"),
    ("FLOAT32", True, "PaddingValue"),
    ("FLOAT32", None, "PaddingValue"),
    ("FLOAT32", [1], "PaddingValue"),
]


@pytest.mark.parametrize(("data_type", "value", "message"), BAD_UNIONS)
def test_bad_scalar_unions(load, data_type, value, message):
    with pytest.raises(FileFormatError) as caught:
        padded_with(load, value, data_type)
    assert "dispatchables.it.desc.PaddingValue (line " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize("mode", dml.PaddingMode.__members__)
def test_enumerations_in_both_spellings(load, mode):
    for name in (mode, f"DML_PADDING_MODE_{mode}"):
        loaded = load(changed(PADDING, "dispatchables", "it", "desc", "PaddingMode", value=name))
        assert loaded.dispatchables["it"].desc.padding_mode is dml.PaddingMode[mode]
        assert f'"PaddingMode": "{mode}"' in to_text(loaded)


BAD = [
    (PADDING, ["PaddingMode"], "constant", "PaddingMode is 'constant', allowed CONSTANT, EDGE, REFLECTION, SYMMETRIC"),
    (PADDING, ["PaddingMode"], 0, "PaddingMode (line "),
    (PADDING, ["PaddingValueDataType"], "FLOAT8", "DataType is 'FLOAT8', allowed UNKNOWN, FLOAT32"),
    (PADDING, ["PaddingValueDataType"], "UNKNOWN", "has the type UNKNOWN, allowed a type of 8 bits and more"),
    (PADDING, ["PaddingValueDataType"], "UINT4", "has the type UINT4, allowed a type of 8 bits and more"),
    (PADDING, ["StartPadding"], [-1], "StartPadding[0] (line "),
    (PADDING, ["StartPadding"], [1.0], "StartPadding[0] (line "),
    (PADDING, ["StartPadding"], 1, "StartPadding (line "),
    (PADDING, ["Extra"], 1, "Extra (line"),
    (SLICE, ["Strides"], [1, 1, 1], "DimensionCount is 4, allowed 3; Strides has that many entries"),
    (SLICE, ["DimensionCount"], 3, "DimensionCount is 3, allowed 4; Offsets has that many entries"),
    (BAND, ["DiagonalFillBegin"], -(2**31) - 1, "DiagonalFillBegin (line "),
    (BAND, ["DiagonalFillBegin"], 0.5, "DiagonalFillBegin (line "),
]


@pytest.mark.parametrize(("base", "path", "value", "message"), BAD)
def test_bad_members(load, base, path, value, message):
    with pytest.raises(WherryError) as caught:
        load(changed(base, "dispatchables", "it", "desc", *path, value=value))
    assert message in str(caught.value)
    assert "it" in str(caught.value)


@pytest.mark.parametrize("base", [SLICE, FILL, PADDING, REVERSE, BAND])
def test_every_member_is_needed(load, base):
    """Counts included; only InputTensor of DIAGONAL_MATRIX1 is optional, and it is not there."""
    for member in base["dispatchables"]["it"]["desc"]:
        broken = json.loads(json.dumps(base))
        del broken["dispatchables"]["it"]["desc"][member]
        with pytest.raises(FileFormatError, match=f"{member} .line .* is missing; it has no default"):
            load(broken)


def test_an_optional_input(load):
    given = changed(BAND, "dispatchables", "it", "desc", "InputTensor", value=desc(2, 3))
    with pytest.raises(InvalidValueError, match="binding InputTensor is missing"):
        load(given)
    given["resources"] = {"data": resource([1, 2, 3, 4, 5, 6]), **given["resources"]}
    given["commands"][0]["bindings"]["InputTensor"] = "data"
    assert load(given).run_commands().lines == ["Resource 'matrix': 7, 2, 3, 7, 7, 6"]
    unbound = changed(BAND, "commands", 0, "bindings", "InputTensor", value="matrix")
    with pytest.raises(InvalidValueError, match="binding is 'InputTensor', allowed 'OutputTensor'"):
        load(unbound)


def test_both_names_of_scatter(load):
    for kind in ("SCATTER", "DML_OPERATOR_SCATTER", "SCATTER_ELEMENTS", "DML_OPERATOR_SCATTER_ELEMENTS"):
        loaded = load(model(
            kind,
            {"InputTensor": desc(3), "IndicesTensor": desc(2, data_type="UINT32"), "UpdatesTensor": desc(2),
             "OutputTensor": desc(3), "Axis": 0},
            {"data": resource([1, 2, 3]), "at": resource([2, 0], "UINT32"), "new": resource([8, 9]), "out": zeros(3)},
            InputTensor="data", IndicesTensor="at", UpdatesTensor="new", OutputTensor="out"))  # fmt: skip
        assert loaded.run_commands().lines == ["Resource 'out': 9, 2, 8"]
        assert '"type": "DML_OPERATOR_SCATTER"' in to_text(loaded)


def test_two_outputs(load):
    loaded = load(model(
        "NONZERO_COORDINATES",
        {"InputTensor": desc(2, 2), "OutputCountTensor": desc(1, 1, data_type="UINT32"),
         "OutputCoordinatesTensor": desc(4, 2, data_type="UINT32")},
        {"data": resource([0, 1, 0, 2]), "count": zeros(1, "UINT32"), "places": zeros(8, "UINT32")},
        InputTensor="data", OutputCountTensor="count", OutputCoordinatesTensor="places"))  # fmt: skip
    assert {name: values.tolist() for name, values in loaded.run().items()} == {
        "count": [2], "places": [0, 1, 1, 1, 0, 0, 0, 0]}  # fmt: skip


def test_lengths_that_an_earlier_dispatch_writes(load):
    """The plan follows the values of each run; what is shown is for the initial values."""
    base = json.loads(json.dumps(REVERSE))
    base["dispatchables"]["fill"] = {
        "type": "FILL_VALUE_CONSTANT",
        "desc": {"OutputTensor": desc(2, data_type="UINT32"), "ValueDataType": "UINT32", "Value": 3},
    }
    base["commands"].insert(0, dispatch("fill", OutputTensor="lengths"))
    loaded = load(base)
    for _ in range(2):
        assert loaded.run_commands().lines == ["Resource 'turned': 3, 2, 1, 4, 7, 6, 5, 8"]
    assert len(loaded.plan) == 2
    assert "plan" in str(loaded.plan[1])
    assert loaded.bytes_moved == 8 + 32
    assert "ReverseSequence(time_axis=1, batch_axes=None, too_long=clamp, lengths=<input 1>)" in str(loaded.graph)


def test_lengths_that_directml_owns(load):
    base = changed(REVERSE, "dispatchables", "it", "desc", "SequenceLengthsTensor", "Flags", value="OWNED_BY_DML")
    del base["commands"][0]["bindings"]["SequenceLengthsTensor"]
    base["dispatchables"]["it"]["bindings"] = {"SequenceLengthsTensor": "lengths"}
    loaded = load(base)
    assert loaded.run_commands().lines == ["Resource 'turned': 2, 1, 3, 4, 8, 7, 6, 5"]
    assert "copy" in str(loaded.plan)


def test_a_nan_that_json_cannot_hold(tmp_path):
    payload = dml.ScalarUnion((0x7FC00001).to_bytes(4, "little") + bytes(4))
    out = dml.FillValueConstantOperatorDesc(dml.BufferTensorDesc("FLOAT32", [1]), "FLOAT32", payload)
    resources = [Resource("out", dml.DataType.FLOAT32, np.zeros(1, "float32"), 4)]
    command = Dispatch("fill", {"OutputTensor": (Source("out"),)})
    written = DispatchModel(resources, [Dispatchable("fill", out)], [command])
    with pytest.raises(InvalidValueError, match="DirectML FILL_VALUE_CONSTANT: Value is a NaN with the bits 0100c07f"):
        write(written, tmp_path / "written.json")
    assert list(tmp_path.iterdir()) == []


def test_levels_of_modes_and_operators(load):
    with pytest.raises(UnsupportedError, match=r"PaddingMode is WRAP, allowed from feature level 6\.4 on"):
        load(changed(PADDING, "dispatchables", "it", "desc", "PaddingMode", value="WRAP"), feature_level="6.3")
    with pytest.raises(UnsupportedError, match=r"version of PADDING1 is 4\.1, allowed 5\.0 and newer"):
        load(PADDING, feature_level="4.1")


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_descriptions_come_back(tmp_path_factory, make, data):
    """Every member of random descriptions, scalar unions but for the bytes behind their type."""
    first = make(Cases(data.draw, CASES[make])).desc
    names = {member.name: [path for path, of, _ in first.tensors if of is member] for member in first.tensor_members}
    tensors = {path: tensor for path, _, tensor in first.tensors}
    resources = []
    for path, tensor in tensors.items():
        size = -(-tensor.total_tensor_size_in_bytes // 4) * 4
        resources.append(Resource(path, dml.DataType.UINT8, np.zeros(size, np.uint8), size))
    bindings = {name: tuple(map(Source, paths)) for name, paths in names.items()}
    path = tmp_path_factory.getbasetemp() / "written.json"
    try:
        write(DispatchModel(resources, [Dispatchable("it", first)], [Dispatch("it", bindings)]), path)
    except InvalidValueError as error:
        assert "NaN" in str(error)
        return
    second = read(path).dispatchables["it"].desc
    for member in first.info.members:
        ours, theirs = getattr(first, member.field), getattr(second, member.field)
        if member.type == "scalar":
            width = getattr(first, "value_data_type", tensors["OutputTensor"].data_type).bits // 8
            ours, theirs = ours.content[:width], theirs.content[:width]
        assert ours == theirs
