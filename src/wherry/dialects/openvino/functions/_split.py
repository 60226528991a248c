"""The operators of operations/split.py as functions. Written by `python -m generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from wherry.dialects.openvino.call import answered, call, call_views

Array = NDArray[Any]


@answered
def concat(arrays: Sequence[ArrayLike], axis: int, *, opset: int = 1, out: Array | None = None) -> Array:
    """Lay `arrays` end to end along `axis` into a new array; nothing is cast.

    All have one element type, and equal sizes outside `axis`.

    `out`, an array of any strides, receives the result if given; an error leaves it as it was.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Concat-1.

    >>> wh.openvino.concat([[0, 1], [2]], 0)
    array([0, 1, 2])
    """
    return call("Concat", opset, arrays, axis=axis, out=out)


@answered
def split(
    data: ArrayLike, axis: ArrayLike, num_splits: int, *, opset: int = 1, out: Sequence[Array] | None = None
) -> list[Array]:
    """Cut `data` along `axis` into `num_splits` views of equal sizes; nothing is copied.

    `num_splits` divides the size of the axis; `axis` is a scalar.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO Split-1.

    >>> wh.openvino.split([0, 1, 2, 3, 4, 5], 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """
    return call_views("Split", opset, [data, axis], num_splits=num_splits, out=out)


@answered
def variadic_split(
    data: ArrayLike, axis: ArrayLike, split_lengths: ArrayLike, *, opset: int = 1, out: Sequence[Array] | None = None
) -> list[Array]:
    """Cut `data` along `axis` into views of the given lengths, one of which may be -1: the remaining length.

    The lengths sum to the size of the axis.

    `out`, a sequence with an array of any strides for each result, receives the results if given; an error leaves the
    arrays as they were.
    Raises InvalidTypeError, InvalidValueError or UnsupportedError for illegal arguments.
    Specification: OpenVINO VariadicSplit-1.

    >>> wh.openvino.variadic_split([0, 1, 2, 3, 4, 5], 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return call_views("VariadicSplit", opset, [data, axis, split_lengths], out=out)
