"""The operators of operations/blocks.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call

Array = NDArray[Any]


@answered
def batch_to_space(
    data: ArrayLike,
    block_shape: ArrayLike,
    crops_begin: ArrayLike,
    crops_end: ArrayLike,
    *,
    opset: int = 2,
    out: Array | None = None,
) -> Array:
    """Move batches into space as blocks, then crop the spatial axes.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO BatchToSpace-2.

    >>> wh.openvino.batch_to_space([[1, 3], [2, 0]], [1, 2], [0, 0], [0, 1])
    array([[1, 2, 3]])
    """
    return call("BatchToSpace", opset, [data, block_shape, crops_begin, crops_end], out=out)


@answered
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
    """Add windows `[N, C * prod(kernel_size), L]` at their positions in images `[N, C, H, W]`; N may be missing.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
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


@answered
def depth_to_space(
    data: ArrayLike, mode: str, block_size: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `[N, C, D1..DK]` as `[N, C / B**K, D1 * B .. DK * B]`: channels become blocks of space.

    `mode` is blocks_first or depth_first: which part of a channel's number is the slow one.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO DepthToSpace-1.

    >>> wh.openvino.depth_to_space([[[0, 1], [2, 3]]], "depth_first", 2).tolist()
    [[[0, 2, 1, 3]]]
    """
    return call("DepthToSpace", opset, [data], mode=mode, block_size=block_size, out=out)


@answered
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
    """Return windows over an image `[N, C, H, W]`, with the elements of each as channels, and zeros outside the image.

    `auto_pad` is valid, same_upper or same_lower.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ExtractImagePatches-3.

    >>> wh.openvino.extract_image_patches([[[[1, 2, 3]]]], [1, 2], [1, 1], [1, 1], "valid").tolist()
    [[[[1, 2]], [[2, 3]]]]
    """
    return call(
        "ExtractImagePatches", opset, [image], sizes=sizes, strides=strides, rates=rates, auto_pad=auto_pad, out=out
    )


@answered
def shuffle_channels(
    data: ArrayLike, axis: int = 1, group: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `data` with `out[j * group + g] = data[g * size / group + j]` along `axis`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO ShuffleChannels-1.

    >>> wh.openvino.shuffle_channels([0, 1, 2, 3, 4, 5], 0, 2)
    array([0, 3, 1, 4, 2, 5])
    """
    return call("ShuffleChannels", opset, [data], axis=axis, group=group, out=out)


@answered
def space_to_batch(
    data: ArrayLike,
    block_shape: ArrayLike,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    *,
    opset: int = 2,
    out: Array | None = None,
) -> Array:
    """Move each position within the blocks of the zero-padded space into a batch of its own.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO SpaceToBatch-2.

    >>> wh.openvino.space_to_batch([[1, 2, 3]], [1, 2], [0, 0], [0, 1])
    array([[1, 3],
           [2, 0]])
    """
    return call("SpaceToBatch", opset, [data, block_shape, pads_begin, pads_end], out=out)


@answered
def space_to_depth(
    data: ArrayLike, mode: str, block_size: int = 1, *, opset: int = 1, out: Array | None = None
) -> Array:
    """Return `[N, C, D1..DK]` as `[N, C * B**K, D1 / B .. DK / B]`: blocks of space become channels.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO SpaceToDepth-1.

    >>> wh.openvino.space_to_depth([[[0, 2, 1, 3]]], "depth_first", 2).tolist()
    [[[0, 1], [2, 3]]]
    """
    return call("SpaceToDepth", opset, [data], mode=mode, block_size=block_size, out=out)
