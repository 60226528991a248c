"""External data: read inside the model's folder, refused anywhere else, with ranges checked against the file."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

import wherry as wh
from tests.support.compare import assert_same_bits
from wherry.errors import FileFormatError

VALUES = np.arange(6, dtype=np.float32)


def written(folder: Path, kind: int = TensorProto.FLOAT, dims: tuple[int, ...] = (3,), **entries: str) -> Path:
    """Write a model whose only result is an initializer with these external data entries."""
    weights = TensorProto(name="w", data_type=kind, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        weights.external_data.add(key=key, value=value)
    graph = helper.make_graph([], "g", [], [helper.make_tensor_value_info("w", kind, dims)], [weights])
    path = folder / "m.onnx"
    path.write_bytes(
        ModelProto(
            ir_version=10, graph=graph, opset_import=[helper.make_opsetid("", 21)]
        ).SerializeToString()
    )  # fmt: skip
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "model"
    (inside / "sub").mkdir(parents=True)
    for place in (inside / "w.bin", inside / "sub" / "w.bin", tmp_path / "secret.bin"):
        place.write_bytes(VALUES.tobytes())
    return inside


@pytest.mark.parametrize("location", ["w.bin", "sub/w.bin", "./w.bin"])
@pytest.mark.parametrize("length", [None, "12"])
def test_data_inside_the_folder(folder: Path, location: str, length: str | None) -> None:
    entries = {"location": location, "offset": "8"} | ({"length": length} if length else {})
    assert_same_bits(wh.load(written(folder, **entries)).run({})["w"], VALUES[2:5])


def test_a_link_inside_the_folder_may_be_followed(folder: Path) -> None:
    (folder / "link.bin").symlink_to("w.bin")
    assert_same_bits(wh.load(written(folder, location="link.bin")).run({})["w"], VALUES[:3])


def test_packed_data(folder: Path) -> None:
    (folder / "w.bin").write_bytes(b"\x21\x03")
    result = wh.load(written(folder, TensorProto.UINT4, (3,), location="w.bin")).run({})["w"]
    assert result.astype(int).tolist() == [1, 2, 3]


def test_the_checksum_is_verified(folder: Path) -> None:
    good = hashlib.sha1(VALUES.tobytes()).hexdigest()
    assert_same_bits(wh.load(written(folder, location="w.bin", checksum=good)).run({})["w"], VALUES[:3])
    with pytest.raises(FileFormatError, match=r"'w\.bin' does not have the SHA1 checksum that the model gives"):
        wh.load(written(folder, location="w.bin", checksum="0" * 40))


def test_a_proto_in_memory_needs_base_dir(folder: Path) -> None:
    proto = ModelProto.FromString(written(folder, location="w.bin").read_bytes())
    assert_same_bits(wh.onnx.read_proto(proto, folder).run({})["w"], VALUES[:3])
    with pytest.raises(
        FileFormatError,
        match="initializer 'w' has external data, but the model has no folder; load its file, or pass base_d",
    ):
        wh.onnx.read_proto(proto)


REFUSALS = {
    "outside": ({"location": "../secret.bin"}, r"at '\.\./secret\.bin', allowed a path without '\.\.'"),
    "outside and back": ({"location": "sub/../w.bin"}, "allowed a path without"),
    "backslashes": ({"location": "..\\secret.bin"}, "allowed a path without"),
    "absolute": ({"location": "/etc/hostname"}, "allowed a path relative to the model's folder"),
    "drive": ({"location": "C:\\secret.bin"}, "allowed a path relative to the model's folder"),
    "share": ({"location": "\\\\host\\share\\w.bin"}, "allowed a path relative to the model's folder"),
    "null": ({"location": "w.bin\0.txt"}, "allowed a path relative to the model's folder"),
    "link": ({"location": "out.bin"}, "which links to outside the model's folder"),
    "linked folder": ({"location": "up/secret.bin"}, "which links to outside the model's folder"),
    "loop": ({"location": "loop.bin"}, "has its data at 'loop.bin', which cannot be"),
    "no file": ({"location": "none.bin"}, "which cannot be read: No such file"),
    "folder": ({"location": "sub"}, "which (is no regular file|cannot be read)"),
    "pipe": ({"location": "pipe"}, "which is no regular file"),
    "long name": ({"location": "x" * 5000}, "which cannot be"),
    "past the end": ({"location": "w.bin", "offset": "16"}, r"needs bytes 16\.\.28 of 'w\.bin', which has 24"),
    "far past the end": ({"location": "w.bin", "offset": str(2**63 - 1)}, "needs bytes 9223372036854775807"),
    "offset too large": ({"location": "w.bin", "offset": str(2**63)}, "offset '9223372036854775808', allowed 0"),
    "offset negative": ({"location": "w.bin", "offset": "-4"}, "offset '-4', allowed 0"),
    "offset no number": ({"location": "w.bin", "offset": "1_6"}, "offset '1_6', allowed 0"),
    "offset huge": ({"location": "w.bin", "offset": "9" * 9000}, "with offset '9999"),
    "length too long": ({"location": "w.bin", "length": "16"}, "external data of 16 bytes, its type and sizes need 12"),
    "length too short": ({"location": "w.bin", "length": "8"}, "external data of 8 bytes, its type and sizes need 12"),
    "no location": ({"offset": "0"}, "has external data without a location"),
    "unknown key": (
        {"location": "w.bin", "password": "x"},
        "has the external data key 'password', allowed location, off",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(folder: Path, name: str) -> None:
    entries, text = REFUSALS[name]
    (folder / "out.bin").symlink_to(folder.parent / "secret.bin")
    (folder / "up").symlink_to(folder.parent)
    (folder / "loop.bin").symlink_to("loop.bin")
    os.mkfifo(folder / "pipe")
    with pytest.raises(FileFormatError, match=f"^ONNX model 'm.onnx': initializer 'w' .*{text}"):
        wh.load(written(folder, **entries))


def test_a_key_given_twice(folder: Path) -> None:
    path = written(folder, location="w.bin")
    proto = ModelProto.FromString(path.read_bytes())
    proto.graph.initializer[0].external_data.add(key="location", value="sub/w.bin")
    with pytest.raises(FileFormatError, match="has the external data key 'location' twice"):
        wh.onnx.read_proto(proto, folder)


def test_a_huge_tensor_is_refused_before_it_is_allocated(folder: Path) -> None:
    with pytest.raises(FileFormatError, match="needs bytes 0"):
        wh.load(written(folder, dims=(2**40,), location="w.bin"))


def test_external_strings_are_refused(folder: Path) -> None:
    with pytest.raises(FileFormatError, match="is of strings and has external data, allowed string_data"):
        wh.load(written(folder, TensorProto.STRING, (1,), location="w.bin"))
