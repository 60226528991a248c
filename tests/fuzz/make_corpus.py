"""Write tests/fuzz/corpus anew: small models of every operator, from the onnx package's node tests and examples/."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper
from onnx.backend.test.case.node import collect_testcases

import wherry as wh
from tests.fuzz.__main__ import CORPUS
from wherry import dtypes
from wherry.dialects.directml.descs import ScaleBias
from wherry.dialects.directml.dxdispatch.model import DispatchModel
from wherry.dialects.directml.scalar_union import ScalarUnion
from wherry.dialects.directml.tensor_desc import BufferTensorDesc
from wherry.dialects.onnx.table import NAMES
from wherry.dialects.onnx.tensor_data import encode, type_number
from wherry.errors import WherryError

MOST_BYTES = 1200
CASES = 32  # a few more than there are
TENSORS = ("float32", "int8", "uint16", "bool", "float16", "bfloat16", "int4", "float8_e4m3fn", "complex64", "float64")
OTHERS = (("openvino", "openvino", ".xml"), ("dxdispatch", "directml", ".json"), ("webnn", "webnn", ".webnn.json"))
EXAMPLES = Path(__file__).parents[2] / "examples"


NUMBERS: dict[str, Any] = {
    "inputs": {"x": {"dataType": "float32", "shape": [4]}},
    "constants": {
        "i": {"dataType": "int32", "shape": [2], "data": [0, 3]},
        "c": {"dataType": "float32", "shape": [1], "data": [0.5]},
    },
    "operations": [
        {"method": "gather", "operands": ["x", "i"], "options": {"axis": 0}, "outputs": ["y"], "label": "take"},
        {"method": "concat", "operands": ["y", "c"], "arguments": {"axis": 0}, "outputs": ["z"]},
        {
            "method": "pad",
            "operands": ["z"],
            "arguments": {"beginningPadding": [1], "endingPadding": [0]},
            "options": {"value": "-Infinity"},
            "outputs": ["w"],
        },
    ],
    "outputs": ["w"],
}
"""A WebNN graph whose constants are lists of numbers: those that are written are base64."""


def cases() -> dict[str, ModelProto]:
    """Return the smallest node test of each operator, and of each set of attributes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [case.model for case in collect_testcases(None) if case.model is not None]
    found: dict[str, ModelProto] = {}
    for model in sorted(models, key=lambda model: model.ByteSize()):
        node = model.graph.node[0]
        key = " ".join([node.op_type, *sorted(attribute.name for attribute in node.attribute)])
        if {node.op_type for node in model.graph.node} <= NAMES and model.ByteSize() <= MOST_BYTES:
            found.setdefault(key, model)
    return found


def write(target: str, ending: str, data: bytes) -> None:
    """Write one file, named by what it holds."""
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{hashlib.sha1(data).hexdigest()[:12]}{ending}").write_bytes(data)


def ir_file(path: Path) -> bytes:
    """Return an IR as one input: the .xml, a zero byte, the .bin."""
    weights = path.with_suffix(".bin")
    return path.read_bytes() + b"\0" + (weights.read_bytes() if weights.is_file() else b"")


def descriptions(model: DispatchModel) -> list[bytes]:
    """Return the model's operator descriptions, each with buffers just long enough."""
    made = []
    for dispatchable in model.dispatchables.values():
        desc = dispatchable.desc
        members = {member.field: _plain(getattr(desc, member.field)) for member in desc.info.members}
        buffers = {member.field: _bytes(getattr(desc, member.field)) for member in desc.tensor_members}
        level = str(model.feature_level)
        given = {"type": desc.name, "level": level, "desc": members, "buffers": buffers}
        made.append(json.dumps(given, indent=1).encode())
    return made


def _plain(value: Any) -> Any:
    """Return a member's value as JSON says it."""
    if isinstance(value, BufferTensorDesc):
        described = {"data_type": value.data_type.name, "sizes": value.sizes, "strides": value.strides}
        return {name: entry for name, entry in described.items() if entry is not None}
    if isinstance(value, ScaleBias):
        return {"scale": value.scale, "bias": value.bias}
    if isinstance(value, ScalarUnion):
        return int.from_bytes(value.content[:1], "little")
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def _bytes(value: Any) -> Any:
    return [_bytes(entry) for entry in value] if isinstance(value, tuple) else value.total_tensor_size_in_bytes


def main() -> None:
    """Write all corpora. Inputs of the core are choices: the first, behind two bytes of seed, is that of the case."""
    for case in range(CASES):
        write("core", "", bytes((0, 0, case)) + Random(case).randbytes(48))
    for target in ("onnx", "openvino", "dxdispatch", "webnn", "tensor", "desc"):
        shutil.rmtree(CORPUS / target, ignore_errors=True)
    work = Path(tempfile.mkdtemp())
    for key, model in cases().items():
        data = model.SerializeToString()
        write("onnx", ".onnx", data)
        (work / "model.onnx").write_bytes(data)
        for target, dialect, ending in OTHERS:
            try:
                other = wh.convert(wh.load(work / "model.onnx"), dialect, allow_loss=True)
                wh.save(other, work / f"model{ending}")
            except WherryError as error:
                print(f"{key}: not in {target}: {str(error).splitlines()[0]}")
                continue
            path = work / f"model{ending}"
            write(target, path.suffix, ir_file(path) if ending == ".xml" else path.read_bytes())
    for path in sorted(EXAMPLES.glob("*.onnx")):
        write("onnx", ".onnx", path.read_bytes())
    for path in sorted(EXAMPLES.glob("*.xml")):
        write("openvino", ".xml", ir_file(path))
    write("webnn", ".json", json.dumps(NUMBERS, indent=1).encode())
    write("dxdispatch", ".json", (EXAMPLES / "table.json").read_bytes())
    for path in sorted((CORPUS / "dxdispatch").iterdir()):
        for data in descriptions(wh.load(path)):
            write("desc", ".json", data)
    for name in TENSORS:
        array = np.arange(6).reshape(2, 3).astype(dtypes.find(name).numpy)
        for proto in (encode(array, name), _typed(name)):
            write("tensor", ".pb", proto.SerializeToString())
    write("tensor", ".pb", encode(np.array(["a", "", "déf"], object), "words").SerializeToString())


def _typed(name: str) -> TensorProto:
    """Return a tensor whose values stand in the field of its type."""
    return helper.make_tensor(name, type_number(dtypes.find(name)), [2, 2], [0, 1, 1, 0])


if __name__ == "__main__":
    main()
