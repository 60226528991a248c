"""All operators as functions, from where each stands. Written by `python -m generate`."""

from wherry.dialects.openvino.functions._blocks import (
    batch_to_space,
    col2im,
    depth_to_space,
    extract_image_patches,
    shuffle_channels,
    space_to_batch,
    space_to_depth,
)
from wherry.dialects.openvino.functions._gather import gather, gather_elements, gather_nd, gather_tree
from wherry.dialects.openvino.functions._model import identity
from wherry.dialects.openvino.functions._reverse import reverse, reverse_sequence, roll
from wherry.dialects.openvino.functions._scatter import (
    scatter_elements_update,
    scatter_nd_update,
    scatter_update,
    slice_scatter,
)
from wherry.dialects.openvino.functions._selection import eye, non_zero, one_hot, range, select, unique
from wherry.dialects.openvino.functions._shapes import broadcast, pad, reshape, squeeze, tile, transpose, unsqueeze
from wherry.dialects.openvino.functions._slice import slice, strided_slice
from wherry.dialects.openvino.functions._split import concat, split, variadic_split
from wherry.dialects.openvino.functions._types import (
    convert,
    convert_like,
    shape_of,
    string_tensor_pack,
    string_tensor_unpack,
)

__all__ = [
    "batch_to_space",
    "broadcast",
    "col2im",
    "concat",
    "convert",
    "convert_like",
    "depth_to_space",
    "extract_image_patches",
    "eye",
    "gather",
    "gather_elements",
    "gather_nd",
    "gather_tree",
    "identity",
    "non_zero",
    "one_hot",
    "pad",
    "range",
    "reshape",
    "reverse",
    "reverse_sequence",
    "roll",
    "scatter_elements_update",
    "scatter_nd_update",
    "scatter_update",
    "select",
    "shape_of",
    "shuffle_channels",
    "slice",
    "slice_scatter",
    "space_to_batch",
    "space_to_depth",
    "split",
    "squeeze",
    "strided_slice",
    "string_tensor_pack",
    "string_tensor_unpack",
    "tile",
    "transpose",
    "unique",
    "unsqueeze",
    "variadic_split",
]
