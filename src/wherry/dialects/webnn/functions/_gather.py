"""The operators of schema.py, family gather, as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def gather(input: ArrayLike, indices: ArrayLike, *, axis: int = 0, out: Array | None = None) -> Array:
    """Return the slices of `input` along `axis` at `indices`.

    Indices (int32, uint32 or int64) lie in -N..N-1 for an axis of size N; one outside is clamped to that range, which
    the specification suggests in a note and the conformance tests expect.

    The result has the sizes `input.shape[:axis] + indices.shape + input.shape[axis + 1:]`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gather() throws.
    Specification: Web Neural Network API, gather.

    >>> wh.webnn.gather([10, 20, 30], [2, -1, 7])
    array([30, 30, 30])
    """
    return call("gather", [input, indices], axis=axis, out=out)


@answered
def gather_elements(input: ArrayLike, indices: ArrayLike, *, axis: int = 0, out: Array | None = None) -> Array:
    """Take for each coordinate of `indices` the element of `input` whose coordinate on `axis` is the index there.

    `indices` has the sizes of `input` on all other axes; the result has the sizes of `indices`. Indices outside their
    axis are clamped, see `gather`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gatherElements() throws.
    Specification: Web Neural Network API, gatherElements.

    >>> wh.webnn.gather_elements([[1, 2], [3, 4]], [[1, 0]], axis=0)
    array([[3, 2]])
    """
    return call("gatherElements", [input, indices], axis=axis, out=out)


@answered
def gather_nd(input: ArrayLike, indices: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the slices of `input` at the tuples of indices along the last axis of `indices`.

    A tuple of k indices selects on the first k axes; each index is clamped by itself, see `gather`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gatherND() throws.
    Specification: Web Neural Network API, gatherND.

    >>> wh.webnn.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([2, 3])
    """
    return call("gatherND", [input, indices], out=out)
