"""What an opaque node of an IR keeps, so that a runtime, or a writer, can be given a part of the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from wherry.dialects.openvino.document import BODIES, Layer
from wherry.errors import UnsupportedError
from wherry.graph import Node


@dataclass(frozen=True)
class Source:
    """The layer as written, and the .bin file: `weights` returns the bytes that constants in its bodies lie in."""

    layer: Layer
    weights: Callable[[], NDArray[np.uint8]]


def source_of(node: Node) -> Source:
    """Return what an opaque node keeps. Raises UnsupportedError where that is not all of it."""
    source = getattr(node.operator, "source", None)
    if not isinstance(source, Source):
        raise UnsupportedError("the layer is not there as its file had it; load the model anew", node.subject)
    return source


def copy_of(source: Source, place: Callable[[bytes], int]) -> ElementTree.Element:
    """Return a layer as its file has it; `place` gives constants in its bodies a new offset."""
    element = source.layer.as_element()
    for body in element:
        for inner in body.iter("layer") if body.tag in BODIES else ():
            data = inner.find("data")
            if inner.get("type") == "Const" and data is not None:
                offset, size = int(data.get("offset", "0")), int(data.get("size", "0"))
                data.set("offset", str(place(source.weights()[offset : offset + size].tobytes())))
    return element
