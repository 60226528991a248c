"""WebNN's methods as functions on arrays: operands by position, then arguments; options by name in snake_case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import call, made
from wherry.dialects.webnn.schema import BY_NAME
from wherry.functions import split_views
from wherry.ops import Split

Array = NDArray[Any]


def gather(input: ArrayLike, indices: ArrayLike, *, axis: int = 0, out: Array | None = None) -> Array:
    """Return the slices of `input` along `axis` that `indices` picks.

    Indices (int32, uint32 or int64) lie in -N..N-1 for an axis of size N; one outside is clamped to that range, which
    the specification suggests in a note and the conformance tests expect. The result has the sizes
    `input.shape[:axis] + indices.shape + input.shape[axis + 1:]`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gather() throws.
    Specification: Web Neural Network API, gather.

    >>> import wherry as wh
    >>> wh.webnn.gather([10, 20, 30], [2, -1, 7])
    array([30, 30, 30])
    """
    return call("gather", [input, indices], axis=axis, out=out)


def gather_elements(input: ArrayLike, indices: ArrayLike, *, axis: int = 0, out: Array | None = None) -> Array:
    """Return `input` with, at each place, the coordinate on `axis` replaced by the index there.

    `indices` has the sizes of `input` on all other axes, and gives those of the result. Indices outside: see `gather`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gatherElements() throws.
    Specification: Web Neural Network API, gatherElements.

    >>> import wherry as wh
    >>> wh.webnn.gather_elements([[1, 2], [3, 4]], [[1, 0]], axis=0)
    array([[3, 2]])
    """
    return call("gatherElements", [input, indices], axis=axis, out=out)


def gather_nd(input: ArrayLike, indices: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the slices of `input` that the tuples of indices along the last axis of `indices` name.

    A tuple of k indices names a slice of the first k axes; each index is clamped by itself, see `gather`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.gatherND() throws.
    Specification: Web Neural Network API, gatherND.

    >>> import wherry as wh
    >>> wh.webnn.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([2, 3])
    """
    return call("gatherND", [input, indices], out=out)


def scatter_elements(
    input: ArrayLike, indices: ArrayLike, updates: ArrayLike, *, axis: int = 0, out: Array | None = None
) -> Array:
    """Return `input` with `updates` written where, on `axis`, the index at the same place says.

    Sizes are those of `gather_elements`. An index outside -N..N-1 is refused: the specification leaves it open, and a
    clamped update would destroy the element at the edge. Of two updates for one element the last stays.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterElements() throws,
    IndexOutOfRangeError for a bad index.
    Specification: Web Neural Network API, scatterElements.

    >>> import wherry as wh
    >>> wh.webnn.scatter_elements([1, 2, 3], [0, -1], [7, 8])
    array([7, 2, 8])
    """
    return call("scatterElements", [input, indices, updates], axis=axis, out=out)


