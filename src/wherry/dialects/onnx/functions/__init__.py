"""All operators as functions, from where each stands. Written by `python -m generate`."""

from wherry.dialects.onnx.functions._blocks import col2im, depth_to_space, reverse_sequence, space_to_depth
from wherry.dialects.onnx.functions._cast import cast, cast_like, shape, size
from wherry.dialects.onnx.functions._gather import gather_elements, gather_nd
from wherry.dialects.onnx.functions._make import constant_of_shape, eye_like, non_zero, one_hot, range, trilu, unique
from wherry.dialects.onnx.functions._pad import pad
from wherry.dialects.onnx.functions._scatter import scatter, scatter_elements, scatter_nd, tensor_scatter
from wherry.dialects.onnx.functions._select import compress, slice, where
from wherry.dialects.onnx.functions._shape import expand, flatten, reshape, squeeze, tile, transpose, unsqueeze
from wherry.dialects.onnx.functions._value import identity
from wherry.dialects.onnx.functions.by_hand import concat, gather, split

__all__ = [
    "cast",
    "cast_like",
    "col2im",
    "compress",
    "concat",
    "constant_of_shape",
    "depth_to_space",
    "expand",
    "eye_like",
    "flatten",
    "gather",
    "gather_elements",
    "gather_nd",
    "identity",
    "non_zero",
    "one_hot",
    "pad",
    "range",
    "reshape",
    "reverse_sequence",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "shape",
    "size",
    "slice",
    "space_to_depth",
    "split",
    "squeeze",
    "tensor_scatter",
    "tile",
    "transpose",
    "trilu",
    "unique",
    "unsqueeze",
    "where",
]
