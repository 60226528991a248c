"""DxDispatch models: initial values, bindings, commands, printing, files; and hostile ones."""

import copy
import json

import numpy as np
import pytest

import wherry as wh
from tests.dialects.directml.dispatch_models import (
    GATHER,
    IDENTITY,
    JOIN,
    SPLIT,
    changed,
    desc,
    dispatch,
    resource,
    show,
    zeros,
)
from wherry.dialects.directml import read
from wherry.dialects.directml.dxdispatch.model import DispatchModel
from wherry.errors import FileFormatError, InvalidTypeError, InvalidValueError, UnsupportedError, WherryError


@pytest.mark.parametrize(
    ("model", "lines"),
    [
        (GATHER, ["Resource 'result': 14, 12, 11"]),
        (JOIN, ["Resource 'Out': 1, 2, 3, 100, 115, 5, 6, 7, 8, 9"]),
        (SPLIT, ["Resource 'Out1': 1, 2", "Resource 'Out2': 3, 4", "Resource 'Out3': 5, 6"]),
        (IDENTITY, ["Resource 'Out': 12, 14, 16"]),
    ],
    ids=["gather", "join", "split", "identity"],
)
def test_models_print(load, model, lines):
    loaded = load(model)
    assert loaded.run_commands().lines == lines
    assert loaded.run_and_print({})[1] == lines
    assert isinstance(loaded, DispatchModel)


def test_wherry_load_reads_json(tmp_path):
    (tmp_path / "model.JSON").write_text(json.dumps(GATHER))
    assert wh.load(tmp_path / "model.JSON").run({})["result"].tolist() == [14, 12, 11]


def test_a_model_as_a_function(load):
    model = load(GATHER)
    assert {name: str(kind) for name, kind in model.inputs.items()} == {
        "data": "float32[4]", "pick": "int32[3]", "result": "float32[3]"}  # fmt: skip
    assert {name: str(kind) for name, kind in model.outputs.items()} == {"result": "float32[3]"}
    assert model.dialect == "directml"
    assert model.needed_inputs == ()
    assert model.run({"pick": np.int32([-1, -1, -1])})["result"].tolist() == [14, 14, 14]
    assert model.run([np.float32([1, 2, 3, 4])])["result"].tolist() == [4, 2, 1]
    assert model.run()["result"].tolist() == [14, 12, 11]
    with pytest.raises(InvalidTypeError, match="input 'pick' has dtype float32, allowed int32"):
        model.run({"pick": np.float32([1, 2, 3])})
    with pytest.raises(InvalidValueError, match="input 'pick' has sizes"):
        model.run({"pick": np.int32([1])})
    with pytest.raises(InvalidValueError, match="inputs has 'nothing'"):
        model.run({"nothing": 1})


def test_graph_and_plan_print(load):
    model = load(GATHER)
    assert "dispatch 'take': InputTensor = data; IndicesTensor = pick; OutputTensor = result" in str(model.graph)
    assert "Gather(axis=0, batch_dims=0, out_of_range=clamp, negative=from_end)" in str(model.graph)
    assert "gather " in str(model.plan)
    assert len(model.graph) == len(model.plan) == 1
    assert model.graph[0].nodes[0].operator.axis == 0


def test_comments_and_trailing_commas(load):
    text = json.dumps(GATHER, indent=1).replace("]", ", ] // end of list\n").replace("{", "{ /* { */", 3)
    assert load(text).run()["result"].tolist() == [14, 12, 11]


def test_commands_run_in_order_on_shared_buffers(load):
    model = changed(IDENTITY, "commands", value=[
        show("Out"),
        dispatch("identity", InputTensor="A", OutputTensor="Out"),
        dispatch("identity", InputTensor="Out", OutputTensor="A"),
        dispatch("identity", InputTensor="A", OutputTensor="A"),
        show("A"), show("Out")])  # fmt: skip
    loaded = load(model)
    for _ in range(2):
        assert loaded.run_commands().lines == [
            "Resource 'Out': 0, 0, 0", "Resource 'A': 78, 86, 94", "Resource 'Out': 12, 14, 16"]  # fmt: skip
    assert list(loaded.outputs) == ["Out", "A"]


