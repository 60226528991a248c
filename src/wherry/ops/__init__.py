"""The operators: what moves where, with every rule that a specification leaves implicit as a field."""

from wherry.ops.batch_blocks import BatchToSpace, SpaceToBatch
from wherry.ops.blocks import ChannelOrder, DepthToSpace, ShuffleChannels, SpaceToDepth
from wherry.ops.copy import Copy
from wherry.ops.expand import Alignment, Expand
from wherry.ops.gather import Gather, GatherElements, GatherND
from wherry.ops.indexing import OffAxis
from wherry.ops.join import Join
from wherry.ops.literal import Literal
from wherry.ops.operator import Operator
from wherry.ops.pad import Beyond, MixedSigns, Overcrop, Pad, PadMode, pad_of_pairs
from wherry.ops.patches import AutoPad, Col2Im, ExtractImagePatches
from wherry.ops.reshape import Empty, Flatten, OtherSizes, Repeated, Reshape, Squeeze, Undetermined, Unsqueeze, Zero
from wherry.ops.reverse import Reverse
from wherry.ops.reverse_sequence import ReverseSequence, TooLong
from wherry.ops.roll import Roll
from wherry.ops.scale_bias import ScaleBias
from wherry.ops.scatter import ScatterAlong, ScatterElements, ScatterND, Window
from wherry.ops.slice import Slice, window_slice
from wherry.ops.slice_scatter import SliceScatter
from wherry.ops.split import Split, Uneven
from wherry.ops.strided_slice import MaskedShrink, StridedSlice, strided_slice
from wherry.ops.tile import BelowZero, Lengths, Tile
from wherry.ops.transpose import EmptyOrder, Transpose

__all__ = [
    "Alignment",
    "AutoPad",
    "BatchToSpace",
    "BelowZero",
    "Beyond",
    "ChannelOrder",
    "Col2Im",
    "Copy",
    "DepthToSpace",
    "Empty",
    "EmptyOrder",
    "Expand",
    "ExtractImagePatches",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Join",
    "Lengths",
    "Literal",
    "MaskedShrink",
    "MixedSigns",
    "OffAxis",
    "Operator",
    "OtherSizes",
    "Overcrop",
    "Pad",
    "pad_of_pairs",
    "PadMode",
    "Repeated",
    "Reshape",
    "Reverse",
    "ReverseSequence",
    "Roll",
    "ScaleBias",
    "ScatterAlong",
    "ScatterElements",
    "ScatterND",
    "ShuffleChannels",
    "Slice",
    "SliceScatter",
    "SpaceToBatch",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "strided_slice",
    "StridedSlice",
    "Tile",
    "TooLong",
    "Transpose",
    "Undetermined",
    "Uneven",
    "Unsqueeze",
    "Window",
    "window_slice",
    "Zero",
]
