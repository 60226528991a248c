"""The operators: what moves where, with every rule that a specification leaves implicit as a field."""

from wherry.ops.band import BandMatrix, EyeLike, FillBand
from wherry.ops.cast import Cast
from wherry.ops.compress import Compress, LongerCondition
from wherry.ops.conversion import FloatOverflow, FloatToInteger, IntegerOverflow, Rounding
from wherry.ops.copy import Copy
from wherry.ops.fill import Fill
from wherry.ops.gather import Gather
from wherry.ops.gather_tree import GatherTree
from wherry.ops.join import Join
from wherry.ops.literal import Literal
from wherry.ops.nonzero import NonZero, NonZeroCoordinates, ScalarCoordinates
from wherry.ops.numerals import FloatText
from wherry.ops.one_hot import FractionalIndex, OneHot
from wherry.ops.operator import Operator
from wherry.ops.scale_bias import ScaleBias
from wherry.ops.sequence import Sequence, Steps
from wherry.ops.shape_of import ShapeOf, SizeOf
from wherry.ops.split import Split, Uneven
from wherry.ops.strings import StringPack, StringUnpack
from wherry.ops.unique import NaN, Unique
from wherry.ops.where import Where

__all__ = [
    "BandMatrix",
    "Cast",
    "Compress",
    "Copy",
    "EyeLike",
    "Fill",
    "FillBand",
    "FloatOverflow",
    "FloatText",
    "FloatToInteger",
    "FractionalIndex",
    "Gather",
    "GatherTree",
    "IntegerOverflow",
    "Join",
    "Literal",
    "LongerCondition",
    "NaN",
    "NonZero",
    "NonZeroCoordinates",
    "OneHot",
    "Operator",
    "Rounding",
    "ScalarCoordinates",
    "ScaleBias",
    "Sequence",
    "ShapeOf",
    "SizeOf",
    "Split",
    "Steps",
    "StringPack",
    "StringUnpack",
    "Uneven",
    "Unique",
    "Where",
]