def test_buffers_start_at_multiples_of_16(load):
    for memory in load(JOIN).run_commands().buffers.values():
        assert memory.ctypes.data % 16 == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file ends here"),
        (json.dumps(GATHER)[:-2], "the file ends here"),
        ("[]", "the model (line 1, column 1)"),
        (
            "{}",
            "is missing; it has no default\n  dispatchables (line 1, column 1): is missing",
        ),
        ('{"resources": [], "dispatchables": {}, "commands": []}', "resources (line 1, column 15)"),
        ('{"resources": {}, "dispatchables": {}, "commands": {}}', "commands (line 1, column 52)"),
        ('{"resources": {"a": 1}, "dispatchables": {}, "commands": []}', "resources.a (line 1, column 21)"),
        ("[" * 100_000, "nested deeper than 64 levels"),
    ],
)
def test_damaged_files(load, text, message):
    with pytest.raises(FileFormatError) as caught:
        load(text)
    assert str(caught.value).startswith("model.json: ")
    assert message in str(caught.value)


def test_every_prefix_of_a_model_is_refused(load):
    text = json.dumps(GATHER)
    for end in range(0, len(text) - 1, 7):
        with pytest.raises(FileFormatError):
            load(text[:end])


def test_not_utf_8(tmp_path):
    (tmp_path / "model.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(FileFormatError, match=r"model\.json: the file is not UTF-8"):
        read(tmp_path / "model.json")


# dispatchables


def test_unsupported_dispatchables_are_listed_in_one_error(load):
    model = changed(GATHER, "dispatchables", "shader", value={"type": "hlsl", "sourcePath": "x.hlsl"})
    model["dispatchables"]["net"] = {"type": "onnx", "sourcePath": "x.onnx"}
    model["dispatchables"]["graph"] = {"type": "dmlSerializedGraph", "sourcePath": "x.bin"}
    model["dispatchables"]["gemm"] = {"type": "DML_OPERATOR_GEMM"}
    model["dispatchables"]["lower"] = {"type": "gather"}
    with pytest.raises(UnsupportedError) as caught:
        load(model)
    for name in ("hlsl (node 'shader')", "onnx (node 'net')", "dmlSerializedGraph (node 'graph')",
                 "DML_OPERATOR_GEMM (node 'gemm')", "gather (node 'lower')",
                 "it has ACTIVATION_IDENTITY, ARGMAX, ARGMIN, CAST"):  # fmt: skip
        assert name in str(caught.value)


def test_forms_of_a_dispatchable(load):
    flat = {"type": "DML_OPERATOR_GATHER", **GATHER["dispatchables"]["take"]["desc"], "executionFlags": "NONE"}
    nested = copy.deepcopy(GATHER["dispatchables"]["take"])
    nested["Desc"] = nested.pop("desc")
    nested["dmlCompileType"] = "DmlCompileGraph"
    nested["executionFlags"] = ["DISABLE_META_COMMANDS", "DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE"]
    inner = nested["Desc"]["InputTensor"]
    nested["Desc"]["InputTensor"] = {
        "Type": "DML_TENSOR_TYPE_BUFFER",
        "Desc": {**inner, "Strides": [], "DimensionCount": 1},
    }
    for form in (flat, nested):
        assert load(changed(GATHER, "dispatchables", "take", value=form)).run()["result"].tolist() == [14, 12, 11]


TAKE = ("dispatchables", "take")
DESC = (*TAKE, "desc")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((*DESC, "Foo"), 1, "take.desc.Foo"),
        ((*DESC, "axis"), 0, "is not a member here, allowed InputTensor, IndicesTensor, OutputTensor, Axis, IndexDim"),
        ((*DESC, "Axis"), -1, "desc.Axis"),
        ((*DESC, "Axis"), 0.0, "desc.Axis"),
        ((*DESC, "Axis"), "0", "desc.Axis"),
        ((*DESC, "Axis"), True, "desc.Axis"),
        ((*DESC, "Axis"), 2**32, "desc.Axis"),
        ((*DESC, "InputTensor"), "data", "desc.InputTensor"),
        ((*DESC, "InputTensor"), None, "desc.InputTensor"),
        ((*DESC, "InputTensor", "DataType"), "FLOAT99", "desc.InputTensor"),
        ((*DESC, "InputTensor", "Sizes"), [2**32], "Sizes[0]"),
        ((*DESC, "InputTensor", "Strides"), [1, 1], "Strides is [1, 1], allowed 1 entries"),
        ((*DESC, "InputTensor", "Strides"), None, "InputTensor.Strides"),
        ((*DESC, "InputTensor", "Sizes"), [2**31, 2**31, 2**31], "more than 9223372036854775807 elements"),
        ((*DESC, "InputTensor", "DimensionCount"), 2, "DimensionCount (line"),
        ((*DESC, "InputTensor", "Type"), "INVALID", "is 'INVALID', allowed 'BUFFER'"),
        ((*DESC, "InputTensor", "Flags"), "OWNED", "Flags is 'OWNED', allowed NONE, OWNED_BY_DML"),
        ((*DESC, "InputTensor", "Size"), [4], "is not a member here, allowed DataType, Sizes"),
        ((*DESC, "InputTensor", "Desc"), {}, "has members beside Desc"),
        ((*TAKE, "Desc"), {}, "stands beside desc, allowed one of them"),
        ((*TAKE, "dmlCompileType"), "Fast", "is 'Fast', allowed DmlCompileOp, DmlCompileGraph"),
        ((*TAKE, "executionFlags"), "FAST", "executionFlags is 'FAST', allowed NONE"),
        ((*TAKE, "extra"), 1, "take.extra"),
        ((*TAKE, "type"), 1, "take.type"),
        (("commands", 0, "extra"), 1, "commands[0].extra"),
        (("commands", 0, "type"), "run", "commands[0].type (line"),
        (("commands", 0, "dispatchable"), "nobody", "commands[0]: dispatchable is 'nobody', allowed 'take'"),
        (("commands", 1, "resource"), "nobody", "commands[1]: resource is 'nobody', allowed 'data', 'pick', 'result'"),
        (("commands", 0, "threadGroupCount"), [1], "commands[0].threadGroupCount"),
        (("commands", 0, "bindings", "InputTensor"), "nobody", "names the resource 'nobody'"),
        (("commands", 0, "bindings", "InputTensor"), 7, "is 7, allowed the name of a resource"),
        (("commands", 0, "bindings", "InputTensor"), ["data", "data"], "binding InputTensor has 2 buffers, allowed 1"),
        (("commands", 0, "bindings", "InputTensor"), [], "binding InputTensor has 0 buffers, allowed 1"),
        (("commands", 0, "bindings", "Extra"), "data", "binding is 'Extra', allowed 'InputTensor', 'IndicesTensor'"),
        (("commands", 0, "bindings", "InputTensor"), {"name": "data", "format": "R32_FLOAT"}, "format"),
        (("commands", 0, "bindings", "InputTensor"), {"name": "data", "elementStride": 4}, "elementStride"),
        (("commands", 0, "bindings", "InputTensor"), {"name": "data", "elementOffset": 1},
         "binding InputTensor offset is 4, allowed multiples of 16 bytes"),
        (("commands", 0, "bindings", "InputTensor"), {"name": "data", "elementOffset": 4}, "size in bytes is 0"),
        (("commands", 0, "bindings", "InputTensor"), {"name": "data", "elementOffset": 2**63}, "allowed 0..16"),
        (("commands", 0, "bindings", "OutputTensor"), "data", "GATHER does not run in place"),
        (("commands", 0, "bindings", "OutputTensor"), "pick", "OutputTensor shares bytes with IndicesTensor"),
        ((*DESC, "Axis"), 1, "model.json: dispatchables.take: DirectML GATHER (feature level 6.4): Axis is 1, allowed"),
    ],
)  # fmt: skip
def test_what_is_refused(load, path, value, message):
    with pytest.raises(WherryError) as caught:
        load(changed(GATHER, *path, value=value))
    assert str(caught.value).startswith("model.json: ")
    assert message in str(caught.value)


