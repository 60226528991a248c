"""All operators as functions, from where each stands. Written by `python -m generate`."""

from wherry.dialects.webnn.functions._elements import cast, identity, where
from wherry.dialects.webnn.functions._gather import gather, gather_elements, gather_nd
from wherry.dialects.webnn.functions._parts import concat, pad, slice, split
from wherry.dialects.webnn.functions._scatter import scatter_elements, scatter_nd
from wherry.dialects.webnn.functions._shapes import expand, reshape, reverse, tile, transpose, triangular

__all__ = [
    "cast",
    "concat",
    "expand",
    "gather",
    "gather_elements",
    "gather_nd",
    "identity",
    "pad",
    "reshape",
    "reverse",
    "scatter_elements",
    "scatter_nd",
    "slice",
    "split",
    "tile",
    "transpose",
    "triangular",
    "where",
]
