"""What Reshape, Squeeze, Unsqueeze, Flatten, Transpose, Expand and Tile mean, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherry.arguments import as_int
from wherry.dialects.onnx.as_node import AsNode, Fields, by_name, waits
from wherry.dialects.onnx.row import FLAG, FROM_FRONT, Meaning, OnnxRow, Use
from wherry.errors import InvalidValueError, invalid
from wherry.graph import Deferred
from wherry.ops import (
    Alignment,
    Empty,
    EmptyOrder,
    Expand,
    Flatten,
    Reshape,
    Squeeze,
    Tile,
    Transpose,
    Undetermined,
    Unsqueeze,
    Zero,
)
from wherry.tensors import TensorType


def _reshape(use: Use) -> Reshape | Deferred:
    zero = Zero.LITERAL if use.attributes.get("allowzero") else Zero.COPY
    if use.row.has_attribute("shape"):
        if use.attributes["shape"] is None:
            raise InvalidValueError("attribute 'shape' is missing, allowed one INTS; an empty one makes a scalar")
        return Reshape(use.attributes["shape"], zero)
    return use.deferred(Reshape, {"shape": "shape"}, zero=zero)


def _squeeze(use: Use) -> Squeeze | Deferred:
    if use.row.has_attribute("axes"):
        return Squeeze(use.attributes["axes"], empty=Empty.NONE)
    return use.deferred(Squeeze, {"axes": "axes"}, empty=Empty.NONE)


def _unsqueeze(use: Use) -> Unsqueeze | Deferred:
    if use.row.has_attribute("axes"):
        return Unsqueeze(use.attributes["axes"])
    return use.deferred(Unsqueeze, {"axes": "axes"})


def _flatten(use: Use) -> Flatten:
    return Flatten(use.attributes["axis"])


def _transpose(use: Use) -> Transpose:
    return Transpose(use.attributes["perm"])


def _expand(use: Use) -> Expand | Deferred:
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


def _tile(use: Use) -> Tile | Deferred:
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


def _reshape_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Reshape; without a 0 or a -1 the rules for them say nothing."""
    shape, literal = fields["shape"], fields.get("zero", Zero.COPY) == Zero.LITERAL
    if waits(fields):
        return AsNode({"shape": shape, "allowzero": literal})
    same = Reshape(
        shape,
        Zero.LITERAL if literal and 0 in shape else Zero.COPY,
        Undetermined.REFUSE if -1 not in shape else fields["undetermined"],
    )
    return AsNode({"shape": shape, "allowzero": literal and 0 in shape}, same)


def _squeeze_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Squeeze with its axes; where a rule is not ONNX's, with those that go from data of the known sizes."""
    axes = fields.get("axes")
    if waits(fields):
        return AsNode({"axes": axes})
    own, same = Squeeze(**fields), Squeeze(axes, empty=Empty.NONE)
    if axes is None or (not axes and own.empty is Empty.ALL):
        same = Squeeze(None, empty=Empty.NONE)
    elif own != same and types[0].is_known and own.result(types[0].shape) is not None:
        sizes = types[0].shape
        gone = dict.fromkeys(axis % len(sizes) for axis in axes if sizes[axis] == 1)
        same = same if own == Squeeze(axes) else Squeeze(tuple(gone), empty=Empty.NONE)
    elif own != Squeeze(axes):
        same = Squeeze(axes, Empty.NONE, own.other_sizes, own.repeated)  # which the reading back then refuses
    return AsNode({"axes": same.axes}, same)


def _unsqueeze_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Unsqueeze; of an axis that is listed twice, where the rank is known, with the axis listed once."""
    axes = fields["axes"]
    if waits(fields) or types[0].sizes is None or Unsqueeze(**fields) == Unsqueeze(axes):
        return AsNode({"axes": axes})
    ndim = len(Unsqueeze(**fields).result(types[0].sizes))
    same = Unsqueeze(tuple(dict.fromkeys(axis % ndim for axis in axes)))
    return AsNode({"axes": same.axes}, same)


def _transpose_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    if waits(fields):
        return AsNode({"perm": fields["perm"]})
    perm = None if fields["perm"] == () and fields["empty"] == EmptyOrder.REVERSE else fields["perm"]
    return AsNode({"perm": perm}, Transpose(perm))


def _expand_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Expand; where the target does not give way, only if it need not for data of the known sizes."""
    shape, data = fields["shape"], types[0]
    if waits(fields) or fields["alignment"] == Alignment.TWO_WAY:
        return AsNode({"shape": shape})
    own, same = Expand(**fields), Expand(shape)
    agree = data.is_known and own.places(len(data.shape)) == tuple(range(len(shape) - len(data.shape), len(shape)))
    return AsNode({"shape": shape}, same if agree and same.infer([data]) == own.infer([data]) else None)


def _tile_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return Tile by all axes; along one axis, or with another rule, as data of the known rank has it."""
    repeats = fields["repeats"]
    if waits(fields):
        return AsNode({"repeats": repeats})
    own = Tile(**fields)
    if row.since == 1:
        return AsNode({"tiles": repeats[0] if len(repeats) == 1 else None, "axis": own.axis})
    if types[0].sizes is None or (own.axis is None and len(repeats) > len(types[0].sizes)):
        return AsNode({"repeats": repeats})
    same = Tile(own.aligned(types[0].sizes)[1])
    return AsNode({"repeats": same.repeats}, same)


TO_NODES = {
    Reshape: (("Reshape", _reshape_to_node),),
    Squeeze: (("Squeeze", _squeeze_to_node),),
    Unsqueeze: (("Unsqueeze", _unsqueeze_to_node),),
    Flatten: (("Flatten", by_name("axis")),),
    Transpose: (("Transpose", _transpose_to_node),),
    Expand: (("Expand", _expand_to_node),),
    Tile: (("Tile", _tile_to_node),),
    tile_along: (("Tile", by_name("tiles", "axis")),),
}
