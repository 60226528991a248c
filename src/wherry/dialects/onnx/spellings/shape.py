"""How Reshape, Squeeze, Unsqueeze, Flatten, Transpose, Expand and Tile are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.meaning.shape import tile_along
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
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


def _spell_reshape(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Reshape; without a 0 or a -1 the rules for them say nothing."""
    shape, literal = fields["shape"], fields.get("zero", Zero.COPY) == Zero.LITERAL
    if waits(fields):
        return Spelling({"shape": shape, "allowzero": literal})
    same = Reshape(
        shape,
        Zero.LITERAL if literal and 0 in shape else Zero.COPY,
        Undetermined.REFUSE if -1 not in shape else fields["undetermined"],
    )
    return Spelling({"shape": shape, "allowzero": literal and 0 in shape}, same)


def _spell_squeeze(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Squeeze with its axes; where a rule is not ONNX's, with those that go from data of the known sizes."""
    axes = fields.get("axes")
    if waits(fields):
        return Spelling({"axes": axes})
    own, same = Squeeze(**fields), Squeeze(axes, empty=Empty.NONE)
    if axes is None or (not axes and own.empty is Empty.ALL):
        same = Squeeze(None, empty=Empty.NONE)
    elif own != same and types[0].is_known and own.result(types[0].shape) is not None:
        sizes = types[0].shape
        gone = dict.fromkeys(axis % len(sizes) for axis in axes if sizes[axis] == 1)
        same = same if own == Squeeze(axes) else Squeeze(tuple(gone), empty=Empty.NONE)
    elif own != Squeeze(axes):
        same = Squeeze(axes, Empty.NONE, own.other_sizes, own.repeated)  # which the reading back then refuses
    return Spelling({"axes": same.axes}, same)


def _spell_unsqueeze(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Unsqueeze; of an axis that is listed twice, where the rank is known, with the axis listed once."""
    axes = fields["axes"]
    if waits(fields) or types[0].sizes is None or Unsqueeze(**fields) == Unsqueeze(axes):
        return Spelling({"axes": axes})
    ndim = len(Unsqueeze(**fields).result(types[0].sizes))
    same = Unsqueeze(tuple(dict.fromkeys(axis % ndim for axis in axes)))
    return Spelling({"axes": same.axes}, same)


def _spell_transpose(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    if waits(fields):
        return Spelling({"perm": fields["perm"]})
    perm = None if fields["perm"] == () and fields["empty"] == EmptyOrder.REVERSE else fields["perm"]
    return Spelling({"perm": perm}, Transpose(perm))


def _spell_expand(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Expand; where the target does not give way, only if it need not for data of the known sizes."""
    shape, data = fields["shape"], types[0]
    if waits(fields) or fields["alignment"] == Alignment.TWO_WAY:
        return Spelling({"shape": shape})
    own, same = Expand(**fields), Expand(shape)
    agree = data.is_known and own.places(len(data.shape)) == tuple(range(len(shape) - len(data.shape), len(shape)))
    return Spelling({"shape": shape}, same if agree and same.infer([data]) == own.infer([data]) else None)


def _spell_tile(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return Tile by all axes; along one axis, or with another rule, as data of the known rank has it."""
    repeats = fields["repeats"]
    if waits(fields):
        return Spelling({"repeats": repeats})
    own = Tile(**fields)
    if row.since == 1:
        return Spelling({"tiles": repeats[0] if len(repeats) == 1 else None, "axis": own.axis})
    if types[0].sizes is None or (own.axis is None and len(repeats) > len(types[0].sizes)):
        return Spelling({"repeats": repeats})
    same = Tile(own.aligned(types[0].sizes)[1])
    return Spelling({"repeats": same.repeats}, same)


SPELLINGS = {
    Reshape: (("Reshape", _spell_reshape),),
    Squeeze: (("Squeeze", _spell_squeeze),),
    Unsqueeze: (("Unsqueeze", _spell_unsqueeze),),
    Flatten: (("Flatten", by_name("axis")),),
    Transpose: (("Transpose", _spell_transpose),),
    Expand: (("Expand", _spell_expand),),
    Tile: (("Tile", _spell_tile),),
    tile_along: (("Tile", by_name("tiles", "axis")),),
}
