"""Gather, Split, Concat, Max and Min of ONNX as functions, by hand.

Gather goes to the core without a plan, because small calls of it are many; Split returns views, and the others take a
sequence of arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wherry import _core, dtypes, errors
from wherry.arguments import as_entries, as_int
from wherry.arrays.anywhere import as_indices
from wherry.dialects.call import views_again
from wherry.dialects.onnx.call import CALLS, answered, bound, row_of, tensor
from wherry.dialects.onnx.row import bind
from wherry.dialects.onnx.table import find_row
from wherry.engine.any_sizes import keep_for_any_sizes, open_type_of
from wherry.engine.call import apply_again
from wherry.engine.out import into
from wherry.errors import InvalidTypeError, WherryError, short
from wherry.ops import Gather, Operator
from wherry.tensors import TensorType

Array = NDArray[Any]


@answered
def gather(data: ArrayLike, indices: ArrayLike, axis: int = 0, *, opset: int = 13, out: Array | None = None) -> Array:
    """Take the slices of `data` that `indices` name along `axis`, and put them where the indices stand.

    The result has the sizes `data.shape[:axis] + indices.shape + data.shape[axis + 1:]`. From opset 11 on an index
    may lie in -s..s-1 for an axis of size s; before that in 0..s-1. An index outside is an error in every version.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for an element type that the version does not take (indices are int32 or int64),
    InvalidValueError for an axis outside -r..r-1, IndexOutOfRangeError for an index, UnsupportedError for an unknown
    opset. Specification: ONNX Gather, versions 1, 11 and 13.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.onnx.gather(np.array([10, 20, 30]), [2, -1])
    array([30, 30])
    """
    return call_gather("Gather", opset, data, indices, axis, out=out)


def call_gather(
    name: str, opset: int, data: ArrayLike, indices: ArrayLike, axis: int, *, out: Array | None = None
) -> Array:
    """Run Gather on arrays of any sizes: the core needs no plan for it."""
    try:
        given: Any = (name, opset, data, indices, axis, {})
        if type(indices) is not np.ndarray and type(data) is np.ndarray:
            made = _core.integers(indices)
            indices = indices if made is None else made
        if type(data) is type(indices) is np.ndarray and type(opset) is type(axis) is int:
            known = _GATHERS.get((opset, axis, id(data.dtype), id(indices.dtype)))
            if known is not None:
                return _core.gather(data, indices, axis, negative=known, out=out)
        row = row_of(name, opset)
        array, picks = tensor(data, "data"), as_indices(indices)
        rule = _gather_rule(row.since, array.dtype, picks.dtype, as_int("axis", axis))
        if (
            not array.dtype.hasobject
            and _lives_on(array.dtype)
            and _lives_on(picks.dtype)
            and len(_GATHERS) < _MOST_GATHERS
        ):
            _GATHERS[int(opset), rule.axis, id(array.dtype), id(picks.dtype)] = rule.negative.value
        made = _core.gather(array, picks, rule.axis, negative=rule.negative.value, out=out)
        if array is data and picks is indices:
            gathering = _core.Gathering(rule.axis, 0, "raise", rule.negative)
            CALLS.keep_for_any_sizes(given, gathering, [array, picks], makes_view=False)
        return made
    except WherryError as error:
        error.subject = row_of(name, opset).subject
        raise


_GATHERS: dict[tuple[int, int, int, int], Literal["from_end", "invalid"]] = {}
"""What an index below zero is by opset, axis and element types: NumPy's own, each of which is one object."""

_MOST_GATHERS = 1024


def _lives_on(dtype: np.dtype[Any]) -> bool:
    """Whether it is the one that NumPy has of its type, whose address is no other's at any time."""
    return dtype is np.dtype(dtype.type)


@lru_cache(maxsize=256)
def _gather_rule(version: int, data: np.dtype[Any], indices: np.dtype[Any], axis: int) -> Gather:
    """Return the operator for arrays of these types; sizes are checked by the operator itself."""
    types = [TensorType(dtypes.of(dtype) or dtype, None) for dtype in (data, indices)]
    rule = bind(find_row("Gather", version), types, {"axis": axis})
    assert isinstance(rule, Gather)
    return rule


@answered
def split(
    data: ArrayLike,
    split: ArrayLike | None = None,
    axis: int = 0,
    *,
    num_outputs: int | None = None,
    opset: int = 18,
    out: Sequence[Array] | None = None,
) -> list[Array]:
    """Cut `data` along `axis` into views: parts of the sizes `split`, or `num_outputs` parts; nothing is copied.

    `split` is the operator's attribute up to opset 12 (any sequence of integers) and its input from 13 on (a sequence,
    or a vector of int64). With `num_outputs`, from opset 18 on, each part has ceil(size / num_outputs) positions and
    the last one what remains; where more than the last part would be smaller it is refused. Before opset 18 equal parts
    are counted by a node's outputs, which a function call does not have: give the sizes.

    The results go to the arrays of `out` if given, one for each and of any strides; after an error these are as they
    were.
    Raises InvalidValueError unless exactly one of `split` and `num_outputs` is given, for `num_outputs` before opset
    18, negative sizes, sizes that do not sum to the axis, a bad axis (negative ones from opset 11 on);
    InvalidTypeError for an element type that the version does not take; UnsupportedError for an unknown opset.
    Specification: ONNX Split, versions 1, 2, 11, 13 and 18.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.onnx.split(np.arange(7), num_outputs=3)
    [array([0, 1, 2]), array([3, 4, 5]), array([6])]
    >>> wh.onnx.split(np.arange(6), [2, 4], opset=13)
    [array([0, 1]), array([2, 3, 4, 5])]
    """
    return call_views("Split", opset, data, split, axis, num_outputs, out=out)


