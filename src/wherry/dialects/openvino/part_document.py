"""PartDocument: an IR in the making, of layers that stand in another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from numpy.typing import NDArray

from wherry.dialects.openvino.document import Layer
from wherry.dialects.openvino.packing import pack
from wherry.dialects.openvino.say import type_of
from wherry.dialects.openvino.values import spell_names
from wherry.dialects.refusal import Fault, Refusal
from wherry.dtypes import DType
from wherry.errors import UnsupportedError
from wherry.models.parts import ValueType
from wherry.tensors import TensorType

Array = NDArray[Any]

_ALIGNMENT = 64
"""At what multiples of bytes constants begin, so that a runtime can read them in place."""


class PartDocument:
    """One IR in the making: layers as their file has them, and the inputs and outputs that they need.

    Tensors are called by numbers in it, whatever their names are; or, with `keeps_names`, by their names. A variable
    that is read is written back as it was: OpenVINO refuses one that nothing assigns.
    """

    def __init__(self, version: int, keeps_names: bool = False) -> None:
        self._net = ElementTree.Element("net", name="part", version=str(version))
        self.weights = bytearray()
        self.names: dict[str, str] = {}
        """The names that tensors have in the IR."""
        self._layers = ElementTree.SubElement(self._net, "layers")
        self._edges = ElementTree.SubElement(self._net, "edges")
        self._places: dict[str, tuple[str, str]] = {}
        self._keeps_names = keeps_names

    def content(self) -> bytes:
        """Return the .xml file."""
        return ElementTree.tostring(self._net)

    def add_parameter(self, name: str, kind: ValueType) -> None:
        """Add an input. Raises UnsupportedError for an element type that OpenVINO does not have."""
        if isinstance(kind, str):
            raise UnsupportedError(f"tensor {name!r} is of {kind}, allowed tensors in OpenVINO")
        sizes = kind.sizes
        shape = "..." if sizes is None else ",".join(str(size) if isinstance(size, int) else "?" for size in sizes)
        data = {"shape": shape, "element_type": str(_known(name, kind).openvino)}
        self._made(name, self._add("Parameter", data), kind)

    def add_constant(self, name: str, value: Array, kind: TensorType) -> None:
        """Add a constant. Raises UnsupportedError for an element type that OpenVINO does not have."""
        blob = pack(_known(name, kind), value) or b"\0"
        data = {"shape": ",".join(map(str, value.shape)), "element_type": str(_known(name, kind).openvino)}
        layer = self._add("Const", {**data, "offset": str(self.place(blob)), "size": str(len(blob))})
        self._made(name, layer, kind)

    def add_layer(
        self, layer: Layer, element: ElementTree.Element, inputs: Sequence[str], outputs: Sequence[str]
    ) -> None:
        """Add a layer with its XML, of which its id and the names of its outputs change."""
        element.set("id", str(len(self._layers)))
        self._layers.append(element)
        for name, port in zip(inputs, layer.inputs, strict=True):
            self._connect(name, element, str(port.id))
        for name, port in zip(outputs, layer.outputs, strict=True):
            self._places[name] = (element.get("id", ""), str(port.id))
        ports = element.find("output")
        for written, name in zip(() if ports is None else ports.iter("port"), outputs, strict=False):
            written.set("names", self._name(name))
        if layer.type.lower() == "readvalue":
            self._assign(layer, outputs[0])

    def _assign(self, read: Layer, value: str) -> None:
        """Write the value of a variable to it."""
        layer = self._add("Assign", read.attributes)
        layer.set("version", read.version)
        ElementTree.SubElement(ElementTree.SubElement(layer, "input"), "port", id="0")
        self._connect(value, layer, "0")

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
        """Return what a tensor is called in the file."""
        return spell_names([name]) if self._keeps_names else self.names.setdefault(name, f"t{len(self.names)}")

    def place(self, blob: bytes) -> int:
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
