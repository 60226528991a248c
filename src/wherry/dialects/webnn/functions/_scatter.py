"""The operators of schema.py, family scatter, as functions. Written by `python -m generate`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call

Array = NDArray[Any]


@answered
def scatter_elements(
    input: ArrayLike, indices: ArrayLike, updates: ArrayLike, *, axis: int = 0, out: Array | None = None
) -> Array:
    """Return `input` with each update written at its own coordinate, but on `axis` at its index.

    Sizes are as in `gather_elements`. An index outside -N..N-1 is an error: the specification leaves it open, and a
    clamped update would destroy the element at the edge. Of two updates for one element the last stays.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterElements() throws, IndexOutOfRangeError
    for a bad index.
    Specification: Web Neural Network API, scatterElements.

    >>> wh.webnn.scatter_elements([1, 2, 3], [0, -1], [7, 8])
    array([7, 2, 8])
    """
    return call("scatterElements", [input, indices, updates], axis=axis, out=out)


@answered
def scatter_nd(input: ArrayLike, indices: ArrayLike, updates: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `input` with `updates` written to the slices at the tuples of `indices`.

    Sizes are as in `gather_nd`; for bad indices, and two updates for one element, see `scatter_elements`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterND() throws, IndexOutOfRangeError for a
    bad index.
    Specification: Web Neural Network API, scatterND.

    >>> wh.webnn.scatter_nd([1, 2, 3], [[2], [0]], [7, 8])
    array([8, 2, 7])
    """
    return call("scatterND", [input, indices, updates], out=out)