def test_missing_members(load):
    for path in ((*DESC, "Axis"), (*DESC, "IndexDimensions"), (*DESC, "OutputTensor"), (*DESC, "InputTensor", "Sizes"),
                 ("commands", 0, "bindings"), ("commands", 0, "bindings", "OutputTensor"), ("commands", 1, "resource"),
                 (*TAKE, "type")):  # fmt: skip
        model = copy.deepcopy(GATHER)
        place = model
        for part in path[:-1]:
            place = place[part]
        del place[path[-1]]
        with pytest.raises(WherryError, match="is missing"):
            load(model)


def test_counts_are_required_and_checked(load):
    model = copy.deepcopy(SPLIT)
    del model["dispatchables"]["split"]["desc"]["OutputCount"]
    with pytest.raises(FileFormatError, match=r"desc\.OutputCount .*is missing"):
        load(model)
    with pytest.raises(InvalidValueError, match="OutputCount is 2, allowed 3; OutputTensors has that many entries"):
        load(changed(SPLIT, "dispatchables", "split", "desc", "OutputCount", value=2))


def test_feature_level(load):
    with pytest.raises(
        InvalidValueError, match=r"GATHER \(feature level 2\.1\): InputTensor\.DimensionCount is 1, allowed 4"
    ):
        load(GATHER, feature_level="2.1")