def call_views(
    name: str,
    opset: int,
    data: ArrayLike,
    split: ArrayLike | None,
    axis: int,
    num_outputs: int | None,
    *,
    out: Sequence[Array] | None = None,
) -> list[Array]:
    """Return the parts that Split cuts its input into, as views, or copied to the arrays of `out`."""
    call: Any = (name, opset, data, split, axis, num_outputs, {})
    found = CALLS.run(call)
    if found is not None:
        return into(found, out, row_of(name, opset).subject) if out is not None else list(found)
    row = row_of(name, opset)
    with errors.subject(row.subject, row.names):
        array = tensor(data, "input")
        attributes: dict[str, Any] = {"axis": axis}
        inputs = [array]
        count = 1
        if num_outputs is not None:
            attributes["num_outputs"] = count = as_int("num_outputs", num_outputs)
        if split is None and num_outputs is None and not row.has_attribute("num_outputs"):
            raise errors.InvalidValueError(
                "split is missing; equal parts are counted by a node's outputs, which a call does not have: give the "
                "sizes, or num_outputs with opset 18 and newer"
            )
        if split is not None and row.has_attribute("split"):
            attributes["split"] = sizes = _sizes(split)
            count = len(sizes)
        elif split is not None:
            inputs.append(as_indices(split, "split"))
        count = count if count > 0 else 1
        rule = bound(row, inputs, attributes, count)
        assert isinstance(rule, Operator)

        def bind() -> object:
            return bound(row, inputs, attributes, count, open_type_of)

        return into(views_again(CALLS, call, rule, [array], row.subject, bind), out, row.subject)


def _sizes(split: Any) -> Any:
    """Return the sizes of an attribute as they came, if they have a number."""
    if not isinstance(split, Sequence | np.ndarray) or isinstance(split, (str, bytes)):
        raise InvalidTypeError(f"split is {short(split)}, allowed a sequence of integers")
    return split


@answered
def concat(arrays: Iterable[ArrayLike], axis: int | None = None, *, opset: int = 13, out: Array | None = None) -> Array:
    """Lay `arrays` end to end along `axis` into a new array; nothing is cast.

    All have one element type and equal sizes outside `axis`, also those of size 0 on it. The axis is required from
    opset 4 on, and 1 by default before; a negative one counts from the end from opset 11 on.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for mixed element types or one that the version does not take, InvalidValueError for sizes
    that do not fit, a missing or a bad axis, UnsupportedError for an unknown opset.
    Specification: ONNX Concat, versions 1, 4, 11 and 13.

    >>> import numpy as np
    >>> import wherry as wh
    >>> wh.onnx.concat([np.array([1, 2]), np.array([3])], axis=0)
    array([1, 2, 3])
    """
    return call_many("Concat", opset, arrays, axis=axis, out=out)


@answered
def max(arrays: Iterable[ArrayLike], *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the greatest of the elements of `arrays` at each place, broadcast as NumPy does; NaN if one is NaN.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for mixed element types or one that the version does not take, InvalidValueError for sizes
    that do not fit (before opset 8 they are equal), UnsupportedError for an unknown opset.
    New with opset 12: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Max, versions 1, 6, 8, 12 and 13.

    >>> import wherry as wh
    >>> wh.onnx.max([[1, 5], [[3], [7]]])
    array([[3, 5],
           [7, 7]])
    """
    return call_many("Max", opset, arrays, out=out)


@answered
def min(arrays: Iterable[ArrayLike], *, opset: int = 13, out: Array | None = None) -> Array:
    """Return the least of the elements of `arrays` at each place, broadcast as NumPy does; NaN if one is NaN.

    The result goes to `out` if given, of any strides; after an error that is as it was.
    Raises InvalidTypeError for mixed element types or one that the version does not take, InvalidValueError for sizes
    that do not fit (before opset 8 they are equal), UnsupportedError for an unknown opset.
    New with opset 12: int8, int16, int32, int64, uint8, uint16, uint32 and uint64; 13: bfloat16.
    Specification: ONNX Min, versions 1, 6, 8, 12 and 13.

    >>> import wherry as wh
    >>> wh.onnx.min([[1, 5], [[3], [7]]])
    array([[1, 3],
           [1, 5]])
    """
    return call_many("Min", opset, arrays, out=out)


@CALLS.answers
def call_many(
    name: str, opset: int, arrays: Iterable[ArrayLike], *, out: Array | None = None, **attributes: Any
) -> Array:
    """Run an operator of any number of inputs of one element type."""
    call = (name, opset, arrays, attributes)
    row = row_of(name, opset)
    with errors.subject(row.subject):
        given = as_entries("arrays", arrays, "a sequence of arrays")
        inputs = [tensor(array, f"inputs[{number}]") for number, array in enumerate(given)]
        rule = bound(row, inputs, attributes)
    if len({array.dtype for array in inputs}) > 1:  # strings of several widths, or several byte orders
        common = dtypes.of(inputs[0].dtype)
        inputs = [array.astype(common.numpy if common else array.dtype) for array in inputs]
    assert isinstance(rule, Operator)
    made = apply_again(CALLS, call, rule, inputs, row.subject, out)[0]
    keep_for_any_sizes(
        CALLS, call, rule, inputs, row.subject, lambda: bound(row, inputs, attributes, type_of=open_type_of)
    )
    return made
