"""The operations as functions on arrays, of any opset, checked by the row of its version.

Written by `python -m generate` from the table of operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import call, call_all, call_views

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

Array = NDArray[Any]


def batch_to_space(
    data: ArrayLike,
    block_shape: ArrayLike,
    crops_begin: ArrayLike,
    crops_end: ArrayLike,
    *,
    opset: int = 2,
    out: Array | None = None,
) -> Array:
    """Return batches laid side by side as blocks of space, then cropped.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO BatchToSpace-2.

    >>> wh.openvino.batch_to_space([[1, 3], [2, 0]], [1, 2], [0, 0], [0, 1])
    array([[1, 2, 3]])
    """
    return call("BatchToSpace", opset, [data, block_shape, crops_begin, crops_end], out=out)


def broadcast(
    data: ArrayLike,
    target_shape: ArrayLike,
    axes_mapping: ArrayLike | None = None,
    *,
    mode: str = "numpy",
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return `data` repeated along axes of size 1, or that it lacks, to a shape.

    `mode` is numpy (last axes together), explicit (axis i of data is axis `axes_mapping[i]` of the target), or, from
    opset 3 on, bidirectional (a target of 1 gives way).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Broadcast-1, -3.

    >>> wh.openvino.broadcast([1, 2], [2, 3], [0], mode="explicit")
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("Broadcast", opset, [data, target_shape, axes_mapping], mode=mode, out=out)


def col2im(
    data: ArrayLike,
    output_size: ArrayLike,
    kernel_size: ArrayLike,
    *,
    strides: Sequence[int] = (1, 1),
    dilations: Sequence[int] = (1, 1),
    pads_begin: Sequence[int] = (0, 0),
    pads_end: Sequence[int] = (0, 0),
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return windows `[N, C * prod(kernel_size), L]` summed into images `[N, C, H, W]`; N may be missing.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Col2Im-15.

    >>> wh.openvino.col2im([[1, 2], [3, 4]], [1, 3], [1, 2])
    array([[[1, 5, 4]]])
    """
    return call(
        "Col2Im",
        opset,
        [data, output_size, kernel_size],
        strides=strides,
        dilations=dilations,
        pads_begin=pads_begin,
        pads_end=pads_end,
        out=out,
    )


def concat(arrays: Sequence[ArrayLike], axis: int, *, opset: int = 1, out: Array | None = None) -> Array:
    """Lay `arrays` end to end along `axis` into a new array; nothing is cast.

    All have one element type, and equal sizes outside `axis`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Concat-1.

    >>> wh.openvino.concat([[0, 1], [2]], 0)
    array([0, 1, 2])
    """
    return call("Concat", opset, arrays, axis=axis, out=out)


