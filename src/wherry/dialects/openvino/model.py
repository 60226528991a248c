"""OpenVINOModel: a graph read from an IR, whose inputs may have sizes within ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from wherry.dialects.openvino.values import PartialShape, spell_dimension
from wherry.errors import InvalidValueError
from wherry.graph import Graph
from wherry.models.model import GraphModel, Inputs
from wherry.models.parts import PartWriter


class OpenVINOModel(GraphModel):
    """A model read from an IR; `partial_shapes` are the shapes of its inputs as the file has them, ranges included."""

    def __init__(
        self, graph: Graph, partial_shapes: Mapping[str, PartialShape], parts: PartWriter | None = None
    ) -> None:
        self.partial_shapes = dict(partial_shapes)
        super().__init__(graph, "openvino", parts=parts)

    @property
    def _takes_all_sizes(self) -> bool:
        sizes = (size for shape in self.partial_shapes.values() for size in shape or ())
        return all(size == (0, None) or size[0] == size[1] for size in sizes)

    def _checked(self, inputs: Inputs | None) -> dict[str, NDArray[Any]]:
        """Return the inputs as plans take them, their sizes within the ranges."""
        arrays = super()._checked(inputs)
        for name, array in arrays.items():
            _check_ranges(name, self.partial_shapes[name], array.shape)
        return arrays


def _check_ranges(name: str, allowed: PartialShape, shape: tuple[int, ...]) -> None:
    """Refuse a size outside its range; another number of axes is refused with the type."""
    if allowed is None or len(allowed) != len(shape):
        return
    for axis, ((least, most), size) in enumerate(zip(allowed, shape, strict=True)):
        if size < least or (most is not None and size > most):
            raise InvalidValueError(
                f"input {name!r} has size {size} on axis {axis}, allowed {spell_dimension((least, most))}"
            )
