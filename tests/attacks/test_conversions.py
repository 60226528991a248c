"""Small models whose conversion would compute places of elements by the gigabyte: refused, or said without them."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

import wherry as wh
from tests.attacks import attack
from tests.dialects.onnx.models import model as onnx_model
from wherry.errors import ConversionError, WherryError

SIDE = 2**14
PLANE = np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (SIDE, SIDE), (0, 0))

NODES = {
    "Expand": ("Expand", {"sizes": [SIDE, SIDE]}, np.zeros((1, 1), np.float32)),
    "Tile": ("Tile", {"repeats": [SIDE, SIDE]}, np.zeros((1, 1), np.float32)),
    "Pad": ("Pad", {"pads": [0, 0, 5, 5]}, PLANE),
    "Slice": ("Slice", {"starts": [0, 0], "ends": [SIDE, SIDE], "axes": [0, 1], "steps": [3, 3]}, PLANE),
    "Transpose": ("Transpose", {}, PLANE),
    "Reshape": ("Reshape", {"shape": [-1]}, PLANE),
    "Trilu": ("Trilu", {"k": np.int64(0)}, PLANE),
    "ScatterND": ("ScatterND", {"indices": [[0]], "updates": np.zeros((1, SIDE), np.float32)}, PLANE),
}


@pytest.mark.parametrize("dialect", ["openvino", "directml"])
@pytest.mark.parametrize("name", NODES)
def test_of_many_elements(name: str, dialect: str) -> None:
    operator, constants, data = NODES[name]
    node = helper.make_node(operator, ["x", *constants], ["y"], **({"mode": "edge"} if operator == "Pad" else {}))
    arrays = {key: np.asarray(value) for key, value in constants.items()}
    proto = onnx_model([node], {"x": data}, ["y"], opset=14, constants=arrays)

    def call() -> int:
        try:
            return len(wh.convert(wh.onnx.read_proto(proto), dialect).graph.nodes)
        except ConversionError as error:
            return -len(error.findings)

    outcome = attack.run(call)
    assert outcome.error is None or issubclass(outcome.error, WherryError), outcome
