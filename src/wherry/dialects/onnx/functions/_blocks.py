"""The operators of operators/blocks.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.onnx.call import answered, call

Array = NDArray[Any]


@answered
def col2im(
    input: ArrayLike,
    image_shape: ArrayLike,
    block_shape: ArrayLike,
    dilations: ArrayLike | None = None,
    pads: ArrayLike | None = None,
    strides: ArrayLike | None = None,
    *,
    opset: int = 18,
    out: Array | None = None,
) -> Array:
    """Add windows, the columns of `input`, at their positions in an image.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    Specification: ONNX Col2Im, version 18.

    >>> wh.onnx.col2im(np.ones((1, 4, 2)), [2, 3], [2, 2])
    array([[[[1., 2., 1.],
             [1., 2., 1.]]]])
    """
    return call(
        "Col2Im",
        opset,
        input=input,
        image_shape=image_shape,
        block_shape=block_shape,
        dilations=dilations,
        pads=pads,
        strides=strides,
        out=out,
    )


@answered
def depth_to_space(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of channels into space: sizes [N, C, H, W] become [N, C / b**2, H * b, W * b].

    `mode` says whether the position in the block is the slowest part of the channel index (DCR, the default) or the
    fastest (CRD).

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 11: `mode`; 13: bfloat16.
    Specification: ONNX DepthToSpace, versions 1, 11, 13 and 28.

    >>> wh.onnx.depth_to_space(np.arange(4).reshape(1, 4, 1, 1), 2)
    array([[[[0, 1],
             [2, 3]]]])
    """
    return call("DepthToSpace", opset, input=input, blocksize=blocksize, mode=mode, out=out)


@answered
def reverse_sequence(
    input: ArrayLike,
    sequence_lens: ArrayLike,
    batch_axis: int = 1,
    time_axis: int = 0,
    *,
    opset: int = 28,
    out: Array | None = None,
) -> Array:
    """Reverse the first `sequence_lens[i]` elements of each batch i along `time_axis`; the others stay.

    The batch and time axes are 0 and 1, in either order.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 28: bfloat16.
    Specification: ONNX ReverseSequence, versions 10 and 28.

    >>> wh.onnx.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], batch_axis=0, time_axis=1)
    array([[2, 1, 3],
           [6, 5, 4]])
    """
    return call(
        "ReverseSequence",
        opset,
        input=input,
        sequence_lens=sequence_lens,
        batch_axis=batch_axis,
        time_axis=time_axis,
        out=out,
    )


@answered
def space_to_depth(
    input: ArrayLike, blocksize: int, mode: str | None = None, *, opset: int = 13, out: Array | None = None
) -> Array:
    """Move blocks of space into channels: sizes [N, C, H, W] become [N, C * b**2, H / b, W / b].

    `mode` says whether the position in the block is the slowest part of the channel index (DCR, the default) or the
    fastest (CRD).

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError for an element type that the version lacks, InvalidValueError for another illegal argument,
    UnsupportedError for an unknown opset.
    New with opset 13: bfloat16; 28: `mode`.
    Specification: ONNX SpaceToDepth, versions 1, 13 and 28.

    >>> wh.onnx.space_to_depth(np.arange(4).reshape(1, 1, 2, 2), 2).ravel()
    array([0, 1, 2, 3])
    """
    return call("SpaceToDepth", opset, input=input, blocksize=blocksize, mode=mode, out=out)
