"""OpenVINOSubmodels: layers of an IR as models of their own; constants stay in the .bin file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from wherry.dialects.openvino.document import Layer
from wherry.dialects.openvino.part_document import PartDocument
from wherry.dialects.openvino.reader import read, read_layers
from wherry.dialects.openvino.values import declared_type
from wherry.models.model import Model
from wherry.portability.submodels import NOTHING, Array, Part, Submodels
from wherry.tensors import TensorType


class OpenVINOPart(Part):
    """Layers of an IR as a model of their own."""

    def __init__(self, content: bytes, inputs: Iterable[str], outputs: Iterable[str], weights: Path | None) -> None:
        self.content = content
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.weights = weights

    def write(self, path: Path) -> None:
        """Write the .xml file."""
        path.write_bytes(self.content)

    def load(self) -> Model:
        """Return the model, read."""
        return read(self.content, self.weights)


class OpenVINOSubmodels(Submodels):
    """Models of layers as the file has them; Parameters, constants and Results are none of them.

    What is written to variables for the next run belongs to no part: no result depends on it.
    """

    suffix = ".xml"

    def __init__(self, source: Path | bytes) -> None:
        document, order, self._names = read_layers(source)
        beside = None if isinstance(source, bytes) else source.with_suffix(".bin")
        self._weights = beside if beside is not None and beside.is_file() else None
        self._document = document
        self._nodes = [layer for layer in order if _kind(layer) not in ("parameter", "const", "result", "assign")]
        self._parameters = {self._made(layer)[0]: layer for layer in document.of_type("parameter")}
        self._constants = {self._made(layer)[0]: layer for layer in order if _kind(layer) == "const"}
        super().__init__(
            [tuple(dict.fromkeys(self._read(layer))) for layer in self._nodes],
            [self._made(layer) for layer in self._nodes],
            dict.fromkeys(name for layer in document.of_type("result") for name in self._read(layer)),
        )

    def _read(self, layer: Layer) -> tuple[str, ...]:
        """Return the tensors that a layer reads, one for each of its inputs."""
        return tuple(self._names[place] for place in self._document.sources[layer.id] if place is not None)

    def _made(self, layer: Layer) -> tuple[str, ...]:
        return tuple(self._names.get((layer.id, number), "") for number in range(len(layer.outputs)))

    def name(self, place: int) -> str:
        """See Submodels."""
        return self._nodes[place].name or next(iter(self._makes[place]), "")

    def operator(self, place: int) -> str:
        """See Submodels."""
        layer = self._nodes[place]
        return f"{layer.type} of {layer.version}"

    def is_constant(self, place: int) -> bool:
        """See Submodels: constants are no nodes."""
        return False

    def reduces(self, place: int) -> bool:
        """See Submodels."""
        return self._nodes[place].attributes.get("reduction", "none") != "none"

    def part(self, end: int, start: int = 0, given: Mapping[str, Array] = NOTHING) -> OpenVINOPart:
        """See Submodels."""
        return self._model(range(start, end), given, self.outputs(end, start))

    def fed(self, place: int) -> tuple[str, ...]:
        """See Submodels."""
        return tuple(name for name in self._reads[place] if name not in self._constants)

    def alone(self, place: int, given: Mapping[str, Array]) -> OpenVINOPart:
        """See Submodels."""
        return self._model((place,), given, self._makes[place])

    def _model(self, places: Sequence[int], given: Mapping[str, Array], outputs: Sequence[str]) -> OpenVINOPart:
        part, nodes = PartDocument(self._document.version, keeps_names=True), [self._nodes[place] for place in places]
        own = {name for place in places for name in self._makes[place]}
        needed = dict.fromkeys((*self._needed(nodes), *outputs))
        fed = [name for name in needed if name not in own and name not in self._constants]
        for name in needed:
            layer = self._parameters.get(name) or self._constants.get(name)
            if layer is not None:
                part.add_layer(layer, layer.as_element(), (), (name,))
            elif name not in own:
                part.add_parameter(name, self._type(name, given[name]))
        for layer in nodes:
            part.add_layer(layer, layer.as_element(), self._read(layer), self._made(layer))
        for name in outputs:
            part.add_result(name)
        return OpenVINOPart(part.content(), fed, outputs, self._weights)

    def _needed(self, layers: Iterable[Layer]) -> Iterator[str]:
        for layer in layers:
            yield from self._read(layer)

    def _type(self, name: str, array: Array) -> TensorType:
        """Return the type of a tensor: as its port declares it, where it has as many axes as the array."""
        place = self._maker[name]
        port = self._nodes[place].outputs[self._makes[place].index(name)]
        declared, held = declared_type(port.precision, port.dims), TensorType.of(array)
        sizes = declared.sizes if declared.sizes is not None and len(declared.sizes) == array.ndim else None
        return TensorType(held.dtype, [None] * array.ndim if sizes is None else sizes)


def _kind(layer: Layer) -> str:
    return layer.type.lower()
