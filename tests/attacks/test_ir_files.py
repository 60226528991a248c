"""Hostile OpenVINO IRs: each is refused in words, soon, and in little memory; large ones are read in linear time."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wherry as wh
from tests.attacks import attack
from tests.dialects.openvino import ir
from wherry.dialects.openvino.reader import read
from wherry.errors import (
    FileFormatError,
    InvalidTypeError,
    InvalidValueError,
    ResourceLimitError,
    SizeOverflowError,
    UnsupportedError,
    WherryError,
)

GATHER = ir.net(*ir.gather_layers())
SCREEN = 4200
"""The most characters of a refusal: a screen, with its subject."""

NO_NUMBERS = {
    "missing": None,
    "empty": "",
    "negative": "-1",
    "fraction": "0.5",
    "exponent": "1e3",
    "NaN": "NaN",
    "hexadecimal": "0x10",
    "underscore": "1_0",
    "other digits": "\u0663",
    "past 64 bits": "9" * 19,
    "10,000 digits": "9" * 10_000,
    "a megabyte": "x" * 2**20,
}
"""Texts that are no integer of 0 and more; None: the attribute is not there."""

NUMBERS = {
    "layer id": ('<layer id="3"', "id"),
    "input port id": ('<port id="2"></port>', "id"),
    "output port id": ('<port id="3" precision="FP32"', "id"),
    "from-layer": (ir.edge(2, 0, 3, 2), "from-layer"),
    "from-port": (ir.edge(2, 0, 3, 2), "from-port"),
    "to-layer": (ir.edge(2, 0, 3, 2), "to-layer"),
    "to-port": (ir.edge(2, 0, 3, 2), "to-port"),
    "const offset": ('shape="3" offset="0" size="12"', "offset"),
    "const size": ('shape="3" offset="0" size="12"', "size"),
    "gather batch_dims": ('<data batch_dims="0"/>', "batch_dims"),
}
"""Every attribute that is a number: the text around it, and its name."""


def refused(folder: Path, text: str | bytes, kind: type[WherryError] = WherryError, **bounds: float) -> str:
    path = folder / "m.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (folder / "m.bin").write_bytes(ir.WEIGHTS)

    def call() -> None:
        wh.load(path).graph.refuse_opaque()

    words = attack.refused(call, kind, **bounds)
    assert len(words) < SCREEN, f"{len(words)} characters"
    return words


def changed(attribute: str, place: str, value: str | None) -> str:
    assert GATHER.count(place) == 1, place
    written = "" if value is None else f' {attribute}="{value}"'
    return GATHER.replace(place, re.sub(rf' {attribute}="[^"]*"', lambda _: written, place))


LEGAL = [("gather batch_dims", "negative"), ("gather batch_dims", "missing")]


@pytest.mark.parametrize(
    ("number", "value"), [pair for pair in itertools.product(NUMBERS, NO_NUMBERS) if pair not in LEGAL]
)
def test_what_is_no_number(tmp_path: Path, number: str, value: str) -> None:
    place, attribute = NUMBERS[number]
    words = refused(tmp_path, changed(attribute, place, NO_NUMBERS[value]))
    assert attribute in words or "does not fit in 64 bits" in words
    if value == "a megabyte":
        assert "more)" in words


WORDS = {
    "no version of the net": (' version="11"', "", FileFormatError, "the net has no attribute 'version'"),
    "an empty version": (' version="11"', ' version=""', FileFormatError, "version of the net is '', allowed 10, 11"),
    "a version of a megabyte": (' version="11"', f' version="{"1" * 2**20}"', FileFormatError, "version of the net is"),
    "no layers": ("<layers>", "<lairs>", FileFormatError, "no readable XML"),
    "layers twice": ("</layers>", "</layers><layers/>", FileFormatError, "two parts 'layers'"),
    "edges twice": ("</edges>", "</edges><edges/>", FileFormatError, "two parts 'edges'"),
    "a body": ("</net>", "<then_body/></net>", UnsupportedError, "has a part 'then_body', which wherry does not read"),
    "a tag of a megabyte": ("</net>", f"<{'a' * 2**20}/></net>", UnsupportedError, "more), which wherry does not"),
    "no layer": ("<layers>", "<layers><edge/>", FileFormatError, "layers has a part 'edge', allowed 'layer'"),
    "no edge": ("<edges>", "<edges><layer/>", FileFormatError, "edges has a part 'layer', allowed 'edge'"),
    "no name": (' name="g"', "", FileFormatError, "layer 3 (Gather) has no attribute 'name'"),
    "no type": (' type="Gather"', "", FileFormatError, "layer 3 ('g') has no attribute 'type'"),
    "no opset": (' version="opset8"', "", FileFormatError, "layer 3 (Gather 'g') has no attribute 'version'"),
    "an empty type": (' type="Gather"', ' type=""', UnsupportedError, "wherry does not have:  of opset8"),
    "a type of a megabyte": (' type="Gather"', f' type="{"G" * 2**20}"', UnsupportedError, "does not have: GGG"),
    "a name of a megabyte": (' name="g"', f' name="{"g" * 2**20}" x="1"', FileFormatError, "unknown attribute 'x'"),
    "opset 99": ("opset8", "opset99", UnsupportedError, "Gather of opset99 (which is no opset"),
    "opset of digits": ("opset8", "opset" + "9" * 10_000, UnsupportedError, "which is no opset"),
    "an unknown attribute": ('<data batch_dims="0"/>', '<data a="1" b="2"/>', InvalidValueError,
                             "attribute 'a' is unknown, allowed batch_dims\n  attribute 'b' is unknown"),
    "two data": ('<data batch_dims="0"/>', '<data batch_dims="0"/><data/>', FileFormatError, "two parts 'data'"),
    "a layer's body": ('<data batch_dims="0"/>', "<body/>", FileFormatError, "has parts beside data, input, output"),
    "equal ids": ('<layer id="1"', '<layer id="0"', FileFormatError, "ids are unique"),
    "equal ports": ('<port id="2"></port>', '<port id="1"></port>', FileFormatError, "two input ports with the id 1"),
    "a precision": ('precision="FP32" names="y"', 'precision="FP31"', FileFormatError,
                    "output port 3 of layer 3 (Gather 'g') has precision 'FP31'"),
    "a negative dim": ('<port id="2"></port>', '<port id="2"><dim>-2</dim></port>', FileFormatError,
                       "input port 2 of layer 3 (Gather 'g') has a dim '-2', allowed -1"),
    "a dim of a megabyte": ('<port id="2"></port>', f'<port id="2"><dim>{"7x" * 2**19}</dim></port>', FileFormatError,
                            "more), allowed -1 (unknown)"),
    "a layer of itself": ('from-layer="1" from-port="0"', 'from-layer="3" from-port="3"', FileFormatError,
                          "layers read each other in a circle: 3"),
    "an edge to nowhere": ('to-layer="4"', 'to-layer="44"', FileFormatError, "edge 3.3 to 44.0 has to-layer 44"),
    "an edge of no port": ('from-port="3"', 'from-port="9"', FileFormatError,
                           "edge 3.9 to 4.0 has from-port 9, which is no output port of layer 3 (Gather 'g')"),
    "two sources": ('to-port="2"', 'to-port="1"', FileFormatError, "edge 2.0 to 3.1 is the second that leads to input"),
    "no source": (ir.edge(2, 0, 3, 2), "", FileFormatError, "input port 2 of layer 3 (Gather 'g') has no edge"),
    "no Result": ('type="Result"', 'type="Sink"', FileFormatError, "the model has no Result"),
    "a Parameter of no type": (' element_type="f32"', "", InvalidValueError, "attribute 'element_type' is missing"),
    "a Parameter of type f99": ('"f32"', '"f99"', InvalidTypeError, "element type is 'f99', allowed boolean"),
    "a Parameter of dynamic type": ('"f32"', '"dynamic"', InvalidTypeError, "unknown until run"),
    "a shape of words": ('shape="5"', 'shape="five"', InvalidValueError, "attribute shape is 'five'"),
    "a shape of a megabyte": ('shape="5"', f'shape="{"x" * 2**20}"', InvalidValueError, "more), allowed sizes"),
    "a rank of 65": ('shape="5"', f'shape="{"1," * 64}1"', ResourceLimitError, "shape has 65 axes, allowed up to 64"),
    "a rank of a million": ('shape="5"', f'shape="{"?," * 10**6}?"', ResourceLimitError, "1000001 axes"),
    "a constant of rank 70": ('shape="3"', f'shape="{"1," * 69}3"', ResourceLimitError, "shape has 70 axes"),
    "a range upside down": ('shape="5"', 'shape="9..2"', InvalidValueError, "attribute shape is '9..2'"),
    "a constant past 64 bits": ('shape="3"', f'shape="{2**62},8"', SizeOverflowError, "does not fit in 64 bits"),
    "a constant larger than said": ('shape="3"', 'shape="4"', FileFormatError, "size is 12, allowed 16 and more"),
    "an offset past the end": ('offset="0" size="12"', 'offset="9" size="12"', FileFormatError,
                               "offset 9 and size 12 reach past the end of the weights, 20 bytes"),
    "an offset that overflows": ('offset="0"', f'offset="{2**63 - 1}"', FileFormatError, "reach past the end"),
    "a size that overflows": ('size="12"', f'size="{2**63 - 1}"', FileFormatError, "reach past the end"),
    "a constant of a type": ('element_type="i32"', 'element_type="i31"', InvalidTypeError, "element type is 'i31'"),
    "indices of floats": ('element_type="i32"', 'element_type="f32"', InvalidTypeError, "indices has dtype float32"),
    "strings of no table": ('element_type="i32" shape="3"', 'element_type="string" shape="1"', FileFormatError,
                            "the constant holds 0 strings, needed 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_words_that_no_writer_writes(tmp_path: Path, name: str) -> None:
    old, new, kind, words = WORDS[name]
    assert old in GATHER
    assert words in refused(tmp_path, GATHER.replace(old, new, 1), kind)


def lol(head: str, text: str = "&a;") -> str:
    return f'<?xml version="1.0"?><!DOCTYPE net [{head}]><net name="{text}" version="11"/>'


XML = {
    "nothing": b"",
    "a truncated file": GATHER.encode()[:-30],
    "zeros": bytes(2**20),
    "another encoding than said": GATHER.replace("?>", ' encoding="utf-8"?>').encode("utf-16"),
    "an unknown encoding": b'<?xml version="1.0" encoding="no"?><net/>',
    "no UTF-8": b"<net name='\xff\xfe'/>",
    "a control character": b"<net name='&#1;'/>",
    "an attribute twice": b"<net version='11' version='10'/>",
    "an unknown entity": b"<net>&lol;</net>",
    "a billion laughs": lol('<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefghi", "bcdefghij", strict=True)
    ), "&j;").encode(),
    "a quadratic blowup": lol(f'<!ENTITY a "{"a" * 50_000}">', "&a;" * 50_000).encode(),
    "an external entity": lol('<!ENTITY a SYSTEM "file:///etc/passwd">').encode(),
    "an external subset": b'<!DOCTYPE net SYSTEM "http://localhost:9/net.dtd"><net/>',
    "a parameter entity": lol('<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;').encode(),
    "a default attribute": lol('<!ATTLIST data batch_dims CDATA "1">', "m").encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", XML)
def test_documents_that_are_none(tmp_path: Path, name: str) -> None:
    words = refused(tmp_path, XML[name], FileFormatError)
    assert "the file is no readable XML" in words or "declares a document type or entities" in words


def test_nested_a_hundred_thousand_deep(tmp_path: Path) -> None:
    deep = "<a>" * 100_000 + "</a>" * 100_000
    words = refused(tmp_path, GATHER.replace("<layers>", f"<layers>{deep}"), FileFormatError)
    assert "layers has a part 'a', allowed 'layer'" in words


SPLIT_AXIS = {"known": ir.const(1, "i64", "", 12, 8), "unknown": ir.parameter(1, "", "i64")}


@pytest.mark.parametrize("shape", ["0", "6", "?", "..."])
@pytest.mark.parametrize("axis", SPLIT_AXIS)
@pytest.mark.parametrize("count", ["999999999999", str(2**63 - 1), "9" * 10_000])
def test_a_split_into_very_many(tmp_path: Path, shape: str, axis: str, count: str) -> None:
    split = ir.layer(2, "Split", f'num_splits="{count}"', [0, 1], [ir.port(2)], name="s")
    layers = ir.parameter(0, shape) + SPLIT_AXIS[axis] + split + ir.result(3)
    words = refused(tmp_path, ir.net(layers, ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + ir.edge(2, 2, 3, 0)))
    assert words.startswith("OpenVINO Split-1 's' (layer 2): ")


def sized_by(kind: str, data: str, shape: str, order: tuple[int, ...] = (0, 1), version: str = "opset1") -> str:
    """A layer whose second input, `int64[shape]`, says how many axes the result has."""
    made = ir.layer(2, kind, data, list(range(len(order))), [ir.port(9)], version=version, name="s")
    layers = ir.parameter(0, "2,2,2,2") + ir.parameter(1, shape, "i64") + made + ir.result(3)
    edges = "".join(ir.edge(source, 0, 2, number) for number, source in enumerate(order))
    return ir.net(layers, edges + ir.edge(2, 9, 3, 0))


RANKS = {
    "Reshape": sized_by("Reshape", 'special_zero="true"', "268435456"),
    "Broadcast": sized_by("Broadcast", 'mode="numpy"', "268435456", version="opset3"),
    "Broadcast both ways": sized_by("Broadcast", 'mode="bidirectional"', "268435456", version="opset3"),
}


@pytest.mark.parametrize("name", RANKS)
def test_a_declared_size_that_becomes_a_rank(tmp_path: Path, name: str) -> None:
    words = refused(tmp_path, RANKS[name], ResourceLimitError)
    assert "axes, allowed up to 64" in words


@pytest.mark.parametrize("kind", ["Tile", "Unsqueeze", "Squeeze", "Transpose"])
def test_a_declared_size_that_leaves_the_rank_open(tmp_path: Path, kind: str) -> None:
    path = ir.write(tmp_path, sized_by(kind, "", "268435456"))
    outcome = attack.run(lambda: str(wh.load(path).outputs["s"]))
    assert outcome.error is ResourceLimitError or outcome.result in ("'float32[...]'", "'float32[?, ?, ?, ?]'")


@pytest.mark.parametrize("number", [2**31, 2**62, 10**12])
@pytest.mark.parametrize("field", ["sizes", "strides", "rates"])
def test_patches_of_huge_windows(tmp_path: Path, field: str, number: int) -> None:
    numbers = {"sizes": "1,1", "strides": "1,1", "rates": "1,1", field: f"{number},{number}"}
    data = " ".join(f'{name}="{value}"' for name, value in numbers.items())
    patches = ir.layer(1, "ExtractImagePatches", f'{data} auto_pad="same_upper"', [0], [ir.port(1)], version="opset3")
    text = ir.net(ir.parameter(0, "1,1,3,3") + patches + ir.result(2), ir.edge(0, 0, 1, 0) + ir.edge(1, 1, 2, 0))
    path = ir.write(tmp_path, text)
    outcome = attack.run(lambda: wh.load(path).run([np.zeros((1, 1, 3, 3), np.float32)]))
    assert outcome.error is None or issubclass(outcome.error, WherryError), outcome.words


def test_integers_of_an_attribute_without_end(tmp_path: Path) -> None:
    data = f'sizes="{"1," * 2**21}1" strides="1,1" rates="1,1" auto_pad="valid"'
    patches = ir.layer(1, "ExtractImagePatches", data, [0], [ir.port(1)], version="opset3")
    text = ir.net(ir.parameter(0, "1,1,3,3") + patches + ir.result(2), ir.edge(0, 0, 1, 0) + ir.edge(1, 1, 2, 0))
    words = refused(tmp_path, text, ResourceLimitError)
    assert "the integers of an attribute are 2097153, allowed 1048576" in words


def test_constants_that_share_their_bytes_and_grow(tmp_path: Path) -> None:
    size, count = 2**20, 3000
    (tmp_path / "big.bin").write_bytes(bytes(size))
    consts = "".join(ir.const(number, "u1", str(8 * size), 0, size) for number in range(count))
    edges = "".join(ir.edge(number, 0, count, number) for number in range(count))
    join = ir.layer(count, "Concat", 'axis="0"', list(range(count)), [ir.port(count)])
    path = ir.write(tmp_path, ir.net(consts + join + ir.result(count + 1), edges + ir.edge(count, count, count + 1, 0)))
    with wh.limited(wh.Limits(bytes=2**25)):
        words = attack.refused(lambda: read(path, tmp_path / "big.bin"), ResourceLimitError)
    assert "the constants of strings and of less than a byte take" in words


WEIGHTS = ["missing", "a directory", "a FIFO", "a link to itself", "a link out of the folder", "shorter than said"]


@pytest.mark.parametrize("kind", WEIGHTS)
def test_weights_that_are_none(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    path, weights = ir.write(folder, GATHER), folder / "m.bin"
    (tmp_path / "secret").write_bytes(ir.WEIGHTS)
    {
        "missing": lambda: None,
        "a directory": weights.mkdir,
        "a FIFO": lambda: os.mkfifo(weights),
        "a link to itself": lambda: weights.symlink_to("m.bin"),
        "a link out of the folder": lambda: weights.symlink_to(tmp_path / "secret"),
        "shorter than said": lambda: weights.write_bytes(ir.WEIGHTS[:-1]),
    }[kind]()
    words = attack.refused(lambda: wh.load(path), FileFormatError)
    assert "m.bin" in words or "reach past the end of the weights, 19 bytes" in words


@pytest.mark.parametrize("kind", ["a FIFO", "a directory"])
def test_given_weights_that_are_no_file(tmp_path: Path, kind: str) -> None:
    path, weights = ir.write(tmp_path, GATHER), tmp_path / "w"
    weights.mkdir() if kind == "a directory" else os.mkfifo(weights)
    assert "the weights w are no file" in attack.refused(lambda: read(path, weights), FileFormatError)


@pytest.mark.parametrize("name", ["m.xml", "m.json", "m.onnx"])
@pytest.mark.parametrize("kind", ["a FIFO", "a directory", "a link to itself"])
def test_models_that_are_no_file(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / name
    {"a FIFO": lambda: os.mkfifo(path), "a directory": path.mkdir, "a link to itself": lambda: path.symlink_to(name)}[
        kind
    ]()
    outcome = attack.run(lambda: wh.load(path))
    assert outcome.error is FileNotFoundError
    assert "is not there" in outcome.words


def test_many_faults_are_a_screen(tmp_path: Path) -> None:
    broken = "".join(f'<layer id="{number}" name="{"n" * 300}"/>' for number in range(5000))
    words = refused(tmp_path, ir.net(broken, ""), FileFormatError)
    assert words.count("\n") <= 21
    assert "more" in words.splitlines()[-1]


def test_a_circle_of_many_layers(tmp_path: Path) -> None:
    count = 5000
    layers = "".join(ir.layer(n, "Identity", "", [0], [ir.port(1)], version="opset16") for n in range(count))
    edges = "".join(ir.edge(number, 1, (number + 1) % count, 0) for number in range(count))
    text = ir.net(layers + ir.result(count), edges + ir.edge(0, 1, count, 0))
    assert "layers read each other in a circle: " in refused(tmp_path, text, FileFormatError)


# Large and right: reading takes time in proportion to the file.


def chain(count: int) -> str:
    layers = "".join(ir.layer(n, "Identity", "", [0], [ir.port(1)], version="opset16") for n in range(1, count))
    edges = "".join(ir.edge(number, min(number, 1), number + 1, 0) for number in range(count))
    return ir.net(ir.parameter(0) + layers + ir.result(count), edges)


def equal_names(count: int) -> str:
    twins = "".join(ir.parameter(number, name="twin") for number in range(count))
    results = "".join(ir.result(count + number, name="end") for number in range(count))
    return ir.net(twins + results, "".join(ir.edge(number, 0, count + number, 0) for number in range(count)))


def many_outputs(count: int) -> str:
    split = ir.layer(2, "Split", f'num_splits="{count}"', [0, 1], [ir.port(10 + n) for n in range(count)])
    results = "".join(ir.result(10 + number) for number in range(count))
    edges = "".join(ir.edge(2, 10 + number, 10 + number, 0) for number in range(count))
    return ir.net(
        ir.parameter(0, str(count)) + ir.const(1, "i64", "", 12, 8) + split + results,
        ir.edge(0, 0, 2, 0) + ir.edge(1, 0, 2, 1) + edges,
    )


def results_of_one(count: int) -> str:
    results = "".join(ir.result(1 + number) for number in range(count))
    return ir.net(ir.parameter(0) + results, "".join(ir.edge(0, 0, 1 + number, 0) for number in range(count)))


@pytest.mark.parametrize("made", [chain, equal_names, many_outputs, results_of_one])
def test_reading_takes_linear_time(tmp_path: Path, made: Callable[[int], str]) -> None:
    def prepared(count: int) -> Callable[[], object]:
        path = ir.write(tmp_path, made(count), ir.WEIGHTS)
        return lambda: wh.load(path)

    attack.check_linear(prepared, 1000)


@pytest.mark.parametrize("count", [10**12, 2**63 - 1])
@pytest.mark.parametrize("size", [0, 6])
def test_functions_that_split_into_very_many(size: int, count: int) -> None:
    data = np.zeros(size)
    calls = {
        "num_splits": lambda: wh.openvino.split(data, 0, count),
        "num_outputs": lambda: wh.onnx.split(data, num_outputs=count, opset=18),
        "sections": lambda: wh.split(data, count),
    }
    for name, call in calls.items():
        words = attack.refused(call)
        assert str(count) in words, name
