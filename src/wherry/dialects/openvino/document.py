"""The document of an IR: layers, ports and edges as plain data, checked against each other, not for their meaning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from wherry import errors
from wherry.dialects.openvino.values import DIGITS, SIZE, is_precision, names_of, spell_names
from wherry.errors import FileFormatError, UnsupportedError, cut, short
from wherry.faults import Faults

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VERSIONS = ("10", "11")

# What a file may hold beside layers and edges without influence on what its layers compute. `pre-process`, of old
# files, is not among them: it changes the inputs.
_HARMLESS_PARTS = frozenset({"rt_info", "meta_data", "quantization_parameters", "cli_parameters", "statistics"})

_PIECE = 2**16
"""The bytes of a file that are parsed at once."""

BODIES = ("body", "then_body", "else_body")
"""The parts of a layer that hold layers and edges of their own: of TensorIterator and Loop, and of If."""

Place = tuple[int, int]
"""The id of a layer, and the number of one of its inputs or outputs."""


class Port(NamedTuple):  # which is made in a third of the time: a large file has hundreds of thousands
    """One input or output of a layer: its id in the file, the tensor names that it gives, and its type as declared.

    `dims` are the sizes, -1 for an unknown one; none where the tensor is a scalar, or has an unknown number of axes.
    """

    id: int
    names: tuple[str, ...] = ()
    precision: str = ""
    dims: tuple[int, ...] = ()

    def attributes(self) -> dict[str, str]:
        """Return the attributes of the port's XML."""
        told = {"id": str(self.id), "precision": self.precision, "names": spell_names(self.names)}
        return {name: text for name, text in told.items() if text}


@dataclass(frozen=True)
class Layer:
    """One layer as written: `attributes` are those of `<data>`; `output_names` are those that a Result gives.

    `element` is the layer's XML, where it holds more than the other fields tell; `as_element` returns it in any case.
    """

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
    element: Element | None = field(default=None, compare=False, repr=False)

    def as_element(self) -> Element:
        """Return the layer's XML, the caller's own."""
        from xml.etree.ElementTree import Element, SubElement

        if self.element is not None:
            return deepcopy(self.element)
        head = {"id": str(self.id), "name": self.name, "type": self.type, "version": self.version}
        element = Element("layer", head)
        if self.attributes:
            SubElement(element, "data", dict(self.attributes))
        for side, ports in (("input", self.inputs), ("output", self.outputs)):
            part = SubElement(element, side) if ports else element
            for port in ports:
                written = SubElement(part, "port", port.attributes())
                for size in port.dims:
                    SubElement(written, "dim").text = str(size)
        return element

    def __str__(self) -> str:
        return f"layer {self.id} ({cut(self.type)} {short(self.name)})"


@dataclass(frozen=True)
class Document:
    """A model file: its version, the layers in the order of the file, and where the inputs of each come from.

    `sources` has a place for each input port of a layer, None where no edge leads to it.
    `faults` are those of layers and edges, which are left out then; the reader adds what it finds in the others.
    `doubtful` are layers that an edge or an id leaves open, `loose` those that are read by what was left out.
    """

    name: str
    version: int
    layers: Mapping[int, Layer]
    sources: Mapping[int, Sequence[Place | None]]
    faults: Faults
    doubtful: Collection[int]
    loose: Collection[int]

    def of_type(self, name: str) -> list[Layer]:
        """Return the layers of a type, which is in lower case, in the order of the file."""
        return self._by_type.get(name, [])

    @cached_property
    def _by_type(self) -> Mapping[str, list[Layer]]:
        by_type: dict[str, list[Layer]] = {}
        for layer in self.layers.values():
            by_type.setdefault(layer.type.lower(), []).append(layer)
        return by_type


def parse(source: Path | bytes) -> Document:
    """Return the document of an IR's .xml file, or of its bytes.

    Raises FileFormatError for what is no IR of version 10 or 11, damaged or hostile; the layers, ports and edges that
    are wrong are among the faults of the document.
    """
    with errors.subject(title_of(source)):
        return _document(_root(BytesIO(source) if isinstance(source, bytes) else source))


def title_of(source: Path | bytes) -> str:
    """Return who speaks in errors about a file."""
    return "OpenVINO IR" if isinstance(source, bytes) else f"OpenVINO IR {source.name}"


