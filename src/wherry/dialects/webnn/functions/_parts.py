"""The operators of schema.py, family parts, as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.webnn.call import answered, call, call_views

Array = NDArray[Any]


@answered
def concat(inputs: Sequence[ArrayLike], axis: int, *, out: Array | None = None) -> Array:
    """Lay `inputs` end to end along `axis`.

    All have one element type, and equal sizes on all other axes.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.concat() throws.
    Specification: Web Neural Network API, concat.

    >>> wh.webnn.concat([[1, 2], [3]], 0)
    array([1, 2, 3])
    """
    return call("concat", inputs, axis=axis, out=out)


@answered
def pad(
    input: ArrayLike,
    beginning_padding: Sequence[int],
    ending_padding: Sequence[int],
    *,
    mode: str = "constant",
    value: float = 0,
    out: Array | None = None,
) -> Array:
    """Add positions before and after `input` on each axis.

    `mode` is "constant" (`value`; for an integer type it is rounded half to even and clamped to the range), "edge" (the
    nearest element) or "reflection" (mirrored without the edge, narrower than the axis).

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.pad() throws.
    Specification: Web Neural Network API, pad.

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


@answered
def slice(
    input: ArrayLike,
    starts: Sequence[int],
    sizes: Sequence[int],
    *,
    strides: Sequence[int] | None = None,
    out: Array | None = None,
) -> Array:
    """Return every `strides`-th position of the window of `input` that begins at `starts` and has the sizes `sizes`.

    The window lies inside the input; nothing is clipped. An axis of the result has `ceil(size / stride)` positions.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.slice() throws.
    Specification: Web Neural Network API, slice.

    >>> wh.webnn.slice([0, 1, 2, 3, 4], [1], [4], strides=[2])
    array([1, 3])
    """
    return call("slice", [input], starts=starts, sizes=sizes, strides=strides, out=out)


@answered
def split(
    input: ArrayLike, splits: int | Sequence[int], *, axis: int = 0, out: Sequence[Array] | None = None
) -> list[Array]:
    """Cut `input` along `axis` into views: a number of equal parts, or parts of the given sizes; nothing is copied.

    A number of parts divides the size of the axis; sizes sum to it.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError or InvalidValueError for what MLGraphBuilder.split() throws.
    Specification: Web Neural Network API, split.

    >>> wh.webnn.split([1, 2, 3], [1, 2])
    [array([1]), array([2, 3])]
    """
    return call_views("split", [input], splits=splits, axis=axis, out=out)
