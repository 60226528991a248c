"""Split, VariadicSplit and Concat as functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from numpy.typing import ArrayLike, NDArray

from wherry.arguments import as_entries
from wherry.dialects.openvino.call import call, made, row_of
from wherry.functions import split_views
from wherry.ops import Split

Array = NDArray[Any]


def split(data: ArrayLike, axis: ArrayLike, num_splits: int, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into `num_splits` views of equal sizes; nothing is copied.

    Raises InvalidValueError for a number that does not divide the axis, an axis out of range or one that is no scalar,
    InvalidTypeError for element types that the operation does not take. Specification: OpenVINO Split-1.

    >>> import wherry as wh
    >>> wh.openvino.split([0, 1, 2, 3, 4, 5], 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """
    return _views("Split", opset, [data, axis], {"num_splits": num_splits})


def variadic_split(data: ArrayLike, axis: ArrayLike, split_lengths: ArrayLike, *, opset: int = 1) -> list[Array]:
    """Cut `data` along `axis` into views of the given lengths, one of which may be -1: what remains.

    Raises InvalidValueError for lengths whose sum is not the size of the axis, two -1, a length below -1, an axis out
    of range; InvalidTypeError for element types that the operation does not take.
    Specification: OpenVINO VariadicSplit-1.

    >>> import wherry as wh
    >>> wh.openvino.variadic_split([0, 1, 2, 3, 4, 5], 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return _views("VariadicSplit", opset, [data, axis, split_lengths], {})


def concat(arrays: Sequence[ArrayLike], axis: int, *, opset: int = 1, out: Array | None = None) -> Array:
    """Lay `arrays` end to end along `axis` into a new array; nothing is cast.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for mixed dtypes, InvalidValueError for sizes that differ outside the axis, scalars, or an
    axis out of range. Specification: OpenVINO Concat-1.

    >>> import wherry as wh
    >>> wh.openvino.concat([[0, 1], [2]], 0)
    array([0, 1, 2])
    """
    row = row_of("Concat", opset)
    with row.speaking():
        given = as_entries("arrays", arrays, "a sequence of arrays")
    return call("Concat", opset, given, axis=axis, out=out)


def _views(name: str, opset: int, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> list[Array]:
    row = row_of(name, opset)
    rule, (array,) = made(row, inputs, attributes)
    with row.speaking():
        return split_views(cast(Split, rule), array)