def test_outputs_bound_twice_or_overlapping(load):
    with pytest.raises(InvalidValueError, match=r"OutputTensors\[1\] shares 8 bytes with OutputTensors\[0\]"):
        load(changed(SPLIT, "commands", 0, "bindings", "OutputTensors", value=["Out1", "Out1", "Out3"]))
    model = changed(SPLIT, "resources", "Out1", value=zeros(12))
    sources = [{"name": "Out1", "elementOffset": 4 * number} for number in range(3)]
    with pytest.raises(InvalidValueError, match=r"OutputTensors\[1\] shares 32 bytes with OutputTensors\[0\]"):
        load(changed(model, "commands", 0, "bindings", "OutputTensors", value=sources))


def test_offsets_of_other_element_sizes(load):
    model = changed(JOIN, "commands", 0, "bindings", "InputTensors", 2,
                    value={"name": "A", "elementOffset": 1, "elementSizeInBytes": 16})  # fmt: skip
    assert load(model).run()["Out"].tolist() == [1, 2, 3, 100, 115, 5, 6, 7, 8, 9]
    mixed = {"initialValues": [{"type": "UINT8", "value": 1}] * 64}
    model = changed(JOIN, "resources", "A", value=mixed)
    with pytest.raises(FileFormatError, match="has an elementOffset without effect"):
        load(model)


def test_a_buffer_of_another_type(load):
    model = changed(GATHER, "resources", "pick", value=resource([0, 0, 0]))
    assert load(model).run()["result"].tolist() == [11, 11, 11]


def test_inputs_owned_by_directml_are_taken_once(load):
    model = changed(IDENTITY, "dispatchables", "identity", "desc", "InputTensor", value=desc(3, Flags="OWNED_BY_DML"))
    with pytest.raises(InvalidValueError, match="binding InputTensor is missing"):
        load(model)
    model["dispatchables"]["identity"]["bindings"] = {"InputTensor": "A"}
    with pytest.raises(InvalidValueError, match="binding is 'InputTensor', allowed 'OutputTensor'"):
        load(model)
    copied = {"type": "ELEMENT_WISE_IDENTITY", "desc": {"InputTensor": desc(3), "OutputTensor": desc(3)}}
    model["dispatchables"]["copy"] = copied
    model["commands"] = [
        dispatch("copy", InputTensor="Out", OutputTensor="A"),  # too late to change the owned input
        dispatch("identity", OutputTensor="Out"),
        show("A"),
        show("Out"),
    ]
    loaded = load(model)
    assert loaded.run_commands().lines == ["Resource 'A': 0, 0, 0", "Resource 'Out': 12, 14, 16"]
    assert loaded.run({"A": np.float32([0, 0, 5])})["Out"].tolist() == [10, 10, 20]


# printing and files


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (resource([1, 0.1, 1e10, 1e-5, 123456789, 1234567.5]), "1, 0.1, 1e+10, 1e-05, 1.23457e+08, 1.23457e+06"),
        (resource(["nan", "inf", "-inf", -0.0]), "nan, inf, -inf, -0"),
        (resource([0.1, 65504], "FLOAT16"), "0.0999756, 65504"),
        (resource([0.1, 3.14159265358979], "FLOAT64"), "0.1, 3.14159"),
        (resource([65, 200], "UINT8"), "65, 200"),
        (resource([-5], "INT8"), "-5"),
        (resource([2**64 - 1], "UINT64"), "18446744073709551615"),
        (resource([1, 2], sizeInBytes=64), "1, 2"),
    ],
)
def test_print(load, given, line):
    model = {"resources": {"R": given}, "dispatchables": {}, "commands": [{"type": "PRINT", "resource": "R"}]}
    assert load(model).run_commands().lines == [f"Resource 'R': {line}"]


