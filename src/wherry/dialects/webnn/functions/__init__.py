"""All operators as functions, from where each stands. Written by `python -m generate`."""

from wherry.dialects.webnn.functions._arithmetic import abs, add, clamp, div, max, min, mul, neg, sign, sub
from wherry.dialects.webnn.functions._elements import cast, identity, where
from wherry.dialects.webnn.functions._gather import gather, gather_elements, gather_nd
from wherry.dialects.webnn.functions._logic import (
    equal,
    greater,
    greater_or_equal,
    lesser,
    lesser_or_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from wherry.dialects.webnn.functions._parts import concat, pad, slice, split
from wherry.dialects.webnn.functions._reductions import (
    arg_max,
    arg_min,
    cumulative_sum,
    reduce_max,
    reduce_min,
    reduce_product,
    reduce_sum,
)
from wherry.dialects.webnn.functions._scatter import scatter_elements, scatter_nd
from wherry.dialects.webnn.functions._shapes import expand, reshape, reverse, tile, transpose, triangular

__all__ = [
    "abs",
    "add",
    "arg_max",
    "arg_min",
    "cast",
    "clamp",
    "concat",
    "cumulative_sum",
    "div",
    "equal",
    "expand",
    "gather",
    "gather_elements",
    "gather_nd",
    "greater",
    "greater_or_equal",
    "identity",
    "lesser",
    "lesser_or_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "max",
    "min",
    "mul",
    "neg",
    "not_equal",
    "pad",
    "reduce_max",
    "reduce_min",
    "reduce_product",
    "reduce_sum",
    "reshape",
    "reverse",
    "scatter_elements",
    "scatter_nd",
    "sign",
    "slice",
    "split",
    "sub",
    "tile",
    "transpose",
    "triangular",
    "where",
]
