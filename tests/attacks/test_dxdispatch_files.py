"""Hostile DxDispatch models: each is refused in words, soon, and in little memory; large ones take linear time."""

from __future__ import annotations

import copy
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wherry as wh
from tests.attacks import attack
from tests.dialects.directml.dispatch_models import GATHER, changed, desc, dispatch, resource, show, zeros
from wherry.errors import FileFormatError, InvalidValueError, ResourceLimitError, UnsupportedError, WherryError

SCREEN = 4200
"""The most characters of a refusal: a screen, with its subject."""


def written(folder: Path, model: object) -> Path:
    path = folder / "m.json"
    if isinstance(model, bytes):
        path.write_bytes(model)
    else:
        path.write_text(model if isinstance(model, str) else json.dumps(model))
    return path


def refused(folder: Path, model: object, kind: type[WherryError] = WherryError, **bounds: float) -> str:
    path = written(folder, model)
    words = attack.refused(lambda: wh.load(path), kind, **bounds)
    assert len(words) < SCREEN, f"{len(words)} characters"
    return words


def only(given: object, **rest: Any) -> dict[str, Any]:
    """A model with one resource."""
    return {"resources": {"R": given}, "dispatchables": {}, "commands": [], **rest}


# The text

TEXTS = {
    "nothing": ("", "the file ends here, before the model is complete"),
    "no UTF-8": (b'{"\xff": 1}', "the file is not UTF-8"),
    "zeros": (bytes(2**20), "a value is expected"),
    "truncated": (json.dumps(GATHER)[:-1], "the file ends here, before the model is complete"),
    "two values": ("{} {}", "line 1, column 4: text after the end of the model"),
    "arrays a million deep": ("[" * 10**6, "nested deeper than 64 levels"),
    "objects 100,000 deep": ('{"a":' * 10**5, "nested deeper than 64 levels"),
    "arrays 65 deep": ("[" * 66 + "]" * 66, "nested deeper than 64 levels"),
    "a number of a million digits": ("1" * 10**6, "a number has 1000000 characters, allowed up to 400"),
    "a fraction of a million digits": ("0." + "1" * 10**6, "a number has 1000002 characters"),
    "an exponent of a million digits": ("1e" + "9" * 10**6, "a number has 1000002 characters"),
    "a number beyond a double": ("[1e999]", "the number 1e999 is beyond a double"),
    "NaN": ("[NaN]", "line 1, column 2: a value is expected"),
    "Infinity": ("[-Infinity]", "a value is expected"),
    "Python's words": ('{"a": None, "b": True}', "line 1, column 7: a value is expected"),
    "a name twice": ('{"a": 1, "a": 2}', "the name 'a' is given twice in one object"),
    "a name of a megabyte twice": (f'{{"{"a" * 2**20}": 1, "{"a" * 2**20}": 2}}', "more)' is given twice"),
    "a lone surrogate": ('{"\\ud800": 1}', "a string holds a bad escape"),
    "a control character": ('{"a\n": 1}', "a string is not closed, or holds a control character"),
    "an open comment": ("{} /* ", "a comment is not closed"),
    "half a million openings of comments": ("/*" * 500_000, "a value is expected"),
    "half a million quotes": ('"\\' * 500_000, "a string is not closed"),
    "half a million escapes before an open comment": ('"' + '\\"' * 500_000 + '" /*', "a comment is not closed"),
    "a fault behind half a million escapes": ('{"resources": {}, "dispatchables": {}, "commands": ["' + '\\"' * 500_000
                                              + '"' + ", 1" * 100 + "]}", "commands[19] (line 1, column 1000"),
    "half a million commas": ("[1" + "," * 500_000 + "]", "a value is expected"),
    "commas apart": ("[" + "," + " " * 10**6 + "]", "line 1, column 2: a value is expected"),
    "an array": ("[]", "input should be a valid object"),
    "null": ("null", "is null: input should be a valid object"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_no_model(tmp_path: Path, name: str) -> None:
    text, words = TEXTS[name]
    told = refused(tmp_path, text, FileFormatError)
    assert words.replace("more)'", "more)") in told


# The members

PLACES: dict[str, tuple[str | int, ...]] = {
    "resources": ("resources",),
    "a resource": ("resources", "data"),
    "initialValues": ("resources", "data", "initialValues"),
    "initialValuesDataType": ("resources", "data", "initialValuesDataType"),
    "dispatchables": ("dispatchables",),
    "a dispatchable": ("dispatchables", "take"),
    "type": ("dispatchables", "take", "type"),
    "desc": ("dispatchables", "take", "desc"),
    "InputTensor": ("dispatchables", "take", "desc", "InputTensor"),
    "DataType": ("dispatchables", "take", "desc", "InputTensor", "DataType"),
    "Sizes": ("dispatchables", "take", "desc", "InputTensor", "Sizes"),
    "a size": ("dispatchables", "take", "desc", "InputTensor", "Sizes", 0),
    "Axis": ("dispatchables", "take", "desc", "Axis"),
    "IndexDimensions": ("dispatchables", "take", "desc", "IndexDimensions"),
    "commands": ("commands",),
    "a command": ("commands", 0),
    "a command's type": ("commands", 0, "type"),
    "dispatchable": ("commands", 0, "dispatchable"),
    "bindings": ("commands", 0, "bindings"),
    "a binding": ("commands", 0, "bindings", "InputTensor"),
    "a printed resource": ("commands", 1, "resource"),
}
"""Every member of a model, by its path."""

VALUES = {"null": None, "true": True, "-1": -1, "0.5": 0.5, "2**80": 2**80, "words": "x" * 2**20, "deep": [[[[]]]]}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("place", PLACES)
def test_members_of_another_kind(tmp_path: Path, place: str, value: str) -> None:
    words = refused(tmp_path, changed(GATHER, *PLACES[place], value=VALUES[value]))
    assert words.startswith("m.json")
    assert "None" not in words
    assert "True" not in words


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("a command", "a size")])
def test_members_that_are_missing(tmp_path: Path, place: str) -> None:
    model = copy.deepcopy(GATHER)
    *inner, last = PLACES[place]
    around: Any = model
    for part in inner:
        around = around[part]
    del around[last]
    words = refused(tmp_path, model)
    assert "missing" in words or "'take'" in words or "names the resource 'data'" in words


