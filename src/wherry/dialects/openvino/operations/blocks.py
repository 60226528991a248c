"""DepthToSpace, SpaceToDepth, BatchToSpace, SpaceToBatch, ShuffleChannels, ExtractImagePatches and Col2Im."""

from __future__ import annotations

from wherry.dialects.openvino.row import INDEX_TYPES, INTEGER_TYPES, NUMBER_TYPES, Attribute, Input, OpenVINORow
from wherry.dialects.openvino.values import INTEGER, INTEGERS, word_of
from wherry.ops import (
    BatchToSpace,
    Col2Im,
    DepthToSpace,
    ExtractImagePatches,
    ShuffleChannels,
    SpaceToBatch,
    SpaceToDepth,
)

_IMAGE = Input("data", ndim=(3, None))
_BLOCKS = (
    Attribute("mode", word_of("blocks_first", "depth_first"), field="order"),
    Attribute("block_size", INTEGER, default=1),
)


def _batch_inputs(begins: str, ends: str) -> tuple[Input, ...]:
    def one(name: str, field: str, same_type: str | None) -> Input:
        return Input(name, INTEGER_TYPES, ndim=(1, 1), field=field, same_type=same_type)

    return (
        Input("data", ndim=(2, None)),
        one("block_shape", "block_shape", None),
        one(begins, "begins", "block_shape"),
        one(ends, "ends", "block_shape"),
    )


ROWS = (
    OpenVINORow(
        name="DepthToSpace",
        since=1,
        rule="3 axes and more; block_size to the power of the axes of space divides the channels",
        build=DepthToSpace,
        inputs=(_IMAGE,),
        attributes=_BLOCKS,
        fixed={"ndim": None},
    ),
    OpenVINORow(
        name="SpaceToDepth",
        since=1,
        rule="3 axes and more; block_size divides the sizes of space",
        build=SpaceToDepth,
        inputs=(_IMAGE,),
        attributes=_BLOCKS,
        fixed={"ndim": None},
    ),
    OpenVINORow(
        name="BatchToSpace",
        since=2,
        rule="the batch's own entries are 1 and 0; blocks divide the batch; crops fit",
        build=BatchToSpace,
        inputs=_batch_inputs("crops_begin", "crops_end"),
    ),
    OpenVINORow(
        name="SpaceToBatch",
        since=2,
        rule="the batch's own entries are 1 and 0; blocks divide the padded sizes; pads 0 and more",
        build=SpaceToBatch,
        inputs=_batch_inputs("pads_begin", "pads_end"),
    ),
    OpenVINORow(
        name="ShuffleChannels",
        since=1,
        gaps=frozenset({2}),
        rule="group divides the size of the axis",
        build=ShuffleChannels,
        inputs=(Input("data", ndim=(1, None)),),
        attributes=(Attribute("axis", INTEGER, default=1), Attribute("group", INTEGER, default=1)),
    ),
    OpenVINORow(
        name="ExtractImagePatches",
        since=3,
        rule="sizes, strides and rates of rows and columns, 1 and more; zero outside the image",
        build=ExtractImagePatches,
        inputs=(Input("data", ndim=(4, 4)),),
        attributes=(
            Attribute("sizes", INTEGERS),
            Attribute("strides", INTEGERS),
            Attribute("rates", INTEGERS),
            Attribute("auto_pad", word_of("valid", "same_upper", "same_lower")),
        ),
    ),
    OpenVINORow(
        name="Col2Im",
        since=15,
        rule="images of two axes, with or without a batch; sums start from 0",
        build=Col2Im,
        inputs=(
            Input("data", NUMBER_TYPES | {"bool"}, ndim=(2, 3)),
            Input("output_size", INDEX_TYPES, ndim=(1, 1), entries=(2, 2), field="image_shape"),
            Input(
                "kernel_size", INDEX_TYPES, ndim=(1, 1), entries=(2, 2), field="block_shape", same_type="output_size"
            ),
        ),
        attributes=(
            Attribute("strides", INTEGERS, default=(1, 1)),
            Attribute("dilations", INTEGERS, default=(1, 1)),
            Attribute("pads_begin", INTEGERS, default=(0, 0), field="begins"),
            Attribute("pads_end", INTEGERS, default=(0, 0), field="ends"),
        ),
        fixed={"unbatched": True},
    ),
)
