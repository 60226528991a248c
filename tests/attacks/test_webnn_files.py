"""Hostile WebNN graphs: each is refused in words, soon, and in little memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import wherry as wh
from tests.attacks import attack
from wherry.errors import WherryError

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


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_refused(tmp_path: Path, name: str) -> None:
    text, words = FILES[name]
    path = tmp_path / "m.webnn.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    told = attack.refused(lambda: wh.load(path), WherryError)
    assert words in told
    assert told.startswith("m.webnn.json: ")
    assert len(told) < 4200
