"""OpenVINOParts: layers of an IR as a model of their own."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.part_document import PartDocument
from wherry.dialects.openvino.source import copy_of, source_of
from wherry.graph import Graph, Node
from wherry.models.parts import PartFile, ValueType
from wherry.tensors import TensorType

Array = NDArray[Any]


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
        part = PartDocument(self._version)
        for name, kind in inputs.items():
            part.add_parameter(name, kind)
        for name, value in constants.items():
            part.add_constant(name, value, constant_types.get(name) or TensorType.of(value))
        for node in nodes:
            source = source_of(node)
            part.add_layer(source.layer, copy_of(source, part.place), node.inputs, node.outputs)
        names = part.names
        for name in outputs:
            part.add_result(name)
        weights = {"": np.frombuffer(part.weights, np.uint8)}
        return PartFile("openvino", part.content(), tuple(inputs), tuple(outputs), weights, names)

    def branches(self, node: Node) -> tuple[Graph, Graph] | None:
        """Return None: what a body reads comes by ports, and is the runtime's."""
        return None

    def say(self, node: Node, types: Sequence[TensorType], taken: Container[str]) -> Sequence[Node]:
        """Return nothing: OpenVINO narrows some types, and its arithmetic may round otherwise than wherry's."""
        return ()