def scatter_nd(input: ArrayLike, indices: ArrayLike, updates: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `input` with `updates` written to the slices that the tuples of `indices` name.

    Sizes are those of `gather_nd`; bad indices, and two updates for one element: see `scatter_elements`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.scatterND() throws,
    IndexOutOfRangeError for a bad index.
    Specification: Web Neural Network API, scatterND.

    >>> import wherry as wh
    >>> wh.webnn.scatter_nd([1, 2, 3], [[2], [0]], [7, 8])
    array([8, 2, 7])
    """
    return call("scatterND", [input, indices, updates], out=out)


def slice(
    input: ArrayLike,
    starts: Sequence[int],
    sizes: Sequence[int],
    *,
    strides: Sequence[int] | None = None,
    out: Array | None = None,
) -> Array:
    """Return every `strides`-th position of the window of `input` that begins at `starts` and has `sizes`.

    The window lies inside the input; nothing is clipped. An axis of the result has `ceil(size / stride)` positions.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.slice() throws.
    Specification: Web Neural Network API, slice.

    >>> import wherry as wh
    >>> wh.webnn.slice([0, 1, 2, 3, 4], [1], [4], strides=[2])
    array([1, 3])
    """
    return call("slice", [input], starts=starts, sizes=sizes, strides=strides, out=out)


def split(input: ArrayLike, splits: int | Sequence[int], *, axis: int = 0) -> list[Array]:
    """Cut `input` along `axis` into views: so many equal parts, or parts of the given sizes; nothing is copied.

    A number of parts divides the size of the axis; sizes sum to it.

    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.split() throws.
    Specification: Web Neural Network API, split.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.webnn.split([1, 2, 3], [1, 2])
    [array([1]), array([2, 3])]
    """
    operator, (array,) = made(BY_NAME["split"], [input], {"splits": splits, "axis": axis})
    assert isinstance(operator, Split)
    return split_views(operator, array)


def concat(inputs: Sequence[ArrayLike], axis: int, *, out: Array | None = None) -> Array:
    """Lay `inputs` end to end along `axis`.

    All have one element type, and equal sizes on all other axes.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.concat() throws.
    Specification: Web Neural Network API, concat.

    >>> import wherry as wh
    >>> wh.webnn.concat([[1, 2], [3]], 0)
    array([1, 2, 3])
    """
    return call("concat", list(inputs), axis=axis, out=out)


def pad(
    input: ArrayLike,
    beginning_padding: Sequence[int],
    ending_padding: Sequence[int],
    *,
    mode: str = "constant",
    value: float = 0,
    out: Array | None = None,
) -> Array:
    """Return `input` with positions added before and behind it on each axis.

    `mode` is "constant" (`value`; for an integer type it is rounded half to even, and outside the range becomes its
    nearest end), "edge" (the nearest element) or "reflection" (mirrored without the edge, narrower than the axis).

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.pad() throws.
    Specification: Web Neural Network API, pad.

    >>> import wherry as wh
    >>> wh.webnn.pad([1, 2, 3], [2], [1], mode="reflection")
    array([3, 2, 1, 2, 3, 2])
    """
    return call(
        "pad",
        [input],
        beginningPadding=beginning_padding,
        endingPadding=ending_padding,
        mode=mode,
        value=value,
        out=out,
    )


def expand(input: ArrayLike, new_shape: Sequence[int], *, out: Array | None = None) -> Array:
    """Return `input` repeated along axes of size 1 and new first axes, so that it has the sizes `new_shape`.

    No size shrinks: `input` broadcasts to `new_shape`, never the other way round.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.expand() throws.
    Specification: Web Neural Network API, expand.

    >>> import wherry as wh
    >>> wh.webnn.expand([[1], [2]], [2, 3])
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    return call("expand", [input], newShape=new_shape, out=out)


def reshape(input: ArrayLike, new_shape: Sequence[int], *, out: Array | None = None) -> Array:
    """Return the elements of `input`, in row-major order, under the sizes `new_shape`.

    Neither -1 nor 0 is a size.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reshape() throws.
    Specification: Web Neural Network API, reshape.

    >>> import wherry as wh
    >>> wh.webnn.reshape([1, 2, 3, 4], [2, 2])
    array([[1, 2],
           [3, 4]])
    """
    return call("reshape", [input], newShape=new_shape, out=out)


def transpose(input: ArrayLike, *, permutation: Sequence[int] | None = None, out: Array | None = None) -> Array:
    """Return `input` with its axes in another order: axis i of the result is axis `permutation[i]`.

    Without a permutation the axes are reversed.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.transpose() throws.
    Specification: Web Neural Network API, transpose.

    >>> import wherry as wh
    >>> wh.webnn.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    return call("transpose", [input], permutation=permutation, out=out)


def tile(input: ArrayLike, repetitions: Sequence[int], *, out: Array | None = None) -> Array:
    """Return `input` laid out again and again, `repetitions` times along each axis.

    There is one number for each axis, 1 and more.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.tile() throws.
    Specification: Web Neural Network API, tile.

    >>> import wherry as wh
    >>> wh.webnn.tile([1, 2], [2])
    array([1, 2, 1, 2])
    """
    return call("tile", [input], repetitions=repetitions, out=out)


def reverse(input: ArrayLike, *, axes: Sequence[int] | None = None, out: Array | None = None) -> Array:
    """Return `input` with `axes` read backwards.

    No axes means all of them; an empty list none.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.reverse() throws.
    Specification: Web Neural Network API, reverse.

    >>> import wherry as wh
    >>> wh.webnn.reverse([1, 2, 3])
    array([3, 2, 1])
    """
    return call("reverse", [input], axes=axes, out=out)


def triangular(input: ArrayLike, *, upper: bool = True, diagonal: int = 0, out: Array | None = None) -> Array:
    """Return the upper or lower triangle of the matrices on the last two axes of `input`, and 0 elsewhere.

    Kept are columns j of row i with `j - i >= diagonal` (upper), or `j - i <= diagonal`.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.triangular() throws.
    Specification: Web Neural Network API, triangular.

    >>> import wherry as wh
    >>> wh.webnn.triangular([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]])
    """
    return call("triangular", [input], upper=upper, diagonal=diagonal, out=out)


def where(condition: ArrayLike, true_value: ArrayLike, false_value: ArrayLike, *, out: Array | None = None) -> Array:
    """Return at each place `true_value` where `condition` (uint8) is not 0, else `false_value`.

    All three broadcast against each other. What is not chosen does not matter, NaN included.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.where() throws.
    Specification: Web Neural Network API, where.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.webnn.where(np.array([1, 0], np.uint8), [1, 2], [3, 4])
    array([1, 4])
    """
    return call("where", [condition, true_value, false_value], out=out)


def cast(input: ArrayLike, data_type: str, *, out: Array | None = None) -> Array:
    """Return `input` as another element type, named as WebNN names it.

    Floats become integers without their fraction; one beyond the range, which the specification leaves open, becomes
    the nearest end, and NaN 0. Integers keep their low bits; numbers beyond the range of floats become infinite.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.cast() throws.
    Specification: Web Neural Network API, cast.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.webnn.cast(np.float32([1.7, -2.5]), "int8")
    array([ 1, -2], dtype=int8)
    """
    return call("cast", [input], dataType=data_type, out=out)


def identity(input: ArrayLike, *, out: Array | None = None) -> Array:
    """Return `input` copied, every bit kept.

    A graph of WebNN needs it where a result is an input or a constant.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.identity() throws.
    Specification: Web Neural Network API, identity.

    >>> import wherry as wh
    >>> wh.webnn.identity([1, 2])
    array([1, 2])
    """
    return call("identity", [input], out=out)
