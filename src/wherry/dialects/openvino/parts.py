"""OpenVINOParts: layers of an IR as a model of their own."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.packing import pack
from wherry.dialects.openvino.say import type_of
from wherry.dialects.openvino.source import copy_of, source_of
from wherry.dialects.refusal import Fault, Refusal
from wherry.dtypes import DType
from wherry.errors import UnsupportedError
from wherry.graph import Graph, Node
from wherry.models.parts import PartFile, ValueType
from wherry.tensors import TensorType

Array = NDArray[Any]

_ALIGNMENT = 64
"""At what multiples of bytes constants begin, so that a runtime can read them in place."""


class OpenVINOParts:
    """Layers of one IR, of its version, as models."""

    runtime = "openvino"
    fixes_defaults = False

    def __init__(self, version: int) -> None:
        self._version = version

    def write(
        self,
        nodes: Sequence[Node],
        inputs: Mapping[str, ValueType],
        outputs: Sequence[str],
        constants: Mapping[str, Array],
        constant_types: Mapping[str, TensorType],
        apart: bool,
    ) -> PartFile:
        """Return the layers as an IR, whose .bin file is the one weight; tensors are named by numbers in it.

        Raises UnsupportedError for a constant or an input of an element type that OpenVINO does not have.
        """
        part = _Part(self._version)
        for name, kind in inputs.items():
            part.add_parameter(name, kind)
        for name, value in constants.items():
            part.add_constant(name, value, constant_types.get(name) or TensorType.of(value))
        for node in nodes:
            part.add_layer(node)
        names = part.names
        for name in outputs:
            part.add_result(name)
        weights = {"": np.frombuffer(part.weights, np.uint8)}
        return PartFile("openvino", ElementTree.tostring(part.net), tuple(inputs), tuple(outputs), weights, names)

    def branches(self, node: Node) -> tuple[Graph, Graph] | None:
        """Return None: what a body reads comes by ports, and is the runtime's."""
        return None

    def say(self, node: Node, types: Sequence[TensorType], taken: Container[str]) -> Sequence[Node]:
        """Return nothing: OpenVINO narrows some types, and its arithmetic may round otherwise than wherry's."""
        return ()


class _Part:
    """One IR in the making."""

    def __init__(self, version: int) -> None:
        self.net = ElementTree.Element("net", name="part", version=str(version))
        self.weights = bytearray()
        self.names: dict[str, str] = {}
        """The names that tensors have in the IR."""
        self._layers = ElementTree.SubElement(self.net, "layers")
        self._edges = ElementTree.SubElement(self.net, "edges")
        self._places: dict[str, tuple[str, str]] = {}

    def add_parameter(self, name: str, kind: ValueType) -> None:
        """Add an input."""
        if isinstance(kind, str):
            raise UnsupportedError(f"tensor {name!r} is of {kind}, allowed tensors in OpenVINO")
        sizes = kind.sizes
        shape = "..." if sizes is None else ",".join(str(size) if isinstance(size, int) else "?" for size in sizes)
        data = {"shape": shape, "element_type": str(_known(name, kind).openvino)}
        self._made(name, self._add("Parameter", data), kind)

    def add_constant(self, name: str, value: Array, kind: TensorType) -> None:
        """Add a constant."""
        blob = pack(_known(name, kind), value) or b"\0"
        data = {"shape": ",".join(map(str, value.shape)), "element_type": str(_known(name, kind).openvino)}
        layer = self._add("Const", {**data, "offset": str(self._place(blob)), "size": str(len(blob))})
        self._made(name, layer, kind)

    def add_layer(self, node: Node) -> None:
        """Add a layer as its file has it, under another id; constants in its bodies move with it."""
        source = source_of(node)
        layer, element = source.layer, copy_of(source, str(len(self._layers)), self._place)
        self._layers.append(element)
        for name, port in zip(node.inputs, layer.inputs, strict=True):
            self._connect(name, element, str(port.id))
        for name, port in zip(node.outputs, layer.outputs, strict=True):
            self._places[name] = (element.get("id", ""), str(port.id))
        ports = element.find("output")
        for written, name in zip(() if ports is None else ports.iter("port"), node.outputs, strict=False):
            written.set("names", self._name(name))

    def add_result(self, name: str) -> None:
        """Add an output."""
        layer = self._add("Result", {})
        ElementTree.SubElement(ElementTree.SubElement(layer, "input"), "port", id="0")
        self._connect(name, layer, "0")

    def _add(self, kind: str, data: Mapping[str, str]) -> ElementTree.Element:
        number = str(len(self._layers))
        layer = ElementTree.SubElement(self._layers, "layer", id=number, name=f"{kind} {number}", type=kind,
                                       version="opset1")  # fmt: skip
        if data:
            ElementTree.SubElement(layer, "data", dict(data))
        return layer

    def _made(self, name: str, layer: ElementTree.Element, kind: TensorType) -> None:
        """Give a layer its only output port."""
        precision = str(_known(name, kind).openvino_port)
        port = ElementTree.SubElement(
            ElementTree.SubElement(layer, "output"), "port", id="0", precision=precision, names=self._name(name)
        )
        for size in kind.sizes or ():
            ElementTree.SubElement(port, "dim").text = str(size if isinstance(size, int) else -1)
        self._places[name] = (layer.get("id", ""), "0")

    def _connect(self, name: str, layer: ElementTree.Element, port: str) -> None:
        source, from_port = self._places[name]
        ends = {"from-layer": source, "from-port": from_port, "to-layer": layer.get("id", ""), "to-port": port}
        ElementTree.SubElement(self._edges, "edge", ends)

    def _name(self, name: str) -> str:
        """Return a name that IRs can hold, whatever the tensor is called."""
        return self.names.setdefault(name, f"t{len(self.names)}")

    def _place(self, blob: bytes) -> int:
        """Return the offset of some bytes, which go to the end of the weights."""
        self.weights.extend(bytes(-len(self.weights) % _ALIGNMENT))
        offset = len(self.weights)
        self.weights.extend(blob)
        return offset


def _known(name: str, kind: TensorType) -> DType:
    dtype = type_of(name, kind)
    if isinstance(dtype, Fault):
        raise Refusal((dtype,)).error()
    return dtype
