"""read: an OpenVINO IR, version 10 or 11 (.xml with its .bin), to a Model."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherry import errors
from wherry.arguments import as_path
from wherry.arrays.mapped import map_file
from wherry.dialects.openvino.document import Document, Layer, Place, bodies_of, parse, title_of
from wherry.dialects.openvino.model import OpenVINOModel
from wherry.dialects.openvino.packing import nbytes_of, unpack
from wherry.dialects.openvino.parts import OpenVINOParts
from wherry.dialects.openvino.row import OpenVINORow
from wherry.dialects.openvino.source import Source
from wherry.dialects.openvino.table import of_layer
from wherry.dialects.openvino.values import PartialShape, declared_type, kind_of
from wherry.dtypes import UNKNOWN, DType
from wherry.errors import FileFormatError, UnsupportedError, WherryError, cut, short
from wherry.faults import Faults
from wherry.graph import Deferred, Graph, GraphBuilder, Opaque
from wherry.limits import check_bytes, check_nested, check_values
from wherry.ops import Identity
from wherry.tensors import TensorType

Bytes = NDArray[np.uint8]

_FRAME = ("parameter", "const", "result")
"""Layers without which a file cannot be read."""

_KEPT = 1000
"""The attributes of so many kinds of nodes are kept for others like them."""

_STRING_BYTES = 64
"""What a short string takes in memory, with its place in an array of them."""


def read(path: str | Path | bytes, weights: str | Path | bytes | None = None) -> OpenVINOModel:
    """Read an IR, an .xml file or its bytes; constants come from `weights`, a file or its bytes, otherwise from the
    .bin file beside the .xml.

    Inputs are the Parameters in the order of the file, outputs the Results. Each has the first of its tensor names,
    otherwise the name of its layer; a name that is taken gets `_1`, `_2` ... Files of version 10 keep the element types
    that they state (OpenVINO's runtime converts their inputs and outputs to others, for old applications).

    Operations that wherry does not have are kept as opaque nodes, with the types that their ports declare; a model
    without them runs. The bodies of TensorIterator, Loop and If are read too; a layer in them that is wrong is opaque,
    since it may never run.

    Raises FileFormatError for a file that is damaged, hostile or contradicts itself, what the operations refuse,
    ResourceLimitError beyond the limits in force, MissingDependencyError without defusedxml, FileNotFoundError. The
    error tells all that is wrong, as far as it can be read. Specification: OpenVINO IR format.
    """
    source = path if isinstance(path, bytes) else as_path("path", path)
    document = parse(source)
    with errors.subject(title_of(source)):
        return _Reader(document, _Weights(source, weights)).read()


class LayersRead(NamedTuple):
    """The layers of an IR in an order that runs, and the names of the tensors that they make."""

    document: Document
    order: Sequence[Layer]
    names: Mapping[Place, str]


def read_layers(source: Path | bytes) -> LayersRead:
    """Read an IR for its layers; tensors are called as in what `read` returns. Raises as `read` does."""
    document = parse(source)
    with errors.subject(title_of(source)):
        reader = _Reader(document, _Weights(source, None))
        reader.graph()
        return LayersRead(document, reader.order, reader.names)


class _Weights:
    """The .bin file, read once, where there are constants."""

    def __init__(self, xml: Path | bytes, given: str | Path | bytes | None) -> None:
        self._xml = xml
        self._given = given
        self._bytes: Bytes | None = None
        self._unpacked = 0

    def open(self) -> Bytes:
        """Read the file, once. Raises FileFormatError where there is none, or none that the model may read."""
        if self._bytes is None:
            self._bytes = self._read()
            self._bytes.flags.writeable = False  # those of a caller too: the constants share them
        return self._bytes

    def part(self, offset: int, size: int) -> Bytes:
        """Return the bytes that a constant names. Raises FileFormatError where they are not all there."""
        held = self.open()
        if offset + size > len(held):
            raise FileFormatError(
                f"offset {offset} and size {size} reach past the end of the weights, {len(held)} bytes"
            )
        return held[offset : offset + size]

    def claim(self, dtype: DType, shape: Sequence[int]) -> None:
        """Count the memory that a constant takes beside its bytes in the file, which many constants may share."""
        if dtype.is_string or dtype.bits < 8:
            self._unpacked += math.prod(shape) * (_STRING_BYTES if dtype.is_string else 1)
            check_bytes(self._unpacked, "the constants of strings and of less than a byte", self.open().nbytes)

    def _read(self) -> Bytes:
        if isinstance(self._given, (bytes, bytearray, memoryview)):
            return np.frombuffer(self._given, np.uint8)
        path = self._beside() if self._given is None else as_path("weights", self._given)
        size = path.stat().st_size
        if not path.is_file():
            raise FileFormatError(f"the weights {path.name} are no file, allowed a regular file")
        check_bytes(size, f"the weights {path.name}", size)
        with path.open("rb") as file:
            return map_file(file, size)

    def _beside(self) -> Path:
        if isinstance(self._xml, bytes):
            raise FileFormatError("the model has constants, but its bytes have no .bin file beside them; give them as "
                                  "wherry.openvino.read(xml, weights)")  # fmt: skip
        path = self._xml.with_suffix(".bin")
        try:
            if not path.is_file():
                raise FileFormatError(
                    f"the model has constants, but there is no file {path.name} beside it; give weights"
                )
            real, folders = path.resolve(), (self._xml.parent.resolve(), self._xml.resolve().parent)
        except (OSError, RuntimeError) as error:  # links in a circle, a name that is too long
            raise FileFormatError(f"the weights {path.name} cannot be found: {error}") from None
        if real.parent not in folders:
            raise FileFormatError(f"{path.name} leads out of the folder of the model; give weights to read it anyway")
        return path


class _Reader:
    """One reading: rows for layers, names for tensors, then nodes in an order that runs."""

    def __init__(self, document: Document, weights: _Weights, depth: int = 0) -> None:
        self.document = document
        self.weights = weights
        self.depth = depth
        self.builder = GraphBuilder(document.name)
        self.rows: dict[int, OpenVINORow] = {}
        self.opaque: dict[int, str] = {}
        """Why a layer is opaque, by its id; nothing where wherry does not have the operation."""
        self.names: dict[Place, str] = {}
        self.taken: dict[str, int] = {}
        self.partial_shapes: dict[str, PartialShape] = {}
        self.faults = document.faults
        self.is_whole = not document.faults
        self.broken: set[int] = set(document.doubtful)
        """Layers that are not read, as something about them was refused; what they make is unknown."""
        self.order: Sequence[Layer] = ()
        """The layers that the outputs are made of, sources first."""
        self._alike: dict[tuple[object, ...], Mapping[str, Any]] = {}

    def read(self) -> OpenVINOModel:
        model = OpenVINOModel(self.graph(), self.partial_shapes, OpenVINOParts(self.document.version))
        model.about = {"version": f"version {self.document.version}"}
        return model

    def graph(self) -> Graph:
        """Return the graph of the document."""
        results = self.document.of_type("result")
        if not results and self.is_whole and not self.depth:
            raise FileFormatError("the model has no Result, so it computes nothing")
        loose = [self.document.layers[number] for number in self.document.loose]
        order = self.faults.of(self._order, [*results, *self.document.of_type("assign"), *loose])
        if order is None:
            self.faults.check()
            raise TypeError("unreachable: what has no order has a fault")
        self.order = order
        parameters = self.document.of_type("parameter")
        self._find_rows([*parameters, *order])
        for layer in order:
            self._check_inputs(layer)
        for layer in parameters:
            self._try(self._parameter, layer)
        outputs, aliases = self._name_outputs(results)
        constants = [layer.id for layer in order if layer.id in self.rows and self.rows[layer.id].name == "Const"]
        if constants and self.faults.of(self.weights.open) is None:
            self.broken.update(constants)
        for layer in order:
            if self.broken and not self.broken.isdisjoint((layer.id, *self._source_layers(layer))):
                self.broken.add(layer.id)
            elif layer.id in self.opaque:
                self._try(self._keep, layer)
            elif self.rows[layer.id].build is not None:
                self._try(self._node, layer)
            elif self.rows[layer.id].name == "Const":
                self._try(self._constant, layer)
        self.faults.check()
        for name, source, layer in aliases:
            own = "" if layer.name == name else layer.name
            self.builder.add(Identity(), [source], [name], self.rows[layer.id].subject(layer.name), own)
        return self.builder.build(outputs)

    def _try(self, read: Callable[[Layer, str], object], layer: Layer) -> None:
        """Read a layer that is not broken, of a subject; keep the error that this raises, which then tells its id."""
        if layer.id in self.broken:
            return
        row = self.rows.get(layer.id)
        subject = _opaque_subject(layer) if row is None else row.subject(layer.name)
        try:
            with errors.subject(subject, errors.NOTHING_RENAMED if row is None else row.field_names):
                read(layer, subject)
        except WherryError as error:
            may_be_opaque = layer.id not in self.opaque and row is not None and row.build is not None
            if may_be_opaque and (self.depth or isinstance(error, UnsupportedError)):
                self.opaque[layer.id] = error.message
                self._try(self._keep, layer)
                return
            if error.subject == subject:
                error.subject = f"{error.subject} (layer {layer.id})"
            self.faults.add(error)
            self.broken.add(layer.id)

    def _order(self, ends: Iterable[Layer]) -> list[Layer]:
        """Return the layers that the ends are made of, sources first, otherwise in the order of the file."""
        layers = self.document.layers
        readers: dict[int, list[int]] = {end.id: [] for end in ends}
        waiting: dict[int, int] = {}
        unseen = list(readers)
        while unseen:
            number = unseen.pop()
            sources = set(self._source_layers(layers[number]))
            waiting[number] = len(sources)
            for source in sources:
                if source not in readers:
                    readers[source] = []
                    unseen.append(source)
                readers[source].append(number)
        position = {number: place for place, number in enumerate(layers)}
        ready = [(position[number], number) for number, count in waiting.items() if count == 0]
        heapify(ready)
        order = []
        while ready:
            _, number = heappop(ready)
            order.append(layers[number])
            for reader in readers[number]:
                waiting[reader] -= 1
                if waiting[reader] == 0:
                    heappush(ready, (position[reader], reader))
        if len(order) < len(waiting):
            circle = ", ".join(map(str, self._circle(waiting)))
            raise FileFormatError(f"layers read each other in a circle: {cut(circle)}")
        return order

    def _circle(self, waiting: Mapping[int, int]) -> list[int]:
        """Return the layers of one circle, each read by the next."""
        number = next(number for number, count in waiting.items() if count)
        path: dict[int, None] = {}
        while number not in path:
            path[number] = None
            number = next(source for source in self._source_layers(self.document.layers[number]) if waiting[source])
        places = list(path)
        return places[places.index(number) :][::-1]

    def _source_layers(self, layer: Layer) -> list[int]:
        return [place[0] for place in self.document.sources.get(layer.id, ()) if place is not None]

    def _find_rows(self, layers: Iterable[Layer]) -> None:
        for layer in layers:
            try:
                self.rows[layer.id] = of_layer(layer.type, layer.version)
            except UnsupportedError as error:
                if layer.type.lower() in _FRAME:
                    self._refuse(layer, f"{layer} is {error.message}")
                self.opaque[layer.id] = error.message.removeprefix(_opaque_name(layer)).removeprefix(", ")
            else:
                if layer.has_parts:
                    self._refuse(layer, f"{layer} has parts beside data, input, output and rt_info")

    def _check_inputs(self, layer: Layer) -> None:
        for port, source in zip(layer.inputs, self.document.sources[layer.id], strict=True):
            if source is not None:
                continue
            self.broken.add(layer.id)
            if self.is_whole:  # otherwise its edge may be among those that are wrong
                self._refuse(layer, f"input port {port.id} of {layer} has no edge; every input has a source")

    def _refuse(self, layer: Layer, message: str) -> None:
        self.faults.add(FileFormatError(message))
        self.broken.add(layer.id)

    def _claim(self, name: str) -> str:
        """Return the name, or, where another tensor has it, the first of `name_1`, `name_2` ... that is free.

        `taken` has the last number that was tried for a name: many equal names then take linear time.
        """
        free = name
        while free in self.taken:
            self.taken[name] += 1
            free = f"{name}_{self.taken[name]}"
        self.taken[free] = 0
        return free

    def _parameter(self, layer: Layer, _: str) -> None:
        attributes = self._attributes(layer, 1)
        name = self.names[layer.id, 0] = self._claim(self._wanted_name((layer.id, 0)))
        self.partial_shapes[name] = attributes["shape"]
        self.builder.add_input(name, kind_of(attributes["element_type"], attributes["shape"]))

    def _attributes(self, layer: Layer, outputs: int) -> dict[str, Any]:
        """Return the attributes of a layer that is no operator; all that is wrong about it is raised at once."""
        row = self.rows[layer.id]
        if len(layer.inputs) == len(row.inputs) and len(layer.outputs) == outputs:
            return row.parse(layer.attributes)
        faults = Faults()
        attributes = faults.of(row.parse, layer.attributes)
        faults.of(row.input_names, len(layer.inputs))
        faults.of(self._check_output_count, layer, outputs, at_least=outputs)
        faults.check()
        return attributes or {}

    @staticmethod
    def _check_output_count(layer: Layer, count: int, at_least: int = 0) -> None:
        if not at_least <= len(layer.outputs) <= count:
            raise FileFormatError(f"outputs has {len(layer.outputs)} ports, allowed {count}")

    def _wanted_name(self, place: Place) -> str:
        layer = self.document.layers[place[0]]
        port = layer.outputs[place[1]]
        if port.names:
            return port.names[0]
        return layer.name if len(layer.outputs) == 1 else f"{layer.name}.{place[1]}"

    def _name_outputs(self, results: list[Layer]) -> tuple[list[str], list[tuple[str, str, Layer]]]:
        """Name the tensors that Results read; return the names, and those that need a copy of a named tensor.

        A tensor that is an input, or that another Result names, keeps that name. In a body nothing needs a copy.
        """
        outputs: dict[str, None] = {}
        aliases = []
        for layer in results:
            self._try(lambda layer, _: self._attributes(layer, 0), layer)
            if layer.id in self.broken:
                continue
            (source,) = self._sources(layer)
            if self.depth:
                outputs[self._name_of(source)] = None
                continue
            own = layer.output_names[0] if layer.output_names and self.document.version > 10 else None
            name = self.names.get(source)
            if name is None:
                name = self.names[source] = self._claim(own or self._wanted_name(source))
            elif name in outputs or own not in (None, name):
                alias = self._claim(layer.name if own in (None, name) else own)
                aliases.append((alias, name, layer))
                name = alias
            outputs[name] = None
        return list(outputs), aliases

    def _name_of(self, place: Place) -> str:
        if place not in self.names:
            self.names[place] = self._claim(self._wanted_name(place))
        return self.names[place]

    def _sources(self, layer: Layer) -> list[Place]:
        """Return where the inputs of a layer come from, which is not broken: each has a source."""
        return [place for place in self.document.sources[layer.id] if place is not None]

    def _constant(self, layer: Layer, _: str) -> None:
        attributes = self._attributes(layer, 1)
        dtype, shape, size = attributes["element_type"], attributes["shape"], attributes["size"]
        needed = nbytes_of(dtype, shape)
        if size < needed:
            raise FileFormatError(f"size is {size}, allowed {needed} and more for {dtype}{list(shape)}")
        part = self.weights.part(attributes["offset"], size)
        self.weights.claim(dtype, shape)
        self.builder.add_constant(self._name_of((layer.id, 0)), unpack(dtype, part, shape), TensorType(dtype, shape))

    def _keep(self, layer: Layer, subject: str) -> None:
        """Add a layer as an opaque node, with the types that its ports declare and the graphs of its bodies."""
        types = tuple(declared_type(port.precision, port.dims) for port in layer.outputs)
        name, why = cut(_opaque_name(layer)), cut(self.opaque[layer.id])
        source = Source(layer, self.weights.open)
        operator = Opaque(name, types, _content(layer), why, tuple(self._bodies(layer)), source)
        inputs = [self._name_of(place) for place in self._sources(layer)]
        outputs = [self._name_of((layer.id, number)) for number in range(len(layer.outputs))]
        own = "" if outputs and layer.name == outputs[0] else layer.name
        self.builder.add(operator, inputs, outputs, subject, own)

    def _bodies(self, layer: Layer) -> Iterator[tuple[str, Graph]]:
        """Yield the graphs of a layer's bodies, which see nothing around them: what they read comes by ports."""
        for tag, document in bodies_of(layer, self.document.version):
            check_nested(self.depth + 1, f"{layer} has a {tag} that")
            yield tag, _Reader(document, self.weights, self.depth + 1).graph()

    def _node(self, layer: Layer, subject: str) -> None:
        row = self.rows[layer.id]
        sources = [self._name_of(place) for place in self._sources(layer)]
        kinds = [self.builder.types[name] for name in sources]
        attributes = self._checked(row, layer.attributes, kinds)
        operator, moved = row.operator(
            attributes, kinds, lambda number: self.builder.value_of(sources[number]), len(layer.outputs)
        )
        inputs = [sources[number] for number in moved]
        count = operator.output_count if isinstance(operator, Deferred) else None
        if count is None and any(kind.dtype is UNKNOWN for kind in kinds):
            count = len(layer.outputs)
        made = None
        if count is None:
            made = operator.infer([self.builder.types[name] for name in inputs])
            count = len(made)
        check_values(count, "the outputs")
        self._check_output_count(layer, count)
        outputs = [self._name_of((layer.id, number)) for number in range(len(layer.outputs))]
        outputs += [self._claim(f"{layer.name}.{number}") for number in range(len(outputs), count)]
        # A node without a name is written with that of its first output.
        own = "" if outputs and layer.name == outputs[0] else layer.name
        self.builder.add(operator, inputs, outputs, subject, own, made)

    def _checked(self, row: OpenVINORow, texts: Mapping[str, str], kinds: Sequence[TensorType]) -> Mapping[str, Any]:
        """Return the attributes of a node whose attributes and inputs are as its row has them; raise all that is wrong.

        Layers of a large model repeat each other: what was found of some is kept.
        """
        key = (row.name, row.since, *texts.items(), *kinds)
        if key in self._alike:
            return self._alike[key]
        faults = Faults()
        attributes = faults.of(row.parse, texts)
        faults.of(row.check, kinds)
        faults.check()
        if len(self._alike) < _KEPT:
            self._alike[key] = attributes or {}
        return attributes or {}


def _opaque_name(layer: Layer) -> str:
    return f"{layer.type} of {layer.version}"


def _opaque_subject(layer: Layer) -> str:
    return f"OpenVINO {cut(_opaque_name(layer))} {short(layer.name)}"


def _content(layer: Layer) -> str:
    """Return a digest of what a layer holds beside its id, its name and its ports."""
    found = hashlib.sha256(repr(sorted(layer.attributes.items())).encode())
    for part in () if layer.element is None else layer.element:
        if part.tag not in ("data", "input", "output", "rt_info"):
            for element in part.iter():
                found.update(repr((element.tag, sorted(element.items()), (element.text or "").strip())).encode())
    return found.hexdigest()
