"""How DepthToSpace, SpaceToDepth, ReverseSequence and Col2Im are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence

from wherry.dialects.onnx.meaning.blocks import ORDERS, column_blocks
from wherry.dialects.onnx.row import OnnxRow
from wherry.dialects.onnx.spelling import Fields, Spelling, by_name, waits
from wherry.errors import UnsupportedError
from wherry.ops import Col2Im, DepthToSpace, ReverseSequence, SpaceToDepth
from wherry.tensors import TensorType


def _spell_blocks(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    """Return the operator; for data of four axes the rule about their number says nothing."""
    operator = DepthToSpace if row.name == "DepthToSpace" else SpaceToDepth
    words = {order: word for word, order in ORDERS.items()}
    values = {"blocksize": fields["block_size"], "mode": words[fields["order"]]}
    ndim = 4 if types[0].ndim == 4 else fields["ndim"]
    return Spelling(values, operator(fields["block_size"], fields["order"], ndim))


def _spell_reverse_sequence(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    axes = fields.get("batch_axes", ReverseSequence.batch_axes)
    time_axis = fields.get("time_axis", ReverseSequence.time_axis)
    if axes is None or len(axes) != 1:
        told = "all axes but the time axis" if axes is None else list(axes)
        raise UnsupportedError(
            f"batch_axes is {told}, allowed one axis: {row.name}-{row.since} has lengths along axis 0 or 1 only"
        )
    ndim, batch_axis = types[0].ndim, axes[0]
    values = {"sequence_lens": fields["lengths"], "batch_axis": batch_axis, "time_axis": time_axis}
    if waits(fields) or ndim is None or min(time_axis, batch_axis) >= 0:
        return Spelling(values)
    values |= {"batch_axis": batch_axis % ndim, "time_axis": time_axis % ndim}
    same = ReverseSequence(fields["lengths"], time_axis % ndim, (batch_axis % ndim,), fields["too_long"])
    return Spelling(values, same)


def _spell_col2im(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> Spelling:
    names = ("image_shape", "block_shape", "strides", "dilations")
    pads = [*fields["begins"], *fields["ends"]]
    same = None
    if types[0].ndim == 3:
        same = Col2Im(*(fields[name] for name in (*names, "begins", "ends")))
    return Spelling({**{name: fields[name] for name in names}, "pads": pads}, same)


SPELLINGS = {
    DepthToSpace: (("DepthToSpace", _spell_blocks),),
    SpaceToDepth: (("SpaceToDepth", _spell_blocks),),
    ReverseSequence: (("ReverseSequence", _spell_reverse_sequence),),
    Col2Im: (("Col2Im", _spell_col2im),),
    column_blocks: (("Col2Im", by_name("image_shape", "block_shape", "strides", "dilations", "pads")),),
}