def test_verbose_print(load):
    given = resource([*range(10), 255], "UINT16")
    model = {"resources": {"R": given}, "dispatchables": {}, "commands": [show("R", verbose=True)]}
    lines = load(model).run_commands().lines
    assert lines[0] == "Resource 'R':"
    assert lines[1] == "[ 0] 0 (0x   0)"
    assert lines[-1] == "[10] 255 (0x  FF)"


def test_print_of_mixed_types_is_refused(load):
    given = {"initialValues": [{"type": "UINT8", "value": 1}]}
    with pytest.raises(
        InvalidValueError, match=r"commands\[0\]: resource 'R' has mixed types, allowed one type to print"
    ):
        load({"resources": {"R": given}, "dispatchables": {}, "commands": [show("R")]})


def write_file(target, **members):
    return {"type": "writeFile", "resource": "R", "targetPath": target, **members}


def file_model(*commands):
    return {"resources": {"R": resource([1, 2, 3, 4, 5, 6])}, "dispatchables": {}, "commands": list(commands)}


def test_write_file(load, tmp_path):
    out = tmp_path / "out"
    model = load(file_model(write_file("a.npy", dimensions=[2, 3]), write_file("sub\\b.npy"), write_file("c.bin")))
    assert model.run_commands().lines == []
    assert not out.exists()
    lines = model.run_commands(output_folder=out).lines
    assert lines == [f"Resource 'R' written to '{target}'" for target in ("a.npy", "sub\\b.npy", "c.bin")]
    assert np.load(out / "a.npy").tolist() == [[1, 2, 3], [4, 5, 6]]
    assert np.load(out / "sub" / "b.npy").tolist() == [1, 2, 3, 4, 5, 6]
    assert (out / "c.bin").read_bytes() == np.float32([1, 2, 3, 4, 5, 6]).tobytes()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (write_file("../a.npy"), "is '../a.npy', allowed a path below the output folder"),
        (write_file("sub/../../a.npy"), "allowed a path below the output folder"),
        (write_file("..\\a.npy"), "allowed a path below the output folder"),
        (write_file("/elsewhere/a.npy"), "allowed a path below the output folder"),
        (write_file("C:a.npy"), "allowed a path below the output folder"),
        (write_file(""), "allowed a path below the output folder"),
        (write_file("a.png"), "an image, which wherry does not encode"),
        (write_file("a.npy", dimensions=[7]), "dimensions is [7], allowed up to 6 elements"),
        (write_file("a.npy", dimensions=[2**31, 2**31]), "allowed up to 6 elements"),
        (write_file("a.npy", dimensions=[-1]), "dimensions"),
    ],
)
def test_bad_targets(load, command, message):
    with pytest.raises(WherryError) as caught:
        load(file_model(command))
    assert "commands[0]" in str(caught.value)
    assert message in str(caught.value)


def test_a_link_does_not_lead_out_of_the_output_folder(load, tmp_path):
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "link").symlink_to(elsewhere)
    model = load(file_model(write_file("a.npy"), write_file("link/b.npy")))
    with pytest.raises(FileFormatError, match="leads out of the output folder"):
        model.run_commands(output_folder=out)
    assert list(elsewhere.iterdir()) == []
    assert [path.name for path in out.iterdir()] == ["link"]


def test_nothing_is_written_if_a_later_command_fails(load, tmp_path):
    model = changed(IDENTITY, "resources", "R", value=resource([1]))
    for name in ("A", "Out"):
        model["resources"][name] = resource([200, 1, 1, 1], "UINT8")
    for tensor in ("InputTensor", "OutputTensor"):
        model["dispatchables"]["identity"]["desc"][tensor] = desc(4, data_type="UINT8")
    model["commands"].insert(0, write_file("a.npy"))
    with pytest.raises(InvalidValueError, match=r"data\[0\] is 200"):
        load(model).run_commands(output_folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()
