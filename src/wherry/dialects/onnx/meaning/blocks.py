"""What DepthToSpace, SpaceToDepth, ReverseSequence and Col2Im mean, by version."""

from __future__ import annotations

from typing import Any

from wherry.arguments import as_ints
from wherry.dialects.onnx.row import NOT_NEGATIVE, Limit, Meaning, Use
from wherry.errors import InvalidValueError
from wherry.graph import Deferred
from wherry.ops import ChannelOrder, Col2Im, DepthToSpace, Operator, ReverseSequence, SpaceToDepth

ORDERS = {"DCR": ChannelOrder.BLOCKS_FIRST, "CRD": ChannelOrder.DEPTH_FIRST}


def _blocks(use: Use) -> DepthToSpace | SpaceToDepth:
    operator = DepthToSpace if use.row.name == "DepthToSpace" else SpaceToDepth
    return operator(use.attributes["blocksize"], ORDERS[use.attributes.get("mode", "DCR")], 4)


def _reverse_sequence(use: Use) -> Operator | Deferred:
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


def _col2im(use: Use) -> Operator | Deferred:
    waiting = {"image_shape": "image_shape", "block_shape": "block_shape"}
    return use.deferred(column_blocks, waiting, Col2Im, **use.attributes)


_BLOCK = {"blocksize": Limit(minimum=1)}
_MODE = {"mode": Limit(allowed=tuple(ORDERS))}
_AXIS = Limit(allowed=(0, 1))

MEANINGS = {
    "DepthToSpace": (
        Meaning(1, "four axes; the place in the block is the slow part of a channel's number", _blocks, _BLOCK),
        Meaning(
            11,
            "adds mode: DCR as before, or CRD, the place in the block is the fast part",
            _blocks,
            _BLOCK | _MODE,
        ),
        Meaning(28, "becomes a function of Reshape and Transpose", _blocks, _BLOCK | _MODE),
    ),
    "SpaceToDepth": (
        Meaning(1, "four axes; the place in the block is the slow part of a channel's number", _blocks, _BLOCK),
        Meaning(28, "adds mode: DCR as before, or CRD", _blocks, _BLOCK | _MODE),
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