def _root(source: Path | BytesIO) -> Element:
    try:
        from defusedxml import DTDForbidden, EntitiesForbidden, ExternalReferenceForbidden
        from defusedxml.ElementTree import ParseError
    except ImportError:
        raise errors.missing("defusedxml", "openvino", "reading an OpenVINO IR") from None
    try:
        if isinstance(source, BytesIO):
            return _parsed(source)
        with source.open("rb") as file:
            return _parsed(file)
    except (DTDForbidden, EntitiesForbidden, ExternalReferenceForbidden):
        raise FileFormatError(
            "the file declares a document type or entities, allowed neither: an IR has none, and entities can grow "
            "without bound or read other files"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise FileFormatError(f"the file is no readable XML: {error}") from None


class _Guard:
    """The target of a parser that refuses what is hostile; that can stand only before the first element begins."""

    has_begun = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Note that an element begins."""
        self.has_begun = True

    def close(self) -> None:
        """Return nothing: the elements are built by the other parser."""


def _parsed(file: IO[bytes]) -> Element:
    """Return the root of a document. defusedxml, whose parser is Python, reads as far as the first element alone."""
    from xml.etree.ElementTree import XMLParser

    from defusedxml.ElementTree import DefusedXMLParser

    target, parser = _Guard(), XMLParser()
    guard = DefusedXMLParser(target=target, forbid_dtd=True)
    while piece := file.read(_PIECE):
        if not target.has_begun:
            guard.feed(piece)
        parser.feed(piece)
    root: Element = parser.close()
    return root


def bodies_of(layer: Layer, version: int) -> Iterator[tuple[str, Document]]:
    """Yield the bodies of a loop or a condition by their tags, each a document of its own. Raises as `parse` does."""
    for part in () if layer.element is None else layer.element:
        if part.tag in BODIES:
            yield part.tag, _inside(part, version, Faults())


def _document(root: Element) -> Document:
    if root.tag != "net":
        raise FileFormatError(f"the root element is {short(root.tag)}, allowed 'net'")
    faults = Faults()
    return _inside(root, faults.of(_version, root) or 0, faults)


def _inside(root: Element, version: int, faults: Faults) -> Document:
    """Return the document of the layers and edges that an element holds."""
    parts: dict[str, Element] = {}
    for part in root:
        if part.tag not in _HARMLESS_PARTS | {"layers", "edges"}:
            faults.add(UnsupportedError(
                f"the {root.tag} has a part {short(part.tag)}, which wherry does not read; convert the model anew"
            ))  # fmt: skip
        elif part.tag in parts and part.tag not in _HARMLESS_PARTS:
            faults.add(FileFormatError(f"the {root.tag} has two parts {part.tag!r}"))
        parts.setdefault(part.tag, part)
    if "layers" not in parts:
        faults.add(FileFormatError(f"the {root.tag} has no part 'layers'"))
    faults.check()
    reading = _Reading(faults, lets_go=root.tag == "net")  # a body stays, for a runtime
    reading.layers_of(parts["layers"])
    if "edges" in parts:
        reading.edges_of(parts["edges"])
    return Document(
        root.get("name", ""), version, reading.layers, reading.sources, faults, reading.doubtful, reading.loose
    )


def _version(root: Element) -> int:
    text = _text(root, "version", "the net")
    if text not in VERSIONS:
        raise FileFormatError(
            f"version of the net is {short(text)}, allowed {', '.join(VERSIONS)}; convert the model anew"
        )
    return int(text)


def _children(parent: Element, tag: str, faults: Faults) -> Iterator[Element]:
    for child in parent:
        if child.tag == tag:
            yield child
        else:
            faults.add(FileFormatError(f"{parent.tag} has a part {short(child.tag)}, allowed {tag!r}"))


def _text(element: Element, attribute: str, what: str | Callable[[], str]) -> str:
    """Return an attribute. `what` names the element in errors, or is a function that does."""
    text = element.get(attribute)
    if text is None:
        raise FileFormatError(f"{what if isinstance(what, str) else what()} has no attribute {attribute!r}")
    return text


def _number(element: Element, attribute: str, what: str | Callable[[Element], str]) -> int:
    """Return an attribute that is an id. `what` names the element in errors, or is a function that does."""
    text = element.get(attribute)
    if text is not None and len(text) < DIGITS and text.isascii() and text.isdigit():
        return int(text)
    title = what if isinstance(what, str) else what(element)
    text = _text(element, attribute, title)
    try:
        return SIZE.read(text)  # type: ignore[no-any-return]
    except (ValueError, OverflowError):
        raise FileFormatError(f"{title} has {attribute} {short(text)}, allowed {SIZE.words}") from None


_LAYER_ATTRIBUTES = frozenset({"id", "name", "type", "version"})
_RESULT_ATTRIBUTES = _LAYER_ATTRIBUTES | {"output_names"}
_TOLD_PARTS = frozenset({"data", "input", "output"})
"""The parts that a Layer tells in full."""
_LAYER_PARTS = _TOLD_PARTS | {"rt_info"}


class _Reading:
    """Layers, then the edges between them; what is wrong is collected, and what depends on it is not told."""

    def __init__(self, faults: Faults, lets_go: bool) -> None:
        """Make a reading; with `lets_go`, elements are emptied when they are read: most of the memory of a file."""
        self.faults = faults
        self._lets_go = lets_go
        self.layers: dict[int, Layer] = {}
        self.sources: dict[int, list[Place | None]] = {}
        self.doubtful: set[int] = set()
        self.loose: dict[int, None] = {}
        self._unread: set[int] = set()
        self._all_have_ids = True

    def layers_of(self, part: Element) -> None:
        for element in _children(part, "layer", self.faults):
            number = self.faults.of(_number, element, "id", "a layer")
            if number is None:
                self._all_have_ids = False
                continue
            layer = self.faults.of(_layer, element, number)
            if layer is None:
                self._unread.add(number)
            elif number in self.layers:
                self._all_have_ids = False
                self.doubtful.add(number)
                self.faults.add(FileFormatError(f"{layer} has the id of {self.layers[number]}; ids are unique"))
            else:
                self.layers[number] = layer
                if self._lets_go and layer.element is None:
                    element.clear()

    def edges_of(self, part: Element) -> None:
        self.sources = {layer.id: [None] * len(layer.inputs) for layer in self.layers.values()}
        ends = {side: _Ends(self.layers.values(), side) for side in ("from", "to")}
        for edge in _children(part, "edge", self.faults):
            source, target = (ends[side].of(edge) or self.faults.of(self._end, edge, ends[side]) for side in ends)
            if source is None or target is None:
                if source is not None:
                    self.loose[source[0]] = None
                continue
            layer, number = target
            if self.sources[layer][number] is not None:
                self.doubtful.add(layer)
                self.faults.add(FileFormatError(
                    f"{_edge_title(edge)} is the second that leads to input {number} of {self.layers[layer]}; "
                    "an input has one source"
                ))  # fmt: skip
            self.sources[layer][number] = source

    def _end(self, edge: Element, ends: _Ends) -> Place | None:
        """Return the layer and the number of the port where an edge begins or ends; None where neither was read."""
        side = ends.side
        layer = _number(edge, f"{side}-layer", _edge_title)
        port = _number(edge, f"{side}-port", _edge_title)
        if layer in self._unread:
            return None
        if layer not in self.layers:
            if self._all_have_ids:
                raise FileFormatError(f"{_edge_title(edge)} has {side}-layer {layer}, which is no layer")
            return None
        place = ends.places.get((str(layer), str(port)))
        if place is None:
            self.doubtful.add(layer)
            direction = "output" if side == "from" else "input"
            raise FileFormatError(
                f"{_edge_title(edge)} has {side}-port {port}, which is no {direction} port of {self.layers[layer]}"
            )
        return place


class _Ends:
    """The places where edges begin, or end, by what edges call them: the ids of a layer and of a port, in digits."""

    def __init__(self, layers: Iterable[Layer], side: str) -> None:
        self.side = side
        self._names = f"{side}-layer", f"{side}-port"
        self.places: dict[tuple[str | None, str | None], Place] = {}
        for layer in layers:
            own = str(layer.id)
            for number, port in enumerate(layer.outputs if side == "from" else layer.inputs):
                self.places[own, str(port.id)] = layer.id, number

    def of(self, edge: Element) -> Place | None:
        """Return the place that an edge names as most files do, without signs or zeros before a number."""
        layer, port = self._names
        return self.places.get((edge.get(layer), edge.get(port)))


def _edge_title(edge: Element) -> str:
    """Return an edge as `edge 3.1 to 4.0`: the ids of layers and ports as the file has them."""
    names = ("from-layer", "from-port", "to-layer", "to-port")
    ends = [cut(edge.get(name, "?")) for name in names]
    return f"edge {ends[0]}.{ends[1]} to {ends[2]}.{ends[3]}"


def _layer_title(element: Element, number: int) -> str:
    """Return what is known of a layer before it is read: `layer 3 (Gather 'g')`."""
    kind, name = element.get("type"), element.get("name")
    known = " ".join([cut(kind or "")] * (kind is not None) + [short(name)] * (name is not None))
    return f"layer {number} ({known})" if known else f"layer {number}"


def _layer(element: Element, number: int) -> Layer:
    what = partial(_layer_title, element, number)
    faults = Faults()
    name, kind, version = (element.get(attribute) for attribute in ("name", "type", "version"))
    if element.attrib.keys() != _LAYER_ATTRIBUTES:
        _check_attributes(element, what, faults)
    parts = [part.tag for part in element]
    for part in _TOLD_PARTS:
        if parts.count(part) > 1:
            faults.add(FileFormatError(f"{what()} has two parts {part!r}"))
    inputs, outputs = _ports(element, "input", what, faults), _ports(element, "output", what, faults)
    faults.check()
    data = element.find("data")
    return Layer(
        number,
        name or "",
        kind or "",
        version or "",
        {} if data is None else dict(data.attrib),
        inputs,
        outputs,
        names_of(element.get("output_names", "")),
        not _LAYER_PARTS.issuperset(parts),
        None if _TOLD_PARTS.issuperset(parts) else element,
    )


def _check_attributes(element: Element, what: Callable[[], str], faults: Faults) -> None:
    for attribute in ("name", "type", "version"):
        faults.of(_text, element, attribute, what)
    allowed = _RESULT_ATTRIBUTES if element.get("type", "").lower() == "result" else _LAYER_ATTRIBUTES
    for attribute in element.attrib:
        if attribute not in allowed:
            faults.add(FileFormatError(f"{what()} has an unknown attribute {short(attribute)}"))


def _ports(element: Element, side: str, what: Callable[[], str], faults: Faults) -> tuple[Port, ...]:
    ports: dict[int, Port] = {}
    for part in element:
        for port in _children(part, "port", faults) if part.tag == side else ():
            number = faults.of(_number, port, "id", lambda _: f"an {side} port of {what()}")
            if number is None:
                continue
            if number in ports:
                faults.add(FileFormatError(f"{what()} has two {side} ports with the id {number}"))
            precision, texts = port.get("precision", ""), tuple([size.text or "" for size in port.iter("dim")])
            dims = _numbers(texts)
            if None in dims or not (is_precision(precision) or port.get("precision") is None):
                _check_type(precision, texts, lambda: f"{side} port {number} of {what()}", faults)  # noqa: B023 (called at once)
            ports[number] = Port(number, names_of(port.get("names", "")), precision, cast(tuple[int, ...], dims))
    return tuple(ports.values())


def _check_type(precision: str, texts: Sequence[str], what: Callable[[], str], faults: Faults) -> None:
    """Refuse words that no writer writes; precision and sizes are inferred again where wherry has the operation."""
    if precision and not is_precision(precision):
        faults.add(FileFormatError(f"{what()} has precision {short(precision)}, which is no element type"))
    for text, number in zip(texts, _numbers(texts), strict=True):
        if number is None:
            faults.add(FileFormatError(f"{what()} has a dim {short(text.strip())}, allowed -1 (unknown), 0 and more"))


@lru_cache(1024)
def _numbers(texts: tuple[str, ...]) -> tuple[int | None, ...]:
    """Return the sizes that texts say, None for one that says none; large models repeat a few."""
    return tuple(int(text) if _is_size(text.strip()) else None for text in texts)


def _is_size(text: str) -> bool:
    return text == "-1" or (text.isascii() and text.isdigit() and len(text) <= DIGITS)