@pytest.mark.parametrize("place", [(), ("resources", "data"), ("dispatchables", "take", "desc"), ("commands", 0),
                                   ("dispatchables", "take", "desc", "InputTensor")])  # fmt: skip
def test_members_that_no_one_knows(tmp_path: Path, place: tuple[str | int, ...]) -> None:
    model = changed(GATHER, *place, "colour", value="red")
    if place == ():
        assert attack.run(lambda: wh.load(written(tmp_path, model))).error is None  # as `$schema` in the root
    else:
        assert "colour" in refused(tmp_path, model)


WRONG = {
    "an operator of a megabyte": (("dispatchables", "take", "type"), "G" * 2**20, UnsupportedError, "GGG... ("),
    "a stride of 2**31": (("dispatchables", "take", "desc", "InputTensor", "Strides"), [2**31], InvalidValueError,
                          "InputTensor.Strides is [2147483648], allowed a reach of up to 4294967295 elements"),
    "a million sizes": (("dispatchables", "take", "desc", "InputTensor", "Sizes"), [1] * 10**6, ResourceLimitError,
                        "Sizes has 1000000 axes, allowed up to 64"),
    "a million sizes of words": (("dispatchables", "take", "desc", "InputTensor", "Sizes"), ["x"] * 10**6,
                                 ResourceLimitError, "Sizes has 1000000 axes, allowed up to 64"),
    "a million flags": (("dispatchables", "take", "desc", "InputTensor", "Flags"), [1] * 10**6, FileFormatError,
                        "at most 4096 items"),
    "dimensions of a million words": (("commands", 1), {"type": "writeFile", "resource": "result", "targetPath": "x",
                                      "dimensions": ["x"] * 10**6}, FileFormatError, "at most 4096 items"),
    "dimensions of 4,096 words": (("commands", 1), {"type": "writeFile", "resource": "result", "targetPath": "x",
                                  "dimensions": ["x"] * 4096}, FileFormatError, "commands[1].dimensions[19] (line 1"),
    "a million commands that are none": (("commands",), [1] * 10**6, FileFormatError,
                                         "commands[19] (line 1, column 590): is 1: input should be a valid object"),
    "100,000 resources that are none": (("resources",), {str(number): 1 for number in range(10**5)}, FileFormatError,
                                        "resources.19 (line 1, column "),
    "100,000 dispatchables that are none": (("dispatchables",), {str(number): 1 for number in range(10**5)},
                                            FileFormatError, "dispatchables.19 (line 1, column "),
    "a million bindings that are none": (("commands", 0, "bindings", "InputTensor"), [1] * 10**6, FileFormatError,
                                         "InputTensor[19] (line 1, column "),
    "an empty tensor": (("dispatchables", "take", "desc", "InputTensor", "Sizes"), [0], InvalidValueError,
                        "InputTensor.Sizes[0] is 0, allowed 1 and more"),
    "a total of nothing": (("dispatchables", "take", "desc", "InputTensor", "TotalTensorSizeInBytes"), 1,
                           InvalidValueError, "InputTensor.TotalTensorSizeInBytes is 1, allowed 16 and more"),
    "a total of all": (("dispatchables", "take", "desc", "InputTensor", "TotalTensorSizeInBytes"), 2**64 - 1,
                       InvalidValueError, "binding InputTensor size in bytes is 16, allowed 18446744073709551615"),
    "an offset of all": (("commands", 0, "bindings", "InputTensor"), {"name": "data", "elementOffset": 2**63},
                         InvalidValueError, "binding InputTensor offset is 36893488147419103232, allowed 0..16"),
    "an element of all": (("commands", 0, "bindings", "InputTensor"),
                          {"name": "data", "elementOffset": 2**63, "elementSizeInBytes": 2**63}, InvalidValueError,
                          "binding InputTensor offset is"),
    "a binding of nothing": (("commands", 0, "bindings", "InputTensor"), [], InvalidValueError,
                             "binding InputTensor has 0 buffers, allowed 1"),
    "a binding of many": (("commands", 0, "bindings", "InputTensor"), ["data"] * 5000, InvalidValueError,
                          "binding InputTensor has 5000 buffers, allowed 1"),
    "a binding of the output": (("commands", 0, "bindings", "InputTensor"), "result", InvalidValueError, "binding"),
    "an axis beyond": (("dispatchables", "take", "desc", "Axis"), 7, InvalidValueError, "Axis is 7, allowed 0..0"),
    "an unknown resource": (("commands", 1, "resource"), "x" * 2**20, InvalidValueError, "resource is 'xxx"),
    "a path of a megabyte": (("commands", 1), {"type": "writeFile", "resource": "result", "targetPath": "x" * 2**20
                             + ".png"}, UnsupportedError, "an image, which wherry does not encode"),
    "a path out of the folder": (("commands", 1), {"type": "writeFile", "resource": "result", "targetPath": "../x"},
                                 FileFormatError, "allowed a path below the output folder"),
    "dimensions beyond": (("commands", 1), {"type": "writeFile", "resource": "result", "targetPath": "x.npy",
                          "dimensions": [2**32 - 1] * 4}, InvalidValueError, "up to 3 elements"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_members_that_are_wrong(tmp_path: Path, name: str) -> None:
    place, value, kind, words = WRONG[name]
    assert words in refused(tmp_path, changed(GATHER, *place, value=value), kind)


# Bytes

TOO_LARGE = {
    "a resource of 2**63": only(resource([1], sizeInBytes=2**63)),
    "a resource of 2**64 - 1": only(resource([1], sizeInBytes=2**64 - 1)),
    "a resource of 4 GiB": only(resource([1], sizeInBytes=2**32)),
    "values at 2**40": only(resource([1], sizeInBytes=2**41, initialValuesOffsetInBytes=2**40)),
    "a constant of 2**62": only(resource({"valueCount": 2**62, "value": 0})),
    "a constant of 2**64 - 1": only(resource({"valueCount": 2**64 - 1, "value": 0}, "UINT8")),
    "a sequence of 2**40": only(resource({"valueCount": 2**40, "valueStart": 0, "valueDelta": 1})),
    "200 resources of 64 MiB": {
        "resources": {f"R{n}": resource([1], "UINT8", sizeInBytes=2**26) for n in range(200)},
        "dispatchables": {}, "commands": []},
    "200 sequences of 64 MiB": {
        "resources": {f"R{n}": zeros(2**24) for n in range(200)}, "dispatchables": {}, "commands": []},
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_resources_that_take_too_much(tmp_path: Path, name: str) -> None:
    words = refused(tmp_path, TOO_LARGE[name], ResourceLimitError)
    assert words.startswith("m.json: resources.R")
    assert "allowed 2147483647; raise Limits.bytes" in words


def test_one_file_of_values_for_many_resources(tmp_path: Path) -> None:
    with (tmp_path / "v.bin").open("wb") as file:
        file.truncate(2**24)
    source = {"sourcePath": "v.bin"}
    model = {"resources": {f"R{n}": resource(source, "UINT8", sizeInBytes=2**26) for n in range(40)},
             "dispatchables": {}, "commands": []}  # fmt: skip
    words = refused(tmp_path, model, ResourceLimitError)
    assert "R31" in words


def writing(count: int, size: int) -> dict[str, Any]:
    model = only(resource([1], "UINT8", sizeInBytes=size))
    command = {"type": "writeFile", "resource": "R"}
    return {**model, "commands": [{**command, "targetPath": f"{n}.bin"} for n in range(count)]}


def test_200_files_of_64_mebibytes(tmp_path: Path) -> None:
    model = wh.load(written(tmp_path, writing(200, 2**26)))
    words = attack.refused(lambda: model.run_commands(output_folder=tmp_path / "out"), ResourceLimitError)
    assert words == ("commands[31]: the files of writeFile commands take 2147483648 bytes, allowed 2147483647; "
                     "raise Limits.bytes")  # fmt: skip
    assert not (tmp_path / "out").exists()
    # The resource itself, and no more: without a folder nothing is kept.
    attack.run(lambda: model.run_commands().lines, megabytes=64 + attack.MEGABYTES)


def owning(count: int, size: int) -> dict[str, Any]:
    """Dispatchables that each own a whole resource, which a dispatch then writes."""
    owned = desc(4, data_type="UINT8", Flags="DML_TENSOR_FLAG_OWNED_BY_DML")
    one = {"type": "ELEMENT_WISE_IDENTITY", "desc": {"InputTensor": owned, "OutputTensor": desc(4, data_type="UINT8")}}
    return {
        "resources": {"R": resource([1], "UINT8", sizeInBytes=size), "S": resource([0] * 4, "UINT8")},
        "dispatchables": {f"d{n}": {**one, "bindings": {"InputTensor": "R"}} for n in range(count)},
        "commands": [dispatch("d0", OutputTensor="R"), dispatch("d1", OutputTensor="S")],
    }


def test_200_copies_that_directml_owns(tmp_path: Path) -> None:
    path = written(tmp_path, owning(200, 2**26))
    outcome = attack.run(lambda: wh.load(path).run()["S"][0], megabytes=64 + attack.MEGABYTES)  # one copy of R is made
    assert outcome.result == "np.uint8(1)", outcome


def printing(count: int, size: int, **members: Any) -> dict[str, Any]:
    return {**only(zeros(size)), "commands": [show("R", **members)] * count}


@pytest.mark.parametrize(
    ("count", "size", "verbose"), [(1, 2**22, False), (1, 2**22, True), (200, 2**14, True), (10**5, 100, False)]
)
def test_printing_without_end(tmp_path: Path, count: int, size: int, verbose: bool) -> None:
    words = refused(tmp_path, printing(count, size, verbose=verbose), ResourceLimitError)
    assert "the printed values are" in words
    assert "commands[" in words


def test_printing_a_million_values(tmp_path: Path) -> None:
    path = written(tmp_path, printing(1, 2**20))
    outcome = attack.run(lambda: len(wh.load(path).run_commands().lines[0]))
    assert outcome.result == str(len("Resource 'R': ") + 3 * 2**20 - 2)


def scattering(count: int, data_type: str) -> dict[str, Any]:
    """Updates by strides of 0: any number of them in a few bytes."""
    many = {"Strides": [0], "TotalTensorSizeInBytes": 4}
    return {
        "resources": {name: zeros(4, "INT32" if name == "I" else data_type) for name in "DIUO"},
        "dispatchables": {"put": {"type": "SCATTER", "desc": {
            "InputTensor": desc(4, data_type=data_type), "IndicesTensor": desc(count, data_type="INT32", **many),
            "UpdatesTensor": desc(count, data_type=data_type, **many), "OutputTensor": desc(4, data_type=data_type),
            "Axis": 0}}},
        "commands": [dispatch("put", InputTensor="D", IndicesTensor="I", UpdatesTensor="U", OutputTensor="O")],
    }  # fmt: skip


@pytest.mark.parametrize("count", [2**31, 2**32 - 1])
@pytest.mark.parametrize("data_type", ["FLOAT32", "UINT8"])
def test_updates_that_share_one_place(tmp_path: Path, count: int, data_type: str) -> None:
    path = written(tmp_path, scattering(count, data_type))
    words = attack.refused(lambda: wh.load(path).run(), ResourceLimitError)
    assert words.startswith("m.json: dispatchables.put: ")
    assert "the elements to write take" in words


# Files beside the model


def npy(header: str, data: bytes = b"", version: int = 1) -> bytes:
    text = header.encode() + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': %s}"
NPY = {
    "nothing": b"",
    "half a magic": b"\x93NUM",
    "no header": b"\x93NUMPY\x01\x00",
    "a header of 4 GiB": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
    "9,000 minus signs": npy("-" * 9000 + "1"),
    "9,000 brackets": npy("(" * 9000),
    "9,000 brackets closed": npy("(" * 4500 + ")" * 4500),
    "9,000 nots": npy("not " * 2250 + "1"),
    "a long sum": npy("1" + "+1" * 4500),
    "60,000 minus signs": npy("-" * 60_000 + "1"),
    "a call": npy("__import__('os').abort()"),
    "a zero byte": npy("{'descr': '\0'}"),
    "no UTF-8": npy("{'descr': '\xff'}", version=2),
    "a size of 5,000 digits": npy(HEADER % f"({'9' * 5000},)"),
    "a size of 2**62": npy(HEADER % f"({2**62}, 8)"),
    "a negative size": npy(HEADER % "(-1,)"),
    "a size that is none": npy(HEADER % "(None,)"),
    "a size of True": npy(HEADER % "(True, 2**70)"),
    "a million sizes of one": npy(HEADER % f"({'1,' * 4000})"),
    "elements without end": npy("{'descr': '<V9999999999', 'fortran_order': False, 'shape': (1,)}"),
    "deep records": npy(HEADER.replace("'<f4'", "[('a', " * 800 + "'<f4'" + ")]" * 800) % "()"),
    "objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", b"cos\nabort\n(tR."),
    "fewer bytes than said": npy(HEADER % "(2,)", b"1234"),
    "more bytes than said": npy(HEADER % "(1,)", b"12345"),
    "version 9": npy(HEADER % "(1,)", b"1234", version=9),
}  # fmt: skip


@pytest.mark.parametrize("name", NPY)
def test_npy_files_of_a_model(tmp_path: Path, name: str) -> None:
    (tmp_path / "v.npy").write_bytes(NPY[name])
    words = refused(tmp_path, only(resource({"sourcePath": "v.npy"})), FileFormatError)
    assert "resources.R.initialValues.sourcePath" in words


@pytest.mark.parametrize("name", NPY)
def test_npy_files_of_the_command_line(tmp_path: Path, name: str) -> None:
    from wherry.cli import app

    path = tmp_path / "v.npy"
    path.write_bytes(NPY[name])
    words = attack.refused(lambda: app._read_array(path))
    assert words.startswith("v.npy: ")


KINDS: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "a directory": lambda path: path.mkdir(),
    "a FIFO": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link out of the folder": lambda path: path.symlink_to("/etc/passwd"),
    "a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("ending", ["npy", "bin"])
@pytest.mark.parametrize("kind", KINDS)
def test_values_that_are_no_file(tmp_path: Path, kind: str, ending: str) -> None:
    KINDS[kind](tmp_path / f"v.{ending}")
    words = refused(tmp_path, only(resource({"sourcePath": f"v.{ending}"}, "UINT8")), FileFormatError)
    assert "resources.R.initialValues.sourcePath" in words


@pytest.mark.parametrize(
    "source", ["../m.json", "/etc/passwd", "C:\\x", "\\\\host\\x", "a\0b", "", "x" * 5000, "x/" * 5000]
)
def test_paths_of_values(tmp_path: Path, source: str) -> None:
    words = refused(tmp_path, only(resource({"sourcePath": source}, "UINT8")), FileFormatError)
    assert "resources.R.initialValues.sourcePath" in words


@pytest.mark.parametrize("kind", ["a directory", "a FIFO", "a link to itself", "a link out of the folder", "a device"])
def test_targets_that_are_no_file(tmp_path: Path, kind: str) -> None:
    model, out = wh.load(written(tmp_path, writing(1, 4))), tmp_path / "out"
    out.mkdir()
    KINDS[kind](out / "0.bin")
    assert "targetPath" in attack.refused(lambda: model.run_commands(output_folder=out), FileFormatError)


def test_a_target_inside_another(tmp_path: Path) -> None:
    model = writing(2, 4)
    model["commands"][0]["targetPath"] = "a"
    model["commands"][1]["targetPath"] = "a/b"
    loaded, out = wh.load(written(tmp_path, model)), tmp_path / "out"
    words = attack.refused(lambda: loaded.run_commands(output_folder=out), FileFormatError)
    assert words == "targetPath is 'b' inside 'a', another target"
    assert not out.exists()


# Every fault at once


def test_every_fault_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    model = changed(GATHER, "resources", "data", "initialValues", value=[1, None, "x", 2])
    model["resources"]["pick"]["sizeInBytes"] = 1
    model["dispatchables"]["take"]["desc"] |= {"Axis": -1, "IndexDimensions": "one", "Colour": 1}
    model["commands"][0]["bindings"] = {"InputTensor": "nowhere", "IndicesTensor": 3}
    model["commands"] += [{"type": "jump"}]
    with pytest.raises(FileFormatError) as caught:
        wh.load(written(tmp_path, model))
    told = [words.split(" (line")[0] for words in caught.value.faults]
    assert told == [
        "resources.data.initialValues[1]", "resources.data.initialValues[2]", "resources.pick",
        "dispatchables.take.desc.Axis", "dispatchables.take.desc.IndexDimensions", "dispatchables.take.desc.Colour",
        "commands[0].bindings.InputTensor", "commands[0].bindings.IndicesTensor", "commands[2].type",
    ]  # fmt: skip


def test_every_fault_of_descriptions_and_bindings_is_told_at_once(tmp_path: Path) -> None:
    model = changed(GATHER, "dispatchables", "take", "desc", "Axis", value=7)
    model["dispatchables"]["take"]["desc"]["OutputTensor"]["Sizes"] = [4]
    model["commands"][0]["bindings"] |= {"Other": "data"}
    model["commands"][1]["resource"] = "nothing"
    with pytest.raises(InvalidValueError) as caught:
        wh.load(written(tmp_path, model))
    lines = str(caught.value).split("\n  ")
    assert lines[0].startswith("m.json: dispatchables.take: DirectML GATHER (feature level 6.4): Axis is 7")
    assert lines[1].startswith("commands[0]: DirectML GATHER (feature level 6.4): binding is 'Other'")
    assert lines[2].startswith("commands[1]: resource is 'nothing'")


def test_faults_of_the_file_and_of_its_rules_are_told_at_once(tmp_path: Path) -> None:
    model = changed(GATHER, "resources", "bad", value=resource(["x"]))
    take = model["dispatchables"]["take"]
    model["dispatchables"] |= {
        "axis": {**take, "desc": {**take["desc"], "Axis": 7}},
        "colour": {**take, "desc": {**take["desc"], "Colour": 1}},
    }
    model["commands"][1:] = [
        {"type": "jump"},
        show("nothing"),
        show("bad"),
        dispatch("colour"),
        dispatch("take", InputTensor="bad", IndicesTensor="pick", OutputTensor="result"),
        dispatch("take", InputTensor="data", IndicesTensor="pick", Other="result"),
    ]
    with pytest.raises(FileFormatError) as caught:
        wh.load(written(tmp_path, model))
    told = [words.split(" (line")[0].split(": DirectML")[0].split(": resource")[0] for words in caught.value.faults]
    assert told == [
        "resources.bad.initialValues[0]", "dispatchables.colour.desc.Colour", "commands[1].type",
        "dispatchables.axis", "commands[2]", "commands[6]", "commands[6]",
    ]  # fmt: skip


# Large and right


def values(count: int) -> dict[str, Any]:
    return only(resource([number * 0.5 for number in range(count)]))


def typed_values(count: int) -> dict[str, Any]:
    return only({"initialValues": [{"type": "UINT8", "value": number % 200} for number in range(count // 8)]})


def commands(count: int) -> dict[str, Any]:
    return {**GATHER, "commands": [GATHER["commands"][0]] * (count // 40)}


def resources(count: int) -> dict[str, Any]:
    return {"resources": {f"R{n}": resource([1, 2]) for n in range(count // 40)}, "dispatchables": {}, "commands": []}


def dispatchables(count: int) -> dict[str, Any]:
    return {**GATHER, "dispatchables": {f"d{n}": GATHER["dispatchables"]["take"] for n in range(count // 400)},
            "commands": []}  # fmt: skip


@pytest.mark.parametrize("comment", ["", "// a comment\n"])
@pytest.mark.parametrize("made", [values, typed_values, commands, resources, dispatchables])
def test_reading_takes_linear_time(tmp_path: Path, made: Callable[[int], Any], comment: str) -> None:
    def prepared(count: int) -> Callable[[], object]:
        path = written(tmp_path, comment + json.dumps(made(count)))
        return lambda: wh.load(path)

    attack.check_linear(prepared, 10_000)


def test_400_000_inline_values(tmp_path: Path) -> None:
    path = written(tmp_path, values(400_000))
    outcome = attack.run(lambda: wh.load(path).inputs["R"])
    assert "400000" in outcome.result


def test_a_fault_behind_400_000_values(tmp_path: Path) -> None:
    given = [number * 0.5 for number in range(400_000)]
    words = refused(tmp_path, only(resource([*given, None])), FileFormatError)
    assert "initialValues[400000] (line 1, column " in words
    assert "is null, allowed a number" in words


def test_an_input_that_is_no_vector_of_the_resource(tmp_path: Path) -> None:
    model = wh.load(written(tmp_path, GATHER))
    assert "input 'data'" in attack.refused(lambda: model.run({"data": np.zeros(5, np.float32)}), InvalidValueError)