def convert(data: ArrayLike, destination_type: object, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return every element as another type: floats truncated, integers wrapped.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Convert-1.

    >>> wh.openvino.convert([1.5, -3.7, 300.0], "u8")
    array([  1, 253,  44], dtype=uint8)
    """
    return call("Convert", opset, [data], destination_type=destination_type, out=out)


def convert_like(data: ArrayLike, like: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return every element as the type of `like`, whose values are not read.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ConvertLike-1.

    >>> wh.openvino.convert_like([1.5, 2.5], [0])
    array([1, 2])
    """
    return call("ConvertLike", opset, [data, like], out=out)


def depth_to_space(
    data: ArrayLike, mode: str, block_size: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `[N, C, D1..DK]` as `[N, C / B**K, D1 * B .. DK * B]`: channels become blocks of space.

    `mode` is blocks_first or depth_first: which part of a channel's number is the slow one.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO DepthToSpace-1.

    >>> wh.openvino.depth_to_space([[[0, 1], [2, 3]]], "depth_first", 2).tolist()
    [[[0, 2, 1, 3]]]
    """
    return call("DepthToSpace", opset, [data], mode=mode, block_size=block_size, out=out)


def extract_image_patches(
    image: ArrayLike,
    sizes: Sequence[int],
    strides: Sequence[int],
    rates: Sequence[int],
    auto_pad: str,
    *,
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return windows over an image `[N, C, H, W]`, the elements of each as channels; zero outside.

    `auto_pad` is valid, same_upper or same_lower.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ExtractImagePatches-3.

    >>> wh.openvino.extract_image_patches([[[[1, 2, 3]]]], [1, 2], [1, 1], [1, 1], "valid").tolist()
    [[[[1, 2]], [[2, 3]]]]
    """
    return call(
        "ExtractImagePatches", opset, [image], sizes=sizes, strides=strides, rates=rates, auto_pad=auto_pad, out=out
    )


def eye(
    num_rows: ArrayLike,
    num_columns: ArrayLike,
    diagonal_index: ArrayLike,
    output_type: object,
    batch_shape: ArrayLike | None = None,
    *,
    opset: int = 9,
    out: Array | None = None,
) -> Array:
    """Return matrices with ones where column - row is `diagonal_index`, and zeros elsewhere, as `output_type`.

    `batch_shape` gives the sizes of leading axes. Sizes, and the index, are i32 or i64.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Eye-9.

    >>> wh.openvino.eye(2, 4, 1, "i32")
    array([[0, 1, 0, 0],
           [0, 0, 1, 0]], dtype=int32)
    """
    return call("Eye", opset, [num_rows, num_columns, diagonal_index, batch_shape], output_type=output_type, out=out)


def gather(
    data: ArrayLike,
    indices: ArrayLike,
    axis: ArrayLike,
    *,
    batch_dims: int = 0,
    opset: int = 8,
    out: Array | None = None,
) -> Array:
    """Return the slices of `data` along `axis` that `indices` picks, zeros where an index is out of range.

    Gather-8 (opset 8 and newer): `data` has d elements on the axis; indices -d..-1 count from its end, all others
    outside 0..d-1 give zero (False, an empty string). Gather-7 and Gather-1 (opset 7, opsets 1 to 6) allow 0..d-1 only;
    what else gives is open, and here it is zero. A negative `batch_dims` counts from the axes of indices; Gather-1 has
    none. The result has the sizes `data[:axis] + indices[batch_dims:] + data[axis + 1:]`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 7: `batch_dims`.
    Specification: OpenVINO Gather-1, -7, -8.

    >>> wh.openvino.gather([1, 2, 3, 4, 5], [3, 10, -20], 0)
    array([4, 0, 0])
    """
    return call("Gather", opset, [data, indices, axis], batch_dims=batch_dims, out=out)


def gather_elements(
    data: ArrayLike, indices: ArrayLike, axis: int, *, opset: int = 6, out: Array | None = None
) -> Array:
    """Return `data` with, at each place, the coordinate on `axis` replaced by the index there.

    `indices` (i32 or i64) has data's sizes off the axis, and gives the sizes of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    Specification: OpenVINO GatherElements-6.

    >>> wh.openvino.gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]], 0)
    array([[1, 4],
           [1, 2]])
    """
    return call("GatherElements", opset, [data, indices], axis=axis, out=out)


def gather_nd(
    data: ArrayLike, indices: ArrayLike, *, batch_dims: int = 0, opset: int = 8, out: Array | None = None
) -> Array:
    """Return the slices of `data` that the tuples of indices along the last axis of `indices` name.

    Behind `batch_dims` equal leading axes a tuple of k indices names a slice of the next k axes. GatherND-5 (opsets 5
    to 7) makes one axis of the batch axes of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    Specification: OpenVINO GatherND-5, -8.

    >>> wh.openvino.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([2, 3])
    """
    return call("GatherND", opset, [data, indices], batch_dims=batch_dims, out=out)


def gather_tree(
    step_ids: ArrayLike,
    parent_idx: ArrayLike,
    max_seq_len: ArrayLike,
    end_token: ArrayLike,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return the beams of a search, walked back from their last step to the first.

    Steps and parents are [steps, batch, beams], lengths [batch], end_token is a scalar; all of one numeric type. What
    lies behind a length, or behind the first end_token, is end_token.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    Specification: OpenVINO GatherTree-1.

    >>> wh.openvino.gather_tree([[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]], [2], 9).tolist()
    [[[2, 1]], [[3, 4]]]
    """
    return call("GatherTree", opset, [step_ids, parent_idx, max_seq_len, end_token], out=out)


def identity(data: ArrayLike, *, opset: int = 16, out: Array | None = None) -> Array:
    """Return a copy of `data`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Identity-16.

    >>> wh.openvino.identity([1, 2])
    array([1, 2])
    """
    return call("Identity", opset, [data], out=out)


def non_zero(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the coordinates of the elements that are not zero, one column for each, in row-major order.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO NonZero-3.

    >>> wh.openvino.non_zero([[1, 0], [1, 1]])
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return call("NonZero", opset, [data], output_type=output_type, out=out)


def one_hot(
    indices: ArrayLike,
    depth: ArrayLike,
    on_value: ArrayLike,
    off_value: ArrayLike,
    axis: int,
    negative_indices_mode: str = "ignore_negative",
    *,
    opset: int = 16,
    out: Array | None = None,
) -> Array:
    """Return, along a new axis of `depth` positions, on_value where the index is, off_value elsewhere.

    OneHot-16 takes `negative_indices_mode` normalize: indices -depth..-1 count from the end.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 16: `negative_indices_mode`.
    Specification: OpenVINO OneHot-1, -16.

    >>> wh.openvino.one_hot([0, 3, 1], 3, 1, 0, -1)
    array([[1, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    return call(
        "OneHot",
        opset,
        [indices, depth, on_value, off_value],
        axis=axis,
        negative_indices_mode=negative_indices_mode,
        out=out,
    )


def pad(
    data: ArrayLike,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_mode: str,
    pad_value: ArrayLike | None = None,
    *,
    opset: int = 12,
    out: Array | None = None,
) -> Array:
    """Return `data` with positions added around it, or, where pads are negative, taken away.

    `pad_mode` is constant, edge, reflect or symmetric; `pad_value`, a scalar of data's type (0 without), is for
    constant.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Pad-1, -12.

    >>> wh.openvino.pad([1, 2, 3], [1], [2], "reflect")
    array([2, 1, 2, 3, 2, 1])
    """
    return call("Pad", opset, [data, pads_begin, pads_end, pad_value], pad_mode=pad_mode, out=out)


def range(
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    output_type: object = None,
    *,
    opset: int = 4,
    out: Array | None = None,
) -> Array:
    """Return the numbers start, start + step ... before stop, as `output_type`.

    Opset 4 and newer need `output_type`; the older Range-1 has none: its three numbers have one type, the result's.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 4: `output_type`.
    Specification: OpenVINO Range-1, -4.

    >>> wh.openvino.range(23, 2, -3, "i32")
    array([23, 20, 17, 14, 11,  8,  5], dtype=int32)
    """
    return call("Range", opset, [start, stop, step], output_type=output_type, out=out)


def reshape(
    data: ArrayLike, shape: ArrayLike, special_zero: bool, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return the elements of `data` in row-major order under another shape.

    -1 is what remains; with `special_zero` a 0 copies the size at its position.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Reshape-1.

    >>> wh.openvino.reshape([[0, 1, 2], [3, 4, 5]], [0, -1, 1], True).shape
    (2, 3, 1)
    """
    return call("Reshape", opset, [data, shape], special_zero=special_zero, out=out)


def reverse(data: ArrayLike, reversed_axes: ArrayLike, mode: str, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with axes reversed: those listed (mode index), or those marked (mode mask).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Reverse-1.

    >>> wh.openvino.reverse([[0, 1, 2], [3, 4, 5]], [1], "index")
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return call("Reverse", opset, [data, reversed_axes], mode=mode, out=out)


def reverse_sequence(
    data: ArrayLike,
    seq_lengths: ArrayLike,
    batch_axis: int = 0,
    seq_axis: int = 1,
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return `data` with the first `seq_lengths[i]` elements along `seq_axis` of each batch i reversed.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ReverseSequence-1.

    >>> wh.openvino.reverse_sequence([[0, 1, 2], [3, 4, 5]], [2, 3])
    array([[1, 0, 2],
           [5, 4, 3]])
    """
    return call("ReverseSequence", opset, [data, seq_lengths], batch_axis=batch_axis, seq_axis=seq_axis, out=out)


def roll(data: ArrayLike, shift: ArrayLike, axes: ArrayLike, *, opset: int = 7, out: Array | None = None) -> Array:
    """Return `data` moved along axes; what leaves at one end comes in at the other.

    A scalar shift holds for each axis; shifts of an axis listed twice add up.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Roll-7.

    >>> wh.openvino.roll([1, 2, 3], 1, 0)
    array([3, 1, 2])
    """
    return call("Roll", opset, [data, shift, axes], out=out)


def scatter_elements_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: ArrayLike,
    *,
    reduction: str = "none",
    use_init_val: bool = True,
    opset: int = 12,
    out: Array | None = None,
) -> Array:
    """Return `data` with each update written to, or combined with, the element that its index names on `axis`.

    `reduction` is none, sum, prod, min, max or mean; with `use_init_val=False` the old value takes no part.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    New with opset 12: `reduction`, `use_init_val`.
    Specification: OpenVINO ScatterElementsUpdate-3, -12.

    >>> wh.openvino.scatter_elements_update([2, 3, 4, 6], [1, 0, 0], [10, 20, 30], 0, reduction="sum")
    array([52, 13,  4,  6])
    """
    return call(
        "ScatterElementsUpdate",
        opset,
        [data, indices, updates, axis],
        reduction=reduction,
        use_init_val=use_init_val,
        out=out,
    )


def scatter_nd_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: str = "none",
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` with updates written to, or combined with, the slices that tuples of indices name.

    `reduction` is none, sum, sub, prod, min or max. `indices` are i32 or i64; `updates` has the sizes `indices[:-1] +
    data[k:]` for tuples of k indices.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    New with opset 15: `reduction`.
    Specification: OpenVINO ScatterNDUpdate-3, -15.

    >>> wh.openvino.scatter_nd_update([1, 2, 3, 4], [[0], [2], [0]], [10, 20, 50], reduction="sum")
    array([61,  2, 23,  4])
    """
    return call("ScatterNDUpdate", opset, [data, indices, updates], reduction=reduction, out=out)


def scatter_update(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: ArrayLike,
    *,
    opset: int = 3,
    out: Array | None = None,
) -> Array:
    """Return `data` with the slices along `axis` that `indices` names replaced by those of `updates`.

    `updates` has the sizes `data[:axis] + indices + data[axis + 1:]`; indices are 0..d-1, and of several for one slice
    the last one stays.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    Specification: OpenVINO ScatterUpdate-3.

    >>> wh.openvino.scatter_update([0, 0, 0], [2, 0], [5, 6], 0)
    array([6, 0, 5])
    """
    return call("ScatterUpdate", opset, [data, indices, updates, axis], out=out)


def select(
    cond: ArrayLike,
    then: ArrayLike,
    otherwise: ArrayLike,
    auto_broadcast: str = "numpy",
    *,
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return elements of `then` where `cond` is true, and of `otherwise` elsewhere; all three broadcast.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Select-1.

    >>> wh.openvino.select([True, False], [1, 2], [3, 4])
    array([1, 4])
    """
    return call("Select", opset, [cond, then, otherwise], auto_broadcast=auto_broadcast, out=out)


def shape_of(data: ArrayLike, output_type: object = "i64", *, opset: int = 3, out: Array | None = None) -> Array:
    """Return the sizes of `data` as a vector.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 3: `output_type`.
    Specification: OpenVINO ShapeOf-1, -3.

    >>> wh.openvino.shape_of([[1, 2, 3]])
    array([1, 3])
    """
    return call("ShapeOf", opset, [data], output_type=output_type, out=out)


def shuffle_channels(
    data: ArrayLike, axis: int = 1, group: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `data` with `out[j * group + g] = data[g * size / group + j]` along `axis`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO ShuffleChannels-1.

    >>> wh.openvino.shuffle_channels([0, 1, 2, 3, 4, 5], 0, 2)
    array([0, 3, 1, 4, 2, 5])
    """
    return call("ShuffleChannels", opset, [data], axis=axis, group=group, out=out)


def slice(
    data: ArrayLike,
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    opset: int = 8,
    out: Array | None = None,
) -> Array:
    """Return the elements start, start + step ... before stop, on each of `axes` (the first ones without).

    Negative start and stop count from the end once, then both are clamped to the axis.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Slice-8.

    >>> wh.openvino.slice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [100], [-100], [-3])
    array([9, 6, 3, 0])
    """
    return call("Slice", opset, [data, start, stop, step, axes], out=out)


def slice_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    start: ArrayLike,
    stop: ArrayLike,
    step: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` with the slice that `slice` would give replaced by `updates`.

    `updates` has exactly the sizes of the slice.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO SliceScatter-15.

    >>> wh.openvino.slice_scatter([0, 1, 2, 3, 4], [10, 20], [0], [4], [2])
    array([10,  1, 20,  3,  4])
    """
    return call("SliceScatter", opset, [data, updates, start, stop, step, axes], out=out)


def space_to_batch(
    data: ArrayLike,
    block_shape: ArrayLike,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    *,
    opset: int = 2,
    out: Array | None = None,
) -> Array:
    """Return the places of each block of the zero-padded space as batches of their own.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO SpaceToBatch-2.

    >>> wh.openvino.space_to_batch([[1, 2, 3]], [1, 2], [0, 0], [0, 1])
    array([[1, 3],
           [2, 0]])
    """
    return call("SpaceToBatch", opset, [data, block_shape, pads_begin, pads_end], out=out)


def space_to_depth(
    data: ArrayLike, mode: str, block_size: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `[N, C, D1..DK]` as `[N, C * B**K, D1 / B .. DK / B]`: blocks of space become channels.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO SpaceToDepth-1.

    >>> wh.openvino.space_to_depth([[[0, 2, 1, 3]]], "depth_first", 2).tolist()
    [[[0, 1], [2, 3]]]
    """
    return call("SpaceToDepth", opset, [data], mode=mode, block_size=block_size, out=out)


def split(data: ArrayLike, axis: ArrayLike, num_splits: int, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into `num_splits` views of equal sizes; nothing is copied.

    `num_splits` divides the size of the axis; `axis` is a scalar.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Split-1.

    >>> wh.openvino.split([0, 1, 2, 3, 4, 5], 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """
    return call_views("Split", opset, [data, axis], num_splits=num_splits)


def squeeze(
    data: ArrayLike,
    axes: ArrayLike | None = None,
    *,
    allow_axis_skip: bool = False,
    opset: int = 15,
    out: Array | None = None,
) -> Array:
    """Return `data` without the listed axes of size 1, or without all of them; listed ones of other sizes stay.

    `allow_axis_skip` (opset 15) is about ranks that are not known, and changes no result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    New with opset 15: `allow_axis_skip`.
    Specification: OpenVINO Squeeze-1, -15.

    >>> wh.openvino.squeeze([[[1, 2]]], [0]).shape
    (1, 2)
    """
    return call("Squeeze", opset, [data, axes], allow_axis_skip=allow_axis_skip, out=out)


def strided_slice(
    data: ArrayLike,
    begin: ArrayLike,
    end: ArrayLike,
    stride: ArrayLike | None = None,
    *,
    begin_mask: Sequence[int],
    end_mask: Sequence[int],
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
    opset: int = 1,
    out: Array | None = None,
) -> Array:
    """Return a slice with one entry for each axis from the front, changed by masks of 0 and 1.

    `begin_mask`, `end_mask`: from or to the end that the stride looks from; `new_axis_mask`: a new axis of 1;
    `shrink_axis_mask`: one element, and the axis goes; `ellipsis_mask`: all axes that the other entries leave.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO StridedSlice-1.

    >>> wh.openvino.strided_slice([[0, 1, 2], [3, 4, 5]], [1, 0], [2, 0], begin_mask=[0, 0], end_mask=[0, 1])
    array([[3, 4, 5]])
    """
    return call(
        "StridedSlice",
        opset,
        [data, begin, end, stride],
        begin_mask=begin_mask,
        end_mask=end_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
        ellipsis_mask=ellipsis_mask,
        out=out,
    )


def string_tensor_pack(
    begins: ArrayLike, ends: ArrayLike, symbols: ArrayLike, *, opset: int = 15, out: Array | None = None
) -> Array:
    """Return the runs `symbols[begin:end]` of UTF-8 bytes as strings.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take;
    IndexOutOfRangeError for a bad index.
    Specification: OpenVINO StringTensorPack-15.

    >>> wh.openvino.string_tensor_pack([0, 5], [5, 13], np.frombuffer(b"IntelOpenVINO", np.uint8)).tolist()
    ['Intel', 'OpenVINO']
    """
    return call("StringTensorPack", opset, [begins, ends, symbols], out=out)


def string_tensor_unpack(data: ArrayLike, *, opset: int = 15) -> tuple[Array, ...]:
    """Return where the bytes of each string begin and end, and the bytes of all.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO StringTensorUnpack-15.

    >>> [part.tolist() for part in wh.openvino.string_tensor_unpack(["a", "bc"])]
    [[0, 1], [1, 3], [97, 98, 99]]
    """
    return call_all("StringTensorUnpack", opset, [data])


def tile(data: ArrayLike, repeats: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` laid out again and again along its axes.

    The shorter of sizes and repeats gets leading ones.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Tile-1.

    >>> wh.openvino.tile([[0, 1, 2]], [2])
    array([[0, 1, 2, 0, 1, 2]])
    """
    return call("Tile", opset, [data, repeats], out=out)


def transpose(arg: ArrayLike, input_order: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `arg` with its axes in another order; an empty order reverses them.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Transpose-1.

    >>> wh.openvino.transpose([[0, 1, 2]], [1, 0]).shape
    (3, 1)
    """
    return call("Transpose", opset, [arg, input_order], out=out)


def unique(
    data: ArrayLike,
    axis: ArrayLike | None = None,
    sorted: bool = True,
    index_element_type: object = "i64",
    count_element_type: object = "i64",
    *,
    opset: int = 10,
) -> tuple[Array, ...]:
    """Return each element, or slice along `axis`, once; its first place; what each came to; and its count.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Unique-10.

    >>> [part.tolist() for part in wh.openvino.unique([2, 1, 1, 3])]
    [[1, 2, 3], [1, 0, 3], [1, 0, 0, 2], [2, 1, 1]]
    """
    return call_all(
        "Unique",
        opset,
        [data, axis],
        sorted=sorted,
        index_element_type=index_element_type,
        count_element_type=count_element_type,
    )


def unsqueeze(data: ArrayLike, axes: ArrayLike, *, opset: int = 1, out: Array | None = None) -> Array:
    """Return `data` with new axes of size 1 at the positions `axes` of the result.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO Unsqueeze-1.

    >>> wh.openvino.unsqueeze([1, 2], [0, -1]).shape
    (1, 2, 1)
    """
    return call("Unsqueeze", opset, [data, axes], out=out)


def variadic_split(data: ArrayLike, axis: ArrayLike, split_lengths: ArrayLike, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into views of the given lengths, one of which may be -1: what remains.

    The lengths sum to the size of the axis.

    Raises InvalidTypeError, InvalidValueError or UnsupportedError for what the operation does not take.
    Specification: OpenVINO VariadicSplit-1.

    >>> wh.openvino.variadic_split([0, 1, 2, 3, 4, 5], 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return call_views("VariadicSplit", opset, [data, axis, split_lengths])
