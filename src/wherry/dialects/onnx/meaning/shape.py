"""What Reshape, Squeeze, Unsqueeze, Flatten, Transpose, Expand and Tile mean, by version."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_int
from wherry.dialects.onnx.row import FLAG, FROM_FRONT, Meaning, Use
from wherry.errors import InvalidValueError, invalid
from wherry.graph import Deferred
from wherry.ops import Alignment, Empty, Expand, Flatten, Operator, Reshape, Squeeze, Tile, Transpose, Unsqueeze, Zero


def _reshape(use: Use) -> Operator | Deferred:
    zero = Zero.LITERAL if use.attributes.get("allowzero") else Zero.COPY
    if use.row.has_attribute("shape"):
        if use.attributes["shape"] is None:
            raise InvalidValueError("attribute 'shape' is missing, allowed one INTS; an empty one makes a scalar")
        return Reshape(use.attributes["shape"], zero)
    return use.deferred(Reshape, {"shape": "shape"}, zero=zero)


def _squeeze(use: Use) -> Operator | Deferred:
    if use.row.has_attribute("axes"):
        return Squeeze(use.attributes["axes"], empty=Empty.NONE)
    return use.deferred(Squeeze, {"axes": "axes"}, empty=Empty.NONE)


def _unsqueeze(use: Use) -> Operator | Deferred:
    if use.row.has_attribute("axes"):
        return Unsqueeze(use.attributes["axes"])
    return use.deferred(Unsqueeze, {"axes": "axes"})


def _flatten(use: Use) -> Flatten:
    return Flatten(use.attributes["axis"])


def _transpose(use: Use) -> Transpose:
    return Transpose(use.attributes["perm"])


def _expand(use: Use) -> Operator | Deferred:
    return use.deferred(Expand, {"shape": "shape"}, alignment=Alignment.TWO_WAY)


def tile_along(tiles: NDArray[Any], axis: NDArray[Any]) -> Tile:
    """Return the Tile of ONNX Tile-1, whose number of copies and axis come in the type of the data."""
    return Tile((_whole("tiles", tiles),), axis=_whole("axis", axis))


def _whole(field: str, value: NDArray[Any]) -> int:
    if np.size(value) == 1 and float(value.reshape(())) % 1 == 0:
        return int(value.reshape(()))
    if np.size(value) != 1:
        return as_int(field, value)
    raise invalid(field, value.reshape(())[()], "a whole number")


def _tile(use: Use) -> Operator | Deferred:
    if use.row.since == 1:
        return use.deferred(tile_along, {"tiles": "tiles", "axis": "axis"}, Tile)
    return use.deferred(Tile, {"repeats": "repeats"})


MEANINGS = {
    "Reshape": (
        Meaning(
            1,
            "one size may be -1, what remains; 0 copies the size of data; consumed_inputs, a legacy of optimizers, "
            "means nothing",
            _reshape,
        ),
        Meaning(5, "the shape becomes an input", _reshape),
        Meaning(14, "adds allowzero: with 1 a 0 is a size of 0, and excludes -1", _reshape, {"allowzero": FLAG}),
    ),
    "Squeeze": (
        Meaning(
            1,
            "the listed axes, which have size 1 and count from the front; without a list all of size 1, an empty list "
            "is none; an axis listed twice is refused",
            _squeeze,
            {"axes": FROM_FRONT},
        ),
        Meaning(11, "negative axes count from the end", _squeeze),
        Meaning(13, "the axes become an input", _squeeze),
    ),
    "Unsqueeze": (
        Meaning(
            1,
            "axes of size 1 at positions of the output, counted from the front, each once",
            _unsqueeze,
            {"axes": FROM_FRONT},
        ),
        Meaning(11, "negative axes count from the output's end", _unsqueeze),
        Meaning(13, "the axes become an input", _unsqueeze),
    ),
    "Flatten": (
        Meaning(1, "the axis is in 0..r; an empty product is 1", _flatten, {"axis": FROM_FRONT}),
        Meaning(11, "a negative axis counts from the end", _flatten),
    ),
    "Transpose": (
        Meaning(1, "perm names each axis once, counted from the front; without it the axes are reversed", _transpose),
    ),
    "Expand": (
        Meaning(8, "sizes of 1 repeat; a target of 1, or with fewer axes, gives way to data; -1 is refused", _expand),
    ),
    "Tile": (
        Meaning(1, "repeats along one axis; the number of copies and the axis come in the type of the data", _tile),
        Meaning(6, "one number of copies, 0 or more, for each axis of data", _tile),
    ),
}
