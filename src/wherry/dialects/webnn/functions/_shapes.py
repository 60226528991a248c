"""The operators of schema.py, family shapes, as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def expand(input: ArrayLike, new_shape: Sequence[int], *, out: Array | None = None) -> Array:
    """Repeat `input` along axes of size 1 and new leading axes to the sizes `new_shape`.

    No size shrinks: `input` broadcasts to `new_shape`, never the other way round.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.expand() throws.
    Specification: Web Neural Network API, expand.

    >>> wh.webnn.expand([[1], [2]], [2, 3])
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("expand", [input], newShape=new_shape, out=out)


@answered
def reshape(input: ArrayLike, new_shape: Sequence[int], *, out: Array | None = None) -> Array:
    """Return the elements of `input`, in row-major order, with the sizes `new_shape`.

    Sizes of -1 and 0 are not allowed.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reshape() throws.
    Specification: Web Neural Network API, reshape.

    >>> wh.webnn.reshape([1, 2, 3, 4], [2, 2])
    array([[1, 2],
           [3, 4]])
    """
    return call("reshape", [input], newShape=new_shape, out=out)


@answered
def reverse(input: ArrayLike, *, axes: Sequence[int] | None = None, out: Array | None = None) -> Array:
    """Return `input` with `axes` reversed.

    By default all axes are reversed; with an empty list none.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reverse() throws.
    Specification: Web Neural Network API, reverse.

    >>> wh.webnn.reverse([1, 2, 3])
    array([3, 2, 1])
    """
    return call("reverse", [input], axes=axes, out=out)


@answered
def tile(input: ArrayLike, repetitions: Sequence[int], *, out: Array | None = None) -> Array:
    """Repeat `input` as a whole, `repetitions` times along each axis.

    `repetitions` has one number for each axis, at least 1.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.tile() throws.
    Specification: Web Neural Network API, tile.

    >>> wh.webnn.tile([1, 2], [2])
    array([1, 2, 1, 2])
    """
    return call("tile", [input], repetitions=repetitions, out=out)


@answered
def transpose(input: ArrayLike, *, permutation: Sequence[int] | None = None, out: Array | None = None) -> Array:
    """Return `input` with its axes permuted: axis i of the result is axis `permutation[i]`.

    Without a permutation the order of the axes is reversed.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.transpose() throws.
    Specification: Web Neural Network API, transpose.

    >>> wh.webnn.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    return call("transpose", [input], permutation=permutation, out=out)


@answered
def triangular(input: ArrayLike, *, upper: bool = True, diagonal: int = 0, out: Array | None = None) -> Array:
    """Return the upper or lower triangle of the matrices on the last two axes of `input`, and 0 elsewhere.

    Elements of row i and column j stay where `j - i >= diagonal` (upper), or `j - i <= diagonal`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.triangular() throws.
    Specification: Web Neural Network API, triangular.

    >>> wh.webnn.triangular([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]])
    """
    return call("triangular", [input], upper=upper, diagonal=diagonal, out=out)
