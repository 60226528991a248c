"""Writes the example models beside it: a table with bad indices in three formats, a picture, a word lookup, scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import wherry as wh
from wherry.graph import Graph, GraphBuilder
from wherry.ops import Gather

HERE = Path(__file__).parent

TABLE = np.array([10, 20, 30, 40, 50], np.float32)
INDICES = np.array([3, 7, -2, -9], np.int64)
"""Position 3, one past the end, the second last, and one before the start."""

SENTENCE = "the boat carries the cargo over the river"


def table_graph(out_of_range: str) -> Graph:
    """One Gather over the table by the indices, both constants."""
    builder = GraphBuilder("table")
    builder.add_constant("table", TABLE)
    builder.add_constant("indices", INDICES)
    builder.add(Gather(0, out_of_range=out_of_range), ["table", "indices"], ["picked"], "Gather")
    return builder.build(["picked"])


def tensor(data_type: str, sizes: list[int], strides: list[int] | None = None) -> dict[str, object]:
    """A DirectML tensor description."""
    return {"DataType": data_type, "Sizes": sizes} | ({"Strides": strides} if strides else {})


def dispatch(name: str, **bindings: object) -> dict[str, object]:
    """A command that runs a dispatchable on buffers."""
    return {"type": "dispatch", "dispatchable": name, "bindings": bindings}


def table_model() -> dict[str, object]:
    """The same Gather as a DxDispatch model."""
    gather = {
        "InputTensor": tensor("FLOAT32", [len(TABLE)]),
        "IndicesTensor": tensor("INT64", [len(INDICES)]),
        "OutputTensor": tensor("FLOAT32", [len(INDICES)]),
        "Axis": 0,
        "IndexDimensions": 1,
    }
    return {
        "resources": {
            "table": {"initialValuesDataType": "FLOAT32", "initialValues": TABLE.tolist()},
            "indices": {"initialValuesDataType": "INT64", "initialValues": INDICES.tolist()},
            "picked": {"initialValuesDataType": "FLOAT32", "initialValues": {"valueCount": len(INDICES), "value": 0}},
        },
        "dispatchables": {"gather": {"type": "GATHER", "desc": gather}},
        "commands": [
            dispatch("gather", InputTensor="table", IndicesTensor="indices", OutputTensor="picked"),
            {"type": "print", "resource": "picked"},
        ],
    }


def picture() -> np.ndarray:
    """A picture of 16 x 24 pixels, rows of pixels of red, green and blue: a hull on the water under a red sky."""
    y, x = np.mgrid[0:16, 0:24]
    rgb = np.zeros((16, 24, 3), np.uint8)
    rgb[..., 0] = np.where(y < 9, 255 - 12 * y, 20)
    rgb[..., 1] = np.where(y < 9, 60 + 12 * y, 90 + 4 * x)
    rgb[..., 2] = np.where(y < 9, 70 + 10 * y, 200)
    rgb[(y >= 7) & (y < 11) & (x > y - 3) & (x < 26 - y)] = (110, 70, 40)
    rgb[(x >= 12) & (x < 18) & (y >= 1) & (y < 7) & (x - 12 <= y - 1)] = (250, 245, 230)
    return rgb


def picture_model(height: int, width: int) -> dict[str, object]:
    """SPLIT takes the planes out of NHWC memory, JOIN lays them down as NCHW."""
    nhwc = list(wh.Layout.ordered((1, 3, height, width), "NHWC").strides)
    plane = tensor("UINT8", [1, 1, height, width])
    planes = ["red", "green", "blue"]
    empty = {"initialValuesDataType": "UINT8", "initialValues": {"valueCount": height * width, "value": 0}}
    split = {
        "InputTensor": tensor("UINT8", [1, 3, height, width], nhwc),
        "OutputCount": 3,
        "OutputTensors": [plane] * 3,
        "Axis": 1,
    }
    join = {
        "InputCount": 3,
        "InputTensors": [plane] * 3,
        "OutputTensor": tensor("UINT8", [1, 3, height, width]),
        "Axis": 1,
    }
    nchw = {"initialValuesDataType": "UINT8", "initialValues": {"valueCount": 3 * height * width, "value": 0}}
    return {
        "resources": {
            "picture": {"initialValues": {"sourcePath": "picture.npy"}},
            **dict.fromkeys(planes, empty),
            "nchw": nchw,
        },
        "dispatchables": {"split": {"type": "SPLIT", "desc": split}, "join": {"type": "JOIN", "desc": join}},
        "commands": [
            dispatch("split", InputTensor="picture", OutputTensors=planes),
            dispatch("join", InputTensors=planes, OutputTensor="nchw"),
        ],
    }


def lookup_graph() -> Graph:
    """Word numbers in; out come the words and their vectors, each by one Gather."""
    words = sorted(set(SENTENCE.split()))
    rng = np.random.default_rng(7)
    builder = GraphBuilder("lookup")
    builder.add_input("numbers", wh.TensorType("int64", ("count",)))
    builder.add_constant("words", np.array(words, object))
    builder.add_constant("vectors", rng.normal(size=(len(words), 4)).round(2).astype(np.float32))
    builder.add(Gather(0), ["words", "numbers"], ["word"], "Gather")
    builder.add(Gather(0), ["vectors", "numbers"], ["vector"], "Gather")
    return builder.build(["word", "vector"])


def scores_model() -> onnx.ModelProto:
    """Word numbers in, scores out: a Gather that wherry runs, and a Softmax that it leaves to a runtime."""
    vectors = np.array([[0, 2], [2, 0], [1, 1], [5, 0]], np.float32)
    nodes = [
        helper.make_node("Gather", ["vectors", "numbers"], ["vector"], "take"),
        helper.make_node("Softmax", ["vector"], ["score"], "score"),
    ]
    graph = helper.make_graph(
        nodes,
        "scores",
        [helper.make_tensor_value_info("numbers", TensorProto.INT64, ["count"])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["count", 2])],
        [numpy_helper.from_array(vectors, "vectors")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def write_all(folder: Path) -> None:
    """Write every example file into `folder`."""
    wh.onnx.write(table_graph("raise"), folder / "table.onnx")
    wh.openvino.write(table_graph("zero"), folder / "table.xml")
    (folder / "table.json").write_text(json.dumps(table_model(), indent=2) + "\n", encoding="utf-8")
    rgb = picture()
    np.save(folder / "picture.npy", rgb)
    (folder / "picture.json").write_text(json.dumps(picture_model(*rgb.shape[:2]), indent=2) + "\n", encoding="utf-8")
    wh.onnx.write(lookup_graph(), folder / "lookup.onnx")
    (folder / "scores.onnx").write_bytes(scores_model().SerializeToString())


if __name__ == "__main__":
    write_all(HERE)
