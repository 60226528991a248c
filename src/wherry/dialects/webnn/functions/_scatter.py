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
    """Return `input` with `updates` written where, on `axis`, the index at the same place says.

    Sizes are those of `gather_elements`. An index outside -N..N-1 is refused: the specification leaves it open, and a
    clamped update would destroy the element at the edge. Of two updates for one element the last stays.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterElements() throws, IndexOutOfRangeError
    for a bad index.
    Specification: Web Neural Network API, scatterElements.

    >>> wh.webnn.scatter_elements([1, 2, 3], [0, -1], [7, 8])
    array([7, 2, 8])
    """
    return call("scatterElements", [input, indices, updates], axis=axis, out=out)


@answered
def scatter_nd(input: ArrayLike, indices: ArrayLike, updates: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `input` with `updates` written to the slices that the tuples of `indices` name.

    Sizes are those of `gather_nd`; bad indices, and two updates for one element: see `scatter_elements`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterND() throws, IndexOutOfRangeError for a
    bad index.
    Specification: Web Neural Network API, scatterND.

    >>> wh.webnn.scatter_nd([1, 2, 3], [[2], [0]], [7, 8])
    array([8, 2, 7])
    """
    return call("scatterND", [input, indices, updates], out=out)
