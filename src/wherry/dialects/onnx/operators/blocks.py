"""What DepthToSpace, SpaceToDepth, ReverseSequence and Col2Im mean by version, and how they are written as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wherry.arguments import as_ints
from wherry.dialects.onnx.as_node import AsNode, Fields, by_name, waits
from wherry.dialects.onnx.row import NOT_NEGATIVE, Limit, Meaning, OnnxRow, Use
from wherry.errors import InvalidValueError, UnsupportedError
from wherry.graph import Deferred
from wherry.ops import ChannelOrder, Col2Im, DepthToSpace, ReverseSequence, SpaceToDepth
from wherry.tensors import TensorType

ORDERS = {"DCR": ChannelOrder.BLOCKS_FIRST, "CRD": ChannelOrder.DEPTH_FIRST}


def _depth_to_space(use: Use) -> DepthToSpace:
    return DepthToSpace(*_block_fields(use))


def _space_to_depth(use: Use) -> SpaceToDepth:
    return SpaceToDepth(*_block_fields(use))


def _block_fields(use: Use) -> tuple[int, ChannelOrder, int]:
    return use.attributes["blocksize"], ORDERS[use.attributes.get("mode", "DCR")], 4


def _reverse_sequence(use: Use) -> ReverseSequence | Deferred:
    values = use.attributes
    return use.deferred(
        ReverseSequence,
        {"lengths": "sequence_lens"},
        time_axis=values["time_axis"],
        batch_axes=(values["batch_axis"],),
    )


def column_blocks(
    image_shape: Any, block_shape: Any, strides: Any = None, dilations: Any = None, pads: Any = None
) -> Col2Im:
    """Return ONNX Col2Im, whose image and block have two axes or more, and whose pads are one list."""
    image = as_ints("image_shape", image_shape)
    if len(image) < 2:
        raise InvalidValueError(f"image_shape has {len(image)} entries, allowed 2 and more")
    begins = ends = None
    if pads is not None:
        if len(pads) != 2 * len(image):
            raise InvalidValueError(
                f"pads has {len(pads)} entries, allowed {2 * len(image)}: all begins, then all ends"
            )
        begins, ends = pads[: len(image)], pads[len(image) :]
    return Col2Im(image, block_shape, strides, dilations, begins, ends)


def _col2im(use: Use) -> Col2Im | Deferred:
    waiting = {"image_shape": "image_shape", "block_shape": "block_shape"}
    return use.deferred(column_blocks, waiting, Col2Im, **use.attributes)


_BLOCK = {"blocksize": Limit(minimum=1)}
_MODE = {"mode": Limit(allowed=tuple(ORDERS))}
_AXIS = Limit(allowed=(0, 1))

MEANINGS = {
    "DepthToSpace": (
        Meaning(1, "four axes; the place in the block is the slow part of a channel's number", _depth_to_space, _BLOCK),
        Meaning(
            11,
            "adds mode: DCR as before, or CRD, the place in the block is the fast part",
            _depth_to_space,
            _BLOCK | _MODE,
        ),
        Meaning(28, "becomes a function of Reshape and Transpose", _depth_to_space, _BLOCK | _MODE),
    ),
    "SpaceToDepth": (
        Meaning(1, "four axes; the place in the block is the slow part of a channel's number", _space_to_depth, _BLOCK),
        Meaning(28, "adds mode: DCR as before, or CRD", _space_to_depth, _BLOCK | _MODE),
    ),
    "ReverseSequence": (
        Meaning(
            10,
            "batch and time are axes 0 and 1 in either order; a length lies in 0..size",
            _reverse_sequence,
            {"batch_axis": _AXIS, "time_axis": _AXIS},
        ),
    ),
    "Col2Im": (
        Meaning(
            18,
            "sums start from 0 and add the places in the window in ascending order, in the type of the data; strings, "
            "which the schema lists, cannot be added",
            _col2im,
            {"strides": Limit(minimum=1), "dilations": Limit(minimum=1), "pads": NOT_NEGATIVE},
        ),
    ),
}


def _blocks_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    """Return the operator; for data of four axes the rule about their number says nothing."""
    operator = DepthToSpace if row.name == "DepthToSpace" else SpaceToDepth
    words = {order: word for word, order in ORDERS.items()}
    values = {"blocksize": fields["block_size"], "mode": words[fields["order"]]}
    ndim = 4 if types[0].ndim == 4 else fields["ndim"]
    return AsNode(values, operator(fields["block_size"], fields["order"], ndim))


def _reverse_sequence_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
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
        return AsNode(values)
    values |= {"batch_axis": batch_axis % ndim, "time_axis": time_axis % ndim}
    same = ReverseSequence(fields["lengths"], time_axis % ndim, (batch_axis % ndim,), fields["too_long"])
    return AsNode(values, same)


def _col2im_to_node(fields: Fields, row: OnnxRow, types: Sequence[TensorType]) -> AsNode:
    names = ("image_shape", "block_shape", "strides", "dilations")
    pads = [*fields["begins"], *fields["ends"]]
    same = None
    if types[0].ndim == 3:
        same = Col2Im(*(fields[name] for name in (*names, "begins", "ends")))
    return AsNode({**{name: fields[name] for name in names}, "pads": pads}, same)


TO_NODES = {
    DepthToSpace: (("DepthToSpace", _blocks_to_node),),
    SpaceToDepth: (("SpaceToDepth", _blocks_to_node),),
    ReverseSequence: (("ReverseSequence", _reverse_sequence_to_node),),
    Col2Im: (("Col2Im", _col2im_to_node),),
    column_blocks: (("Col2Im", by_name("image_shape", "block_shape", "strides", "dilations", "pads")),),
}
