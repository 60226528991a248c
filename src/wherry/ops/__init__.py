"""The operators: what moves where, with every rule that a specification leaves implicit as a field."""

from wherry.ops.copy import Copy
from wherry.ops.gather import Gather, GatherElements, GatherND
from wherry.ops.indexing import OffAxis
from wherry.ops.join import Join
from wherry.ops.literal import Literal
from wherry.ops.operator import Operator
from wherry.ops.scale_bias import ScaleBias
from wherry.ops.scatter import ScatterAlong, ScatterElements, ScatterND, Window
from wherry.ops.split import Split, Uneven

__all__ = [
    "Copy",
    "Gather",
    "GatherElements",
    "GatherND",
    "Join",
    "Literal",
    "OffAxis",
    "Operator",
    "ScaleBias",
    "ScatterAlong",
    "ScatterElements",
    "ScatterND",
    "Split",
    "Uneven",
    "Window",
]
