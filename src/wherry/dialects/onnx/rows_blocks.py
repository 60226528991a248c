"""The rows of DepthToSpace, SpaceToDepth, ReverseSequence and Col2Im."""

from __future__ import annotations

from typing import Any

from wherry.arguments import as_ints
from wherry.dialects.onnx.row import Attribute, Kind, OnnxRow, Parameter, Use
from wherry.dialects.onnx.types import ALL_1, ALL_13, LENGTHS, TypeSet
from wherry.errors import InvalidValueError
from wherry.graph import Deferred
from wherry.ops import ChannelOrder, Col2Im, DepthToSpace, Operator, ReverseSequence, SpaceToDepth

_INT64 = "tensor(int64)"
ORDERS = {"DCR": ChannelOrder.BLOCKS_FIRST, "CRD": ChannelOrder.DEPTH_FIRST}


def _blocks(use: Use) -> DepthToSpace | SpaceToDepth:
    operator = DepthToSpace if use.row.name == "DepthToSpace" else SpaceToDepth
    return operator(use.attributes["blocksize"], ORDERS[use.attributes.get("mode", "DCR")], 4)


def _blocks_row(name: str, since: int, types: TypeSet, rule: str) -> OnnxRow:
    mode = Attribute("mode", Kind.STRING, default="DCR", allowed=tuple(ORDERS))
    has_mode = since >= (11 if name == "DepthToSpace" else 28)
    return OnnxRow(
        name=name,
        since=since,
        rule=rule,
        source=f"ONNX operator {name}-{since}",
        inputs=(Parameter("input", types),),
        outputs=(Parameter("output", types),),
        attributes=(Attribute("blocksize", Kind.INT, required=True, minimum=1), *((mode,) if has_mode else ())),
        build=_blocks,
    )


DEPTH_TO_SPACE_ROWS = (
    _blocks_row("DepthToSpace", 1, ALL_1, "four axes; the place in the block is the slow part of a channel's number"),
    _blocks_row("DepthToSpace", 11, ALL_1, "adds mode: DCR as before, or CRD, the place in the block is the fast part"),
    _blocks_row("DepthToSpace", 13, ALL_13, "adds bfloat16"),
    _blocks_row("DepthToSpace", 28, ALL_13, "becomes a function of Reshape and Transpose"),
)

SPACE_TO_DEPTH_ROWS = (
    _blocks_row("SpaceToDepth", 1, ALL_1, "four axes; the place in the block is the slow part of a channel's number"),
    _blocks_row("SpaceToDepth", 13, ALL_13, "adds bfloat16"),
    _blocks_row("SpaceToDepth", 28, ALL_13, "adds mode: DCR as before, or CRD"),
)


def _reverse_sequence(use: Use) -> Operator | Deferred:
    values = use.attributes
    return use.deferred(
        ReverseSequence,
        {"lengths": "sequence_lens"},
        time_axis=values["time_axis"],
        batch_axes=(values["batch_axis"],),
    )


def _reverse_sequence_row(since: int, types: TypeSet, rule: str) -> OnnxRow:
    return OnnxRow(
        name="ReverseSequence",
        since=since,
        rule=rule,
        source=f"ONNX operator ReverseSequence-{since}",
        inputs=(Parameter("input", types), Parameter("sequence_lens", LENGTHS, _INT64)),
        outputs=(Parameter("Y", types),),
        attributes=(
            Attribute("batch_axis", Kind.INT, default=1, allowed=(0, 1)),
            Attribute("time_axis", Kind.INT, default=0, allowed=(0, 1)),
        ),
        build=_reverse_sequence,
    )


REVERSE_SEQUENCE_ROWS = (
    _reverse_sequence_row(10, ALL_1, "batch and time are axes 0 and 1 in either order; a length lies in 0..size"),
    _reverse_sequence_row(28, ALL_13, "adds bfloat16"),
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


COL2IM_ROWS = (
    OnnxRow(
        name="Col2Im",
        since=18,
        rule="sums start from 0 and add the places in the window in ascending order, in the type of the data; strings, "
        "which the schema lists, cannot be added",
        source="ONNX operator Col2Im-18",
        inputs=(
            Parameter("input", ALL_13),
            Parameter("image_shape", LENGTHS, _INT64),
            Parameter("block_shape", LENGTHS, _INT64),
        ),
        outputs=(Parameter("output", ALL_13),),
        attributes=(
            Attribute("strides", Kind.INTS, minimum=1),
            Attribute("dilations", Kind.INTS, minimum=1),
            Attribute("pads", Kind.INTS, minimum=0),
        ),
        build=_col2im,
    ),
)


ROWS = DEPTH_TO_SPACE_ROWS + SPACE_TO_DEPTH_ROWS + REVERSE_SEQUENCE_ROWS + COL2IM_ROWS
