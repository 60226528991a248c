"""The document of an IR: layers, ports and edges as plain data, checked against each other, not for their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wherry import errors
from wherry.dialects.openvino.values import SIZE, is_precision, names_of
from wherry.errors import FileFormatError, UnsupportedError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VERSIONS = ("10", "11")

# What a file may hold beside layers and edges without influence on what its layers compute. `pre-process`, of old
# files, is not among them: it changes the inputs.
_HARMLESS_PARTS = frozenset({"rt_info", "meta_data", "quantization_parameters", "cli_parameters", "statistics"})

Place = tuple[int, int]
"""The id of a layer, and the number of one of its inputs or outputs."""


@dataclass(frozen=True)
class Port:
    """One input or output of a layer: its id in the file, and the tensor names that it gives."""

    id: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """One layer as written: `attributes` are those of `<data>`; `output_names` are those that a Result gives."""

    id: int
    name: str
    type: str
    version: str
    attributes: Mapping[str, str]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    output_names: tuple[str, ...] = ()
    has_parts: bool = False
    """Whether it holds more than data and ports: the body of a loop or a condition."""

    def __str__(self) -> str:
        return f"layer {self.id} ({self.type} {self.name!r})"


@dataclass(frozen=True)
class Document:
    """A model file: its version, the layers in the order of the file, and where each input comes from."""

    name: str
    version: int
    layers: Mapping[int, Layer]
    sources: Mapping[Place, Place]

    def of_type(self, name: str) -> list[Layer]:
        """Return the layers of a type, in the order of the file."""
        return [layer for layer in self.layers.values() if layer.type.lower() == name]


def parse(path: Path) -> Document:
    """Return the document of an IR's .xml file.

    Raises FileFormatError for what is no IR of version 10 or 11, damaged, hostile, or contradicts itself.
    """
    with errors.subject(f"OpenVINO IR {path.name}"):
        return _document(_root(path))


def _root(path: Path) -> Element:
    try:
        from defusedxml import DTDForbidden, EntitiesForbidden, ExternalReferenceForbidden
        from defusedxml.ElementTree import ParseError, parse
    except ImportError:
        raise errors.missing("defusedxml", "openvino", "reading an OpenVINO IR") from None
    try:
        root: Element | None = parse(path, forbid_dtd=True).getroot()
    except (DTDForbidden, EntitiesForbidden, ExternalReferenceForbidden):
        raise FileFormatError(
            "the file declares a document type or entities, allowed neither: an IR has none, and entities can grow "
            "without bound or read other files"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise FileFormatError(f"the file is no readable XML: {error}") from None
    if root is None:
        raise FileFormatError("the file is no readable XML: it has no element")
    return root


def _document(root: Element) -> Document:
    if root.tag != "net":
        raise FileFormatError(f"the root element is {root.tag!r}, allowed 'net'")
    version = root.get("version")
    if version not in VERSIONS:
        raise FileFormatError(
            f"version of the net is {version!r}, allowed {', '.join(VERSIONS)}; convert the model anew"
        )
    parts: dict[str, Element] = {}
    for part in root:
        if part.tag not in _HARMLESS_PARTS | {"layers", "edges"}:
            raise UnsupportedError(
                f"the net has a part {part.tag!r}, which wherry does not read; convert the model anew"
            )
        if part.tag in parts and part.tag not in _HARMLESS_PARTS:
            raise FileFormatError(f"the net has two parts {part.tag!r}")
        parts[part.tag] = part
    if "layers" not in parts:
        raise FileFormatError("the net has no part 'layers'")
    layers: dict[int, Layer] = {}
    for element in _children(parts["layers"], "layer"):
        layer = _layer(element)
        if layer.id in layers:
            raise FileFormatError(f"{layer} has the id of {layers[layer.id]}; ids are unique")
        layers[layer.id] = layer
    edges = _children(parts["edges"], "edge") if "edges" in parts else iter(())
    return Document(root.get("name", ""), int(version), layers, _sources(edges, layers))


def _children(parent: Element, tag: str) -> Iterator[Element]:
    for child in parent:
        if child.tag != tag:
            raise FileFormatError(f"{parent.tag} has a part {child.tag!r}, allowed {tag!r}")
        yield child


def _text(element: Element, attribute: str, what: str) -> str:
    text = element.get(attribute)
    if text is None:
        raise FileFormatError(f"{what} has no attribute {attribute!r}")
    return text


def _number(element: Element, attribute: str, what: str) -> int:
    text = _text(element, attribute, what)
    try:
        return SIZE.read(text)  # type: ignore[no-any-return]
    except (ValueError, OverflowError):
        raise FileFormatError(f"{what} has {attribute} {text!r}, allowed {SIZE.words}") from None


_LAYER_ATTRIBUTES = frozenset({"id", "name", "type", "version"})
_LAYER_PARTS = frozenset({"data", "input", "output", "rt_info"})


def _layer(element: Element) -> Layer:
    number = _number(element, "id", "a layer")
    what = f"layer {number}"
    name, kind, version = (_text(element, attribute, what) for attribute in ("name", "type", "version"))
    allowed = _LAYER_ATTRIBUTES | ({"output_names"} if kind.lower() == "result" else set())
    for attribute in element.attrib:
        if attribute not in allowed:
            raise FileFormatError(f"{what} ({kind} {name!r}) has an unknown attribute {attribute!r}")
    for part in ("data", "input", "output"):
        if len(element.findall(part)) > 1:
            raise FileFormatError(f"{what} ({kind} {name!r}) has two parts {part!r}")
    data = element.find("data")
    return Layer(
        number,
        name,
        kind,
        version,
        {} if data is None else dict(data.attrib),
        _ports(element, "input", what),
        _ports(element, "output", what),
        names_of(element.get("output_names", "")),
        any(part.tag not in _LAYER_PARTS for part in element),
    )


def _ports(element: Element, side: str, what: str) -> tuple[Port, ...]:
    ports: list[Port] = []
    for part in element.findall(side):
        for port in _children(part, "port"):
            number = _number(port, "id", f"an {side} port of {what}")
            if any(number == other.id for other in ports):
                raise FileFormatError(f"{what} has two {side} ports with the id {number}")
            _check_port(port, f"{side} port {number} of {what}")
            ports.append(Port(number, names_of(port.get("names", ""))))
    return tuple(ports)


def _check_port(port: Element, what: str) -> None:
    """Refuse words that no writer writes; precision and sizes themselves are inferred again, never trusted."""
    precision = port.get("precision")
    if precision is not None and not is_precision(precision):
        raise FileFormatError(f"{what} has precision {precision!r}, which is no element type")
    for size in port.iter("dim"):
        text = (size.text or "").strip()
        if text != "-1" and not (text.isascii() and text.isdigit()):
            raise FileFormatError(f"{what} has a dim {text!r}, allowed -1 (unknown), 0 and more")


def _sources(edges: Iterator[Element], layers: Mapping[int, Layer]) -> dict[Place, Place]:
    sources: dict[Place, Place] = {}
    numbers = {
        side: {
            (layer.id, port.id): number
            for layer in layers.values()
            for number, port in enumerate(layer.outputs if side == "from" else layer.inputs)
        }
        for side in ("from", "to")
    }
    for edge in edges:
        source, target = (_end(edge, side, layers, numbers[side]) for side in ("from", "to"))
        if target in sources:
            raise FileFormatError(
                f"two edges lead to input {target[1]} of {layers[target[0]]}; an input has one source"
            )
        sources[target] = source
    return sources


def _end(edge: Element, side: str, layers: Mapping[int, Layer], numbers: Mapping[Any, int]) -> Place:
    layer = _number(edge, f"{side}-layer", "an edge")
    port = _number(edge, f"{side}-port", "an edge")
    if layer not in layers:
        raise FileFormatError(f"an edge has {side}-layer {layer}, which is no layer")
    if (layer, port) not in numbers:
        direction = "output" if side == "from" else "input"
        raise FileFormatError(f"an edge has {side}-port {port}, which is no {direction} port of {layers[layer]}")
    return layer, numbers[layer, port]
