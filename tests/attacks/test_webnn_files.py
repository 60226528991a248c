"""Hostile WebNN graphs: each is refused in words, soon, and in little memory; large ones take linear time."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import wherry as wh
from tests.attacks import attack
from wherry.errors import FileFormatError, ResourceLimitError, WherryError

CONSTANT = '{{"constants": {{"c": {{"dataType": "int8", "shape": [{size}], "data": {data}}}}}}}'

FILES = {
    "nothing": ("", "the file ends here"),
    "no UTF-8": (b"{\xff", "the file is not UTF-8"),
    "arrays a million deep": ("[" * 10**6, "nested deeper than 64 levels"),
    "objects 100,000 deep": ('{"inputs":' * 10**5, "nested deeper than 64 levels"),
    "a number of a million digits": (
        CONSTANT.format(size=1, data=f"[{'1' * 10**6}]"), "a number has 1000000 characters"),
    "a name of a megabyte twice": (f'{{"{"a" * 2**20}": 1, "{"a" * 2**20}": 2}}', "more) is given twice"),
    "a member of a megabyte": (f'{{"{"a" * 2**20}": 1}}', "is not a member here"),
    "the last of 100,000 numbers": (
        CONSTANT.format(size=10**5, data=[0] * (10**5 - 1) + [300]), "constants.c.data[99999] (line 1, column"),
    "a constant of 2 GB without data": (CONSTANT.format(size=2**31 - 1, data='""'), "has 0 bytes, allowed 2147483647"),
    "a result of 2 GB": (
        json.dumps({"inputs": {"x": {"dataType": "int8", "shape": [1]}}, "operations": [
            {"method": "expand", "operands": ["x"], "arguments": {"newShape": [2**31 - 1, 2]}, "outputs": ["y"]}]}),
        "operations[0] (line 1, column 70): WebNN expand 'y': "),
    "20,000 methods that wherry lacks": (
        json.dumps({"operations": [{"method": f"m{number}", "outputs": []} for number in range(20_000)]}),
        "m0 (node 0); "),
}  # fmt: skip


SCREEN = 4200
"""The most characters of a refusal: a screen, with its subject."""


def written(folder: Path, graph: object) -> Path:
    path = folder / "m.webnn.json"
    path.write_bytes(
        graph if isinstance(graph, bytes) else (graph if isinstance(graph, str) else json.dumps(graph)).encode()
    )
    return path


def refused(folder: Path, graph: object, kind: type[WherryError] = WherryError) -> str:
    path = written(folder, graph)
    told = attack.refused(lambda: wh.load(path), kind)
    assert told.startswith("m.webnn.json: ")
    assert len(told) < SCREEN
    return told


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_refused(tmp_path: Path, name: str) -> None:
    text, words = FILES[name]
    assert words in refused(tmp_path, text)


def operand(kind: str = "float32", *shape: int) -> dict[str, Any]:
    return {"dataType": kind, "shape": list(shape)}


def call(method: str, operands: list[str], outputs: list[str], **rest: Any) -> dict[str, Any]:
    return {"method": method, "operands": operands, "outputs": outputs, **rest}


def graph(*calls: dict[str, Any], inputs: dict[str, Any] | None = None, outputs: object = ()) -> dict[str, Any]:
    return {"inputs": inputs or {"x": operand("float32", 4)}, "operations": list(calls), "outputs": list(outputs)}


PLACES = ("inputs", "constants", "operations", "outputs")
CALL = ("method", "operands", "arguments", "options", "outputs", "label")
OTHERS = {"null": None, "true": True, "-1": -1, "0.5": 0.5, "2**80": 2**80, "words": "x" * 2**20, "deep": [[[[]]]],
          "an object": {"a": {}}}  # fmt: skip


@pytest.mark.parametrize("value", OTHERS)
@pytest.mark.parametrize("place", PLACES)
def test_members_of_another_kind(tmp_path: Path, place: str, value: str) -> None:
    assert place.rstrip("s") in refused(tmp_path, {**graph(call("identity", ["x"], ["y"])), place: OTHERS[value]})


@pytest.mark.parametrize("value", OTHERS)
@pytest.mark.parametrize("member", [member for member in CALL if member != "label"])
def test_members_of_a_call_of_another_kind(tmp_path: Path, member: str, value: str) -> None:
    given = {**call("identity", ["x"], ["y"]), member: OTHERS[value]}
    words = refused(tmp_path, graph(given))
    assert "identity" in words or "operations[0]" in words or "x" * 20 in words


NUMBERS = {
    "a shape of 2**80": (operand("int8", 2**80), FileFormatError, "inputs.x (line 1, column 18): shape[0] is"),
    "1,000 axes": (operand("int8", *[1] * 1000), ResourceLimitError, "has 1000 axes, allowed up to 64"),
    "2**31 elements": (operand("int8", 2**16, 2**15), FileFormatError, "in elements is 2147483648"),
    "two axes of 2**31 - 1": (operand("int8", 2**31 - 1, 2**31 - 1), FileFormatError, "in elements is 46116860"),
    "a shape that is a word": ({"dataType": "int8", "shape": "4"}, WherryError, "allowed a sequence of integers"),
    "a type that is a list": ({"dataType": ["int8"], "shape": [4]}, FileFormatError, "dataType is ['int8'], allowed"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_operands_of_hostile_sizes(tmp_path: Path, name: str) -> None:
    given, kind, words = NUMBERS[name]
    assert words in refused(tmp_path, graph(inputs={"x": given}, outputs=["x"]), kind)


CALLS = {
    "expand to 2**31 - 1": (call("expand", ["x"], ["y"], arguments={"newShape": [2**29 - 1, 4]}), "y"),
    "tile 2**29 times": (call("tile", ["x"], ["y"], arguments={"repetitions": [2**29 - 1]}), "y"),
    "pad by 2**31": (call("pad", ["x"], ["y"], arguments={"beginningPadding": [2**30], "endingPadding": [9]}), "y"),
    "8,192 parts": (call("split", ["x"], ["y"], arguments={"splits": 8192}), "y"),
    "100,000 parts": (call("split", ["x"], ["y"], arguments={"splits": [1] * 100_000}), "y"),
    "a rank of 100,000": (call("reshape", ["x"], ["y"], arguments={"newShape": [1] * 100_000}), "y"),
    "an axis of 2**80": (call("concat", ["x"], ["y"], arguments={"axis": 2**80}), "y"),
    "100,000 operands": (call("concat", ["x"] * 100_000, ["y"], arguments={"axis": 0}), "y"),
    "100,000 outputs": (call("identity", ["x"], [f"y{number}" for number in range(100_000)]), "y0"),
    "a label of a megabyte": (call("expand", ["x"], ["y"], label="x" * 2**20, arguments={"newShape": [3]}), "y"),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_with_hostile_numbers(tmp_path: Path, name: str) -> None:
    given, output = CALLS[name]
    path = written(tmp_path, graph(given, outputs=[output]))
    words = attack.refused(lambda: wh.load(path).run([[0.0, 1.0, 2.0, 3.0]]))
    assert len(words) < SCREEN


def chain(count: int) -> dict[str, Any]:
    names = ["x", *(f"y{number}" for number in range(count))]
    return graph(*(call("identity", [a], [b]) for a, b in itertools.pairwise(names)), outputs=[names[-1]])


def inputs(count: int) -> dict[str, Any]:
    return graph(inputs={f"x{number}": operand("int8", 1) for number in range(count)}, outputs=["x0"])


def numbers(count: int) -> dict[str, Any]:
    return {"constants": {"c": {**operand("float32", 10 * count), "data": [0.5] * (10 * count)}}, "outputs": ["c"]}


@pytest.mark.parametrize("made", [chain, inputs, numbers])
def test_reading_takes_linear_time(tmp_path: Path, made: Callable[[int], Any]) -> None:
    def prepared(count: int) -> Callable[[], object]:
        path = written(tmp_path, made(count))
        return lambda: wh.load(path)

    attack.check_linear(prepared, 2_000)
