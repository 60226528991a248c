"""The layers of an OpenVINO IR as models of one node each, to ask of each whether OpenVINO is known to differ there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import wherry as wh
from tests.differential.openvino_runtime import ours
from wherry import dtypes
from wherry.dialects.openvino.packing import unpack
from wherry.models.model import GraphModel
from wherry.runtimes.case import Case
from wherry.runtimes.differences import Difference, expected

_PRECISIONS = {"FP32": "f32", "FP16": "f16", "BF16": "bf16", "FP64": "f64", "BOOL": "boolean"}
"""What ports call an element type, where that is not its name in other letters."""


def known_difference(model: GraphModel, given: Mapping[str, np.ndarray], folder: Path) -> Difference | None:
    """Return the entry of a layer of a model as it is written, if OpenVINO is known to differ there."""
    wh.save(model, folder / "m.xml")
    cases = cases_of((folder / "m.xml").read_bytes(), (folder / "m.bin").read_bytes(), given, folder)
    return next((entry for case in cases if (entry := expected(case, "openvino"))), None)


Place = tuple[str, str]
"""A layer and its port."""


def cases_of(xml: bytes, weights: bytes, given: Mapping[str, np.ndarray], folder: Path) -> Iterator[Case]:
    """Yield each layer that computes, with the values that come to it where the model is run on `given`."""
    root = ElementTree.fromstring(xml)
    source = {
        (e.get("to-layer"), e.get("to-port")): (e.get("from-layer"), e.get("from-port")) for e in root.iter("edge")
    }
    # OpenVINO bounds what NonZero and its likes find, so that sizes unknown in the file may be known to it.
    inputs = root.iterfind("layers/layer[@type='Parameter']/data")
    is_dynamic = any("?" in data.get("shape", "") or "-1" in data.get("shape", "") for data in inputs)
    results = {source[layer.get("id"), "0"][0] for layer in root.iterfind("layers/layer[@type='Result']")}
    parameters = {layer.get("id") for layer in root.iterfind("layers/layer[@type='Parameter']")}
    values: dict[Place, np.ndarray] = {}
    constants: set[Place] = set()
    for layer in root.iter("layer"):
        name, kind = layer.get("id", ""), layer.get("type", "")
        outputs = [(name, port.get("id", "")) for port in layer.iterfind("output/port")]
        data = layer.find("data")
        attributes = {} if data is None else dict(data.attrib)
        if kind == "Parameter":
            values[outputs[0]] = given[layer.get("name", "")]
        elif kind == "Const":
            values[outputs[0]] = _constant(attributes, weights)
            constants.add(outputs[0])
        elif kind != "Result":
            ports = list(layer.iterfind("input/port"))
            places = [source[name, port.get("id")] for port in ports]
            case = Case(
                kind,
                int(layer.get("version", "").removeprefix("opset")),
                tuple(values[place] for place in places),
                attributes,
                kinds=tuple(_kind(port.get("precision", "")) for port in ports),
                constants=frozenset(number for number, place in enumerate(places) if place in constants),
                is_dynamic=is_dynamic,
                outputs=len(outputs),
                is_within=name not in results or (bool(places) and places[0][0] not in parameters),
            )
            yield case
            values.update(zip(outputs, map(np.asarray, ours(case, folder)), strict=True))


def _kind(precision: str) -> str:
    return _PRECISIONS.get(precision, precision.lower())


def _constant(attributes: Mapping[str, str], weights: bytes) -> np.ndarray:
    dtype = dtypes.by_spelling("openvino")[attributes["element_type"]]
    shape = tuple(int(size) for size in attributes["shape"].split(",") if size)
    start, size = int(attributes["offset"]), int(attributes["size"])
    return unpack(dtype, np.frombuffer(weights[start : start + size], np.uint8), shape)
