"""The operators: what moves where, with every rule that a specification leaves implicit as a field."""

from wherry.ops.as_strided import AsStrided
from wherry.ops.batch_blocks import BatchToSpace, SpaceToBatch
from wherry.ops.blocks import ChannelOrder, DepthToSpace, ShuffleChannels, SpaceToDepth
from wherry.ops.cast import Cast
from wherry.ops.compress import Compress, LongerCondition
from wherry.ops.concat import Concat
from wherry.ops.constant import Constant
from wherry.ops.conversion import FloatOverflow, FloatToInteger, IntegerOverflow, Rounding
from wherry.ops.diagonals import Eye, EyeLike, Trilu
from wherry.ops.division import ByZero, Divide, Quotient, QuotientOverflow, Remainder
from wherry.ops.elementwise import (
    Binary,
    BinaryFunction,
    Broadcast,
    Compare,
    Elementwise,
    Relation,
    Unary,
    UnaryFunction,
)
from wherry.ops.expand import Alignment, Expand
from wherry.ops.extremes import Clip, Crossed, Extreme, ExtremeFunction, NanOperand
from wherry.ops.fill import Fill
from wherry.ops.gather import Gather, GatherElements, GatherND
from wherry.ops.gather_tree import GatherTree
from wherry.ops.identity import Identity
from wherry.ops.indexing import OffAxis
from wherry.ops.nonzero import NonZero, NonZeroCoordinates, ScalarCoordinates
from wherry.ops.numerals import FloatText
from wherry.ops.one_hot import FractionalIndex, OneHot
from wherry.ops.operator import Operator
from wherry.ops.pad import Beyond, MixedSigns, Overcrop, Pad, PadMode, pad_of_pairs
from wherry.ops.patches import AutoPad, Col2Im, ExtractImagePatches, Im2Col
from wherry.ops.range import Range, Steps
from wherry.ops.reduce import Accumulate, AccumulateFunction, ArgExtreme, EmptyAxes, Reduce, ReduceFunction
from wherry.ops.reshape import Empty, Flatten, OtherSizes, Repeated, Reshape, Squeeze, Undetermined, Unsqueeze, Zero
from wherry.ops.reverse import Reverse
from wherry.ops.reverse_sequence import ReverseSequence, TooLong
from wherry.ops.roll import Roll
from wherry.ops.scale_bias import ScaleBias
from wherry.ops.scatter import ScatterElements, ScatterND, ScatterUpdate, Window
from wherry.ops.shape_of import ShapeOf, SizeOf
from wherry.ops.slice import Slice, window_slice
from wherry.ops.slice_scatter import SliceScatter
from wherry.ops.split import Split, Uneven
from wherry.ops.strided_slice import MaskedShrink, StridedSlice, strided_slice
from wherry.ops.strings import StringPack, StringUnpack
from wherry.ops.tile import BelowZero, Lengths, Tile
from wherry.ops.transpose import EmptyOrder, Transpose
from wherry.ops.unique import NaN, Unique
from wherry.ops.where import Where

ARITHMETIC = (Elementwise, Clip, Reduce, Accumulate, ArgExtreme)
"""The operators that compute elements; all others move them."""

__all__ = [
    "ARITHMETIC",
    "Accumulate",
    "AccumulateFunction",
    "ArgExtreme",
    "Binary",
    "BinaryFunction",
    "Broadcast",
    "ByZero",
    "Clip",
    "Compare",
    "Crossed",
    "Divide",
    "Elementwise",
    "EmptyAxes",
    "Extreme",
    "ExtremeFunction",
    "NanOperand",
    "Quotient",
    "QuotientOverflow",
    "Reduce",
    "ReduceFunction",
    "Relation",
    "Remainder",
    "Unary",
    "UnaryFunction",
    "Alignment",
    "AsStrided",
    "AutoPad",
    "Eye",
    "BatchToSpace",
    "BelowZero",
    "Beyond",
    "Cast",
    "ChannelOrder",
    "Col2Im",
    "Compress",
    "Identity",
    "DepthToSpace",
    "Empty",
    "EmptyOrder",
    "Expand",
    "ExtractImagePatches",
    "EyeLike",
    "Fill",
    "Trilu",
    "Flatten",
    "FloatOverflow",
    "FloatText",
    "FloatToInteger",
    "FractionalIndex",
    "Gather",
    "GatherElements",
    "GatherND",
    "GatherTree",
    "Im2Col",
    "IntegerOverflow",
    "Concat",
    "Lengths",
    "Constant",
    "LongerCondition",
    "MaskedShrink",
    "MixedSigns",
    "NaN",
    "NonZero",
    "NonZeroCoordinates",
    "OffAxis",
    "OneHot",
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
    "Rounding",
    "ScalarCoordinates",
    "ScaleBias",
    "ScatterUpdate",
    "ScatterElements",
    "ScatterND",
    "Range",
    "ShapeOf",
    "ShuffleChannels",
    "SizeOf",
    "Slice",
    "SliceScatter",
    "SpaceToBatch",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Steps",
    "strided_slice",
    "StridedSlice",
    "StringPack",
    "StringUnpack",
    "Tile",
    "TooLong",
    "Transpose",
    "Undetermined",
    "Uneven",
    "Unique",
    "Unsqueeze",
    "Where",
    "Window",
    "window_slice",
    "Zero",
]
