"""All operators as functions, from where each stands. Written by `python -m generate`."""

from wherry.dialects.onnx.by_hand import concat, gather, split
from wherry.dialects.onnx.functions_blocks import col2im, depth_to_space, reverse_sequence, space_to_depth
from wherry.dialects.onnx.functions_cast import cast, cast_like, shape, size
from wherry.dialects.onnx.functions_gather import gather_elements, gather_nd
from wherry.dialects.onnx.functions_make import constant_of_shape, eye_like, non_zero, one_hot, range, trilu, unique
from wherry.dialects.onnx.functions_pad import pad
from wherry.dialects.onnx.functions_scatter import scatter, scatter_elements, scatter_nd, tensor_scatter
from wherry.dialects.onnx.functions_select import compress, slice, where
from wherry.dialects.onnx.functions_shape import expand, flatten, reshape, squeeze, tile, transpose, unsqueeze
from wherry.dialects.onnx.functions_value import identity

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
