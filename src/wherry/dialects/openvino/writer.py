"""write: a graph as an OpenVINO IR, version 11: an .xml file, and the constants in a .bin file beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_path
from wherry.dialects.openvino.model import OpenVINOModel
from wherry.dialects.openvino.packing import pack
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.say import PREFERRED, SUBJECT, say, type_of
from wherry.dialects.openvino.source import copy_of, source_of
from wherry.dialects.openvino.table import in_opset
from wherry.dialects.openvino.values import PartialShape, spell_names
from wherry.dialects.refusal import Fault, Refusal
from wherry.dialects.rows import FilledRow
from wherry.dtypes import DType
from wherry.errors import InvalidTypeError, InvalidValueError, UnsupportedError
from wherry.files import beside
from wherry.graph import Graph, Node, Opaque, free_name
from wherry.models.model import GraphModel
from wherry.ops import Constant
from wherry.rewrite.known import KnownNode
from wherry.rewrite.search import Search
from wherry.rewrite.table import FORMS
from wherry.tensors import TensorType

Array = NDArray[Any]

IR_VERSION = "11"

_XML_CHARACTERS = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def write(graph_or_model: Graph | GraphModel, path: str | Path) -> None:
    """Write a graph, or a model that is one, to `path` (.xml) and to the .bin file beside it; both appear at the end.

    Each operation gets the opset that introduced it; values such as an axis become constants; equal constants are
    stored once; layers of a file that wherry does not have are written as they stood there. An Identity becomes
    Identity-16. A Gather of any rule becomes Gather-8 where its indices are constants inside the axis.

    Raises UnsupportedError for what OpenVINO cannot express, naming the node and the rule (a Gather that raises, clamps
    or wraps, an element type it lacks), InvalidValueError for a path that does not end in .xml, or a name that XML
    cannot hold; no file is written then. Specification: OpenVINO IR format.
    """
    path = as_path("path", path)
    if path.suffix.lower() != ".xml":
        raise InvalidValueError(f"path ends in {path.suffix!r}, allowed '.xml'; the weights get '.bin'")
    for place in (path, path.with_suffix(".bin")):
        if place.is_dir():
            raise InvalidValueError(f"{place.name} is a folder, allowed a file; choose another path")
    graph = graph_or_model
    shapes: Mapping[str, PartialShape] = {}
    if isinstance(graph, GraphModel):
        if graph.defaults:
            raise UnsupportedError(
                f"inputs {', '.join(graph.defaults)} have values where none is given, which OpenVINO cannot express; "
                "write model.graph, whose inputs must all be given",
                SUBJECT,
            )
        shapes = graph.partial_shapes if isinstance(graph, OpenVINOModel) else {}
        graph = graph.graph
    if not isinstance(graph, Graph):
        raise InvalidTypeError(f"graph_or_model is a {type(graph).__name__}, allowed a Graph or a model that is one")
    writer = _Writer(graph, shapes)
    with errors.subject(SUBJECT):
        text = writer.text()
    _replace(path, text, writer.blobs.parts)


def to_text(graph: Graph) -> bytes:
    """Return the .xml file of a graph. Raises UnsupportedError as `write` does."""
    with errors.subject(SUBJECT):
        return _Writer(graph, {}).text()


def _replace(path: Path, text: bytes, parts: Sequence[bytes]) -> None:
    """Write both files beside their places, then move them there."""
    with beside(path) as xml, beside(path.with_suffix(".bin")) as weights:
        xml.write_bytes(text)
        with weights.open("wb") as file:
            file.writelines(parts)


@dataclass
class _Blobs:
    """The bytes of the .bin file; a blob that is there already is not stored again."""

    parts: list[bytes] = field(default_factory=list)
    end: int = 0
    _places: dict[bytes, int] = field(default_factory=dict)

    def place(self, blob: bytes) -> int:
        """Return the offset of a blob."""
        digest = hashlib.sha256(blob).digest()
        if digest not in self._places:
            self._places[digest] = self.end
            self.parts.append(blob)
            self.end += len(blob)
        return self._places[digest]


class _OpenVINO:
    """OpenVINO as the target of a search."""

    preferred: ClassVar[Mapping[str, object]] = PREFERRED

    def says(self, node: Node, known: KnownNode) -> bool:
        return not isinstance(say(node, known.types, known.values), Refusal)

    def lacks(self, tensor_type: TensorType) -> bool:
        return isinstance(type_of("", tensor_type), Fault)


class _Writer:
    """One writing: layers in the order of the graph, edges as their inputs are met."""

    def __init__(self, graph: Graph, shapes: Mapping[str, PartialShape]) -> None:
        self.graph = graph
        self.shapes = shapes
        self.blobs = _Blobs()
        self.search = Search(graph, _OpenVINO(), FORMS)
        self.types = self.search.tensors.types
        self.places: dict[str, tuple[str, str]] = {}
        self.net = ElementTree.Element("net", name=_checked(graph.name or "model"), version=IR_VERSION)
        self.layers = ElementTree.SubElement(self.net, "layers")
        self.edges = ElementTree.SubElement(self.net, "edges")

    def text(self) -> bytes:
        """Return the .xml file; the blobs then hold the .bin file."""
        for name in self.graph.inputs:
            self._parameter(name)
        for name, value in self.graph.constants.items():
            self._constant(name, value)
        for node in self.graph.nodes:
            if isinstance(node.operator, Constant):
                self._constant(node.outputs[0], node.operator.value)
            elif isinstance(node.operator, Opaque):
                self._opaque(node)
            else:
                self._nodes(node)
        for name in self.graph.outputs:
            self._layer(_row("Result"), free_name(f"{name}/result", self.types), {}, [name], [])
        ElementTree.SubElement(self.net, "rt_info")
        ElementTree.indent(self.net, "\t")
        return b'<?xml version="1.0"?>\n' + ElementTree.tostring(self.net) + b"\n"

    def _parameter(self, name: str) -> None:
        kind = self.types[name]
        attributes = {"shape": self.shapes.get(name, _partial_shape(kind)), "element_type": _known(kind, name)}
        self._layer(_row("Parameter"), name, attributes, [], [name])

    def _constant(self, name: str, value: Array, of_graph: bool = True) -> None:
        kind = self.types[name]
        dtype = _known(kind, name)
        # OpenVINO writes an empty constant as one zero byte, and so keeps offsets inside the file.
        blob = pack(dtype, value) or b"\0"
        attributes = {"element_type": dtype, "shape": kind.shape, "offset": self.blobs.place(blob), "size": len(blob)}
        self._layer(_row("Const"), name, attributes, [], [name], has_names=of_graph)

    def _nodes(self, node: Node) -> None:
        """Add the layers of a node: one, or those of another form of its operator that OpenVINO says."""
        found = self.search.nodes_for(node)
        if found is None:
            found = [node]
        for one in found:
            tensors = self.search.tensors
            said = say(one, [tensors.types[name] for name in one.inputs], [tensors.value(name) for name in one.inputs])
            if isinstance(said, Refusal):
                raise said.error()
            self._node(one, said)

    def _opaque(self, node: Node) -> None:
        """Add a layer as its file had it."""
        source, number = source_of(node), str(len(self.layers))
        element = copy_of(source, self.blobs.place)
        element.set("id", number)
        self.layers.append(element)
        for name, port in zip(node.inputs, source.layer.inputs, strict=True):
            self._edge(name, number, str(port.id))
        for name, port in zip(node.outputs, source.layer.outputs, strict=True):
            self.places[name] = (number, str(port.id))
        ports = element.find("output")
        for written, name in zip(() if ports is None else ports.iter("port"), node.outputs, strict=False):
            written.set("names", _checked(spell_names([name])))

    def _edge(self, name: str, number: str, port: str) -> None:
        """Lead a tensor to a port of a layer."""
        source, from_port = self.places[name]
        ends = {"from-layer": source, "from-port": from_port, "to-layer": number, "to-port": port}
        ElementTree.SubElement(self.edges, "edge", ends)

    def _node(self, node: Node, filled: FilledRow[OpenVINORow]) -> None:
        inputs = []
        for name, given in filled.inputs.items():
            if isinstance(given, str):
                if given in self.search.tensors.constants and given not in self.places:
                    self._constant(given, self.search.tensors.constants[given], of_graph=False)
                inputs.append(given)
            elif given is not None:
                inputs.append(self._value(f"{node.outputs[0]}/{name}", given))
        self._layer(filled.row, node.label, dict(filled.attributes), inputs, node.outputs)

    def _value(self, name: str, value: Array) -> str:
        name = free_name(name, self.types)
        self.types[name] = TensorType.of(value)
        self._constant(name, value, of_graph=False)
        return name

    def _layer(
        self,
        row: OpenVINORow,
        name: str,
        attributes: Mapping[str, Any],
        inputs: Sequence[str],
        outputs: Sequence[str],
        *,
        has_names: bool = True,
    ) -> None:
        """Add a layer with its ports, numbered through, and the edges that lead to it."""
        number = str(len(self.layers))
        layer = ElementTree.SubElement(
            self.layers, "layer", id=number, name=_checked(name), type=row.name, version=row.written
        )
        if row.attributes:
            texts = {
                one.name: one.kind.write(attributes[one.name]) for one in row.attributes if one.is_in_file(attributes)
            }
            ElementTree.SubElement(layer, "data", texts)
        for position, tensor in enumerate(inputs):
            self._port(layer, "input", position, tensor)
            self._edge(tensor, number, str(position))
        for position, tensor in enumerate(outputs, len(inputs)):
            element = self._port(layer, "output", position, tensor)
            if has_names:
                element.set("names", _checked(spell_names([tensor])))
            self.places[tensor] = (number, str(position))

    def _port(self, layer: ElementTree.Element, side: str, number: int, tensor: str) -> ElementTree.Element:
        kind, ports = self.types[tensor], layer.find(side)
        if ports is None:
            ports = ElementTree.SubElement(layer, side)
        precision = str(_known(kind, tensor).openvino_port)
        port = ElementTree.SubElement(ports, "port", id=str(number), precision=precision)
        for size in kind.sizes or ():
            ElementTree.SubElement(port, "dim").text = str(size if isinstance(size, int) else -1)
        return port


def _row(name: str) -> OpenVINORow:
    return in_opset(name, 1)


def _partial_shape(tensor_type: TensorType) -> PartialShape:
    if tensor_type.sizes is None:
        return None
    return tuple((size, size) if isinstance(size, int) else (0, None) for size in tensor_type.sizes)


def _known(tensor_type: TensorType, name: str) -> DType:
    dtype = type_of(name, tensor_type)
    if isinstance(dtype, Fault):
        raise Refusal((dtype,)).error()
    return dtype


def _checked(name: str) -> str:
    if not _XML_CHARACTERS.fullmatch(name):
        raise InvalidValueError(f"the name {name!r} has characters that XML cannot hold; rename the tensor")
    return name
